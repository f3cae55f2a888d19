// A small autograd over storages instead of numbers: reference counts decide when memory is given
// back, as in LibTorch.
#pragma once
#include <deque>
#include <utility>
#include <vector>

#include "ops/gradient_node.h"
#include "step/pass_options.h"
#include "step/trace.h"

namespace dtp::step {

using ops::GradientEdge;
using ops::GradientNode;
using ops::TensorRecord;
using ops::Value;

class MemoryTape : public ops::Tape {
 public:
  explicit MemoryTape(const PassOptions& options);
  ~MemoryTape() override;

  Value allocate(const graph::Shape& shape, graph::DType type) override;
  Value alias(const Value& base, const graph::Layout& layout) override;
  bool recording() const override { return recording_; }
  void record(std::span<Value> outputs, std::span<const Value> inputs, std::vector<Value> saved,
              ops::Backward backward) override;
  Value cast(const Value& value, graph::DType type, bool cached) override;
  const ops::Mechanisms& mechanisms() const override { return options_.mechanisms; }
  bool autocast() const override { return autocast_; }
  graph::DType compute_type() const override { return options_.compute; }
  graph::DType real_type() const override { return options_.parameters; }
  graph::Shape shape(const graph::Shape& shape) const override;
  void release(TensorRecord* record) override;
  using ops::Tape::record;

  // Memory that was there before the pass: no event.
  Value external(const graph::Shape& shape, graph::DType type, bool leaf, bool requires_grad);
  // The same memory as a leaf of its own.
  Value leaf_alias(const Value& base, bool requires_grad);
  // The node that made `value` keeps `kept` until the graph of nodes goes.
  static void keep_with_node(const Value& value, Value kept);

  // Runs the backward pass from `roots`, whose gradients are given (node order: the latest made
  // first).
  void backward(std::span<const Value> roots, std::span<const Value> gradients);
  void mark(const Value& value, Category category);
  // Parameters lose their gradients, each of which came in an iteration inside the one at work.
  using Gradients = std::vector<std::pair<TensorRecord*, uint32_t>>;
  void give_back(const Gradients& gradients);
  // The optimizer's step of one parameter, or of a rank's share of it.
  void take_step(int64_t bytes);

  Trace& trace() { return trace_; }
  const PassOptions& options() const { return options_; }

  // State that the walk of the graph sets.
  void set_recording(bool on) { recording_ = on; }
  void set_autocast(bool on) { autocast_ = on; }
  bool cast_cache() const { return cast_cache_; }
  void set_cast_cache(bool on) { cast_cache_ = on; }
  void clear_cast_cache();
  struct CastCopy {
    TensorRecord* original;
    Value copy;
    uint32_t iteration;
  };
  using CastCache = std::vector<CastCopy>;
  CastCache exchange_cast_cache(CastCache other) {
    std::swap(other, cast_copies_);
    return other;
  }
  void set_label(uint32_t label) { label_ = label; }
  uint32_t label() const { return label_; }
  void set_iteration(uint32_t iteration) { iteration_ = iteration; }
  uint32_t iteration() const { return iteration_; }

 protected:
  // A backward step is about to run.
  virtual void reach(const GradientNode&) {}
  // The gradient of a parameter with an owner has come.
  virtual void arrived(TensorRecord&) {}

 private:
  struct Storage {
    int64_t bytes = 0;
    uint32_t references = 0;
    uint32_t event = 0;  // that took it
    uint8_t power = 0;
    bool external = false;
  };
  // Memory of many iterations that goes at once, after all of them: `Mirror` finds, for an
  // iteration, one of a second execution of its repeat, so that these events fold as the iterations
  // themselves do.
  class Mirror {
   public:
    explicit Mirror(MemoryTape& tape) : tape_(tape), base_(tape.iteration_) {}
    ~Mirror() { tape_.iteration_ = base_; }
    void enter(uint32_t iteration) { tape_.iteration_ = image(iteration); }

   private:
    uint32_t image(uint32_t iteration);
    MemoryTape& tape_;
    uint32_t base_;
    std::vector<std::pair<uint32_t, uint32_t>> iterations_, executions_;  // original, image
  };

  TensorRecord* new_record();
  void let_go(uint32_t storage);
  void let_go(GradientNode* node);
  void retain(GradientNode* node) { ++node->references; }
  GradientEdge edge_of(const Value& input);
  struct SetAside {
    GradientNode* node;
    std::vector<Value> arrived;
    uint32_t waiting;
    uint32_t visit;
  };
  void count_dependencies(std::span<const Value> roots, std::vector<SetAside>& aside);
  void fit_to_edges(GradientNode& node, std::span<Value> results);
  void hand_on(GradientNode& node, std::span<Value> results, std::vector<GradientNode*>& ready);
  GradientNode* accumulator_of(const Value& leaf) const;
  void accumulate(Value& into, Value& gradient);
  void keep_gradient(TensorRecord& leaf, Value gradient);
  void run(GradientNode& node, std::vector<Value>& results);

  const PassOptions options_;
  Trace trace_;
  std::deque<TensorRecord> records_;
  std::vector<TensorRecord*> free_records_;
  std::vector<Storage> storages_;
  std::vector<uint32_t> free_storages_;
  std::vector<GradientNode*> dying_;
  bool burying_ = false;
  CastCache cast_copies_;
  uint64_t sequence_ = 0;
  uint32_t visit_ = 0;
  std::vector<uint32_t> tasks_;  // backward passes that run, outermost first
  uint32_t label_ = 0;
  uint32_t iteration_ = 0;
  bool recording_ = true;
  bool autocast_ = false;
  bool cast_cache_ = true;
};

}  // namespace dtp::step
