// The memory of a pass for a given batch: how far it rises, where it ends.
#pragma once
#include "base/int128.h"
#include "step/schedule.h"

namespace dtp::estimate {

// Bytes above what was alive before. `peak` >= 0.
struct Reach {
  Int128 live = 0;
  Int128 peak = 0;
};

// `batch`: samples a pass. `round`: each tensor's bytes are rounded up to a multiple of it, and to
// at least one of it. Over a run of n equal iterations the peak is that of the first or of the
// last: each starts `live` above the one before it. So the cost does not depend on n.
Reach walk(const step::Pass& pass, step::Sequence sequence, int64_t batch, int64_t round = 1);

// Bytes of one event. Saturates at 2^100.
Int128 bytes_of(const step::Event& event, int64_t batch, int64_t round);

}  // namespace dtp::estimate
