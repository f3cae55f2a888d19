#include "judge/judge.h"

#include <algorithm>
#include <tuple>

#include "base/one_line.h"
#include "eval/arithmetic.h"
#include "eval/causes.h"
#include "eval/guards.h"
#include "eval/hints.h"
#include "judge/condition.h"

namespace dtp::judge {

using eval::Record;
using eval::Value;
using eval::ValueKind;
using lang::Op;

std::vector<Demand> Judge::demands(Record* record) {
  std::vector<Demand> all;
  auto add = [&](const lang::Requirement& r, eval::Env* env) {
    if (r.label)
      for (Demand& d : all)
        if (!d.of_type && d.requirement->label == r.label && (d.requirement->expect || !r.expect)) {
          d = {&r, env};
          return;
        }
    all.push_back({&r, env});
  };
  for (const eval::Shape* s = record->shape; s; s = s->parent)
    for (const lang::Requirement& r : s->decl->requirements)
      all.push_back({&r, ev_.shape_scope(record, s), true});
  for (size_t i = 0; i < record->layers.size(); ++i)
    for (const lang::Requirement& r : record->layers[i].body->requirements)
      add(r, ev_.layer_scope(record, i));
  return all;
}

// By the label of a requirement, or by the name or the code of a rule.
bool Judge::allows(const lang::Allowance& allowance, const Demand& demand) const {
  if (allowance.path.size() != 1) return false;
  if (!demand.rule) return allowance.path[0] == demand.requirement->label;
  std::string_view word = ev_.text(allowance.path[0]);
  return word == demand.rule->name || word == demand.rule->code;
}

// Whether there was something to allow.
bool Judge::apply(const lang::Allowance& allowance, const std::vector<Demand>& demands,
                  std::vector<VerdictRow>& rows) {
  bool used = false;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!allows(allowance, demands[i])) continue;
    if (!rows[i].failed && (rows[i].unknown && demands[i].rule)) continue;
    if (!rows[i].failed && rows[i].verdict == Verdict::proved) continue;
    used = true;
    if (rows[i].failed) continue;  // nobody knows
    rows[i].allowed = true;
    rows[i].reason = std::string(allowance.reason);
    if (demands[i].rule) rows[i].label = demands[i].rule->name;  // the word of the `allow`
  }
  return used;
}

// What the plan, or another record, allows with a reason.
void Judge::allow(Record* record, const std::vector<Demand>& demands,
                  std::vector<VerdictRow>& rows) {
  for (const eval::Layer& layer : record->layers)
    for (const lang::Allowance& a : layer.body->allowances)
      if (!apply(a, demands, rows)) report_unused(a, demands);
}

void Judge::report_unused(const lang::Allowance& allowance, const std::vector<Demand>& demands) {
  std::string label;
  for (Symbol s : allowance.path) label += (label.empty() ? "" : ".") + std::string(ev_.text(s));
  auto builder = ev_.diagnose(
      Kind::UnusedAllowance, allowance.path_span,
      format("`allow {}` allows nothing: no requirement or rule of that name is broken", label));
  eval::Hints::Names known;
  bool exact = false;
  for (const Demand& d : demands) {
    if (d.rule) known.push_back(d.rule->name);
    if (d.rule && !d.rule->code.empty()) known.push_back(d.rule->code);
    if (d.requirement->label) known.push_back(ev_.text(d.requirement->label));
  }
  for (std::string_view name : known) exact = exact || name == label;
  if (exact)
    builder.help("it holds without: take the line away");
  else
    eval::Hints(ev_).near(builder, label, allowance.path_span, known);
  ev_.sink().add(std::move(builder));
}

void Judge::judge_held(llvm::ArrayRef<eval::Held> held) {
  for (const auto& [record, reads] : held) {
    if (record->shape && record->shape->name == sym::Plan) continue;
    std::vector<Demand> all = demands(record);
    for (Demand& demand : all) demand.open = reads != nullptr;
    std::vector<VerdictRow> rows;
    rows.reserve(all.size());
    for (const Demand& demand : all) rows.push_back(judge_one(demand));
    allow(record, all, rows);
    for (size_t i = 0; i < all.size(); ++i)
      if (!rows[i].failed && !rows[i].allowed && !rows[i].open &&
          rows[i].verdict != Verdict::proved)
        ev_.sink().add(describe_held(rows[i], all[i], record));
  }
}

// Whether the plan's own demand proves that of its type: it speaks of the same quantity in the same
// way, and its limit is at least as tight.
bool Judge::as_strong(const Demand& own, const Demand& general) {
  const lang::Expr *a = own.requirement->condition, *b = general.requirement->condition;
  bool upper = b->op == Op::less_equal || b->op == Op::less;
  bool alike = is_comparison(a) && is_comparison(b) && a->op == b->op && upper &&
               one_line(sources_.slice(a->a->span)) == one_line(sources_.slice(b->a->span));
  if (!alike) return false;
  Value limit = ev_.evaluate(a->b, own.env), of_type = ev_.evaluate(b->b, general.env);
  return limit.is(ValueKind::number) && of_type.is(ValueKind::number) &&
         eval::compare_less_equal(*limit.number, *of_type.number) == Verdict::proved;
}

// Whether a row of the type would say nothing new beside the plan's own.
bool Judge::listed_by_plan(size_t of_type, const std::vector<Demand>& demands,
                           const std::vector<VerdictRow>& rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (demands[i].of_type || demands[i].rule || rows[i].failed || rows[i].expect) continue;
    if (demands[i].requirement->label && rows[i].label == rows[of_type].label &&
        (rows[i].verdict == rows[of_type].verdict || rows[of_type].verdict == Verdict::proved))
      return true;
    if (!rows[i].allowed && rows[i].verdict == rows[of_type].verdict &&
        as_strong(demands[i], demands[of_type]))
      return true;
  }
  return false;
}

// Whether a demand of the type is told already: the plan's own has its label, or speaks of the same
// quantity, and came out no better.
bool Judge::told_by_plan(size_t of_type, const std::vector<Demand>& demands,
                         const std::vector<VerdictRow>& rows) {
  const lang::Requirement& general = *demands[of_type].requirement;
  const lang::Expr* c = general.condition;
  std::string quantity = one_line(sources_.slice(operand_of(c)->span));
  Verdict verdict = rows[of_type].verdict;
  for (size_t i = 0; i < rows.size(); ++i) {
    const lang::Requirement& own = *demands[i].requirement;
    if (demands[i].of_type || rows[i].failed || rows[i].expect) continue;
    bool same_label = own.label && own.label == general.label;
    std::string text = one_line(sources_.slice(own.condition->span));
    if (!same_label && (rows[i].allowed || text.find(quantity) == std::string::npos)) continue;
    if (verdict == Verdict::proved || rows[i].verdict == Verdict::refuted ||
        rows[i].verdict == verdict)
      return true;
  }
  return false;
}

Judgement Judge::judge(Record* plan, const engine::Outcome* outcome, const Surroundings& around) {
  Judgement result;
  std::vector<Demand> all = demands(plan);
  all.insert(all.end(), around.of_rules.begin(), around.of_rules.end());
  std::vector<VerdictRow> rows;
  rows.reserve(all.size());
  for (const Demand& demand : all) rows.push_back(judge_one(demand));
  allow(plan, all, rows);
  for (const lang::Allowance* a : around.allowances)
    if (apply(*a, all, rows)) result.used.push_back(a);
  for (size_t i = 0; i < all.size(); ++i) {
    VerdictRow& row = rows[i];
    // Of a rule only what is broken is told: it is asked of every plan.
    if (all[i].rule && !row.failed && (row.unknown || row.verdict == Verdict::proved)) continue;
    bool told = all[i].of_type && !row.failed && told_by_plan(i, all, rows);
    if (told && listed_by_plan(i, all, rows)) continue;
    if (!told && !row.failed && !row.allowed && !row.open && row.verdict != Verdict::proved)
      result.findings.push_back(
          {result.rows.size(), all[i],
           all[i].rule ? describe_rule(row, all[i], plan) : describe(row, all[i], plan, outcome)});
    result.failed = result.failed || row.failed;
    if (!row.allowed && !row.expect) {
      result.refuted = result.refuted || row.verdict == Verdict::refuted;
      result.undecided = result.undecided || row.verdict == Verdict::undecided;
    }
    result.rows.push_back(row);
  }
  return result;
}

std::vector<const lang::Allowance*> Judge::judge_together(const Surroundings& around) {
  std::vector<VerdictRow> rows;
  rows.reserve(around.of_rules.size());
  for (const Demand& demand : around.of_rules) rows.push_back(judge_one(demand));
  std::vector<const lang::Allowance*> used;
  for (const lang::Allowance* a : around.allowances)
    if (apply(*a, around.of_rules, rows)) used.push_back(a);
  for (size_t i = 0; i < rows.size(); ++i)
    if (!rows[i].failed && !rows[i].allowed && !rows[i].unknown &&
        rows[i].verdict != Verdict::proved)
      ev_.sink().add(describe_rule(rows[i], around.of_rules[i], nullptr));
  return used;
}

VerdictRow Judge::judge_file(const lang::Requirement& requirement, eval::Env* env) {
  Demand demand{&requirement, env};
  VerdictRow row = judge_one(demand);
  if (!row.failed && row.verdict != Verdict::proved)
    ev_.sink().add(describe(row, demand, nullptr, nullptr));
  return row;
}

void Judge::check_demands(Record* plan) {
  for (const Demand& demand : demands(plan)) {
    if (demand.of_type) continue;
    judge_one(demand);
    if (demand.requirement->text)
      ev_.interpolate(demand.requirement->text, demand.env, eval::Digits::grouped);
  }
}

Judgement Judge::judge_rules(Record* plan, const Surroundings& around) {
  Judgement result;
  const std::vector<Demand>& all = around.of_rules;
  std::vector<VerdictRow> rows;
  rows.reserve(all.size());
  for (const Demand& demand : all) rows.push_back(judge_one(demand));
  for (const eval::Layer& layer : plan->layers)
    for (const lang::Allowance& a : layer.body->allowances) apply(a, all, rows);
  for (const lang::Allowance* a : around.allowances)
    if (apply(*a, all, rows)) result.used.push_back(a);
  for (size_t i = 0; i < all.size(); ++i) {
    if (rows[i].failed || rows[i].allowed || rows[i].verdict != Verdict::refuted) continue;
    result.findings.push_back({result.rows.size(), all[i], describe_rule(rows[i], all[i], plan)});
    result.rows.push_back(rows[i]);
  }
  return result;
}

VerdictRow Judge::judge_one(const Demand& demand) {
  const lang::Requirement& r = *demand.requirement;
  std::optional<eval::InRule> lenient;
  if (demand.rule) lenient.emplace(ev_);
  VerdictRow row;
  row.expect = r.expect;
  row.span = r.span;
  row.label =
      r.label ? std::string(ev_.text(r.label)) : one_line(sources_.slice(r.condition->span));
  eval::Reads own(ev_, true);
  Value v = ev_.evaluate(r.condition, demand.env, ev_.condition_type());
  row.open = demand.open || ev_.reads();
  row.unknown = row.open || v.is(ValueKind::unknown);
  if (row.unknown && (v.poisoned() || v.is(ValueKind::unknown) || v.is(ValueKind::boolean)))
    v = eval::make_unknown_bool();
  if (!v.is(ValueKind::boolean)) {
    if (!v.poisoned())
      ev_.error(Kind::TypeMismatch, r.condition->span,
                format("`{}` needs a condition, and this is {}", r.expect ? "expect" : "require",
                       ev_.describe(v)));
    row.failed = true;
    return row;
  }
  row.verdict = v.verdict;
  row.together = v.together;
  row.unknown = v.of_unknown;
  if (row.open) return row;  // its sides are those of one choice
  if (is_comparison(r.condition)) {
    auto [left, right] = ev_.operands(r.condition, demand.env);
    std::tie(row.left, row.right) = ev_.print_sides(left, right);
    row.unknown = row.unknown || left.is(ValueKind::unknown) || right.is(ValueKind::unknown);
    if (left.is(ValueKind::number)) row.left_likely = left.number->interval.likely;
  }
  return row;
}

}  // namespace dtp::judge
