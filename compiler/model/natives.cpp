#include "model/natives.h"

#include "ops/layer.h"

namespace dtp::model {

using eval::CallSite;
using eval::EvaluatedArgument;
using eval::Evaluator;
using eval::Native;
using eval::Value;
using eval::ValueKind;

Value outside(Evaluator& evaluator, const CallSite& site, std::string_view name) {
  return evaluator.error(
      Kind::NotCallable, site.callee_span,
      format("`{}` works on tensors: it can be called inside a model only", name));
}

namespace {

// The formal parameter that an argument is for; null when there is none.
const ops::Formal* formal_of(std::span<const ops::Formal> formals, std::string_view argument,
                             size_t position) {
  for (size_t i = 0; i < formals.size(); ++i)
    if (argument.empty() ? i == position : formals[i].name == argument) return &formals[i];
  return nullptr;
}

bool takes_a_word(const ops::Formal* formal) {
  return formal && formal->accepts == ops::Accepts::word;
}

class OperationNative final : public Native {
 public:
  OperationNative(Natives& owner, const ops::Operation& operation)
      : owner_(owner), operation_(operation) {}
  std::string_view name() const override { return operation_.name; }
  bool takes_word(std::string_view argument, size_t position) const override {
    return takes_a_word(formal_of(operation_.formals, argument, position));
  }
  bool has_parameter(std::string_view parameter) const override {
    return formal_of(operation_.formals, parameter, 0) != nullptr;
  }
  bool is_word(std::string_view argument, size_t position, std::string_view word) const override {
    const ops::Formal* formal = formal_of(operation_.formals, argument, position);
    return formal && ops::is_choice(*formal, word);
  }
  Value call(Evaluator& evaluator, llvm::ArrayRef<EvaluatedArgument> arguments,
             const CallSite& site) const override {
    if (!owner_.body) return outside(evaluator, site, name());
    if (site.key.given)
      return evaluator.error(
          Kind::WrongOperands, site.key.span,
          format("`{}` owns no parameters, so there is nothing for `as` to name", name()));
    auto converted = to_arguments(evaluator, arguments);
    if (!converted) return eval::poison();
    graph::Builder& builder = owner_.body->builder();
    ops::Result result = ops::apply(builder, operation_, *converted, site.span);
    if (auto* failure = std::get_if<ops::Failure>(&result)) {
      report(evaluator, *failure);
      return eval::poison();
    }
    return from_result(evaluator, std::get<ops::Tensors>(result), builder);
  }

 private:
  Natives& owner_;
  const ops::Operation& operation_;
};

// The rows of an embedding as the weight of a product: a head tied to it owns nothing.
class TransposedNative final : public Native {
 public:
  TransposedNative(Natives& owner, const Native* table, const ops::LayerInstance& embedding)
      : owner_(owner), table_(table), embedding_(embedding) {}
  std::string_view name() const override { return "transposed"; }
  Value call(Evaluator& evaluator, llvm::ArrayRef<EvaluatedArgument> arguments,
             const CallSite& site) const override {
    if (!owner_.body) return outside(evaluator, site, "transposed");
    owner_.body->used(this);
    owner_.body->used(table_);
    auto converted = to_arguments(evaluator, arguments);
    if (!converted) return eval::poison();
    graph::Builder& builder = owner_.body->builder();
    ops::Result result = ops::apply_transposed(builder, embedding_, *converted, site.span);
    if (auto* failure = std::get_if<ops::Failure>(&result)) {
      report(evaluator, *failure, Kind::ShapeMismatch);
      return eval::poison();
    }
    return from_result(evaluator, std::get<ops::Tensors>(result), builder);
  }

 private:
  Natives& owner_;
  const Native* table_;  // the part that it is tied to
  const ops::LayerInstance& embedding_;
};

// A layer with its arguments; it is made at its first call, when its name is known, and belongs to
// where it was written.
class LayerNative final : public Native {
 public:
  LayerNative(Natives& owner, const ops::LayerKind& kind, std::vector<ops::Argument> arguments,
              eval::Key key, Span span)
      : owner_(owner),
        kind_(kind),
        arguments_(std::move(arguments)),
        key_(key),
        span_(span),
        home_(owner.body->home_id()) {}
  std::string_view name() const override { return kind_.name; }
  bool takes_key() const override { return true; }

  Value call(Evaluator& evaluator, llvm::ArrayRef<EvaluatedArgument> arguments,
             const CallSite& site) const override {
    if (!owner_.body) return outside(evaluator, site, name());
    if (!make(evaluator, site)) return eval::poison();
    auto converted = to_arguments(evaluator, arguments);
    if (!converted) return eval::poison();
    return apply(evaluator, *converted, site.span);
  }
  bool place(Evaluator& evaluator, const eval::Key& key) const override {
    return made() || !owner_.body || make_at(evaluator, std::string(evaluator.text(key.name)));
  }
  std::optional<Value> member(Evaluator& evaluator, std::string_view word,
                              Span use) const override {
    if (word != "transposed") return std::nullopt;
    if (kind_.name != "Embedding" || !layer_)
      return evaluator.error(Kind::WrongOperands, use,
                             format("`transposed` is what an `Embedding` that is a part has, and "
                                    "this is a `{}`",
                                    kind_.name));
    Value v = eval::make_simple(ValueKind::native);
    v.native = evaluator.make<TransposedNative>(owner_, this, *layer_);
    return v;
  }

  bool made() const { return layer_ && owner_.body && made_for_ == owner_.body->id(); }
  bool make(Evaluator& evaluator, const CallSite& site) const {
    if (made()) return true;
    if (key_.part) return make_at(evaluator, std::string(evaluator.text(key_.name)));
    Body& body = *owner_.body;
    if (body.is_lone(site.span) && !key_.given && !site.key.given && home_ == body.home_id())
      return make_at(evaluator, "");
    return make_at(evaluator,
                   body.layer_name(body.home_of(home_),
                                   key_.given || !site.key.name ? key_ : site.key, kind_.name));
  }
  bool make_at(Evaluator& evaluator, const std::string& path) const {
    graph::Builder& builder = owner_.body->builder();
    builder.enter(owner_.body->home_of(home_).place);
    auto made = ops::make_layer(builder, kind_, arguments_, path, span_);
    builder.leave();
    if (auto* failure = std::get_if<ops::Failure>(&made)) {
      report(evaluator, *failure);
      return false;
    }
    layer_ = std::get<ops::LayerInstance*>(made);
    made_for_ = owner_.body->id();
    return true;
  }
  Value apply(Evaluator& evaluator, const std::vector<ops::Argument>& arguments, Span span) const {
    owner_.body->used(this);
    graph::Builder& builder = owner_.body->builder();
    ops::Result result = ops::apply_layer(builder, *layer_, arguments, span);
    if (auto* failure = std::get_if<ops::Failure>(&result)) {
      report(evaluator, *failure, Kind::ShapeMismatch);
      return eval::poison();
    }
    return from_result(evaluator, std::get<ops::Tensors>(result), builder);
  }

 private:
  Natives& owner_;
  const ops::LayerKind& kind_;
  std::vector<ops::Argument> arguments_;
  eval::Key key_;
  Span span_;
  const void* home_;
  mutable ops::LayerInstance* layer_ = nullptr;
  mutable const void* made_for_ = nullptr;  // the body whose graph holds it
};

class LayerKindNative final : public Native {
 public:
  LayerKindNative(Natives& owner, const ops::LayerKind& kind) : owner_(owner), kind_(kind) {}
  std::string_view name() const override { return kind_.name; }
  bool takes_key() const override { return true; }
  bool takes_word(std::string_view argument, size_t position) const override {
    return takes_a_word(formal_of(kind_.formals, argument, position));
  }
  bool has_parameter(std::string_view parameter) const override {
    return formal_of(kind_.formals, parameter, 0) != nullptr;
  }
  bool is_word(std::string_view argument, size_t position, std::string_view word) const override {
    const ops::Formal* formal = formal_of(kind_.formals, argument, position);
    return formal && ops::is_choice(*formal, word);
  }

  // With tensors it is applied at once (all its own arguments have defaults); without, it waits for
  // them. A second call of the body that it stands in means the same layer.
  Value call(Evaluator& evaluator, llvm::ArrayRef<EvaluatedArgument> arguments,
             const CallSite& site) const override {
    if (!owner_.body) return outside(evaluator, site, name());
    bool tensors = false;
    for (const EvaluatedArgument& a : arguments) tensors = tensors || a.value.is(ValueKind::tensor);
    auto converted = to_arguments(evaluator, arguments);
    if (!converted) return eval::poison();
    Value* made = owner_.body->made_at(site.span);
    if (made && made->is(ValueKind::native) && made->native->name() != kind_.name) made = nullptr;
    if (!made || !made->is(ValueKind::native)) {
      Value v = eval::make_simple(ValueKind::native);
      v.native = evaluator.make<LayerNative>(
          owner_, kind_, tensors ? std::vector<ops::Argument>{} : *converted, site.key, site.span);
      made = made ? &(*made = v) : evaluator.make<Value>(v);
    }
    const auto& layer = static_cast<const LayerNative&>(*made->native);
    // A part is made where it is declared. Buffer is applied to nothing: it is its tensor.
    bool buffer = !kind_.takes_input;
    if ((tensors || site.key.part || buffer) && !layer.make(evaluator, site)) return eval::poison();
    if (tensors) return layer.apply(evaluator, *converted, site.span);
    return buffer ? layer.apply(evaluator, {}, site.span) : *made;
  }

 private:
  Natives& owner_;
  const ops::LayerKind& kind_;
};

// no_gradient(f(x)): what its argument computes needs no gradient.
class NoGradientNative final : public Native {
 public:
  explicit NoGradientNative(Natives& owner) : owner_(owner) {}
  std::string_view name() const override { return "no_gradient"; }
  void enter(Span span) const override {
    if (owner_.body) owner_.body->builder().begin_no_gradient(span);
  }
  void leave() const override {
    if (owner_.body) owner_.body->builder().end_no_gradient();
  }
  Value call(Evaluator& evaluator, llvm::ArrayRef<EvaluatedArgument> arguments,
             const CallSite& site) const override {
    if (!owner_.body) return outside(evaluator, site, name());
    if (arguments.size() != 1)
      return evaluator.error(Kind::WrongArguments, site.span, "`no_gradient` takes one expression");
    return arguments[0].value;
  }

 private:
  Natives& owner_;
};

// size(x, axis): one size of a tensor's shape, as a number.
class SizeNative final : public Native {
 public:
  explicit SizeNative(Natives& owner) : owner_(owner) {}
  std::string_view name() const override { return "size"; }
  Value call(Evaluator& evaluator, llvm::ArrayRef<EvaluatedArgument> arguments,
             const CallSite& site) const override {
    if (!owner_.body) return outside(evaluator, site, name());
    if (arguments.size() != 2 || !arguments[0].value.is(ValueKind::tensor) ||
        !arguments[1].value.is(ValueKind::number) || !arguments[1].value.number->whole())
      return evaluator.error(Kind::WrongArguments, site.span,
                             "`size` takes a tensor and the number of an axis: `size(x, 1)`");
    const graph::Shape& shape =
        owner_.body->builder()[graph::TensorId{arguments[0].value.tensor->id}].shape;
    Int128 axis = arguments[1].value.number->numerator;
    if (axis < 0) axis += shape.rank();
    if (axis < 0 || axis >= shape.rank())
      return evaluator.error(
          Kind::IndexOutOfRange, arguments[1].span,
          format("axis {} of {}", to_string(arguments[1].value.number->numerator),
                 graph::to_string(shape)));
    return dim_value(evaluator, shape[static_cast<int>(axis)]);
  }

 private:
  Natives& owner_;
};

// `encoder.encode`: a method of a model, bound to it.
class MethodNative final : public Native {
 public:
  MethodNative(Natives& owner, eval::Record* model, const lang::Method& method,
               std::string_view name)
      : owner_(owner), model_(model), method_(method), name_(name) {}
  std::string_view name() const override { return name_; }
  Value call(Evaluator& evaluator, llvm::ArrayRef<EvaluatedArgument> arguments,
             const CallSite& site) const override {
    if (!owner_.body) return outside(evaluator, site, name_);
    if (site.key.given)
      return evaluator.error(
          Kind::WrongOperands, site.key.span,
          format("`{}` is a method of a model that has its place already: `as` names nothing here",
                 name_));
    return owner_.body->apply(model_, method_, arguments, site);
  }

 private:
  Natives& owner_;
  eval::Record* model_;
  const lang::Method& method_;
  std::string_view name_;
};

}  // namespace

std::vector<eval::NativeDoc> native_docs() {
  return {
      {"no_gradient", "no_gradient(f(x))",
       "what its argument computes is not trained: nothing is kept for it"},
      {"parallel_over", "parallel_over(n, model, shard = expert)(x)",
       "n copies of a model, each over its slice of x along the first axis"},
      {"size", "size(x, axis)", "one size of a tensor's shape, as a number"},
  };
}

Natives::Natives() = default;
Natives::~Natives() = default;

const Native* Natives::find(std::string_view name) {
  if (auto known = made_.find(name); known != made_.end()) return known->second.get();
  std::unique_ptr<Native> native;
  std::string_view kept;
  if (name == "size") {
    native = std::make_unique<SizeNative>(*this);
    kept = "size";
  } else if (name == "parallel_over") {
    native = make_parallel_over(*this);
    kept = "parallel_over";
  } else if (name == "no_gradient") {
    native = std::make_unique<NoGradientNative>(*this);
    kept = "no_gradient";
  } else if (const ops::Operation* operation = ops::find_operation(name)) {
    native = std::make_unique<OperationNative>(*this, *operation);
    kept = operation->name;
  } else if (const ops::LayerKind* layer = ops::find_layer(name)) {
    native = std::make_unique<LayerKindNative>(*this, *layer);
    kept = layer->name;
  }
  if (!native) return nullptr;
  return (made_[kept] = std::move(native)).get();
}

std::optional<Value> Natives::method(Evaluator& evaluator, eval::Record* model, Symbol name) {
  for (const lang::Method& m : model->shape->decl->methods) {
    if (m.name != name) continue;
    Value v = eval::make_simple(ValueKind::native);
    v.native = evaluator.make<MethodNative>(*this, model, m, evaluator.text(name));
    return v;
  }
  return std::nullopt;
}

std::vector<std::string_view> Natives::names() const {
  std::vector<std::string_view> all{"no_gradient", "parallel_over", "size"};
  for (const ops::Operation* o : ops::all_operations()) all.push_back(o->name);
  for (const ops::LayerKind* l : ops::all_layers()) all.push_back(l->name);
  return all;
}

}  // namespace dtp::model
