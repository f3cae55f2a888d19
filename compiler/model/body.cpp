#include "model/body.h"

#include "model/method_run.h"

namespace dtp::model {

using eval::CallSite;
using eval::EvaluatedArgument;
using eval::Record;
using eval::Value;
using eval::ValueKind;

void Body::place(Record* record, std::string path) { placed_[record] = std::move(path); }

std::string Body::layer_name(const eval::Key& key, std::string_view kind) {
  std::string name(evaluator_.text(key.name));
  if (name.empty()) {
    name = kind;
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (active_.empty()) return name;
  std::set<std::string>& taken = active_.back()->taken;
  if (!taken.insert(name).second) {
    if (key.given) {
      evaluator_.error(Kind::KeyTakenTwice, key.span,
                       format("two parts of this model would be published as `{}`", name));
      return name;
    }
    int n = 1;
    while (!taken.insert(format("{}_{}", name, n)).second) ++n;
    name = format("{}_{}", name, n);
  }
  return name;
}

Instance& Body::instance(Record* record, const CallSite& site) {
  auto& slot = instances_[record];
  if (slot) return *slot;
  slot = std::make_unique<Instance>();
  Instance& made = *slot;
  made.record = record;
  if (auto placed = placed_.find(record); placed != placed_.end()) {
    made.path = placed->second;
  } else if (!lone_call_ || site.key.given || record->key) {
    eval::Key key = site.key;
    if (record->key && !key.given) key = {record->key, record->span, true, false};
    made.path = layer_name(key, evaluator_.text(record->shape->name));
  }
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

void Body::make_parts(Instance& instance) {
  for (const lang::Let& part : instance.record->shape->decl->parts) {
    eval::Key key{part.name, part.span, false, true};
    instance.taken.insert(std::string(evaluator_.text(part.name)));
    Value v = evaluator_.evaluate(part.value, instance.env, nullptr, key);
    if (v.is(ValueKind::shape) && v.shape->kind == eval::ShapeKind::model)
      v = evaluator_.make_record(evaluator_.instantiate(v.shape, part.value->span));
    if (v.is(ValueKind::record) && v.record->shape &&
        v.record->shape->kind == eval::ShapeKind::model) {
      if (!placed_.contains(v.record))
        place(v.record, std::string(evaluator_.text(v.record->key ? v.record->key : part.name)));
    } else if (!v.is(ValueKind::native) && !v.is(ValueKind::tensor) && !v.poisoned()) {
      v = evaluator_.error(
          Kind::TypeMismatch, part.value->span,
          format("a part is a layer or a model, and this is {}", evaluator_.describe(v)));
    }
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

namespace {

void names_in(const lang::Expr* e, std::vector<Symbol>& out) {
  if (!e) return;
  if (e->kind == lang::ExprKind::name) out.push_back(e->name);
  for (const lang::Expr* child : {e->a, e->b, e->c}) names_in(child, out);
}

}  // namespace

// Where a parameter's value was set: a name that the caller passed on is followed to the caller's
// own parameter.
Span Body::origin_of(const Record* record, Symbol name) const {
  Span at = evaluator_.origin(record, name);
  if (evaluator_.definition(record, name)) return at;
  for (size_t i = active_.size(); i-- > 0;) {
    const lang::Expr* passed = nullptr;
    for (const auto& [preset, expr] : record->preset_exprs)
      if (preset == name) passed = expr;
    const Record* caller = active_[i]->record;
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
  std::vector<Symbol> names;
  names_in(r.condition, names);
  std::string text =
      r.text ? evaluator_.interpolate(r.text, instance.env, eval::Digits::grouped) : std::string();
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
  for (Instance* open : active_)
    if (open->record == model)
      return evaluator_.error(
          Kind::EvaluationCycle, site.span,
          format("model {} is applied inside itself", evaluator_.text(model->shape->name)));
  if (active_.size() > 64)
    return evaluator_.error(Kind::TooMuchWork, site.span, "models are nested more than 64 deep");
  bool was_lone = lone_call_;
  Instance& made = instance(model, site);
  lone_call_ = false;
  Value v = eval::poison();
  const lang::Method* forward = nullptr;
  for (const lang::Method& m : model->shape->decl->methods)
    if (m.name == sym::forward) forward = &m;
  if (!forward) {
    evaluator_.error(Kind::NoForward, site.callee_span,
                     format("model {} has no `forward`", evaluator_.text(model->shape->name)));
  } else if (made.good) {
    if (!made.path.empty()) builder_.push_path(made.path);
    active_.push_back(&made);
    if (made.env->locals.empty()) make_parts(made);
    if (made.good) v = MethodRun(*this, made, *forward, site).run(arguments);
    active_.pop_back();
    if (!made.path.empty()) builder_.pop_path();
  }
  lone_call_ = was_lone;
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
