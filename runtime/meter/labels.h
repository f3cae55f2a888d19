// Which step of the graph is at work: a node forward (2n), its backward step (2n + 1), a recomputed
// repeat or the loss, numbered as the compiler numbers them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/config/training_config.h"

namespace dtp::runtime::meter {

inline thread_local uint32_t label_at_work = 0;

inline uint32_t label_of_node(uint32_t node) { return 2 * node; }
inline uint32_t label_of_repeat(const Graph& graph, uint32_t repeat) {
  return 2 * (static_cast<uint32_t>(graph.nodes.size()) + repeat);
}
inline uint32_t label_of_loss(const Graph& graph) {
  return 2 * static_cast<uint32_t>(graph.nodes.size() + graph.repeats.size());
}
// "linear blocks.{i}.fc1, backward".
std::string spell(const Label& label);
std::string spell_label(const Graph& graph, uint32_t label);

// Autograd numbers its nodes in the order in which they are made; from these numbers the backward
// pass is told which step of the graph made the node that runs.
class BackwardLabels {
 public:
  void begin_pass() { runs_.clear(); }
  // What autograd makes from here on comes from `label`.
  void from_here(uint32_t label);
  uint32_t of_sequence(uint64_t number, uint32_t otherwise) const;

 private:
  struct Run {
    uint64_t first;
    uint32_t label;
  };
  std::vector<Run> runs_;
};

}  // namespace dtp::runtime::meter
