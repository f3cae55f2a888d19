// What an optimizer keeps for each parameter, by its own functions. Whoever writes an optimizer may
// return anything: each result is held against what the type declares, at the function.
#include "eval/arithmetic.h"
#include "plan/reader.h"

namespace dtp::plan {

using eval::EvaluatedArgument;
using eval::Record;
using eval::Value;
using eval::ValueKind;

namespace {

// Beyond this many parameter tensors, equal ones are handed to `temporaries` as one.
constexpr Int128 kMostTensors = 4096;

// The result that the type of an optimizer declares of a function; its outermost type decides.
const eval::Type* declared_result(eval::Evaluator& ev, const Record* optimizer, Symbol name) {
  const eval::Type* declared = nullptr;
  for (const eval::Shape* s = optimizer->shape; s; s = s->parent)
    for (const lang::Function& f : s->decl->functions)
      if (f.name == name && f.result) declared = ev.type(f.result, s->env);
  return declared;
}

}  // namespace

std::optional<Reader::Result> Reader::own_function(Record* optimizer, std::string_view name,
                                                   const Value& argument) {
  Symbol symbol = ev_.names().intern(name);
  bool has = false;
  Value f = ev_.function_of(optimizer, symbol, has);
  if (!has || !f.is(ValueKind::function)) return std::nullopt;
  Result result{{}, f.closure->function->span};
  result.value = ev_.call(f, EvaluatedArgument{{}, argument, optimizer->span},
                          {optimizer->span, optimizer->span, {}, ev_.module_env(nullptr)});
  std::string what = format("`{}` of {}", name, ev_.kind_name(optimizer));
  if (const eval::Type* type = declared_result(ev_, optimizer, symbol))
    result.value = ev_.conform(result.value, type, result.at, what);
  if (!is_known(result.value, what, result.at)) return std::nullopt;
  if (result.value.is(ValueKind::list))
    for (const Value& item : result.value.items())
      if (!is_known(item, "an element of " + what, result.at)) return std::nullopt;
  return result;
}

bool Reader::is_known(const Value& value, const std::string& what, Span at) {
  if (value.poisoned()) return false;
  if (value.is(ValueKind::unknown))
    ev_.error(Kind::PlanNotWhole, at,
              format("{} is unknown{}{}: nothing can be estimated without it", what,
                     value.text->empty() ? "" : ": ", *value.text));
  else if (value.is(ValueKind::auto_))
    ev_.error(Kind::PlanNotWhole, at,
              format("{} is `auto`, and the engine has no rule that fills it", what));
  else
    return true;
  return false;
}

// A parameter as the optimizer's functions see it.
Value Reader::parameter_value(const ParameterInfo& p, Int128 elements, Span at) {
  eval::Env* env = ev_.module_env(nullptr);
  NullSink quiet;
  DiagnosticSink* before = ev_.swap_sink(&quiet);
  Value type = ev_.lookup(ev_.names().intern("Parameter"), env, true, {}, nullptr);
  Value types = ev_.lookup(ev_.names().intern("DType"), env, true, {}, nullptr);
  ev_.swap_sink(before);
  if (!type.is(ValueKind::shape) || !types.is(ValueKind::shape)) return eval::poison();
  Record* r = ev_.instantiate(type.shape, at);
  auto preset = [&](std::string_view name, const Value& v) {
    r->presets.push_back({ev_.names().intern(name), v});
    r->preset_spans.push_back({ev_.names().intern(name), at});
  };
  preset("name", ev_.make_string(p.name));
  for (const eval::Shape* c : types.shape->cases)
    if (ev_.text(c->name) == graph::name_of(p.type))
      preset("type", ev_.make_record(ev_.instantiate(c, at)));
  llvm::SmallVector<Value, 4> shape;
  for (int64_t d : p.shape) shape.push_back(ev_.make_int(d));
  preset("shape", ev_.make_list(shape));
  preset("elements", ev_.make_int(elements));
  preset("bytes", ev_.make_number(eval::exact_number(elements * graph::size_of(p.type), 1,
                                                     units::kMemoryDimension)));
  return ev_.make_record(r);
}

bool Reader::read_states(const Result& states, Settings& settings) {
  std::vector<OptimizerState> list;
  for (const Value& v : states.value.items()) {
    Record* state = record_of(v);
    if (!state) return false;
    OptimizerState out;
    out.name = string(state, "name");
    out.type = dtype_field(state, "type");
    out.elements = whole(state, "elements");
    std::string where = case_name(state, "where");
    out.paged = where == "paged";
    if (failed_) return false;
    if (out.type == DType::nf4 || out.type == DType::tf32) {
      ev_.error(Kind::TypeMismatch, states.at,
                format("`{}` keeps `{}` in {}, and {}", settings.optimizer.name, out.name,
                       graph::name_of(out.type),
                       out.type == DType::nf4
                           ? "nf4 holds weights that do not change: no step can be added to it"
                           : "tf32 is arithmetic only: its tensors are fp32"));
      return false;
    }
    if (where != "device" && !out.paged) {
      unsupported("optimizer", format("`{}` keeps `{}` outside the device: its transfer is not "
                                      "estimated in this version",
                                      settings.optimizer.name, out.name));
      return false;
    }
    list.push_back(out);
  }
  settings.optimizer.states.push_back(std::move(list));
  return true;
}

// What a step over `parameters` takes beside the states.
std::optional<Int128> Reader::read_temporaries(Record* optimizer, const Value& parameters,
                                               Optimizer& out) {
  auto temporaries = own_function(optimizer, "temporaries", parameters);
  if (!temporaries || !in_range(temporaries->value, "temporaries", Least::zero, temporaries->at))
    return std::nullopt;
  const eval::Number& number = *temporaries->value.number;
  if (number.exact && number.is_point()) return number.numerator / number.denominator;
  const Interval& v = number.interval;
  out.temporaries_off.lo = std::min(out.temporaries_off.lo, v.lo - v.likely);
  out.temporaries_off.hi = std::max(out.temporaries_off.hi, v.hi - v.likely);
  return static_cast<Int128>(v.likely);
}

bool Reader::read_optimizer_states(std::span<const ParameterInfo> parameters, Settings& settings) {
  Record* optimizer = record_of(get(plan_, "optimizer"));
  if (!optimizer || !something_to_train(parameters)) return false;
  Int128 tensors = 0;
  for (const ParameterInfo& p : parameters) tensors += p.count;
  llvm::SmallVector<Value, 32> all;
  for (const ParameterInfo& p : parameters) {
    Value one = parameter_value(p, p.elements, optimizer->span);
    auto states = own_function(optimizer, "states", one);
    if (!states || !read_states(*states, settings)) return false;
    auto work = own_function(optimizer, "flops", one);
    if (!work || !in_range(work->value, "flops", Least::zero, work->at)) return false;
    settings.optimizer.flops =
        settings.optimizer.flops +
        work->value.number->interval * Interval::point(static_cast<double>(p.count));
    if (tensors <= kMostTensors)
      all.append(static_cast<size_t>(p.count), one);
    else
      all.push_back(parameter_value(p, p.elements * p.count, optimizer->span));
  }
  if (settings.optimizer.in_backward) {
    for (const ParameterInfo& p : parameters) {
      Value one[] = {parameter_value(p, p.elements, optimizer->span)};
      auto temporaries = read_temporaries(optimizer, ev_.make_list(one), settings.optimizer);
      if (!temporaries) return false;
      settings.optimizer.temporaries_each.push_back(*temporaries);
    }
    return !failed_;
  }
  settings.optimizer.temporaries =
      read_temporaries(optimizer, ev_.make_list(all), settings.optimizer);
  return settings.optimizer.temporaries && !failed_;
}

}  // namespace dtp::plan
