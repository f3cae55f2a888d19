// Whether a training config can be run at all: every index points somewhere, regions form a tree,
// each tensor is made before it is read. Throws ConfigError at the first fault. The config is data
// from outside; after this the executor trusts it.
#pragma once
#include "runtime/config/training_config.h"

namespace dtp::runtime {

void validate(const TrainingConfig& config);

// The parts of it.
void validate_parameters(const Graph& graph);  // scopes, shapes, starts
void validate_regions(const Graph& graph);     // a tree, not too deep
void validate_flow(const Graph& graph);        // made before read, let go once
void validate_predicted(const Predicted& predicted);

// Copies of the parameters of each scope.
std::vector<int64_t> copies_by_scope(const Graph& graph);

}  // namespace dtp::runtime
