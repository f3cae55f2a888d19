#include "format/spacing.h"

namespace dtp::style {
namespace {

using namespace syntax;
using enum TokenType;

// What a `(` or `[` after it is applied to: `f(x)`, `Int[B]`, `x[0](y)`.
bool can_be_applied(TokenType type) { return type == NAME || is_string(type) || is_closer(type); }

// `T?` and `[B, T]?`; after anything else `?` is a hole and stands alone.
bool is_optional_mark(const Piece& left, const Piece& right) {
  return right.token.type == QUESTION && (left.token.type == NAME || is_closer(left.token.type));
}

bool starts_bound(TokenType type) {
  return type == NAME || type == NUMBER || type == PERCENT || type == LPAREN;
}

}  // namespace

bool space_between(const Piece& left, const Piece& right) {
  if (left.comment || right.comment) return true;
  TokenType before = left.token.type, after = right.token.type;
  if (before == LBRACE) return after != RBRACE;
  if (after == RBRACE) return true;
  if (before == LPAREN || before == LBRACK || after == RPAREN || after == RBRACK) return false;
  if (after == COMMA || after == SEMICOLON || after == COLON) return false;
  if (before == DOT || after == DOT || before == CARET || after == CARET) return false;
  if (left.unary) return false;
  if (after == RANGE || after == RANGE_EXCLUSIVE) return false;
  if (before == RANGE || before == RANGE_EXCLUSIVE) return !starts_bound(after);
  if (is_optional_mark(left, right)) return false;
  if (after == LPAREN || after == LBRACK) return !can_be_applied(before);
  return true;
}

}  // namespace dtp::style
