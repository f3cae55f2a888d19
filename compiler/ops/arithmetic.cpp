#include "ops/arithmetic.h"

namespace dtp::ops {

Result build_arithmetic(Call& call, const Operation& operation) {
  bool left = call.is_tensor(0), right = call.is_tensor(1);
  if (!left && !right)
    return call.fail("`" + std::string(call.callee()) + "` wants at least one tensor",
                     "two numbers");
  Attributes attributes;
  if (left && right) {
    auto shape = broadcast(call, call.tensor(0), call.tensor(1));
    if (auto* failure = std::get_if<Failure>(&shape)) return *failure;
    Element element =
        call.operand(0).element == Element::real ? Element::real : call.operand(1).element;
    return call.emit(operation, {call.tensor(0), call.tensor(1)}, attributes,
                     std::get<Shape>(shape), element);
  }
  size_t tensor = left ? 0 : 1;
  attributes.integers[0] =
      static_cast<int64_t>(left ? Operands::number_right : Operands::number_left);
  attributes.reals[0] = call.number(1 - tensor);
  Shape shape = call.shape(tensor);
  bool whole =
      attributes.reals[0] == static_cast<double>(static_cast<int64_t>(attributes.reals[0]));
  Element element =
      whole && operation.name != "divide" ? call.operand(tensor).element : Element::real;
  return call.emit(operation, {call.tensor(tensor)}, attributes, shape, element);
}

}  // namespace dtp::ops
