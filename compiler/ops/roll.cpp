#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"shifts", Accepts::integers}, {"axes", Accepts::integers}};

// integers: whether anything moves; shape: by how much along each axis, without whole rounds.
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
  for (int64_t shift : shifts) attributes.integers[0] |= shift != 0;
  const Shape x = call.shape(0);
  for (int i = 0; i < x.rank(); ++i) attributes.shape.push_back({0, false});
  for (size_t i = 0; i < count; ++i) {
    Dim size = x[along[i]];
    bool round = !size.batch && size.value > 0;
    int64_t shift = round ? (shifts[i] % size.value + size.value) % size.value : shifts[i];
    attributes.shape[along[i]].value += shift;
  }
  return call.emit(table::roll_operation, {call.tensor(0)}, attributes, call.shape(0),
                   call.operand(0).element);
}

// derivatives.yaml, `roll`: saves nothing; backward rolls the gradient back into new memory. Shifts
// of 0 are left out by the models that shift windows.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  if (node.attributes.integers[0] == 0) {
    tape.give(graph.output_of(node, 0), std::move(x));
    return;
  }
  Value out = tape.allocate(x.shape(), x.type());
  tape.record(out, {x}, {}, [](BackwardCall& call) {
    const Value& g = call.gradients[0];
    call.results[0] = call.tape.allocate(g.shape(), g.type());
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
