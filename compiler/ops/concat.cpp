#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"parts", Accepts::tensors}, {"axis", Accepts::integer, false, 0}};

// integers: axis.
Result build(Call& call) {
  const auto& parts = call.tensors(0);
  if (parts.empty()) return call.fail("`concat` of no tensors", 0, "at least one is needed");
  const Builder& builder = call.builder();
  Shape shape = builder[parts[0]].shape;
  auto axis = call.axis(1, shape.rank());
  if (auto* failure = std::get_if<Failure>(&axis)) return *failure;
  int at = std::get<int>(axis);
  for (size_t i = 1; i < parts.size(); ++i) {
    Shape next = builder[parts[i]].shape;
    bool fits = next.rank() == shape.rank();
    for (int d = 0; fits && d < shape.rank(); ++d)
      fits = d == at ? next[d].batch == shape[d].batch : next[d] == shape[d];
    if (!fits) {
      Failure failure = call.fail("shapes " + to_string(shape) + " and " + to_string(next) +
                                      " do not join along axis " + std::to_string(at),
                                  0, "all other sizes must be equal");
      call.explain(failure, parts[0]);
      call.explain(failure, parts[i]);
      return failure;
    }
    shape[at].value += next[at].value;
  }
  Attributes attributes;
  attributes.integers[0] = at;
  return call.emit(table::concat_operation, parts, attributes, {&shape, 1},
                   builder[parts[0]].element);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  std::vector<Value> parts;
  parts.reserve(node.inputs.count);
  for (uint32_t i = 0; i < node.inputs.count; ++i) parts.push_back(tape.take(graph.input(node, i)));
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  int axis = static_cast<int>(node.attributes.integers[0]);
  tape.give(graph.output_of(node, 0), eager::concat(tape, parts, shape, axis));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 0); }

}  // namespace

const Operation table::concat_operation{"concat",
                                        "concat([tensors], axis = 0)",
                                        "joins tensors along an axis",
                                        kFormals,
                                        build,
                                        run,
                                        cost,
                                        true,
                                        divide_other_axes};

}  // namespace dtp::ops
