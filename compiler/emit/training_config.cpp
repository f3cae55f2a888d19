#include "emit/training_config.h"

#include "emit/training_graph.h"
#include "estimate/memory.h"
#include "step/settings_options.h"
#include "step/static_memory.h"

namespace dtp::emit {
namespace {

int64_t whole(Int128 bytes) { return static_cast<int64_t>(bytes); }

runtime::Sequence sequence_of(step::Sequence s) { return {s.first, s.count}; }

void add_events(const step::Pass& pass, const graph::Graph& graph, runtime::Predicted& to) {
  for (const step::Label& l : pass.labels)
    to.labels.push_back({std::string(l.operation), graph.path(l.path), l.backward});
  for (const step::Event& e : pass.events)
    to.events.push_back({e.taken ? e.bytes : -e.bytes, e.label, e.power});
  for (const step::Piece& p : pass.pieces)
    to.pieces.push_back({p.count, p.begin, p.end, p.first_child, p.children});
  to.forward = sequence_of(pass.forward);
  to.backward = sequence_of(pass.backward);
  to.release = sequence_of(pass.release);
}

runtime::Predicted predicted(const engine::Outcome& outcome) {
  const plan::Settings& settings = outcome.settings;
  const step::StaticMemory memory = step::static_memory(outcome.graph(), settings);
  const estimate::Memory::Exact& exact = outcome.estimates.memory.exact;
  const Interval& step = outcome.estimates.time.step.value;
  runtime::Predicted p;
  p.model = whole(memory.trained + memory.frozen + memory.buffers);
  p.before = whole(exact.before);
  p.forward_peak = whole(exact.forward_peak);
  p.saved = whole(exact.saved);
  p.backward_peak = whole(exact.backward_peak);
  p.after_backward = whole(exact.after_backward);
  p.first_step_peak = whole(exact.first_step_peak);
  p.step_peak = whole(exact.step_peak);
  p.step_seconds_low = step.lo;
  p.step_seconds = step.likely;
  p.step_seconds_high = step.hi;
  step::PassOptions options = step::pass_options(settings, estimate::gradients_stay(settings));
  add_events(outcome.built->estimator.pass(options), outcome.graph(), p);
  return p;
}

runtime::Optimizer optimizer_of(const plan::Training& t) {
  runtime::Optimizer out;
  out.kind = t.optimizer == "Sgd" ? runtime::OptimizerKind::sgd : runtime::OptimizerKind::adam;
  out.lr = t.lr;
  out.weight_decay = t.weight_decay;
  if (out.kind == runtime::OptimizerKind::adam) {
    out.beta1 = t.beta1;
    out.beta2 = t.beta2;
    out.eps = t.eps;
  }
  out.decoupled = t.decoupled;
  out.amsgrad = t.amsgrad;
  out.momentum = t.momentum;
  out.nesterov = t.nesterov;
  return out;
}

runtime::Schedule schedule_of(const plan::Training& t, int64_t steps) {
  using Kind = runtime::ScheduleKind;
  runtime::Schedule out;
  out.kind = t.schedule == "linear"   ? Kind::linear
             : t.schedule == "cosine" ? Kind::cosine
             : t.schedule == "steps"  ? Kind::steps
                                      : Kind::constant;
  out.warmup = t.warmup;
  out.decay = t.decay.value_or(steps);
  out.floor = t.floor;
  out.at = t.at;
  out.factor = t.factor;
  return out;
}

}  // namespace

runtime::TrainingConfig training_config(const engine::Outcome& outcome,
                                        const plan::Training& training, std::string_view version) {
  const plan::Settings& s = outcome.settings;
  step::PassOptions options = step::pass_options(s, false);
  runtime::TrainingConfig c;
  c.plan = s.plan_name;
  c.made_by = "dtpc " + std::string(version);
  c.framework = s.framework.version;
  c.graph = training_graph(outcome.graph(), options.mechanisms.calls_keep_arguments);
  c.micro_batch = s.batch.micro;
  c.accumulation = s.batch.accumulation;
  c.ranks = s.hardware.gpus();
  c.bucket = whole(s.parallel.bucket);
  c.first_bucket = whole(s.parallel.first_bucket);
  c.bucket_views = s.parallel.gradient_as_bucket_view;
  c.parameters = graph::name_of(options.parameters);
  c.frozen = graph::name_of(options.frozen);
  c.compute = graph::name_of(options.compute);
  c.autocast = options.autocast;
  c.recompute = options.recompute;
  c.zero_grad_frees = s.framework.zero_grad_frees;
  c.steps = s.steps ? static_cast<int64_t>(s.steps->likely + 0.5) : 1;
  c.optimizer = optimizer_of(training);
  c.schedule = schedule_of(training, c.steps);
  c.clip = training.clip;
  c.ema = s.ema;
  c.predicted = predicted(outcome);
  return c;
}

}  // namespace dtp::emit
