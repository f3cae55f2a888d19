// Shapes of parameters against shapes of arguments. A fresh symbol starts with a capital letter and
// is bound by its first use; everything else is evaluated and compared. Both origins are shown
// where they differ.
#include <cctype>

#include "eval/causes.h"
#include "model/method_run.h"

namespace dtp::model {

using eval::EvaluatedArgument;
using eval::Value;
using eval::ValueKind;

bool MethodRun::bind(llvm::ArrayRef<EvaluatedArgument> arguments) {
  size_t position = 0;
  std::vector<const EvaluatedArgument*> given(method_.parameters.size());
  for (const EvaluatedArgument& a : arguments) {
    size_t index = method_.parameters.size();
    if (a.name) {
      for (size_t i = 0; i < method_.parameters.size(); ++i)
        if (method_.parameters[i].name == a.name) index = i;
    } else if (position < method_.parameters.size()) {
      index = position++;
    }
    if (index == method_.parameters.size() || given[index]) {
      evaluator_.sink().add(
          evaluator_
              .diagnose(Kind::WrongArguments, a.span,
                        format("{} takes {}", evaluator_.text(instance_.record->shape->name),
                               counted(static_cast<Int128>(method_.parameters.size()), "tensor")))
              .label(method_.span, "declared here"));
      return false;
    }
    given[index] = &a;
  }
  for (size_t i = 0; i < given.size(); ++i) {
    const lang::Parameter& p = method_.parameters[i];
    if (given[i]) {
      if (!bind_one(p, *given[i])) return false;
    } else if (p.type && p.type->optional) {
      env_->locals.push_back({p.name, eval::make_simple(ValueKind::none)});
    } else if (p.fallback) {
      env_->locals.push_back({p.name, evaluator_.evaluate(p.fallback, env_)});
    } else {
      evaluator_.sink().add(evaluator_
                                .diagnose(Kind::WrongArguments, site_.span,
                                          format("{} needs its input `{}`",
                                                 evaluator_.text(instance_.record->shape->name),
                                                 evaluator_.text(p.name)))
                                .label(p.span, "declared here"));
      return false;
    }
  }
  return true;
}

bool MethodRun::bind_one(const lang::Parameter& p, const EvaluatedArgument& a) {
  bool tensor_type = p.type && (p.type->kind == lang::TypeExprKind::tensor || p.type->has_dims);
  if (tensor_type && !(p.type->optional && a.value.is(ValueKind::none))) {
    if (!a.value.is(ValueKind::tensor)) {
      evaluator_.error(Kind::TypeMismatch, a.span,
                       format("`{}` is a tensor {}, and this is {}", evaluator_.text(p.name),
                              wanted(*p.type), evaluator_.describe(a.value)));
      return false;
    }
    graph::TensorId tensor{a.value.tensor->id};
    if (!unify(*p.type, tensor, a.span, evaluator_.text(p.name), false)) return false;
  }
  env_->locals.push_back({p.name, a.value});
  return true;
}

bool MethodRun::fresh(const lang::Expr& expr) const {
  if (expr.kind != lang::ExprKind::name) return false;
  std::string_view name = evaluator_.text(expr.name);
  if (name.empty() || !std::isupper(static_cast<unsigned char>(name[0]))) return false;
  for (const auto& [local, value] : env_->locals)
    if (local == expr.name) return false;
  return !instance_.record->shape->field(expr.name);
}

// Nothing where the size that is wanted could not be worked out: told.
std::optional<bool> MethodRun::unify_dim(const lang::Expr& expr, graph::Dim actual) {
  if (fresh(expr)) {
    env_->locals.push_back({expr.name, dim_value(evaluator_, actual)});
    symbol_origins_.push_back({expr.name, expr.span});
    return true;
  }
  Value v = evaluator_.evaluate(&expr, env_);
  if (v.poisoned()) return std::nullopt;
  auto dim = to_dim(v);
  if (dim) return *dim == actual;
  evaluator_.error(Kind::TypeMismatch, expr.span,
                   format("a size is a whole number, and this is {}", evaluator_.describe(v)));
  return std::nullopt;
}

// "[B, T, hidden] = [B, 256, 1152]": as written, and as it comes to here.
std::string MethodRun::wanted(const lang::TypeExpr& type) {
  std::string names, sizes;
  NullSink quiet;
  DiagnosticSink* before = evaluator_.swap_sink(&quiet);
  for (const lang::Expr* d : type.dims) {
    std::string name =
        d->kind == lang::ExprKind::name ? std::string(evaluator_.text(d->name)) : std::string();
    std::string size = name;
    if (!fresh(*d)) {
      Value v = evaluator_.evaluate(d, env_);
      if (auto dim = to_dim(v)) size = graph::to_string(*dim);
    }
    if (name.empty()) name = size;
    names += (names.empty() ? "" : ", ") + name;
    sizes += (sizes.empty() ? "" : ", ") + size;
  }
  evaluator_.swap_sink(before);
  std::string_view element = type.path.empty() ? "" : evaluator_.text(type.path.back());
  return names == sizes ? format("{}[{}]", element, names)
                        : format("{0}[{1}] = {0}[{2}]", element, names, sizes);
}

bool MethodRun::unify(const lang::TypeExpr& type, graph::TensorId id, Span at,
                      std::string_view what, bool result) {
  const graph::Tensor& tensor = builder_[id];
  bool same = static_cast<size_t>(tensor.shape.rank()) == type.dims.size();
  std::string_view element = type.path.empty() ? "Real" : evaluator_.text(type.path.back());
  bool integer = element == "Int", boolean = element == "Bool";
  same = same && (integer   ? tensor.element == graph::Element::integer
                  : boolean ? tensor.element == graph::Element::boolean
                            : tensor.element == graph::Element::real);
  for (size_t i = 0; same && i < type.dims.size(); ++i) {
    std::optional<bool> fits = unify_dim(*type.dims[i], tensor.shape[static_cast<int>(i)]);
    if (!fits) return false;
    same = *fits;
  }
  if (!same) mismatch(type, id, at, what, result);
  return same;
}

namespace {

// What the author set; the one to look at first comes first.
void label_users(const eval::Causes& causes, DiagnosticBuilder& builder) {
  const eval::Cause* first = causes.first();
  if (first && first->users) builder.label(first->span, first->text);
  for (const eval::Cause& c : causes.all())
    if (c.users && &c != first) builder.label(c.span, c.text);
}

}  // namespace

void MethodRun::mismatch(const lang::TypeExpr& type, graph::TensorId id, Span at,
                         std::string_view what, bool result) {
  const graph::Tensor& tensor = builder_[id];
  std::string_view model_name = evaluator_.text(instance_.record->shape->name);
  // Shapes of real numbers are written without a word, but where the other one has one.
  bool plain = type.path.empty() || evaluator_.text(type.path.back()) == "Real";
  const char* kind = tensor.element == graph::Element::integer   ? "Int"
                     : tensor.element == graph::Element::boolean ? "Bool"
                     : plain                                     ? ""
                                                                 : "Real";
  std::string have = format("{}{}", kind, graph::to_string(tensor.shape));
  auto builder = evaluator_.diagnose(
      Kind::ShapeMismatch, at,
      result ? format("{} gives {}, and says {}", model_name, have, wanted(type))
             : format("`{}` of {} is {}, and this is {}", what, model_name, wanted(type), have));
  builder.caret_text(have);
  builder.label(type.span, format("{}", wanted(type)));
  if (tensor.origin.valid() && !(tensor.origin == at))
    builder.label(tensor.origin, format("made here: {}", have));
  eval::Causes causes(evaluator_);
  for (const lang::Expr* d : type.dims) causes.read(d, env_);
  label_users(causes, builder);
  for (graph::TensorId input : builder_.inputs_behind(id))
    if (Span origin = builder_[input].origin;
        evaluator_.is_users(origin) && !(origin == at) && !(origin == tensor.origin))
      builder.label(origin, format("`{}`: {}", builder_[input].name,
                                   graph::to_string(builder_[input].shape)));
  for (const auto& [symbol, span] : symbol_origins_) {
    for (const lang::Expr* d : type.dims)
      if (d->kind == lang::ExprKind::name && d->name == symbol && !(d->span == span))
        for (const auto& [local, value] : env_->locals)
          if (local == symbol)
            builder.label(span, format("{} is {} from here", evaluator_.text(symbol),
                                       evaluator_.print(value)));
  }
  evaluator_.sink().add(std::move(builder));
}

bool MethodRun::check_result(const Value& value, Span at) {
  if (!method_.result || value.poisoned()) return !value.poisoned();
  auto one = [&](const lang::TypeExpr& type, const Value& v) {
    bool tensor_type = type.kind == lang::TypeExprKind::tensor || type.has_dims;
    if (!tensor_type) return true;
    if (!v.is(ValueKind::tensor)) {
      evaluator_.error(Kind::TypeMismatch, at,
                       format("{} gives a tensor {}, and this is {}",
                              evaluator_.text(instance_.record->shape->name), wanted(type),
                              evaluator_.describe(v)));
      return false;
    }
    return unify(type, graph::TensorId{v.tensor->id}, at, "", true);
  };
  if (method_.result->kind != lang::TypeExprKind::tuple) return one(*method_.result, value);
  llvm::ArrayRef<const lang::TypeExpr*> types = method_.result->arguments;
  if (!value.is(ValueKind::tuple) || value.items().size() != types.size()) {
    evaluator_.error(
        Kind::TypeMismatch, at,
        format("{} gives {} values, and returns {}", evaluator_.text(instance_.record->shape->name),
               types.size(), evaluator_.describe(value)));
    return false;
  }
  for (size_t i = 0; i < types.size(); ++i)
    if (!one(*types[i], value.items()[i])) return false;
  return true;
}

}  // namespace dtp::model
