#include "step/spread_memory.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "ops/division.h"
#include "ops/operation.h"
#include "plan/wrap.h"

namespace dtp::step {
namespace {

using plan::Parallel;

Int128 up(Int128 n, Int128 of) { return (n + of - 1) / of * of; }
Int128 share(Int128 n, Int128 ranks) { return (n + ranks - 1) / ranks; }
Int128 bytes_each(graph::DType type) { return graph::size_of(type); }
bool is_weight(const graph::Parameter& p) { return p.trainable || (p.saved && p.counted); }

// Starts of parameters in a flat buffer, in elements: FSDP1 aligns them to 16 bytes
// (torch/distributed/fsdp/_flat_param.py), Megatron to 64 elements (param_and_grad_buffer.py).
Int128 alignment(const plan::Settings& s) {
  if (s.parallel.kind == Parallel::fsdp)
    return std::max<Int128>(16 / bytes_each(s.precision.parameters), 1);
  return s.parallel.kind == Parallel::megatron ? 64 : 1;
}

// To what the whole of a flat buffer is filled up: ZeRO to twice the ranks (nccl_start_alignment of
// stage_1_and_2.py), Megatron's distributed optimizer to the least multiple of ranks and 128.
Int128 flat_multiple(const plan::Settings& s) {
  Int128 ranks = s.parallel.shards();
  if (s.parallel.kind == Parallel::zero) return 2 * ranks;
  if (s.parallel.kind == Parallel::megatron && s.parallel.distributed_optimizer)
    return std::lcm(static_cast<int64_t>(ranks), int64_t{128});
  return s.parallel.kind == Parallel::fsdp ? ranks : 1;
}

// The elements of one copy on the rank that holds most of it, where each parameter is cut by
// itself: FSDP2 along its first dimension, ZeRO-3 as a row of numbers.
Int128 own_share(const graph::Parameter& p, const plan::Settings& s) {
  Int128 ranks = s.parallel.shards(), all = p.elements();
  if (s.parallel.kind != Parallel::fsdp2 || p.shape.rank() == 0) return share(all, ranks);
  Int128 rows = p.shape[0].value;
  return rows > 0 ? share(rows, ranks) * (all / rows) : 0;
}

// One flat buffer: the parameters of a part, or of the whole model.
struct Flat {
  Int128 count = 1;  // of equal buffers
  Int128 elements = 0, aligned = 0;
  Int128 states = 0, states_host = 0;  // bytes, of all elements
};

class Spreader {
 public:
  Spreader(const graph::Graph& graph, const plan::Settings& settings)
      : graph_(graph), s_(settings), round_(settings.framework.allocator_round) {}

  StaticMemory memory() {
    size_t trained = 0;
    for (const graph::Parameter& p : graph_.parameters) {
      const std::vector<plan::OptimizerState>* states = nullptr;
      if (p.trainable && trained < s_.optimizer.states.size())
        states = &s_.optimizer.states[trained];
      trained += p.trainable;
      add(p, states);
    }
    for (const auto& [scope, flat] : flats_) add(flat);
    return m_;
  }

 private:
  bool is_flat() const {
    return s_.parallel.kind == Parallel::megatron || s_.parallel.kind == Parallel::fsdp ||
           (s_.parallel.kind == Parallel::zero && s_.parallel.stage < 3);
  }
  Int128 rounded(Int128 bytes) const {
    return round_ > 1 ? std::max<Int128>(up(bytes, round_), round_) : bytes;
  }
  Int128 whole(const graph::Parameter& p, graph::DType type) const {
    return rounded(p.elements() * bytes_each(type)) * p.count;
  }
  graph::DType average_type() const {
    return s_.precision.master.value_or(s_.precision.parameters);
  }

  void add(const graph::Parameter& p, const std::vector<plan::OptimizerState>* states) {
    const plan::Precision& precision = s_.precision;
    graph::DType real = p.frozen ? precision.frozen : precision.parameters;
    graph::DType type = p.element == graph::Element::real ? real : graph::DType::int64;
    bool spread = is_weight(p) && !p.frozen && s_.parallel.spreads_parameters();
    if (!p.trainable) {
      Int128 bytes =
          spread ? rounded(own_share(p, s_) * bytes_each(type)) * p.count : whole(p, type);
      (is_weight(p) ? m_.frozen : m_.buffers) += bytes;
      if (p.frozen && is_weight(p)) m_.beside += bytes;
      if (s_.ema && !p.frozen) m_.ema += bytes;
      return;
    }
    if (s_.ema && !spread) m_.ema += whole(p, average_type());
    if (is_flat())
      collect(p, states);
    else
      cut(p, states);
  }

  // Each parameter by itself.
  void cut(const graph::Parameter& p, const std::vector<plan::OptimizerState>* states) {
    const plan::Precision& precision = s_.precision;
    Int128 own = own_share(p, s_), all = std::max<Int128>(p.elements(), 1);
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
      (state.on_host ? m_.optimizer_host : m_.optimizer) +=
          rounded(part * bytes_each(state.type)) * p.count;
    }
  }

  void collect(const graph::Parameter& p, const std::vector<plan::OptimizerState>* states) {
    graph::ScopeId part = s_.parallel.kind == Parallel::fsdp
                              ? plan::gathered_with(graph_, p.scope, s_.parallel.wrap)
                              : graph::ScopeId{0};
    Flat& flat = flats_[part.value];
    flat.count = graph_.scopes[part.value].count;
    Int128 copies = p.count / flat.count;
    flat.elements += p.elements() * copies;
    flat.aligned += up(p.elements(), alignment(s_)) * copies;
    if (!states) return;
    for (const plan::OptimizerState& state : *states)
      (state.on_host ? flat.states_host : flat.states) +=
          state.elements * copies * bytes_each(state.type);
  }

  // A flat buffer: states, gradients and parameters are its whole or a rank's share of it.
  void add(const Flat& flat) {
    const plan::Precision& precision = s_.precision;
    const plan::Spread& spread = s_.parallel;
    Int128 all = up(flat.aligned, flat_multiple(s_)), part = all / spread.shards();
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
    m_.optimizer_host += states(flat.states_host);
    m_.tensors += flat.count;
    m_.largest_trained = std::max(m_.largest_trained, part * bytes_each(precision.parameters));
  }

  const graph::Graph& graph_;
  const plan::Settings& s_;
  const Int128 round_;
  StaticMemory m_;
  std::map<uint32_t, Flat> flats_;  // by the scope of the part
};

// FSDP1 (torch 2.6, _limiter_utils.py, _runtime_utils.py): two parts are gathered at most in the
// forward pass, and in the backward pass the one at work and those ahead. The root's stays between
// its two passes. A part's gradients are joined into one flat tensor, and cast where the reduction
// has another type.
SpreadBuffers fsdp_buffers(const Parts& parts, const plan::Settings& s) {
  Int128 n = s.parallel.shards(), gathered = bytes_each(plan::gathered_type(s.precision)),
         reduced = bytes_each(s.precision.reduce);
  bool casts = reduced != gathered;
  Int128 root = parts.root * gathered, one = parts.largest * gathered;
  auto joined = [&](Int128 elements) {
    return elements * gathered + (casts ? elements * reduced : 0) + elements / n * reduced;
  };
  Int128 cast_share = s.precision.cast_parts ? parts.largest / n * gathered : 0;
  SpreadBuffers b;
  bool again = s.parallel.reshard_after_forward;
  Int128 ahead = std::min<Int128>(s.parallel.prefetch, 1);
  b.start = root;
  b.forward = root + (again ? 2 * one : parts.all * gathered) + cast_share;
  b.backward = root + (again ? (1 + ahead) * one : parts.all * gathered) + joined(parts.largest);
  b.end = root + joined(parts.root);
  return b;
}

// FSDP2 (torch/distributed/fsdp/_fully_shard): a gather fills one buffer, which is copied out to
// the parameters and lives until the next gather is copied; in the backward pass the next part is
// gathered while one works. The input of a reduction is held until the next part reduces.
SpreadBuffers fsdp2_buffers(const Parts& parts, const plan::Settings& s) {
  Int128 n = s.parallel.shards(), gathered = bytes_each(plan::gathered_type(s.precision)),
         reduced = bytes_each(s.precision.reduce);
  Int128 root = parts.root * gathered, one = parts.largest * gathered;
  auto reduction = [&](Int128 elements) {
    Int128 held = elements * reduced + elements / n * reduced;
    return s.parallel.replicas > 1 ? held + elements / n * reduced : held;
  };
  Int128 cast_share = s.precision.cast_parts ? parts.largest / n * gathered : 0;
  SpreadBuffers b;
  bool again = s.parallel.reshard_after_forward;
  Int128 ahead = s.parallel.prefetch;
  b.start = 2 * root;
  b.forward = root + (again ? 2 * one : parts.all * gathered + one) + cast_share;
  b.backward = root +
               (again ? std::min((1 + ahead) * one, parts.all * gathered) : parts.all * gathered) +
               reduction(parts.largest);
  b.end = reduction(parts.root);
  return b;
}

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
  struct Part {
    Int128 count = 1, elements = 0;
  };
  std::map<uint32_t, Part> all;
  Int128 ranks = s.parallel.shards();
  bool flat = s.parallel.kind == Parallel::fsdp;
  bool pads = s.parallel.spreads_parameters() && !flat;
  for (const graph::Parameter& p : graph.parameters) {
    if (!is_weight(p) || p.frozen) continue;
    graph::ScopeId scope = plan::gathered_with(graph, p.scope, s.parallel.wrap);
    Part& part = all[scope.value];
    part.count = graph.scopes[scope.value].count;
    Int128 one = pads ? own_share(p, s) * ranks : up(p.elements(), alignment(s));
    part.elements += one * (p.count / part.count);
  }
  Parts parts;
  for (auto& [scope, part] : all) {
    if (flat) part.elements = up(part.elements, ranks);
    if (scope == 0) {
      parts.root = part.elements;
      continue;
    }
    parts.largest = std::max(parts.largest, part.elements);
    parts.all += part.elements * part.count;
    parts.count += part.count;
  }
  return parts;
}

SpreadBuffers spread_buffers(const graph::Graph& graph, const plan::Settings& s) {
  switch (s.parallel.kind) {
    case Parallel::zero: return zero_buffers(parts_of(graph, s), s);
    case Parallel::fsdp: return fsdp_buffers(parts_of(graph, s), s);
    case Parallel::fsdp2: return fsdp2_buffers(parts_of(graph, s), s);
    case Parallel::megatron:
      if (s.parallel.sequence) return {.always = gathering_buffer(graph, s)};
      [[fallthrough]];
    default: return {};
  }
}

}  // namespace dtp::step
