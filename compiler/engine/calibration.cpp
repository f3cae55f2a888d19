// What a trial run measured beside what is estimated: `calibration = [trial]`.
#include <algorithm>

#include "base/nearest_name.h"
#include "engine/engine.h"
#include "estimate/fields.h"
#include "eval/arithmetic.h"

namespace dtp::engine {

using eval::Record;
using eval::Value;
using eval::ValueKind;

namespace {

const estimate::ResultField* result_named(std::string_view path) {
  for (const estimate::ResultField& f : estimate::result_fields())
    if (path.starts_with(f.group) && path.size() == f.group.size() + 1 + f.name.size() &&
        path[f.group.size()] == '.' && path.ends_with(f.name))
      return &f;
  return nullptr;
}

// Money is measured in any currency.
bool fits(const estimate::ResultField& field, const units::Dimension& dimension,
          const units::UnitTable& units) {
  return field.quantity == estimate::Quantity::money
             ? units.is_money(dimension)
             : dimension == estimate::dimension_of(field.quantity, {});
}

// Which of the figures takes the place of the estimate where it was measured of this very plan.
// What follows from them (the total, the cost) follows from the measured ones then.
constexpr std::string_view kUsed[] = {"memory.peak", "memory.allocated", "time.step"};

// Whether nothing that a step costs tells the two apart: the same tensors, the same work, the same
// machine.
bool same_step(const Outcome& a, const Outcome& b) {
  if (a.model.parameters != b.model.parameters || a.model.trainable != b.model.trainable)
    return false;
  for (const estimate::ResultField& f : estimate::result_fields()) {
    bool of_a_step = f.group == "memory" || f.group == "time" || f.group == "throughput" ||
                     f.group == "utilization" || f.group == "network";
    if (!of_a_step || estimate::is_total(f) || f.name == "epoch") continue;
    if (!(f.of(a.estimated_alone()).value == f.of(b.estimates).value)) return false;
  }
  return a.settings.hardware.gpu.name == b.settings.hardware.gpu.name &&
         a.settings.hardware.gpus() == b.settings.hardware.gpus() &&
         a.settings.batch.global == b.settings.batch.global;
}

std::string text_of(eval::Evaluator& ev, Record* record, std::string_view field) {
  Value v = ev.field(record, ev.names().intern(field), record->span);
  if (v.is(ValueKind::string)) return std::string(v.string());
  return v.is(ValueKind::number) ? ev.print(v) : std::string();
}

Value field_of(eval::Evaluator& ev, Record* record, std::string_view field) {
  return ev.field(record, ev.names().intern(field), record->span);
}

}  // namespace

bool Engine::check_measured(Record* trial) {
  Value values = field_of(evaluator_, trial, "values");
  if (!values.is(ValueKind::record)) return false;
  Record* map = values.record;
  const void* text = map->layers.empty() ? nullptr : map->layers.back().body;
  auto [known, fresh] = measured_checked_.try_emplace(text, true);
  if (!fresh) return known->second;
  bool good = true;
  for (Symbol key : evaluator_.keys(map)) {
    std::string_view path = evaluator_.text(key);
    Span at = evaluator_.origin(map, key);
    Value v = evaluator_.field(map, key, at);
    const estimate::ResultField* field = result_named(path);
    if (v.poisoned()) {
      good = false;
    } else if (!field) {
      std::vector<std::string> all;
      for (const estimate::ResultField& f : estimate::result_fields())
        all.push_back(format("{}.{}", f.group, f.name));
      std::vector<std::string_view> names(all.begin(), all.end());
      auto builder = evaluator_.diagnose(Kind::UnknownMember, at,
                                         format("\"{}\" is no result of a plan", path));
      if (std::string_view near = nearest_name(path, names); !near.empty())
        builder.help(format("did you mean \"{}\"?", near));
      else
        builder.note("`dtpc list results` shows all that a plan has");
      evaluator_.sink().add(std::move(builder));
      good = false;
    } else if (!v.is(ValueKind::number)) {
      evaluator_.error(
          Kind::TypeMismatch, at,
          format("what was measured is a number, and \"{}\" is {}", path, evaluator_.describe(v)));
      good = false;
    } else if (!fits(*field, v.number->dimension, evaluator_.units())) {
      evaluator_.error(Kind::DimensionMismatch, at,
                       format("\"{}\" is {}, and {} is of another dimension", path, field->doc,
                              evaluator_.describe(v)));
      good = false;
    } else if (v.number->interval.lo < 0) {
      evaluator_.error(Kind::OutOfRange, at,
                       format("\"{}\" is {}, and must not be below 0", path, evaluator_.print(v)));
      good = false;
    }
  }
  return measured_checked_[text] = good;
}

bool Engine::calibrate(Record* plan, Outcome& outcome, estimate::Estimator& estimator) {
  Value runs = evaluator_.field(plan, evaluator_.names().intern("calibration"), plan->span);
  if (runs.poisoned()) return false;
  if (!runs.is(ValueKind::list)) return true;
  Span at = evaluator_.origin(plan, evaluator_.names().intern("calibration"));
  bool good = true;
  for (const Value& v : runs.items())
    if (v.is(ValueKind::record)) good = compare(v.record, at, outcome) && good;
  if (good && !outcome.settings.measured.empty()) {
    outcome.uncalibrated = std::move(outcome.estimates);
    outcome.estimates = estimator.estimate(outcome.settings);
  }
  return good;
}

bool Engine::compare(Record* trial, Span at, Outcome& outcome) {
  if (!check_measured(trial)) return false;
  Value of = field_of(evaluator_, trial, "of");
  std::string run =
      format("{} steps on {}, {}", text_of(evaluator_, trial, "steps"),
             text_of(evaluator_, trial, "machine"), text_of(evaluator_, trial, "date"));
  if (!of.is(ValueKind::record)) return false;
  const Outcome* ran = this->at(of.record);
  if (!ran) {
    evaluator_.sink().add(evaluator_.diagnose(
        Kind::MeasuredElsewhere, at,
        format("plan `{}`, of which this was measured, could not be estimated: it is not compared",
               evaluator_.text(of.record->name))));
    return true;
  }
  bool same = same_step(*ran, outcome);
  if (!same)
    evaluator_.sink().add(
        evaluator_
            .diagnose(Kind::MeasuredElsewhere, at,
                      format("this was measured of `{}`, a step of which is another one than this "
                             "plan's: it is shown and not used",
                             evaluator_.text(of.record->name)))
            .note("the plan that ran", of.record->span));
  Record* map = field_of(evaluator_, trial, "values").record;
  for (Symbol key : evaluator_.keys(map)) {
    std::string_view path = evaluator_.text(key);
    const estimate::ResultField& field = *result_named(path);
    if (!is_known(field, ran->estimated_alone())) continue;
    const eval::Number& n = *evaluator_.field(map, key, at).number;
    Comparison c;
    c.path = std::string(path);
    c.trial = run;
    c.measured = n.interval;
    c.estimated = field.of(ran->estimated_alone());
    c.dimension = n.dimension;
    c.inside =
        c.estimated.value.lo <= n.interval.likely && n.interval.likely <= c.estimated.value.hi;
    c.used = same && std::find(std::begin(kUsed), std::end(kUsed), path) != std::end(kUsed);
    if (c.used) outcome.settings.measured.push_back({c.path, {n.interval, "measured: " + run}});
    if (!c.inside) {
      Value estimated = evaluator_.make_number(
          eval::interval_number(c.estimated.value, c.dimension, c.estimated.why));
      evaluator_.sink().add(evaluator_
                                .diagnose(Kind::OutsideEstimate, evaluator_.origin(map, key),
                                          format("`{}` was measured as {}, and the estimate is {}",
                                                 path, evaluator_.print(evaluator_.make_number(n)),
                                                 evaluator_.print(estimated)))
                                .note("the plan that ran", of.record->span));
    }
    outcome.comparisons.push_back(std::move(c));
  }
  return true;
}

}  // namespace dtp::engine
