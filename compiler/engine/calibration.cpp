// What a trial run measured beside what is estimated: `calibration = [trial]`.
#include <optional>

#include "base/out.h"
#include "engine/engine.h"
#include "engine/step_facts.h"
#include "estimate/fields.h"
#include "estimate/measured.h"
#include "eval/arithmetic.h"

namespace dtp::engine {

using eval::Record;
using eval::Value;
using eval::ValueKind;

namespace {

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

// Where the plan is another one than the record says that ran: what differs, in words.
std::optional<std::string> other_fact(eval::Evaluator& ev, Record* ran, const Outcome& outcome) {
  for (Symbol key : ev.keys(ran)) {
    Value said = ev.field(ran, key, ran->span);
    for (const StepFact& fact : step_facts()) {
      if (fact.name != ev.text(key) || !said.is(ValueKind::string)) continue;
      if (std::string here = fact.of(outcome); here != said.string())
        return format("with `{}` {}, and here it is {}", fact.name, said.string(), here);
    }
  }
  return std::nullopt;
}

}  // namespace

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

// The plan that ran, and whether a step of it is a step of this one. Null where nothing can be
// compared: reported.
const Outcome* Engine::ran_of(Record* trial, Span at, const Outcome& outcome, bool& same) {
  Value of = field_of(evaluator_, trial, "of");
  if (!of.is(ValueKind::record)) {
    // What it says of the plan that ran tells whether that is this one.
    Value facts = field_of(evaluator_, trial, "facts");
    auto other = other_fact(evaluator_, facts.record, outcome);
    if (other)
      evaluator_.sink().add(evaluator_.diagnose(
          Kind::MeasuredElsewhere, at, format("this was measured {}: it is not used", *other)));
    same = !other;
    return other ? nullptr : &outcome;
  }
  const Outcome* ran = this->at(of.record);
  if (!ran) {
    evaluator_.sink().add(evaluator_.diagnose(
        Kind::MeasuredElsewhere, at,
        format("plan `{}`, of which this was measured, could not be estimated: it is not compared",
               evaluator_.text(of.record->name))));
    return nullptr;
  }
  same = same_step(*ran, outcome);
  if (!same)
    evaluator_.sink().add(
        evaluator_
            .diagnose(Kind::MeasuredElsewhere, at,
                      format("this was measured of `{}`, a step of which is another one than this "
                             "plan's: it is shown and not used",
                             evaluator_.text(of.record->name)))
            .note("the plan that ran", of.record->span));
  return ran;
}

bool Engine::compare(Record* trial, Span at, Outcome& outcome) {
  if (!check_measured(trial)) return false;
  bool same = false;
  const Outcome* ran = ran_of(trial, at, outcome, same);
  if (!ran) return true;
  std::string run =
      format("{} steps on {}, {}", text_of(evaluator_, trial, "steps"),
             text_of(evaluator_, trial, "machine"), text_of(evaluator_, trial, "date"));
  Record* map = field_of(evaluator_, trial, "values").record;
  for (Symbol key : evaluator_.keys(map)) {
    std::string_view path = evaluator_.text(key);
    const estimate::ResultField& field = *estimate::result_named(path);
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
    c.used = same && estimate::takes_measured(path);
    if (c.used) outcome.settings.measured.push_back({c.path, {n.interval, "measured: " + run}});
    if (!c.inside) tell_outside(c, n, evaluator_.origin(map, key), ran->settings.plan_span);
    outcome.comparisons.push_back(std::move(c));
  }
  return true;
}

void Engine::tell_outside(const Comparison& c, const eval::Number& measured, Span at, Span ran) {
  Value estimated = evaluator_.make_number(
      eval::interval_number(c.estimated.value, c.dimension, c.estimated.why));
  evaluator_.sink().add(
      evaluator_
          .diagnose(Kind::OutsideEstimate, at,
                    format("`{}` was measured as {}, and the estimate is {}", c.path,
                           evaluator_.print(evaluator_.make_number(measured)),
                           evaluator_.print(estimated)))
          .note("the plan that ran", ran));
}

}  // namespace dtp::engine
