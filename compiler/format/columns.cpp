#include "format/columns.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "format/spacing.h"

namespace dtp::style {
namespace {

using namespace syntax;
using enum TokenType;

// A comment is not pulled beyond this column by a long neighbour.
constexpr size_t kFarComment = 60;

struct Parts {
  std::string key;      // before `=`, where the line is one field that is set; else all of the line
  std::string rest;     // from `=` on
  std::string comment;  // at the end of the line
  NodeKind kind = NodeKind::Absent;  // Set, Let or Part, where it is one
  bool is_field() const { return kind != NodeKind::Absent; }
};

std::string joined(const std::vector<Piece>& pieces, size_t first, size_t last) {
  std::string text;
  for (size_t i = first; i < last; ++i) {
    if (i > first && space_between(pieces[i - 1], pieces[i])) text += ' ';
    text += pieces[i].words;
  }
  return text;
}

// Bytes of keys and code are mostly ASCII; in strings and comments they are not.
size_t width_of(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

class Columns {
 public:
  Columns(const Tree& tree, const std::vector<Piece>& pieces, const std::vector<Line>& lines)
      : pieces_(pieces), lines_(lines) {
    for (const Node& node : tree.nodes())
      if (node.kind == NodeKind::Set || node.kind == NodeKind::Let || node.kind == NodeKind::Part)
        fields_[node.begin] = {node.kind, node.end};
  }

  std::vector<std::string> run() {
    parts_.reserve(lines_.size());
    for (const Line& line : lines_) parts_.push_back(parts_of(line));
    each_run([&](size_t i) { return parts_[i].kind; },
             [&](size_t first, size_t last) { align_fields(first, last); });
    std::vector<std::string> texts;
    texts.reserve(parts_.size());
    for (Parts& parts : parts_) texts.push_back(parts.key + parts.rest);
    each_run([&](size_t i) { return parts_[i].comment.empty() ? 0 : 1; },
             [&](size_t first, size_t last) { align_comments(texts, first, last); });
    return texts;
  }

 private:
  Parts parts_of(const Line& line) const {
    Parts parts;
    size_t last = line.last;
    bool ends_in_comment = pieces_[last - 1].token.type == COMMENT;
    if (ends_in_comment && last - line.first > 1) parts.comment = pieces_[--last].words;
    size_t assign = assign_of(line, last, parts.kind);
    parts.key = joined(pieces_, line.first, assign);
    if (parts.is_field()) parts.rest = " " + joined(pieces_, assign, last);
    return parts;
  }

  // The `=` of a line that is one whole field; `last` where it is not.
  size_t assign_of(const Line& line, size_t last, NodeKind& kind) const {
    auto field = fields_.find(pieces_[line.first].token.begin);
    bool whole = field != fields_.end() && pieces_[line.first].starts_item &&
                 pieces_[last - 1].token.end == field->second.second;
    if (!whole) return last;
    for (size_t i = line.first; i < last; ++i) {
      if (pieces_[i].token.type != ASSIGN) continue;
      kind = field->second.first;
      return i;
    }
    return last;
  }

  // Neighbouring lines of one indentation and of one kind; a kind of zero is none.
  template <class KindOf, class Act>
  void each_run(KindOf kind_of, Act act) {
    using Kind = decltype(kind_of(0));
    for (size_t i = 0; i < lines_.size();) {
      size_t end = i + 1;
      if (kind_of(i) != Kind{}) {
        while (end < lines_.size() && kind_of(end) == kind_of(i) && !lines_[end].blank_before &&
               lines_[end].indent == lines_[i].indent)
          ++end;
        act(i, end);
      }
      i = end;
    }
  }

  void align_fields(size_t first, size_t last) {
    size_t widest = 0;
    for (size_t i = first; i < last; ++i) widest = std::max(widest, width_of(parts_[i].key));
    for (size_t i = first; i < last; ++i)
      parts_[i].key.append(widest - width_of(parts_[i].key), ' ');
  }

  void align_comments(std::vector<std::string>& texts, size_t first, size_t last) const {
    size_t widest = 0;
    for (size_t i = first; i < last; ++i)
      if (size_t width = width_of(texts[i]); width <= kFarComment) widest = std::max(widest, width);
    for (size_t i = first; i < last; ++i) {
      size_t width = width_of(texts[i]);
      texts[i].append(2 + (width < widest ? widest - width : 0), ' ');
      texts[i] += parts_[i].comment;
    }
  }

  const std::vector<Piece>& pieces_;
  const std::vector<Line>& lines_;
  std::unordered_map<uint32_t, std::pair<NodeKind, uint32_t>> fields_;  // begin -> kind, end
  std::vector<Parts> parts_;
};

}  // namespace

std::vector<std::string> rendered(const Tree& tree, const std::vector<Piece>& pieces,
                                  const std::vector<Line>& lines) {
  return Columns(tree, pieces, lines).run();
}

}  // namespace dtp::style
