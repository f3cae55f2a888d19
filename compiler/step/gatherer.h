// The units of FSDP on the tape: gathered before they work, let go after it, reduced when their
// gradients are there.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "plan/wrap.h"
#include "step/memory_tape.h"

namespace dtp::step {

// FSDP2 (torch/distributed/fsdp/_fully_shard, 2.6): a gather fills one buffer, which is copied out
// to the parameters. In the forward pass the buffer lives until the next one is copied out; in the
// backward pass it goes at once, and the next units are gathered ahead. The root stays from the
// beginning of the forward pass to the end of the backward pass. The input of a reduction is held
// until the next unit reduces.
//
// FSDP1 (torch/distributed/fsdp/_runtime_utils.py, _limiter_utils.py, 2.6): a unit is one flat
// tensor that is gathered in place. Two are there at most in the forward pass, so one goes when
// the next has been left; in the backward pass one is gathered ahead. The gradients of a unit are
// joined to a flat one, and cast where the reduction has another type.
class Gatherer {
 public:
  // `first_label`: that of the root's gathers; each unit has four labels.
  Gatherer(const graph::Graph& graph, MemoryTape& tape, uint32_t first_label);
  Gatherer(const Gatherer&) = delete;

  void add_labels(std::vector<Label>& labels) const;

  void begin();
  // An operation of that part of the model runs.
  void forward(graph::PathId part);
  void end_forward();
  // Its backward step runs.
  void backward(graph::PathId part);
  void end_backward();
  // A parameter is used for the first time: what its gradient goes with.
  uint32_t owner(graph::ParameterId parameter);
  // Its gradient has come.
  void arrived(TensorRecord& leaf);

 private:
  struct Copy {
    uint32_t unit = 0, parent = 0;
    uint32_t iteration = 0;  // where it was at work last
    Value whole;             // its parameters
    Value buffer;            // FSDP2: gathered, not yet copied out
    uint32_t leaves = 0, in_order = 0;
    MemoryTape::Gradients gradients;  // that have come
  };
  // Puts what is taken and given back down to a unit, in an iteration that it is a copy of.
  class Account;

  uint32_t base(uint32_t unit) const;
  uint32_t copy_at(uint32_t unit);
  bool is_around(uint32_t outer, uint32_t inner) const;
  void move_to(uint32_t copy);
  void set_iterations();
  void enter(uint32_t copy);
  void leave(uint32_t copy);
  Value gather(uint32_t copy);
  void gather_ahead(uint32_t copy);
  void reduce(uint32_t copy);
  void take_steps(const Copy& copy);
  Value elements(Int128 count, graph::DType type);

  const graph::Graph& graph_;
  MemoryTape& tape_;
  const Gathering& options_;
  const uint32_t first_label_;
  const plan::Units units_;
  const std::vector<Int128> elements_;                       // of one copy of each unit
  std::vector<Copy> copies_;                                 // 0 is the root
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> known_;  // by unit and number of the copy
  std::vector<uint32_t> order_;                              // copies as the forward pass left them
  uint32_t at_ = 0;
  bool backward_ = false;    // the backward pass has begun
  bool forward_ = true;      // what runs is a forward step, perhaps of a recomputed part
  Value last_buffer_;        // FSDP2, forward pass
  Value last_left_;          // FSDP1, forward pass
  std::vector<Value> sent_;  // what the last reduction holds
};

}  // namespace dtp::step
