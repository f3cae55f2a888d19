// `repeat` stays folded in the graph: its body is interpreted once. `for` is written out iteration
// by iteration; a checkpointed one is a repeat of one, so that it can be recomputed by itself.
#include <algorithm>

#include "model/method_run.h"
#include "model/names_read.h"

namespace dtp::model {

using eval::Value;
using eval::ValueKind;
using lang::StatementKind;

namespace {

void collect_assignments(const lang::Block& block, std::vector<const lang::Statement*>& out) {
  for (const lang::Statement* s : block.statements) {
    if (s->kind == StatementKind::assign || s->kind == StatementKind::let) out.push_back(s);
    if (s->block) collect_assignments(*s->block, out);
    if (s->otherwise) collect_assignments(*s->otherwise, out);
  }
}

bool holds_tensor(const Value& v) {
  if (v.is(ValueKind::tensor)) return true;
  if (!v.is(ValueKind::list) && !v.is(ValueKind::tuple)) return false;
  return std::any_of(v.items().begin(), v.items().end(), holds_tensor);
}

// `x = Block(8)(x)`: the layer or model that is called, where the body makes no other.
Span lone_call(const lang::Block& block, const Interner& names) {
  Span lone;
  int makers = 0;
  for (const lang::Statement* s : block.statements) {
    if (s->kind != StatementKind::assign) return {};
    int here = makers_in(*s->value, names);
    makers += here;
    if (here > 0 && s->value->kind == lang::ExprKind::call) lone = s->value->span;
  }
  return makers == 1 ? lone : Span{};
}

}  // namespace

std::vector<Symbol> MethodRun::carried_names(const lang::Block& block) const {
  std::vector<const lang::Statement*> assignments;
  collect_assignments(block, assignments);
  std::vector<Symbol> carried;
  for (const lang::Statement* s : assignments)
    for (Symbol name : s->names) {
      bool known = false;
      for (const auto& [local, value] : env_->locals) known = known || local == name;
      if (known && std::find(carried.begin(), carried.end(), name) == carried.end())
        carried.push_back(name);
    }
  return carried;
}

// A plain word counts the iterations: `as layers` is layers.0, layers.1 ...; a text says itself
// what differs.
std::string MethodRun::key_of(const lang::Statement& s, size_t index, bool& good) {
  if (!s.key_text) {
    std::string word(evaluator_.text(s.key));
    return word.empty() || s.kind == StatementKind::repeat ? word : format("{}.{}", word, index);
  }
  Value text = evaluator_.evaluate(s.key_text, env_);
  good = text.is(ValueKind::string);
  return good ? std::string(text.string()) : std::string();
}

// `home`: where the iteration keeps its layers; none: where the code around it does, so that its
// only model has no place of its own that it could take.
std::string MethodRun::loop_name(const lang::Statement& s, const std::string& key,
                                 std::string_view kind) {
  eval::Key given;
  if (!key.empty()) given = {evaluator_.names().intern(key), s.span, true, false};
  return body_.layer_name(*body_.homes_.back(), given, kind);
}

MethodRun::Flow MethodRun::loop_body(const lang::Statement& s, Home* home) {
  Span lone = home ? lone_call(*s.block, evaluator_.names()) : Span{};
  Span before = std::exchange(body_.lone_call_, lone);
  if (home) body_.homes_.push_back(home);
  Flow flow = run_block(*s.block);
  if (home) body_.homes_.pop_back();
  body_.lone_call_ = before;
  return flow;
}

// A number to which the body adds tensors: `balance = 0`, then `balance = balance + b`. It is so
// where a value that the body gives it reads a tensor, or a name that such a value was given to.
bool MethodRun::number_to_tensor(Symbol name, const lang::Statement& s) {
  std::vector<const lang::Statement*> assignments;
  collect_assignments(*s.block, assignments);
  std::vector<Symbol> tensors;
  for (const auto& [local, value] : env_->locals)
    if (holds_tensor(value)) tensors.push_back(local);
  auto is_tensor = [&](Symbol n) {
    return std::find(tensors.begin(), tensors.end(), n) != tensors.end();
  };
  for (bool grew = true; grew && !is_tensor(name);) {
    grew = false;
    for (const lang::Statement* a : assignments) {
      std::vector<Symbol> read = names_read(a->value);
      bool sized = std::any_of(read.begin(), read.end(),
                               [&](Symbol n) { return evaluator_.text(n) == "size"; });
      if (sized || std::none_of(read.begin(), read.end(), is_tensor)) continue;
      for (Symbol n : a->names)
        if (!is_tensor(n)) {
          tensors.push_back(n);
          grew = true;
        }
    }
  }
  if (!is_tensor(name)) return false;
  Value* v = local(name);
  ops::Argument number{"", v->number->interval.likely, s.span};
  ops::Result made = ops::apply(builder_, *ops::find_operation("full"), {&number, 1}, s.span);
  if (!std::holds_alternative<ops::Tensors>(made)) return false;
  *v = tensor_value(evaluator_, std::get<ops::Tensors>(made)[0], builder_);
  return true;
}

// The tensors that go round the loop. Numbers and the like may only change in a `for`.
bool MethodRun::tensors_of(const lang::Statement& s, std::vector<Symbol>& names,
                           std::vector<graph::TensorId>& tensors) {
  std::vector<Symbol> kept;
  for (Symbol name : names) {
    Value* v = local(name);
    if (v->is(ValueKind::number)) number_to_tensor(name, s);
    if (v->is(ValueKind::tensor)) {
      kept.push_back(name);
      tensors.push_back({v->tensor->id});
      continue;
    }
    if (s.kind == StatementKind::for_ && !holds_tensor(*v)) continue;
    evaluator_.error(
        Kind::WrongOperands, s.span,
        s.kind == StatementKind::repeat
            ? format("`repeat` carries tensors, and `{}` is {}; use `for`", evaluator_.text(name),
                     evaluator_.describe(*v))
            : format("`checkpointed` runs an iteration again from the tensors that go into it, and "
                     "`{}` is {} that it changes: leave `checkpointed` away",
                     evaluator_.text(name), evaluator_.describe(*v)));
    return false;
  }
  names = std::move(kept);
  return true;
}

void MethodRun::bind_tensors(const std::vector<Symbol>& names,
                             const std::vector<graph::TensorId>& tensors) {
  for (size_t i = 0; i < names.size(); ++i)
    *local(names[i]) = tensor_value(evaluator_, tensors[i], builder_);
}

// What the body made of the carried tensors; those that went in where it failed.
std::vector<graph::TensorId> MethodRun::results_of(const lang::Statement& s,
                                                   const std::vector<Symbol>& names,
                                                   const std::vector<graph::TensorId>& inner,
                                                   Flow& flow) {
  std::vector<graph::TensorId> results = inner;
  for (size_t i = 0; i < names.size() && flow == Flow::next; ++i) {
    Value* v = local(names[i]);
    if (!v->is(ValueKind::tensor)) {
      evaluator_.error(Kind::RepeatNotClosed, s.block->span,
                       format("`{}` enters the loop as a tensor {} and leaves it as {}",
                              evaluator_.text(names[i]), graph::to_string(builder_[inner[i]].shape),
                              evaluator_.describe(*v)));
      flow = Flow::failed;
      break;
    }
    results[i] = {v->tensor->id};
    const graph::Tensor &in = builder_[inner[i]], &out = builder_[results[i]];
    if (s.kind == StatementKind::for_ || (in.shape == out.shape && in.element == out.element))
      continue;
    auto builder = evaluator_.diagnose(
        Kind::RepeatNotClosed, s.block->span,
        format("`{}` enters the repeat as {} and leaves it as {}", evaluator_.text(names[i]),
               graph::to_string(in.shape), graph::to_string(out.shape)));
    builder.label(out.origin, format("made here: {}", graph::to_string(out.shape)));
    builder.help("a `for` may change shapes from one iteration to the next");
    evaluator_.sink().add(std::move(builder));
    flow = Flow::failed;
  }
  return flow == Flow::next ? results : inner;
}

std::optional<int64_t> MethodRun::repeat_count(const lang::Statement& s) {
  Value count = evaluator_.evaluate(s.value, env_);
  if (count.poisoned()) return std::nullopt;
  if (!count.is(ValueKind::number) || !count.number->whole() ||
      !count.number->dimension.is_none() || count.number->numerator < 0) {
    evaluator_.error(
        Kind::WrongOperands, s.value->span,
        format("`repeat` takes a whole number of times, not {}", evaluator_.describe(count)));
    return std::nullopt;
  }
  constexpr Int128 kMost = Int128{1} << 40;
  if (count.number->numerator > kMost) {
    evaluator_.error(Kind::GraphTooLarge, s.value->span,
                     format("a repeat of {} times: {} is the most that is counted",
                            with_thousands(count.number->numerator), with_thousands(kMost)));
    return std::nullopt;
  }
  return static_cast<int64_t>(count.number->numerator);
}

bool MethodRun::one_more_loop(const lang::Statement& s) {
  if (builder_.graph().repeats.size() < graph::kMostRepeats) return true;
  evaluator_.error(
      Kind::GraphTooLarge, s.span,
      format("a model with more than {} loops and checkpointed iterations", graph::kMostRepeats));
  return false;
}

MethodRun::Flow MethodRun::repeat(const lang::Statement& s) {
  std::optional<int64_t> count = repeat_count(s);
  if (!count || !one_more_loop(s)) return Flow::failed;
  if (*count == 0) return Flow::next;
  std::vector<Symbol> names = carried_names(*s.block);
  std::vector<graph::TensorId> tensors;
  if (!tensors_of(s, names, tensors)) return Flow::failed;
  size_t depth = env_->locals.size();
  bool good = true;
  std::string key = key_of(s, 0, good);
  if (!good) return Flow::failed;
  // A second call of the same part repeats the same layers.
  std::unique_ptr<Home>& home = instance_.loops[instance_.next(s.span)];
  if (home && builder_.graph().scopes[home->place.scope.value].count !=
                  builder_.graph().scopes[builder_.scope().value].count * *count)
    home.reset();
  if (!home) key = loop_name(s, key, "repeat");
  std::vector<graph::TensorId> inner = builder_.begin_repeat(
      *count, key, s.checkpointed, s.span, tensors, home ? &home->place : nullptr);
  if (!home) body_.add_home(*(home = std::make_unique<Home>()), builder_.place());
  bind_tensors(names, inner);
  Flow flow = loop_body(s, home.get());
  std::vector<graph::TensorId> outer = builder_.end_repeat(results_of(s, names, inner, flow));
  if (flow == Flow::returned) {
    evaluator_.error(Kind::WrongOperands, s.span,
                     "`return` inside `repeat`: give the result after it");
    return Flow::failed;
  }
  env_->locals.resize(depth);  // names first bound inside end with the loop
  bind_tensors(names, outer);
  return flow;
}

MethodRun::Flow MethodRun::loop(const lang::Statement& s) {
  Value list = evaluator_.evaluate(s.value, env_);
  llvm::SmallVector<Value, 16> items;
  if (list.poisoned() || !evaluator_.elements(list, s.value->span, items)) return Flow::failed;
  size_t depth = env_->locals.size();
  for (size_t i = 0; i < items.size(); ++i) {
    if (!evaluator_.spend(s.span)) return Flow::failed;
    if (!evaluator_.bind_names(s.names, items[i], env_, s.value->span)) return Flow::failed;
    bool good = true;
    std::string key = key_of(s, i, good);
    if (!good) return Flow::failed;
    Flow flow = s.checkpointed ? segment(s, key) : run_iteration(s, key);
    if (flow != Flow::next) return flow;
    env_->locals.resize(depth);
  }
  return Flow::next;
}

// An iteration that has a name keeps its layers under it.
MethodRun::Flow MethodRun::run_iteration(const lang::Statement& s, const std::string& key) {
  if (key.empty()) return loop_body(s, nullptr);
  std::unique_ptr<Home>& home = instance_.loops[instance_.next(s.span)];
  if (!home)
    body_.add_home(*(home = std::make_unique<Home>()),
                   {builder_.scope(), builder_.path_of(loop_name(s, key, ""))});
  builder_.enter(home->place);
  Flow flow = loop_body(s, home.get());
  builder_.leave();
  return flow;
}

// What is carried but no tensor may not become one: recomputing would not know of it.
bool MethodRun::stays_whole(const lang::Statement& s, const std::vector<Symbol>& names) {
  auto became = std::find_if(names.begin(), names.end(),
                             [&](Symbol name) { return holds_tensor(*local(name)); });
  if (became == names.end()) return true;
  evaluator_.error(Kind::WrongOperands, s.span,
                   format("`{}` becomes a tensor inside a checkpointed iteration: give it a "
                          "tensor before the loop",
                          evaluator_.text(*became)));
  return false;
}

MethodRun::Flow MethodRun::segment(const lang::Statement& s, const std::string& key) {
  std::vector<Symbol> names = carried_names(*s.block), plain;
  std::vector<graph::TensorId> tensors;
  std::vector<Symbol> all = names;
  if (!one_more_loop(s) || !tensors_of(s, names, tensors)) return Flow::failed;
  for (Symbol name : all)
    if (std::find(names.begin(), names.end(), name) == names.end()) plain.push_back(name);
  std::unique_ptr<Home>& home = instance_.loops[instance_.next(s.span)];
  std::string path = home || key.empty() ? key : loop_name(s, key, "");
  std::vector<graph::TensorId> inner =
      builder_.begin_segment(path, s.span, tensors, home ? &home->place : nullptr);
  if (!home) body_.add_home(*(home = std::make_unique<Home>()), builder_.place());
  bind_tensors(names, inner);
  // Without a name of its own it has no place for layers: they stand among those around it.
  Flow flow = loop_body(s, key.empty() ? nullptr : home.get());
  if (flow == Flow::next && !stays_whole(s, plain)) flow = Flow::failed;
  std::vector<graph::TensorId> outer = builder_.end_repeat(results_of(s, names, inner, flow));
  if (flow == Flow::returned) {
    evaluator_.error(Kind::WrongOperands, s.span,
                     "`return` inside a checkpointed `for`: give the result after it");
    return Flow::failed;
  }
  bind_tensors(names, outer);
  return flow;
}

}  // namespace dtp::model
