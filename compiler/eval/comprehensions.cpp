// What a comprehension or a loop goes through: the items of lists, ranges and maps.
#include "eval/arithmetic.h"
#include "eval/evaluator.h"

namespace dtp::eval {

bool Evaluator::comprehend(const lang::Comprehension& c, size_t loop, Env* env,
                           llvm::SmallVectorImpl<Value>& out) {
  if (loop == c.loops.size()) {
    if (c.condition) {
      Value keep_it = evaluate(c.condition, env, condition_type());
      if (!keep_it.is(ValueKind::boolean)) {
        if (!keep_it.poisoned())
          no_condition(c.condition->span,
                       format("`if` needs a condition, not {}", describe(keep_it)), keep_it);
        return false;
      }
      if (keep_it.verdict == Verdict::undecided) {
        not_decided(c.condition->span);
        return false;
      }
      if (!keep_it.truthy()) return true;
    }
    Value v = evaluate(c.element, env);
    if (v.poisoned()) return false;
    out.push_back(v);
    return true;
  }
  llvm::SmallVector<Value, 16> items;
  Value list = evaluate(c.loops[loop].list, env);
  if (list.poisoned() || !elements(list, c.loops[loop].list->span, items)) return false;
  for (const Value& item : items) {
    if (!spend(c.element->span, 10)) return false;
    Env* inner = make<Env>();
    inner->parent = env;
    if (!bind_names(c.loops[loop].names, item, inner, c.loops[loop].list->span)) return false;
    if (!comprehend(c, loop + 1, inner, out)) return false;
  }
  return true;
}

bool Evaluator::bind_names(llvm::ArrayRef<Symbol> names, const Value& item, Env* env, Span at) {
  if (names.size() == 1) {
    env->locals.push_back({names[0], item});
    return true;
  }
  if ((!item.is(ValueKind::tuple) && !item.is(ValueKind::list)) ||
      item.items().size() != names.size()) {
    error(Kind::TypeMismatch, at,
          format("{} names, and the list holds {}", names.size(), describe(item)));
    return false;
  }
  for (size_t i = 0; i < names.size(); ++i) env->locals.push_back({names[i], item.items()[i]});
  return true;
}

// The items of a list, range or map (as pairs).
bool Evaluator::elements(const Value& list, Span at, llvm::SmallVectorImpl<Value>& out) {
  if (list.is(ValueKind::list) || list.is(ValueKind::tuple)) {
    out.append(list.items().begin(), list.items().end());
    return true;
  }
  if (list.is(ValueKind::range)) {
    const RangeValue& r = *list.range;
    if (not_walked(r, at)) return false;
    Int128 last = r.hi->numerator - (r.exclusive ? 1 : 0);
    Int128 step = r.step ? r.step->numerator : 1;
    for (std::optional<Int128> i = r.lo->numerator; i && *i <= last; i = checked_add(*i, step)) {
      if (!spend(at, 4)) return false;
      out.push_back(make_number(exact_number(*i, 1, r.lo->dimension)));
    }
    return true;
  }
  if (list.is(ValueKind::record) && (list.record->is_map || !list.record->shape)) {
    for (Symbol k : keys(list.record)) {
      Value pair[] = {make_string(text(k)), field(list.record, k, at)};
      out.push_back(make_list(pair, ValueKind::tuple));
    }
    return true;
  }
  auto builder =
      diagnose(Kind::TypeMismatch, at, format("a list is needed, not {}", describe(list)));
  if (list.is(ValueKind::number) && list.number->whole() && list.number->numerator > 0 &&
      list.number->dimension.is_none())
    builder.help(format("the numbers from 0 on are `0..<{0}`; a list of one is `[{0}]`",
                        to_string(list.number->numerator)));
  sink_.add(std::move(builder));
  return false;
}

// A range that cannot be walked, with its end or step that is in the way.
bool Evaluator::not_walked(const RangeValue& r, Span at) {
  auto refuse = [&](std::string headline, const char* advice) {
    sink_.add(diagnose(Kind::TypeMismatch, at, std::move(headline)).help(advice));
    return true;
  };
  if (!r.hi) return refuse("a range that is walked has an end", "write `a..b` or `a..<b`");
  for (const Number* end : {r.lo, r.hi}) {
    if (end->whole()) continue;
    std::string said = print(make_number(*end));
    if (!end->is_point())
      return refuse(format("a range that is walked has whole ends, and {} is an estimate", said),
                    "`x.likely` is a plain number, which `round(x)` makes whole");
    return refuse(format("a range that is walked has whole ends, not {}", said),
                  "`floor(x)`, `ceil(x)` and `round(x)` give whole numbers");
  }
  if (r.step && (!r.step->whole() || r.step->numerator <= 0))
    return refuse(format("a range is walked in whole steps above zero, not by {}",
                         print(make_number(*r.step))),
                  "write `8..64 by 8`");
  return false;
}

}  // namespace dtp::eval
