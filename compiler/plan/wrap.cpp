#include "plan/wrap.h"

#include <utility>

namespace dtp::plan {
namespace {

// The last word of a dotted path, and what stands before it.
std::pair<std::string_view, std::string_view> last_word(std::string_view path) {
  size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return {path, {}};
  return {path.substr(dot + 1), path.substr(0, dot)};
}

}  // namespace

bool wraps(std::string_view wrap, std::string_view path) {
  if (wrap == "auto") return true;
  while (!wrap.empty()) {
    auto [wanted, more] = last_word(wrap);
    auto [word, before] = last_word(path);
    if (word.empty() || (wanted != "*" && wanted != word)) return false;
    wrap = more;
    path = before;
  }
  return true;
}

graph::ScopeId gathered_with(const graph::Graph& graph, graph::ScopeId scope,
                             std::string_view wrap) {
  graph::ScopeId part{0};
  for (; scope.value != 0; scope = graph.scopes[scope.value].parent)
    if (wraps(wrap, graph.path(graph.scopes[scope.value].path))) part = scope;
  return part;
}

}  // namespace dtp::plan
