#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"length", Accepts::integer},
                               {"window", Accepts::integer, false, 0}};

// integers: window, 0 where there is none.
Result build(Call& call) {
  int64_t length = call.integer(0);
  if (length < 1)
    return call.fail("a mask of " + std::to_string(length) + " tokens", 0, "at least 1");
  if (call.given(1) && call.integer(1) < 1)
    return call.fail("a window of " + std::to_string(call.integer(1)) + " tokens", 1, "at least 1");
  if (length > graph::kMostElements / length)
    return call.too_large("a mask of this size is larger than any machine holds", "made here");
  Dim tokens{length, false};
  Attributes attributes;
  attributes.integers[0] = call.given(1) ? call.integer(1) : 0;
  return call.emit(table::causal_mask_operation, {}, attributes, Shape{{1, false}, tokens, tokens});
}

// A matrix of minus infinity above its diagonal, and with a window another that lies below it.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  Value mask = tape.allocate(shape, tape.real_type());
  if (node.attributes.integers[0] > 0) Value before = eager::like(tape, mask);
  tape.give(graph.output_of(node, 0), std::move(mask));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 1, 2); }

}  // namespace

const Operation table::causal_mask_operation{
    "causal_mask",
    "causal_mask(length, window = none)",
    "[1, length, length]: what is added to scores so that no token sees a later one, nor one that "
    "lies `window` tokens back or more",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops
