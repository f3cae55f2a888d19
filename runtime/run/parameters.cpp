#include "runtime/run/parameters.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include "runtime/config/validate.h"
#include "runtime/run/random.h"
#include "runtime/run/types.h"

namespace dtp::runtime {
namespace {

// The key of one copy: the counter of each repeat around it in its place, the outermost first.
std::string key_of(const Graph& graph, const Parameter& parameter, int64_t copy) {
  struct Counter {
    std::string mark;
    int64_t index;
  };
  std::vector<Counter> counters;
  for (uint32_t s = parameter.scope; s != 0; s = graph.scopes[s].parent) {
    const Scope& scope = graph.scopes[s];
    counters.push_back({"{" + scope.variable + "}", copy % scope.count});
    copy /= scope.count;
  }
  std::string key = parameter.key;
  for (auto counter = counters.rbegin(); counter != counters.rend(); ++counter) {
    size_t at = key.find(counter->mark);
    if (counter->mark != "{}" && at != std::string::npos)
      key.replace(at, counter->mark.size(), std::to_string(counter->index));
  }
  return key;
}

// The angles of rotary positions over [T, d]: the frequencies of the first half of the width stand
// once more in the second.
at::Tensor angles(const Parameter& parameter) {
  int64_t length = parameter.shape[0], half = parameter.shape[1] / 2;
  auto real = at::TensorOptions().dtype(at::kDouble);
  at::Tensor places = at::arange(half, real) / double(half);
  at::Tensor frequencies = at::pow(at::full({}, parameter.scale, real), -places);
  at::Tensor once = at::outer(at::arange(length, real), frequencies);
  return at::cat({once, once}, 1);
}

void start(at::Tensor& value, const Parameter& parameter, at::Generator generator) {
  switch (parameter.start) {
    case Start::zeros: value.zero_(); break;
    case Start::ones: value.fill_(1); break;
    case Start::uniform: value.uniform_(-parameter.scale, parameter.scale, generator); break;
    case Start::normal: value.normal_(0, parameter.scale, generator); break;
    case Start::cosines: value.copy_(angles(parameter).cos_()); break;
    case Start::sines: value.copy_(angles(parameter).sin_()); break;
  }
}

}  // namespace

Parameters::Parameters(const TrainingConfig& config, at::Device device, uint64_t seed)
    : places_(config.graph.parameters.size()) {
  const Graph& graph = config.graph;
  const std::vector<Parameter>& declared = graph.parameters;
  const std::vector<int64_t> copies = copies_by_scope(graph);
  for (size_t begin = 0, end = 0; begin < declared.size(); begin = end) {
    while (end < declared.size() && declared[end].scope == declared[begin].scope) ++end;
    for (int64_t copy = 0; copy < copies[declared[begin].scope]; ++copy) {
      for (size_t i = begin; i < end; ++i) {
        const Parameter& p = declared[i];
        at::ScalarType type =
            type_of(p.element, type_of(p.frozen ? config.frozen : config.parameters));
        at::Tensor value = at::empty(p.shape, at::TensorOptions(at::kCPU).dtype(type));
        start(value, p, at::detail::createCPUGenerator(seed_for({seed, i, uint64_t(copy)})));
        value = value.to(device);
        value.set_requires_grad(p.trainable);
        places_[i].push_back(static_cast<uint32_t>(all_.size()));
        all_.push_back({&p, key_of(graph, p, copy), std::move(value)});
      }
    }
  }
}

std::vector<at::Tensor> Parameters::trainable() const {
  std::vector<at::Tensor> tensors;
  for (const ParameterCopy& copy : all_)
    if (copy.declared->trainable) tensors.push_back(copy.value);
  return tensors;
}

}  // namespace dtp::runtime
