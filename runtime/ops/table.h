// The runtime's operations by the names that the compiler gives them.
#pragma once
#include <string_view>

namespace dtp::runtime {
class Call;
}

namespace dtp::runtime::ops {

using Function = void (*)(Call&);
// Null where no operation has this name.
Function find(std::string_view name);

}  // namespace dtp::runtime::ops
