// Typed text becomes expressions: data only. Nodes live in the arena of their module and are never
// destroyed.
#pragma once
#include <llvm/ADT/ArrayRef.h>

#include <optional>
#include <string_view>

#include "base/int128.h"
#include "base/span.h"
#include "base/symbol.h"

namespace dtp::lang {

enum class ExprKind : uint8_t {
  error,     // did not parse: evaluates to poison
  number,    // literal
  quantity,  // literal with a unit
  string,    // pieces
  boolean,
  none,
  hole,  // ?
  name,
  member,              // a . name
  star,                // a . *
  call,                // a ( arguments )
  comprehension_call,  // sum(e for x in xs if c): a is the callee
  index,               // a [ items ]
  amend,               // a { body }
  record,              // { body }
  keyed,               // a as name | "key"
  list,
  list_comprehension,
  binary,
  unary,
  range,        // a .. b
  conditional,  // if a then b else c
  choose,
  each,
};

enum class Op : uint8_t {
  none,
  power,
  multiply,
  divide,
  modulo,
  add,
  subtract,
  by,
  otherwise,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  in,
  is,
  and_,
  or_,
  implies,
  pipe,
  negate,
  not_,
  range,
  range_exclusive,
};
std::string_view spelling(Op op);  // "<="

struct Expr;
struct RecordBody;

// A literal: exact where it fits (`1e-4` is 1/10000), a double beside it for what does not.
struct Literal {
  bool exact = true;
  Int128 numerator = 0;
  Int128 denominator = 1;
  double value = 0;
  std::string_view unit;  // spelling, empty for a plain number
  bool percent = false;   // written 90%: 9/10
  Span unit_span;
};

struct StringPiece {
  std::string_view text;  // where `hole` is null; escapes undone
  const Expr* hole = nullptr;
  std::string_view unit;  // {x:GiB}
  Span unit_span;
};

struct Argument {
  Symbol name;  // empty when positional
  Span name_span;
  const Expr* value = nullptr;
};

// One `for names in list`, innermost last; `condition` filters after all of them.
struct Comprehension {
  struct Loop {
    llvm::ArrayRef<Symbol> names;
    const Expr* list = nullptr;
  };
  const Expr* element = nullptr;
  llvm::ArrayRef<Loop> loops;
  const Expr* condition = nullptr;
};

struct Expr {
  ExprKind kind = ExprKind::error;
  Op op = Op::none;
  bool flag = false;  // boolean: its value; string: raw
  Span span;
  Symbol name;     // name, member
  Span name_span;  // member, keyed
  const Expr* a = nullptr;
  const Expr* b = nullptr;
  const Expr* c = nullptr;
  const Literal* literal = nullptr;
  const RecordBody* body = nullptr;
  const Comprehension* comprehension = nullptr;
  llvm::ArrayRef<const Expr*> items;   // list, index
  llvm::ArrayRef<Argument> arguments;  // call
  llvm::ArrayRef<StringPiece> pieces;  // string
};

enum class TypeExprKind : uint8_t { error, name, tensor, tuple, multiply, divide, range };

// A type as written.
struct TypeExpr {
  TypeExprKind kind = TypeExprKind::error;
  bool optional = false;
  bool exclusive = false;  // range with ..<
  Span span;
  llvm::ArrayRef<Symbol> path;  // name
  llvm::ArrayRef<const TypeExpr*>
      arguments;  // name: List(T), Int(1..64); multiply, divide: two; tuple: elements
  bool has_dims = false;
  llvm::ArrayRef<const Expr*> dims;      // tensor, and name with dims: Int[B, T]
  llvm::ArrayRef<Symbol> element_names;  // tuple
  const Expr* lo = nullptr;              // range
  const Expr* hi = nullptr;              // may be null: open
};

}  // namespace dtp::lang
