#include "runtime/meter/resident.h"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace dtp::runtime::meter {

int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  int64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

int64_t most_resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

}  // namespace dtp::runtime::meter
