// What an optimizer keeps for each parameter, by its own functions.
#include "eval/arithmetic.h"
#include "plan/reader.h"

namespace dtp::plan {

using eval::EvaluatedArgument;
using eval::Value;
using eval::ValueKind;

namespace {

// Beyond this many parameter tensors, equal ones are handed to `temporaries` as one.
constexpr Int128 kMostTensors = 4096;

}  // namespace

bool Reader::read_optimizer_states(std::span<const ParameterInfo> parameters, Settings& settings) {
  Record* optimizer = record_of(get(plan_, "optimizer"));
  if (!optimizer) return false;
  eval::Env* env = ev_.module_env(nullptr);
  NullSink quiet;
  DiagnosticSink* before = ev_.swap_sink(&quiet);
  Value type = ev_.lookup(ev_.names().intern("Parameter"), env, true, {}, nullptr);
  ev_.swap_sink(before);
  if (!type.is(ValueKind::shape)) return false;

  auto make = [&](const ParameterInfo& p, Int128 elements) {
    Record* r = ev_.instantiate(type.shape, optimizer->span);
    llvm::SmallVector<Value, 4> shape;
    for (int64_t d : p.shape) shape.push_back(ev_.make_int(d));
    auto preset = [&](std::string_view name, Value v) {
      r->presets.push_back({ev_.names().intern(name), v});
      r->preset_spans.push_back({ev_.names().intern(name), optimizer->span});
    };
    preset("name", ev_.make_string(p.name));
    Value dtype_choice = ev_.lookup(ev_.names().intern("DType"), env, true, {}, nullptr);
    if (dtype_choice.is(ValueKind::shape))
      for (const eval::Shape* c : dtype_choice.shape->cases)
        if (ev_.text(c->name) == graph::name_of(p.type))
          preset("type", ev_.make_record(ev_.instantiate(c, optimizer->span)));
    preset("shape", ev_.make_list(shape));
    preset("elements", ev_.make_int(elements));
    preset("bytes", ev_.make_number(eval::exact_number(elements * graph::size_of(p.type), 1,
                                                       units::kMemoryDimension)));
    return ev_.make_record(r);
  };
  auto call = [&](std::string_view name, const Value& argument) {
    bool has = false;
    Value f = ev_.function_of(optimizer, ev_.names().intern(name), has);
    if (!has || f.poisoned()) return Value();
    return ev_.call(f, EvaluatedArgument{{}, argument, optimizer->span},
                    {optimizer->span, optimizer->span, {}, env});
  };

  Int128 tensors = 0;
  for (const ParameterInfo& p : parameters) tensors += p.count;
  llvm::SmallVector<Value, 32> all;
  double flops = 0;
  for (const ParameterInfo& p : parameters) {
    Value one = make(p, p.elements);
    Value states = call("states", one);
    if (!states.is(ValueKind::list)) return false;
    std::vector<OptimizerState> list;
    for (const Value& v : states.items()) {
      Record* state = record_of(v);
      if (!state) return false;
      OptimizerState out;
      out.name = string(state, "name");
      out.type = dtype_field(state, "type");
      out.elements = whole(state, "elements");
      out.on_host = case_name(state, "where") != "device";
      if (out.on_host) {
        unsupported("optimizer", format("`{}` keeps `{}` outside the device: its transfer is not "
                                        "estimated in this version",
                                        settings.optimizer.name, out.name));
        return false;
      }
      list.push_back(out);
    }
    settings.optimizer.states.push_back(std::move(list));
    Value work = call("flops", one);
    if (work.is(ValueKind::number))
      flops += work.number->interval.likely * static_cast<double>(p.count);
    if (tensors <= kMostTensors)
      all.append(static_cast<size_t>(p.count), one);
    else
      all.push_back(make(p, p.elements * p.count));
  }
  settings.optimizer.flops = flops;
  Value temporaries = call("temporaries", ev_.make_list(all));
  if (temporaries.is(ValueKind::number) &&
      in_range(temporaries, "temporaries", Least::zero, place(plan_, "optimizer")))
    settings.optimizer.temporaries =
        temporaries.number->exact ? temporaries.number->numerator / temporaries.number->denominator
                                  : static_cast<Int128>(temporaries.number->interval.hi);
  return !failed_ && !temporaries.poisoned();
}

}  // namespace dtp::plan
