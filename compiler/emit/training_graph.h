// The graph of a plan as a trainer runs it: the same operations, and of each tensor the operation
// that reads it last.
#pragma once
#include "graph/graph.h"
#include "runtime/config/training_config.h"

namespace dtp::emit {

// `calls_keep_arguments`: how deep a call's arguments live until it returns (ops/mechanisms.h).
runtime::Graph training_graph(const graph::Graph& graph, int calls_keep_arguments);

}  // namespace dtp::emit
