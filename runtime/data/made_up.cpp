#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <stdexcept>

#include "runtime/data/source.h"
#include "runtime/run/random.h"

namespace dtp::runtime::data {
namespace {

class MadeUp final : public Source {
 public:
  MadeUp(const Graph& graph, uint64_t seed) : graph_(graph), seed_(seed) {}

  void fill(size_t column, int64_t number, at::Tensor place) override {
    const Input& input = graph_.inputs[column];
    at::Generator random = at::detail::createCPUGenerator(
        seed_for({seed_, column + 1, static_cast<uint64_t>(number)}));
    switch (graph_.tensors[input.tensor].element) {
      case Element::real: place.normal_(0, 1, random); break;
      case Element::boolean: place.bernoulli_(0.5, random); break;
      case Element::integer:
        if (input.below < 1)
          throw std::runtime_error("column `" + input.name +
                                   "` cannot be made up: nobody says below what its numbers are");
        place.random_(0, input.below, random);
        break;
    }
  }

 private:
  const Graph& graph_;
  const uint64_t seed_;
};

}  // namespace

std::unique_ptr<Source> made_up(const Graph& graph, uint64_t seed) {
  return std::make_unique<MadeUp>(graph, seed);
}

}  // namespace dtp::runtime::data
