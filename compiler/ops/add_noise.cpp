#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"z"}, {"noise"}, {"t"}};

Result build(Call& call) {
  if (call.shape(0) != call.shape(1)) {
    Failure failure =
        call.fail("noise of shape " + to_string(call.shape(1)) + " for " + to_string(call.shape(0)),
                  1, "not the shape of what it is added to");
    call.explain(failure, call.tensor(0));
    call.explain(failure, call.tensor(1));
    return failure;
  }
  Shape shape = call.shape(0);
  return call.emit(table::add_noise_operation, {call.tensor(0), call.tensor(1), call.tensor(2)}, {},
                   shape);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value z = tape.take(graph.input(node, 0));
  Value noise = tape.take(graph.input(node, 1));
  Value t = tape.take(graph.input(node, 2));
  Shape one_each;
  for (int i = 0; i < z.shape().rank(); ++i)
    one_each.push_back(i == 0 ? z.shape()[0] : Dim{1, false});
  Value signal = tape.allocate(one_each, z.type());
  Value kept = eager::multiply(tape, signal, z);
  Value strength = tape.allocate(one_each, z.type());
  Value added = eager::multiply(tape, strength, noise);
  tape.give(graph.output_of(node, 0), eager::add(tape, kept, added));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 3, 9); }

}  // namespace

const Operation table::add_noise_operation{
    "add_noise",
    "add_noise(z, noise, t)",
    "sqrt(a_t) z + sqrt(1 - a_t) noise, the forward process of diffusion",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops
