#include "estimate/memory.h"

#include <algorithm>

#include "base/out.h"
#include "estimate/measured.h"
#include "estimate/peak_live.h"
#include "step/settings_options.h"
#include "step/spread_memory.h"
#include "step/static_memory.h"

namespace dtp::estimate {
namespace {

double real(Int128 n) { return static_cast<double>(n); }
Interval exactly(Int128 n) { return Interval::point(real(n)); }

// Bytes at one moment, by term.
struct Moment {
  Int128 gradients = 0, optimizer = 0, activations = 0, temporaries = 0, communication = 0;
  Int128 sum() const { return gradients + optimizer + activations + temporaries + communication; }
};

Int128& of(Moment& moment, step::Category category) {
  switch (category) {
    case step::Category::gradient: return moment.gradients;
    case step::Category::activation: return moment.activations;
    case step::Category::communication: return moment.communication;
    default: return moment.temporaries;
  }
}

void add(Moment& moment, const CategoryBytes& bytes) {
  for (size_t i = 0; i < bytes.size(); ++i) of(moment, static_cast<step::Category>(i)) += bytes[i];
}

bool views_of_buckets(const plan::Settings& s) {
  return s.parallel.kind == plan::Parallel::ddp && s.parallel.ranks > 1 &&
         s.parallel.gradient_as_bucket_view;
}

class MemoryComposer {
 public:
  MemoryComposer(Estimator& estimator, const plan::Settings& settings)
      : estimator_(estimator),
        s_(settings),
        static_(step::static_memory(estimator.graph(), settings)),
        buffers_(step::spread_buffers(estimator.graph(), settings)),
        round_(static_cast<int64_t>(settings.framework.allocator_round)) {}

  Memory compose() {
    pass(gradients_stay(s_));
    if (s_.batch.accumulation > 1) pass(true);
    optimizer_steps();
    return finish(views_of_buckets(s_));
  }

 private:
  // One micro-batch. `gradients_exist`: those of earlier ones are there and this one adds to them.
  void pass(bool gradients_exist) {
    step::PassOptions options = step::pass_options(s_, gradients_exist);
    const step::Pass& p = estimator_.pass(options);
    int64_t b = s_.batch.micro;
    PeakByCategory forward = walk_by_category(p, p.forward, b, round_);
    PeakByCategory backward = walk_by_category(p, p.backward, b, round_);
    if (options.mechanisms.loss_outlives_pass) loss_ = -walk(p, p.release, b, round_).live;
    Moment base;
    base.optimizer = static_.optimizer;
    if (gradients_exist) base.gradients = static_.gradients;

    Moment at_forward = base;
    add(at_forward, forward.peak_by);
    at_forward.communication += buffers_.forward;
    at_forward.temporaries += loss_;
    take(Phase::forward, at_forward);

    Moment at_backward = base;
    add(at_backward, forward.live_by);
    add(at_backward, backward.peak_by);
    Int128 kept = gradients_beside_pass(s_, static_);
    if (!gradients_exist) at_backward.gradients += kept;
    at_backward.communication += buffers_.backward;
    take(Phase::backward, at_backward);
    if (buffers_.end > 0) {
      Moment at_end = base;
      add(at_end, forward.live_by);
      add(at_end, backward.live_by);
      if (!gradients_exist) at_end.gradients += kept;
      at_end.communication = buffers_.end;
      take(Phase::backward, at_end);
    }

    Memory::Exact& e = exact_;
    e.forward_peak = std::max(e.forward_peak, forward.peak);
    e.saved = std::max(e.saved, forward.live);
    e.backward_peak = std::max(e.backward_peak, forward.live + backward.peak);
    e.after_backward = std::max(e.after_backward, forward.live + backward.live);
  }

  void optimizer_steps() {
    step::OptimizerStep o = step::optimizer_step(estimator_.graph(), s_, static_);
    // Norms of all gradients, one number each, and their parts (cuda/ForeachReduceOp.cu): about 1
    // KiB a tensor.
    Int128 clip = s_.clip ? 2 * static_.tensors * std::max<Int128>(round_, 4) : 0;
    Moment later;
    bool all = !s_.optimizer.in_backward || gradients_stay(s_);
    later.gradients = all ? static_.gradients : 0;
    later.optimizer = static_.optimizer;
    later.temporaries = loss_ + std::max(o.later, clip);
    later.communication = buffers_.step;
    take(Phase::step, later);
    Moment first = later;
    first.optimizer = std::min(static_.optimizer, o.first);
    first.temporaries = loss_ + std::max(o.first - first.optimizer, clip);
    take(Phase::first_step, first);
    exact_.first_step_peak = o.first;
    exact_.step_peak = o.later;
  }

  void take(Phase phase, const Moment& moment) {
    Moment& slot = moments_[static_cast<size_t>(phase)];
    if (moment.sum() > slot.sum()) slot = moment;
  }

  // What is there in every phase, beside the moment's own.
  Int128 always() const {
    return static_.trained + static_.frozen + static_.buffers + static_.master + static_.ema +
           static_.inputs;
  }

  Memory finish(bool view) {
    Memory m;
    size_t peak = 0;
    for (size_t i = 1; i < kPhases; ++i)
      if (moments_[i].sum() > moments_[peak].sum()) peak = i;
    const Moment& at = moments_[peak];
    // Groups of ranks, each with a communicator of its own.
    const plan::Spread& over = s_.parallel;
    int groups = (over.shards() > 1) + (over.replicas > 1) + (over.tensor > 1);
    bool ddp = over.ranks > 1 && over.kind == plan::Parallel::ddp;
    Int128 buckets = (ddp && !view ? static_.gradients : 0) + buffers_.always;
    bool cpu = s_.framework.backend == "cpu";
    m.peak_phase = static_cast<Phase>(peak);
    std::string phase(name_of(m.peak_phase));
    m.parameters = {exactly(static_.trained + static_.master), "trained parameters"};
    m.frozen = {exactly(static_.frozen), "parameters that are not trained"};
    m.gradients = {exactly(at.gradients), "gradients that exist at the peak (" + phase + ")"};
    m.optimizer = {exactly(at.optimizer),
                   s_.optimizer.name + ": states of every trained parameter"};
    if (static_.optimizer_paged > 0)
      m.optimizer.why += "; those in managed memory are on the device as far as it has room";
    m.ema = {exactly(static_.ema),
             s_.ema ? "a second copy of the model" : "no average of the weights"};
    m.activations = {spread(at.activations, cpu),
                     cpu ? "saved for the backward pass: rules measured to the byte"
                         : "saved for the backward pass: rules read in PyTorch 2 sources"};
    m.temporaries = {spread(at.temporaries, cpu) + off(m.peak_phase),
                     "alive for one operation at the peak (" + phase + ")"};
    m.buffers = {exactly(static_.buffers + static_.inputs) + s_.framework.workspace.value,
                 "inputs of a micro-batch" + because(s_.framework.workspace)};
    Interval communicator = Interval::point(groups) * s_.framework.communicator.value;
    if (groups == 0) communicator = Interval::point(0);
    Int128 passing = buckets + at.communication;
    m.communication = {exactly(passing) + communicator, about_communication(groups)};
    Estimate context = s_.hardware.gpu.context;
    if (const Estimate& kernels = s_.framework.kernels; kernels.value.hi > 0)
      context = {context.value + kernels.value, context.why + because(kernels)};
    m.context = measured_or(s_, "memory.context", context);
    Interval tensors = m.parameters.value + m.frozen.value + m.gradients.value + m.optimizer.value +
                       m.ema.value + m.activations.value + m.temporaries.value + m.buffers.value;
    // The terms above stay as they are estimated: nobody measures them.
    m.allocated = measured_or(s_, "memory.allocated",
                              {tensors + exactly(passing), "tensors, buckets and workspaces"});
    m.fragmentation = measured_or(
        s_, "memory.fragmentation",
        {m.allocated.value * s_.framework.fragmentation.value, s_.framework.fragmentation.why});
    Interval outside = communicator + m.context.value;
    Interval whole = m.allocated.value + m.fragmentation.value + outside;
    for (size_t i = 0; i < kPhases; ++i) {
      const Moment& p = moments_[i];
      Int128 known = always() + buckets + p.communication + p.gradients + p.optimizer;
      Interval allocated = exactly(known) + s_.framework.workspace.value +
                           spread(p.activations + p.temporaries, cpu) + off(static_cast<Phase>(i));
      m.phases[i] = allocated + allocated * s_.framework.fragmentation.value + outside;
    }
    // Where the optimizer's temporaries are an estimate, another phase may reach higher.
    bool open = !s_.optimizer.temporaries_off.is_point() && !s_.measured_of("memory.allocated");
    for (size_t i = 0; i < kPhases && open; ++i) whole = max(whole, m.phases[i]);
    for (Interval& p : m.phases) p = with_pages(p);
    m.peak = measured_or(s_, "memory.peak", {with_pages(whole), "largest in the phase " + phase});
    m.optimizer.value =
        m.optimizer.value + Interval{0, pages_beside(whole.likely), pages_beside(whole.lo)};
    exact_.before = always() + static_.optimizer;
    m.exact = exact_;
    return m;
  }

  std::string about_communication(int groups) const {
    if (groups == 0 && buffers_.always + buffers_.backward == 0 && !s_.parallel.is_fsdp())
      return "one rank";
    std::string_view what =
        s_.parallel.is_fsdp() ? "gathered parameters, gradients being reduced" : "gradient buckets";
    if (s_.parallel.kind == plan::Parallel::zero && s_.parallel.stage >= 3)
      what = "gathered parameters, gradient buckets";
    if (groups == 0) return std::string(what);
    if (s_.parallel.ranks == 1) what = "exchanges";  // of a tensor-parallel group alone
    return format("{}; buffers of {}, taken from: {}", what,
                  groups == 1 ? "one communicator" : format("{} communicators", groups),
                  s_.framework.communicator.why);
  }
  // Of states in managed memory: what the driver leaves on the device beside `rest`. It brings them
  // there for the step (prefetch_state of bitsandbytes/optim/optimizer.py: cudaMemPrefetchAsync)
  // and takes pages away where the device is full, at any time.
  double pages_beside(double rest) const {
    double room = s_.hardware.gpu.memory.value.lo - rest;
    return std::clamp(room, 0.0, real(static_.optimizer_paged));
  }
  Interval with_pages(Interval rest) const {
    return {rest.lo, rest.likely + pages_beside(rest.likely), rest.hi + pages_beside(rest.hi)};
  }
  // By how much what the optimizer's step takes may be off.
  Interval off(Phase phase) const {
    bool here = s_.optimizer.in_backward ? phase == Phase::backward : !is_pass(phase);
    return here ? s_.optimizer.temporaries_off : Interval();
  }
  static std::string because(const Estimate& e) { return e.why.empty() ? "" : "; " + e.why; }
  // CUDA: kernels' own scratch is not in the rules, and some rules are not proven.
  static Interval spread(Int128 bytes, bool cpu) {
    double b = real(bytes);
    return cpu ? Interval::point(b) : Interval{0.98 * b, b, 1.03 * b};
  }

  Estimator& estimator_;
  const plan::Settings& s_;
  const step::StaticMemory static_;
  const step::SpreadBuffers buffers_;
  const int64_t round_;
  Int128 loss_ = 0;
  Moment moments_[kPhases];
  Memory::Exact exact_;
};

}  // namespace

bool gradients_stay(const plan::Settings& s) {
  // Megatron and ZeRO-3 keep a buffer for them.
  const plan::Spread& spread = s.parallel;
  if (spread.kind == plan::Parallel::megatron) return true;
  if (spread.kind == plan::Parallel::zero && spread.stage >= 3) return true;
  return !s.framework.zero_grad_frees || views_of_buckets(s);
}

// Where the optimizer steps in the backward pass each gradient goes as it has come; those of DDP
// wait for their bucket, and one more is being filled. Where gradients go otherwise, the rank's
// share of them grows beside those of the pass.
Int128 gradients_beside_pass(const plan::Settings& s, const step::StaticMemory& memory) {
  if (s.optimizer.in_backward) {
    bool ddp = s.parallel.kind == plan::Parallel::ddp && s.parallel.ranks > 1;
    Int128 bucket = std::max(s.parallel.bucket, memory.largest_trained);
    return ddp ? std::min(memory.gradients, 2 * bucket) : 0;
  }
  bool go = step::pass_options(s, false).gradients_go != step::GradientsGo::never;
  return go ? memory.gradients : memory.gradient_surplus;
}

Memory estimate_memory(Estimator& estimator, const plan::Settings& settings) {
  return MemoryComposer(estimator, settings).compose();
}

std::string_view name_of(Phase phase) {
  constexpr std::string_view names[] = {"forward", "backward", "first_step", "step"};
  return names[static_cast<size_t>(phase)];
}

std::string_view words(Phase phase) {
  constexpr std::string_view all[] = {"in the forward pass", "in the backward pass",
                                      "in the optimizer's first step", "in the optimizer's step"};
  return all[static_cast<size_t>(phase)];
}

std::vector<std::pair<std::string, Estimate>> terms_at_peak(const Memory& m) {
  std::vector<std::pair<std::string, Estimate>> terms;
  auto add = [&](std::string name, const Estimate& e) {
    if (e.value.hi > 0) terms.emplace_back(std::move(name), e);
  };
  add("parameters", m.parameters);
  add("gradients", m.gradients);
  add("optimizer", m.optimizer);
  add("EMA", m.ema);
  add("activations", m.activations);
  add("temporaries", m.temporaries);
  add("buffers", m.buffers);
  add("communication", m.communication);
  add("frozen", m.frozen);
  add("context", m.context);
  add("fragmentation", m.fragmentation);
  return terms;
}

}  // namespace dtp::estimate
