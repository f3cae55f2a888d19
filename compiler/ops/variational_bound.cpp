#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"mean"}, {"variance"}, {"noise"}, {"t"}};

Result build(Call& call) {
  if (call.shape(0) != call.shape(1) || call.shape(0) != call.shape(2)) {
    Failure failure = call.fail("`variational_bound` of unlike shapes",
                                "mean, variance and noise have one shape");
    for (size_t i = 0; i < 3; ++i) call.explain(failure, call.tensor(i));
    return failure;
  }
  return call.emit(table::variational_bound_operation,
                   {call.tensor(0), call.tensor(1), call.tensor(2), call.tensor(3)}, {}, Shape());
}

// A number for each sample, to be spread over the others.
Value each(Tape& tape, const Shape& shape, DType type) {
  Shape one_each = shape;
  for (int i = 1; i < shape.rank(); ++i) one_each[i] = {1, false};
  return tape.allocate(one_each, type);
}

// Of two normals: (log v - log u - 1 + (u + apart^2) / v) / 2, where v is predicted and u is true.
Value divergence_of(Tape& tape, const Value& log_variance, const Value& apart) {
  Value true_log_variance = each(tape, apart.shape(), DType::fp32);
  Value spread = eager::square(tape, apart);
  spread = eager::add(tape, spread, eager::saves_result(tape, true_log_variance));
  Value precision = eager::negate(tape, log_variance);
  precision = eager::saves_result(tape, precision);
  Value excess = eager::multiply(tape, precision, spread);
  precision.reset();
  spread.reset();
  Value growth = eager::subtract(tape, log_variance, true_log_variance);
  Value sum = eager::add(tape, excess, growth);
  excess.reset();
  growth.reset();
  sum = eager::with_number(tape, sum, false);
  return eager::with_number(tape, sum, true);
}

// Minus the logarithm of what the normal weighs between `apart` and a little more or less.
Value surprise_of(Tape& tape, const Value& log_variance, const Value& apart) {
  Value scale = eager::with_number(tape, log_variance, true);
  scale = eager::saves_result(tape, scale);
  scale = eager::with_number(tape, scale, true);
  Value ends[2];
  for (Value& end : ends) {
    end = eager::multiply(tape, scale, eager::with_number(tape, apart, false));
    end = eager::error_function(tape, end);
  }
  scale.reset();
  Value weight = eager::subtract(tape, ends[0], ends[1]);
  for (Value& end : ends) end.reset();
  weight = eager::with_number(tape, weight, true);
  weight = eager::clamp(tape, weight, 1);
  weight = eager::saves_input(tape, weight);
  return eager::negate(tape, weight);
}

// As gaussian_diffusion.py of improved diffusion, with both means told by their noises: the log
// variance between two bounds, the divergence of two normals, and of the first step the likelihood,
// all over whole tensors in fp32.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value predicted = tape.take(graph.input(node, 0));
  Value variance = tape.take(graph.input(node, 1));
  Value noise = tape.take(graph.input(node, 2));
  Value t = tape.take(graph.input(node, 3));
  if (eager::is_16_bit(variance.type())) variance = tape.cast(variance, DType::fp32, false);
  const Shape shape = predicted.shape();
  Value log_variance = eager::multiply(tape, variance, each(tape, shape, DType::fp32));
  variance.reset();
  log_variance = eager::add(tape, log_variance, each(tape, shape, DType::fp32));
  Value apart = eager::subtract(tape, predicted, noise);
  apart = eager::multiply(tape, apart, each(tape, shape, DType::fp32));
  Value divergence = divergence_of(tape, log_variance, apart);
  Value surprise = surprise_of(tape, log_variance, apart);
  log_variance.reset();
  apart.reset();
  Value first = each(tape, shape, DType::boolean);
  Value bits = eager::where(tape, first, surprise, divergence);
  surprise.reset();
  divergence.reset();
  bits = eager::mean(tape, bits, Shape());
  tape.give(graph.output_of(node, 0), eager::with_number(tape, bits, true));
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
    "variational_bound(mean, variance, noise, t)",
    "the term that trains a predicted variance (improved DDPM), as a scalar; `mean` is the noise "
    "that was predicted, `noise` the one that was added",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops
