#include "syntax/floor_division.h"

#include <llvm/ADT/StringSet.h>

#include <algorithm>

#include "base/out.h"

namespace dtp::syntax {
namespace {

using enum TokenType;

// A comment longer than this is prose.
constexpr uint32_t kLongestOperand = 100;

bool ends_value(TokenType type) {
  return type == NAME || type == NUMBER || type == PERCENT || type == RPAREN || type == RBRACK;
}
bool joins_operands(TokenType type) {
  return type == PLUS || type == MINUS || type == STAR || type == SLASH || type == MODULO ||
         type == CARET;
}

// Reads what stands in a comment as a divisor: one operand, then the end, closing brackets, or the
// next field. Operators stand in parentheses only, or behind a bracket that is closed: `// a * b`
// tells how a value is made.
class Operand {
 public:
  Operand(std::string_view text, const std::vector<Token>& tokens) : text_(text), tokens_(tokens) {}

  bool read() { return operand() && rest(); }
  // It closes a bracket that is not opened in it.
  bool closes() const { return closes_; }
  // The first word of each path, with its index, and whether it is a path.
  struct Word {
    std::string_view text;
    bool path;
  };
  const std::vector<Word>& words() const { return words_; }

 private:
  TokenType type(size_t i) const { return i < tokens_.size() ? tokens_[i].type : END; }
  bool touch(size_t i) const {
    return i < tokens_.size() && tokens_[i - 1].end == tokens_[i].begin;
  }
  std::string_view slice(size_t i) const {
    return text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }

  bool sum() {
    while (operand()) {
      if (!joins_operands(type(at_))) return true;
      ++at_;
    }
    return false;
  }

  bool operand() {
    if (type(at_) == MINUS) ++at_;
    if (type(at_) == NUMBER || type(at_) == PERCENT) return ++at_, true;
    if (type(at_) == LPAREN) return parenthesis();
    if (type(at_) != NAME) return false;
    Word word{slice(at_++), false};
    while (type(at_) == DOT && touch(at_) && type(at_ + 1) == NAME && touch(at_ + 1)) {
      word.path = true;
      at_ += 2;
    }
    words_.push_back(word);
    // A call's arguments touch its name; in prose a blank stands before a parenthesis.
    return type(at_) != LPAREN || (touch(at_) && parenthesis());
  }

  bool parenthesis() {
    do {
      ++at_;
      if (!sum()) return false;
    } while (type(at_) == COMMA);
    if (type(at_) != RPAREN) return false;
    ++at_;
    return true;
  }

  bool rest() {
    while (is_closer(type(at_))) {
      closes_ = true;
      ++at_;
    }
    if (type(at_) == END) return true;
    int depth = 0;
    for (size_t i = at_; i < tokens_.size(); ++i) {
      depth += is_opener(tokens_[i].type) ? 1 : is_closer(tokens_[i].type) ? -1 : 0;
      closes_ = closes_ || depth < 0;
    }
    if (type(at_) == COMMA)
      return (type(at_ + 1) == NAME && (type(at_ + 2) == ASSIGN || type(at_ + 2) == COLON)) ||
             (closes_ && type(at_ + 1) == END);
    return at_ > 0 && is_closer(type(at_ - 1)) && joins_operands(type(at_)) && type(at_ + 1) != END;
  }

  std::string_view text_;
  const std::vector<Token>& tokens_;
  std::vector<Word> words_;
  size_t at_ = 0;
  bool closes_ = false;
};

class FloorDivisions {
 public:
  FloorDivisions(FileId file, std::string_view text, GrammarLexer& lexer, Scan& scan,
                 Problems& problems)
      : file_(file), text_(text), lexer_(lexer), scan_(scan), problems_(problems) {}

  void run() {
    size_t next = 0;  // the first token behind the comment
    for (const Trivia& comment : scan_.trivia) {
      if (comment.kind != TriviaKind::line_comment || comment.end - comment.begin > kLongestOperand)
        continue;
      while (next < scan_.tokens.size() && scan_.tokens[next].begin < comment.begin) ++next;
      if (next == 0 || !ends_value(scan_.tokens[next - 1].type)) continue;
      look_at(comment, next - 1);
    }
  }

 private:
  void look_at(const Trivia& comment, size_t value) {
    std::vector<Token> tokens;
    for (uint32_t at = comment.begin + 2;;) {
      Token token = lexer_.next(at, comment.end);
      if (token.type == END) break;
      if (token.type >= BAD_STRING || is_string(token.type)) return;
      if (token.type != BLANK) tokens.push_back(token);
      at = token.end;
    }
    Operand operand(text_, tokens);
    if (tokens.empty() || !operand.read() || is_type(value)) return;
    for (const Operand::Word& word : operand.words())
      if (!in_scope(word, value)) return;
    tell(comment, value, operand.closes());
  }

  // `per_gpu: Int  // micro`: what ends in a type divides nothing.
  bool is_type(size_t at) {
    while (at > 0 && scan_.tokens[at].type != NL && scan_.tokens[at].type != ASSIGN) --at;
    std::string_view word = around(at).word;
    return scan_.tokens[at].type != ASSIGN && (word == "type" || word == "choice");
  }

  // The declaration around token `at`: the names that it uses, each looked at once.
  struct Declaration {
    size_t begin = 0, end = 0;
    std::string_view word;     // that it starts with
    llvm::StringSet<> names;   // all
    llvm::StringSet<> values;  // without units, members, and fields that are set
  };
  const Declaration& around(size_t at) {
    if (at >= declaration_.begin && at < declaration_.end) return declaration_;
    Declaration d{at, at + 1, {}, {}, {}};
    while (d.begin > 0 && !starts_declaration(d.begin)) --d.begin;
    while (d.end < scan_.tokens.size() && !starts_declaration(d.end)) ++d.end;
    d.word = text_of(d.begin);
    for (size_t i = d.begin; i < d.end; ++i) {
      if (scan_.tokens[i].type != NAME) continue;
      d.names.insert(text_of(i));
      if (is_value(i, d.word == "model")) d.values.insert(text_of(i));
    }
    return declaration_ = std::move(d);
  }
  std::string_view text_of(size_t i) const {
    const Token& token = scan_.tokens[i];
    return text_.substr(token.begin, token.end - token.begin);
  }

  // Other words than those that the declaration uses are prose.
  bool in_scope(const Operand::Word& word, size_t at) {
    const Declaration& d = around(at);
    return (word.path ? d.names : d.values).contains(word.text);
  }

  bool starts_declaration(size_t i) const {
    const Token& token = scan_.tokens[i];
    return token.type == NAME && (token.begin == 0 || text_[token.begin - 1] == '\n');
  }

  // A unit after its number is no use of a name, and neither is the field that is set here, unless
  // the comment names something in it.
  bool is_value(size_t i, bool of_model) const {
    TokenType before = i > 0 ? scan_.tokens[i - 1].type : END;
    if (before == NUMBER || before == DOT) return false;
    // What is set in a model are the names of its values.
    return i + 1 == scan_.tokens.size() || scan_.tokens[i + 1].type != ASSIGN || of_model;
  }

  void tell(const Trivia& comment, size_t value, bool closes) {
    if (problems_.full()) return;
    DiagnosticBuilder builder(Kind::FloorDivision, {file_, comment.begin, comment.end},
                              "`//` starts a comment: what stands behind it is not read");
    builder.help(
        "a division is written `a / b`, and `floor(a / b)` gives the whole number below it");
    if (closes) {
      builder.severity(Severity::error);
      Token& cut = scan_.tokens[value];
      scan_.cut.push_back(cut.begin);
      cut.type = SKIPPED;
      auto place = std::ranges::lower_bound(scan_.reported, cut.begin);
      scan_.reported.insert(place, cut.begin);
    } else {
      builder.note("where it is a comment, let it begin with a word, as in `// of 8`");
    }
    problems_.add(builder);
  }

  FileId file_;
  std::string_view text_;
  GrammarLexer& lexer_;
  Scan& scan_;
  Problems& problems_;
  Declaration declaration_;  // the last that was looked at
};

}  // namespace

void tell_floor_divisions(FileId file, std::string_view text, GrammarLexer& lexer, Scan& scan,
                          Problems& problems) {
  FloorDivisions(file, text, lexer, scan, problems).run();
}

}  // namespace dtp::syntax
