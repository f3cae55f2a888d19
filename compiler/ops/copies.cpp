// What `parallel_over` is made of: one slice of a tensor, and its place in another.
#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kTwo[] = {{"whole"}, {"part"}};

Result build_room(Call& call) { return same_shape(call, table::room_like_operation); }

void run_room(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  tape.give(graph.output_of(node, 0), tape.allocate(x.shape(), x.type()));
}

Result build_pick(Call& call) {
  Shape shape = call.shape(0);
  shape[0] = {1, false};
  return call.emit(table::pick_operation, {call.tensor(0)}, {}, shape);
}

// A view of one index. Its backward step is zeros of the whole with the slice written in.
void run_pick(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  tape.give(graph.output_of(node, 0), eager::slice(tape, x, 0, {1, false}));
}

Result build_put(Call& call) {
  return call.emit(table::put_operation, {call.tensor(0), call.tensor(1)}, {}, call.shape(0));
}

// Written in place: the whole goes on as the same memory, and the part is not needed again.
// Backward (CopySlices of torch/csrc/autograd/functions/tensor.cpp): a copy of the whole's
// gradient, and of its part, which goes on to the part; zeros are written there where the whole
// needs one.
void run_put(Tape& tape, const Graph& graph, const Node& node) {
  Value whole = tape.take(graph.input(node, 0));
  Value part = tape.take(graph.input(node, 1));
  Value out = tape.alias(whole, whole.layout());
  tape.record(out, {whole, part}, {},
              [shape = part.shape(), type = part.type(),
               needs_whole = whole.requires_grad()](BackwardCall& call) {
                Tape& t = call.tape;
                const Value& g = call.gradients[0];
                Value rest = eager::like(t, g), copy = t.allocate(shape, g.type());
                Value zeros = needs_whole ? eager::like(t, copy) : Value();
                call.results[1] = type == g.type() ? copy : eager::like(t, copy, type);
                if (needs_whole) call.results[0] = std::move(rest);
              });
  tape.give(graph.output_of(node, 0), std::move(out));
}

Cost put_cost(const Graph& graph, const Node& node) {
  Cost cost;
  cost.work = Work::elementwise;
  cost.kernels = 1;
  cost.reads.add(graph[graph.input(node, 1)].shape.elements());
  cost.writes.add(graph[graph.input(node, 1)].shape.elements());
  return cost;
}

}  // namespace

const Operation table::room_like_operation{"room_like", "room_like(x)", "made by parallel_over",
                                           kOneTensor,  build_room,     run_room,
                                           no_cost,     false};
const Operation table::pick_operation{
    "pick", "pick(x)", "made by parallel_over", kOneTensor, build_pick, run_pick, no_cost, false};
const Operation table::put_operation{
    "put", "put(whole, part)", "made by parallel_over", kTwo, build_put, run_put, put_cost, false};

}  // namespace dtp::ops
