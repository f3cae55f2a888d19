// Strings: the text between quotes, cut at its holes.
#include <algorithm>

#include "base/out.h"
#include "syntax/tree_builder.h"

namespace dtp::syntax {

NodeId TreeBuilder::string() { return string_of(reader_.take()); }

NodeId TreeBuilder::string_of(const Token& token) {
  size_t mark = store_.mark();
  bool raw = token.type == TokenType::RAW_STRING;
  uint32_t quotes = raw ? 3 : 1;
  uint32_t begin = token.begin + quotes;
  // A string that the line's end closed has been reported, and has no closing quotes.
  bool closed = token.end >= begin + quotes && text_[token.end - 1] == text_[token.begin];
  uint32_t end = closed ? token.end - quotes : token.end;
  if (raw) {
    if (begin < end) store_.push(store_.leaf(NodeKind::StringText, begin, end));
  } else {
    string_parts(begin, end);
  }
  NodeId result = store_.close(NodeKind::String, token.begin, token.end, mark);
  return raw ? with_flag(result, kRaw) : result;
}

void TreeBuilder::string_parts(uint32_t begin, uint32_t end) {
  uint32_t text = begin;
  uint32_t at = begin;
  auto flush = [&] {
    if (text < at) store_.push(store_.leaf(NodeKind::StringText, text, at));
  };
  while (at < end) {
    char c = text_[at];
    if (c == '\\') {
      check_escape(at, end);
      at += 2;
    } else if (c == '{') {
      flush();
      at = string_hole(at, end);
      text = at;
    } else {
      ++at;
    }
  }
  at = end;
  flush();
}

void TreeBuilder::check_escape(uint32_t at, uint32_t end) {
  char c = at + 1 < end ? text_[at + 1] : ' ';
  if (std::string_view("nt\"\\{}").find(c) != std::string_view::npos) return;
  uint32_t after = std::min(at + 2, end);
  while (after < end && (text_[after] & 0xC0) == 0x80)
    ++after;  // the rest of a character of several bytes
  fail(DiagnosticBuilder(Kind::BadEscape, {file_, at, after},
                         format("a string has no escape `{}`", slice(at, after)))
           .note("the escapes are \\n \\t \\\" \\\\ \\{ \\}")
           .help("a backslash itself is written `\\\\`; in \"\"\"raw text\"\"\" it stands for "
                 "itself"));
}

// The node of a hole is pushed; returns where the text goes on.
uint32_t TreeBuilder::string_hole(uint32_t open, uint32_t end) {
  uint32_t depth = 0;
  uint32_t close = open;
  for (; close < end; ++close) {
    if (text_[close] == '{') ++depth;
    if (text_[close] == '}' && --depth == 0) break;
  }
  NodeId inner = kNoNode;
  if (close == end) {
    fail(DiagnosticBuilder(Kind::BadInterpolation, {file_, open, open + 1},
                           "this `{` of the string is not closed")
             .help("a brace as such is written `\\{`", {file_, open, open + 1}, "\\{"));
  } else {
    inner = holes_.parse_hole(*this, open + 1, close);
  }
  uint32_t after = close == end ? end : close + 1;
  if (inner == kNoNode) {
    has_errors_ = true;
    inner = store_.leaf(NodeKind::Error, open, after);
  }
  store_.push(inner);
  return after;
}

NodeId TreeBuilder::hole(EventReader reader, uint32_t begin, uint32_t end) {
  EventReader outer = reader_;
  reader_ = reader;
  reader_.enter(Rule::OneHole);
  NodeId what = expr();
  NodeId unit = kNoNode;
  if (reader_.take_if(TokenType::COLON)) unit = leaf(NodeKind::UnitName, reader_.take());
  reader_ = outer;
  return store_.add(NodeKind::Interpolation, begin, end, {what, unit});
}

}  // namespace dtp::syntax
