#include "runtime/meter/labels.h"

#include <ATen/SequenceNumber.h>

#include <algorithm>

namespace dtp::runtime::meter {

std::string spell(const Label& label) {
  std::string text = label.operation;
  if (!label.path.empty()) text += " of " + label.path;
  return label.backward ? text + ", backward" : text;
}

std::string spell_label(const Graph& graph, uint32_t label) {
  size_t index = label / 2;
  bool backward = label % 2 == 1;
  if (index < graph.nodes.size())
    return spell({graph.nodes[index].operation, graph.nodes[index].path, backward});
  index -= graph.nodes.size();
  if (index < graph.repeats.size())
    return spell({"recompute", graph.repeats[index].path, backward});
  return spell({"loss", "", backward});
}

void BackwardLabels::from_here(uint32_t label) {
  uint64_t next = at::sequence_number::peek();
  if (!runs_.empty() && runs_.back().first == next)
    runs_.back().label = label;
  else
    runs_.push_back({next, label});
}

uint32_t BackwardLabels::of_sequence(uint64_t number, uint32_t otherwise) const {
  // The step that keeps a leaf's gradient has no number of its own: the largest there is.
  auto after = std::upper_bound(runs_.begin(), runs_.end(), number,
                                [](uint64_t n, const Run& run) { return n < run.first; });
  if (number == ~uint64_t{0} || after == runs_.begin()) return otherwise;
  return (after - 1)->label + 1;
}

}  // namespace dtp::runtime::meter
