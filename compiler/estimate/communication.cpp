#include "estimate/communication.h"

#include <algorithm>
#include <cmath>

#include "base/out.h"
#include "plan/wrap.h"
#include "step/spread_memory.h"

namespace dtp::estimate {
namespace {

using plan::Parallel;

std::string words(const plan::Link& link, int rails) {
  return format("{} of {:.4g} GB/s", link.kind, link.bandwidth * rails / 1e9);
}

// How DDP cuts the gradients: whole tensors, so that a bucket is never less than one of them.
struct Buckets {
  double count = 1;
  double first = 1, last = 1;  // shares of the gradients: until the first is full, nothing is sent
};

Buckets buckets_of(const plan::Spread& parallel, double bytes, double tensors) {
  if (bytes <= 0) return {};
  double tensor = bytes / std::max(tensors, 1.0);
  double first = std::clamp(static_cast<double>(parallel.first_bucket), tensor, bytes);
  double other = std::clamp(static_cast<double>(parallel.bucket), tensor, bytes);
  return {1 + std::ceil((bytes - first) / other), first / bytes, other / bytes};
}

// The ranks of one collective and how they lie in the machine.
struct Group {
  double ranks = 1;
  double nodes = 1;
  double inside = 1;   // of its ranks in one node
  double sharing = 1;  // groups that send through the network of one node at a time
};

// `apart`: how many devices lie from one rank to the next.
Group group_of(const plan::Hardware& hardware, double ranks, double apart) {
  double devices = hardware.gpus_per_node;
  double inside = std::clamp(std::floor(devices / apart), 1.0, std::max(ranks, 1.0));
  return {ranks, std::ceil(ranks / inside), inside, std::min(apart, devices)};
}

// What a collective goes over, and how much goes round: twice for an all-reduce, once for a gather
// or a reduction that leaves each rank its share. The ring sends (n - 1) / n of the bytes a round;
// between nodes the slower way counts.
class Rings {
 public:
  explicit Rings(const plan::Settings& settings) : s_(settings) {}

  static double sent(const Group& g, double rounds, double bytes) {
    return rounds * (g.ranks - 1) / g.ranks * bytes;
  }
  Interval inside(const Group& g, double rounds, double bytes) const {
    return g.inside > 1 && s_.hardware.inside.bandwidth > 0
               ? over(sent(g, rounds, bytes), s_.hardware.inside.bandwidth)
               : Interval::point(0);
  }
  Interval between(const Group& g, double rounds, double bytes) const {
    if (g.nodes <= 1 || !s_.hardware.network) return Interval::point(0);
    double rate = s_.hardware.network->bandwidth * s_.hardware.network->rails;
    return over(rounds * (g.nodes - 1) / g.nodes * bytes * g.sharing, rate);
  }
  // What one costs beside the bytes: a ring has `rounds` (n - 1) steps, of which `rounds` (nodes -
  // 1) go over the network. NVIDIA's own figures for its protocols LL, LL128 and Simple (nccl,
  // src/graph/tuning.cc: baseLat, hwLat, the formula of ncclTopoTuneModel).
  Interval start(const Group& g, double rounds) const {
    constexpr Interval kStart = {3.6e-6, 8.4e-6, 10e-6};
    constexpr Interval kNvlink = {0.47e-6, 1.9e-6, 3.4e-6};
    constexpr Interval kPcie = {1.0e-6, 2.5e-6, 5.7e-6};
    constexpr Interval kNetwork = {2.7e-6, 4.0e-6, 14e-6};
    double network = rounds * (g.nodes - 1);
    double links = std::max(rounds * (g.ranks - 1) - network, 0.0);
    return kStart + scale(links, s_.hardware.inside.kind == "nvlink" ? kNvlink : kPcie) +
           scale(network, kNetwork);
  }
  // `messages` of equal size. The efficiency was measured on messages of 8 to 64 MiB with their
  // start in it; a small one takes no less than its start.
  Interval collective(const Group& g, double rounds, double bytes, double messages) const {
    if (g.ranks <= 1 || bytes <= 0) return Interval::point(0);
    double each = bytes / messages;
    Interval moved = max(inside(g, rounds, each), between(g, rounds, each));
    return scale(messages, max(moved, start(g, rounds)));
  }
  std::string link(const Group& g) const {
    bool slower = s_.hardware.network && between(g, 1, 1e9).likely > inside(g, 1, 1e9).likely;
    return slower ? words(*s_.hardware.network, s_.hardware.network->rails)
                  : words(s_.hardware.inside, 1);
  }

 private:
  Interval over(double moved, double rate) const {
    Interval efficiency = s_.framework.communication_efficiency.value;
    return {moved / (rate * efficiency.hi), moved / (rate * efficiency.likely),
            moved / (rate * efficiency.lo)};
  }
  const plan::Settings& s_;
};

// What a pass does not hide. `edge`: the share of it beside which nothing is computed, such as the
// last bucket; `cover`: the share of the pass beside which it may run. Kernels of both slow each
// other down a little: usually a tenth of the pass hides nothing and a tenth of the communication
// is seen, at worst 0.3 and 0.35.
Interval not_hidden(Interval total, Interval pass, double edge, double cover, Interval overlap) {
  auto exposed = [&](double all, double time, double badly) {
    double less = std::min(badly, 1.0), worse = std::max(badly - 1, 0.0);
    double hidden = (1 - 0.1 * less - 0.2 * worse) * time * cover;
    return std::max({all * edge, all - hidden, (0.1 * less + 0.25 * worse) * all});
  };
  return {exposed(total.lo, pass.hi, overlap.lo),
          exposed(total.likely, pass.likely, overlap.likely),
          exposed(total.hi, pass.lo, overlap.hi)};
}

class Composer {
 public:
  Composer(const graph::Graph& graph, const plan::Settings& s, const step::StaticMemory& m,
           const Passes& passes)
      : graph_(graph), s_(s), m_(m), passes_(passes), rings_(s) {}

  Communication compose() {
    const plan::Spread& spread = s_.parallel;
    if (spread.ranks > 1) {
      if (spread.spreads_parameters())
        gathered();
      else if (step::is_spread(spread))
        reduced();
      else
        buckets();
    }
    if (spread.tensor > 1) exchanged();
    return std::move(c_);
  }

 private:
  static double real(Int128 n) { return static_cast<double>(n); }
  static double size(graph::DType type) { return static_cast<double>(graph::size_of(type)); }
  double passes() const { return static_cast<double>(std::max<int64_t>(s_.batch.accumulation, 1)); }
  std::string share_from() const {
    return format("the share of it that is reached is taken from: {}",
                  s_.framework.communication_efficiency.why);
  }

  // DDP: all but the last bucket can hide behind the backward pass.
  void buckets() {
    Group g = group_of(s_.hardware, s_.parallel.ranks, s_.parallel.tensor);
    double elements = real(m_.trained) / size(s_.precision.parameters);
    double bytes = elements * size(s_.precision.reduce);
    c_.bytes = Rings::sent(g, 2, bytes);
    Buckets cut = buckets_of(s_.parallel, bytes, real(m_.tensors));
    // Buckets of the usual size cost nothing beside the measured share, more of them do.
    double usual = buckets_of({}, bytes, real(m_.tensors)).count;
    Interval inside = rings_.inside(g, 2, bytes), between = rings_.between(g, 2, bytes);
    c_.total = max(inside, between) + scale(std::max(cut.count - usual, 0.0), rings_.start(g, 2));
    c_.why = format("ring all-reduce of the gradients in {:.0f} buckets over {}; {}", cut.count,
                    rings_.link(g), share_from());
    c_.bytes_why = "2 (n - 1) / n of the gradients";
    c_.exposed = not_hidden(c_.total, passes_.backward, cut.last, 1 - cut.first, s_.leeway.overlap);
  }

  // FSDP and ZeRO-3: each pass gathers the parameters unit by unit, the backward pass again where
  // they were let go, and reduces the gradients of each unit. The first unit of the forward pass
  // waits for its gather, and nothing hides the reduction of the last.
  void gathered() {
    const plan::Spread& spread = s_.parallel;
    step::Parts parts = step::parts_of(graph_, s_);
    double n = spread.shards(), all = real(parts.elements());
    double messages = real(parts.count) + (parts.root > 0 ? 1 : 0);
    double gathered = size(plan::gathered_type(s_.precision)), reduced = size(s_.precision.reduce);
    double again = spread.reshard_after_forward ? real(parts.all) : 0;
    if (spread.kind == Parallel::zero) again = std::max(all - real(step::kMostLiveInZero3), 0.0);
    Group g = group_of(s_.hardware, n, spread.tensor);
    Interval forward = rings_.collective(g, 1, all * gathered, messages);
    Interval backward = rings_.collective(g, 1, again * gathered, messages) +
                        rings_.collective(g, 1, all * reduced, messages);
    double sent = Rings::sent(g, 1, (all + again) * gathered + all * reduced);
    if (spread.replicas > 1) {
      Group copies = group_of(s_.hardware, spread.replicas, n * spread.tensor);
      backward = backward + rings_.collective(copies, 2, all / n * reduced, messages);
      sent += Rings::sent(copies, 2, all / n * reduced);
    }
    double first = real(parts.root + parts.first) / all;
    double last = real(parts.root > 0 ? parts.root : parts.first) * reduced /
                  (again * gathered + all * reduced);
    Interval exposed = not_hidden(forward, passes_.forward, first, 1, s_.leeway.overlap) +
                       not_hidden(backward, passes_.backward, last, 1, s_.leeway.overlap);
    c_.total = scale(passes(), forward + backward);
    c_.exposed = scale(passes(), spread.overlap ? exposed : forward + backward);
    c_.bytes = passes() * sent;
    c_.why = format(
        "each pass gathers the parameters in {:.0f} parts{} and spreads the reduced "
        "gradients, over {}; {}",
        messages, again > 0 ? ", the backward pass again," : "", rings_.link(g), share_from());
    std::string times =
        s_.batch.accumulation > 1 ? format("{} times ", s_.batch.accumulation) : std::string();
    c_.bytes_why = format("{}(n - 1) / n of the parameters and of the gradients{}", times,
                          spread.replicas > 1 ? ", and their shares between replicas" : "");
    c_.exposed_why =
        "what the passes do not hide: the first gather, the last reduction, and more "
        "where the links are slower than the arithmetic";
  }

  // ZeRO-0 to 2 and Megatron: gradients are reduced beside the backward pass, at each where every
  // rank keeps its share alone; parameters are gathered after the step where each rank stepped on
  // its share.
  void reduced() {
    const plan::Spread& spread = s_.parallel;
    double all = real(step::parts_of(graph_, s_).elements());
    double reduce = all * size(s_.precision.reduce), gather = all * size(s_.precision.parameters);
    bool share = spread.spreads_states();
    double times = spread.spreads_gradients() ? passes() : 1, rounds = share ? 1 : 2;
    Group g = group_of(s_.hardware, spread.ranks, spread.tensor);
    double bucket = spread.kind == Parallel::zero ? real(spread.reduce_bucket) : megatron_bucket();
    double messages = std::max(std::ceil(reduce / bucket), 1.0);
    Interval reduction = rings_.collective(g, rounds, reduce, messages);
    Interval gathering =
        share ? rings_.collective(g, 1, gather, std::max(std::ceil(gather / bucket), 1.0))
              : Interval::point(0);
    Interval exposed = reduction;
    if (spread.overlap)
      exposed = not_hidden(reduction, passes_.backward, 1 / messages, 1 - 1 / messages,
                           s_.leeway.overlap);
    c_.total = scale(times, reduction) + gathering;
    c_.exposed = scale(times, exposed) + gathering;
    c_.bytes = times * Rings::sent(g, rounds, reduce) + (share ? Rings::sent(g, 1, gather) : 0);
    c_.why = format("{} of the gradients in {:.0f} buckets{}, over {}; {}",
                    share ? "reduce-scatter" : "ring all-reduce", messages,
                    share ? ", all-gather of the parameters after the step" : "", rings_.link(g),
                    share_from());
    c_.bytes_why = share ? format("(n - 1) / n of the parameters, and {} of the gradients",
                                  times > 1 ? format("{:.0f} times that", times) : "that")
                         : "2 (n - 1) / n of the gradients";
    c_.exposed_why = share
                         ? "what the backward pass does not hide, and the gather of the parameters"
                         : "what the backward pass does not hide";
  }

  // max(40e6, 1e6 * ranks) elements (megatron/core/distributed/distributed_data_parallel.py).
  double megatron_bucket() const {
    return std::max(40e6, 1e6 * s_.parallel.ranks) * size(s_.precision.reduce);
  }

  // Inside a tensor-parallel group nothing goes on until an exchange is over. In the backward pass
  // the product for the weight may run beside it.
  void exchanged() {
    const Exchange &f = passes_.forward_exchange, &b = passes_.backward_exchange;
    Group g = group_of(s_.hardware, s_.parallel.tensor, 1);
    double element =
        size(s_.precision.autocast ? s_.precision.compute : plan::gathered_type(s_.precision));
    auto of_a_pass = [&](const Exchange& e) {
      if (e.messages == 0) return Interval::point(0);
      double rounds = e.rounds / e.messages;
      return rings_.collective(g, rounds, e.elements * element / rounds, e.messages);
    };
    Interval forward = of_a_pass(f), backward = of_a_pass(b);
    Interval all = scale(passes(), forward + backward);
    Interval seen = all;
    seen.lo = passes() * (forward.lo + 0.5 * backward.lo);
    bool alone = s_.parallel.ranks <= 1;
    std::string why = format("{:.0f} exchanges a pass inside groups of {}, over {}",
                             f.messages + b.messages, s_.parallel.tensor, rings_.link(g));
    c_.total = c_.total + all;
    c_.exposed = c_.exposed + seen;
    c_.bytes += passes() * Rings::sent(g, 1, (f.elements + b.elements) * element);
    c_.why = alone ? why + "; " + share_from() : why + "; " + c_.why;
    c_.bytes_why = alone ? why : c_.bytes_why + "; " + why;
    c_.exposed_why = alone ? "no exchange of a tensor-parallel group is hidden"
                           : "the exchanges of tensor-parallel groups, and " + c_.exposed_why;
  }

  const graph::Graph& graph_;
  const plan::Settings& s_;
  const step::StaticMemory& m_;
  const Passes& passes_;
  const Rings rings_;
  Communication c_;
};

}  // namespace

Communication communication(const graph::Graph& graph, const plan::Settings& settings,
                            const step::StaticMemory& memory, const Passes& passes) {
  return Composer(graph, settings, memory, passes).compose();
}

}  // namespace dtp::estimate
