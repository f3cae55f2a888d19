// What is alive at the peak of a pass.
#pragma once
#include <array>
#include <vector>

#include "estimate/memory_walk.h"

namespace dtp::estimate {

using CategoryBytes = std::array<Int128, step::kCategories>;

struct PeakByCategory {
  Int128 live = 0, peak = 0;
  CategoryBytes live_by{}, peak_by{};  // at the end, and at the peak
};

// As `walk`, with the bytes of each category.
PeakByCategory walk_by_category(const step::Pass& pass, step::Sequence sequence, int64_t batch,
                                int64_t round);

// Bytes alive by label and category at the peak of `sequence`, on top of those in `live`: label *
// kCategories + category.
void add_live_at_peak(const step::Pass& pass, step::Sequence sequence, int64_t batch, int64_t round,
                      std::vector<Int128>& live);
// The same at the end of `sequence`.
void add_live_at_end(const step::Pass& pass, step::Sequence sequence, int64_t batch, int64_t round,
                     std::vector<Int128>& live);

}  // namespace dtp::estimate
