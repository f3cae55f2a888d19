#include "engine/engine.h"

#include <algorithm>

#include "eval/arithmetic.h"
#include "eval/hints.h"
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
  auto [slot, fresh] = plans_.try_emplace(plan);
  if (!fresh) {
    if (slot->second.stage == Stage::settings) {
      evaluator_.error(
          Kind::EvaluationCycle, plan->span,
          format("plan `{}` reads results that depend on its own", evaluator_.text(plan->name)));
      return nullptr;
    }
    return slot->second.outcome.get();
  }
  computing_.push_back(plan);
  std::unique_ptr<Outcome> outcome = compute(plan);
  computing_.pop_back();
  PlanState& state = plans_[plan];
  state.stage = outcome ? Stage::done : Stage::failed;
  state.outcome = std::move(outcome);
  return state.outcome.get();
}

std::unique_ptr<Outcome> Engine::compute(Record* plan) {
  evaluator_.validate(plan, "plan");
  plan::Reader reader(evaluator_, plan);
  std::optional<plan::Settings> settings = reader.read();
  // The model is looked at even where a setting is wrong: its mistakes are independent of it.
  std::optional<graph::Graph> graph = model::build_step_graph(evaluator_, natives_, plan);
  std::optional<eval::Number> duration = reader.duration();
  if (!settings || !graph || !duration) return nullptr;
  reader.check_effects(*graph, *settings);
  auto outcome = std::make_unique<Outcome>();
  outcome->settings = std::move(*settings);
  outcome->graph = std::move(*graph);
  const Value model = evaluator_.field(plan, sym::model, plan->span);
  if (const ModelFacts* f = model.is(ValueKind::record) ? facts(model.record) : nullptr)
    outcome->model = *f;
  if (!outcome->model.open_sizes.empty())
    outcome->model.forward_macs = estimate::forward_macs(outcome->graph);
  auto trained = trained_parameters(outcome->graph, outcome->settings.precision.parameters);
  if (!reader.read_optimizer_states(trained, outcome->settings)) return nullptr;
  estimate::Estimator estimator(outcome->graph);
  outcome->estimates = estimator.estimate(outcome->settings);
  return set_length(plan, *duration, std::move(outcome), estimator);
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
  outcome->estimates = estimator.estimate(outcome->settings);
  return outcome;
}

bool Engine::read_launch(Record* plan) {
  auto found = plans_.find(plan);
  if (found == plans_.end() || !found->second.outcome) return false;
  plan::Reader reader(evaluator_, plan);
  return reader.read_launch(found->second.outcome->settings);
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

const ModelFacts* Engine::facts(Record* model) {
  auto [slot, fresh] = facts_.try_emplace(model);
  if (!fresh) return slot->second;
  std::vector<const void*> parts = made_of(model);
  auto shared = shared_facts_.find(parts);
  if (shared != shared_facts_.end()) return slot->second = shared->second;
  counted_.push_back(model);
  std::string open_sizes;
  std::optional<graph::Graph> graph =
      model::build_model_graph(evaluator_, natives_, model, open_sizes);
  counted_.pop_back();
  if (!graph) return nullptr;
  ModelFacts& made = kept_facts_.emplace_back();
  made.parameters = graph->parameter_count();
  made.trainable = graph->trainable_count();
  made.forward_macs = estimate::forward_macs(*graph);
  made.open_sizes = std::move(open_sizes);
  if (!parts.empty()) shared_facts_.emplace(std::move(parts), &made);
  return facts_[model] = &made;
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
  auto inside = [](Span outer, Span inner) {
    return outer.file == inner.file && outer.begin <= inner.begin && inner.end <= outer.end;
  };
  for (Record* open : counted_) {
    bool made_inside = open->shape == model->shape && inside(open->shape->decl->span, model->span);
    if (open != model && !made_inside) continue;
    evaluator_.sink().add(
        evaluator_
            .diagnose(Kind::EvaluationCycle, use,
                      format("{} depends on its own facts", evaluator_.kind_name(model)))
            .label(model->shape->span, "declared here"));
    return true;
  }
  return false;
}

std::optional<Value> Engine::model_fact(Record* model, Symbol fact, Span use) {
  std::string_view name = evaluator_.text(fact);
  if (name != "parameters" && name != "trainable" && name != "flops") return std::nullopt;
  if (counts_itself(model, use)) return eval::poison();
  const ModelFacts* f = facts(model);
  if (!f) return eval::poison();
  if (name == "parameters") return evaluator_.make_int(f->parameters);
  if (name == "trainable") return evaluator_.make_int(f->trainable);
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
  if (!plan->shape || plan->shape->name != sym::Plan)
    return evaluator_.error(
        Kind::NotEvaluated, use,
        format("`{}` is declared `estimated`, and only the results of a plan are estimated",
               evaluator_.text(field.name)));
  auto found = plans_.find(plan);
  if (found != plans_.end() && found->second.stage == Stage::settings && !found->second.outcome) {
    std::string_view name = evaluator_.text(field.name);
    if (computing_.back() != plan) {
      std::string ring;
      for (auto p = std::find(computing_.begin(), computing_.end(), plan); p != computing_.end();
           ++p)
        ring += format("{} -> ", evaluator_.text((*p)->name));
      return evaluator_.error(Kind::EvaluationCycle, use,
                              format("plans read each other's results in a ring: {}{}", ring,
                                     evaluator_.text(plan->name)));
    }
    evaluator_.sink().add(evaluator_
                              .diagnose(Kind::EstimatedTooEarly, use,
                                        format("`{}` is known only after this plan is estimated, "
                                               "and this field is an input of that estimate",
                                               name))
                              .help("use `choose` with a `require`, or give the field a value"));
    return eval::poison();
  }
  const Outcome* outcome =
      found != plans_.end() && found->second.outcome ? found->second.outcome.get() : at(plan);
  if (outcome) return result_value(evaluator_, estimates(plan, *outcome), field);
  return plan == check_only_ ? placeholder_value(evaluator_, field) : eval::poison();
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
    if (!outcome && (found == engine.plans_.end() || found->second.stage != Stage::settings))
      outcome = engine.at(c->plan);
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
