// Every tensor byte of the host, counted where LibTorch asks for it: an allocator in place of its
// own, that all threads take from and give back to. A size is what was asked for, not rounded.
#pragma once
#include <cstdint>

namespace dtp::runtime::meter {

// Once, before the first tensor: memory goes back to the allocator that it came from.
void install_counting_allocator();

int64_t live_bytes();
// The most that was alive since `restart_peak`, which returns what is alive now.
int64_t peak_bytes();
int64_t restart_peak();

class Trace;
// Events are written down from here on; null: no longer.
void record_into(Trace* trace);

}  // namespace dtp::runtime::meter
