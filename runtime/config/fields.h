// The fields of a training config, named once: whoever writes or reads one, as JSON or as C++,
// walks these. `visit(name, member)` is called in the order of declaration, so that a C++
// initialiser can follow it.
#pragma once
#include <string_view>
#include <type_traits>

#include "runtime/config/training_config.h"

namespace dtp::runtime {

// One field of a struct `X`, const or not.
#define DTP_FIELDS(X)                                  \
  template <class T, class Visit>                      \
    requires std::is_same_v<std::remove_const_t<T>, X> \
  void each_field([[maybe_unused]] T& x, [[maybe_unused]] Visit&& visit)

DTP_FIELDS(Tensor) {
  visit("shape", x.shape);
  visit("element", x.element);
}
DTP_FIELDS(Input) {
  visit("name", x.name);
  visit("tensor", x.tensor);
  visit("below", x.below);
}
DTP_FIELDS(Parameter) {
  visit("key", x.key);
  visit("shape", x.shape);
  visit("element", x.element);
  visit("trainable", x.trainable);
  visit("frozen", x.frozen);
  visit("saved", x.saved);
  visit("scope", x.scope);
  visit("start", x.start);
  visit("scale", x.scale);
}
DTP_FIELDS(Scope) {
  visit("parent", x.parent);
  visit("count", x.count);
  visit("variable", x.variable);
}
DTP_FIELDS(Node) {
  visit("operation", x.operation);
  visit("path", x.path);
  visit("inputs", x.inputs);
  visit("outputs", x.outputs);
  visit("parameters", x.parameters);
  visit("integers", x.integers);
  visit("reals", x.reals);
  visit("shape", x.shape);
  visit("frees", x.frees);
}
DTP_FIELDS(Item) {
  visit("kind", x.kind);
  visit("index", x.index);
}
DTP_FIELDS(Region) { visit("items", x.items); }
DTP_FIELDS(Carried) {
  visit("outer_in", x.outer_in);
  visit("inner_in", x.inner_in);
  visit("inner_out", x.inner_out);
  visit("outer_out", x.outer_out);
  visit("used", x.used);
  visit("inner_used", x.inner_used);
}
DTP_FIELDS(Repeat) {
  visit("count", x.count);
  visit("body", x.body);
  visit("carried", x.carried);
  visit("captured", x.captured);
  visit("checkpointed", x.checkpointed);
  visit("path", x.path);
  visit("scope", x.scope);
  visit("frees", x.frees);
}
DTP_FIELDS(NoGradient) { visit("body", x.body); }
DTP_FIELDS(Release) { visit("frees", x.frees); }
DTP_FIELDS(Graph) {
  visit("tensors", x.tensors);
  visit("inputs", x.inputs);
  visit("parameters", x.parameters);
  visit("scopes", x.scopes);
  visit("nodes", x.nodes);
  visit("regions", x.regions);
  visit("repeats", x.repeats);
  visit("no_gradients", x.no_gradients);
  visit("releases", x.releases);
  visit("output", x.output);
}
DTP_FIELDS(Optimizer) {
  visit("kind", x.kind);
  visit("lr", x.lr);
  visit("weight_decay", x.weight_decay);
  visit("beta1", x.beta1);
  visit("beta2", x.beta2);
  visit("eps", x.eps);
  visit("decoupled", x.decoupled);
  visit("amsgrad", x.amsgrad);
  visit("momentum", x.momentum);
  visit("nesterov", x.nesterov);
}
DTP_FIELDS(Schedule) {
  visit("kind", x.kind);
  visit("warmup", x.warmup);
  visit("decay", x.decay);
  visit("floor", x.floor);
  visit("at", x.at);
  visit("factor", x.factor);
}
DTP_FIELDS(Event) {
  visit("bytes", x.bytes);
  visit("label", x.label);
  visit("power", x.power);
}
DTP_FIELDS(Piece) {
  visit("count", x.count);
  visit("begin", x.begin);
  visit("end", x.end);
  visit("first_child", x.first_child);
  visit("children", x.children);
}
DTP_FIELDS(Sequence) {
  visit("first", x.first);
  visit("count", x.count);
}
DTP_FIELDS(Label) {
  visit("operation", x.operation);
  visit("path", x.path);
  visit("backward", x.backward);
}
DTP_FIELDS(Predicted) {
  visit("model", x.model);
  visit("before", x.before);
  visit("forward_peak", x.forward_peak);
  visit("saved", x.saved);
  visit("backward_peak", x.backward_peak);
  visit("after_backward", x.after_backward);
  visit("first_step_peak", x.first_step_peak);
  visit("step_peak", x.step_peak);
  visit("step_seconds_low", x.step_seconds_low);
  visit("step_seconds", x.step_seconds);
  visit("step_seconds_high", x.step_seconds_high);
  visit("labels", x.labels);
  visit("events", x.events);
  visit("pieces", x.pieces);
  visit("forward", x.forward);
  visit("backward", x.backward);
  visit("release", x.release);
}
DTP_FIELDS(TrainingConfig) {
  visit("schema", x.schema);
  visit("plan", x.plan);
  visit("made_by", x.made_by);
  visit("framework", x.framework);
  visit("graph", x.graph);
  visit("micro_batch", x.micro_batch);
  visit("accumulation", x.accumulation);
  visit("ranks", x.ranks);
  visit("bucket", x.bucket);
  visit("first_bucket", x.first_bucket);
  visit("bucket_views", x.bucket_views);
  visit("parameters", x.parameters);
  visit("frozen", x.frozen);
  visit("compute", x.compute);
  visit("autocast", x.autocast);
  visit("recompute", x.recompute);
  visit("zero_grad_frees", x.zero_grad_frees);
  visit("optimizer", x.optimizer);
  visit("schedule", x.schedule);
  visit("clip", x.clip);
  visit("ema", x.ema);
  visit("steps", x.steps);
  visit("seed", x.seed);
  visit("checkpoint_every", x.checkpoint_every);
  visit("checkpoint_keep", x.checkpoint_keep);
  visit("predicted", x.predicted);
}
#undef DTP_FIELDS

// The words of the enumerations, in the order of declaration.
#define DTP_WORDS(X, ...)                                      \
  struct X##Words {                                            \
    static constexpr std::string_view type = #X;               \
    static constexpr std::string_view words[] = {__VA_ARGS__}; \
  };                                                           \
  inline constexpr X##Words words_of(X) { return {}; }
DTP_WORDS(Element, "real", "integer", "boolean")
DTP_WORDS(Start, "zeros", "ones", "uniform", "normal", "cosines", "sines")
DTP_WORDS(ItemKind, "node", "repeat", "no_gradient", "release")
DTP_WORDS(OptimizerKind, "sgd", "adam")
DTP_WORDS(ScheduleKind, "constant", "linear", "cosine", "steps")
#undef DTP_WORDS

}  // namespace dtp::runtime
