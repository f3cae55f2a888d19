#include "estimate/time.h"

#include <algorithm>
#include <cmath>

#include "base/out.h"
#include "estimate/communication.h"
#include "estimate/measured.h"
#include "estimate/roofline.h"
#include "step/static_memory.h"

namespace dtp::estimate {
namespace {

// Forward, backward and recomputation of one micro-batch.
struct PassTime {
  Interval forward, backward, recompute;
  double model_flops = 0, executed_flops = 0;  // of matrix products, forward and backward
  double forward_kernels = 0, backward_kernels = 0, recompute_kernels = 0;
  Exchange forward_exchange, backward_exchange;  // inside a tensor-parallel group
};

// What recomputation runs again it sends again.
void add_exchanges(const WorkItem& item, double batch, bool recompute, PassTime& t) {
  const ops::Cost& c = item.cost;
  auto add = [&](Exchange& to, const ops::Polynomial& elements, int messages, int rounds) {
    to.elements += item.times * elements.at(batch);
    to.messages += item.times * messages;
    to.rounds += item.times * rounds;
  };
  add(t.forward_exchange, c.sent_forward, c.messages_forward, c.rounds_forward);
  if (recompute && item.recomputable)
    add(t.backward_exchange, c.sent_forward, c.messages_forward, c.rounds_forward);
  if (item.input_gradient || item.weight_gradient)
    add(t.backward_exchange, c.sent_backward, c.messages_backward, c.rounds_backward);
}

PassTime pass_time(const WorkList& work, const Roofline& roofline, const plan::Settings& s) {
  PassTime t;
  auto batch = static_cast<double>(s.batch.micro);
  bool recompute = s.recompute == plan::Recompute::full;
  for (const WorkItem& item : work.items()) {
    Roofline::Part f = roofline.forward(item, batch), b = roofline.backward(item, batch);
    if (item.cost.messages_forward + item.cost.messages_backward > 0)
      add_exchanges(item, batch, recompute, t);
    t.forward = t.forward + scale(item.times, f.seconds);
    t.backward = t.backward + scale(item.times, b.seconds);
    t.forward_kernels += item.times * f.kernels;
    t.backward_kernels += item.times * b.kernels;
    double model = item.times * (f.flops + 2 * f.flops * (b.flops > 0 ? 1 : 0));
    t.model_flops +=
        item.weight_gradient && !item.input_gradient ? item.times * 2 * f.flops : model;
    t.executed_flops += item.times * (f.flops + b.flops);
    if (recompute && item.recomputable) {
      t.recompute = t.recompute + scale(item.times, f.seconds);
      t.recompute_kernels += item.times * f.kernels;
      t.executed_flops += item.times * f.flops;
    }
  }
  return t;
}

// An eager framework starts kernels one by one: the device waits where they are shorter than the
// host needs.
Interval with_launches(Interval device, double kernels, Interval launch) {
  return max(device, scale(kernels, launch));
}

// Traffic of the optimizer: gradients and parameters read, parameters written, states read and
// written; a list of simple kernels (foreach, loop) goes over temporaries as well, about 2.3 times
// as much as the fused kernel.
double optimizer_bytes(const plan::Settings& s, const step::StaticMemory& m) {
  // Where the states alone are spread, a rank steps on its share of the rest.
  Int128 trained = m.trained, gradients = m.gradients, n = s.parallel.shards();
  if (s.parallel.spreads_states() && !s.parallel.spreads_parameters()) trained /= n;
  if (s.parallel.spreads_states() && !s.parallel.spreads_gradients()) gradients /= n;
  auto fused = static_cast<double>(gradients + 2 * trained + 2 * m.master +
                                   2 * (m.optimizer + m.optimizer_paged));
  return s.optimizer.step == plan::StepKind::fused ? fused : 2.3 * fused;
}

class TimeComposer {
 public:
  TimeComposer(const graph::Graph& graph, const WorkList& work, const plan::Settings& s)
      : s_(s),
        graph_(graph),
        static_(step::static_memory(graph, s)),
        roofline_(s),
        pass_(pass_time(work, roofline_, s)) {}

  TimeResult compose() {
    TimeResult r;
    Time& t = r.time;
    double n = static_cast<double>(std::max<int64_t>(s_.batch.accumulation, 1));
    Interval launch = s_.framework.launch_cost.value;
    std::string roofline =
        "arithmetic at the rate of products of these sizes, or traffic, whichever takes longer";
    auto taken = [this](std::string_view path, const Estimate& estimated) {
      return measured_or(s_, path, estimated);
    };
    t.forward =
        taken("time.forward",
              {scale(n, with_launches(pass_.forward, pass_.forward_kernels, launch)), roofline});
    // The engine's own thread starts backward kernels; it needs less for each than Python does.
    t.backward = taken(
        "time.backward",
        {scale(n, with_launches(pass_.backward, 0.7 * pass_.backward_kernels, launch)), roofline});
    t.recompute =
        taken("time.recompute",
              {scale(n, with_launches(pass_.recompute, pass_.recompute_kernels, launch)),
               s_.recompute == plan::Recompute::full ? "the forward pass of repeated blocks, again"
                                                     : "nothing is recomputed"});
    t.optimizer =
        taken("time.optimizer",
              {optimizer(launch),
               static_.optimizer_paged > 0
                   ? "traffic of states, gradients and parameters; at worst pages of states "
                     "come from the host and go back"
                   : "traffic of states, gradients and parameters, or its arithmetic"});
    Communication c = communication(graph_, s_, static_,
                                    {scale(1 / n, t.forward.value), scale(1 / n, t.backward.value),
                                     pass_.forward_exchange, pass_.backward_exchange});
    t.communication = taken("time.communication", {c.total, c.why});
    t.exposed_communication = taken("time.exposed_communication", {c.exposed, c.exposed_why});
    t.bubble = {Interval::point(0), "no pipeline"};
    t.checkpoint = {Interval::point(0), "the plan writes none"};
    t.step =
        taken("time.step",
              {t.forward.value + t.backward.value + t.recompute.value + t.optimizer.value +
                   t.exposed_communication.value,
               "forward, backward, recomputation, optimizer and what communication is not hidden"});
    Interval steps = s_.steps.value_or(Interval::point(1));
    t.total = {steps * t.step.value,
               s_.steps ? format("{} x {:.3g} s a step",
                                 counted(std::llround(steps.likely), "step"), t.step.value.likely)
                        : "one step"};
    if (s_.run_time) t.total = {*s_.run_time, "as the plan says"};
    epoch(t);
    rates(r, n);
    r.network.per_step = {Interval::point(c.bytes), c.bytes_why};
    return r;
  }

 private:
  Interval optimizer(Interval launch) const {
    Interval step = roofline_.traffic(optimizer_bytes(s_, static_));
    auto tensors = static_cast<double>(static_.tensors);
    bool loop =
        s_.optimizer.step == plan::StepKind::loop || s_.optimizer.step == plan::StepKind::cpu;
    if (loop) step = max(step, scale(12 * tensors, launch));
    double shards = s_.parallel.spreads_states() ? s_.parallel.shards() : 1;
    step = max(step, roofline_.arithmetic(scale(1 / shards, s_.optimizer.flops)));
    if (s_.clip) step = step + roofline_.traffic(3 * static_cast<double>(static_.gradients));
    // One kernel to fade the average, one to add: each tensor by itself.
    if (s_.ema)
      step = step + max(roofline_.traffic(5 * static_cast<double>(static_.ema)),
                        scale(2 * tensors, launch));
    return step + pages();
  }

  // States in managed memory: nothing moves where the device has room for them; else they come and
  // go each step, over the lanes of PCIe 3 at worst (15.75 GB/s; fault by fault it is less).
  Interval pages() const {
    constexpr double kSlowest = 10e9;
    return {0, 0, 2 * static_cast<double>(static_.optimizer_paged) / kSlowest};
  }

  void epoch(Time& t) const {
    if (s_.data.samples <= 0 || s_.batch.global <= 0) {
      t.epoch = {Interval::point(0), "the size of the data is not known"};
      return;
    }
    double steps = static_cast<double>(s_.data.samples) / static_cast<double>(s_.batch.global);
    t.epoch = {scale(steps, t.step.value), format("{:.6g} steps", steps)};
  }

  void rates(TimeResult& r, double accumulation) const {
    Interval step = r.time.step.value;
    auto per_step = [&](double amount) {
      return step.lo > 0 ? Interval{amount / step.hi, amount / step.likely, amount / step.lo}
                         : Interval::point(0);
    };
    auto global = static_cast<double>(s_.batch.global);
    r.throughput.samples = {per_step(global), "global batch over step time"};
    r.throughput.tokens = {per_step(global * static_cast<double>(s_.data.sequence)),
                           "samples times sequence length"};
    Interval rate = per_step(pass_.model_flops * accumulation);
    r.throughput.flops_per_gpu = {rate,
                                  "matrix products of forward and backward, without recomputation"};
    double peak = roofline_.peak_flops();
    r.utilization.mfu = {scale(1 / peak, rate),
                         "model arithmetic over the dense peak of the compute type"};
    r.utilization.hfu = {scale(1 / peak, per_step(pass_.executed_flops * accumulation)),
                         "executed arithmetic, recomputation included"};
  }

  const plan::Settings& s_;
  const graph::Graph& graph_;
  const step::StaticMemory static_;
  const Roofline roofline_;
  const PassTime pass_;
};

}  // namespace

TimeResult estimate_time(const graph::Graph& graph, const WorkList& work,
                         const plan::Settings& settings) {
  return TimeComposer(graph, work, settings).compose();
}

Cost estimate_cost(const plan::Settings& s, const Time& time) {
  Cost cost;
  if (!s.hardware.price) {
    // The rent of a GPU counts in `gpus`, which is one host; a node has its own.
    std::string of_gpu =
        format("of one GPU in `gpus({}, X {{ rent = 2 USD/h }})`, or ", s.hardware.gpus_per_node);
    cost.total.why = cost.per_step.why = format(
        "no price is known for {}: say the rent, {}of a whole node in `nodes({}, X {{ rent = 20 "
        "USD/h }})`",
        s.hardware.gpu.name, s.hardware.nodes == 1 ? of_gpu : "", s.hardware.nodes);
    return cost;
  }
  const plan::Price& price = *s.hardware.price;
  cost.currency = price.currency;
  cost.dimension = price.dimension;
  Interval rate = scale(s.hardware.nodes, price.per_second);
  constexpr double kHour = 3600;
  double each = price.per_second.likely * kHour / s.hardware.gpus_per_node;
  std::string rent = format("{} x {:.4g} {}/h ({})", counted(s.hardware.gpus(), "GPU"), each,
                            price.currency, price.why);
  cost.per_step = {rate * time.step.value, rent};
  cost.total = {rate * time.total.value,
                format("{:.4g} h x {}", time.total.value.likely / kHour, rent)};
  return cost;
}

// Devices under load take 60 to 100 % of their rating, hosts and cooling a tenth to a half on top.
Energy estimate_energy(const plan::Settings& s, const Time& time) {
  if (s.hardware.gpu.power <= 0)
    return {{Interval::point(0), "the `power` of " + s.hardware.gpu.name + " is not known"}};
  double rated = s.hardware.gpu.power * s.hardware.gpus();
  Interval watts = {0.6 * rated * 1.1, 0.85 * rated * 1.25, 1.0 * rated * 1.5};
  return {{watts * time.total.value,
           "60 to 100 % of the devices' rating, and 10 to 50 % for host and cooling"}};
}

Storage estimate_storage(const graph::Graph& graph, const plan::Settings& s) {
  step::StaticMemory m = step::whole_memory(graph, s);
  Int128 bytes =
      m.trained + m.frozen - m.beside + m.master + m.optimizer + m.optimizer_paged + m.ema;
  Storage storage;
  storage.checkpoint = {Interval::point(static_cast<double>(bytes)),
                        "parameters, optimizer states and average"};
  storage.dataset = {Interval::point(static_cast<double>(s.data.bytes)),
                     s.data.bytes > 0 ? "as the data set says" : "not known"};
  return storage;
}

}  // namespace dtp::estimate
