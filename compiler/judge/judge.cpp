#include "judge/judge.h"

#include <algorithm>

#include "eval/arithmetic.h"

namespace dtp::judge {

using eval::Record;
using eval::Value;
using eval::ValueKind;
using lang::Op;

namespace {

bool is_comparison(const lang::Expr* e) {
  return e->kind == lang::ExprKind::binary &&
         (e->op == Op::less || e->op == Op::less_equal || e->op == Op::greater ||
          e->op == Op::greater_equal || e->op == Op::equal || e->op == Op::not_equal ||
          e->op == Op::in);
}

bool is_literal(const lang::Expr* e) {
  return e->kind == lang::ExprKind::number || e->kind == lang::ExprKind::quantity;
}

// A condition as one line of text, however it was broken.
std::string one_line(std::string_view text) {
  std::string out;
  for (char c : text) {
    bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (space && (out.empty() || out.back() == ' ')) continue;
    out.push_back(space ? ' ' : c);
  }
  return out;
}

}  // namespace

std::vector<Demand> Judge::demands(Record* plan) {
  std::vector<Demand> all;
  auto add = [&](const lang::Requirement& r, eval::Env* env) {
    if (r.label)
      for (Demand& d : all)
        if (d.requirement->label == r.label) {
          d = {&r, env};
          return;
        }
    all.push_back({&r, env});
  };
  for (const eval::Shape* s = plan->shape; s; s = s->parent)
    for (const lang::Requirement& r : s->decl->requirements) add(r, ev_.shape_scope(plan, s));
  for (size_t i = 0; i < plan->layers.size(); ++i)
    for (const lang::Requirement& r : plan->layers[i].body->requirements)
      add(r, ev_.layer_scope(plan, i));
  return all;
}

Judgement Judge::judge(Record* plan, const engine::Outcome& outcome) {
  Judgement result;
  struct Allowed {
    const lang::Allowance* allowance;
    bool used = false;
  };
  std::vector<Allowed> allowances;
  for (const eval::Layer& layer : plan->layers)
    for (const lang::Allowance& a : layer.body->allowances) allowances.push_back({&a});
  for (const Demand& demand : demands(plan)) {
    VerdictRow row = judge_one(demand);
    if (!row.failed && row.verdict != Verdict::proved)
      for (Allowed& a : allowances)
        if (a.allowance->path.size() == 1 && a.allowance->path[0] == demand.requirement->label) {
          a.used = row.allowed = true;
          row.reason = std::string(a.allowance->reason);
        }
    if (!row.failed && !row.allowed && row.verdict != Verdict::proved)
      result.findings.push_back(
          {result.rows.size(), demand, describe(row, demand, plan, &outcome)});
    result.failed = result.failed || row.failed;
    if (!row.allowed && !row.expect) {
      result.refuted = result.refuted || row.verdict == Verdict::refuted;
      result.undecided = result.undecided || row.verdict == Verdict::undecided;
    }
    result.rows.push_back(std::move(row));
  }
  for (const Allowed& a : allowances)
    if (!a.used) {
      std::string label;
      for (Symbol s : a.allowance->path)
        label += (label.empty() ? "" : ".") + std::string(ev_.text(s));
      ev_.error(Kind::UnusedAllowance, a.allowance->span,
                format("`allow {}` allows nothing: no requirement of that label is broken", label));
    }
  return result;
}

bool Judge::judge_file(const lang::Requirement& requirement, eval::Env* env) {
  Demand demand{&requirement, env};
  VerdictRow row = judge_one(demand);
  if (row.failed) return false;
  if (row.verdict != Verdict::proved) ev_.sink().add(describe(row, demand, nullptr, nullptr));
  return row.verdict == Verdict::proved;
}

void Judge::check_demands(Record* plan) {
  for (const Demand& demand : demands(plan)) {
    judge_one(demand);
    if (demand.requirement->text)
      ev_.interpolate(demand.requirement->text, demand.env, eval::Digits::grouped);
  }
}

VerdictRow Judge::judge_one(const Demand& demand) {
  const lang::Requirement& r = *demand.requirement;
  VerdictRow row;
  row.expect = r.expect;
  row.span = r.span;
  row.label =
      r.label ? std::string(ev_.text(r.label)) : one_line(sources_.slice(r.condition->span));
  Value v = ev_.evaluate(r.condition, demand.env);
  if (v.is(ValueKind::unknown) || v.is(ValueKind::open))
    v = eval::make_bool(Verdict::undecided, true);
  if (!v.is(ValueKind::boolean)) {
    if (!v.poisoned())
      ev_.error(Kind::TypeMismatch, r.condition->span,
                format("`{}` needs a condition, and this is {}", r.expect ? "expect" : "require",
                       ev_.describe(v)));
    row.failed = true;
    return row;
  }
  row.verdict = v.verdict;
  if (is_comparison(r.condition)) {
    Value left = ev_.evaluate(r.condition->a, demand.env);
    Value right = ev_.evaluate(r.condition->b, demand.env, ev_.type_beside(r.condition->op, left));
    row.left = ev_.print_beside(left, right);
    row.right = ev_.print_beside(right, left);
    if (left.is(ValueKind::number)) row.left_likely = left.number->interval.likely;
  }
  return row;
}

std::string Judge::headline(const VerdictRow& row, const Demand& demand, const std::string& text) {
  const lang::Expr* c = demand.requirement->condition;
  bool undecided = row.verdict == Verdict::undecided;
  std::string tail = undecided ? ": it may hold or not" : "";
  if (!text.empty()) return text + tail;
  if (!is_comparison(c))
    return format("`{}` {}", one_line(sources_.slice(c->span)),
                  undecided ? "may hold or not" : "does not hold");
  const char* relation = c->op == Op::less            ? "must be below"
                         : c->op == Op::less_equal    ? "may be at most"
                         : c->op == Op::greater       ? "must be above"
                         : c->op == Op::greater_equal ? "must be at least"
                         : c->op == Op::equal         ? "must be"
                         : c->op == Op::in            ? "must lie in"
                                                      : "must not be";
  if (is_literal(c->a) && !is_literal(c->b))
    return format("{} {} `{}`, which is {}{}", row.left, lang::spelling(c->op),
                  one_line(sources_.slice(c->b->span)), row.right,
                  undecided ? ": it may hold or not" : " : it does not hold");
  return format("`{}` is {}, and {} {}{}", one_line(sources_.slice(c->a->span)), row.left, relation,
                row.right, tail);
}

Diagnostic Judge::describe(const VerdictRow& row, const Demand& demand, Record* plan,
                           const engine::Outcome* outcome) {
  const lang::Requirement& r = *demand.requirement;
  const lang::Expr* c = r.condition;
  Kind kind = row.expect                          ? Kind::ExpectationRefuted
              : row.verdict == Verdict::undecided ? Kind::RequirementUndecided
                                                  : Kind::RequirementRefuted;
  std::string text =
      r.text ? ev_.interpolate(r.text, demand.env, eval::Digits::grouped) : std::string();
  bool comparison = is_comparison(c);
  const lang::Expr* operand = comparison ? (is_literal(c->a) ? c->b : c->a) : c;
  const lang::Expr* other = comparison ? (operand == c->a ? c->b : c->a) : nullptr;
  DiagnosticBuilder builder(kind, operand->span, headline(row, demand, text));
  if (comparison) {
    builder.caret_text(operand == c->a ? row.left : row.right);
    if (!is_literal(other)) builder.label(other->span, other == c->a ? row.left : row.right);
  }
  if (row.verdict == Verdict::undecided && strict_) builder.severity(Severity::error);
  std::string about(sources_.slice(operand->span));
  if (plan && outcome && about.starts_with("memory")) note_memory(*outcome, plan, builder);
  if (plan && plan->span.valid()) builder.in_plan(ev_.text(plan->name), plan->span);
  return builder.take();
}

// The terms at the peak, largest first, and the line of the plan that made the largest so.
void Judge::note_memory(const engine::Outcome& outcome, Record* plan, DiagnosticBuilder& builder) {
  std::vector<std::pair<std::string, Interval>> terms =
      estimate::terms_at_peak(outcome.estimates.memory);
  std::stable_sort(terms.begin(), terms.end(),
                   [](const auto& a, const auto& b) { return a.second.likely > b.second.likely; });
  std::string list;
  for (size_t i = 0; i < terms.size() && i < 5; ++i) {
    if (terms[i].second.likely <= 0) break;
    Value v = ev_.make_number(eval::interval_number(terms[i].second, units::kMemoryDimension, ""));
    list += (list.empty() ? "" : ", ") + format("{} {}", terms[i].first, ev_.print(v));
  }
  if (list.empty()) return;
  builder.note("at the peak: " + list);
  const plan::Settings& s = outcome.settings;
  if (terms[0].first == "activations" || terms[0].first == "temporaries") {
    Value v = ev_.make_number(eval::interval_number(terms[0].second, units::kMemoryDimension, ""));
    builder.label(s.batch.micro_span, format("{} a pass: {} {}", counted(s.batch.micro, "sample"),
                                             terms[0].first, ev_.print(v)));
    if (s.recompute == plan::Recompute::none && ev_.definition(plan, sym::recompute))
      builder.label(ev_.origin(plan, sym::recompute), "every activation is kept");
  } else {
    builder.label(ev_.origin(plan, sym::model),
                  format("{} parameters", with_thousands(outcome.model.parameters)));
  }
}

}  // namespace dtp::judge
