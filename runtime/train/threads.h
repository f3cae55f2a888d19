// Threads of one process, for LibTorch's own loops and for the BLAS library, which keeps a pool of
// its own.
#pragma once

namespace dtp::runtime::train {

// `wanted` 0: the processors that this process may use, shared by the processes of this host.
// Gives how many there are.
int set_threads(int wanted, int processes);

}  // namespace dtp::runtime::train
