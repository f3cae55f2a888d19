#include "model/build_graph.h"

#include <cctype>

#include "base/nearest_name.h"
#include "eval/causes.h"

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
                    ev.text(name), type.text->empty() ? "" : ": ", *type.text));
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
  if (!v.is(ValueKind::record)) return std::nullopt;
  Value shape = ev.field(v.record, ev.names().intern("shape"), use);
  Value type = ev.field(v.record, ev.names().intern("type"), use);
  if (!shape.is(ValueKind::list)) return std::nullopt;
  auto stored = column_type(ev, type, name, ev.origin(sample, name));
  if (!stored) return std::nullopt;
  graph::Shape dims{graph::kBatch};
  for (const Value& d : shape.items()) {
    auto dim = to_dim(d);
    if (!dim || dims.rank() == graph::kMostDims) return std::nullopt;
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
  if (frozen_value.is(ValueKind::record))
    for (Symbol name : ev.keys(frozen_value.record)) {
      if (!objective->shape->field(name)) {
        ev.error(Kind::UnknownField, ev.origin(frozen_value.record, name),
                 format("{} has no parameter `{}` that a frozen part could be",
                        ev.kind_name(objective), ev.text(name)));
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
        v.record->shape->kind == eval::ShapeKind::model)
      body.place(v.record, f.name == sym::model ? "" : std::string(ev.text(f.name)));
  }
  Value sample = ev.field(data_value.record, ev.names().intern("sample"), plan->span);
  if (!sample.is(ValueKind::record)) return std::nullopt;
  llvm::SmallVector<EvaluatedArgument, 4> arguments;
  for (const lang::Parameter& p : forward->parameters) {
    Span at = set_last(ev, plan, {sym::data, sym::objective});
    auto argument = column(ev, body, data_value.record, sample.record, p.name, at);
    if (!argument) return std::nullopt;
    arguments.push_back(*argument);
  }
  Span call = ev.origin(plan, sym::model);
  eval::SetOff set_off(ev, set_last(ev, plan, {sym::data, sym::objective, sym::model}));
  Value loss = body.apply(objective, arguments, {call, call, {}, nullptr});
  if (!finish(ev, body, loss, objective, true)) return std::nullopt;
  body.report_unused();
  return builder.take();
}

std::optional<graph::Graph> build_model_graph(Evaluator& ev, Natives& natives, Record* model) {
  const lang::Method* forward = forward_of(model);
  if (!forward) {
    ev.error(Kind::NoForward, model->span, format("{} has no `forward`", ev.kind_name(model)));
    return std::nullopt;
  }
  graph::Builder builder;
  Body body(ev, builder);
  Current current(natives, body);
  body.place(model, "");
  auto* env = ev.make<eval::Env>();
  env->parent = model->shape->env;
  env->record = model;
  env->shape = model->shape;
  constexpr int64_t kNominalSize = 64;
  llvm::SmallVector<EvaluatedArgument, 4> arguments;
  for (const lang::Parameter& p : forward->parameters) {
    if (!p.type || (p.type->kind != lang::TypeExprKind::tensor && !p.type->has_dims)) continue;
    graph::Shape shape;
    for (const lang::Expr* d : p.type->dims) {
      std::string_view name = d->kind == lang::ExprKind::name ? ev.text(d->name) : "";
      bool symbol = !name.empty() && std::isupper(static_cast<unsigned char>(name[0])) &&
                    !model->shape->field(d->name);
      if (symbol && shape.rank() == 0) {
        shape.push_back(graph::kBatch);
        continue;
      }
      auto dim =
          symbol ? std::optional(graph::Dim{kNominalSize, false}) : to_dim(ev.evaluate(d, env));
      if (!dim || shape.rank() == graph::kMostDims) return std::nullopt;
      shape.push_back(*dim);
    }
    std::string_view element = p.type->path.empty() ? "" : ev.text(p.type->path.back());
    graph::TensorId id =
        builder.input(std::string(ev.text(p.name)), shape, element_of(element), p.span);
    arguments.push_back({p.name, tensor_value(ev, id, builder), p.span});
  }
  Value result = body.apply(model, arguments, {model->span, model->span, {}, nullptr});
  if (!finish(ev, body, result, model, false)) return std::nullopt;
  body.report_unused();
  return builder.take();
}

}  // namespace dtp::model
