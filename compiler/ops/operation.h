// Operations and layers as the language calls them: names, signatures, shape rules. Each lives in a
// file of its own.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "graph/builder.h"
#include "ops/cost.h"

namespace dtp::ops {

using graph::Builder;
using graph::Dim;
using graph::Shape;
using graph::TensorId;

class Tape;

// An argument as written. `name` is empty when it is positional. A word is an enumerated choice
// such as `tanh`.
struct Argument {
  std::string_view name;
  std::variant<TensorId, std::vector<TensorId>, bool, int64_t, double, std::string,
               std::vector<Dim>, std::monostate>  // nothing: `none`
      value;
  Span span;
  Span name_span = {};  // of a named one
};

// Why a call is wrong, ready for a diagnostic.
struct Failure {
  struct Label {
    Span span;
    std::string text;
  };
  std::string headline;
  Span caret;
  std::string caret_text;
  std::vector<Label> labels;  // where each shape came from
  std::vector<std::string> notes;
  bool limit = false;  // larger than is counted, whatever it is
};

using Tensors = std::vector<TensorId>;
using Result = std::variant<Tensors, Failure>;

enum class Accepts : uint8_t {
  tensor,
  tensors,
  tensor_or_number,
  number,
  integer,
  flag,
  word,
  dims,
  size,     // a whole number, which may be so many times the batch
  integers  // one or a list of them, of either sign
};

// One formal parameter of an operation or layer.
struct Formal {
  std::string_view name;
  Accepts accepts = Accepts::tensor;
  bool required = true;
  double number = 0;              // default of a number, an integer or a flag
  std::string_view word = {};     // default word; for Accepts::word also the first of `choices`
  std::string_view choices = {};  // "none|tanh"
};

// Whether `word` is one of the words that a formal parameter takes.
bool is_choice(const Formal& formal, std::string_view word);

struct Division;  // ops/division.h
class Call;       // ops/call.h: a call with its arguments bound to formals

struct Operation {
  std::string_view name;       // "chunk"
  std::string_view signature;  // "chunk(x, parts, axis = 0) -> parts tensors"
  std::string_view doc;        // one line
  std::span<const Formal> formals;
  // Checks the arguments, and appends nodes to the builder.
  Result (*build)(Call& call);
  // What eager autograd does with a node of this operation: memory made, saved, freed, in order.
  void (*run)(Tape& tape, const graph::Graph& graph, const graph::Node& node);
  // Arithmetic and traffic of a node's forward pass.
  Cost (*cost)(const graph::Graph& graph, const graph::Node& node);
  bool listed = true;  // offered to authors; otherwise only layers and other operations make it
  // How tensor-parallel ranks share it. Null: they do not.
  void (*divide)(Division& division) = nullptr;
};

// A layer owns parameters. Its width is that of its first input.
class LayerInstance;
struct LayerKind {
  std::string_view name;       // "Linear"
  std::string_view signature;  // "Linear(out, bias = true)(x)"
  std::string_view doc;
  std::span<const Formal> formals;
  // `call` is bound to the arguments the layer was made with. `x` is invalid where `takes_input` is
  // false.
  Result (*apply)(Call& call, LayerInstance& layer, TensorId x);
  bool takes_input = true;
  // Makes the parameters whose sizes need no input, when the layer is made: a layer that is never
  // applied has them all the same. Null: all wait for the first call.
  void (*own)(Call& call, LayerInstance& layer) = nullptr;
};

// Nothing when no operation (layer) has this name. Names that authors cannot use are not found.
const Operation* find_operation(std::string_view name);
const LayerKind* find_layer(std::string_view name);
// In alphabetical order; of operations those offered to authors.
std::span<const Operation* const> all_operations();
std::span<const LayerKind* const> all_layers();

Result apply(Builder& builder, const Operation& operation, std::span<const Argument> arguments,
             Span span);

// `path` is relative to the builder's current path: "attn.qkv". The layer belongs to the iteration
// it is made in; the builder owns it.
std::variant<LayerInstance*, Failure> make_layer(Builder& builder, const LayerKind& kind,
                                                 std::span<const Argument> arguments,
                                                 const std::string& path, Span span);
// Buffer is applied to nothing and gives its tensor.
Result apply_layer(Builder& builder, LayerInstance& layer, std::span<const Argument> arguments,
                   Span span);
// x times the transposed table of an embedding: a head that is tied to it.
Result apply_transposed(Builder& builder, const LayerInstance& embedding,
                        std::span<const Argument> arguments, Span span);

}  // namespace dtp::ops
