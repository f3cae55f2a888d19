#include "model/build_graph.h"

#include <algorithm>
#include <cctype>

#include "base/nearest_name.h"
#include "eval/causes.h"
#include "eval/guards.h"
#include "eval/hints.h"

namespace dtp::model {

using eval::EvaluatedArgument;
using eval::Evaluator;
using eval::Record;
using eval::Value;
using eval::ValueKind;

namespace {

// The body that operations belong to, while a graph is built.
class Current {
 public:
  Current(Natives& natives, Body& body) : natives_(natives), before_(natives.body) {
    natives.body = &body;
  }
  ~Current() { natives_.body = before_; }

 private:
  Natives& natives_;
  Body* before_;
};

const lang::Method* forward_of(const Record* model) {
  for (const lang::Method& m : model->shape->decl->methods)
    if (m.name == sym::forward) return &m;
  return nullptr;
}

graph::Element element_of(std::string_view type_name) {
  if (type_name == "Int") return graph::Element::integer;
  if (type_name == "Bool") return graph::Element::boolean;
  return graph::Element::real;
}

bool finish(Evaluator& ev, Body& body, const Value& result, Record* model, bool loss) {
  if (!result.is(ValueKind::tensor)) {
    if (!result.poisoned() && loss)
      ev.error(Kind::ShapeMismatch, model->span,
               format("{} must give one scalar, the loss", ev.kind_name(model)));
    if (result.is(ValueKind::tuple) && !loss && !result.items().empty() &&
        result.items()[0].is(ValueKind::tensor)) {
      body.builder().set_output({result.items()[0].tensor->id});
      return true;
    }
    return false;
  }
  graph::TensorId id{result.tensor->id};
  const graph::Tensor& t = body.builder()[id];
  if (loss && t.shape.rank() != 0) {
    ev.sink().add(ev.diagnose(Kind::ShapeMismatch, model->span,
                              format("{} must give one scalar, the loss, and gives {}",
                                     ev.kind_name(model), graph::to_string(t.shape)))
                      .label(t.origin, "made here"));
    return false;
  }
  body.builder().set_output(id);
  return true;
}

// Of these fields of the plan, the one that its author set last; where none was set, the plan.
Span set_last(Evaluator& ev, Record* plan, std::initializer_list<Symbol> fields) {
  eval::Causes causes(ev);
  for (Symbol name : fields) causes.add_field(plan, name);
  const eval::Cause* first = causes.first();
  return first ? first->span : plan->span;
}

// Why a column, its shape or one of its sizes is none.
std::nullopt_t refuse(Evaluator& ev, const Value& v, Symbol name, Span at) {
  if (v.is(ValueKind::unknown)) {
    const auto& [why, said] = *v.unknown;
    ev.error(Kind::PlanNotWhole, ev.is_users(said) ? said : at,
             format("a size of column `{}` is unknown{}{}: nothing can be estimated without it",
                    ev.text(name), why.empty() ? "" : ": ", why));
  } else if (!v.poisoned()) {
    ev.error(Kind::OutOfRange, at,
             format("column `{}` has no such shape: {} is no size that is counted", ev.text(name),
                    ev.print(v)));
  }
  return std::nullopt;
}

// Bytes of an image are numbers to a model; other whole numbers are indices.
graph::Element element_of(graph::DType type) {
  switch (type) {
    case graph::DType::int8:
    case graph::DType::int32:
    case graph::DType::int64: return graph::Element::integer;
    case graph::DType::boolean: return graph::Element::boolean;
    default: return graph::Element::real;
  }
}

// In which type a column reaches the device.
std::optional<graph::DType> column_type(Evaluator& ev, const Value& type, Symbol name, Span at) {
  if (type.is(ValueKind::unknown))
    ev.error(Kind::PlanNotWhole, at,
             format("the type of the column `{}` is unknown{}{}: its buffers cannot be counted",
                    ev.text(name), type.unknown->why.empty() ? "" : ": ", type.unknown->why));
  if (!type.is(ValueKind::record) || !type.record->shape) return std::nullopt;
  std::string_view word = ev.text(type.record->shape->name);
  auto stored = graph::dtype_of(word == "boolean" ? "bool" : word);
  if (stored != graph::DType::nf4 && stored != graph::DType::tf32) return stored;
  ev.error(Kind::TypeMismatch, at,
           format("the column `{}` is in {}, and {}", ev.text(name), word,
                  stored == graph::DType::nf4 ? "nf4 holds weights, no data"
                                              : "tf32 is arithmetic only: its tensors are fp32"));
  return std::nullopt;
}

// One column of the data as an input: [B, ...] of the column's shape.
std::optional<EvaluatedArgument> column(Evaluator& ev, Body& body, Record* data, Record* sample,
                                        Symbol name, Span use) {
  bool known = false;
  std::vector<std::string_view> columns;
  for (Symbol k : ev.keys(sample)) {
    known = known || k == name;
    columns.push_back(ev.text(k));
  }
  if (!known) {
    std::string list;
    for (std::string_view c : columns) list += (list.empty() ? "" : ", ") + std::string(c);
    auto builder = ev.diagnose(Kind::MissingInput, use,
                               format("the objective reads `{}`, and the data has {}",
                                      ev.text(name), list.empty() ? "no columns" : list));
    builder.label(data->span, "the data");
    ev.sink().add(std::move(builder));
    return std::nullopt;
  }
  Value v = ev.field(sample, name, use);
  Span at = ev.origin(sample, name);
  if (!v.is(ValueKind::record)) return refuse(ev, v, name, at);
  Value shape = ev.field(v.record, ev.names().intern("shape"), use);
  Value type = ev.field(v.record, ev.names().intern("type"), use);
  if (!shape.is(ValueKind::list)) return refuse(ev, shape, name, at);
  if (shape.items().size() >= size_t{graph::kMostDims}) {
    ev.error(Kind::OutOfRange, at,
             format("column `{}` has {} sizes, and with the batch a tensor has {} at most",
                    ev.text(name), shape.items().size(), graph::kMostDims));
    return std::nullopt;
  }
  auto stored = column_type(ev, type, name, at);
  if (!stored) return std::nullopt;
  graph::Shape dims{graph::kBatch};
  for (const Value& d : shape.items()) {
    auto dim = to_dim(d);
    if (!dim) return refuse(ev, d, name, at);
    if (dim->value < 1) {
      ev.error(Kind::ShapeMismatch, at,
               format("column `{}` has a size of {}: it holds nothing", ev.text(name),
                      graph::to_string(*dim)));
      return std::nullopt;
    }
    dims.push_back(*dim);
  }
  graph::TensorId id = body.builder().input(std::string(ev.text(name)), dims, element_of(*stored),
                                            ev.origin(sample, name), stored);
  return EvaluatedArgument{name, tensor_value(ev, id, body.builder()), use};
}

}  // namespace

std::optional<graph::Graph> build_step_graph(Evaluator& ev, Natives& natives, Record* plan) {
  Value objective_value = ev.field(plan, sym::objective, plan->span);
  Value model_value = ev.field(plan, sym::model, plan->span);
  Value data_value = ev.field(plan, sym::data, plan->span);
  Value frozen_value = ev.field(plan, sym::frozen, plan->span);
  if (!objective_value.is(ValueKind::record) || !model_value.is(ValueKind::record) ||
      !data_value.is(ValueKind::record))
    return std::nullopt;
  // The objective with the plan's models as its arguments.
  auto* objective = ev.make<Record>(*objective_value.record);
  for (eval::Layer& l : objective->layers) l.self_env = nullptr;
  auto give = [&](Symbol name, Value v, Span at) {
    objective->presets.push_back({name, v});
    objective->preset_spans.push_back({name, at});
  };
  give(sym::model, model_value, ev.origin(plan, sym::model));
  std::vector<Symbol> frozen;
  if (frozen_value.is(ValueKind::record))
    for (Symbol name : ev.keys(frozen_value.record)) {
      frozen.push_back(name);
      if (!objective->shape->field(name)) {
        Span at = ev.origin(frozen_value.record, name);
        auto wrong = ev.diagnose(Kind::UnknownField, at,
                                 format("{} has no parameter `{}` that a frozen part could be",
                                        ev.kind_name(objective), ev.text(name)));
        eval::Hints(ev).member(wrong, ev.text(name), at,
                               eval::Hints(ev).fields_of(objective->shape),
                               ev.kind_name(objective));
        ev.sink().add(std::move(wrong));
        return std::nullopt;
      }
      give(name, ev.field(frozen_value.record, name, plan->span),
           ev.origin(frozen_value.record, name));
    }
  const lang::Method* forward = forward_of(objective);
  if (!forward) {
    ev.error(Kind::NoForward, objective->span,
             format("{} has no `forward`", ev.kind_name(objective)));
    return std::nullopt;
  }
  graph::Builder builder;
  Body body(ev, builder);
  Current current(natives, body);
  body.place(objective, "");
  // The trained model's names are those of its own state dict; the others stand under theirs.
  for (const eval::Field& f : objective->shape->fields) {
    Value v = ev.field(objective, f.name, objective->span);
    if (v.poisoned()) return std::nullopt;
    if (v.is(ValueKind::record) && v.record->shape &&
        v.record->shape->kind == eval::ShapeKind::model) {
      body.place(v.record, f.name == sym::model ? "" : std::string(ev.text(f.name)));
      // The objective's own models are trained where the plan does not freeze them.
      if (std::find(frozen.begin(), frozen.end(), f.name) != frozen.end()) body.freeze(v.record);
    }
  }
  Value sample = ev.field(data_value.record, ev.names().intern("sample"), plan->span);
  if (!sample.is(ValueKind::record)) return std::nullopt;
  llvm::SmallVector<EvaluatedArgument, 4> arguments;
  auto columns = ev.keys(sample.record);
  for (const lang::Parameter& p : forward->parameters) {
    // A column that may be absent, and is.
    bool optional = p.type && p.type->optional;
    if (optional && std::find(columns.begin(), columns.end(), p.name) == columns.end()) continue;
    Span at = set_last(ev, plan, {sym::data, sym::objective});
    auto argument = column(ev, body, data_value.record, sample.record, p.name, at);
    if (!argument) return std::nullopt;
    arguments.push_back(*argument);
  }
  Span call = set_last(ev, plan, {sym::data, sym::objective, sym::model});
  eval::SetOff set_off(ev, call);
  Value loss = body.apply(objective, arguments, {call, call, {}, nullptr});
  if (!finish(ev, body, loss, objective, true)) return std::nullopt;
  body.report_unused();
  return builder.take();
}

namespace {

constexpr int64_t kNominalSize = 64;

// What stands for each size that only a call would fix: `doubled` twice as large, where one is
// named.
struct Nominal {
  Symbol doubled;
  bool all_doubled = false;
  int64_t of(Symbol name) const {
    return all_doubled || name == doubled ? 2 * kNominalSize : kNominalSize;
  }
};

// The shape that an input of `forward` declares. `open_sizes` collects the names of the sizes that
// only a call would fix.
std::optional<graph::Shape> declared_shape(Evaluator& ev, const lang::Parameter& p, eval::Env* env,
                                           Nominal nominal, std::vector<Symbol>& open_sizes) {
  graph::Shape shape;
  for (const lang::Expr* d : p.type->dims) {
    std::string_view name = d->kind == lang::ExprKind::name ? ev.text(d->name) : "";
    bool symbol = !name.empty() && std::isupper(static_cast<unsigned char>(name[0])) &&
                  !env->record->shape->field(d->name);
    if (symbol && shape.rank() == 0) {
      shape.push_back(graph::kBatch);
      continue;
    }
    if (symbol && std::find(open_sizes.begin(), open_sizes.end(), d->name) == open_sizes.end())
      open_sizes.push_back(d->name);
    Value v = symbol ? ev.make_int(nominal.of(d->name)) : ev.evaluate(d, env);
    if (v.poisoned()) return std::nullopt;
    auto dim = to_dim(v);
    if (!dim || dim->value < 1 || shape.rank() == graph::kMostDims) {
      ev.error(
          Kind::ShapeMismatch, d->span,
          shape.rank() == graph::kMostDims
              ? format("a tensor has at most {} dimensions", graph::kMostDims)
              : format("a size of an input is a whole number of at least 1, not {}", ev.print(v)));
      return std::nullopt;
    }
    shape.push_back(*dim);
  }
  return shape;
}

std::optional<graph::Graph> build_with(Evaluator& ev, Natives& natives, Record* model,
                                       const lang::Method* forward, Nominal nominal,
                                       std::vector<Symbol>& open_sizes) {
  graph::Builder builder;
  Body body(ev, builder);
  Current current(natives, body);
  body.place(model, "");
  auto* env = ev.make<eval::Env>();
  env->parent = model->shape->env;
  env->record = model;
  env->shape = model->shape;
  llvm::SmallVector<EvaluatedArgument, 4> arguments;
  for (const lang::Parameter& p : forward->parameters) {
    if (!p.type || (p.type->kind != lang::TypeExprKind::tensor && !p.type->has_dims)) continue;
    auto shape = declared_shape(ev, p, env, nominal, open_sizes);
    if (!shape) return std::nullopt;
    std::string_view element = p.type->path.empty() ? "" : ev.text(p.type->path.back());
    graph::TensorId id =
        builder.input(std::string(ev.text(p.name)), *shape, element_of(element), p.span);
    arguments.push_back({p.name, tensor_value(ev, id, builder), p.span});
  }
  Value result = body.apply(model, arguments, {model->span, model->span, {}, nullptr});
  if (!finish(ev, body, result, model, false)) return std::nullopt;
  body.report_unused();
  return builder.take();
}

// A weight whose size is that of a text or an image has none before there is one: built again with
// other sizes, the weights must be the same.
bool weights_are_fixed(Evaluator& ev, Natives& natives, Record* model, const lang::Method* forward,
                       const graph::Graph& graph, llvm::ArrayRef<Symbol> open) {
  NullSink quiet;
  auto build = [&](Nominal nominal) {
    DiagnosticSink* before = ev.swap_sink(&quiet);
    std::vector<Symbol> again;
    auto built = build_with(ev, natives, model, forward, nominal, again);
    ev.swap_sink(before);
    return built;
  };
  auto other = build({{}, true});
  if (!other || other->parameters.size() != graph.parameters.size()) return true;
  for (size_t i = 0; i < graph.parameters.size(); ++i) {
    const graph::Parameter &one = graph.parameters[i], &two = other->parameters[i];
    if (!one.saved || (one.shape == two.shape && one.count == two.count)) continue;
    // Those of the sizes that move it; all of them where it takes several at once.
    std::string open_sizes, all;
    for (Symbol name : open) {
      auto alone = build({name});
      std::string word(ev.text(name));
      all += (all.empty() ? "" : ", ") + word;
      if (alone && alone->parameters.size() > i && !(alone->parameters[i].shape == one.shape))
        open_sizes += (open_sizes.empty() ? "" : ", ") + word;
    }
    if (open_sizes.empty()) open_sizes = all;
    auto builder =
        ev.diagnose(Kind::ShapeMismatch, one.span,
                    format("the size of `{}` depends on {}, which only a call of {} gives", one.key,
                           open_sizes, ev.kind_name(model)));
    builder.caret_text(format("{} where {} is {}, {} where it is {}", graph::to_string(one.shape),
                              open_sizes, kNominalSize, graph::to_string(two.shape),
                              2 * kNominalSize));
    builder.help(format("make it a parameter: `model {}(n: Int) {{ forward(x: [B, n]) ... }}`",
                        ev.text(model->shape->name)));
    ev.sink().add(std::move(builder));
    return false;
  }
  return true;
}

}  // namespace

std::optional<graph::Graph> build_model_graph(Evaluator& ev, Natives& natives, Record* model,
                                              std::string& open_sizes) {
  const lang::Method* forward = forward_of(model);
  if (!forward) {
    ev.error(Kind::NoForward, model->span, format("{} has no `forward`", ev.kind_name(model)));
    return std::nullopt;
  }
  std::vector<Symbol> open;
  auto graph = build_with(ev, natives, model, forward, {}, open);
  for (Symbol name : open)
    open_sizes += (open_sizes.empty() ? "" : ", ") + std::string(ev.text(name));
  if (!graph || open_sizes.empty()) return graph;
  if (!weights_are_fixed(ev, natives, model, forward, *graph, open)) return std::nullopt;
  return graph;
}

}  // namespace dtp::model
