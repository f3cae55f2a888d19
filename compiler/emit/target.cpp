#include "emit/target.h"

#include <algorithm>

namespace dtp::emit {

namespace {

constexpr Target kTargets[] = {
#define TARGET(name, description, function) {#name, description, function},
#include "emit/targets.def"
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

const Target* find_target(std::string_view name) {
  const auto* found = std::find_if(std::begin(kTargets), std::end(kTargets),
                                   [&](const Target& t) { return t.name == name; });
  return found == std::end(kTargets) ? nullptr : found;
}

}  // namespace dtp::emit
