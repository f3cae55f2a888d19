// A model's graph as a plan's `parts` and `adapters` change it: what is trained, how weights lie in
// memory, and the products that adapters add.
#pragma once
#include "graph/adaptation.h"

namespace dtp::model {

// A target or a pattern that names nothing changes nothing; who reads the plan tells it.
void adapt(graph::Graph& graph, const graph::Adaptation& adaptation);

}  // namespace dtp::model
