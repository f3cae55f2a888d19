#include "model/body.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "eval/causes.h"
#include "model/method_run.h"

namespace dtp::model {

using eval::CallSite;
using eval::EvaluatedArgument;
using eval::Record;
using eval::Value;
using eval::ValueKind;

Body::Body(eval::Evaluator& evaluator, graph::Builder& builder)
    : evaluator_(evaluator), builder_(builder) {
  add_home(root_, builder.place());
  homes_.push_back(&root_);
}

const Home& Body::add_home(Home& home, graph::Builder::Place place) {
  home.place = place;
  home.id = evaluator_.make<char>();
  by_id_[home.id] = &home;
  return home;
}

// A value may outlive the graph that it was first used in: then it belongs to where it is used.
Home& Body::home_of(const void* id) {
  auto known = by_id_.find(id);
  return known == by_id_.end() ? *homes_.back() : *known->second;
}

void Body::place(Record* record, std::string path) {
  placed_[record] = {std::move(path), homes_.back()};
}

Value* Body::made_at(Span site) {
  if (active_.empty()) return nullptr;
  Instance& running = *active_.back().instance;
  return &running.made[running.next(site)];
}

std::string Body::layer_name(Home& home, const eval::Key& key, std::string_view kind) {
  std::string name(evaluator_.text(key.name));
  if (name.empty()) {
    name = kind;
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (active_.empty()) return name;
  auto [known, fresh] = home.taken.try_emplace(name, 1);
  if (fresh) return name;
  if (key.given) {
    evaluator_.error(Kind::KeyTakenTwice, key.span,
                     format("two parts of this model would be published as `{}`", name));
    return name;
  }
  int& n = known->second;
  while (!home.taken.try_emplace(format("{}_{}", name, n), 1).second) ++n;
  return format("{}_{}", name, n++);
}

graph::Builder::Place Body::place_below(const Home& home, std::string_view path) {
  builder_.enter(home.place);
  graph::Builder::Place below{home.place.scope, builder_.path_of(path)};
  builder_.leave();
  return below;
}

Instance& Body::instance(Record* record, const CallSite& site) {
  auto& slot = instances_[record];
  if (slot) return *slot;
  slot = std::make_unique<Instance>();
  Instance& made = *slot;
  in_order_.push_back(&made);
  made.record = record;
  Home* outer = &home_of(record->home);
  std::string path;
  if (auto placed = placed_.find(record); placed != placed_.end()) {
    path = placed->second.path;
    outer = placed->second.home;
  } else if (!is_lone(site.span) || outer != homes_.back() || site.key.given || record->key) {
    eval::Key key = site.key;
    if (record->key && !key.given) key = {record->key, record->span, true, false};
    path = layer_name(*outer, key, evaluator_.text(record->shape->name));
  }
  add_home(made.home, place_below(*outer, path));
  auto* env = evaluator_.make<eval::Env>();
  env->parent = record->shape->env;
  env->record = record;
  env->shape = record->shape;
  made.env = env;
  evaluator_.validate(record, "model");
  for (const eval::Field& f : record->shape->fields)
    if (evaluator_.field(record, f.name, site.span).poisoned()) made.good = false;
  if (made.good) check_requirements(made, site);
  return made;
}

Value Body::make_part(Instance& instance, const lang::Let& part) {
  Value v =
      evaluator_.evaluate(part.value, instance.env, nullptr, {part.name, part.span, false, true});
  return place_part(v, part.name, part.value->span);
}

// A model or a layer as a part called `name`; a list of them as parts `name.0`, `name.1` and so on.
Value Body::place_part(const Value& part, Symbol name, Span at) {
  if (part.is(ValueKind::list)) {
    llvm::SmallVector<Value, 8> placed;
    for (const Value& item : part.items()) {
      Symbol numbered =
          evaluator_.names().intern(format("{}.{}", evaluator_.text(name), placed.size()));
      placed.push_back(place_part(item, numbered, at));
      if (placed.back().poisoned()) return eval::poison();
    }
    return evaluator_.make_list(placed);
  }
  Value v = part;
  if (v.is(ValueKind::shape) && v.shape->kind == eval::ShapeKind::model)
    v = evaluator_.make_record(evaluator_.instantiate(v.shape, at));
  if (v.is(ValueKind::record) && v.record->shape &&
      v.record->shape->kind == eval::ShapeKind::model) {
    if (!placed_.contains(v.record))
      place(v.record, std::string(evaluator_.text(v.record->key ? v.record->key : name)));
    return v;
  }
  if (v.is(ValueKind::native))
    return v.native->place(evaluator_, {name, at, false, true}) ? v : eval::poison();
  if (v.is(ValueKind::tensor) || v.poisoned()) return v;
  return evaluator_.error(
      Kind::TypeMismatch, at,
      format("a part is a layer or a model, and this is {}", evaluator_.describe(v)));
}

bool Body::is_used(const Value& part) const {
  if (part.is(ValueKind::native)) return used_.contains(part.native);
  if (part.is(ValueKind::record)) return instances_.contains(part.record);
  if (!part.is(ValueKind::list)) return true;
  return std::all_of(part.items().begin(), part.items().end(),
                     [this](const Value& item) { return is_used(item); });
}

// Parts are made at the first call. A part that is a tensor (Buffer) is read by each call anew.
void Body::make_parts(Instance& instance) {
  llvm::ArrayRef<lang::Let> parts = instance.record->shape->decl->parts;
  bool first = !std::exchange(instance.parts_made, true);
  for (size_t i = 0; i < parts.size(); ++i) {
    auto& locals = instance.env->locals;
    if (!first && !locals[i].second.is(ValueKind::tensor)) continue;
    if (first) instance.home.taken.try_emplace(std::string(evaluator_.text(parts[i].name)), 1);
    Value made = make_part(instance, parts[i]);
    instance.good = instance.good && !made.poisoned();
    if (first)
      locals.push_back({parts[i].name, made});
    else
      locals[i].second = made;
  }
}

void Body::report_unused() {
  for (const Instance* instance : in_order_) {
    if (!instance->parts_made || !instance->good) continue;
    const eval::Shape* shape = instance->record->shape;
    for (size_t i = 0; i < shape->decl->parts.size(); ++i) {
      if (is_used(instance->env->locals[i].second)) continue;
      const lang::Let& declared = shape->decl->parts[i];
      evaluator_.sink().add(
          evaluator_
              .diagnose(Kind::UnusedPart, declared.span,
                        format("`forward` of {} does not use its part `{}`",
                               evaluator_.text(shape->name), evaluator_.text(declared.name)))
              .note("PyTorch counts the parameters of an unused part. Here those are counted whose "
                    "sizes need no input (Embedding); a layer that is never called has no width"));
    }
  }
}

void Body::check_requirements(Instance& instance, const CallSite& site) {
  for (const lang::Requirement& r : instance.record->shape->decl->requirements) {
    Value v = evaluator_.evaluate(r.condition, instance.env);
    if (v.poisoned()) {
      instance.good = false;
      continue;
    }
    if (!v.is(ValueKind::boolean)) {
      evaluator_.error(Kind::TypeMismatch, r.condition->span, "a requirement is a condition");
      instance.good = false;
    } else if (v.verdict == Verdict::refuted) {
      report_requirement(instance, r, site.span);
      instance.good = false;
    }
  }
}

void Body::report_requirement(Instance& instance, const lang::Requirement& r, Span call) {
  std::string_view name = evaluator_.text(instance.record->shape->name);
  std::string text = r.text ? evaluator_.interpolate(r.text, instance.env, eval::Digits::grouped)
                            : format("{} refuses its parameters", name);
  evaluator_.sink().add(eval::refusal(evaluator_, Kind::ModelRequirementFailed, r, instance.env,
                                      std::move(text), name, call));
}

namespace {

bool contains(Span outer, Span inner) {
  return outer.file == inner.file && outer.begin <= inner.begin && inner.end <= outer.end;
}

}  // namespace

// A model whose body makes one of its own kind, perhaps by way of others, never ends. (One that is
// handed another of its kind does: the other was made outside.)
bool Body::is_inside_itself(const Record* model, const CallSite& site) {
  std::string ring(evaluator_.text(model->shape->name));
  Span made = model->span;
  for (size_t i = active_.size(); i-- > 0;) {
    const Record* maker = active_[i].instance->record;
    if (!contains(maker->shape->decl->span, made)) continue;
    ring = format("{} -> {}", evaluator_.text(maker->shape->name), ring);
    if (maker->shape == model->shape) {
      evaluator_.sink().add(evaluator_
                                .diagnose(Kind::EvaluationCycle, site.span,
                                          format("model {} is made of itself: {}",
                                                 evaluator_.text(model->shape->name), ring))
                                .label(model->shape->span, "declared here"));
      return true;
    }
    made = maker->span;
  }
  return false;
}

Value Body::apply(Record* model, llvm::ArrayRef<EvaluatedArgument> arguments,
                  const CallSite& site) {
  for (const lang::Method& m : model->shape->decl->methods)
    if (m.name == sym::forward) return apply(model, m, arguments, site);
  instance(model, site);
  return evaluator_.error(Kind::NoForward, site.callee_span,
                          format("model {} has no `forward`", evaluator_.text(model->shape->name)));
}

Value Body::apply(Record* model, const lang::Method& method,
                  llvm::ArrayRef<EvaluatedArgument> arguments, const CallSite& site) {
  bool own = false;  // a method that its own model calls
  for (const Active& open : active_) {
    bool here = open.instance->record == model;
    own = own || here;
    if (here && open.method == &method)
      return evaluator_.error(
          Kind::EvaluationCycle, site.span,
          method.name == sym::forward
              ? format("model {} is applied inside itself", evaluator_.text(model->shape->name))
              : format("`{}` of model {} is called inside itself", evaluator_.text(method.name),
                       evaluator_.text(model->shape->name)));
  }
  if (!own && is_inside_itself(model, site)) return eval::poison();
  if (active_.size() > 64)
    return evaluator_.error(Kind::TooMuchWork, site.span, "models are nested more than 64 deep");
  const bool frozen = frozen_.contains(model);
  if (frozen) builder_.begin_frozen();
  Value v = run(model, method, arguments, site);
  if (frozen) builder_.end_frozen();
  return v;
}

Value Body::run(Record* model, const lang::Method& method,
                llvm::ArrayRef<EvaluatedArgument> arguments, const CallSite& site) {
  Instance& made = instance(model, site);
  if (!made.good) return eval::poison();
  Span lone = std::exchange(lone_call_, Span{});
  builder_.enter(made.home.place);
  homes_.push_back(&made.home);
  active_.push_back({&made, &method});
  auto turns = std::exchange(made.turns, {});
  make_parts(made);
  Value v = eval::poison();
  if (made.good) v = MethodRun(*this, made, method, site).run(arguments);
  made.turns = std::move(turns);
  active_.pop_back();
  homes_.pop_back();
  builder_.leave();
  lone_call_ = lone;
  return v;
}

Value Body::tensor_operator(lang::Op op, const Value& a, const Value& b, Span span) {
  std::string_view name;
  switch (op) {
    case lang::Op::add: name = "add"; break;
    case lang::Op::subtract: name = "subtract"; break;
    case lang::Op::multiply: name = "multiply"; break;
    case lang::Op::divide: name = "divide"; break;
    case lang::Op::negate: name = "negate"; break;
    default:
      return evaluator_.error(Kind::WrongOperands, span,
                              format("`{}` has no meaning between tensors", lang::spelling(op)));
  }
  const ops::Operation* operation = ops::find_operation(name);
  if (!operation) return eval::poison();
  llvm::SmallVector<EvaluatedArgument, 2> arguments{{{}, a, span}};
  if (op != lang::Op::negate) arguments.push_back({{}, b, span});
  auto converted = to_arguments(evaluator_, arguments);
  if (!converted) return eval::poison();
  ops::Result result = ops::apply(builder_, *operation, *converted, span);
  if (auto* failure = std::get_if<ops::Failure>(&result)) {
    report(evaluator_, *failure, Kind::ShapeMismatch);
    return eval::poison();
  }
  return from_result(evaluator_, std::get<ops::Tensors>(result), builder_);
}

}  // namespace dtp::model
