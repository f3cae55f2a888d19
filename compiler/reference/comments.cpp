#include "reference/comments.h"

#include <algorithm>
#include <vector>

namespace dtp::reference {
namespace {

using syntax::NodeId;
using syntax::NodeKind;
using syntax::Tree;
using syntax::Trivia;
using syntax::TriviaKind;

// Without the signs that make it a comment.
std::string inside(const Tree& tree, const Trivia& t) {
  uint32_t signs = t.kind == TriviaKind::doc_comment ? 3 : 2;
  std::string_view text = tree.text().substr(t.begin + signs, t.end - t.begin - signs);
  if (t.kind == TriviaKind::block_comment && text.ends_with("*/")) text.remove_suffix(2);
  return one_line(text);
}

// How many lines end between two bytes; -1 where there is more than space.
int lines_between(const Tree& tree, uint32_t begin, uint32_t end) {
  std::string_view between = tree.text().substr(begin, end - begin);
  if (between.find_first_not_of(" \t\r\n") != std::string_view::npos) return -1;
  return static_cast<int>(std::count(between.begin(), between.end(), '\n'));
}

// Lines of one paragraph are joined, an empty line starts the next.
void append_line(std::string& text, const std::string& line) {
  if (line.empty()) {
    if (!text.empty() && text.back() != '\n') text += '\n';
  } else {
    if (!text.empty() && text.back() != '\n') text += ' ';
    text += line;
  }
}

// The comment that starts below byte `at`, unless it is that of the declaration below it.
std::string comment_from(const Tree& tree, uint32_t at, uint32_t first_declaration) {
  std::string text;
  bool belongs_below = false;
  int most = 2;  // before its first line an empty one may stand
  for (const Trivia& t : tree.trivia()) {
    if (t.begin < at) continue;
    int lines = t.begin > first_declaration ? -1 : lines_between(tree, at, t.begin);
    if (lines < 0 || lines > most) break;
    most = 1;
    append_line(text, inside(tree, t));
    at = t.end;
    belongs_below =
        t.kind == TriviaKind::doc_comment && lines_between(tree, at, first_declaration) == 1;
  }
  return belongs_below ? std::string() : text;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string out;
  for (char c : text) {
    bool space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!space || (!out.empty() && out.back() != ' ')) out += space ? ' ' : c;
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

std::string comment_above(const Tree& tree, uint32_t begin) {
  std::span<const Trivia> trivia = tree.trivia();
  auto above = std::lower_bound(trivia.begin(), trivia.end(), begin,
                                [](const Trivia& t, uint32_t at) { return t.begin < at; });
  auto first = above;
  for (uint32_t at = begin; first != trivia.begin(); --first) {
    const Trivia& t = *std::prev(first);
    int lines = lines_between(tree, t.end, at);
    if (t.kind != TriviaKind::doc_comment || lines < 0 || lines > 1) break;
    at = t.begin;
  }
  std::string text;
  for (; first != above; ++first) append_line(text, inside(tree, *first));
  return text;
}

std::string comment_behind(const Tree& tree, uint32_t end) {
  for (const Trivia& t : tree.trivia()) {
    if (t.begin < end) continue;
    std::string_view between = tree.text().substr(end, t.begin - end);
    bool behind = between.find_first_not_of(" ,") == std::string_view::npos;
    return behind ? inside(tree, t) : std::string();
  }
  return {};
}

std::string comment_of_file(const Tree& tree) {
  std::vector<uint32_t> tops{0};  // where the comment may start: at the top, below the imports
  uint32_t first_declaration = static_cast<uint32_t>(tree.text().size());
  for (NodeId id : tree.children(tree.root())) {
    if (tree.kind(id) != NodeKind::Version && tree.kind(id) != NodeKind::Import) {
      first_declaration = tree[id].begin;
      break;
    }
    tops.push_back(tree[id].end);
  }
  for (uint32_t top : tops)
    if (std::string text = comment_from(tree, top, first_declaration); !text.empty()) return text;
  return {};
}

}  // namespace dtp::reference
