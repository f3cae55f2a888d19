#include "syntax/parse.h"

#include <algorithm>
#include <utility>

#include "base/out.h"
#include "syntax/brackets.h"
#include "syntax/check_text.h"
#include "syntax/digit_groups.h"
#include "syntax/floor_division.h"
#include "syntax/layout.h"
#include "syntax/messages.h"
#include "syntax/nested_block.h"
#include "syntax/recovery.h"
#include "syntax/scan.h"
#include "syntax/tree_builder.h"

namespace dtp::syntax {
namespace {

using enum TokenType;

// A generated file gone wrong would otherwise be parsed again as often as it has lines.
constexpr int kMostErrorsADeclaration = 20;
constexpr int kMostTriesADeclaration = 100;

class FileParser final : public HoleParser {
 public:
  FileParser(FileId file, std::string_view text)
      : file_(file), text_(text), lexer_(text), store_(text.size()) {}

  Tree run(DiagnosticSink& sink) {
    size_t mark = store_.mark();
    parse_all();
    auto end = static_cast<uint32_t>(text_.size());
    for (NodeId id : declarations_) store_.push(id);
    NodeId root = store_.close(NodeKind::File, 0, end, mark);
    bool failed = problems_.any() || builder_.has_errors();
    problems_.hand_on(sink);
    return Tree(file_, text_, std::move(store_.nodes()), std::move(store_.children()),
                std::move(scan_.trivia), root, failed);
  }

  Tree run_expression(uint32_t begin, DiagnosticSink& sink) {
    size_t mark = store_.mark();
    parse_one_expression(begin);
    NodeId root = store_.close(NodeKind::File, begin, static_cast<uint32_t>(text_.size()), mark);
    bool failed = problems_.any() || builder_.has_errors();
    problems_.hand_on(sink);
    return Tree(file_, text_, std::move(store_.nodes()), std::move(store_.children()),
                std::move(scan_.trivia), root, failed);
  }

  NodeId parse_hole(TreeBuilder& builder, uint32_t begin, uint32_t end) override;

 private:
  void parse_all();
  void parse_one_expression(uint32_t begin);
  void too_deep(const LayoutResult& layout);
  bool declaration(std::span<const Token> tokens, std::span<const Token> after);
  void recover(std::span<const Token> original);
  bool report(const std::vector<Token>& tokens, Segment piece);
  bool mend(std::vector<Token>& tokens);
  bool lacks_brace(std::span<const Token> tokens) const;
  bool follows_stray(uint32_t place);
  bool continues_what_was_told(uint32_t place);

  FileId file_;
  std::string_view text_;
  Problems problems_;
  GrammarLexer lexer_;
  GrammarParser parser_;
  TreeStore store_;
  TreeBuilder builder_{file_, text_, store_, *this, problems_};
  Scan scan_;
  std::vector<Event> events_;
  ParseFailure failure_;
  std::vector<NodeId> declarations_;
  bool headless_ = false;  // after the head of a declaration that lacks its brace
};

void FileParser::parse_all() {
  if (!check_text(file_, text_, problems_)) return;
  scan_ = scan(file_, text_, 0, static_cast<uint32_t>(text_.size()), lexer_, problems_);
  tell_floor_divisions(file_, text_, lexer_, scan_, problems_);
  mend_brackets(file_, text_, scan_, problems_);
  LayoutResult layout = apply_layout(text_, LayoutOf::file, scan_.tokens);
  if (layout.depth != Depth::fine) return too_deep(layout);
  std::span<const Token> tokens = scan_.tokens;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= tokens.size(); ++i) {
    if (i < tokens.size()) {
      if (is_opener(tokens[i].type)) ++depth;
      if (is_closer(tokens[i].type)) --depth;
      if (tokens[i].type != NL || depth > 0) continue;
    }
    if (i > begin && !declaration(tokens.subspan(begin, i - begin), tokens.subspan(i))) continue;
    begin = i + 1;
  }
  for (Stray& stray : scan_.strays)
    if (!stray.told) problems_.add(std::move(stray.diagnostic));
}

void FileParser::parse_one_expression(uint32_t begin) {
  if (!check_text(file_, text_, problems_)) return;
  auto end = static_cast<uint32_t>(text_.size());
  scan_ = scan(file_, text_, begin, end, lexer_, problems_);
  mend_brackets(file_, text_, scan_, problems_);
  for (Stray& stray : scan_.strays) problems_.add(std::move(stray.diagnostic));
  LayoutResult layout = apply_layout(text_, LayoutOf::hole, scan_.tokens);
  if (layout.depth != Depth::fine) return too_deep(layout);
  if (problems_.any()) return;
  if (scan_.tokens.empty()) {
    Span sign{file_, begin == 0 ? 0 : begin - 1, begin};
    problems_.add(DiagnosticBuilder(Kind::SyntaxError, sign, "a value is expected here"));
    return;
  }
  bool good = parser_.parse(Entry::hole, scan_.tokens, events_, failure_);
  // The grammar's entry takes a unit after a colon, as strings do; a setting has none.
  for (size_t i = 0; good && i + 1 < scan_.tokens.size(); ++i) {
    bool last_two = i + 2 == scan_.tokens.size();
    if (!last_two || scan_.tokens[i].type != COLON || scan_.tokens[i + 1].type != UNIT) continue;
    failure_ = {static_cast<uint32_t>(i), Rule::OneHole, {}};
    good = false;
  }
  if (good) {
    store_.push(store_.child(builder_.hole({events_, scan_.tokens}, begin, end), 0));
    return;
  }
  // No brace closes it.
  if (failure_.rule == Rule::OneHole) {
    failure_.rule = Rule::OneDeclaration;
    failure_.expected.reset();
    failure_.expected.set(static_cast<uint32_t>(END));
  }
  problems_.add(explain({file_, text_, scan_.tokens, failure_, {0, scan_.tokens.size()}}));
}

void FileParser::too_deep(const LayoutResult& layout) {
  Span place{file_, layout.where.begin, layout.where.end};
  bool brackets = layout.depth == Depth::brackets;
  std::string what =
      brackets ? format("more than {} brackets are open here", kMostOpenBrackets)
               : format("more than {} operators are nested in one expression here", kMostLinks);
  problems_.forget();  // whatever the brackets looked like, this is the cause
  problems_.add(
      DiagnosticBuilder(Kind::TooDeep, place, std::move(what)).note("the file was not read"));
}

// False where the declaration lacks its braces, and they stand below: they are its own.
bool FileParser::declaration(std::span<const Token> tokens, std::span<const Token> after) {
  // The lines of a body whose brace is missing: its head has its message.
  uint32_t begin = tokens.front().begin;
  headless_ = headless_ && begin > 0 && text_[begin - 1] != '\n';
  if (headless_) return true;
  if (parser_.parse(Entry::declaration, tokens, events_, failure_)) {
    declarations_.push_back(builder_.declaration({events_, tokens}));
    return true;
  }
  bool ended = failure_.token >= tokens.size() && failure_.expects(LBRACE);
  if (ended && after.size() > 1 && after[1].type == LBRACE) return false;
  headless_ = lacks_brace(tokens);
  recover(tokens);
  return true;
}

// `plan p:` or `plan p` alone on its line.
bool FileParser::lacks_brace(std::span<const Token> tokens) const {
  size_t at = failure_.token;
  if (!failure_.expects(LBRACE)) return false;
  if (at == tokens.size()) return true;
  uint32_t end = at + 1 < tokens.size() ? tokens[at + 1].begin : tokens[at].end;
  std::string_view behind = text_.substr(tokens[at].end, end - tokens[at].end);
  return tokens[at].type == COLON &&
         (at + 1 == tokens.size() || behind.find('\n') != std::string_view::npos);
}

void FileParser::recover(std::span<const Token> original) {
  std::vector<Token> tokens(original.begin(), original.end());
  int reports = 0;
  int tries = problems_.full() ? kMostTriesADeclaration : 0;
  do {
    std::vector<Segment> pieces = segments_around(tokens, failure_.token);
    size_t i = 0;
    while (i + 1 < pieces.size() && is_skipped(tokens, pieces[i])) ++i;
    Segment piece = pieces[i];
    if (report(tokens, piece)) ++reports;
    if (mend(tokens)) continue;
    if (++tries >= kMostTriesADeclaration || problems_.full() || reports >= kMostErrorsADeclaration)
      piece = {0, tokens.size()};
    skip(tokens, piece);
  } while (!parser_.parse(Entry::declaration, tokens, events_, failure_));
  declarations_.push_back(builder_.declaration({events_, tokens}));
}

// Some mistakes leave no doubt about what was meant: nothing needs to be given up.
bool FileParser::mend(std::vector<Token>& tokens) {
  DigitGroups groups = digit_groups(tokens, failure_.token, text_);
  if (groups.thousands) {
    tokens[groups.first].end = tokens[groups.last].end;
    auto first = tokens.begin() + static_cast<ptrdiff_t>(groups.first);
    tokens.erase(first + 1, first + 1 + static_cast<ptrdiff_t>(groups.last - groups.first));
    return true;
  }
  if (failure_.token >= tokens.size()) return false;
  if (auto block = nested_block(text_, tokens, failure_.token)) {
    give_up(*block, tokens);
    return true;
  }
  Token& token = tokens[failure_.token];
  const bool brace_below = token.type == NL && failure_.expects(LBRACE) &&
                           failure_.token + 1 < tokens.size() &&
                           tokens[failure_.token + 1].type == LBRACE;
  const bool ends_all = token.type == SEMICOLON && failure_.rule == Rule::OneDeclaration;
  if (token.type == EQUAL && failure_.expects(ASSIGN)) {
    token.type = ASSIGN;
  } else if (brace_below || ends_all) {
    tokens.erase(tokens.begin() + failure_.token);
  } else if (token.type == SEMICOLON) {
    token.type = NL;
  } else {
    return false;
  }
  return true;
}

// Nothing is said about a piece or a line in which something was reported already.
bool FileParser::report(const std::vector<Token>& tokens, Segment piece) {
  if (problems_.full()) return false;
  for (size_t i = piece.begin; i < piece.end; ++i)
    if (tokens[i].type == SKIPPED) return false;
  Diagnostic diagnostic = explain({file_, text_, tokens, failure_, piece}).take();
  uint32_t place = diagnostic.span().begin;
  uint32_t begin = std::min(place, piece.begin < piece.end ? tokens[piece.begin].begin : place);
  uint32_t end = std::max(place, piece.begin < piece.end ? tokens[piece.end - 1].end : place);
  auto line_start = text_.rfind('\n', place == 0 ? 0 : place - 1);
  begin = std::min<uint32_t>(
      begin, line_start == std::string_view::npos ? 0 : static_cast<uint32_t>(line_start));
  end = std::max<uint32_t>(end,
                           static_cast<uint32_t>(std::min(text_.find('\n', place), text_.size())));
  auto known = std::ranges::lower_bound(scan_.reported, begin);
  if (known != scan_.reported.end() && *known < end) return false;
  if (follows_stray(place)) return false;
  scan_.reported.insert(known, place);
  if (continues_what_was_told(place)) return false;
  problems_.add(std::move(diagnostic));
  return true;
}

// An indented line at the top of a file belongs to the line before it, and that has its message.
bool FileParser::continues_what_was_told(uint32_t place) {
  if (failure_.rule != Rule::Declaration || failure_.token != 0) return false;
  auto begin = static_cast<uint32_t>(text_.rfind('\n', place) + 1);
  if (begin == place || begin < 2) return false;
  auto before = static_cast<uint32_t>(text_.rfind('\n', begin - 2) + 1);
  auto told = std::ranges::lower_bound(scan_.reported, before);
  return told != scan_.reported.end() && *told < begin;
}

// In a declaration with a closing bracket too many, one thing is said: what did not parse before
// it, else the bracket.
bool FileParser::follows_stray(uint32_t place) {
  for (Stray& stray : scan_.strays) {
    if (place < stray.begin || place >= stray.end) continue;
    if (stray.told) return true;
    stray.told = true;
    if (place < stray.diagnostic.span().begin) return false;
    problems_.add(stray.diagnostic);
    return true;
  }
  return false;
}

NodeId FileParser::parse_hole(TreeBuilder& builder, uint32_t begin, uint32_t end) {
  auto bad = [&](Span place, std::string headline, std::string advice = {}) {
    DiagnosticBuilder message(Kind::BadInterpolation, place, std::move(headline));
    if (!advice.empty()) message.help(std::move(advice));
    problems_.add(std::move(message));
    return kNoNode;
  };
  constexpr const char* kBrace = "a brace as such is written `\\{`";
  Span whole{file_, begin - 1, end + 1};
  std::string_view inside = text_.substr(begin, end - begin);
  if (inside.find_first_not_of(" \t") == std::string_view::npos)
    return bad(whole, "nothing stands between these braces", kBrace);
  if (inside.starts_with('{'))
    return bad({file_, begin, begin + 1}, "a second `{` does not make a brace of the first",
               kBrace);
  // Python's {x!r}
  if (size_t n = inside.size(); n > 2 && inside[n - 2] == '!')
    return bad({file_, end - 2, end},
               format("a value in a string has no `{}`", inside.substr(n - 2)),
               "after the value may stand its unit, as in `{memory.peak:GiB}`");
  if (inside.find('"') != std::string_view::npos)
    return bad(whole, "no string can stand inside the braces of a string");
  size_t before = problems_.count();
  Scan hole = scan(file_, text_, begin, end, lexer_, problems_);
  if (problems_.count() != before) return kNoNode;
  LayoutResult layout = apply_layout(text_, LayoutOf::hole, hole.tokens);
  if (layout.depth != Depth::fine) return too_deep(layout), kNoNode;
  std::vector<Event> events;
  if (!parser_.parse(Entry::hole, hole.tokens, events, failure_)) {
    DiagnosticBuilder builder_of =
        explain({file_, text_, hole.tokens, failure_, {0, hole.tokens.size()}});
    Diagnostic diagnostic = builder_of.take();
    diagnostic.kind = Kind::BadInterpolation;
    problems_.add(std::move(diagnostic));
    return kNoNode;
  }
  return builder.hole({events, hole.tokens}, begin - 1, end + 1);
}

}  // namespace

Tree parse(FileId file, std::string_view text, DiagnosticSink& sink) {
  return FileParser(file, text).run(sink);
}

Tree parse_expression(FileId file, std::string_view text, uint32_t begin, DiagnosticSink& sink) {
  return FileParser(file, text).run_expression(begin, sink);
}

}  // namespace dtp::syntax
