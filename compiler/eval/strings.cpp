// Values as text: in interpolated strings and in messages.
#include "eval/arithmetic.h"
#include "eval/evaluator.h"
#include "units/print.h"

namespace dtp::eval {

std::string Evaluator::interpolate(const lang::Expr* e, Env* env, bool* good) {
  std::string out;
  for (const lang::StringPiece& piece : e->pieces) {
    if (!piece.hole) {
      out += piece.text;
      continue;
    }
    Value v = evaluate(piece.hole, env);
    if (v.poisoned() && good) *good = false;
    if (piece.unit.empty() || !v.is(ValueKind::number)) {
      out += v.poisoned() ? "?" : print(v);
      if (spend(e->span, out.size() / 8)) continue;
      if (good) *good = false;
      return out;
    }
    auto unit = units_.find(piece.unit);
    if (!unit || !(unit->dimension == v.number->dimension)) {
      error(Kind::BadInterpolatedUnit, piece.unit_span,
            unit ? format("`{}` is a unit of {}, and the value is {}", piece.unit,
                          units_.describe(unit->dimension), describe(v))
                 : format("there is no unit `{}`", piece.unit));
      if (good) *good = false;
      continue;
    }
    out += units::print_in(v.number->interval.likely, *unit);
  }
  return out;
}

std::string Evaluator::print(const Value& v) const {
  switch (v.kind) {
    case ValueKind::poison: return "?";
    case ValueKind::none: return "none";
    case ValueKind::auto_: return "auto";
    case ValueKind::unknown: return format("unknown ({})", *v.text);
    case ValueKind::hole: return "?";
    case ValueKind::open: return "open (choose)";
    case ValueKind::boolean:
      return v.verdict == Verdict::proved    ? "true"
             : v.verdict == Verdict::refuted ? "false"
                                             : "undecided";
    case ValueKind::number:
      if (v.number->whole() && v.number->dimension.is_none()) {
        Int128 n = v.number->numerator;
        return n >= 10000 || n <= -10000 ? with_thousands(n) : to_string(n);
      }
      if (v.number->why == "not estimated") return "not estimated";
      if (v.number->is_point())
        return units::print_quantity(units_, v.number->interval.likely, v.number->dimension,
                                     v.number->decimal);
      return units::print_interval(units_, v.number->interval, v.number->dimension,
                                   v.number->decimal);
    case ValueKind::string: return std::string(v.string());
    case ValueKind::list:
    case ValueKind::tuple: {
      std::string out = v.is(ValueKind::list) ? "[" : "(";
      for (size_t i = 0; i < v.items().size(); ++i) {
        if (i) out += ", ";
        if (i == 12) {
          out += format("... {} in all", v.items().size());
          break;
        }
        out += print(v.items()[i]);
      }
      return out + (v.is(ValueKind::list) ? "]" : ")");
    }
    case ValueKind::range: {
      std::string out = print(const_cast<Evaluator*>(this)->make_number(*v.range->lo));
      out += v.range->exclusive ? "..<" : "..";
      if (v.range->hi) out += print(const_cast<Evaluator*>(this)->make_number(*v.range->hi));
      return out;
    }
    case ValueKind::record:
      if (v.record->shape && v.record->shape->kind == ShapeKind::case_)
        return std::string(text(v.record->shape->name));
      if (v.record->name) return std::string(text(v.record->name));
      return v.record->shape ? std::string(text(v.record->shape->name)) : "a record";
    case ValueKind::shape: return std::string(text(v.shape->name));
    case ValueKind::function: return std::string(text(v.closure->function->name));
    case ValueKind::native: return std::string(v.native->name());
    case ValueKind::module: return v.module->name;
    case ValueKind::shell: {
      std::string out;
      for (const ShellPiece& p : *v.shell)
        out += p.variable ? format("${{{}}}", p.text) : std::string(p.text);
      return out;
    }
    case ValueKind::tensor: return "a tensor";
    case ValueKind::dim: return v.dim == 1 ? "B" : format("{} B", v.dim);
  }
  return "?";
}

std::string Evaluator::describe(const Value& v) const {
  switch (v.kind) {
    case ValueKind::number:
      if (v.number->dimension.is_none()) return format("the number {}", print(v));
      return format("{} ({})", units_.spoken(v.number->dimension), print(v));
    case ValueKind::string: return format("the string \"{}\"", print(v));
    case ValueKind::boolean:
      return v.verdict == Verdict::undecided ? "an undecided condition" : print(v);
    case ValueKind::list: return format("a list of {}", v.items().size());
    case ValueKind::tuple: return format("{} values", v.items().size());
    case ValueKind::range: return format("the range {}", print(v));
    case ValueKind::record: return kind_name(v.record);
    case ValueKind::shape: {
      const char* what = v.shape->kind == ShapeKind::choice  ? "choice"
                         : v.shape->kind == ShapeKind::model ? "model"
                         : v.shape->kind == ShapeKind::case_ ? "case"
                                                             : "type";
      return format("the {} {}", what, text(v.shape->name));
    }
    case ValueKind::function: return format("the function `{}`", print(v));
    case ValueKind::native: return format("the operation `{}`", print(v));
    case ValueKind::module: return format("the file `{}`", print(v));
    case ValueKind::shell: return "text of the emitted script";
    default: return print(v);
  }
}

}  // namespace dtp::eval
