#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"shifts", Accepts::integers}, {"axes", Accepts::integers}};

// integers: along how many axes anything moves; shape: by how much along each axis, without whole
// rounds.
Result build(Call& call) {
  std::vector<int64_t> shifts = call.integers(1);
  auto axes = call.axes(2, call.shape(0).rank());
  if (auto* failure = std::get_if<Failure>(&axes)) return *failure;
  const auto& along = std::get<std::vector<int>>(axes);
  size_t count = along.size();
  if (shifts.size() != count)
    return call.fail("`roll` by " + std::to_string(shifts.size()) + " shifts along " +
                         std::to_string(count) + " axes",
                     1, "one for each axis");
  Attributes attributes;
  const Shape x = call.shape(0);
  for (int i = 0; i < x.rank(); ++i) attributes.shape.push_back({0, false});
  for (size_t i = 0; i < count; ++i) {
    Dim size = x[along[i]];
    bool round = !size.batch && size.value > 0;
    int64_t shift = round ? (shifts[i] % size.value + size.value) % size.value : shifts[i];
    attributes.shape[along[i]].value += shift;
  }
  for (Dim shift : attributes.shape) attributes.integers[0] += shift.value != 0;
  return call.emit(table::roll_operation, {call.tensor(0)}, attributes, call.shape(0),
                   call.operand(0).element);
}

// New memory for each axis, one axis after another (roll_common of native/TensorTransformations.h).
Value rolled(Tape& tape, Value x, int64_t axes) {
  for (int64_t i = 0; i < axes; ++i) x = tape.allocate(x.shape(), x.type());
  return x;
}

// derivatives.yaml, `roll`: saves nothing; backward rolls the gradient back. Shifts of 0 are left
// out by the models that shift windows.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  int64_t axes = node.attributes.integers[0];
  if (axes == 0) {
    tape.give(graph.output_of(node, 0), std::move(x));
    return;
  }
  Value out = rolled(tape, x, axes);
  tape.record(out, {x}, {}, [axes](BackwardCall& call) {
    call.results[0] = rolled(call.tape, call.gradients[0], axes);
  });
  tape.give(graph.output_of(node, 0), std::move(out));
}

Cost cost(const Graph& graph, const Node& node) {
  return node.attributes.integers[0] == 0 ? no_cost(graph, node) : elementwise_cost(graph, node, 0);
}

}  // namespace

const Operation table::roll_operation{"roll",
                                      "roll(x, [shifts], axes = [axes])",
                                      "moves elements round along axes; shifts of 0 do nothing",
                                      kFormals,
                                      build,
                                      run,
                                      cost};

}  // namespace dtp::ops
