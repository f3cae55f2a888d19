#include "graph/dtype.h"

#include <array>

namespace dtp::graph {
namespace {

struct Row {
  std::string_view name;
  int64_t size;
};
constexpr std::array<Row, 12> kRows{{{"fp32", 4},
                                     {"tf32", 4},
                                     {"fp16", 2},
                                     {"bf16", 2},
                                     {"fp8", 1},
                                     {"int8", 1},
                                     {"nf4", 1},
                                     {"fp64", 8},
                                     {"int64", 8},
                                     {"int32", 4},
                                     {"uint8", 1},
                                     {"bool", 1}}};

}  // namespace

int64_t size_of(DType type) { return kRows[static_cast<size_t>(type)].size; }
std::string_view name_of(DType type) { return kRows[static_cast<size_t>(type)].name; }

std::optional<DType> dtype_of(std::string_view name) {
  for (size_t i = 0; i < kRows.size(); ++i)
    if (kRows[i].name == name) return static_cast<DType>(i);
  return std::nullopt;
}

}  // namespace dtp::graph
