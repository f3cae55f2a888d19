#include <cstdlib>
#include <stdexcept>
#include <string>

#include "runtime/parallel/group.h"

namespace dtp::runtime::parallel {
namespace {

int number(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  if (!text || !*text) return otherwise;
  char* end = nullptr;
  long value = std::strtol(text, &end, 10);
  if (*end || value < 0 || value > (1 << 20))
    throw std::runtime_error(std::string(name) + "=" + text + " is no number of a process");
  return static_cast<int>(value);
}

}  // namespace

Membership membership() {
  Membership m;
  m.world = number("WORLD_SIZE", 1);
  m.rank = number("RANK", 0);
  m.local_world = number("LOCAL_WORLD_SIZE", m.world);
  if (m.world < 1 || m.rank >= m.world || m.local_world < 1)
    throw std::runtime_error("RANK=" + std::to_string(m.rank) +
                             " is none of WORLD_SIZE=" + std::to_string(m.world) + " processes");
  return m;
}

}  // namespace dtp::runtime::parallel
