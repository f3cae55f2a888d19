// Memory of the whole process as the kernel counts it, in bytes: tensors, code, buffers of
// libraries.
#pragma once
#include <cstdint>

namespace dtp::runtime::meter {

int64_t resident_bytes();
int64_t most_resident_bytes();  // since the process began

}  // namespace dtp::runtime::meter
