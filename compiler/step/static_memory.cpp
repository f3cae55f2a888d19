#include "step/static_memory.h"

#include <algorithm>

#include "step/spread_memory.h"

namespace dtp::step {

graph::DType stored_type(const graph::Parameter& p, const plan::Precision& precision) {
  if (p.element != graph::Element::real) return graph::DType::int64;
  return p.stored.value_or(p.frozen || p.kept ? precision.frozen : precision.parameters);
}

Int128 saturating_product(Int128 a, Int128 b) {
  auto product = checked_multiply(a, b);
  return product && *product < (Int128{1} << 120) ? *product : Int128{1} << 120;
}

namespace {

// `count` tensors of `elements`, each rounded as the allocator rounds.
class Sizes {
 public:
  explicit Sizes(Int128 round) : round_(round) {
    if (round < (1 << 30) && (round & (round - 1)) == 0) up_ = static_cast<int64_t>(round) - 1;
  }
  Int128 operator()(Int128 elements, Int128 count, graph::DType type) const {
    // 64 bits hold everything that exists; they are much faster.
    int64_t all = 0;
    if (up_ >= 0 && elements < (Int128{1} << 50) && count < (Int128{1} << 50)) {
      int64_t one = (static_cast<int64_t>(elements) * graph::size_of(type) + up_) & ~up_;
      if (one <= up_) one = up_ + 1;
      if (up_ == 0) one = static_cast<int64_t>(elements) * graph::size_of(type);
      if (!__builtin_mul_overflow(one, static_cast<int64_t>(count), &all)) return all;
    }
    Int128 bytes = elements * graph::size_of(type);
    if (round_ > 1) bytes = std::max<Int128>((bytes + round_ - 1) / round_, 1) * round_;
    return saturating_product(bytes, count);
  }

 private:
  Int128 round_;
  int64_t up_ = -1;
};

// Packed numbers, the largest of each block, and of nf4 the sixteen values that four bits stand
// for. Double quantized: the largest of each block in a byte, one fp32 for 256 of these, and their
// mean (bitsandbytes/functional.py, quantize_4bit).
Int128 block_bytes(const graph::Blocks& blocks, Int128 elements, Int128 count, const Sizes& sizes) {
  constexpr Int128 kScalesOfBlock = 256;
  auto parts = [](Int128 all, Int128 size) { return (all + size - 1) / size; };
  const Int128 scales = parts(elements, blocks.size);
  Int128 bytes = sizes(parts(elements * blocks.bits, 8), count, graph::DType::uint8);
  if (blocks.bits == 4) bytes += sizes(16, count, graph::DType::fp32);
  if (!blocks.double_quantized) return bytes + sizes(scales, count, graph::DType::fp32);
  return bytes + sizes(scales, count, graph::DType::uint8) +
         sizes(parts(scales, kScalesOfBlock), count, graph::DType::fp32) +
         sizes(1, count, graph::DType::fp32);
}

Int128 inputs_of(const graph::Graph& graph, const plan::Settings& settings, const Sizes& sizes) {
  Int128 sum = 0;
  for (graph::TensorId id : graph.inputs) {
    const graph::Tensor& t = graph[id];
    graph::Monomial n = t.shape.elements();
    for (int i = 0; i < n.power; ++i) n.value = saturating_product(n.value, settings.batch.micro);
    graph::DType type = t.element == graph::Element::real      ? settings.precision.parameters
                        : t.element == graph::Element::integer ? graph::DType::int64
                                                               : graph::DType::boolean;
    sum += sizes(std::min(n.value, Int128{1} << 110), 1, t.stored.value_or(type));
  }
  return sum;
}

// `whole`: what is divided over a tensor-parallel group counts on all its ranks.
StaticMemory unspread_memory(const graph::Graph& graph, const plan::Settings& settings,
                             const Sizes& sizes, bool whole) {
  StaticMemory m;
  const plan::Precision& precision = settings.precision;
  size_t trained = 0;
  for (const graph::Parameter& p : graph.parameters) {
    const graph::DType type = stored_type(p, precision);
    const Int128 elements = p.elements(), count = whole ? p.count * p.divided : p.count;
    Int128 bytes = p.blocks.any() ? block_bytes(p.blocks, elements, count, sizes)
                                  : sizes(elements, count, type);
    if (!p.trainable) {
      bool weight = p.saved && p.counted, own = !p.frozen && !p.kept;
      (weight ? m.frozen : m.buffers) += bytes;
      if (!own && weight) m.beside += bytes;
      if (settings.ema && own) m.ema += bytes;
      continue;
    }
    m.trained += bytes;
    m.tensors += p.count;
    m.largest_trained = std::max(m.largest_trained, elements * graph::size_of(type));
    Int128 gradients =
        precision.gradients == type ? bytes : sizes(elements, count, precision.gradients);
    m.gradients += gradients;
    m.gradient_surplus += gradients - bytes;
    if (precision.master) m.master += sizes(elements, count, *precision.master);
    if (settings.ema) m.ema += precision.master ? sizes(elements, count, *precision.master) : bytes;
    if (trained < settings.optimizer.states.size())
      for (const plan::OptimizerState& state : settings.optimizer.states[trained])
        (state.paged ? m.optimizer_paged : m.optimizer) += sizes(state.elements, count, state.type);
    ++trained;
  }
  m.inputs = inputs_of(graph, settings, sizes);
  return m;
}

}  // namespace

StaticMemory static_memory(const graph::Graph& graph, const plan::Settings& settings) {
  const Sizes sizes(settings.framework.allocator_round);
  if (!is_spread(settings.parallel)) return unspread_memory(graph, settings, sizes, false);
  StaticMemory m = spread_memory(graph, settings);
  m.inputs = inputs_of(graph, settings, sizes);
  return m;
}

StaticMemory whole_memory(const graph::Graph& graph, const plan::Settings& settings) {
  return unspread_memory(graph, settings, Sizes(settings.framework.allocator_round), true);
}

std::vector<ParameterMemory> parameter_memory(const graph::Graph& graph,
                                              const plan::Settings& settings) {
  const Sizes sizes(settings.framework.allocator_round);
  const plan::Spread& spread = settings.parallel;
  auto share = [&](Int128 elements, bool spreads) {
    return spreads ? (elements + spread.shards() - 1) / spread.shards() : elements;
  };
  std::vector<ParameterMemory> all;
  for (const graph::Parameter& p : graph.parameters) {
    if (!p.trainable) continue;
    ParameterMemory m{&p,
                      sizes(share(p.elements(), spread.spreads_gradients()), p.count,
                            settings.precision.gradients),
                      {}};
    if (all.size() < settings.optimizer.states.size())
      for (const plan::OptimizerState& state : settings.optimizer.states[all.size()])
        if (!state.paged)
          m.states.emplace_back(state.name, sizes(share(state.elements, spread.spreads_states()),
                                                  p.count, state.type));
    all.push_back(std::move(m));
  }
  return all;
}

Int128 first_adamw_step(std::span<const ParameterRun> parameters) {
  Int128 before = 0, peak = 0;
  for (size_t i = 0; i < parameters.size();) {
    size_t end = i;
    Int128 group = 0;
    for (; end < parameters.size() && parameters[end].group == parameters[i].group; ++end)
      group += parameters[end].bytes;
    // Sums only grow, so of equal groups the last decides.
    before += saturating_product(2 * group, parameters[i].count - 1);
    for (; i < end; ++i) {
      before += 2 * parameters[i].bytes;
      peak = std::max(peak, before + 2 * parameters[i].bytes + 12);
    }
  }
  return peak;
}

// The C++ loop (LibTorch): two tensors like the one it is at, and 12 bytes of numbers. Others: what
// the optimizer's record says, for states that exist already; they are made before the first step
// goes on.
OptimizerStep optimizer_step(const graph::Graph& graph, const plan::Settings& settings,
                             const StaticMemory& memory) {
  const plan::Optimizer& optimizer = settings.optimizer;
  Int128 temporaries = optimizer.temporaries.value_or(0);
  // Each parameter has stepped when the backward pass is over.
  if (optimizer.in_backward) return {memory.optimizer, 0};
  if (settings.parallel.spreads_states()) {
    Int128 shards = settings.parallel.shards();
    temporaries = (temporaries + shards - 1) / shards;
  }
  if (optimizer.step != plan::StepKind::cpu) return {memory.optimizer + temporaries, temporaries};
  bool two_moments = std::any_of(optimizer.states.begin(), optimizer.states.end(),
                                 [](const auto& states) { return states.size() >= 2; });
  if (!two_moments) return {memory.optimizer + temporaries, temporaries};
  std::vector<ParameterRun> runs;
  for (const graph::Parameter& p : graph.parameters)
    if (p.trainable)
      runs.push_back(
          {p.elements() * graph::size_of(settings.precision.parameters), p.count, p.scope.value});
  return {first_adamw_step(runs), 2 * memory.largest_trained + 12};
}

}  // namespace dtp::step
