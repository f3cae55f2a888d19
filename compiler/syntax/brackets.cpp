#include "syntax/brackets.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/out.h"
#include "syntax/keywords.h"
#include "syntax/layout.h"

namespace dtp::syntax {
namespace {

using enum TokenType;

bool balanced(const std::vector<Token>& tokens, size_t begin, size_t end) {
  std::vector<TokenType> open;
  for (size_t i = begin; i < end; ++i) {
    TokenType type = tokens[i].type;
    if (is_opener(type)) {
      open.push_back(closer_of(type));
    } else if (is_closer(type)) {
      if (open.empty() || open.back() != type) return false;
      open.pop_back();
    }
  }
  return open.empty();
}

struct Edit {
  enum What : uint8_t { insert, erase } what;
  bool told;           // false: follows from another mistake
  TokenType type;      // of what is inserted
  uint32_t at;         // token index; an insertion goes before it
  uint32_t opener;     // an insertion: the bracket that it closes
  uint32_t count = 1;  // erase: so many tokens
  uint32_t wrong = 0;  // not 0: the bracket of another kind that stands there
};

// One region: from one declaration keyword in the first column to the next.
class Region {
 public:
  Region(std::string_view text, const Scan& scan, size_t begin, size_t end)
      : text_(text), tokens_(scan.tokens), begin_(begin), end_(end) {
    size_t line = begin;
    for (size_t i = begin; i < end; ++i) {
      const Token& token = tokens_[i];
      if (token.type == NL) line = i + 1;
      if ((token.type == STRING && text[token.end - 1] != '"') ||
          std::ranges::binary_search(scan.cut, token.begin))
        cut_.push_back({i, line});
    }
  }

  // Two readings: with the indentation taken as meant, and without. The one that needs fewer edits
  // is taken.
  std::vector<Edit> edits() {
    std::vector<Edit> with = read(true);
    std::vector<Edit> without = read(false);
    return with.size() <= without.size() ? std::move(with) : std::move(without);
  }

 private:
  struct Open {
    size_t token;
    TokenType closer;
    uint32_t indent;  // of the line it stands in
    size_t line;      // index of that line's first token
  };

  std::vector<Edit> read(bool by_indentation) {
    edits_.clear();
    open_.clear();
    line_ = begin_;
    uint32_t indent = 0;
    for (size_t i = begin_; i < end_; ++i) {
      if (tokens_[i].type == NL) continue;
      if (i == begin_ || tokens_[i - 1].type == NL) {
        line_ = i;
        indent = indent_of(i);
        if (by_indentation) dedent(i, indent);
      }
      // Past the limit the layout refuses the file anyway; stop before this gets slow.
      if (is_opener(tokens_[i].type) && open_.size() <= kMostOpenBrackets)
        open_.push_back({i, closer_of(tokens_[i].type), indent, line_});
      else if (is_closer(tokens_[i].type))
        close(i);
    }
    bool told = true;
    while (!open_.empty()) {
      close_missing(last_token(end_), told);
      told = false;  // a text that breaks off is one mistake: it is told at the innermost bracket
    }
    return std::move(edits_);
  }

  // A line starts at `i`: what was opened in a line indented as much or more should have been
  // closed by now.
  void dedent(size_t i, uint32_t indent) {
    bool closer = is_closer(tokens_[i].type);
    while (!open_.empty()) {
      const Open& top = open_.back();
      if (closer ? indent >= top.indent || !deeper_at(indent) : indent > top.indent) return;
      if (!closer && indent < top.indent && open_.size() > 1) {
        // A continuation line that hangs to the left is no sign, unless it reaches the bracket
        // below.
        if (open_[open_.size() - 2].indent < indent) return;
      }
      close_missing(last_token(i), true);
    }
  }

  // A bracket below the top that stands in a line indented like this closer.
  bool deeper_at(uint32_t indent) const {
    for (size_t k = 0; k + 1 < open_.size(); ++k)
      if (open_[k].indent == indent) return true;
    return false;
  }

  void close(size_t i) {
    TokenType type = tokens_[i].type;
    bool known = std::ranges::any_of(open_, [&](const Open& o) { return o.closer == type; });
    if (!known && !open_.empty() && open_.back().line == line_) {
      close_missing(i, true);
      edits_.back().wrong = static_cast<uint32_t>(i);
      erase(i, false);
      return;
    }
    if (!known) {
      erase(i, true);
      return;
    }
    bool told = true;
    while (open_.back().closer != type) {
      close_missing(i, told);
      told = false;
    }
    open_.pop_back();
  }

  void erase(size_t i, bool told) {
    auto at = static_cast<uint32_t>(i);
    if (!edits_.empty() && edits_.back().what == Edit::erase &&
        edits_.back().at + edits_.back().count == at)
      ++edits_.back().count;
    else
      edits_.push_back({Edit::erase, told, tokens_[i].type, at, at});
  }

  void close_missing(size_t before, bool told) {
    const Open& top = open_.back();
    edits_.push_back({Edit::insert, told && !line_is_cut(top), top.closer,
                      static_cast<uint32_t>(before), static_cast<uint32_t>(top.token)});
    open_.pop_back();
  }

  // An unclosed string, or a `//` that was meant to divide, has swallowed the rest of the line,
  // closers and all: that is one mistake, told there.
  bool line_is_cut(const Open& open) const {
    auto at = std::ranges::lower_bound(cut_, open.token, {}, &Cut::token);
    return at != cut_.end() && at->line == open.line;
  }

  // The place after the last token of the lines before `i`.
  size_t last_token(size_t i) const {
    while (i > begin_ && tokens_[i - 1].type == NL) --i;
    return i;
  }

  uint32_t indent_of(size_t i) const {
    uint32_t at = tokens_[i].begin;
    uint32_t indent = 0;
    while (at > 0 && text_[at - 1] != '\n') {
      --at;
      ++indent;
    }
    return indent;
  }

  struct Cut {
    size_t token;
    size_t line;
  };
  std::string_view text_;
  const std::vector<Token>& tokens_;
  size_t begin_;
  size_t end_;
  std::vector<Cut> cut_;  // what took the rest of its line
  size_t line_ = 0;       // the first token of the line that is read
  std::vector<Open> open_;
  std::vector<Edit> edits_;
};

class Mender {
 public:
  Mender(FileId file, std::string_view text, Scan& scan, Problems& problems)
      : file_(file), text_(text), scan_(scan), problems_(problems) {}

  void run() {
    const std::vector<Token>& tokens = scan_.tokens;
    size_t begin = 0;
    for (size_t i = 1; i <= tokens.size(); ++i) {
      if (i < tokens.size() && !starts_region(i)) continue;
      if (!balanced(tokens, begin, i)) {
        region_end_ = tokens[i - 1].end;
        region_begin_ = tokens[begin].begin;
        bool cut = scan_.swallowed && i == tokens.size();
        for (const Edit& edit : Region(text_, scan_, begin, i).edits()) {
          if (edit.told && !cut && !problems_.full()) tell(edit);
          edits_.push_back(edit);
        }
      }
      begin = i;
    }
    apply();
  }

 private:
  // A word that starts nothing but a declaration, in the first column, with a name after it.
  bool starts_region(size_t i) const {
    const Token& token = scan_.tokens[i];
    if (token.type != NAME || (token.begin > 0 && text_[token.begin - 1] != '\n')) return false;
    TokenType type = starting_word(text_.substr(token.begin, token.end - token.begin));
    if (type == NAME || type == PART || i + 1 >= scan_.tokens.size()) return false;
    TokenType next = scan_.tokens[i + 1].type;
    return next == NAME || (type == IMPORT && is_string(next)) || (type == DTP && next == NUMBER);
  }

  void tell(const Edit& edit) {
    const Token& token = scan_.tokens[edit.what == Edit::insert ? edit.opener : edit.at];
    Span place{file_, token.begin, token.end};
    std::string_view word = text_.substr(token.begin, token.end - token.begin);
    if (edit.what == Edit::erase) {
      if (!scan_.strays.empty() && scan_.strays.back().begin == region_begin_)
        return;  // one a declaration
      DiagnosticBuilder builder(Kind::StrayBracket, place,
                                format("this `{}` closes nothing", word));
      builder.help("take it away, or open the bracket that it should close");
      scan_.strays.push_back({region_begin_, region_end_, builder.take()});
      return;
    }
    reported_.push_back(token.begin);
    if (edit.wrong != 0) {
      const Token& other = scan_.tokens[edit.wrong];
      std::string_view found = text_.substr(other.begin, other.end - other.begin);
      problems_.add(DiagnosticBuilder(Kind::UnclosedBracket, {file_, other.begin, other.end},
                                      format("`{}` cannot close `{}`", found, word))
                        .label(place, "opened here"));
      return;
    }
    uint32_t end = edit.at > 0 ? scan_.tokens[edit.at - 1].end : 0;
    std::string_view closer = edit.type == RPAREN ? ")" : edit.type == RBRACK ? "]" : "}";
    DiagnosticBuilder builder(Kind::UnclosedBracket, place,
                              format("this `{}` is not closed", word));
    builder.help(format("a `{}` was expected here at the latest", closer), {file_, end, end},
                 std::string(closer));
    problems_.add(builder);
  }

  void apply() {
    if (edits_.empty()) return;
    std::vector<Token> mended;
    mended.reserve(scan_.tokens.size() + edits_.size());
    size_t next = 0;
    for (size_t i = 0; i <= scan_.tokens.size(); ++i) {
      size_t erased = 0;
      for (; next < edits_.size() && edits_[next].at == i; ++next) {
        const Edit& edit = edits_[next];
        uint32_t at = mended.empty() ? 0 : mended.back().end;
        if (edit.what == Edit::insert)
          mended.push_back({edit.type, at, at});
        else
          erased = edit.count;
      }
      if (erased > 0)
        i += erased - 1;
      else if (i < scan_.tokens.size())
        mended.push_back(scan_.tokens[i]);
    }
    scan_.tokens = std::move(mended);
    scan_.reported.insert(scan_.reported.end(), reported_.begin(), reported_.end());
    std::ranges::sort(scan_.reported);
  }

  FileId file_;
  std::string_view text_;
  Scan& scan_;
  Problems& problems_;
  std::vector<Edit> edits_;  // ascending by token
  std::vector<uint32_t> reported_;
  uint32_t region_begin_ = 0;
  uint32_t region_end_ = 0;
};

}  // namespace

void mend_brackets(FileId file, std::string_view text, Scan& scan, Problems& problems) {
  if (balanced(scan.tokens, 0, scan.tokens.size())) return;
  Mender(file, text, scan, problems).run();
}

}  // namespace dtp::syntax
