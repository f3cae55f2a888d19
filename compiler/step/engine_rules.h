// Which mechanisms a framework version has. Each is listed with what proves it.
#pragma once
#include <string_view>

#include "ops/mechanisms.h"

namespace dtp::step {

ops::Mechanisms libtorch_1_13_cpu();
ops::Mechanisms pytorch_2_cuda();
// "cpu" or "cuda".
ops::Mechanisms mechanisms_of(std::string_view backend);

}  // namespace dtp::step
