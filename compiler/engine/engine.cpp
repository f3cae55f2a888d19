#include "engine/engine.h"

#include <algorithm>
#include <unordered_set>

#include "eval/arithmetic.h"
#include "eval/guards.h"
#include "eval/hints.h"
#include "model/adapt.h"
#include "model/tensor_parallel.h"
#include "plan/derived.h"
#include "plan/reader.h"

namespace dtp::engine {

using eval::Record;
using eval::Value;
using eval::ValueKind;

std::vector<plan::ParameterInfo> Engine::trained_parameters(const graph::Graph& graph,
                                                            plan::DType type) {
  std::vector<plan::ParameterInfo> list;
  for (const graph::Parameter& p : graph.parameters) {
    if (!p.trainable) continue;
    plan::ParameterInfo info;
    info.name = p.key;
    info.type = type;
    for (const graph::Dim& d : p.shape) info.shape.push_back(d.value);
    info.elements = p.elements();
    info.count = p.count;
    list.push_back(std::move(info));
  }
  return list;
}

const Outcome* Engine::at(Record* plan) {
  return plans_.contains(plan) ? at(plan, {}) : at(plan, of_sibling(plan));
}

const Outcome* Engine::at(Record* plan, const TakenOver& taken) {
  auto [slot, fresh] = plans_.try_emplace(plan);
  if (!fresh) {
    if (slot->second.stage == Stage::settings) {
      evaluator_.error(
          Kind::EvaluationCycle, plan->span,
          format("plan `{}` reads results that depend on its own", evaluator_.text(plan->name)));
      return nullptr;
    }
    evaluator_.note_reads(slot->second.reads);
    return slot->second.outcome.get();
  }
  eval::Reads own(evaluator_);
  CollectingSink found;
  DiagnosticSink* before = evaluator_.swap_sink(&found);
  computing_.push_back(plan);
  std::unique_ptr<Outcome> outcome;
  {
    eval::OnItsOwn alone(evaluator_, plan->span);
    outcome = compute(plan, taken);
  }
  computing_.pop_back();
  evaluator_.swap_sink(before);
  add_findings(plan, found);
  PlanState& state = plans_[plan];
  state.reads = evaluator_.reads();
  state.silent = found.diagnostics().empty();
  state.stage = outcome ? Stage::done : Stage::failed;
  state.outcome = std::move(outcome);
  return state.outcome.get();
}

void Engine::add_findings(Record* plan, CollectingSink& found) {
  std::vector<Diagnostic>& all = findings_[plan];
  for (Diagnostic& d : found.diagnostics()) all.push_back(std::move(d));
}

std::vector<Diagnostic> Engine::take_findings(Record* plan) {
  auto found = findings_.find(plan);
  return found == findings_.end() ? std::vector<Diagnostic>() : std::exchange(found->second, {});
}

std::vector<std::pair<Record*, std::vector<Diagnostic>>> Engine::untold() {
  std::vector<std::pair<Record*, std::vector<Diagnostic>>> all;
  all.reserve(asked_for_.size());
  for (Record* plan : asked_for_) all.push_back({plan, take_findings(plan)});
  asked_for_.clear();
  return all;
}

llvm::ArrayRef<plan::Variant> Engine::runs(Record* plan) {
  auto [found, fresh] = sweeps_.try_emplace(plan);
  if (!fresh) return found->second;
  if (is_one_of_several(plan)) {
    found->second.push_back({"", plan});
    return found->second;
  }
  CollectingSink told;
  DiagnosticSink* before = evaluator_.swap_sink(&told);
  plan::OverrideMaker make(evaluator_.names(), evaluator_.arena());
  std::vector<plan::Variant> all;
  {
    eval::OnItsOwn alone(evaluator_, plan->span);
    all = plan::variants(evaluator_, make, plan);
  }
  evaluator_.swap_sink(before);
  add_findings(plan, told);
  if (all.size() > 1)
    for (const plan::Variant& variant : all) sweep_of_[variant.plan] = plan;
  return sweeps_[plan] = std::move(all);
}

// The states are those of the parameters that the optimizer steps on: where there is a master copy,
// of that.
bool Engine::read_states(plan::Reader& reader, Outcome& outcome, const TakenOver& taken) {
  auto type = [](const plan::Settings& s) {
    return s.precision.master.value_or(s.precision.parameters);
  };
  plan::Optimizer& own = outcome.settings.optimizer;
  if (taken.states && taken.states->built == outcome.built &&
      taken.states->settings.optimizer.step == own.step &&
      taken.states->settings.optimizer.in_backward == own.in_backward &&
      type(taken.states->settings) == type(outcome.settings)) {
    const plan::Optimizer& other = taken.states->settings.optimizer;
    own.states = other.states;
    own.temporaries = other.temporaries;
    own.temporaries_off = other.temporaries_off;
    own.temporaries_each = other.temporaries_each;
    own.flops = other.flops;
    return true;
  }
  auto trained = trained_parameters(outcome.graph(), type(outcome.settings));
  return reader.read_optimizer_states(trained, outcome.settings);
}

// How the graph of a rank is cut from the whole one.
static model::TensorParallel tensor_group(const std::optional<plan::Settings>& settings) {
  if (!settings || settings->parallel.tensor == 1) return {};
  const plan::Spread& spread = settings->parallel;
  return {spread.tensor, spread.sequence, spread.kind == plan::Parallel::megatron};
}

// The graph of one step on one rank. Null: there is none, and a mistake tells why.
std::shared_ptr<Built> Engine::build(Record* plan, const std::optional<plan::Settings>& settings,
                                     const TakenOver& taken, ModelFacts& facts_of_model) {
  const model::TensorParallel group = tensor_group(settings);
  if (taken.graph) facts_of_model = taken.graph->model;
  graph::Adaptation adaptation = settings ? settings->adaptation : graph::Adaptation{};
  const bool as_other = taken.graph && taken.graph->built->adaptation == adaptation;
  if (as_other && taken.graph->built->group == group) return taken.graph->built;
  std::optional<graph::Graph> graph;
  const bool adapted = as_other && taken.graph->built->group == model::TensorParallel{};
  if (adapted)
    graph = taken.graph->graph();
  else
    graph = model::build_step_graph(evaluator_, natives_, plan);
  if (!graph || !settings) return nullptr;
  if (!as_other) {
    const Value model = evaluator_.field(plan, sym::model, plan->span);
    if (const ModelFacts* f = model.is(ValueKind::record) ? facts(model.record) : nullptr)
      facts_of_model = *f;
    if (!facts_of_model.open_sizes.empty())
      facts_of_model.forward_macs = estimate::forward_macs(*graph);
  }
  if (!adapted && !adaptation.empty()) {
    model::adapt(*graph, adaptation);
    facts_of_model.parameters = graph->parameter_count();
    facts_of_model.trainable = graph->trainable_count();
  }
  if (group.ranks > 1 && !divide(plan, group, *graph)) return nullptr;
  return std::make_shared<Built>(std::move(*graph), std::move(adaptation), group);
}

std::unique_ptr<Outcome> Engine::compute(Record* plan, const TakenOver& taken) {
  evaluator_.validate(plan, "plan");
  plan::Reader reader(evaluator_, plan, kept_);
  std::optional<plan::Settings> settings = reader.read();
  // What is wrong with the model stands whatever is left to be chosen elsewhere.
  auto apart = [&](auto find) {
    eval::Reads own(evaluator_);
    return find();
  };
  auto outcome = std::make_unique<Outcome>();
  // The model is looked at even where a setting is wrong: its mistakes are independent of it.
  outcome->built = apart([&] { return build(plan, settings, taken, outcome->model); });
  std::string no_length;
  std::optional<eval::Number> duration = apart([&] { return reader.duration(no_length); });
  if (!settings || !outcome->built || (!duration && no_length.empty())) return nullptr;
  reader.check_effects(outcome->graph(), *settings);
  outcome->settings = std::move(*settings);
  outcome->settings.length_unknown = std::move(no_length);
  if (!read_states(reader, *outcome, taken)) return nullptr;
  estimate::Estimator& estimator = outcome->built->estimator;
  outcome->estimates = estimator.estimate(outcome->settings);
  if (!calibrate(plan, *outcome, estimator)) return nullptr;
  return duration ? set_length(plan, *duration, std::move(outcome), estimator) : std::move(outcome);
}

// Makes of a whole graph that of one rank of a tensor-parallel group; false after a mistake.
bool Engine::divide(Record* plan, const model::TensorParallel& group, graph::Graph& graph) {
  const Value parallel = evaluator_.field(plan, sym::parallel, plan->span);
  Span at = evaluator_.origin(plan, sym::parallel);
  if (parallel.is(ValueKind::record))
    if (Span own = evaluator_.origin(parallel.record, evaluator_.names().intern("tensor"));
        own.valid())
      at = own;
  if (model::has_experts(graph)) {
    evaluator_.error(Kind::UnsupportedSetting, at,
                     format("`tensor = {}` over the experts of a model is read, but not estimated "
                            "in this version",
                            group.ranks));
    return false;
  }
  if (!model::says_shard(graph))
    evaluator_.sink().add(
        evaluator_
            .diagnose(Kind::SettingWithoutEffect, at,
                      format("`tensor = {}` divides nothing: each rank computes the whole model",
                             group.ranks))
            .help("in the model, `Linear(n, shard = column)` and `shard = row` say how a group "
                  "of ranks shares a weight"));
  auto undivided = model::divide(graph, group);
  if (!undivided) return true;
  evaluator_.sink().add(
      evaluator_
          .diagnose(Kind::DoesNotDivide, at,
                    format("{}, and {} does not divide over {} tensor-parallel "
                           "ranks",
                           undivided->what, with_thousands(undivided->size), group.ranks))
          .label(undivided->span, "made here"));
  return false;
}

// A duration in steps or data is known now; of one in time the steps follow from the step's time.
std::unique_ptr<Outcome> Engine::set_length(Record* plan, const eval::Number& duration,
                                            std::unique_ptr<Outcome> outcome,
                                            estimate::Estimator& estimator) {
  constexpr double kMostSteps = 1e15;
  plans_[plan].outcome = std::move(outcome);
  Span at = evaluator_.origin(plan, sym::duration);
  auto steps = extent(plan, duration, evaluator_.names().intern("steps"), at);
  outcome = std::move(plans_[plan].outcome);
  if (!steps || !steps->is(ValueKind::number)) return nullptr;
  if (steps->number->interval.hi > kMostSteps) {
    evaluator_.error(Kind::OutOfRange, at,
                     format("`duration` comes to {}, and 10^15 are the most that are counted",
                            evaluator_.print(*steps)));
    return nullptr;
  }
  if (steps->number->interval.hi < 1) {
    evaluator_.error(Kind::OutOfRange, at,
                     format("`duration` comes to {}, and one step is the least that is run",
                            evaluator_.print(*steps)));
    return nullptr;
  }
  outcome->settings.steps = steps->number->interval;
  if (duration.dimension == units::kTimeDimension) outcome->settings.run_time = duration.interval;
  estimator.estimate_run(outcome->settings, outcome->estimates);
  return outcome;
}

bool Engine::read_launch(Record* plan) {
  auto found = plans_.find(plan);
  if (found == plans_.end() || !found->second.outcome) return false;
  plan::Reader reader(evaluator_, plan, kept_);
  return reader.read_launch(found->second.outcome->settings);
}

std::optional<plan::Training> Engine::read_training(Record* plan) {
  plan::Reader reader(evaluator_, plan, kept_);
  return reader.read_training([&](const eval::Number& given, Span at) -> std::optional<double> {
    auto steps = extent(plan, given, evaluator_.names().intern("steps"), at);
    if (!steps || !steps->is(ValueKind::number)) return std::nullopt;
    return steps->number->interval.likely;
  });
}

// What a model is made of, where nothing of a plan takes part in it: plans share such models.
std::vector<const void*> Engine::made_of(const Record* model) {
  if (!model->presets.empty()) return {};
  std::vector<const void*> parts{model->shape};
  for (const eval::Layer& layer : model->layers) {
    for (const eval::Env* env = layer.env; env; env = env->parent)
      if (env->record || !env->locals.empty()) return {};
    parts.push_back(layer.body);
  }
  return parts;
}

namespace {

std::vector<std::string> parts_of(const graph::Graph& graph) {
  std::vector<std::string> parts;
  std::unordered_set<std::string> seen;
  for (const graph::Parameter& p : graph.parameters) {
    std::string part = p.key.substr(0, p.key.rfind('.'));
    if (p.saved && seen.insert(part).second) parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

// As records, so that a rule may ask each for its `name` and for the last `word` of it.
Value Engine::parts_value(const ModelFacts& facts) {
  llvm::SmallVector<Value, 16> list;
  Symbol name = evaluator_.names().intern("name"), word = evaluator_.names().intern("word");
  for (const std::string& part : facts.parts) {
    auto* record = evaluator_.make<Record>();
    std::string_view last = std::string_view(part).substr(part.rfind('.') + 1);
    record->presets = {{name, evaluator_.make_string(part)}, {word, evaluator_.make_string(last)}};
    record->preset_spans = {{name, {}}, {word, {}}};
    list.push_back(evaluator_.make_record(record));
  }
  return evaluator_.make_list(list);
}

const ModelFacts* Engine::facts(Record* model) {
  auto [slot, fresh] = facts_.try_emplace(model);
  if (!fresh) {
    evaluator_.note_reads(slot->second.reads);
    return slot->second.facts;
  }
  std::vector<const void*> parts = made_of(model);
  auto shared = shared_facts_.find(parts);
  if (shared != shared_facts_.end()) return slot->second.facts = shared->second;
  eval::Reads own(evaluator_);
  counted_.push_back(model);
  std::string open_sizes;
  std::optional<graph::Graph> graph =
      model::build_model_graph(evaluator_, natives_, model, open_sizes);
  counted_.pop_back();
  facts_[model].reads = evaluator_.reads();
  if (!graph) return nullptr;
  ModelFacts& made = kept_facts_.emplace_back();
  made.parameters = graph->parameter_count();
  made.trainable = graph->trainable_count();
  made.forward_macs = estimate::forward_macs(*graph);
  made.parts = parts_of(*graph);
  made.open_sizes = std::move(open_sizes);
  if (!parts.empty()) shared_facts_.emplace(std::move(parts), &made);
  return facts_[model].facts = &made;
}

Value Engine::apply_model(Record* model, llvm::ArrayRef<eval::EvaluatedArgument> arguments,
                          const eval::CallSite& site) {
  if (!natives_.body) {
    auto builder =
        evaluator_.diagnose(Kind::NotCallable, site.callee_span,
                            format("{} is applied to tensors: that can be done inside a model only",
                                   evaluator_.kind_name(model)));
    eval::Hints(evaluator_).called(builder, site.callee_span, site.span, arguments);
    evaluator_.sink().add(std::move(builder));
    return eval::poison();
  }
  // An instance, its scopes and its names stay until the plan is judged: a call costs more of the
  // budget than an expression.
  constexpr uint64_t kUnitsOfACall = 120;
  if (!evaluator_.spend(site.span, kUnitsOfACall)) return eval::poison();
  return natives_.body->apply(model, arguments, site);
}

std::optional<Value> Engine::method(Record* model, Symbol name) {
  return natives_.method(evaluator_, model, name);
}

Value Engine::tensor_operator(lang::Op op, const Value& a, const Value& b, Span span) {
  return natives_.body ? natives_.body->tensor_operator(op, a, b, span) : eval::poison();
}

// A model whose size rests on facts of a model of its own kind that it makes.
bool Engine::counts_itself(Record* model, Span use) {
  bool counts = llvm::any_of(counted_, [&](Record* open) {
    bool same = open->shape == model->shape;
    return open == model || (same && open->shape->decl->span.contains(model->span));
  });
  if (counts)
    evaluator_.sink().add(
        evaluator_
            .diagnose(Kind::EvaluationCycle, use,
                      format("{} depends on its own facts", evaluator_.kind_name(model)))
            .label(model->shape->span, "declared here"));
  return counts;
}

std::optional<Value> Engine::model_fact(Record* model, Symbol fact, Span use) {
  std::string_view name = evaluator_.text(fact);
  if (name != "parameters" && name != "trainable" && name != "flops" && name != "parts")
    return std::nullopt;
  if (counts_itself(model, use)) return eval::poison();
  const ModelFacts* f = facts(model);
  if (!f) return eval::poison();
  if (name == "parameters") return evaluator_.make_int(f->parameters);
  if (name == "trainable") return evaluator_.make_int(f->trainable);
  if (name == "parts") return parts_value(*f);
  if (!f->open_sizes.empty())
    return evaluator_.error(
        Kind::MissingInput, use,
        format("the arithmetic of {} depends on {}, which only the data of a plan gives",
               evaluator_.kind_name(model), f->open_sizes));
  return evaluator_.make_number(eval::real_number(2 * f->forward_macs, units::kWorkDimension));
}

std::optional<Value> Engine::derived(Record* record, const eval::Field& field, Span use) {
  return plan::derived_field(evaluator_, record, field, use);
}

Value Engine::estimated(Record* plan, const eval::Field& field, Span use) {
  if (eval::is_series(plan)) return of_series(plan, field, use);
  if (plan->shape && plan->shape->name == sym::Plan) return estimated_of_plan(plan, field, use);
  return evaluator_.error(
      Kind::NotEvaluated, use,
      format("`{}` is declared `estimated`, and only the results of a plan are estimated",
             evaluator_.text(field.name)));
}

// Plans that need each other's results to be estimated at all.
Value Engine::ring(Record* plan, Span use) {
  std::string around;
  for (auto p = std::find(computing_.begin(), computing_.end(), plan); p != computing_.end(); ++p) {
    around += format("{} -> ", evaluator_.text((*p)->name));
    failed_told_.insert(*p);
  }
  return evaluator_.error(Kind::EvaluationCycle, use,
                          format("plans read each other's results in a ring: {}{}", around,
                                 evaluator_.text(plan->name)));
}

Value Engine::estimated_of_plan(Record* plan, const eval::Field& field, Span use) {
  std::string_view name = evaluator_.text(field.name);
  if (plan == evaluator_.choices_of()) return too_early(name, use, "a choice");
  auto found = plans_.find(plan);
  if (found != plans_.end() && found->second.stage == Stage::settings && !found->second.outcome)
    return computing_.back() == plan ? too_early(name, use, "this field") : ring(plan, use);
  bool here = found != plans_.end() && found->second.outcome;
  if (here) evaluator_.note_reads(found->second.reads);
  bool other = found == plans_.end();
  if (other && !plan->chosen) asked_for_.push_back(plan);
  if (!here && runs(plan).size() != 1) return of_sweep(plan, field, use);
  const Outcome* outcome = here ? found->second.outcome.get() : at(plan);
  if (!outcome && plan == check_only_) return placeholder_value(evaluator_, field);
  if (!outcome) {
    tell_failed(plan, use);
    return eval::poison();
  }
  bool spent = field.name == sym::cost || field.name == sym::energy;
  if (!spent || !is_one_of_several(plan))
    return result_value(evaluator_, estimates(plan, *outcome), field);
  auto all = all_runs(sweep_of_[plan], use);
  return all ? result_value(evaluator_, estimates(plan, *outcome), field, *all) : eval::poison();
}

Value Engine::too_early(std::string_view result, Span use, const char* what) {
  evaluator_.sink().add(
      evaluator_
          .diagnose(Kind::EstimatedTooEarly, use,
                    format("`{}` is known only after this plan is estimated, and {} is an input of "
                           "that estimate",
                           result, what))
          .help("use `choose` with a `require`, or give the field a value"));
  return eval::poison();
}

std::optional<Value> Engine::extent(Record* plan, const eval::Number& extent, Symbol wanted,
                                    Span use) {
  struct Context {
    Engine* engine;
    Record* plan;
  } context{this, plan};
  auto step_time = [](void* raw, Span at) -> Value {
    auto* c = static_cast<Context*>(raw);
    Engine& engine = *c->engine;
    auto found = engine.plans_.find(c->plan);
    const Outcome* outcome = found != engine.plans_.end() ? found->second.outcome.get() : nullptr;
    if (outcome) engine.evaluator_.note_reads(found->second.reads);
    bool early = found != engine.plans_.end() && found->second.stage == Stage::settings;
    if (!outcome && !early) outcome = engine.at(c->plan);
    if (!outcome && !early) return eval::poison();  // it cannot be estimated: told
    if (!outcome)
      return engine.evaluator_.error(Kind::ExtentNotKnown, at,
                                     "a time becomes steps only after this plan is estimated: the "
                                     "step's time is not known yet");
    engine.evaluator_.note_estimate();
    if (engine.evaluator_.supposing()) engine.evaluator_.supposing()->read(c->plan);
    return engine.evaluator_.make_number(
        eval::interval_number(engine.estimates(c->plan, *outcome).time.step.value,
                              units::kTimeDimension, "from the time of a step"));
  };
  return plan::convert_extent(evaluator_, plan, extent, evaluator_.text(wanted), use, step_time,
                              &context);
}

}  // namespace dtp::engine
