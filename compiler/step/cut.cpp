#include "step/cut.h"

#include <algorithm>

namespace dtp::step {

using plan::Parallel;

namespace {

// FSDP1 aligns starts to 16 bytes (torch/distributed/fsdp/_flat_param.py), Megatron to 64 elements
// (param_and_grad_buffer.py).
int64_t alignment(const plan::Settings& s) {
  if (s.parallel.kind == Parallel::fsdp)
    return std::max(int64_t{16} / graph::size_of(s.precision.parameters), int64_t{1});
  return s.parallel.kind == Parallel::megatron ? 64 : 1;
}

Int128 filled(const graph::Parameter& p, const Cut& cut) {
  if (cut.by == CutBy::rows || cut.by == CutBy::numbers) return share_of(p, cut) * cut.ranks;
  return rounded_up(p.elements(), cut.alignment);
}

}  // namespace

Cut cut_of(const plan::Settings& s) {
  CutBy by = s.parallel.kind == Parallel::fsdp    ? CutBy::flat
             : s.parallel.kind == Parallel::fsdp2 ? CutBy::rows
             : s.parallel.spreads_parameters()    ? CutBy::numbers
                                                  : CutBy::nothing;
  return {by, s.parallel.shards(), alignment(s)};
}

Int128 share_of(const graph::Parameter& p, const Cut& cut) {
  Int128 all = p.elements();
  auto share = [&](Int128 n) { return (n + cut.ranks - 1) / cut.ranks; };
  if (cut.by != CutBy::rows || p.shape.rank() == 0) return share(all);
  Int128 rows = p.shape[0].value;
  return rows > 0 ? share(rows) * (all / rows) : 0;
}

std::vector<Int128> unit_elements(const graph::Graph& graph, const plan::Units& units,
                                  const Cut& cut) {
  std::vector<Int128> elements(units.list.size());
  for (size_t i = 0; i < graph.parameters.size(); ++i) {
    const graph::Parameter& p = graph.parameters[i];
    if (!plan::is_gathered(p)) continue;
    uint32_t unit = units.parameter[i];
    elements[unit] += filled(p, cut) * (p.count / units.list[unit].count);
  }
  if (cut.by == CutBy::flat)
    for (Int128& n : elements) n = rounded_up(n, cut.ranks);
  return elements;
}

}  // namespace dtp::step
