// A model, or a model and its objective, as typed dataflow. Repetition stays folded: the body of a
// `repeat` is here once.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/int128.h"
#include "base/span.h"
#include "graph/dtype.h"
#include "graph/shape.h"

namespace dtp::ops {
struct Operation;
}

namespace dtp::graph {

inline constexpr uint32_t kNone = ~0u;

struct TensorId {
  uint32_t value = kNone;
  bool valid() const { return value != kNone; }
  friend bool operator==(TensorId, TensorId) = default;
};
struct ParameterId {
  uint32_t value = kNone;
  bool valid() const { return value != kNone; }
  friend bool operator==(ParameterId, ParameterId) = default;
};
struct RegionId {
  uint32_t value = kNone;
  friend bool operator==(RegionId, RegionId) = default;
};
// A dotted path of layer names such as "blocks.{i}.attn", in Graph::paths. 0 is the root, the empty
// path.
struct PathId {
  uint32_t value = 0;
  friend bool operator==(PathId, PathId) = default;
};
// Where parameters belong: the root (0), or one iteration of a repeat. In Graph::scopes.
struct ScopeId {
  uint32_t value = 0;
  friend bool operator==(ScopeId, ScopeId) = default;
};

struct Tensor {
  Shape shape;
  Element element = Element::real;
  PathId path;                  // where it was made
  std::string_view made_by;     // operation that made it, or "input"; static text
  std::string name;             // the author's, for inputs; else empty
  Span origin;                  // the call that gave it its shape
  std::optional<DType> stored;  // of an input: the type in which the data brings it
};

// How an author says that a tensor-parallel group, or a group of experts, shares a parameter.
enum class Sharding : uint8_t { none, column, row, vocab, sequence, expert };
std::string_view spelling(Sharding sharding);

// What a layer's parameters hold before training. A checkpoint has the last word.
enum class Start : uint8_t {
  zeros,
  ones,
  uniform,  // in [-scale, scale]
  normal,   // of standard deviation `scale`
  cosines,  // of the angles of rotary positions over [T, d], with the base `scale`
  sines
};

// A weight as blocks of few bits with a scale each: products make numbers of it anew whenever they
// read it (bitsandbytes, functional.py: quantize_4bit; nn/modules.py: Linear8bitLt).
struct Blocks {
  int bits = 0;                   // of an element; 0: it lies as numbers
  int64_t size = 0;               // elements of a block
  bool double_quantized = false;  // the scales are blocks of 8 bits themselves
  bool any() const { return bits > 0; }
  friend bool operator==(const Blocks&, const Blocks&) = default;
};

struct Parameter {
  std::string key;  // "blocks.{i}.attn.qkv.weight": the name in the state dict
  Shape shape;      // never depends on the batch
  Element element = Element::real;
  bool trainable = true;
  bool is_buffer = false;  // made by Buffer: not a weight of a layer
  bool saved = true;       // part of the state dict
  Int128 count = 1;        // product of the counts of the enclosing repeats
  ScopeId scope;
  Span span;
  bool counted =
      true;  // as a parameter of the model, where it is saved; running statistics are not
  Sharding sharding = Sharding::none;
  int divided = 1;  // over how many ranks of a tensor-parallel group it lies: `shape` is a share
  bool frozen = false;  // of a model beside the trained one, such as an encoder
  bool kept = false;    // of the trained model, and a plan does not train it: adapters do its part
  std::optional<DType> stored;  // where a plan says so; else as its precision says
  Blocks blocks;
  Start start = Start::zeros;
  double scale = 0;

  Int128 elements() const { return shape.elements().value; }  // of one copy
};

// What an operation was called with beside tensors. Each operation says which slot means what.
struct Attributes {
  std::array<int64_t, 4> integers{};
  std::array<double, 2> reals{};
  Shape shape;
};

// More operations, and more loops and checkpointed iterations, than any model has that is not
// written out by mistake. What follows takes a second for as many.
inline constexpr size_t kMostNodes = 20'000;
inline constexpr size_t kMostRepeats = 4096;

// A run of Graph::operands.
struct Operands {
  uint32_t begin = 0;
  uint32_t count = 0;
};

struct Node {
  const ops::Operation* operation = nullptr;
  Operands inputs;      // TensorId
  Operands outputs;     // TensorId
  Operands parameters;  // ParameterId
  Attributes attributes;
  PathId path;
  Span span;
};

// keep_alive: the tensors are arguments of a call that returns here; the caller held them until
// now.
enum class ItemKind : uint8_t { node, repeat, no_gradient, keep_alive };
struct Item {
  ItemKind kind;
  uint32_t index;  // into Graph::nodes, repeats, no_gradients, or keep_alives
};

struct Region {
  std::vector<Item> items;
};

// One tensor carried from iteration to iteration.
struct Carried {
  TensorId outer_in;   // its value before the first iteration
  TensorId inner_in;   // what the body sees
  TensorId inner_out;  // what the body makes of it
  TensorId outer_out;  // its value after the last iteration
};

struct Repeat {
  int64_t count = 1;
  RegionId body;
  std::vector<Carried> carried;
  bool checkpointed = false;  // the author allows it to be recomputed in the backward pass
  std::string name;
  PathId path;    // of one iteration, such as "blocks.{i}"
  ScopeId scope;  // of one iteration
  Span span;
};

// Work whose results need no gradient: a frozen encoder.
struct NoGradient {
  RegionId body;
  Span span;
};

struct KeepAlive {
  Operands tensors;
  int depth = 0;  // 1 for the arguments of an outermost call, 2 for a call inside it, and so on
};

struct Scope {
  ScopeId parent;
  uint32_t repeat = kNone;  // kNone for the root
  Int128 count = 1;         // how many copies of a parameter declared here exist
  PathId path;
};

struct Graph {
  std::vector<Tensor> tensors;
  std::vector<Parameter> parameters;
  std::vector<Node> nodes;
  std::vector<Region> regions;  // regions[0] is the whole graph
  std::vector<Repeat> repeats;
  std::vector<NoGradient> no_gradients;
  std::vector<KeepAlive> keep_alives;
  std::vector<Scope> scopes;
  std::vector<std::string> paths;
  std::vector<uint32_t> operands;
  std::vector<TensorId> inputs;
  TensorId output;  // the loss, or what a model gives

  const Tensor& operator[](TensorId id) const { return tensors[id.value]; }
  const Parameter& operator[](ParameterId id) const { return parameters[id.value]; }
  const std::string& path(PathId id) const { return paths[id.value]; }
  std::span<const uint32_t> list(Operands run) const {
    return {operands.data() + run.begin, run.count};
  }
  TensorId input(const Node& node, uint32_t i) const { return {operands[node.inputs.begin + i]}; }
  TensorId output_of(const Node& node, uint32_t i) const {
    return {operands[node.outputs.begin + i]};
  }
  ParameterId parameter(const Node& node, uint32_t i) const {
    return {operands[node.parameters.begin + i]};
  }

  // Elements of all saved parameters and buffers that count, over all repeats; 128-bit overflow
  // saturates.
  Int128 parameter_count() const;
  // The part of it that is trained.
  Int128 trainable_count() const;
};

// The graph as text, for people: `--dump=graph`.
std::string to_text(const Graph& graph);

}  // namespace dtp::graph
