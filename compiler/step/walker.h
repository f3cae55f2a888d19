// Walks a graph as one training step runs it: forward, then backward, on a tape that writes down
// memory.
#pragma once
#include <optional>
#include <vector>

#include "step/gatherer.h"
#include "step/memory_tape.h"
#include "step/uses.h"

namespace dtp::step {

class Walker {
 public:
  // `iterations`: how many iterations of a longer repeat are walked.
  Walker(const graph::Graph& graph, const PassOptions& options, int64_t iterations);

  // Where the parts of a micro-batch end in the trace.
  struct Ends {
    uint32_t forward, backward, release;
  };
  Ends run();
  const Trace& trace() { return tape_.trace(); }
  // By label number: operations of the graph (2n, and 2n + 1 for the backward step of node n),
  // recomputed repeats, loss.
  std::vector<Label> labels() const;

 private:
  Value take(uint32_t tensor);
  void give(uint32_t tensor, Value value);
  Value parameter(graph::ParameterId id);
  void begin_region(graph::RegionId region);
  void walk_items(graph::RegionId region);
  void walk_repeat(uint32_t index);
  std::vector<Value> walk_body(const graph::Repeat& repeat, std::vector<Value> carried,
                               const std::vector<Value>& captured);
  std::vector<Value> walk_checkpointed(uint32_t index, std::vector<Value> carried,
                                       const std::vector<Value>& captured);
  struct Remembered {
    uint32_t repeat;
    uint32_t iteration;
    size_t carried;
    std::vector<bool> needs_gradient;
    bool autocast;
  };
  void recompute(const Remembered& remembered, ops::BackwardCall& call);
  void enter_iteration(const graph::Repeat& repeat, uint32_t execution, uint32_t index,
                       uint32_t walked);
  void return_to(uint32_t iteration);
  bool trains(graph::RegionId region) const;
  Value random_state();
  uint32_t label_of_repeat(uint32_t index) const;
  uint32_t label_of_loss() const;
  graph::PathId part_of(uint32_t label) const;

  class Tape : public MemoryTape {
   public:
    Tape(Walker& walker, const PassOptions& options) : MemoryTape(options), walker_(walker) {}
    Value take(graph::TensorId id) override { return walker_.take(id.value); }
    void give(graph::TensorId id, Value value) override {
      walker_.give(id.value, std::move(value));
    }
    Value parameter(graph::ParameterId id) override { return walker_.parameter(id); }

   protected:
    void reach(const GradientNode& node) override {
      if (walker_.gatherer_) walker_.gatherer_->backward(walker_.part_of(node.label));
    }
    void arrived(TensorRecord& leaf) override { walker_.gatherer_->arrived(leaf); }

   private:
    Walker& walker_;
  };
  struct Leaf {
    uint64_t copy;
    Value value;
  };

  const graph::Graph& graph_;
  const int64_t iterations_;
  std::vector<RegionUses> uses_;
  Tape tape_;
  std::optional<Gatherer> gatherer_;
  std::vector<Value> frame_;               // by tensor
  std::vector<uint32_t> remaining_;        // uses still to come, by tensor
  std::vector<uint64_t> copy_of_;          // by scope: the copy of its parameters in use
  std::vector<std::vector<Leaf>> leaves_;  // by parameter
  std::vector<int64_t> steps_;             // by parameter: see PassOptions::steps
};

}  // namespace dtp::step
