// The rows are the compiler's own: an operation that has no file here does not link.
#include "runtime/ops/table.h"

#include <unordered_map>

#include "compiler/ops/operations.def"

namespace dtp::runtime::ops {

#define ROW(name) void name(Call& call);
DTP_OPERATIONS(ROW)
DTP_INNER_OPERATIONS(ROW)
#undef ROW

Function find(std::string_view name) {
#define ROW(name) {#name, &name},
  static const std::unordered_map<std::string_view, Function> rows{DTP_OPERATIONS(ROW)
                                                                       DTP_INNER_OPERATIONS(ROW)};
#undef ROW
  auto found = rows.find(name);
  return found == rows.end() ? nullptr : found->second;
}

}  // namespace dtp::runtime::ops
