// Types as the evaluator checks them.
#pragma once
#include <optional>

#include "eval/record.h"

namespace dtp::eval {

enum class TypeKind : uint8_t {
  any,
  integer,
  real,
  boolean,
  string,
  date,
  quantity,
  family,
  optional,
  list,
  map,
  record,
  choice,
  model,
  function,
  shell
};

struct Type {
  TypeKind kind = TypeKind::any;
  units::Dimension dimension;     // quantity
  Symbol name;                    // family; the spelling of others
  const Type* element = nullptr;  // optional, list, map (its values)
  const Type* key = nullptr;      // map
  const Shape* shape = nullptr;   // record, choice
  const Number* lo = nullptr;     // integer, real
  const Number* hi = nullptr;
  bool exclusive = false;
};

}  // namespace dtp::eval
