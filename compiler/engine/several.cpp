// Results of several plans together: of a sweep, and of a series.
#include "engine/engine.h"
#include "eval/arithmetic.h"

namespace dtp::engine {

using eval::Record;
using eval::Value;
using eval::ValueKind;

// What rests on a plan that failed raises nothing more; that it does is said once.
void Engine::tell_failed(Record* plan, Span use) {
  if (!failed_told_.insert(plan).second) return;
  auto builder = evaluator_.diagnose(
      Kind::OtherPlanFailed, use,
      format("{} could not be estimated: what rests on its results is not judged",
             evaluator_.kind_name(plan)));
  evaluator_.sink().add(builder.label(plan->span, "this plan"));
}

// Whatever is supposed at this moment is supposed of each of several plans.
Run Engine::run(Record* plan, const Outcome& outcome) {
  if (eval::Supposition* now = evaluator_.supposing()) now->read(plan);
  return {plan, &outcome, &estimates(plan, outcome)};
}

// Every run of a sweep; nothing where one of them failed.
std::optional<std::vector<Run>> Engine::all_runs(Record* plan, Span use) {
  std::vector<Run> all;
  for (const plan::Variant& variant : runs(plan)) {
    const Outcome* outcome = at(variant.plan);
    if (!outcome) {
      tell_failed(variant.plan, use);
      return std::nullopt;
    }
    all.push_back(run(variant.plan, *outcome));
  }
  if (all.empty()) tell_failed(plan, use);
  if (all.empty()) return std::nullopt;
  return all;
}

// A swept plan that another one reads.
Value Engine::of_sweep(Record* plan, const eval::Field& field, Span use) {
  auto all = all_runs(plan, use);
  return all ? value_together(evaluator_, *all, field, true) : eval::poison();
}

bool Engine::add_member(const Value& member, Span at, size_t number, std::vector<Run>& out) {
  if (member.poisoned()) return false;
  bool series = member.is(ValueKind::record) && eval::is_series(member.record);
  if (series) return add_members(member.record, out);
  bool plan = member.is(ValueKind::record) && member.record->shape &&
              member.record->shape->name == sym::Plan;
  if (!plan) {
    evaluator_.error(Kind::TypeMismatch, at,
                     format("a series is made of plans, and number {} is {}", number,
                            evaluator_.describe(member)));
    return false;
  }
  asked_for_.push_back(member.record);
  llvm::ArrayRef<plan::Variant> all = runs(member.record);
  if (all.size() > 1) {
    evaluator_.sink().add(
        evaluator_
            .diagnose(Kind::BadDeclaration, at,
                      format("{} is {} side by side, and a series runs one plan after another",
                             evaluator_.kind_name(member.record),
                             counted(static_cast<Int128>(all.size()), "run")))
            .help(format("make it one: `{} {{ ... }}` sets what `each` runs over",
                         evaluator_.text(member.record->name))));
    return false;
  }
  const Outcome* outcome = all.empty() ? nullptr : this->at(member.record);
  if (outcome)
    out.push_back(run(member.record, *outcome));
  else
    tell_failed(member.record, at);
  return outcome != nullptr;
}

bool Engine::add_members(Record* series, std::vector<Run>& out) {
  Symbol field = evaluator_.names().intern("runs");
  Value list = evaluator_.field(series, field, series->span);
  if (!list.is(ValueKind::list)) return false;
  Span at = evaluator_.origin(series, field);
  const lang::Expr* written = nullptr;
  for (const eval::Preset& preset : series->preset_exprs)
    if (preset.name == field) written = preset.expr;
  if (list.items().empty()) {
    evaluator_.error(Kind::BadDeclaration, at, "a series of no plan at all");
    return false;
  }
  bool good = true;
  for (size_t i = 0; i < list.items().size(); ++i) {
    bool known = written && written->kind == lang::ExprKind::list && i < written->items.size();
    good &= add_member(list.items()[i], known ? written->items[i]->span : at, i + 1, out);
  }
  return good;
}

std::optional<std::vector<Run>> Engine::members(Record* series) {
  std::vector<Run> all;
  if (add_members(series, all)) return all;
  return std::nullopt;
}

// Runs count in units that another may not have: tokens of images. Such a sum is unknown.
Value Engine::duration_of_series(const std::vector<Run>& runs, const eval::Field& field) {
  const eval::Type* type = field.type ? evaluator_.type(field.type, field.env) : nullptr;
  if (!type || !type->shape) return eval::poison();
  Record* record = evaluator_.instantiate(type->shape, field.span);
  for (const eval::Field& member : type->shape->fields) {
    NullSink quiet;
    DiagnosticSink* before = evaluator_.swap_sink(&quiet);
    std::optional<eval::Number> sum;
    bool all = true;
    for (const Run& run : runs) {
      Value length = evaluator_.field(run.plan, sym::duration, run.plan->span);
      auto one = length.is(ValueKind::number)
                     ? extent(run.plan, *length.number, member.name, run.plan->span)
                     : std::nullopt;
      all = all && one && one->is(ValueKind::number);
      if (!all) break;
      sum = sum ? eval::add(*sum, *one->number).number : *one->number;
    }
    evaluator_.swap_sink(before);
    Value v = all && sum ? evaluator_.make_number(*sum)
                         : evaluator_.make_unknown("one of the runs does not count in it");
    record->presets.push_back({member.name, v});
    record->preset_spans.push_back({member.name, field.span});
  }
  return evaluator_.make_record(record);
}

Value Engine::of_series(Record* series, const eval::Field& field, Span use) {
  auto all = members(series);
  if (!all) {
    tell_failed(series, use);
    return eval::poison();
  }
  if (field.name == sym::duration) return duration_of_series(*all, field);
  return value_together(evaluator_, *all, field, false);
}

}  // namespace dtp::engine
