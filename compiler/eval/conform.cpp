// Whether a value fits a type, and the value as that type.
#include "base/dates.h"
#include "eval/arithmetic.h"
#include "eval/evaluator.h"
#include "eval/hints.h"

namespace dtp::eval {
namespace {

// 7/2 is said as 3.5; 1/3 has no end.
std::string fraction(const Number& n, const std::string& printed) {
  auto thousandfold = checked_multiply(n.numerator, 1000);
  if (thousandfold && *thousandfold % n.denominator == 0) return format("{}", n.interval.likely);
  return format("{}/{} = {}", to_string(n.numerator), to_string(n.denominator), printed);
}

// `hardware = "8xA100"` is no list of groups: the first field must be a plain value itself.
bool is_plain(const Type* type) {
  while (type && type->kind == TypeKind::optional) type = type->element;
  if (!type) return true;
  return type->kind != TypeKind::list && type->kind != TypeKind::map &&
         type->kind != TypeKind::record && type->kind != TypeKind::model;
}

bool takes_bare_value(Evaluator& evaluator, const Shape& shape) {
  if (shape.fields.empty()) return false;
  const Field& first = shape.fields[0];
  if (first.type && !is_plain(evaluator.type(first.type, first.env))) return false;
  for (size_t i = 1; i < shape.fields.size(); ++i) {
    const Field& f = shape.fields[i];
    if (f.stage == lang::Stage::given && !f.fallback && !(f.type && f.type->optional)) return false;
  }
  return true;
}

}  // namespace

Value Evaluator::mismatch(const Value& value, const Type* t, Span at, const std::string& what) {
  bool quantities =
      value.is(ValueKind::number) && (t->kind == TypeKind::quantity || t->kind == TypeKind::family);
  auto builder = diagnose(quantities ? Kind::DimensionMismatch : Kind::TypeMismatch, at,
                          format("{} is {}, and this is {}", what, print(t), describe(value)));
  Hints(*this).mismatch(builder, value, t, at);
  sink_.add(std::move(builder));
  return poison();
}

Value Evaluator::conform(const Value& value, const Type* t, Span at, const std::string& what) {
  switch (value.kind) {
    case ValueKind::poison:
    case ValueKind::auto_:
    case ValueKind::unknown: return value;
    default: break;
  }
  switch (t->kind) {
    case TypeKind::any: return value;
    case TypeKind::optional:
      if (value.is(ValueKind::none)) return value;
      if (value.is(ValueKind::boolean) && !value.truthy() &&
          t->element->kind != TypeKind::boolean && t->element->kind != TypeKind::any) {
        sink_.add(
            diagnose(Kind::TypeMismatch, at, format("{} is {}, and this is false", what, print(t)))
                .help("what is absent is written `none`", at, "none"));
        return poison();
      }
      return conform(value, t->element, at, what);
    case TypeKind::integer:
    case TypeKind::real:
    case TypeKind::quantity:
    case TypeKind::family: return conform_number(value, t, at, what);
    case TypeKind::boolean:
      return value.is(ValueKind::boolean) ? value : mismatch(value, t, at, what);
    case TypeKind::string:
      return value.is(ValueKind::string) ? value : mismatch(value, t, at, what);
    case TypeKind::shell:
      if (value.is(ValueKind::none) || value.is(ValueKind::record) || value.is(ValueKind::shape))
        return mismatch(value, t, at, what);
      return value;
    case TypeKind::date:
      if (!value.is(ValueKind::string)) return mismatch(value, t, at, what);
      if (read_date(value.string())) return value;
      return error(Kind::TypeMismatch, at,
                   format("{} is a date written \"2026-11-30\", not \"{}\"", what, value.string()));
    case TypeKind::list: {
      if (!value.is(ValueKind::list)) return mismatch(value, t, at, what);
      if (!t->element || t->element->kind == TypeKind::any) return value;
      llvm::SmallVector<Value, 8> items;
      bool good = true;
      for (const Value& item : value.items()) {
        items.push_back(conform(item, t->element, at, what));
        good = good && !items.back().poisoned();
      }
      return good ? make_list(items) : poison();
    }
    case TypeKind::map:
      if (!value.is(ValueKind::record) || value.record->shape) return mismatch(value, t, at, what);
      if (!value.record->is_map || value.record->element != t->element) {
        Record* typed = copy(value.record);
        if (!typed) return poison();
        typed->is_map = true;
        typed->element = t->element;
        typed->key_type = t->key;
        return make_record(typed);
      }
      return value;
    case TypeKind::record:
    case TypeKind::choice: return conform_record(value, t, at, what);
    case TypeKind::model:
      if (value.is(ValueKind::record) && value.record->shape &&
          value.record->shape->kind == ShapeKind::model) {
        validate(value.record, "");
        return value;
      }
      if (value.is(ValueKind::shape) && value.shape->kind == ShapeKind::model)
        return make_record(instantiate(value.shape, at));
      return mismatch(value, t, at, what);
    case TypeKind::function:
      return value.is(ValueKind::function) ? value : mismatch(value, t, at, what);
  }
  return value;
}

Value Evaluator::conform(const Value& value, const Type* t, const lang::Expr* written,
                         const std::string& what) {
  const Type* list = t;
  while (list->kind == TypeKind::optional) list = list->element;
  bool apart = list->kind == TypeKind::list && list->element &&
               list->element->kind != TypeKind::any && value.is(ValueKind::list) &&
               written->kind == lang::ExprKind::list &&
               written->items.size() == value.items().size();
  if (!apart) return conform(value, t, written->span, what);
  llvm::SmallVector<Value, 8> items;
  bool good = true;
  for (size_t i = 0; i < written->items.size(); ++i) {
    items.push_back(conform(value.items()[i], list->element, written->items[i], what));
    good = good && !items.back().poisoned();
  }
  return good ? make_list(items) : poison();
}

Value Evaluator::conform_number(const Value& value, const Type* t, Span at,
                                const std::string& what) {
  if (value.is(ValueKind::dim) && t->kind == TypeKind::integer) return value;
  if (!value.is(ValueKind::number)) return mismatch(value, t, at, what);
  const Number& n = *value.number;
  if (t->kind == TypeKind::quantity)
    return n.dimension == t->dimension ? value : mismatch(value, t, at, what);
  if (t->kind == TypeKind::family) {
    // t->dimension is what the family member is divided by, so that Money / Time takes USD/h.
    units::Dimension member = n.dimension * t->dimension;
    for (unsigned i = 0; i < units_.base_dimensions().size(); ++i)
      if (member == units::Dimension::base(i) &&
          units_.base_dimensions()[i].family == text(t->name))
        return value;
    return mismatch(value, t, at, what);
  }
  if (!n.dimension.is_none()) return mismatch(value, t, at, what);
  if (t->kind == TypeKind::integer && !n.whole()) {
    if (n.exact) {
      auto builder =
          diagnose(Kind::NotWhole, at,
                   format("{} is a whole number, and this is {}", what, fraction(n, print(value))));
      // What a file of the library works out is mended where it was set off, not there.
      if (is_users(at)) builder.help("`floor(x)`, `ceil(x)` and `round(x)` give whole numbers");
      sink_.add(std::move(builder));
      return poison();
    }
    if (!n.is_point())
      return error(Kind::NotWhole, at,
                   format("{} is a whole number, and this is an estimate: {}", what, print(value)));
    return error(Kind::NotWhole, at,
                 format("{} is a whole number, and this is {}", what, print(value)));
  }
  bool below = t->lo && compare_less(n, *t->lo) == Verdict::proved;
  bool above = t->hi && (t->exclusive ? compare_less(n, *t->hi) != Verdict::proved
                                      : compare_less(*t->hi, n) == Verdict::proved);
  if (below || above) {
    auto builder = diagnose(Kind::OutOfRange, at,
                            format("{} is {}, and this is {}", what, print(t), print(value)));
    // `dropout = 10`, where a share is wanted
    bool share = above && t->kind == TypeKind::real && t->hi->is_point() &&
                 t->hi->interval.likely == 1 && n.whole() && n.numerator <= 100;
    if (share)
      builder.help(format("a share is written in percent, or as a fraction of 1: `{}%`",
                          to_string(n.numerator)));
    sink_.add(std::move(builder));
    return poison();
  }
  return value;
}

Value Evaluator::conform_record(const Value& value, const Type* t, Span at,
                                const std::string& what) {
  const Shape* wanted = t->shape;
  if (value.is(ValueKind::record)) {
    Record* r = value.record;
    if (r->shape) {
      if (!r->shape->is_a(wanted)) return mismatch(value, t, at, what);
      validate(r, "");
      return value;
    }
    if (r->is_map && !r->layers.empty() && t->kind != TypeKind::record)
      return mismatch(value, t, at, what);
    if (t->kind == TypeKind::choice) return mismatch(value, t, at, what);
    Record* typed = copy(r);
    if (!typed) return poison();
    typed->shape = wanted;
    typed->is_map = false;
    validate(typed, "");
    return make_record(typed);
  }
  if (value.is(ValueKind::shape) && t->kind == TypeKind::record && value.shape->is_a(wanted))
    return make_record(instantiate(value.shape, at));
  if (value.is(ValueKind::function) && t->kind == TypeKind::record) {
    // `launch = torchrun`: a function without needed arguments stands for its result.
    return conform(call(value, {}, {at, at, {}, nullptr}), t, at, what);
  }
  // A bare value fills the first field where nothing else needs to be said: ema = 0.9999.
  bool bare =
      value.is(ValueKind::number) || value.is(ValueKind::string) || value.is(ValueKind::boolean);
  if (bare && t->kind == TypeKind::record && takes_bare_value(*this, *wanted)) {
    Record* r = instantiate(wanted, at);
    r->presets.push_back({wanted->fields[0].name, value});
    r->preset_spans.push_back({wanted->fields[0].name, at});
    return make_record(r);
  }
  return mismatch(value, t, at, what);
}

}  // namespace dtp::eval
