#include <stdexcept>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void gather_parts(Call&) {
  throw std::runtime_error(
      "gather_parts: the parts of all tensor-parallel ranks exist only where several processes "
      "share one model, and here each holds all "
      "of it");
}

}  // namespace dtp::runtime::ops
