#include <stdexcept>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void own_part(Call&) {
  throw std::runtime_error(
      "own_part: one rank's part of a tensor exists only where several processes share one model, "
      "and here each holds all "
      "of it");
}

}  // namespace dtp::runtime::ops
