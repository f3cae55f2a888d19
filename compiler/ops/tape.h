// What operations run on: tensors that share storages, and the backward steps they leave behind.
// The room step/ implements it and writes down every byte that is taken and given back.
#pragma once
#include <functional>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "graph/dtype.h"
#include "graph/graph.h"
#include "graph/layout.h"
#include "ops/mechanisms.h"

namespace dtp::ops {

using graph::DType;
using graph::Layout;
using graph::Shape;

class Tape;
struct GradientNode;

// One tensor of the tape: a window on a storage.
struct TensorRecord {
  Layout layout;
  DType type = DType::fp32;
  bool requires_grad = false;
  bool leaf = false;   // a parameter: it keeps its gradient
  bool view = false;   // not the tensor its storage was made for
  uint32_t owner = 0;  // of a parameter that is gathered: what its gradient goes with; 0: nothing
  int64_t step = 0;    // of a parameter that steps as its gradient comes: bytes that this takes
  uint32_t references = 0;
  uint32_t storage = 0;
  uint32_t slot = 0;  // which output of `node`
  GradientNode* node =
      nullptr;  // made it; of a leaf: the step that keeps its gradient, which does not own it
  TensorRecord* gradient = nullptr;
  Tape* tape = nullptr;
};

// A reference to a tensor. The storage lives as long as some reference to some tensor on it.
class Value {
 public:
  Value() = default;
  explicit Value(TensorRecord* record) : record_(record) { retain(); }
  Value(const Value& other) : record_(other.record_) { retain(); }
  Value(Value&& other) noexcept : record_(std::exchange(other.record_, nullptr)) {}
  Value& operator=(Value other) noexcept {
    std::swap(record_, other.record_);
    return *this;
  }
  ~Value() { reset(); }

  void reset();
  explicit operator bool() const { return record_ != nullptr; }
  TensorRecord* operator->() const { return record_; }
  TensorRecord* record() const { return record_; }
  const Shape& shape() const { return record_->layout.shape; }
  const Layout& layout() const { return record_->layout; }
  DType type() const { return record_->type; }
  bool requires_grad() const { return record_->requires_grad; }

 private:
  void retain() {
    if (record_) ++record_->references;
  }
  TensorRecord* record_ = nullptr;
};

// A backward step at work. `results` has a place for each input of the forward step; those left
// empty get no gradient.
struct BackwardCall {
  Tape& tape;
  std::span<Value> gradients;  // of the outputs; empty where none arrived
  std::span<Value> saved;
  std::span<Value> results;
};
using Backward = std::function<void(BackwardCall&)>;

class Tape {
 public:
  virtual ~Tape() = default;

  // The value of a graph tensor. It leaves the tape's hands when this node is the last to use it,
  // so that an operation decides when it dies.
  virtual Value take(graph::TensorId id) = 0;
  virtual void give(graph::TensorId id, Value value) = 0;
  virtual Value parameter(graph::ParameterId id) = 0;

  // A new storage with a contiguous tensor on it.
  virtual Value allocate(const Shape& shape, DType type) = 0;
  // Another window on the storage of `base`, outside autograd.
  virtual Value alias(const Value& base, const Layout& layout) = 0;
  // Whether results need a gradient: gradient mode is on.
  virtual bool recording() const = 0;
  // `outputs` come from `inputs`. Does nothing unless recording and some input requires a gradient.
  // `saved` is let go when the step has run.
  virtual void record(std::span<Value> outputs, std::span<const Value> inputs,
                      std::vector<Value> saved, Backward backward) = 0;

  // A copy in another type; nothing happens where it has that type. Autograd knows it. With
  // `cached`, the copy of a trainable parameter is shared by all its uses of this forward pass.
  virtual Value cast(const Value& value, DType type, bool cached) = 0;

  virtual const Mechanisms& mechanisms() const = 0;
  // Set when matrix products take this 16-bit type whatever their inputs are.
  virtual bool autocast() const = 0;
  virtual DType compute_type() const = 0;
  // The type of what the author calls real when nothing else decides it.
  virtual DType real_type() const = 0;
  // A shape of the graph as this pass sees it (a pass over one sample has no batch dimension left).
  virtual Shape shape(const Shape& shape) const = 0;

  virtual void release(TensorRecord* record) = 0;  // the last reference has gone

  void record(Value& output, std::initializer_list<Value> inputs, std::vector<Value> saved,
              Backward backward) {
    record({&output, 1}, {inputs.begin(), inputs.size()}, std::move(saved), std::move(backward));
  }
};

inline void Value::reset() {
  if (!record_) return;
  TensorRecord* record = std::exchange(record_, nullptr);
  if (--record->references == 0) record->tape->release(record);
}

}  // namespace dtp::ops
