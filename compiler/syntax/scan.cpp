#include "syntax/scan.h"

#include <algorithm>
#include <array>

#include "base/out.h"
#include "syntax/keywords.h"

namespace dtp::syntax {
namespace {

using enum TokenType;

// Characters that editors and web pages put in the place of ours.
struct Lookalike {
  std::string_view text;
  std::string_view meant;
  TokenType type;  // END: nothing stands in its place
};
constexpr Lookalike kLookalikes[] = {
    {"\u2264", "<=", LESS_EQUAL},
    {"\u2265", ">=", GREATER_EQUAL},
    {"\u2260", "!=", NOT_EQUAL},
    {"\u00D7", "*", STAR},
    {"\u2212", "-", MINUS},
    {"\u2013", "-", MINUS},
    {"\u2192", "->", ARROW},
    {"\u00F7", "/", SLASH},
    {"\u00A0", "a space", END},
    {"\u2026", "..", RANGE},
    {"&", "and", AND},
    {"|", "or", OR},
};

class Scanner {
 public:
  Scanner(FileId file, std::string_view text, GrammarLexer& lexer, Problems& problems)
      : file_(file), text_(text), lexer_(lexer), problems_(problems) {}

  Scan run(uint32_t begin, uint32_t end) {
    scan_.tokens.reserve((end - begin) / 4 + 8);
    if (begin == 0 && text_.starts_with("\xEF\xBB\xBF")) begin = 3;  // a byte order mark
    for (uint32_t at = begin;;) {
      Token token = lexer_.next(at, end);
      if (token.type == END) break;
      at = take(token, end);
    }
    return std::move(scan_);
  }

 private:
  std::string_view slice(const Token& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }

  // Returns where the next token may begin.
  uint32_t take(Token token, uint32_t end) {
    switch (token.type) {
      case NAME: token.type = reserved_word(slice(token)); break;
      case NUMBER:
      case PERCENT:
        if (token.end - token.begin > kMostDigits) digits(token);
        break;
      case BLANK: return token.end;
      case COMMENT: {
        std::string_view text = slice(token);
        bool doc = text.starts_with("///") && !text.starts_with("////");
        trivia(doc ? TriviaKind::doc_comment : TriviaKind::line_comment, token);
        return token.end;
      }
      case BLOCK_COMMENT: trivia(TriviaKind::block_comment, token); return token.end;
      default:
        if (token.type >= BAD_STRING) return mend(token, end);
    }
    scan_.tokens.push_back(token);
    return token.end;
  }

  void trivia(TriviaKind kind, const Token& token) {
    scan_.trivia.push_back({kind, token.begin, token.end});
  }

  DiagnosticBuilder at(Kind kind, const Token& token, std::string headline) {
    scan_.reported.push_back(token.begin);
    return DiagnosticBuilder(kind, {file_, token.begin, token.end}, std::move(headline));
  }

  void digits(Token& token) {
    auto count = std::ranges::count_if(slice(token), [](char c) { return c >= '0' && c <= '9'; });
    if (count <= static_cast<long>(kMostDigits)) return;
    if (problems_.full()) return;
    Token start{token.type, token.begin, token.begin + 16};  // enough to find it
    problems_.add(
        at(Kind::TooManyDigits, start,
           format("a number of {} digits, and a number may have {}", count, kMostDigits)));
    token.type = SKIPPED;
  }

  uint32_t mend(Token token, uint32_t end) {
    if (problems_.full()) return token.end;
    switch (token.type) {
      case BAD_STRING: unterminated(token); break;
      case BAD_RAW_STRING: unterminated_raw(token); break;
      case BAD_BLOCK_COMMENT:
        problems_.add(at(Kind::UnterminatedString, {COMMENT, token.begin, token.begin + 2},
                         "this `/*` comment is not closed")
                          .help("close it with `*/`"));
        trivia(TriviaKind::block_comment, token);
        scan_.swallowed = true;
        return token.end;
      case SINGLE_QUOTED: single_quoted(token); break;
      case HASH_COMMENT:
        problems_.add(at(Kind::UnexpectedCharacter, {BAD_CHAR, token.begin, token.begin + 1},
                         "a comment starts with `//`, not `#`")
                          .help("write `//`", {file_, token.begin, token.begin + 1}, "//", true));
        trivia(TriviaKind::line_comment, token);
        return token.end;
      case AND_AND: spelled(token, AND, "and"); break;
      case OR_OR: spelled(token, OR, "or"); break;
      case BANG: spelled(token, NOT, "not "); break;
      default: return bad_character(token, end);
    }
    scan_.tokens.push_back(token);
    return token.end;
  }

  void unterminated(Token& token) {
    problems_.add(
        at(Kind::UnterminatedString, token, "this string is not closed before the line ends")
            .help("put a `\"` at its end; text over several lines stands between `\"\"\"`"));
    token.type = STRING;
  }

  void unterminated_raw(Token& token) {
    problems_.add(at(Kind::UnterminatedString, {RAW_STRING, token.begin, token.begin + 3},
                     "this `\"\"\"` text is never closed")
                      .help("put `\"\"\"` where it ends"));
    token.type = RAW_STRING;
    scan_.swallowed = true;
  }

  void single_quoted(Token& token) {
    std::string_view text = slice(token);
    bool closed = text.size() > 1 && text.back() == '\'';
    DiagnosticBuilder builder = at(Kind::UnexpectedCharacter, token,
                                   "a string stands in double quotes, not in single ones");
    if (closed && text.find('"') == std::string_view::npos) {
      std::string inner(text.substr(1, text.size() - 2));
      builder.help(format("write `\"{}\"`", inner), {file_, token.begin, token.end},
                   '"' + inner + '"', true);
    }
    problems_.add(builder);
    token.type = STRING;
  }

  void spelled(Token& token, TokenType type, std::string_view word) {
    std::string_view plain = word.substr(0, word.find(' '));
    problems_.add(
        at(Kind::UnexpectedCharacter, token, format("`{}` is written `{}`", slice(token), plain))
            .help(format("write `{}`", plain), {file_, token.begin, token.end}, std::string(word),
                  true));
    token.type = type;
  }

  uint32_t bad_character(Token token, uint32_t end) {
    while (token.end < end && (text_[token.end] & 0xC0) == 0x80) ++token.end;
    std::string_view text = slice(token);
    if (text == "\r") return token.end;  // an old line end in the middle of a line: nothing to tell
    if (text == "\u201C" || text == "\u201D") return curly_quote(token, end);
    if (text == "`") return backtick(token, end);
    if (text == "|" && in_a_choice(token.begin)) {
      problems_.add(at(Kind::UnexpectedCharacter, token, "cases of a choice stand with `,` between")
                        .help("write `,`", {file_, token.begin, token.end}, ",", true));
      token.type = COMMA;
      scan_.tokens.push_back(token);
      return token.end;
    }
    for (const Lookalike& known : kLookalikes) {
      if (known.text != text) continue;
      problems_.add(
          at(Kind::UnexpectedCharacter, token, format("`{}` is written `{}`", text, known.meant)));
      token.type = known.type;
      if (known.type != END) scan_.tokens.push_back(token);
      return token.end;
    }
    if (!repeated(token)) {
      DiagnosticBuilder builder = at(Kind::UnexpectedCharacter, token,
                                     format("`{}` has no meaning in a plan", printable(text)));
      bool variable = text == "$" && token.end < end && starts_word(text_[token.end]);
      bool money = text == "$" || text == "\u20AC";
      if (variable)
        builder.help(format("a variable of the script's environment is `env(\"{}\")`",
                            word_at(token.end, end)));
      else if (money)
        builder.help(
            format("money has its unit after the number: `5_000 {}`", text == "$" ? "USD" : "EUR"));
      if (text == "\u00B5" || text == "\u03BC") builder.help("microseconds are written `us`");
      if (text == "\u00B1") builder.help("an estimate is written `about(5 GiB, 10%, \"why\")`");
      if (text == "@") builder.help("a product of matrices is written `matmul(a, b)`");
      problems_.add(builder);
      // What follows is no plain number: nothing more is said about it.
      if (money) scan_.tokens.push_back({SKIPPED, token.begin, token.end});
    }
    last_bad_ = token.end;
    return token.end;
  }

  // A run of bad characters (a word in another script, binary text) is one mistake.
  bool repeated(const Token& token) const { return last_bad_ == token.begin && token.begin != 0; }

  static std::string printable(std::string_view text) {
    if (text.size() == 1 && (static_cast<unsigned char>(text[0]) < 0x20 || text[0] == 0x7F))
      return format("\\x{:02X}", static_cast<unsigned>(static_cast<unsigned char>(text[0])));
    return std::string(text);
  }

  static bool starts_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }
  std::string_view word_at(uint32_t begin, uint32_t end) const {
    uint32_t at = begin;
    while (at < end && (starts_word(text_[at]) || (text_[at] >= '0' && text_[at] <= '9'))) ++at;
    return text_.substr(begin, at - begin);
  }

  // Whether the declaration that `place` lies in is a choice: it begins at a line's first column.
  bool in_a_choice(uint32_t place) const {
    for (size_t line = text_.rfind('\n', place);; line = text_.rfind('\n', line - 1)) {
      size_t begin = line == std::string_view::npos ? 0 : line + 1;
      char first = begin < text_.size() ? text_[begin] : ' ';
      if (starts_word(first) || line == std::string_view::npos || line == 0)
        return text_.substr(begin).starts_with("choice ");
    }
  }

  // `text`
  uint32_t backtick(Token token, uint32_t end) {
    size_t line = std::min<size_t>(text_.find('\n', token.begin), end);
    size_t close = text_.find('`', token.end);
    token.end = static_cast<uint32_t>(close < line ? close + 1 : line);
    problems_.add(
        at(Kind::UnexpectedCharacter, token, "a string stands in double quotes, not in backticks")
            .help("write `\"`"));
    token.type = STRING;
    scan_.tokens.push_back(token);
    return token.end;
  }

  uint32_t curly_quote(Token token, uint32_t end) {
    problems_.add(at(Kind::UnexpectedCharacter, token, "a curly quote does not start a string")
                      .help("write `\"`"));
    size_t line = std::min<size_t>(text_.find('\n', token.begin), end);
    size_t close = text_.find("\u201D", token.end);
    token.end = close < line ? static_cast<uint32_t>(close + 3) : token.end;
    token.type = STRING;
    scan_.tokens.push_back(token);
    return token.end;
  }

  FileId file_;
  std::string_view text_;
  GrammarLexer& lexer_;
  Problems& problems_;
  Scan scan_;
  uint32_t last_bad_ = 0;
};

}  // namespace

Scan scan(FileId file, std::string_view text, uint32_t begin, uint32_t end, GrammarLexer& lexer,
          Problems& problems) {
  return Scanner(file, text, lexer, problems).run(begin, end);
}

}  // namespace dtp::syntax
