#include "plan/wrap.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace dtp::plan {
namespace {

// The last word of a dotted path, and what stands before it.
std::pair<std::string_view, std::string_view> last_word(std::string_view path) {
  size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return {path, {}};
  return {path.substr(dot + 1), path.substr(0, dot)};
}

// Whether `path` is the part `outer` or lies in it.
bool lies_in(std::string_view path, std::string_view outer) {
  return outer.empty() ||
         (path.starts_with(outer) && (path.size() == outer.size() || path[outer.size()] == '.'));
}

class Wrapper {
 public:
  Wrapper(const graph::Graph& graph, const std::vector<std::string>& wrap)
      : graph_(graph), wrap_(wrap), units_{{Unit{}}, {}, {}} {}

  Units units() {
    find();
    nest();
    units_.path.reserve(graph_.paths.size());
    for (const std::string& path : graph_.paths) units_.path.push_back(around(path));
    belong();
    return std::move(units_);
  }

 private:
  // "auto": each iteration of the outermost repeats.
  graph::ScopeId outermost(graph::ScopeId scope) const {
    graph::ScopeId part{0};
    for (; scope.value != 0; scope = graph_.scopes[scope.value].parent) part = scope;
    return part;
  }

  // Every part that a pattern names and that has a parameter.
  void find() {
    bool of_repeats = std::ranges::find(wrap_, "auto") != wrap_.end();
    for (const graph::Parameter& p : graph_.parameters) {
      if (!is_gathered(p)) continue;
      graph::ScopeId repeat = of_repeats ? outermost(p.scope) : graph::ScopeId{0};
      if (repeat.value != 0) add(graph_.path(graph_.scopes[repeat.value].path), repeat);
      if (wrap_.size() == size_t{of_repeats}) continue;
      for (std::string_view part = last_word(p.key).second; !part.empty();
           part = last_word(part).second)
        if (std::ranges::any_of(wrap_, [&](const auto& w) { return names_part(w, part); }))
          add(part, scope_of(part, p.scope));
    }
  }

  void add(std::string_view path, graph::ScopeId scope) {
    if (std::ranges::any_of(units_.list, [&](const Unit& u) { return u.path == path; })) return;
    units_.list.push_back({std::string(path), scope, graph_.scopes[scope.value].count, 0});
  }

  // The innermost iteration around a part, one of those around its parameter.
  graph::ScopeId scope_of(std::string_view part, graph::ScopeId scope) const {
    while (scope.value != 0 && !lies_in(part, graph_.path(graph_.scopes[scope.value].path)))
      scope = graph_.scopes[scope.value].parent;
    return scope;
  }

  void nest() {
    std::ranges::stable_sort(units_.list, {}, [](const Unit& u) { return u.path.size(); });
    for (size_t i = 1; i < units_.list.size(); ++i)
      for (size_t outer = 1; outer < i; ++outer)
        if (lies_in(units_.list[i].path, units_.list[outer].path))
          units_.list[i].parent = static_cast<uint32_t>(outer);
  }

  uint32_t around(std::string_view path) const {
    for (size_t i = units_.list.size(); i-- > 1;)
      if (lies_in(path, units_.list[i].path)) return static_cast<uint32_t>(i);
    return 0;
  }

  uint32_t around_both(uint32_t a, uint32_t b) const {
    while (a != b) (a > b ? a : b) = units_.list[std::max(a, b)].parent;
    return a;
  }

  void belong() {
    for (const graph::Parameter& p : graph_.parameters)
      units_.parameter.push_back(is_gathered(p) ? around(p.key) : 0);
    if (units_.list.size() == 1) return;
    std::vector<const ops::Operation*> first_use(graph_.parameters.size());
    for (const graph::Node& node : graph_.nodes)
      for (uint32_t id : graph_.list(node.parameters)) {
        uint32_t& unit = units_.parameter[id];
        if (unit == 0) continue;
        unit = around_both(unit, units_.path[node.path.value]);
        if (!first_use[id]) first_use[id] = node.operation;
        if (first_use[id] != node.operation) unit = around_both(unit, of_a_pair(id));
      }
  }

  // A table that looks up rows and one that is multiplied by are two parts with one parameter: the
  // second is a neighbour of the first, by whose name both are called.
  uint32_t of_a_pair(uint32_t parameter) const {
    return around(last_word(last_word(graph_.parameters[parameter].key).second).second);
  }

  const graph::Graph& graph_;
  const std::vector<std::string>& wrap_;
  Units units_;
};

}  // namespace

bool names_part(std::string_view pattern, std::string_view path) {
  while (!pattern.empty()) {
    auto [wanted, more] = last_word(pattern);
    auto [word, before] = last_word(path);
    if (word.empty() || (wanted != "*" && wanted != word)) return false;
    pattern = more;
    path = before;
  }
  return true;
}

std::vector<std::string_view> parts_of(const graph::Graph& graph) {
  std::vector<std::string_view> parts;
  std::unordered_set<std::string_view> seen;
  for (const graph::Parameter& p : graph.parameters) {
    if (!is_gathered(p)) continue;
    size_t first = parts.size();
    for (std::string_view part = last_word(p.key).second; !part.empty() && seen.insert(part).second;
         part = last_word(part).second)
      parts.push_back(part);
    std::reverse(parts.begin() + static_cast<ptrdiff_t>(first), parts.end());
  }
  return parts;
}

Units units_of(const graph::Graph& graph, const std::vector<std::string>& wrap) {
  return Wrapper(graph, wrap).units();
}

}  // namespace dtp::plan
