// Every operation and layer there is, one row each. A file that defines a layer adds its row here,
// one that defines an operation in operations.def.
#pragma once
#include "ops/operation.h"
#include "ops/operations.def"

#define DTP_LAYERS(ROW) \
  ROW(BatchNorm)        \
  ROW(Buffer)           \
  ROW(Conv1d)           \
  ROW(Conv2d) ROW(Embedding) ROW(GroupNorm) ROW(LayerNorm) ROW(Linear) ROW(PatchEmbed) ROW(RMSNorm)

namespace dtp::ops::table {

#define ROW(name) extern const Operation name##_operation;
DTP_OPERATIONS(ROW)
DTP_INNER_OPERATIONS(ROW)
#undef ROW
#define ROW(name) extern const LayerKind name##_layer;
DTP_LAYERS(ROW)
#undef ROW

}  // namespace dtp::ops::table
