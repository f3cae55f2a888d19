#include <algorithm>

#include "format/format.h"

namespace dtp::style {
namespace {

using namespace syntax;

class Comparison {
 public:
  Comparison(const Tree& a, const Tree& b) : a_(a), b_(b) {}

  bool equal(NodeId a, NodeId b) const {
    const Node& left = a_[a];
    const Node& right = b_[b];
    if (left.kind != right.kind || left.op != right.op || left.flags != right.flags ||
        left.child_count != right.child_count)
      return false;
    if (left.child_count == 0) return is_mark(left.kind) || a_.text(a) == b_.text(b);
    for (uint32_t i = 0; i < left.child_count; ++i)
      if (!equal(a_.child(a, i), b_.child(b, i))) return false;
    return true;
  }

  bool equal_comments() const {
    return std::ranges::equal(a_.trivia(), b_.trivia(), [&](const Trivia& x, const Trivia& y) {
      return x.kind == y.kind && words(a_, x) == words(b_, y);
    });
  }

 private:
  // Brackets with nothing inside, and absent parts, hold no words of their own.
  static bool is_mark(NodeKind kind) {
    switch (kind) {
      case NodeKind::Name:
      case NodeKind::Number:
      case NodeKind::Percent:
      case NodeKind::UnitName:
      case NodeKind::String:
      case NodeKind::StringText: return false;
      default: return true;
    }
  }

  static std::string_view words(const Tree& tree, const Trivia& trivia) {
    std::string_view text = tree.text().substr(trivia.begin, trivia.end - trivia.begin);
    size_t end = text.find_last_not_of(" \t\r\n");
    return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
  }

  const Tree& a_;
  const Tree& b_;
};

}  // namespace

bool same_meaning(const Tree& a, const Tree& b) {
  Comparison comparison(a, b);
  return comparison.equal(a.root(), b.root()) && comparison.equal_comments();
}

}  // namespace dtp::style
