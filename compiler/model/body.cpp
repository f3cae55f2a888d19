#include "model/body.h"

#include "model/method_run.h"
#include "model/names_read.h"

namespace dtp::model {

using eval::CallSite;
using eval::EvaluatedArgument;
using eval::Record;
using eval::Value;
using eval::ValueKind;

void Body::place(Record* record, const std::string& path) {
  placed_[record] = {builder_.path_of(path), builder_.scope()};
}

std::string Body::whole_path(std::string_view name) const {
  const std::string& here = builder_.text(builder_.path());
  if (here.empty() || name.empty()) return here.empty() ? std::string(name) : here;
  return format("{}.{}", here, name);
}

std::string Body::layer_name(const eval::Key& key, std::string_view kind, Span site) {
  bool lone = !key.given && lone_call_.valid() && site == lone_call_;
  std::string name(lone ? "" : evaluator_.text(key.name));
  if (name.empty() && !lone) {
    name = kind;
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (active_.empty()) return name;
  Instance& owner = *active_.back().instance;
  auto take = [&](const std::string& candidate) {
    std::string whole = whole_path(candidate);
    auto known = owner.made.find(whole);
    return (known == owner.made.end() || known->second.span == site) &&
           owner.taken.try_emplace(std::move(whole), 1).second;
  };
  if (take(name)) return name;
  if (key.given || lone) {
    evaluator_.error(
        Kind::KeyTakenTwice, lone ? site : key.span,
        format("two parts of this model would be published as `{}`", whole_path(name)));
  }
  int& n = owner.taken.try_emplace(whole_path(name), 1).first->second;
  while (!take(format("{}_{}", name, n))) ++n;
  return format("{}_{}", name, n++);
}

Instance::Made& Body::made_before(std::string_view name, Span site) {
  Instance::Made& made = active_.back().instance->made[whole_path(name)];
  made.span = site;
  return made;
}

Instance& Body::instance(Record* record, const CallSite& site) {
  if (auto known = instances_.find(record); known != instances_.end()) return *known->second;
  if (auto placed = placed_.find(record); placed != placed_.end())
    return new_instance(record, placed->second, site);
  eval::Key key = site.key;
  if (record->key && !key.given) key = {record->key, record->span, true, false};
  std::string name = layer_name(key, evaluator_.text(record->shape->name), site.span);
  if (active_.empty())
    return new_instance(record, {builder_.path_of(name), builder_.scope()}, site);
  Instance::Made& before = made_before(name, site.span);
  if (before.inner && before.inner->record->shape == record->shape) {
    instances_[record] = before.inner;
    return *before.inner;
  }
  Instance& made = new_instance(record, {builder_.path_of(name), builder_.scope()}, site);
  active_.back().instance->made[whole_path(name)].inner = &made;
  return made;
}

Instance& Body::new_instance(Record* record, graph::Builder::Place place, const CallSite& site) {
  all_.push_back(std::make_unique<Instance>());
  Instance& made = *all_.back();
  instances_[record] = &made;
  made.record = record;
  made.place = place;
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

void Body::make_parts(Instance& instance) {
  instance.parts_made = true;
  for (const lang::Let& part : instance.record->shape->decl->parts) {
    eval::Key key{part.name, part.span, false, true};
    instance.taken.try_emplace(whole_path(evaluator_.text(part.name)), 1);
    Value v = evaluator_.evaluate(part.value, instance.env, nullptr, key);
    v = place_part(v, part.name, part.value->span);
    instance.good = instance.good && !v.poisoned();
    instance.env->locals.push_back({part.name, v});
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

// Where a parameter's value was set: a name that the caller passed on is followed to the caller's
// own parameter.
Span Body::origin_of(const Record* record, Symbol name) const {
  Span at = evaluator_.origin(record, name);
  if (evaluator_.definition(record, name)) return at;
  for (size_t i = active_.size(); i-- > 0;) {
    const lang::Expr* passed = nullptr;
    for (const auto& [preset, expr] : record->preset_exprs)
      if (preset == name) passed = expr;
    const Record* caller = active_[i].instance->record;
    if (!passed || passed->kind != lang::ExprKind::name || !caller->shape->field(passed->name))
      return at;
    record = caller;
    name = passed->name;
    at = evaluator_.origin(record, name);
    if (evaluator_.definition(record, name)) return at;
  }
  return at;
}

// The caret goes to where the author set one of the numbers; the requirement itself is a label.
void Body::report_requirement(Instance& instance, const lang::Requirement& r, Span call) {
  std::vector<Symbol> names = names_read(r.condition);
  std::string text = r.text ? evaluator_.interpolate(r.text, instance.env) : std::string();
  std::string values;
  std::vector<Label> places;
  for (Symbol name : names) {
    if (!instance.record->shape->field(name)) continue;
    std::string value = evaluator_.print(evaluator_.field(instance.record, name, call));
    std::string word = format("{} = {}", evaluator_.text(name), value);
    if (values.find(word) == std::string::npos) values += (values.empty() ? "" : ", ") + word;
    Span origin = origin_of(instance.record, name);
    bool repeated = false;
    for (const Label& l : places) repeated = repeated || l.span == origin;
    if (origin.valid() && !repeated) places.push_back({origin, word});
  }
  std::string model_name(evaluator_.text(instance.record->shape->name));
  if (text.empty()) text = format("{} refuses its parameters: {}", model_name, values);
  Label caret = places.empty() ? Label{call, values} : places.back();
  if (places.empty()) caret.text = values;
  DiagnosticBuilder builder(Kind::ModelRequirementFailed, caret.span, text);
  builder.caret_text(caret.text);
  for (size_t i = 0; i + 1 < places.size(); ++i) builder.label(places[i].span, places[i].text);
  builder.label(r.condition->span, format("{} requires this", model_name));
  evaluator_.sink().add(std::move(builder));
}

Value Body::apply(Record* model, llvm::ArrayRef<EvaluatedArgument> arguments,
                  const CallSite& site) {
  for (const lang::Method& m : model->shape->decl->methods)
    if (m.name == sym::forward) return apply(model, m, arguments, site);
  return evaluator_.error(Kind::NoForward, site.callee_span,
                          format("model {} has no `forward`", evaluator_.text(model->shape->name)));
}

Value Body::apply_here(Record* model, llvm::ArrayRef<EvaluatedArgument> arguments,
                       const CallSite& site) {
  Span before = std::exchange(lone_call_, site.span);
  Value v = apply(model, arguments, {site.span, site.callee_span, {}, site.env});
  lone_call_ = before;
  return v;
}

Value Body::apply(Record* model, const lang::Method& method,
                  llvm::ArrayRef<EvaluatedArgument> arguments, const CallSite& site) {
  if (active_.size() > 64)
    return evaluator_.error(Kind::TooMuchWork, site.span, "models are nested more than 64 deep");
  Instance& made = instance(model, site);
  for (const Active& open : active_)
    if (open.instance == &made && open.method == &method)
      return evaluator_.error(
          Kind::EvaluationCycle, site.span,
          method.name == sym::forward
              ? format("model {} is applied inside itself", evaluator_.text(model->shape->name))
              : format("`{}` of model {} is called inside itself", evaluator_.text(method.name),
                       evaluator_.text(model->shape->name)));
  if (!made.good) return eval::poison();
  Span lone = std::exchange(lone_call_, Span{});
  // One's own method works where its caller does, inside a loop with a key for example.
  bool own = !active_.empty() && active_.back().instance == &made;
  builder_.enter(own ? builder_.here() : made.place);
  active_.push_back({&made, &method});
  if (!made.parts_made) make_parts(made);
  Value v = eval::poison();
  if (made.good) {
    std::map<std::string, int> taken = made.taken;
    v = MethodRun(*this, made, method, site).run(arguments);
    if (!own) made.taken = std::move(taken);
  }
  active_.pop_back();
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
