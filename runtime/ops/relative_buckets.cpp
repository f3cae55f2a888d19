// integers: buckets, whether both directions have their own, distance. As T5Attention of
// transformers numbers them: half of the buckets are one distance each, the others grow with its
// logarithm.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "runtime/ops/common.h"

namespace dtp::runtime::ops {
namespace {

int64_t bucket(int64_t far, int64_t buckets, int64_t distance) {
  int64_t exact = buckets / 2;
  if (far < exact) return far;
  double share = std::log(static_cast<double>(far) / static_cast<double>(exact)) /
                 std::log(static_cast<double>(distance) / static_cast<double>(exact));
  auto grown = static_cast<int64_t>(share * static_cast<double>(buckets - exact));
  return std::min(exact + grown, buckets - 1);
}

}  // namespace

void relative_buckets(Call& call) {
  bool both = call.integer(1) != 0;
  int64_t buckets = both ? call.integer(0) / 2 : call.integer(0), distance = call.integer(2);
  std::vector<int64_t> shape = call.output_shape(0);
  call.give(0, filled(shape, at::kLong, [&](int64_t i) {
              int64_t apart = i % shape[1] - i / shape[1];  // the key lies so far behind the query
              int64_t far = both ? std::abs(apart) : std::max<int64_t>(-apart, 0);
              return (both && apart > 0 ? buckets : 0) + bucket(far, buckets, distance);
            }));
}

}  // namespace dtp::runtime::ops
