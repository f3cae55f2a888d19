// parallel_over(n, model, shard = expert)(x): n copies of a model, copy i over x[i]. In the graph
// it is one repeat: parameters and products count n times, and each copy writes its place of the
// result.
#include "model/natives.h"
#include "ops/table.h"

namespace dtp::model {

using eval::CallSite;
using eval::EvaluatedArgument;
using eval::Evaluator;
using eval::Native;
using eval::Value;
using eval::ValueKind;

namespace {

class CopiesNative final : public Native {
 public:
  CopiesNative(Natives& owner, int64_t copies, const Value& model, bool experts)
      : owner_(owner), copies_(copies), model_(model), experts_(experts) {}
  std::string_view name() const override { return "parallel_over"; }
  bool takes_key() const override { return true; }

  Value call(Evaluator& evaluator, llvm::ArrayRef<EvaluatedArgument> arguments,
             const CallSite& site) const override {
    if (!owner_.body) return outside(evaluator, site, name());
    graph::Builder& builder = owner_.body->builder();
    if (arguments.size() != 1 || !arguments[0].value.is(ValueKind::tensor))
      return evaluator.error(Kind::WrongArguments, site.span,
                             "`parallel_over(n, model)` is applied to one tensor");
    graph::TensorId x{arguments[0].value.tensor->id};
    const graph::Shape shape = builder[x].shape;
    if (shape.rank() == 0 || shape[0] != graph::Dim{copies_, false}) {
      evaluator.sink().add(
          evaluator
              .diagnose(Kind::ShapeMismatch, arguments[0].span,
                        format("{} copies of a model take a tensor [{}, ...], and this is {}",
                               copies_, copies_, graph::to_string(shape)))
              .label(builder[x].origin, "made here"));
      return eval::poison();
    }
    Body& body = *owner_.body;
    std::unique_ptr<Home>& home = body.loop_home(site.span);
    std::string key;
    if (!home) key = body.layer_name(body.home_of(body.home_id()), site.key, "copies");
    graph::TensorId room = one(builder, ops::table::room_like_operation, {x}, site.span);
    size_t before = builder.graph().parameters.size();
    graph::TensorId inner = builder.begin_repeat(copies_, key, false, site.span, {&room, 1},
                                                 home ? &home->place : nullptr)[0];
    if (!home) body.add_home(*(home = std::make_unique<Home>()), builder.place());
    graph::TensorId slice = one(builder, ops::table::pick_operation, {x}, site.span);
    body.push_home(*home);
    graph::TensorId result = run(evaluator, slice, inner, site);
    body.pop_home();
    graph::TensorId all = builder.end_repeat({result.valid() ? &result : &inner, 1})[0];
    if (!result.valid()) return eval::poison();
    if (experts_)
      for (size_t i = before; i < builder.graph().parameters.size(); ++i)
        builder.set_sharding({static_cast<uint32_t>(i)}, graph::Sharding::expert);
    return tensor_value(evaluator, all, builder);
  }

 private:
  static graph::TensorId one(graph::Builder& builder, const ops::Operation& operation,
                             std::initializer_list<graph::TensorId> tensors, Span span) {
    std::vector<ops::Argument> arguments;
    for (graph::TensorId t : tensors) arguments.push_back({"", t, span});
    return std::get<ops::Tensors>(ops::apply(builder, operation, arguments, span))[0];
  }

  // One copy: its result goes to its place. Invalid, with a report, where that cannot be.
  graph::TensorId run(Evaluator& evaluator, graph::TensorId slice, graph::TensorId whole,
                      const CallSite& site) const {
    graph::Builder& builder = owner_.body->builder();
    EvaluatedArgument argument{{}, tensor_value(evaluator, slice, builder), site.span};
    owner_.body->place(model_.record, "");
    Value made =
        owner_.body->apply(model_.record, argument, {site.span, site.callee_span, {}, site.env});
    if (made.poisoned()) return {};
    if (!made.is(ValueKind::tensor) ||
        !(builder[graph::TensorId{made.tensor->id}].shape == builder[slice].shape)) {
      evaluator.error(Kind::ShapeMismatch, site.span,
                      format("a model that runs in copies gives what it takes, {}, and this one "
                             "gives {}",
                             graph::to_string(builder[slice].shape),
                             made.is(ValueKind::tensor)
                                 ? graph::to_string(builder[graph::TensorId{made.tensor->id}].shape)
                                 : evaluator.describe(made)));
      return {};
    }
    return one(builder, ops::table::put_operation, {whole, graph::TensorId{made.tensor->id}},
               site.span);
  }

  Natives& owner_;
  int64_t copies_;
  Value model_;
  bool experts_;
};

class ParallelOverNative final : public Native {
 public:
  explicit ParallelOverNative(Natives& owner) : owner_(owner) {}
  std::string_view name() const override { return "parallel_over"; }
  bool takes_key() const override { return true; }
  bool takes_word(std::string_view argument, size_t position) const override {
    return argument == "shard" || (argument.empty() && position == 2);
  }
  bool is_word(std::string_view parameter, size_t position, std::string_view word) const override {
    return (parameter == "shard" || (parameter.empty() && position == 2)) &&
           (word == "expert" || word == "none");
  }

  Value call(Evaluator& evaluator, llvm::ArrayRef<EvaluatedArgument> arguments,
             const CallSite& site) const override {
    if (!owner_.body) return outside(evaluator, site, name());
    Value model = arguments.size() > 1 ? arguments[1].value : Value{};
    if (model.is(ValueKind::shape) && model.shape->kind == eval::ShapeKind::model)
      model = evaluator.make_record(evaluator.instantiate(model.shape, arguments[1].span));
    bool is_model = model.is(ValueKind::record) && model.record->shape &&
                    model.record->shape->kind == eval::ShapeKind::model;
    auto copies = arguments.empty() ? std::nullopt : to_dim(arguments[0].value);
    if (arguments.size() < 2 || arguments.size() > 3 || !is_model || !copies || copies->batch ||
        copies->value < 1)
      return evaluator.error(
          Kind::WrongArguments, site.span,
          "`parallel_over` takes a number of copies and a model: `parallel_over(8, Expert(64))`");
    bool experts = false;
    if (arguments.size() == 3) {
      const EvaluatedArgument& shard = arguments[2];
      bool none = shard.value.is(ValueKind::none);
      experts = shard.value.is(ValueKind::string) && shard.value.string() == "expert";
      if (!none && !experts)
        return evaluator.error(Kind::WrongOperands, shard.span,
                               "`parallel_over` shares its copies as `shard = expert`, or not: "
                               "`shard = none`");
    }
    Value v = eval::make_simple(ValueKind::native);
    v.native = evaluator.make<CopiesNative>(owner_, copies->value, model, experts);
    return v;
  }

 private:
  Natives& owner_;
};

}  // namespace

std::unique_ptr<Native> make_parallel_over(Natives& owner) {
  return std::make_unique<ParallelOverNative>(owner);
}

}  // namespace dtp::model
