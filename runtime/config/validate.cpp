#include "runtime/config/validate.h"

#include <cmath>

#include "runtime/config/check.h"
#include "runtime/ops/table.h"

namespace dtp::runtime {
namespace {

// More than any machine holds, and far from where 64 bits end.
constexpr int64_t kMostElements = int64_t{1} << 56;
constexpr int64_t kMostSteps = int64_t{1} << 48;

void check_elements(const Shape& shape, int64_t batch, const std::string& place) {
  int64_t all = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t size = shape[i].value;
    check(size >= 0, at_index(place, i), "a size is negative");
    if (shape[i].batch && __builtin_mul_overflow(size, batch, &size)) all = kMostElements;
    if (__builtin_mul_overflow(all, size, &all) || all >= kMostElements)
      throw ConfigError(place, "has more elements than can be");
  }
}

void check_tensors(const Graph& graph, int64_t batch) {
  for (size_t i = 0; i < graph.tensors.size(); ++i)
    check_elements(graph.tensors[i].shape, batch, at_index("graph.tensors", i) + ".shape");
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const Input& input = graph.inputs[i];
    std::string place = at_index("graph.inputs", i);
    check_index(input.tensor, graph.tensors.size(), place + ".tensor", "tensor");
    check(!input.name.empty() && input.name.find('/') == std::string::npos, place + ".name",
          "is the name of a column of data: not empty, without `/`");
    int batches = 0;
    for (const Dim& d : graph.tensors[input.tensor].shape) batches += d.batch;
    check(batches <= 1, at_index("graph.tensors", input.tensor) + ".shape",
          "an input has the batch in one size at most");
  }
  check_index(graph.output, graph.tensors.size(), "graph.output", "tensor");
  const Tensor& loss = graph.tensors[graph.output];
  check(loss.shape.empty() && loss.element == Element::real, "graph.output",
        "the loss is a real number: its shape is []");
}

void check_nodes(const Graph& graph, int64_t batch) {
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    std::string place = at_index("graph.nodes", i);
    check(ops::find(node.operation) != nullptr, place + ".operation",
          "`" + node.operation + "` is no operation");
    for (size_t k = 0; k < node.parameters.size(); ++k)
      check_index(node.parameters[k], graph.parameters.size(), at_index(place + ".parameters", k),
                  "parameter");
    check(node.integers.size() == 4, place + ".integers", "are four");
    check(node.reals.size() == 2, place + ".reals", "are two");
    check_elements(node.shape, batch, place + ".shape");
  }
}

void check_type(const std::string& type, const char* place) {
  check(type == "fp32" || type == "bf16" || type == "fp16", place,
        "`" + type + "` is none of fp32, bf16, fp16");
}

void check_training(const TrainingConfig& c) {
  auto between = [](int64_t value, int64_t low, int64_t high, const char* place) {
    check(value >= low && value <= high, place,
          std::to_string(value) + " is not between " + std::to_string(low) + " and " +
              std::to_string(high));
  };
  between(c.micro_batch, 1, int64_t{1} << 40, "micro_batch");
  between(c.accumulation, 1, int64_t{1} << 30, "accumulation");
  between(c.ranks, 1, 1 << 20, "ranks");
  between(c.bucket, 1, int64_t{1} << 50, "bucket");
  between(c.first_bucket, 1, int64_t{1} << 50, "first_bucket");
  between(c.steps, 0, kMostSteps, "steps");
  between(c.checkpoint_every, 0, kMostSteps, "checkpoint_every");
  between(c.checkpoint_keep, 1, 1 << 20, "checkpoint_keep");
  between(c.schedule.warmup, 0, kMostSteps, "schedule.warmup");
  between(c.schedule.decay, 0, kMostSteps, "schedule.decay");
  check_type(c.parameters, "parameters");
  check_type(c.frozen, "frozen");
  check_type(c.compute, "compute");
  check(!c.clip || *c.clip > 0, "clip", "the largest norm is above 0");
  check(!c.ema || (*c.ema >= 0 && *c.ema <= 1), "ema", "a decay lies between 0 and 1");
  const Optimizer& o = c.optimizer;
  for (double real : {o.lr, o.weight_decay, o.beta1, o.beta2, o.eps, o.momentum})
    check(std::isfinite(real), "optimizer", "has a number that is not finite");
  check(o.beta1 >= 0 && o.beta1 < 1, "optimizer.beta1", "lies in [0, 1)");
  check(o.beta2 >= 0 && o.beta2 < 1, "optimizer.beta2", "lies in [0, 1)");
  check(!o.nesterov || o.momentum > 0, "optimizer.nesterov", "needs momentum");
}

}  // namespace

void validate(const TrainingConfig& config) {
  const Graph& graph = config.graph;
  check_training(config);
  check_tensors(graph, config.micro_batch);
  validate_parameters(graph);
  check_nodes(graph, config.micro_batch);
  validate_regions(graph);
  validate_flow(graph);
  validate_predicted(config.predicted);
}

void validate_parameters(const Graph& graph) {
  check(!graph.scopes.empty(), "graph.scopes", "have no root");
  copies_by_scope(graph);
  for (size_t i = 0; i < graph.parameters.size(); ++i) {
    const Parameter& p = graph.parameters[i];
    std::string place = at_index("graph.parameters", i);
    check(!p.key.empty(), place + ".key", "is empty");
    check_index(p.scope, graph.scopes.size(), place + ".scope", "scope");
    Shape shape;
    for (int64_t size : p.shape) shape.push_back({size, false});
    check_elements(shape, 1, place + ".shape");
    check(std::isfinite(p.scale) && p.scale >= 0, place + ".scale", "is not negative");
    bool real = p.element == Element::real;
    check(real || !p.trainable, place + ".trainable", "what is not real cannot be trained");
    check(real || p.start == Start::zeros || p.start == Start::ones, place + ".start",
          "what is not real starts as zeros or ones");
    bool table = p.start == Start::cosines || p.start == Start::sines;
    check(!table || (p.shape.size() == 2 && p.shape[1] >= 2 && p.shape[1] % 2 == 0),
          place + ".shape", "of positions and an even width: a table of cosines or sines");
  }
}

std::vector<int64_t> copies_by_scope(const Graph& graph) {
  constexpr int64_t kMost = 1 << 20;
  std::vector<int64_t> copies;
  for (size_t i = 0; i < graph.scopes.size(); ++i) {
    const Scope& s = graph.scopes[i];
    std::string place = at_index("graph.scopes", i);
    if (i == 0) {
      check(s.parent == 0 && s.count == 1, place, "the root is its own parent, once");
      copies.push_back(1);
      continue;
    }
    check(s.parent < i, place + ".parent", "comes before what it holds");
    check(s.count >= 1 && s.count <= kMost / copies[s.parent], place + ".count",
          "with those around it is not between 1 and " + std::to_string(kMost));
    copies.push_back(copies[s.parent] * s.count);
  }
  return copies;
}

void validate_predicted(const Predicted& p) {
  for (size_t i = 0; i < p.events.size(); ++i)
    check_index(p.events[i].label, p.labels.size(), at_index("predicted.events", i) + ".label",
                "label");
  for (size_t i = 0; i < p.pieces.size(); ++i) {
    const Piece& piece = p.pieces[i];
    std::string place = at_index("predicted.pieces", i);
    check(piece.count >= 0, place + ".count", "is negative");
    check(piece.begin <= piece.end && piece.end <= p.events.size(), place,
          "is no run of the events");
    // What a piece is made of comes before it: no piece holds itself.
    check(piece.children == 0 || uint64_t{piece.first_child} + piece.children <= i,
          place + ".first_child", "the pieces in a piece come before it");
  }
  for (auto [s, place] : {std::pair{p.forward, "predicted.forward"},
                          {p.backward, "predicted.backward"},
                          {p.release, "predicted.release"}})
    check(uint64_t{s.first} + s.count <= p.pieces.size(), place, "is no run of the pieces");
}

}  // namespace dtp::runtime
