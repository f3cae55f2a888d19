// What `dtpc emit libtorch` writes and the runtime trains: a model as a list of operations, with
// the point at which each tensor is let go, and how it is trained. Plain data of the standard
// library: the compiler fills it, an emitted header spells it, and the JSON form has the same
// names.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dtp::runtime {

// Raised with every change that an older runtime would read wrongly.
inline constexpr int kSchema = 1;

// `value`, or `value` times the samples of one micro-batch. JSON: 16, or "16B"; "B" is "1B".
struct Dim {
  int64_t value = 1;
  bool batch = false;
  friend bool operator==(const Dim&, const Dim&) = default;
};
using Shape = std::vector<Dim>;

// `real` has the type that precision decides; `integer` is int64. JSON: the words.
enum class Element : uint8_t { real, integer, boolean };

struct Tensor {
  Shape shape;
  Element element = Element::real;
};

// A column of the data, as the graph takes it in.
struct Input {
  std::string name;     // "latent"
  uint32_t tensor = 0;  // into Graph::tensors
  int64_t below = 0;    // of an integer: made-up values lie in [0, below)
};

// How a parameter starts.
enum class Start : uint8_t {
  zeros,
  ones,
  uniform,  // in [-scale, scale]
  normal,   // mean 0, standard deviation `scale`
  cosines,  // [T, d]: of position t and place i, cos(t * scale^(-2 (i mod d/2) / d))
  sines     // the same with sin
};

struct Parameter {
  std::string key;  // its name in the state dict; "{i}" is the iteration of its scope
  std::vector<int64_t> shape;
  Element element = Element::real;
  bool trainable = true;
  bool frozen = false;  // of a model beside the trained one, or with adapters: no average
  bool saved = true;    // part of the state dict
  uint32_t scope = 0;   // into Graph::scopes: how many copies there are
  Start start = Start::zeros;
  double scale = 0;
};

// Where parameters belong: the root (0), or one iteration of a repeat.
struct Scope {
  uint32_t parent = 0;
  int64_t count = 1;     // iterations of its repeat within one copy of the parent; 1 for the root
  std::string variable;  // stands in keys as "{i}"; empty for the root
};

// One operation of the compiler's table. What the attributes mean is said by the operation's file,
// compiler/ops/<operation>.cpp.
struct Node {
  std::string operation;  // "linear"
  std::string path;       // "blocks.{i}.attn.qkv"
  std::vector<uint32_t> inputs, outputs;
  std::vector<uint32_t> parameters;  // into Graph::parameters
  std::vector<int64_t> integers;     // four of them
  std::vector<double> reals;         // two of them
  Shape shape;
  std::vector<uint32_t> frees;  // inputs of which this is the last use: the operation takes them
};

enum class ItemKind : uint8_t { node, repeat, no_gradient, release };
struct Item {
  ItemKind kind = ItemKind::node;
  uint32_t index = 0;  // into Graph::nodes, repeats, no_gradients or releases
};
struct Region {
  std::vector<Item> items;
};

// One tensor carried from iteration to iteration.
struct Carried {
  uint32_t outer_in = 0, inner_in = 0, inner_out = 0, outer_out = 0;
  bool used = true;        // somebody reads outer_out
  bool inner_used = true;  // the body reads inner_in
};

struct Repeat {
  int64_t count = 1;
  uint32_t body = 0;  // into Graph::regions
  std::vector<Carried> carried;
  std::vector<uint32_t> captured;  // tensors of outside that the body reads
  bool checkpointed = false;       // its activations may be worked out again
  std::string path;                // of one iteration: "blocks.{i}"
  uint32_t scope = 0;              // of one iteration
  std::vector<uint32_t> frees;     // outer_in and captured tensors of which this is the last use
};

// Work whose results need no gradient.
struct NoGradient {
  uint32_t body = 0;  // into Graph::regions
};

// The caller held these until here.
struct Release {
  std::vector<uint32_t> frees;
};

struct Graph {
  std::vector<Tensor> tensors;
  std::vector<Input> inputs;
  std::vector<Parameter> parameters;
  std::vector<Scope> scopes;
  std::vector<Node> nodes;
  std::vector<Region> regions;  // regions[0] is the whole graph
  std::vector<Repeat> repeats;
  std::vector<NoGradient> no_gradients;
  std::vector<Release> releases;
  uint32_t output = 0;  // the loss
};

enum class OptimizerKind : uint8_t { sgd, adam };
struct Optimizer {
  OptimizerKind kind = OptimizerKind::adam;
  double lr = 0, weight_decay = 0;
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
  bool decoupled = false;  // AdamW: the decay acts on the weights
  bool amsgrad = false;
  double momentum = 0;
  bool nesterov = false;
};

enum class ScheduleKind : uint8_t { constant, linear, cosine, steps };
struct Schedule {
  ScheduleKind kind = ScheduleKind::constant;
  int64_t warmup = 0;       // steps in which the rate rises from 0
  int64_t decay = 0;        // the step at which `floor` is reached
  double floor = 0;         // as a share of the rate
  std::vector<int64_t> at;  // of `steps`: where the rate is multiplied by `factor`
  double factor = 1;
};

// What one pass takes and gives back, in order, repetition folded: as compiler/step/schedule.h.
struct Event {
  int64_t bytes = 0;   // times samples^power; negative: given back
  uint32_t label = 0;  // into Predicted::labels
  uint8_t power = 0;
};
// `count` times: the events [begin, end), or where `children` > 0 the pieces from `first_child`.
struct Piece {
  int64_t count = 1;
  uint32_t begin = 0, end = 0;
  uint32_t first_child = 0, children = 0;
};
struct Sequence {
  uint32_t first = 0, count = 0;  // a run of pieces
};
struct Label {
  std::string operation, path;
  bool backward = false;
};

// Tensor bytes of one process, for the micro-batch of this plan and oneDNN off. Those of forward
// and backward pass are above what was alive when the forward pass began, those of the optimizer
// above what was alive when its step began.
struct Predicted {
  int64_t model = 0;   // parameters and buffers
  int64_t before = 0;  // parameters, states, average and inputs, from the second step on
  int64_t forward_peak = 0, saved = 0, backward_peak = 0, after_backward = 0;
  int64_t first_step_peak = 0, step_peak = 0;
  double step_seconds_low = 0, step_seconds = 0, step_seconds_high = 0;
  std::vector<Label> labels;
  std::vector<Event> events;
  std::vector<Piece> pieces;
  Sequence forward, backward, release;
};

struct TrainingConfig {
  int schema = kSchema;
  std::string plan;       // its name
  std::string made_by;    // "dtpc 0.1.0"
  std::string framework;  // "1.13.1": the version whose rules `predicted` follows
  Graph graph;

  int64_t micro_batch = 1;
  int64_t accumulation = 1;                           // passes of one step, in one process
  int ranks = 1;                                      // processes that share a step
  int64_t bucket = 25 << 20, first_bucket = 1 << 20;  // bytes of gradients reduced together
  bool bucket_views = false;                          // gradients lie in the buckets

  std::string parameters = "fp32";  // stored type: "fp32", "bf16"
  std::string frozen = "fp32";      // stored type of frozen parameters
  std::string compute = "fp32";     // of matrix products under autocast
  bool autocast = false;
  bool recompute = false;  // repeats that allow it are recomputed
  bool zero_grad_frees = true;

  Optimizer optimizer;
  Schedule schedule;
  std::optional<double> clip;  // the largest norm of the gradients
  std::optional<double> ema;   // decay of the moving average of the parameters

  int64_t steps = 1;
  int64_t seed = 0;
  int64_t checkpoint_every = 0;  // steps; 0: at the end only
  int checkpoint_keep = 2;

  Predicted predicted;
};

}  // namespace dtp::runtime
