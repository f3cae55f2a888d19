// integers: block. As the patch merging of Swin composes it: one strided view for each place in the
// square, joined; down the rows first.
#include <ATen/ops/cat.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void space_to_depth(Call& call) {
  at::Tensor x = call.take(0);
  int64_t block = call.integer(0), height = x.size(1), width = x.size(2);
  std::vector<at::Tensor> parts;
  for (int64_t i = 0; i < block * block; ++i) {
    at::Tensor rows = x.slice(1, i % block, height, block);
    parts.push_back(rows.slice(2, i / block, width, block));
  }
  x.reset();
  call.give(0, at::cat(parts, 3));
}

}  // namespace dtp::runtime::ops
