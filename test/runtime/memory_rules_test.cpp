// What each operation takes, keeps and gives back, in LibTorch and as its rule in compiler/ops
// says.
#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <c10/core/CPUAllocator.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "step/walker.h"
#include "test/runtime/memory_cases.h"
#include "test/runtime/stand_in.h"
#include "unit/engine_rules.h"

namespace dtp::test {
namespace {

constexpr int64_t kSamples = 3;
using Events = std::vector<int64_t>;  // bytes taken, or given back where negative
struct Passes {
  Events forward, backward;
};

// Writes down what tensors take. The bytes of a block stand before it.
class Recorder final : public c10::Allocator {
 public:
  static Events* events;

  c10::DataPtr allocate(size_t bytes) const override {
    c10::Device cpu(c10::kCPU);
    if (bytes == 0) return {nullptr, nullptr, &free, cpu};
    void* block = std::aligned_alloc(kBefore, (bytes + 2 * kBefore - 1) / kBefore * kBefore);
    if (block == nullptr) throw std::bad_alloc();
    auto size = static_cast<int64_t>(bytes);
    *static_cast<int64_t*>(block) = size;
    if (events != nullptr) events->push_back(size);
    void* data = static_cast<char*>(block) + kBefore;
    return {data, data, &free, cpu};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &free; }

 private:
  static constexpr size_t kBefore = 64;
  static void free(void* data) {
    if (data == nullptr) return;
    void* block = static_cast<char*>(data) - kBefore;
    if (events != nullptr) events->push_back(-*static_cast<int64_t*>(block));
    std::free(block);
  }
};
Events* Recorder::events = nullptr;

// The bytes of matrix products without oneDNN, which takes memory of its own; from before the
// first tensor on.
const bool kInstalled = [] {
  static Recorder recorder;
  c10::SetCPUAllocator(&recorder, 255);
  at::globalContext().setUserEnabledMkldnn(false);
  return true;
}();

Sizes sizes_of(const graph::Shape& shape) {
  Sizes sizes;
  for (graph::Dim d : shape) sizes.push_back(d.batch ? d.value * kSamples : d.value);
  return sizes;
}

Passes predicted(const graph::Graph& graph, bool autocast) {
  step::PassOptions options;
  options.mechanisms = libtorch_1_13_cpu();
  options.autocast = autocast;
  options.compute = graph::DType::bf16;
  step::Walker walker(graph, options, std::numeric_limits<int64_t>::max());
  step::Walker::Ends ends = walker.run();
  Passes passes;
  for (uint32_t i = 0; i < ends.backward; ++i) {
    const step::Event& e = walker.trace().events[i];
    int64_t bytes = e.taken ? e.bytes : -e.bytes;
    for (int power = 0; power < e.power; ++power) bytes *= kSamples;
    (i < ends.forward ? passes.forward : passes.backward).push_back(bytes);
  }
  return passes;
}

// Runs a graph without repeats, node by node.
class Run {
 public:
  explicit Run(const graph::Graph& graph)
      : graph_(graph), tensors_(graph.tensors.size()), uses_(graph.tensors.size()) {
    for (const graph::Parameter& p : graph.parameters)
      parameters_.push_back(at::rand(sizes_of(p.shape)).set_requires_grad(p.trainable));
    for (graph::TensorId id : graph.inputs) {
      bool whole = graph[id].element == graph::Element::integer;
      Sizes sizes = sizes_of(graph[id].shape);
      held_.push_back(whole ? at::randint(2, sizes, at::kLong) : at::rand(sizes));
      tensors_[id.value] = held_.back();
    }
    for (const graph::Node& node : graph.nodes)
      for (uint32_t id : graph.list(node.inputs)) ++uses_[id];
    ++uses_[graph.output.value];
  }

  Passes run(bool autocast) {
    Passes passes;
    at::autocast::set_autocast_cpu_dtype(at::kBFloat16);
    at::autocast::set_cpu_enabled(autocast);
    Recorder::events = &passes.forward;
    for (const graph::Node& node : graph_.nodes) run(node);
    at::autocast::clear_cache();
    at::autocast::set_cpu_enabled(false);
    at::Tensor loss = std::move(tensors_[graph_.output.value]);
    Recorder::events = &passes.backward;
    at::Tensor one = at::ones_like(loss);
    torch::autograd::backward({loss}, {one});
    one.reset();
    Recorder::events = nullptr;
    return passes;
  }

 private:
  void run(const graph::Node& node);

  const graph::Graph& graph_;
  std::vector<at::Tensor> tensors_, parameters_, held_;
  std::vector<int> uses_;
};

// What belongs to the test alone is made outside the record.
void Run::run(const graph::Node& node) {
  Events* events = std::exchange(Recorder::events, nullptr);
  Given given;
  for (uint32_t id : graph_.list(node.inputs)) {
    bool last = --uses_[id] == 0;
    given.inputs.push_back(last ? std::move(tensors_[id]) : tensors_[id]);
  }
  for (uint32_t id : graph_.list(node.outputs))
    given.outputs.push_back(sizes_of(graph_.tensors[id].shape));
  for (uint32_t id : graph_.list(node.parameters)) given.parameters.push_back(parameters_[id]);
  const graph::Attributes& said = node.attributes;
  given.integers.assign(said.integers.begin(), said.integers.end());
  given.reals.assign(said.reals.begin(), said.reals.end());
  given.shape = sizes_of(said.shape);
  Recorder::events = events;
  std::vector<at::Tensor> made = test::run(std::string(node.operation->name), std::move(given));
  for (size_t i = 0; i < made.size(); ++i) {
    uint32_t id = graph_.list(node.outputs)[i];
    if (uses_[id] > 0) tensors_[id] = std::move(made[i]);
  }
}

struct Summary {
  int64_t peak = 0, end = 0;
  Events sorted;
  friend bool operator==(const Summary&, const Summary&) = default;
};
// Frees at one moment may come in any order: a reference count of an argument decides it.
Summary summary_of(Events events) {
  Summary s;
  for (int64_t bytes : events) s.peak = std::max(s.peak, s.end += bytes);
  std::sort(events.begin(), events.end());
  s.sorted = std::move(events);
  return s;
}

std::string text_of(const Events& events) {
  std::string text;
  for (int64_t bytes : events) text += (bytes > 0 ? " +" : " ") + std::to_string(bytes);
  return text;
}

void compare(const MemoryCase& one, bool autocast) {
  SCOPED_TRACE(one.name + (autocast ? " under autocast" : ""));
  MemoryMaker m;
  graph::TensorId loss;
  for (graph::TensorId out : one.make(m)) {
    if (m.builder[out].element != graph::Element::real) continue;
    graph::TensorId sum = m.op("sum", {{"", m.op("silu", {{"", out}})}});
    loss = loss.valid() ? m.op("add", {{"", loss}, {"", sum}}) : sum;
  }
  m.builder.set_output(loss);
  graph::Graph graph = m.builder.take();
  Passes rule = predicted(graph, autocast), real = Run(graph).run(autocast);
  EXPECT_EQ(summary_of(rule.forward), summary_of(real.forward))
      << "rule" << text_of(rule.forward) << "\nreal" << text_of(real.forward);
  EXPECT_EQ(summary_of(rule.backward), summary_of(real.backward))
      << "rule" << text_of(rule.backward) << "\nreal" << text_of(real.backward);
}

TEST(MemoryRules, HoldInFp32) {
  ASSERT_TRUE(kInstalled);
  for (const MemoryCase& one : memory_cases()) compare(one, false);
}

TEST(MemoryRules, HoldUnderAutocast) {
  for (const MemoryCase& one : memory_cases()) compare(one, true);
}

}  // namespace
}  // namespace dtp::test
