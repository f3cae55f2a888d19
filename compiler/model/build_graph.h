// A model definition with its arguments -> Graph.
#pragma once
#include <optional>

#include "model/natives.h"

namespace dtp::model {

// What a plan's step computes: the objective, with the plan's model and frozen parts bound to its
// parameters by name and the columns of the data to its inputs. Nothing when a mistake was found:
// reported.
std::optional<graph::Graph> build_step_graph(eval::Evaluator& evaluator, Natives& natives,
                                             eval::Record* plan);

// The model alone, with inputs of the shapes that its forward declares. A size that only a call
// would fix (T of a text) is taken as 64: no weight depends on it. `open_sizes` tells which: "T",
// "H, W".
std::optional<graph::Graph> build_model_graph(eval::Evaluator& evaluator, Natives& natives,
                                              eval::Record* model, std::string& open_sizes);

}  // namespace dtp::model
