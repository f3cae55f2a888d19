#include "runtime/config/read_config.h"

#include <fstream>
#include <iterator>

#include "runtime/config/json_fields.h"
#include "runtime/config/validate.h"

namespace dtp::runtime {

// 16, "16B" or "B".
void read(const Json& j, const Place& at, Dim& out) {
  out = {};
  if (!j.is_string()) return read(j, at, out.value);
  std::string text = j.get<std::string>();
  out.batch = !text.empty() && text.back() == 'B';
  bool digits = text.size() <= 18 && text.find_first_not_of("0123456789") == text.size() - 1;
  if (!out.batch || !digits) at.fail("`" + text + "` is no size: 16, \"16B\" or \"B\"");
  if (text.size() > 1) out.value = std::stoll(text);
}

void read(const Json& j, const Place& at, Element& out) {
  read_word(j, at, std::array<std::string_view, 3>{"real", "integer", "boolean"}, out);
}
void read(const Json& j, const Place& at, Start& out) {
  read_word(j, at, std::array<std::string_view, 4>{"zeros", "ones", "uniform", "normal"}, out);
}
void read(const Json& j, const Place& at, ItemKind& out) {
  read_word(j, at, std::array<std::string_view, 4>{"node", "repeat", "no_gradient", "release"},
            out);
}
void read(const Json& j, const Place& at, OptimizerKind& out) {
  read_word(j, at, std::array<std::string_view, 2>{"sgd", "adam"}, out);
}
void read(const Json& j, const Place& at, ScheduleKind& out) {
  read_word(j, at, std::array<std::string_view, 4>{"constant", "linear", "cosine", "steps"}, out);
}

void read(const Json& j, const Place& at, Tensor& t) {
  Fields(j, at)("shape", t.shape)("element", t.element).end();
}
void read(const Json& j, const Place& at, Input& i) {
  Fields(j, at)("name", i.name)("tensor", i.tensor)("below", i.below).end();
}
void read(const Json& j, const Place& at, Parameter& p) {
  Fields(j, at)("key", p.key)("shape", p.shape)("element", p.element)("trainable", p.trainable)(
      "frozen", p.frozen)("saved", p.saved)("scope", p.scope)("start", p.start)("scale", p.scale)
      .end();
}
void read(const Json& j, const Place& at, Scope& s) {
  Fields(j, at)("parent", s.parent)("count", s.count)("variable", s.variable).end();
}
void read(const Json& j, const Place& at, Node& n) {
  Fields(j, at)("operation", n.operation)("path", n.path)("inputs", n.inputs)("outputs", n.outputs)(
      "parameters", n.parameters)("integers", n.integers)("reals", n.reals)("shape", n.shape)(
      "frees", n.frees)
      .end();
}
void read(const Json& j, const Place& at, Item& i) {
  Fields(j, at)("kind", i.kind)("index", i.index).end();
}
void read(const Json& j, const Place& at, Region& r) { Fields(j, at)("items", r.items).end(); }
void read(const Json& j, const Place& at, Carried& c) {
  Fields(j, at)("outer_in", c.outer_in)("inner_in", c.inner_in)("inner_out", c.inner_out)(
      "outer_out", c.outer_out)("used", c.used)("inner_used", c.inner_used)
      .end();
}
void read(const Json& j, const Place& at, Repeat& r) {
  Fields(j, at)("count", r.count)("body", r.body)("carried", r.carried)("captured", r.captured)(
      "checkpointed", r.checkpointed)("path", r.path)("scope", r.scope)("frees", r.frees)
      .end();
}
void read(const Json& j, const Place& at, NoGradient& n) { Fields(j, at)("body", n.body).end(); }
void read(const Json& j, const Place& at, Release& r) { Fields(j, at)("frees", r.frees).end(); }

void read(const Json& j, const Place& at, Graph& g) {
  Fields(j, at)("tensors", g.tensors)("inputs", g.inputs)("parameters", g.parameters)(
      "scopes", g.scopes)("nodes", g.nodes)("regions", g.regions)("repeats", g.repeats)(
      "no_gradients", g.no_gradients)("releases", g.releases)("output", g.output)
      .end();
}
void read(const Json& j, const Place& at, Optimizer& o) {
  Fields(j, at)("kind", o.kind)("lr", o.lr)("weight_decay", o.weight_decay)("beta1", o.beta1)(
      "beta2", o.beta2)("eps", o.eps)("decoupled", o.decoupled)("amsgrad", o.amsgrad)(
      "momentum", o.momentum)("nesterov", o.nesterov)
      .end();
}
void read(const Json& j, const Place& at, Schedule& s) {
  Fields(j, at)("kind", s.kind)("warmup", s.warmup)("decay", s.decay)("floor", s.floor)("at", s.at)(
      "factor", s.factor)
      .end();
}
void read(const Json& j, const Place& at, Event& e) {
  Fields(j, at)("bytes", e.bytes)("label", e.label)("power", e.power).end();
}
void read(const Json& j, const Place& at, Piece& p) {
  Fields(j, at)("count", p.count)("begin", p.begin)("end", p.end)("first_child", p.first_child)(
      "children", p.children)
      .end();
}
void read(const Json& j, const Place& at, Sequence& s) {
  Fields(j, at)("first", s.first)("count", s.count).end();
}
void read(const Json& j, const Place& at, Label& l) {
  Fields(j, at)("operation", l.operation)("path", l.path)("backward", l.backward).end();
}
void read(const Json& j, const Place& at, Predicted& p) {
  Fields(j, at)("model", p.model)("before", p.before)("forward_peak", p.forward_peak)(
      "saved", p.saved)("backward_peak", p.backward_peak)("after_backward", p.after_backward)(
      "first_step_peak", p.first_step_peak)("step_peak", p.step_peak)(
      "step_seconds_low", p.step_seconds_low)("step_seconds", p.step_seconds)(
      "step_seconds_high", p.step_seconds_high)("labels", p.labels)("events", p.events)(
      "pieces", p.pieces)("forward", p.forward)("backward", p.backward)("release", p.release)
      .end();
}

namespace {

// Before all else: a newer schema may lack what is asked for below.
void read_schema(const Json& j) {
  if (!j.is_object()) throw ConfigError("", "a training config is a JSON object");
  auto found = j.find("schema");
  if (found == j.end()) throw ConfigError("", "has no field `schema`: this is no training config");
  int schema = 0;
  read(*found, Place{nullptr, "schema"}, schema);
  if (schema == kSchema) return;
  throw ConfigError("schema", std::to_string(schema) + " is not the one that this runtime reads, " +
                                  std::to_string(kSchema) +
                                  (schema > kSchema ? ": it needs a newer runtime" : ""));
}

TrainingConfig config_of(const Json& j) {
  read_schema(j);
  TrainingConfig c;
  Place root{nullptr, ""};
  Fields fields(j, root);
  fields("schema", c.schema)("plan", c.plan)("made_by", c.made_by)("framework", c.framework)(
      "graph", c.graph)("micro_batch", c.micro_batch)("accumulation", c.accumulation)(
      "ranks", c.ranks)("bucket", c.bucket)("first_bucket", c.first_bucket)("bucket_views",
                                                                            c.bucket_views);
  fields("parameters", c.parameters)("frozen", c.frozen)("compute", c.compute)(
      "autocast", c.autocast)("recompute", c.recompute)("zero_grad_frees", c.zero_grad_frees);
  fields("optimizer", c.optimizer)("schedule", c.schedule)("clip", c.clip)("ema", c.ema);
  fields("steps", c.steps)("seed", c.seed)("checkpoint_every", c.checkpoint_every)(
      "checkpoint_keep", c.checkpoint_keep)("predicted", c.predicted);
  fields.end();
  return c;
}

}  // namespace

TrainingConfig config_of_text(std::string_view text) {
  try {
    return config_of(Json::parse(text));
  } catch (const Json::exception& error) {
    throw ConfigError("", error.what());
  }
}

TrainingConfig read_config(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.good() && text.empty()) throw ConfigError(path, "cannot be read");
  try {
    TrainingConfig config = config_of_text(text);
    validate(config);
    return config;
  } catch (const ConfigError& error) {
    throw ConfigError(path, error.what());
  }
}

}  // namespace dtp::runtime
