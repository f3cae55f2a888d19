// What the engine reads of one evaluated plan, as plain data: no expressions, no names of the
// language. The room plan/ fills it from the plan's record; step/, estimate/ and emit/ read it.
// Bytes, seconds, FLOP/s, FLOP are base units.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/int128.h"
#include "base/interval.h"
#include "base/span.h"
#include "graph/adaptation.h"
#include "graph/dtype.h"
#include "ops/mechanisms.h"

namespace dtp::plan {

using graph::DType;

struct Estimate {  // an interval with where it came from
  Interval value;
  std::string why;
};

struct Precision {
  std::string name;
  DType compute = DType::fp32;  // of matrix products; tf32 changes speed only
  DType parameters = DType::fp32;
  DType gradients = DType::fp32;
  DType reduce = DType::fp32;  // what an all-reduce carries
  DType frozen = DType::fp32;  // of parts beside the trained model
  std::optional<DType> master;
  bool autocast = false;  // 16-bit compute over fp32 parameters, casts made by the framework
  bool cast_cache = false;
  bool cast_parts = false;  // a part is gathered in `compute` as it starts: FSDP's mixed precision
  bool loss_scale = false;
  // Operations that autocast leaves in fp32; nothing where neither plan nor framework says them.
  std::optional<std::vector<std::string>> keep_fp32;
};

enum class StepKind : uint8_t { loop, foreach, fused, cpu };

// A state tensor of one parameter, as the optimizer's record computes it.
struct OptimizerState {
  std::string name;
  DType type = DType::fp32;
  Int128 elements = 0;
  bool paged = false;  // in managed memory, which the driver moves between device and host
};

struct Optimizer {
  std::string name;
  StepKind step = StepKind::foreach;
  // One list per parameter of the graph that is trained, in the graph's parameter order.
  std::vector<std::vector<OptimizerState>> states;
  // Alive during the step beside the states, bytes; for the CPU loop the engine's own rule is used
  // instead.
  std::optional<Int128> temporaries;
  Interval temporaries_off;  // where they are an estimate: its ends less the likely value, bytes
  // Where each parameter's step runs as its gradient comes: what it takes, by trained parameter.
  std::vector<Int128> temporaries_each;
  bool in_backward = false;
  // FLOP of one step over all trained parameters.
  Interval flops;
};

struct Link {
  std::string kind;      // "nvlink", "pcie", "infiniband", "ethernet", "fabric"
  double bandwidth = 0;  // bytes a second, one direction, of one device
  int rails = 1;
};

struct Gpu {
  std::string name;
  Estimate memory;               // what the driver offers
  Interval bandwidth;            // bytes/s of device memory
  std::map<DType, double> peak;  // FLOP/s, dense
  std::map<DType, Interval>
      measured;      // FLOP/s of large matrix products, where somebody measured them
  Estimate context;  // CUDA context, bytes
  double capability = 0;
  double power = 0;  // watts; 0 where nobody published it

  // The units that products of a type run on, by the type that `peak` has for them: its own, or
  // those of fp32 where the GPU has none for it. Nothing where neither is known.
  std::optional<DType> units_of(DType type) const {
    if (peak.contains(type)) return type;
    bool emulated = type == DType::tf32 || type == DType::bf16 || type == DType::fp16;
    return emulated && peak.contains(DType::fp32) ? std::optional(DType::fp32) : std::nullopt;
  }
};

// When an offer was made, as its record says it: "2026-11-30".
struct Dated {
  std::string date;
  Span at;
};

struct Price {
  Interval per_second;     // of one node, in `currency`
  std::string currency;    // "USD"
  unsigned dimension = 0;  // number of the currency's base dimension
  std::string why;
  std::vector<Dated> offers;  // those that it was read from, where they say a date
};

struct Hardware {
  Span span;  // where the plan says it
  Gpu gpu;
  bool is_cpu = false;  // a run on the host's processor: no context, no driver
  int gpus_per_node = 1;
  int nodes = 1;
  int gpus() const { return gpus_per_node * nodes; }
  Link inside;
  std::optional<Link> network;
  std::optional<Price> price;
};

enum class Parallel : uint8_t { single, ddp, zero, fsdp, fsdp2, megatron };
std::string_view name_of(Parallel kind);

// How a step is spread: over `ranks` of data parallelism, each of them a group of `tensor` devices.
struct Spread {
  Parallel kind = Parallel::ddp;
  int ranks = 1;
  int tensor = 1;
  bool sequence = false;  // what `tensor` does not divide is divided along the sequence
  int replicas = 1;       // the model is spread over ranks / replicas of them, that many times
  Int128 bucket = 25 << 20;
  Int128 first_bucket = 1 << 20;
  bool gradient_as_bucket_view = false;
  int stage = 0;  // of ZeRO
  Int128 reduce_bucket = 1'000'000'000;
  bool overlap = true;  // gradients are reduced beside the backward pass
  bool distributed_optimizer = false;
  bool reshard_after_forward = true;
  int prefetch = 1;                          // units gathered ahead in the backward pass
  std::vector<std::string> wrap = {"auto"};  // patterns of the parts that are gathered one by one

  // Over how many ranks one copy of what is spread lies.
  int shards() const { return ranks / replicas; }
  bool is_fsdp() const { return kind == Parallel::fsdp || kind == Parallel::fsdp2; }
  bool spreads_parameters() const { return is_fsdp() || (kind == Parallel::zero && stage >= 3); }
  bool spreads_gradients() const { return is_fsdp() || (kind == Parallel::zero && stage >= 2); }
  bool spreads_states() const {
    return is_fsdp() || (kind == Parallel::zero && stage >= 1) ||
           (kind == Parallel::megatron && distributed_optimizer);
  }
};

struct Batch {
  int64_t global = 0, micro = 0, accumulation = 0;
  Span micro_span, global_span;
};

enum class Recompute : uint8_t { none, full };

// What the framework costs, by version. Its mechanisms each select a rule of the engine.
struct Framework {
  std::string name = "pytorch";
  std::string version;
  std::string backend;         // "cuda" or "cpu"
  ops::Mechanisms mechanisms;  // but for what precision and attention decide
  bool zero_grad_frees = true;
  Int128 allocator_round = 512;  // bytes; 1 where tensors are counted as asked for
  Estimate workspace;            // cuBLAS and the like, bytes, on this plan's GPU
  Estimate kernels;              // loaded at start, beside the GPU's own context, bytes
  Estimate communicator;         // NCCL buffers of one communicator, bytes
  Estimate fragmentation;        // share of the allocated bytes, such as 0.01 .. 0.06
  Estimate launch_cost;          // seconds a kernel launch takes on the host
  // Shares of the peak that kernels reach, with their source.
  Estimate matmul_efficiency;
  Estimate attention_efficiency;
  Estimate bandwidth_efficiency;
  Estimate communication_efficiency;
};

// What the rules of the estimate leave open of themselves, whatever the plan says.
struct Leeway {
  // Bytes of an activation element that simple kernels read or write under autocast: some are
  // 16-bit, some fp32.
  Interval autocast_element = {3, 4, 4.5};
  // What products of a model reach of the rate that their size promises.
  Interval products = {0.80, 0.93, 1.08};
  // Products of a type without units, against fp32.
  Interval emulated = {0.4, 0.5, 1};
  // How badly communication hides behind the backward pass: 0 as well as it can, 1 usually, 2 at
  // worst.
  Interval overlap = {0, 1, 2};
};

// Text of an emitted script: literal pieces and variables of the target's environment.
struct ShellText {
  struct Piece {
    bool is_variable = false;
    std::string text;
  };
  std::vector<Piece> pieces;
};

enum class FlagStyle : uint8_t { spaces, equals, hydra };

struct LaunchArgument {
  std::string flag;               // "--model"; empty for a positional word
  bool bare = false;              // the flag alone
  std::vector<ShellText> values;  // one or more words
  Span span;
};

// A variable of the script's environment, and what of the plan says it: "launch.env".
struct EnvironmentVariable {
  std::string name;
  ShellText value;
  std::string from;
};

// How the processes of several nodes find each other.
struct Rendezvous {
  bool c10d = false;              // otherwise each node is told its rank
  std::optional<ShellText> host;  // of node 0
  std::string host_from;          // "hardware.hosts"
  std::optional<int> least_nodes;
  std::optional<double> join_timeout;  // seconds
  Span span;
};

// A request to Slurm. Text of the author's is kept as it is; the emitter quotes it.
struct Slurm {
  std::optional<std::string> partition, account, qos, constraint, reservation, gpu_type, mail;
  std::vector<std::string> mail_on, modules, extra_lines;
  std::string output;
  std::optional<int> tasks_per_node;
  std::optional<int> cpus_per_task;
  std::optional<Int128> memory;  // bytes of a node
  bool exclusive = false;
  bool gres = false;               // GPUs by --gres
  std::optional<double> limit;     // seconds
  std::optional<Interval> margin;  // on the predicted duration, where that gives the limit
  std::string signal = "USR1";
  std::optional<double> grace;  // seconds before the limit at which the signal comes
  bool requeue = false;
  Span span;
  std::map<std::string, Span, std::less<>> places;  // of the fields that somebody wrote

  Span place(std::string_view field) const {
    auto found = places.find(field);
    return found == places.end() ? span : found->second;
  }
};

struct Container {
  bool pyxis = false;  // otherwise apptainer
  ShellText image;
  std::vector<std::pair<std::string, std::string>> mounts;
  std::optional<std::string> directory;
  std::vector<std::string> flags;
  Span span;
};

struct Launch {
  std::string launcher;  // "torchrun", "python"
  bool spawns_workers = false;
  ShellText script;
  std::optional<ShellText> directory;
  FlagStyle flags = FlagStyle::spaces;
  std::vector<LaunchArgument> positional;
  std::vector<LaunchArgument> arguments;
  std::vector<EnvironmentVariable> environment;
  std::string
      threads_variable;  // holds the CPU threads of a process; empty: the framework has none
  std::vector<ShellText> setup;  // lines of shell that the author wrote: passed on as they are
  std::optional<int> port;
  Rendezvous rendezvous;
  int restarts = 0;
  Span restarts_span;
  std::optional<int> cores_per_node;
  std::optional<Interval> duration;  // seconds, as predicted; read where a scheduler asks for it
  std::optional<Slurm> slurm;
  std::optional<Container> container;
  Span span;
};

struct Data {
  Int128 samples = 0;    // of one epoch; 0: not known
  Int128 bytes = 0;      // on disk
  int64_t sequence = 0;  // tokens of a sample; 0 where it has none
};

// A figure that was measured of this very plan, and that takes the place of its estimate.
struct Measured {
  std::string path;  // "time.step"
  Estimate value;
};

struct Settings {
  std::string plan_name;
  Span plan_span;
  graph::Adaptation adaptation;  // of the model
  Precision precision;
  Optimizer optimizer;
  Hardware hardware;
  Spread parallel;
  Batch batch;
  Recompute recompute = Recompute::none;
  std::optional<double> ema;  // decay
  bool clip = false;
  Framework framework;
  Leeway leeway;
  std::optional<Interval> steps;     // how many optimizer steps the plan runs
  std::optional<Interval> run_time;  // seconds, where the plan's length is given as a time
  std::string attention = "eager";   // "eager", "memory_efficient", "flash"
  std::optional<Launch> launch;
  Data data;
  std::string length_unknown;  // why nobody knows how long the plan runs; empty: it is known
  std::vector<Measured> measured;

  const Estimate* measured_of(std::string_view path) const {
    for (const Measured& m : measured)
      if (m.path == path) return &m.value;
    return nullptr;
  }
};

}  // namespace dtp::plan
