#include "graph/graph.h"

namespace dtp::graph {

std::string_view spelling(Sharding sharding) {
  switch (sharding) {
    case Sharding::none: return "none";
    case Sharding::column: return "column";
    case Sharding::row: return "row";
    case Sharding::vocab: return "vocab";
    case Sharding::sequence: return "sequence";
    case Sharding::expert: return "expert";
  }
  return "none";
}
namespace {

constexpr Int128 kSaturated = (Int128{1} << 120);

Int128 sum_of_elements(const Graph& graph, bool only_trainable) {
  Int128 sum = 0;
  for (const Parameter& p : graph.parameters) {
    if (!p.saved || !p.counted || (only_trainable && !p.trainable)) continue;
    auto all = checked_multiply(p.elements(), p.count);
    auto next = all ? checked_add(sum, *all) : std::nullopt;
    if (!next || *next > kSaturated) return kSaturated;
    sum = *next;
  }
  return sum;
}

}  // namespace

Int128 Graph::parameter_count() const { return sum_of_elements(*this, false); }
Int128 Graph::trainable_count() const { return sum_of_elements(*this, true); }

}  // namespace dtp::graph
