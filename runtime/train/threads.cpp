#include "runtime/train/threads.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <sched.h>

#include <algorithm>

namespace dtp::runtime::train {

int set_threads(int wanted, int processes) {
  cpu_set_t processors;
  int here = sched_getaffinity(0, sizeof processors, &processors) == 0 ? CPU_COUNT(&processors) : 1;
  int threads = wanted > 0 ? wanted : std::max(here / processes, 1);
  // LibTorch may count the processors wrongly and begin with one thread.
  at::set_num_threads(threads);
  // OpenBLAS, where it is the BLAS library that LibTorch is linked to.
  if (void* set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))
    reinterpret_cast<void (*)(int)>(set)(threads);
  return threads;
}

}  // namespace dtp::runtime::train
