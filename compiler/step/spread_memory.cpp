#include "step/spread_memory.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "ops/division.h"
#include "ops/operation.h"
#include "step/cut.h"

namespace dtp::step {
namespace {

using plan::Parallel;

Int128 share(Int128 n, Int128 ranks) { return (n + ranks - 1) / ranks; }
Int128 bytes_each(graph::DType type) { return graph::size_of(type); }
bool is_weight(const graph::Parameter& p) { return p.trainable || (p.saved && p.counted); }

// To what the whole of a flat buffer is filled up: ZeRO to twice the ranks (nccl_start_alignment of
// stage_1_and_2.py), Megatron's distributed optimizer to the least multiple of ranks and 128.
Int128 flat_multiple(const plan::Settings& s) {
  Int128 ranks = s.parallel.shards();
  if (s.parallel.kind == Parallel::zero) return 2 * ranks;
  if (s.parallel.kind == Parallel::megatron && s.parallel.distributed_optimizer)
    return std::lcm(static_cast<int64_t>(ranks), int64_t{128});
  return s.parallel.kind == Parallel::fsdp ? ranks : 1;
}

// One flat buffer: the parameters of a unit, or of the whole model.
struct Flat {
  Int128 count = 1;  // of equal buffers
  Int128 elements = 0, aligned = 0;
  Int128 states = 0, states_paged = 0;  // bytes, of all elements
};

class Spreader {
 public:
  Spreader(const graph::Graph& graph, const plan::Settings& settings)
      : graph_(graph),
        s_(settings),
        cut_(cut_of(settings)),
        round_(settings.framework.allocator_round) {
    if (cut_.by == CutBy::flat) units_ = plan::units_of(graph, settings.parallel.wrap);
  }

  StaticMemory memory() {
    size_t trained = 0;
    for (size_t i = 0; i < graph_.parameters.size(); ++i) {
      const graph::Parameter& p = graph_.parameters[i];
      const std::vector<plan::OptimizerState>* states = nullptr;
      if (p.trainable && trained < s_.optimizer.states.size())
        states = &s_.optimizer.states[trained];
      trained += p.trainable;
      add(p, i, states);
    }
    for (const auto& [unit, flat] : flats_) add(flat);
    return m_;
  }

 private:
  bool is_flat() const {
    return s_.parallel.kind == Parallel::megatron || s_.parallel.kind == Parallel::fsdp ||
           (s_.parallel.kind == Parallel::zero && s_.parallel.stage < 3);
  }
  Int128 rounded(Int128 bytes) const {
    return round_ > 1 ? std::max<Int128>(rounded_up(bytes, round_), round_) : bytes;
  }
  Int128 whole(const graph::Parameter& p, graph::DType type) const {
    return rounded(p.elements() * bytes_each(type)) * p.count;
  }
  graph::DType average_type() const {
    return s_.precision.master.value_or(s_.precision.parameters);
  }

  void add(const graph::Parameter& p, size_t index,
           const std::vector<plan::OptimizerState>* states) {
    const graph::DType type = stored_type(p, s_.precision);
    bool spread = plan::is_gathered(p) && s_.parallel.spreads_parameters();
    if (!p.trainable) {
      Int128 bytes =
          spread ? rounded(share_of(p, cut_) * bytes_each(type)) * p.count : whole(p, type);
      const bool own = !p.frozen && !p.kept;
      (is_weight(p) ? m_.frozen : m_.buffers) += bytes;
      if (!own && is_weight(p)) m_.beside += bytes;
      if (s_.ema && own) m_.ema += bytes;
      return;
    }
    if (s_.ema && !spread) m_.ema += whole(p, average_type());
    if (is_flat())
      collect(p, index, states);
    else
      cut(p, states);
  }

  // Each parameter by itself.
  void cut(const graph::Parameter& p, const std::vector<plan::OptimizerState>* states) {
    const plan::Precision& precision = s_.precision;
    Int128 own = share_of(p, cut_), all = std::max<Int128>(p.elements(), 1);
    auto bytes = [&](graph::DType type) { return rounded(own * bytes_each(type)) * p.count; };
    m_.trained += bytes(precision.parameters);
    m_.gradients += bytes(precision.gradients);
    if (precision.master) m_.master += bytes(*precision.master);
    if (s_.ema) m_.ema += bytes(average_type());
    m_.tensors += p.count;
    m_.largest_trained = std::max(m_.largest_trained, own * bytes_each(precision.parameters));
    if (!states) return;
    for (const plan::OptimizerState& state : *states) {
      Int128 part = (state.elements * own + all - 1) / all;
      (state.paged ? m_.optimizer_paged : m_.optimizer) +=
          rounded(part * bytes_each(state.type)) * p.count;
    }
  }

  void collect(const graph::Parameter& p, size_t index,
               const std::vector<plan::OptimizerState>* states) {
    uint32_t unit = units_.list.empty() ? 0 : units_.parameter[index];
    Flat& flat = flats_[unit];
    flat.count = units_.list.empty() ? Int128{1} : units_.list[unit].count;
    Int128 copies = p.count / flat.count;
    flat.elements += p.elements() * copies;
    flat.aligned += rounded_up(p.elements(), cut_.alignment) * copies;
    if (!states) return;
    for (const plan::OptimizerState& state : *states)
      (state.paged ? flat.states_paged : flat.states) +=
          state.elements * copies * bytes_each(state.type);
  }

  // A flat buffer: states, gradients and parameters are its whole or a rank's share of it.
  void add(const Flat& flat) {
    const plan::Precision& precision = s_.precision;
    const plan::Spread& spread = s_.parallel;
    Int128 all = rounded_up(flat.aligned, flat_multiple(s_)), part = all / spread.shards();
    auto bytes = [&](bool shared, graph::DType type) {
      return rounded((shared ? part : all) * bytes_each(type)) * flat.count;
    };
    m_.trained += bytes(spread.spreads_parameters(), precision.parameters);
    m_.gradients += bytes(spread.spreads_gradients(), precision.gradients);
    if (precision.master) m_.master += bytes(spread.spreads_states(), *precision.master);
    if (s_.ema && spread.spreads_parameters()) m_.ema += bytes(true, average_type());
    Int128 elements = std::max<Int128>(flat.elements, 1);
    Int128 kept = spread.spreads_states() ? part : elements;
    auto states = [&](Int128 of_all) {
      return of_all > 0 ? rounded((of_all * kept + elements - 1) / elements) * flat.count : 0;
    };
    m_.optimizer += states(flat.states);
    m_.optimizer_paged += states(flat.states_paged);
    m_.tensors += flat.count;
    m_.largest_trained = std::max(m_.largest_trained, part * bytes_each(precision.parameters));
  }

  const graph::Graph& graph_;
  const plan::Settings& s_;
  const Cut cut_;
  const Int128 round_;
  plan::Units units_;  // where they are flat
  StaticMemory m_;
  std::map<uint32_t, Flat> flats_;  // by unit
};

// DeepSpeed (zero/stage_1_and_2.py, stage3.py): a bucket of gradients at each backward pass, two of
// them where the reduction overlaps; stage 3 keeps one for good, and what it gathered up to a
// limit. While it steps, the gradients of the rank's share are there in the type of the master
// copy.
SpreadBuffers zero_buffers(const Parts& parts, const plan::Settings& s) {
  SpreadBuffers b;
  const plan::Spread& spread = s.parallel;
  Int128 elements = parts.elements(), own = share(elements, spread.shards());
  if (spread.stage == 0) {
    b.end = std::min(spread.reduce_bucket, elements * bytes_each(s.precision.reduce));
    return b;
  }
  if (spread.stage < 3) {
    b.backward = spread.reduce_bucket * (spread.overlap ? 2 : 1);
  } else {
    b.always = spread.reduce_bucket;
    Int128 live = std::min(elements, std::max(kMostLiveInZero3, parts.largest));
    b.forward = b.backward = live * bytes_each(s.precision.parameters);
    own = std::min(own, kMostLiveInZero3);  // sub_group_size
  }
  if (s.precision.master && *s.precision.master != s.precision.gradients)
    b.step = own * bytes_each(*s.precision.master);
  return b;
}

// Megatron gathers the input of its products into one buffer, which stays (layers.py,
// get_global_memory_buffer).
Int128 gathering_buffer(const graph::Graph& graph, const plan::Settings& s) {
  Int128 most = 0;
  for (const graph::Node& node : graph.nodes) {
    if (node.operation->name != "linear") continue;
    if (ops::exchange_of(node) != ops::Exchange::gathered) continue;
    graph::Shape whole = graph[graph.output_of(node, 0)].shape;
    whole[whole.rank() - 1] = graph[graph.input(node, 0)].shape.back();
    graph::Monomial n = whole.elements();
    for (int i = 0; i < n.power; ++i) n.value = saturating_product(n.value, s.batch.micro);
    most = std::max(most, n.value);
  }
  graph::DType type = s.precision.autocast ? s.precision.compute : s.precision.parameters;
  return saturating_product(most, graph::size_of(type));
}

}  // namespace

bool is_spread(const plan::Spread& spread) {
  return spread.kind != Parallel::single && spread.kind != Parallel::ddp;
}

StaticMemory spread_memory(const graph::Graph& graph, const plan::Settings& settings) {
  return Spreader(graph, settings).memory();
}

Parts parts_of(const graph::Graph& graph, const plan::Settings& s) {
  plan::Units units = plan::units_of(graph, s.parallel.wrap);
  std::vector<Int128> elements = unit_elements(graph, units, cut_of(s));
  Parts parts;
  parts.root = elements[0];
  for (size_t i = 1; i < elements.size(); ++i) {
    if (elements[i] == 0) continue;
    parts.largest = std::max(parts.largest, elements[i]);
    parts.all += elements[i] * units.list[i].count;
    parts.count += units.list[i].count;
  }
  for (uint32_t unit : units.parameter)
    if (unit != 0 && parts.first == 0) parts.first = elements[unit];
  return parts;
}

SpreadBuffers spread_buffers(const graph::Graph& graph, const plan::Settings& s) {
  switch (s.parallel.kind) {
    case Parallel::zero: return zero_buffers(parts_of(graph, s), s);
    case Parallel::megatron:
      if (s.parallel.sequence) return {.always = gathering_buffer(graph, s)};
      [[fallthrough]];
    default: return {};
  }
}

}  // namespace dtp::step
