#include "test/runtime/stand_in.h"

#include <map>
#include <stdexcept>

#include "compiler/ops/operations.def"

namespace dtp::runtime::ops {
#define ROW(name) void name(Call&);
DTP_OPERATIONS(ROW)
DTP_INNER_OPERATIONS(ROW)
#undef ROW
}  // namespace dtp::runtime::ops

namespace dtp::test {
namespace {

using Function = void (*)(runtime::Call&);

const std::map<std::string, Function>& functions() {
#define ROW(name) {#name, runtime::ops::name},
  static const std::map<std::string, Function> all = {DTP_OPERATIONS(ROW)
                                                          DTP_INNER_OPERATIONS(ROW)};
#undef ROW
  return all;
}

class StandIn : public runtime::Call {
 public:
  StandIn(const std::string& operation, Given given) : given_(std::move(given)) {
    one_.operation = operation;
    one_.inputs.resize(given_.inputs.size());
    one_.outputs.resize(given_.outputs.size());
    one_.parameters.resize(given_.parameters.size());
    one_.integers = given_.integers;
    one_.integers.resize(4);
    one_.reals = given_.reals;
    one_.reals.resize(2);
    node_ = &one_;
    for (const at::Tensor& input : given_.inputs) shapes_.push_back(input.sizes().vec());
    made_.resize(given_.outputs.size());
  }

  at::Tensor take(size_t i) override {
    if (!given_.inputs.at(i).defined()) throw std::logic_error("taken twice");
    return std::exchange(given_.inputs.at(i), at::Tensor());
  }
  void give(size_t i, at::Tensor value) override {
    if (value.sizes().vec() != given_.outputs.at(i)) throw std::logic_error("another shape");
    made_.at(i) = std::move(value);
  }
  const at::Tensor& parameter(size_t i) override { return given_.parameters.at(i); }
  Sizes input_shape(size_t i) const override { return shapes_.at(i); }
  Sizes output_shape(size_t i) const override { return given_.outputs.at(i); }
  Sizes shape() const override { return given_.shape; }
  int64_t samples() const override { return shapes_.at(0).at(0); }
  int64_t iteration() const override { return given_.iteration; }
  at::ScalarType real_type() const override { return at::kFloat; }

  std::vector<at::Tensor> made() { return std::move(made_); }

 private:
  Given given_;
  runtime::Node one_;
  std::vector<Sizes> shapes_;
  std::vector<at::Tensor> made_;
};

}  // namespace

std::vector<at::Tensor> run(const std::string& operation, Given given) {
  StandIn call(operation, std::move(given));
  functions().at(operation)(call);
  return call.made();
}

std::vector<std::string> all_operations() {
  std::vector<std::string> names;
  for (const auto& [name, function] : functions()) names.push_back(name);
  return names;
}

}  // namespace dtp::test
