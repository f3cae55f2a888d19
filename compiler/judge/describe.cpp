// What is told of a demand that does not hold, or may not: the headline, the caret, the numbers.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/one_line.h"
#include "eval/arithmetic.h"
#include "eval/causes.h"
#include "eval/guards.h"
#include "judge/condition.h"
#include "judge/judge.h"

namespace dtp::judge {

using eval::Record;
using lang::Op;

namespace {

// "must be below", or what is only advised.
std::string relation(Op op, bool expect) {
  std::string_view words = op == Op::less            ? "be below"
                           : op == Op::less_equal    ? "be at most"
                           : op == Op::greater       ? "be above"
                           : op == Op::greater_equal ? "be at least"
                           : op == Op::equal         ? "be"
                           : op == Op::in            ? "lie in"
                                                     : "not be";
  std::string_view verb = expect ? "should" : op == Op::less_equal ? "may" : "must";
  return format("{} {}", verb, words);
}

}  // namespace

std::string Judge::headline(const VerdictRow& row, const Demand& demand, const std::string& text) {
  const lang::Expr* c = demand.requirement->condition;
  bool undecided = row.verdict == Verdict::undecided;
  std::string tail = undecided ? ": it may hold or not" : "";
  if (row.open)
    return format("`{}` depends on what is left to be chosen", one_line(sources_.slice(c->span)));
  if (!text.empty()) return text + tail;
  if (!is_comparison(c))
    return format("`{}` {}", one_line(sources_.slice(c->span)),
                  undecided ? "may hold or not" : "does not hold");
  if (is_literal(c->a) && !is_literal(c->b))
    return format("{} {} `{}`, which is {}{}", row.left, lang::spelling(c->op),
                  one_line(sources_.slice(c->b->span)), row.right,
                  undecided ? ": it may hold or not" : " : it does not hold");
  // Two records of one name: their fields tell them apart.
  if (c->op == Op::equal && row.left == row.right)
    return format("`{}` {} another {} than `{}`{}", one_line(sources_.slice(c->a->span)),
                  undecided ? "may be" : "is", row.left, one_line(sources_.slice(c->b->span)),
                  tail);
  return format("`{}` is {}, and {} {}{}", one_line(sources_.slice(c->a->span)), row.left,
                relation(c->op, row.expect), row.right, tail);
}

// The caret is at the operand that the requirement speaks of; of what every plan must hold, at the
// plan.
DiagnosticBuilder Judge::at_fault(Kind kind, const VerdictRow& row, const Demand& demand,
                                  Record* plan, std::string headline) {
  const lang::Expr* c = demand.requirement->condition;
  if (demand.of_type && plan && plan->span.valid()) return {kind, plan->span, std::move(headline)};
  if (const auto& blame = demand.requirement->blame; !blame.empty()) {
    eval::Causes causes(ev_);
    causes.read_path(blame, demand.env);
    if (const eval::Cause* first = causes.first(); first && first->users) {
      DiagnosticBuilder builder(kind, first->span, std::move(headline));
      builder.caret_text(first->text);
      return std::move(builder.label(c->span, "asked here"));
    }
  }
  const lang::Expr* operand = operand_of(c);
  DiagnosticBuilder builder(kind, operand->span, std::move(headline));
  if (is_comparison(c) && !row.open) {
    const lang::Expr* other = operand == c->a ? c->b : c->a;
    builder.caret_text(operand == c->a ? row.left : row.right);
    if (!is_literal(other)) builder.label(other->span, other == c->a ? row.left : row.right);
  }
  return builder;
}

namespace {

Kind kind_of(const VerdictRow& row) {
  if (row.expect) return Kind::ExpectationRefuted;
  return row.verdict == Verdict::undecided ? Kind::RequirementUndecided : Kind::RequirementRefuted;
}

}  // namespace

// Of a rule: the caret is at the plan's line that is blamed, else at the one that was set last
// among those that the condition reads; where nobody set it, at the plan.
Diagnostic Judge::describe_rule(const VerdictRow& row, const Demand& demand, Record* plan) {
  eval::InRule lenient(ev_);
  const lang::Requirement& r = *demand.requirement;
  std::string text =
      r.text ? ev_.interpolate(r.text, demand.env, eval::Digits::grouped) : std::string();
  eval::Causes causes(ev_);
  if (!r.blame.empty()) causes.read_path(r.blame, demand.env);
  if (causes.all().empty()) causes.read(r.condition, demand.env);
  const eval::Cause* first = causes.first();
  bool set = first && (first->users || !plan);
  DiagnosticBuilder builder(kind_of(row),
                            set    ? first->span
                            : plan ? plan->span
                                   : r.condition->span,
                            headline(row, demand, text));
  if (set) builder.caret_text(first->text);
  for (const eval::Cause& cause : causes.all())
    if (&cause != first && cause.users) builder.label(cause.span, cause.text);
  if (row.verdict == Verdict::undecided && strict_ && !row.expect)
    builder.severity(Severity::error);
  if (set || plan)
    builder.note(format("rule `{}` asks this", demand.rule->name), r.condition->span);
  else
    builder.note(format("in rule `{}`", demand.rule->name));
  Diagnostic diagnostic = builder.take();
  diagnostic.rule_code = demand.rule->code;
  return diagnostic;
}

// Of a record in a plan: the caret is where its author set what the requirement reads.
DiagnosticBuilder Judge::describe_held(const VerdictRow& row, const Demand& demand,
                                       Record* record) {
  const lang::Requirement& r = *demand.requirement;
  bool model = record->shape && record->shape->kind == eval::ShapeKind::model;
  std::string who = record->shape ? std::string(ev_.text(record->shape->name)) : "this record";
  std::string text = r.text  ? ev_.interpolate(r.text, demand.env, eval::Digits::grouped)
                     : model ? format("{} refuses its parameters", who)
                             : std::string();
  Kind kind = model && row.verdict == Verdict::refuted && !row.expect ? Kind::ModelRequirementFailed
                                                                      : kind_of(row);
  DiagnosticBuilder builder =
      eval::refusal(ev_, kind, r, demand.env, headline(row, demand, text), who, record->span);
  if (row.verdict == Verdict::undecided && strict_ && !row.expect)
    builder.severity(Severity::error);
  return builder;
}

Diagnostic Judge::describe(const VerdictRow& row, const Demand& demand, Record* plan,
                           const engine::Outcome* outcome) {
  const lang::Requirement& r = *demand.requirement;
  std::string text =
      r.text ? ev_.interpolate(r.text, demand.env, eval::Digits::grouped) : std::string();
  DiagnosticBuilder builder =
      at_fault(kind_of(row), row, demand, plan, headline(row, demand, text));
  if (!demand.of_type && !ev_.is_users(r.condition->span)) {
    eval::Causes causes(ev_);
    causes.read(r.condition, demand.env);
    if (const eval::Cause* first = causes.first(); first && first->users)
      builder.label(first->span, first->text);
  }
  // Advice stays advice: an estimate that leaves it open is no reason to stop.
  if (row.verdict == Verdict::undecided && strict_ && !row.expect)
    builder.severity(Severity::error);
  bool figure = row.left_likely.has_value() || !is_comparison(r.condition);
  if (plan && outcome && figure &&
      sources_.slice(operand_of(r.condition)->span).starts_with("memory"))
    note_memory(*outcome, plan, builder);
  if (outcome && row.verdict == Verdict::undecided) help_price(*outcome, demand, builder);
  if (row.together)
    builder.note(
        "the ranges overlap, but what is not known moves both sides: in no case does it hold");
  if (demand.of_type)
    builder.note("every plan must hold this", r.span);
  else if (plan && plan->span.valid())
    builder.in_plan(ev_.text(plan->name), plan->span);
  return builder.take();
}

// A budget that the price leaves open: up to which quote it holds however long the run takes.
void Judge::help_price(const engine::Outcome& outcome, const Demand& demand,
                       DiagnosticBuilder& builder) {
  const lang::Expr* c = demand.requirement->condition;
  const auto& price = outcome.settings.hardware.price;
  bool upper = is_comparison(c) && (c->op == Op::less_equal || c->op == Op::less);
  if (!price || price->per_second.is_point() || !upper) return;
  eval::Value spent = ev_.evaluate(c->a, demand.env), limit = ev_.evaluate(c->b, demand.env);
  const Interval& cost = outcome.estimates.cost.total.value;
  bool plain = spent.is(eval::ValueKind::number) && limit.is(eval::ValueKind::number) &&
               limit.number->is_point() && spent.number->interval.hi == cost.hi;
  if (!plain || cost.hi <= 0) return;
  // The cost is the price times the time: at its upper end the price is `per_second.hi`.
  constexpr double kHour = 3600;
  int gpus = outcome.settings.hardware.gpus_per_node;
  double most = limit.number->interval.likely / cost.hi * price->per_second.hi;
  if (most < price->per_second.lo) return;
  double digits = std::pow(10, 2 - std::floor(std::log10(most * kHour / gpus)));
  double each = std::floor(most * kHour / gpus * digits) / digits;
  std::string quote = format("{:.6g} {}/h", each, price->currency);
  std::string whole = format("{:.6g} {}/h", each * gpus, price->currency);
  std::string of_gpu = outcome.settings.hardware.nodes == 1
                           ? format("`gpus({}, X {{ rent = {} }})`, or ", gpus, quote)
                           : "";
  builder.help(
      format("with your own quote it is settled: up to {} a GPU it holds: {}`nodes({}, X "
             "{{ rent = {} }})`",
             quote, of_gpu, outcome.settings.hardware.nodes, whole));
}

// The terms at the peak, largest first, and the line of the plan that made the largest so.
void Judge::note_memory(const engine::Outcome& outcome, Record* plan, DiagnosticBuilder& builder) {
  auto terms = estimate::terms_at_peak(outcome.estimates.memory);
  std::stable_sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) {
    return a.second.value.likely > b.second.value.likely;
  });
  auto printed = [&](const Interval& v) {
    return ev_.print(ev_.make_number(eval::interval_number(v, units::kMemoryDimension, "")));
  };
  std::string list;
  for (size_t i = 0; i < terms.size() && i < 5; ++i) {
    if (terms[i].second.value.likely <= 0) break;
    list +=
        format("{}{} {}", list.empty() ? "" : ", ", terms[i].first, printed(terms[i].second.value));
  }
  if (list.empty()) return;
  estimate::Phase phase = outcome.estimates.memory.peak_phase;
  builder.note(format("at the peak{}: {}",
                      estimate::is_pass(phase) ? "" : format(", {}", estimate::words(phase)),
                      list));
  const plan::Settings& s = outcome.settings;
  bool of_the_batch = terms[0].first == "activations" || terms[0].first == "temporaries";
  if (of_the_batch && estimate::is_pass(phase)) {
    builder.label(s.batch.micro_span, format("{} a pass: {} {}", counted(s.batch.micro, "sample"),
                                             terms[0].first, printed(terms[0].second.value)));
    if (s.recompute == plan::Recompute::none && ev_.definition(plan, sym::recompute))
      builder.label(ev_.origin(plan, sym::recompute), "every activation is kept");
  } else {
    builder.label(ev_.origin(plan, sym::model),
                  format("{} parameters", with_thousands(outcome.model.parameters)));
  }
}

}  // namespace dtp::judge
