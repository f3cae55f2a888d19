// Which parts of a model are gathered one by one, and in which type.
#pragma once
#include <string_view>

#include "graph/graph.h"
#include "plan/settings.h"

namespace dtp::plan {

// Whether the parts at `path` ("model.layers.{i}") are those that `wrap` names: "auto" names every
// repeated part, "layers.*" those whose last words are these; * stands for any word.
bool wraps(std::string_view wrap, std::string_view path);

// The outermost part that a parameter of `scope` is gathered with; the root where there is none.
graph::ScopeId gathered_with(const graph::Graph& graph, graph::ScopeId scope,
                             std::string_view wrap);

// The type in which parameters are gathered, and in which the passes see them.
inline DType gathered_type(const Precision& p) { return p.cast_parts ? p.compute : p.parameters; }

}  // namespace dtp::plan
