// Makes the memory schedule of one micro-batch.
#pragma once
#include "step/pass_options.h"
#include "step/schedule.h"

namespace dtp::step {

// Walks a few iterations of every repeat; more where the middle ones turn out unlike.
Pass make_pass(const graph::Graph& graph, const PassOptions& options);

}  // namespace dtp::step
