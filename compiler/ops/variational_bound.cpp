#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"mean"}, {"variance"}, {"z"}, {"t"}};

Result build(Call& call) {
  if (call.shape(0) != call.shape(1) || call.shape(0) != call.shape(2)) {
    Failure failure =
        call.fail("`variational_bound` of unlike shapes", "mean, variance and z have one shape");
    for (size_t i = 0; i < 3; ++i) call.explain(failure, call.tensor(i));
    return failure;
  }
  return call.emit(table::variational_bound_operation,
                   {call.tensor(0), call.tensor(1), call.tensor(2), call.tensor(3)}, {}, Shape());
}

// Follows gaussian_diffusion.py of improved diffusion: the log variance between two bounds, the
// divergence of two normals, and the likelihood of the first step, all over whole tensors in fp32.
// Read, not measured: small beside any network, since it works on latents.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value prediction = tape.take(graph.input(node, 0));
  Value variance = tape.take(graph.input(node, 1));
  Value z = tape.take(graph.input(node, 2));
  Value t = tape.take(graph.input(node, 3));
  if (eager::is_16_bit(variance.type())) variance = tape.cast(variance, DType::fp32, false);
  Shape shape = variance.shape();
  Value bounds = tape.allocate(shape, DType::fp32);
  Value between = eager::multiply(tape, eager::with_number(tape, variance, true), bounds);
  Value log_variance = eager::add(tape, between, between);
  between.reset();
  Value start = tape.allocate(shape, DType::fp32);
  Value true_log_variance = tape.allocate(shape, DType::fp32);
  Value ratio = eager::saves_result(tape, eager::with_number(tape, log_variance, true));
  Value distance =
      eager::multiply(tape, eager::saves_result(tape, eager::negate(tape, log_variance)), start);
  Value divergence = eager::add(tape, eager::add(tape, log_variance, ratio), distance);
  Value scale = eager::saves_result(tape, eager::with_number(tape, log_variance, true));
  Value upper = eager::saves_result(tape, eager::multiply(tape, scale, start));
  Value lower = eager::saves_result(tape, eager::multiply(tape, scale, true_log_variance));
  Value likelihood = eager::saves_input(tape, eager::subtract(tape, upper, lower));
  Value chosen = eager::add(tape, divergence, likelihood);
  tape.give(graph.output_of(node, 0), eager::mean(tape, chosen, Shape()));
}

Cost cost(const Graph& graph, const Node& node) {
  Cost cost;
  cost.work = Work::elementwise;
  cost.kernels = 60;
  graph::Monomial n = graph[graph.input(node, 0)].shape.elements();
  cost.flops.add(n, 80);
  cost.reads.add(n, 90);
  cost.writes.add(n, 60);
  return cost;
}

}  // namespace

const Operation table::variational_bound_operation{
    "variational_bound",
    "variational_bound(mean, variance, z, t)",
    "the term that trains a predicted variance (improved DDPM), as a scalar",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops
