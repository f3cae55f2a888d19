#include "plan/reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "eval/arithmetic.h"
#include "eval/guards.h"
#include "plan/derived.h"
#include "plan/wrap.h"

namespace dtp::plan {

using eval::Record;
using eval::Value;
using eval::ValueKind;

Value Reader::get(Record* record, std::string_view name) {
  if (!record) return eval::poison();
  Symbol symbol = ev_.names().intern(name);
  if (!ev_.has_field(record, symbol)) return eval::make_simple(ValueKind::none);
  if (record == plan_) top_ = symbol;
  return settled(ev_.field(record, symbol, record->span), record, name);
}

// What is unknown or `auto` without a rule is told where a text of the author's says so.
Value Reader::settled(const Value& v, Record* record, std::string_view name) {
  Span at = place(record, name);
  auto refuse = [&](Kind kind, Span where, std::string headline) {
    bool own = ev_.is_users(where) || !top_;
    DiagnosticBuilder builder =
        ev_.diagnose(kind, own ? where : ev_.origin(plan_, top_), std::move(headline));
    if (!own) builder.label(where, format("`{}` is read here", name));
    eval::Reads only(ev_, true);
    rests_on(record, name);
    ev_.sink().add(builder);
  };
  switch (v.kind) {
    case ValueKind::unknown: {
      const auto& [why, said] = *v.unknown;
      // One that follows from another brings the other's reason.
      if (unknown_.insert({record, std::string(why)}).second)
        refuse(Kind::NotKnown, ev_.is_users(said) ? said : at,
               format("`{}` is unknown{}{}: nothing can be estimated without it", name,
                      why.empty() ? "" : ": ", why));
      break;
    }
    case ValueKind::auto_:
      refuse(Kind::PlanNotWhole, at,
             format("`{}` is `auto`, and the engine has no rule that fills it", name));
      break;
    default: failed_ = failed_ || v.poisoned(); return v;
  }
  failed_ = true;
  return eval::poison();
}

Record* Reader::record_of(const Value& value) {
  if (value.is(ValueKind::record)) return value.record;
  failed_ = true;
  return nullptr;
}

bool Reader::in_range(const Value& figure, std::string_view name, Least least, Span at) {
  const Interval& v = figure.number->interval;
  bool enough = v.lo >= (least == Least::zero ? 0 : kLeastFigure);
  if (enough && std::isfinite(v.hi) && v.hi < kMostFigure) return true;
  std::string wanted = !enough ? (least == Least::zero ? "must not be below 0" : "must be above 0")
                               : "is more than can be counted with";
  ev_.error(Kind::OutOfRange, at, format("`{}` is {}, and {}", name, ev_.print(figure), wanted));
  failed_ = true;
  return false;
}

Estimate Reader::estimate(Record* record, std::string_view name, Least least) {
  Value v = get(record, name);
  if (v.is(ValueKind::number)) {
    if (in_range(v, name, least, place(record, name)))
      return {v.number->interval, std::string(v.number->why)};
  }
  failed_ = true;
  return {};
}

Interval Reader::interval(Record* record, std::string_view name, Least least) {
  return estimate(record, name, least).value;
}

Int128 Reader::whole(Record* record, std::string_view name) {
  Value v = get(record, name);
  if (!v.is(ValueKind::number)) {
    failed_ = true;
    return 0;
  }
  if (v.number->exact) return v.number->numerator / v.number->denominator;
  if (!in_range(v, name, Least::zero, place(record, name))) return 0;
  return static_cast<Int128>(v.number->interval.likely);
}

Int128 Reader::bytes(Record* record, std::string_view name) {
  Value v = get(record, name);
  if (v.is(ValueKind::number) && v.number->interval.lo >= 1) return whole(record, name);
  if (v.is(ValueKind::number))
    ev_.error(Kind::OutOfRange, place(record, name),
              format("`{}` is {}, and must be 1 B or more", name, ev_.print(v)));
  failed_ = true;
  return 0;
}

bool Reader::flag(Record* record, std::string_view name) {
  Value v = get(record, name);
  if (!v.is(ValueKind::boolean)) failed_ = true;
  return v.truthy();
}

std::string Reader::string(Record* record, std::string_view name) {
  Value v = get(record, name);
  if (v.is(ValueKind::string)) return std::string(v.string());
  failed_ = true;
  return {};
}

std::string Reader::case_name(Record* record, std::string_view name) {
  Value v = get(record, name);
  if (v.is(ValueKind::none)) return "none";
  if (v.is(ValueKind::record) && v.record->shape)
    return std::string(ev_.text(v.record->shape->name));
  failed_ = true;
  return {};
}

std::optional<DType> Reader::dtype(const Value& value, Span at) {
  if (value.is(ValueKind::record) && value.record->shape) {
    std::string_view name = ev_.text(value.record->shape->name);
    if (auto type = graph::dtype_of(name == "boolean" ? "bool" : name)) return type;
  }
  if (!value.poisoned())
    ev_.error(Kind::TypeMismatch, at,
              format("an element type is needed, and this is {}", ev_.describe(value)));
  failed_ = true;
  return std::nullopt;
}

DType Reader::dtype_field(Record* record, std::string_view name) {
  Value v = get(record, name);
  return dtype(v, record ? record->span : Span{}).value_or(DType::fp32);
}

void Reader::unsupported(std::string_view field, std::string text) {
  unsupported(plan_, field, std::move(text));
}

std::optional<Settings> Reader::read() {
  Settings s;
  s.plan_name = std::string(ev_.text(plan_->name));
  s.plan_span = plan_->span;
  using Part = void (Reader::*)(Settings&);
  static constexpr Part kParts[] = {
      &Reader::read_models,    &Reader::read_precision, &Reader::read_adaptation,
      &Reader::read_optimizer, &Reader::read_hardware,  &Reader::read_parallel,
      &Reader::read_batch,     &Reader::read_framework, &Reader::check_backend,
      &Reader::read_frozen,    &Reader::read_recompute, &Reader::read_rest};
  for (Part part : kParts) {
    eval::Reads own(ev_);
    (this->*part)(s);
  }
  if (failed_) return std::nullopt;
  return s;
}

void Reader::read_models(Settings&) {
  get(plan_, "model");
  get(plan_, "objective");
}

void Reader::read_optimizer(Settings& s) {
  Record* o = record_of(get(plan_, "optimizer"));
  if (!o) return;
  s.optimizer.name = string(o, "name");
  get(o, "lr");
  std::string step = case_name(o, "step");
  s.optimizer.step = step == "loop"    ? StepKind::loop
                     : step == "fused" ? StepKind::fused
                     : step == "cpu"   ? StepKind::cpu
                                       : StepKind::foreach;
  s.optimizer.in_backward = flag(o, "in_backward");
}

void Reader::read_batch(Settings& s) {
  Record* b = record_of(get(plan_, "batch"));
  if (!b) return;
  // What the author wrote is looked at before what follows from it.
  constexpr Symbol kSizes[] = {sym::global, sym::micro, sym::accumulation};
  size_t written = 0;
  for (Symbol size : kSizes)
    if (ev_.definition(b, size)) written += get(b, ev_.text(size)).is(ValueKind::number);
  Int128 global = whole(b, "global"), micro = whole(b, "micro"),
         accumulation = whole(b, "accumulation");
  if (global < 1 || micro < 1 || accumulation < 1) return;  // reported
  // Where nothing follows, nothing has compared the three yet.
  if (written == 3 && batch_size(ev_, b, sym::global, b->span).poisoned()) failed_ = true;
  constexpr Int128 kMost = Int128{1} << 40;
  if (global > kMost || micro > kMost || accumulation > kMost) {
    unsupported("batch", format("a batch of {}: {} is the most that is counted",
                                counted(global, "sample"), with_thousands(kMost)));
    return;
  }
  s.batch.global = static_cast<int64_t>(global);
  s.batch.micro = static_cast<int64_t>(micro);
  s.batch.accumulation = static_cast<int64_t>(accumulation);
  s.batch.micro_span =
      ev_.definition(b, sym::micro) ? ev_.origin(b, sym::micro) : ev_.origin(plan_, sym::batch);
  s.batch.global_span =
      ev_.definition(b, sym::global) ? ev_.origin(b, sym::global) : ev_.origin(plan_, sym::batch);
}

void Reader::read_framework(Settings& s) {
  Record* f = record_of(get(plan_, "framework"));
  if (!f) return;
  s.framework.name = string(f, "name");
  s.framework.version = string(f, "version");
  s.framework.backend = case_name(f, "backend");
  s.framework.zero_grad_frees = flag(f, "zero_grad_frees");
  if (Record* allocator = record_of(get(f, "allocator")))
    s.framework.allocator_round = bytes(allocator, "round");
  read_mechanisms(f, s.framework);
  read_workspace(f, s);
  check_lacks(f, s);
  s.framework.kernels = estimate(f, "kernels", Least::zero);
  s.framework.communicator = estimate(f, "communicator", Least::zero);
  s.framework.fragmentation = estimate(f, "fragmentation", Least::zero);
  s.framework.launch_cost = estimate(f, "launch_cost", Least::zero);
  s.framework.matmul_efficiency = estimate(f, "matmul_efficiency");
  s.framework.attention_efficiency = estimate(f, "attention_efficiency");
  s.framework.bandwidth_efficiency = estimate(f, "bandwidth_efficiency");
  s.framework.communication_efficiency = estimate(f, "communication_efficiency");
}

void Reader::read_recompute(Settings& s) {
  std::string name = case_name(plan_, "recompute");
  if (name == "full")
    s.recompute = Recompute::full;
  else if (!name.empty() && name != "none")
    unsupported(
        "recompute",
        format("`{}` is read, but not estimated in this version; `none` and `full` are", name));
}

std::optional<eval::Number> Reader::duration(std::string& unknown) {
  Value given = ev_.field(plan_, sym::duration, plan_->span);
  if (given.is(ValueKind::unknown)) {
    std::string_view why = given.unknown->why;
    unknown = format("`duration` is unknown{}{}", why.empty() ? "" : ": ", why);
    Span said = given.unknown->span;
    ev_.error(Kind::NotKnown, ev_.is_users(said) ? said : place(plan_, "duration"),
              unknown + ": what the whole plan takes is not estimated");
    return std::nullopt;
  }
  Value v = get(plan_, "duration");
  if (!v.is(ValueKind::number) ||
      !in_range(v, "duration", Least::above_zero, place(plan_, "duration")))
    return std::nullopt;
  return *v.number;
}

void Reader::check_effects(const graph::Graph& graph, const Settings& settings) {
  check_wrap(graph, settings);
  check_adaptation(graph, settings);
  bool can_recompute = std::any_of(graph.repeats.begin(), graph.repeats.end(),
                                   [](const graph::Repeat& r) { return r.checkpointed; });
  if (settings.recompute == Recompute::none || can_recompute) return;
  auto builder =
      ev_.diagnose(Kind::SettingWithoutEffect, place(plan_, "recompute"),
                   "`recompute = full` changes nothing: no part of the model may be recomputed");
  ev_.sink().add(builder.help("in the model, `repeat n checkpointed { ... }` marks such a part"));
}

void Reader::read_data(Settings& s) {
  Record* data = record_of(get(plan_, "data"));
  if (!data) return;
  if (!get(data, "samples").is(ValueKind::none)) s.data.samples = whole(data, "samples");
  double bytes =
      interval(data, "bytes_per_sample", Least::zero).likely * static_cast<double>(s.data.samples);
  if (bytes < kMostFigure) s.data.bytes = static_cast<Int128>(bytes);
  if (Value sequence = get(data, "sequence"); sequence.is(ValueKind::number))
    s.data.sequence = static_cast<int64_t>(std::min(sequence.number->interval.likely, 1e15));
  check_vocabulary(data);
}

// A number that the tokenizer writes and the model's table has no row for ends the run, on a GPU
// with a message that does not say so.
void Reader::check_vocabulary(Record* data) {
  Value model = get(plan_, "model");
  Symbol vocab = ev_.names().intern("vocab");
  if (!ev_.has_field(data, ev_.names().intern("tokenizer")) || !model.is(ValueKind::record) ||
      !ev_.has_field(model.record, vocab))
    return;
  Record* tokenizer = record_of(get(data, "tokenizer"));
  Value rows = ev_.field(model.record, vocab, plan_->span);
  if (!tokenizer || !rows.is(ValueKind::number)) return;
  Int128 written = whole(tokenizer, "vocab");
  if (!rows.number->whole() || rows.number->numerator >= written) return;
  auto builder = ev_.diagnose(
      Kind::VocabularyTooSmall, place(plan_, "data"),
      format("tokenizer `{}` of the data writes numbers below {}, and the model has {} of them",
             string(tokenizer, "name"), with_thousands(written),
             with_thousands(rows.number->numerator)));
  builder.label(place(plan_, "model"),
                format("`vocab` = {}", with_thousands(rows.number->numerator)));
  ev_.sink().add(builder.help(
      "name the tokenizer that the data is written with: `data = text.fineweb { tokenizer = "
      "llama.tokenizer2 }`, or one of your own: `Tokenizer(\"own\", 32_000, 4.0)`"));
}

void Reader::read_rest(Settings& s) {
  read_data(s);
  if (Value ema = get(plan_, "ema"); ema.is(ValueKind::record)) {
    Value decay = get(ema.record, "decay");
    if (!decay.is(ValueKind::number)) return;
    check_average(decay);
    s.ema = decay.number->interval.likely;
  }
  s.clip = !get(plan_, "clip").is(ValueKind::none);
  s.attention = kernel_of(case_name(plan_, "attention"), s);
  get(plan_, "schedule");  // of the learning rate: it costs nothing
  check_step_in_backward(s);
  read_imported();
  read_unsupported();
}

// What an importer wrote of a foreign job and did not understand is told to whoever checks the
// plan.
void Reader::read_imported() {
  Record* imported = nullptr;
  if (Value v = get(plan_, "imported"); v.is(ValueKind::record)) imported = v.record;
  if (!imported) return;
  Value lines = get(imported, "not_understood");
  if (!lines.is(ValueKind::list)) return;
  // It is told of a plan that lacks something else as well.
  bool failed_before = std::exchange(failed_, false);
  for (const Value& v : lines.items()) {
    Record* line = record_of(settled(v, imported, "not_understood"));
    if (!line) continue;
    std::string where = string(line, "at"), text = string(line, "text");
    std::string matters = case_name(line, "matters");
    if (failed_ || matters == "no") continue;
    ev_.error(Kind::NotUnderstood, place(line, "at"),
              format("{}: `{}` was not understood, and {}", where, text,
                     matters == "yes" ? "it changes what is estimated"
                                      : "it may change what is estimated"));
  }
  failed_ = failed_ || failed_before;
}

}  // namespace dtp::plan
