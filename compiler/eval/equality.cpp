// `==`, `!=` and `in`. Two values are the same by what they hold, with three outcomes.
#include <algorithm>
#include <cmath>
#include <utility>

#include "eval/arithmetic.h"
#include "eval/evaluator.h"
#include "eval/hints.h"

namespace dtp::eval {

using lang::Op;

namespace {

Verdict opposite(Verdict v) {
  return v == Verdict::proved ? Verdict::refuted : v == Verdict::refuted ? Verdict::proved : v;
}

Verdict both(Verdict a, Verdict b) {
  if (a == Verdict::refuted || b == Verdict::refuted) return Verdict::refuted;
  return a == Verdict::undecided ? a : b;
}

Verdict verdict_of(bool holds) { return holds ? Verdict::proved : Verdict::refuted; }

bool not_known(const Value& v) { return v.is(ValueKind::unknown); }

// `x == cosine`: a case without a word about its fields.
bool bare_case(const Record* r) {
  return r->shape && r->shape->choice && r->layers.empty() && r->presets.empty();
}

}  // namespace

// Two values side by side. No verdict: an error was told, or the budget is used up.
class Sameness {
 public:
  using Outcome = std::optional<Verdict>;

  Sameness(Evaluator& evaluator, const lang::Expr* e) : ev_(evaluator), e_(e) {}

  // As the author compares them: what cannot be compared is a mistake.
  Outcome of(const Value& a, const Value& b);

 private:
  // A pair in two records. What differs in kind is not the same. `one_text`: both records come from
  // the same text, so that what is open in the one is as open in the other.
  Outcome held(const Value& a, const Value& b, bool one_text);
  Outcome numbers(const Value& a, const Value& b);
  Outcome records(Record* a, Record* b, bool one_text = false);
  Outcome fields(Record* a, Record* b, bool one_text);
  template <class Same>
  Outcome lists(const Value& a, const Value& b, Same same);
  Record* as(Record* literal, const Shape* shape);
  static bool from_one_text(const Record* a, const Record* b, bool holders);
  Outcome mistake(const Value& a, const Value& b);

  Evaluator& ev_;
  const lang::Expr* e_;
};

Sameness::Outcome Sameness::of(const Value& a, const Value& b) {
  if (a.poisoned() || b.poisoned()) return std::nullopt;
  if (not_known(a) || not_known(b)) return Verdict::undecided;
  if (a.is(ValueKind::none) || b.is(ValueKind::none)) return verdict_of(a.kind == b.kind);
  if (a.is(ValueKind::shell) || b.is(ValueKind::shell)) {
    ev_.error(Kind::TypeMismatch, e_->span,
              "text from `env(...)` is known only to the script that runs: it can be passed on, "
              "not compared");
    return std::nullopt;
  }
  if (a.is(ValueKind::dim) && b.is(ValueKind::dim)) return verdict_of(a.dim == b.dim);
  if (a.is(ValueKind::dim) || b.is(ValueKind::dim)) return Verdict::refuted;
  auto model = [](const Value& v) {
    return v.is(ValueKind::shape) && v.shape->kind == ShapeKind::model;
  };
  // `model == Net`: a model by its name is the model as it is declared.
  if (a.is(ValueKind::record) && model(b))
    return records(a.record, ev_.instantiate(b.shape, e_->span));
  if (model(a) && b.is(ValueKind::record))
    return records(ev_.instantiate(a.shape, e_->span), b.record);
  if (a.kind != b.kind) return mistake(a, b);
  switch (a.kind) {
    case ValueKind::number: return numbers(a, b);
    case ValueKind::boolean:
      if (a.verdict == Verdict::undecided || b.verdict == Verdict::undecided)
        return Verdict::undecided;
      return verdict_of(a.verdict == b.verdict);
    case ValueKind::string: return verdict_of(a.string() == b.string());
    case ValueKind::record: return records(a.record, b.record);
    case ValueKind::list:
      return lists(a, b, [this](const Value& x, const Value& y) { return of(x, y); });
    default: return mistake(a, b);
  }
}

Sameness::Outcome Sameness::mistake(const Value& a, const Value& b) {
  auto builder = ev_.diagnose(
      Kind::TypeMismatch, e_->span,
      format("`{}` compares {} with {}", spelling(e_->op), ev_.describe(a), ev_.describe(b)));
  // `batch == 256`: a bare value may stand for a record where one is set, not where two are
  // compared.
  const Value &record = a.is(ValueKind::record) ? a : b, &other = a.is(ValueKind::record) ? b : a;
  if (record.is(ValueKind::record)) Hints(ev_).no_number(builder, e_->op, record, other);
  ev_.sink().add(std::move(builder));
  return std::nullopt;
}

Sameness::Outcome Sameness::numbers(const Value& a, const Value& b) {
  if (!(a.number->dimension == b.number->dimension)) {
    NumberResult r{{}, NumberError::dimensions};
    ev_.number_error(r, e_->op, *a.number, *b.number, e_);
    return std::nullopt;
  }
  for (const auto& [v, side] : {std::pair{&a, e_->a}, std::pair{&b, e_->b}})
    if (!v->number->is_point()) {
      ev_.error(Kind::EqualityOfEstimates, side ? side->span : e_->span,
                format("{} is an estimate, and no estimate is equal to anything: write `in lo..hi`",
                       ev_.print(*v)));
      return std::nullopt;
    }
  return verdict_of(equal_numbers(*a.number, *b.number));
}

template <class Same>
Sameness::Outcome Sameness::lists(const Value& a, const Value& b, Same same) {
  if (a.items().size() != b.items().size()) return Verdict::refuted;
  if (!ev_.spend(e_->span, a.items().size())) return std::nullopt;
  Verdict all = Verdict::proved;
  for (size_t i = 0; i < a.items().size() && all != Verdict::refuted; ++i) {
    Outcome one = same(a.items()[i], b.items()[i]);
    if (!one) return one;
    all = both(all, *one);
  }
  return all;
}

// A record that nobody gave a type is read as the other side's, as a field of that type would.
Record* Sameness::as(Record* literal, const Shape* shape) {
  auto* wanted = ev_.make<Type>();
  wanted->kind = TypeKind::record;
  wanted->shape = shape;
  Value v = ev_.conform(ev_.make_record(literal), wanted, e_->span, "the other side");
  return v.is(ValueKind::record) ? v.record : nullptr;
}

Sameness::Outcome Sameness::records(Record* a, Record* b, bool one_text) {
  if (a == b) return Verdict::proved;
  if (!ev_.spend(e_->span, 16) || ev_.too_deep(e_->span)) return std::nullopt;
  if (a->shape && !b->shape && !b->is_map && !a->shape->choice) b = as(b, a->shape);
  if (a && b && b->shape && !a->shape && !a->is_map && !b->shape->choice) a = as(a, b->shape);
  if (!a || !b) return std::nullopt;
  if (a->shape != b->shape) return Verdict::refuted;
  if (bare_case(a) || bare_case(b)) return Verdict::proved;
  ++ev_.depth_;
  Outcome same = fields(a, b, from_one_text(a, b, one_text));
  --ev_.depth_;
  return same;
}

Sameness::Outcome Sameness::fields(Record* a, Record* b, bool one_text) {
  std::vector<Symbol> names = ev_.keys(a);
  if (!a->shape || a->is_map) {
    if (names.size() != ev_.keys(b).size()) return Verdict::refuted;
    for (Symbol name : names)
      if (!ev_.has_field(b, name)) return Verdict::refuted;
  }
  Verdict all = Verdict::proved;
  for (Symbol name : names) {
    const Field* declared = a->shape && !a->is_map ? a->shape->field(name) : nullptr;
    // What follows from the others says nothing new.
    if (declared && declared->stage != lang::Stage::given) continue;
    if (!ev_.spend(e_->span)) return std::nullopt;
    Outcome one = held(ev_.field(a, name, e_->span), ev_.field(b, name, e_->span), one_text);
    if (!one || *one == Verdict::refuted) return one;
    all = both(all, *one);
  }
  return all;
}

Sameness::Outcome Sameness::held(const Value& a, const Value& b, bool one_text) {
  if (a.poisoned() || b.poisoned()) return std::nullopt;
  if (not_known(a) || not_known(b)) {
    bool same_word = one_text && a.kind == b.kind;
    return same_word ? Verdict::proved : Verdict::undecided;
  }
  // What the engine is left to fill in may come to anything.
  if (a.is(ValueKind::auto_) != b.is(ValueKind::auto_)) return Verdict::undecided;
  if (a.kind != b.kind) return Verdict::refuted;
  switch (a.kind) {
    case ValueKind::number: {
      const Number &x = *a.number, &y = *b.number;
      if (!(x.dimension == y.dimension)) return Verdict::refuted;
      if (x.is_point() && y.is_point()) return verdict_of(equal_numbers(x, y));
      // Estimates of one value with one reason are one assumption, wherever they stand.
      bool one = one_text || (!x.why.empty() && x.why == y.why && !x.not_estimated());
      if (one && x.interval == y.interval) return Verdict::proved;
      bool apart = x.interval.hi < y.interval.lo || y.interval.hi < x.interval.lo;
      return apart ? Verdict::refuted : Verdict::undecided;
    }
    case ValueKind::list:
      return lists(a, b, [&](const Value& x, const Value& y) { return held(x, y, one_text); });
    case ValueKind::boolean:
    case ValueKind::string: return of(a, b);
    case ValueKind::record: return records(a.record, b.record, one_text);
    case ValueKind::function:
      if (a.closure->function != b.closure->function) return Verdict::refuted;
      return one_text || a.closure->env == b.closure->env ? Verdict::proved : Verdict::undecided;
    case ValueKind::none:
    case ValueKind::auto_: return Verdict::proved;
    case ValueKind::shape: return verdict_of(a.shape == b.shape);
    case ValueKind::native: return verdict_of(a.native == b.native);
    case ValueKind::module: return verdict_of(a.module == b.module);
    default: return Verdict::undecided;  // nothing here tells them apart
  }
}

// `holders`: the records that hold the two come from one text, so that what stands around does not
// tell them apart.
bool Sameness::from_one_text(const Record* a, const Record* b, bool holders) {
  if (a->layers.size() != b->layers.size() || a->presets.size() != b->presets.size()) return false;
  for (size_t i = 0; i < a->presets.size(); ++i) {
    bool same_value = a->presets[i].second.nothing == b->presets[i].second.nothing;
    bool same_place = holders && a->preset_spans[i] == b->preset_spans[i];
    if (a->presets[i].first != b->presets[i].first || !(same_value || same_place)) return false;
  }
  for (size_t i = 0; i < a->layers.size(); ++i) {
    const Layer &x = a->layers[i], &y = b->layers[i];
    if (x.body != y.body || (!holders && (x.env != y.env || x.base != y.base))) return false;
  }
  return true;
}

Value Evaluator::equality(Op op, const Value& a, const Value& b, const lang::Expr* e) {
  auto same = Sameness(*this, e).of(a, b);
  if (!same) return poison();
  Verdict v = op == Op::not_equal ? opposite(*same) : *same;
  if (v == Verdict::undecided && (not_known(a) || not_known(b))) return make_unknown_bool();
  return make_bool(v, v == Verdict::undecided);
}

namespace {

// Whether `lo + n * step` for some whole n lies between the least and the greatest value of x.
Verdict on_grid(const Number& x, const Number& lo, const Number& step) {
  if (x.exact && lo.exact && step.exact) {
    NumberResult from = subtract(x, lo);
    NumberResult rest = from.error == NumberError::none ? modulo(from.number, step) : from;
    if (rest.error == NumberError::none) return verdict_of(rest.number.numerator == 0);
  }
  if (!lo.is_point() || !step.is_point()) return Verdict::undecided;
  double first = std::ceil((x.interval.lo - lo.interval.lo) / step.interval.lo - 1e-9);
  double last = std::floor((x.interval.hi - lo.interval.lo) / step.interval.lo + 1e-9);
  return first > last ? Verdict::refuted : Verdict::undecided;
}

}  // namespace

Value Evaluator::in_range(const Value& a, const RangeValue& range, const lang::Expr* e) {
  if (not_known(a)) return make_unknown_bool();
  if (!a.is(ValueKind::number))
    return error(Kind::TypeMismatch, e->a->span,
                 format("a range holds numbers, and this is {}", describe(a)));
  const Number& x = *a.number;
  auto low = compare_less_equal(*range.lo, x);
  auto high = !range.hi         ? std::optional(Verdict::proved)
              : range.exclusive ? compare_less(x, *range.hi)
                                : compare_less_equal(x, *range.hi);
  bool step_fits = !range.step || range.step->dimension == x.dimension;
  if (!low || !high || !step_fits) {
    NumberResult r{{}, NumberError::dimensions};
    return number_error(r, Op::in, x, !low ? *range.lo : !high ? *range.hi : *range.step, e);
  }
  Verdict v = both(*low, *high);
  if (range.step && range.step->interval.lo <= 0)
    return error(Kind::OutOfRange, e->b->span, "the step of a range is above zero");
  if (range.step) v = both(v, on_grid(x, *range.lo, *range.step));
  return make_bool(v, !x.is_point());
}

// `"a" in map`, and `bf16 in gpu.peak` where the keys are cases.
Value Evaluator::has_key(const Value& a, Record* map, const lang::Expr* e) {
  if (a.poisoned()) return a;
  if (a.is(ValueKind::unknown)) return make_unknown_bool();
  bool is_case = a.is(ValueKind::record) && a.record->shape && a.record->shape->choice;
  if (!is_case && !a.is(ValueKind::string))
    return error(Kind::TypeMismatch, e->a->span,
                 format("a map is asked for one of its keys, and this is {}", describe(a)));
  Symbol key = is_case ? a.record->shape->name : names_.intern(a.string());
  std::vector<Symbol> all = keys(map);
  return make_bool(std::find(all.begin(), all.end(), key) != all.end());
}

Value Evaluator::contains(const Value& a, const Value& b, const lang::Expr* e) {
  if (b.is(ValueKind::record) && !b.record->shape) return has_key(a, b.record, e);
  if (b.is(ValueKind::range)) return in_range(a, *b.range, e);
  if (!b.is(ValueKind::list))
    return error(Kind::TypeMismatch, e->b->span,
                 format("`in` needs a range, a list or a map, not {}", describe(b)));
  if (!spend(e->span, b.items().size())) return poison();
  Verdict any = Verdict::refuted;
  for (const Value& item : b.items()) {
    auto same = Sameness(*this, e).of(a, item);
    if (!same) return poison();
    if (*same == Verdict::proved) return make_bool(true);
    if (*same == Verdict::undecided) any = Verdict::undecided;
  }
  return make_bool(any, any == Verdict::undecided);
}

}  // namespace dtp::eval
