#include "lang/declaration.h"

namespace dtp::lang {

std::string_view spelling(Op op) {
  switch (op) {
    case Op::none: return "";
    case Op::power: return "^";
    case Op::multiply: return "*";
    case Op::divide: return "/";
    case Op::modulo: return "%";
    case Op::add: return "+";
    case Op::subtract: return "-";
    case Op::by: return "by";
    case Op::otherwise: return "??";
    case Op::equal: return "==";
    case Op::not_equal: return "!=";
    case Op::less: return "<";
    case Op::less_equal: return "<=";
    case Op::greater: return ">";
    case Op::greater_equal: return ">=";
    case Op::in: return "in";
    case Op::is: return "is";
    case Op::and_: return "and";
    case Op::or_: return "or";
    case Op::implies: return "implies";
    case Op::pipe: return "|>";
    case Op::negate: return "-";
    case Op::not_: return "not";
    case Op::range: return "..";
    case Op::range_exclusive: return "..<";
  }
  return "";
}

std::string_view word(DeclKind kind) {
  switch (kind) {
    case DeclKind::let: return "let";
    case DeclKind::function: return "fn";
    case DeclKind::type: return "type";
    case DeclKind::choice: return "choice";
    case DeclKind::family: return "family";
    case DeclKind::dimension: return "dimension";
    case DeclKind::unit: return "unit";
    case DeclKind::model: return "model";
    case DeclKind::rule: return "rule";
    case DeclKind::plan: return "plan";
    case DeclKind::requirement: return "require";
    case DeclKind::allowance: return "allow";
  }
  return "";
}

}  // namespace dtp::lang
