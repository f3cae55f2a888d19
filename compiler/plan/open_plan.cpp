#include "plan/open_plan.h"

#include <algorithm>
#include <tuple>

#include "eval/guards.h"
#include "eval/hints.h"

namespace dtp::plan {

using eval::Evaluator;
using eval::Hole;
using eval::Record;
using eval::Value;
using eval::ValueKind;

namespace {

constexpr size_t kFirst = 5;  // choices that are named

std::string type_of(Evaluator& ev, const Hole& hole) {
  if (hole.type) return ev.print(hole.type);
  const Value& v = hole.choices[0];
  switch (v.kind) {
    case ValueKind::number:
      if (!v.number->dimension.is_none()) return ev.units().spoken(v.number->dimension);
      return v.number->whole() ? "Int" : "Real";
    case ValueKind::boolean: return "Bool";
    case ValueKind::string: return "String";
    case ValueKind::record:
      if (!v.record->shape) return "a record";
      return std::string(
          ev.text((v.record->shape->choice ? v.record->shape->choice : v.record->shape)->name));
    default: return ev.describe(v);
  }
}

OpenChoice in_words(Evaluator& ev, const Record* plan, const Hole& hole) {
  OpenChoice out;
  out.name = ev.name_of(hole);
  out.whole = hole.whole;
  if (hole.plan && hole.plan != plan && hole.plan->name) out.plan = ev.text(hole.plan->name);
  out.text = eval::Hints(ev).text(hole.choose->span);
  out.type = type_of(ev, hole);
  out.choices = hole.choices.size();
  for (size_t i = 0; i < std::min(kFirst, hole.choices.size()); ++i)
    out.first.push_back(ev.print_choice(hole, i));
  if (hole.rests_on)
    for (const Hole* other : hole.rests_on->holes()) out.rests_on.push_back(ev.name_of(*other));
  out.span = hole.choose->span;
  return out;
}

// Counts assignments. Choices that others depend on are gone through one by one; for each the
// others are worked out again.
class Counter {
 public:
  Counter(Evaluator& ev, Record* plan, llvm::ArrayRef<const Hole*> holes)
      : ev_(ev), plan_(plan), holes_(holes) {
    for (const Hole* hole : holes)
      if (hole->rests_on)
        for (const Hole* key : hole->rests_on->holes()) keys_.push_back(key->choose);
  }

  OpenPlan count() {
    OpenPlan result;
    result.plans = total({});
    result.exact = exact_;
    if (exact_) return result;
    result.plans = 1;
    for (const Hole* hole : holes_) multiply(result.plans, hole->choices.size());
    return result;
  }

 private:
  static constexpr size_t kMostTried = 1000;

  Int128 total(const eval::Chosen& chosen) {
    if (++tried_ > kMostTried) exact_ = false;
    if (!exact_) return 0;
    Record* plan = chosen.empty() ? plan_ : ev_.choosing(plan_, chosen);
    if (!plan) exact_ = false;
    if (!plan) return 0;
    Int128 product = 1;
    for (const Hole* written : holes_) {
      if (is_chosen(chosen, written->choose)) continue;
      eval::Values choices = again(plan, *written);
      if (!is_key(written->choose)) {
        if (!multiply(product, choices.size())) exact_ = false;
        continue;
      }
      // What it depends on itself comes before it.
      if (rests_on_open(plan, *written, chosen)) continue;
      Int128 sum = 0;
      for (const Value& choice : choices) {
        eval::Chosen more = chosen;
        more.push_back({written->choose, choice});
        auto wider = checked_add(sum, total(more));
        if (!wider) exact_ = false;
        if (!exact_) return 0;
        sum = *wider;
      }
      return sum;
    }
    return product;
  }

  bool is_key(const lang::Expr* choose) const {
    return std::find(keys_.begin(), keys_.end(), choose) != keys_.end();
  }
  static bool is_chosen(const eval::Chosen& chosen, const lang::Expr* choose) {
    return std::any_of(chosen.begin(), chosen.end(),
                       [&](const auto& one) { return one.first == choose; });
  }
  bool rests_on_open(const Record* plan, const Hole& written, const eval::Chosen& chosen) {
    const Hole* hole = ev_.hole(plan, written.choose);
    if (!hole || !hole->rests_on) return false;
    const auto& others = hole->rests_on->holes();
    return std::any_of(others.begin(), others.end(),
                       [&](const Hole* o) { return !is_chosen(chosen, o->choose); });
  }

  // The choices under what is chosen; one where the text is not reached then.
  eval::Values again(Record* plan, const Hole& written) {
    if (plan != plan_) {
      NullSink quiet;
      DiagnosticSink* before = ev_.swap_sink(&quiet);
      eval::Reads alone(ev_, true);
      Value at = ev_.make_record(plan);
      if (written.of_let) {
        ev_.find(written.path.back(), ev_.layer_scope(plan, plan->layers.size() - 1), false, {},
                 nullptr);
      } else {
        for (Symbol word : written.path)
          at = at.is(ValueKind::record) ? ev_.field(at.record, word, {}) : Value{};
      }
      ev_.swap_sink(before);
    }
    const Hole* hole = ev_.hole(plan, written.choose);
    return hole ? hole->choices : written.choices.take_front(1);
  }

  static bool multiply(Int128& product, size_t by) {
    auto more = checked_multiply(product, static_cast<Int128>(by));
    if (more) product = *more;
    return more.has_value();
  }

  Evaluator& ev_;
  Record* plan_;
  llvm::ArrayRef<const Hole*> holes_;
  std::vector<const lang::Expr*> keys_;
  size_t tried_ = 0;
  bool exact_ = true;
};

}  // namespace

OpenPlan open_plan(Evaluator& ev, Record* plan, const eval::HoleSet& set) {
  std::vector<const Hole*> holes = set.holes();
  std::sort(holes.begin(), holes.end(), [](const Hole* a, const Hole* b) {
    return std::tuple(a->choose->span.file.value, a->choose->span.begin, a->number) <
           std::tuple(b->choose->span.file.value, b->choose->span.begin, b->number);
  });
  std::vector<const Hole*> own;
  for (const Hole* hole : holes)
    if (hole->plan == plan) own.push_back(hole);
  OpenPlan result = Counter(ev, plan, own).count();
  for (const Hole* hole : holes)
    if (hole->plan != plan) {
      auto more = checked_multiply(result.plans, static_cast<Int128>(hole->choices.size()));
      result.plans = more.value_or(result.plans);
      result.exact = result.exact && more;
    }
  for (const Hole* hole : holes) result.choices.push_back(in_words(ev, plan, *hole));
  return result;
}

}  // namespace dtp::plan
