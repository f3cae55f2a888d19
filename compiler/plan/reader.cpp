#include "plan/reader.h"

#include "eval/arithmetic.h"
#include "plan/derived.h"

namespace dtp::plan {

using eval::Record;
using eval::Value;
using eval::ValueKind;

Value Reader::get(Record* record, std::string_view name) {
  if (!record) return eval::poison();
  Symbol symbol = ev_.names().intern(name);
  if (!ev_.has_field(record, symbol)) return eval::make_simple(ValueKind::none);
  Value v = ev_.field(record, symbol, record->span);
  if (v.is(ValueKind::open)) {
    ev_.error(Kind::NotEvaluated, v.open->domain->span,
              "`choose` is read, but this version has no solver: give the field a value");
    v = eval::poison();
  } else if (v.is(ValueKind::unknown)) {
    // One that follows from another brings the other's reason.
    bool told = !unknown_.insert({record, std::string(*v.text)}).second;
    Span at = ev_.origin(record, symbol);
    if (!told)
      ev_.error(Kind::PlanNotWhole, at.valid() ? at : record->span,
                format("`{}` is unknown{}{}: nothing can be estimated without it", name,
                       v.text->empty() ? "" : ": ", *v.text));
    v = eval::poison();
  } else if (v.is(ValueKind::auto_)) {
    Span at = ev_.origin(record, symbol);
    ev_.error(Kind::PlanNotWhole, at.valid() ? at : record->span,
              format("`{}` is `auto`, and the engine has no rule that fills it", name));
    v = eval::poison();
  }
  if (v.poisoned()) failed_ = true;
  return v;
}

Record* Reader::record_of(const Value& value) {
  if (value.is(ValueKind::record)) return value.record;
  failed_ = true;
  return nullptr;
}

Interval Reader::interval(Record* record, std::string_view name) {
  Value v = get(record, name);
  if (v.is(ValueKind::number)) return v.number->interval;
  failed_ = true;
  return {};
}

Estimate Reader::estimate(Record* record, std::string_view name) {
  Value v = get(record, name);
  if (v.is(ValueKind::number)) return {v.number->interval, std::string(v.number->why)};
  failed_ = true;
  return {};
}

Int128 Reader::whole(Record* record, std::string_view name) {
  Value v = get(record, name);
  if (!v.is(ValueKind::number)) {
    failed_ = true;
    return 0;
  }
  if (v.number->exact) return v.number->numerator / v.number->denominator;
  return static_cast<Int128>(v.number->interval.likely);
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
  Span at = ev_.origin(plan_, ev_.names().intern(field));
  ev_.error(Kind::UnsupportedSetting, at.valid() ? at : plan_->span, std::move(text));
  failed_ = true;
}

std::optional<Settings> Reader::read() {
  Settings s;
  s.plan_name = std::string(ev_.text(plan_->name));
  s.plan_span = plan_->span;
  get(plan_, "model");
  get(plan_, "objective");
  read_precision(s);
  read_optimizer(s);
  read_hardware(s);
  read_parallel(s);
  read_batch(s);
  read_framework(s);
  read_recompute(s);
  read_rest(s);
  if (failed_) return std::nullopt;
  return s;
}

void Reader::read_precision(Settings& s) {
  Record* p = record_of(get(plan_, "precision"));
  if (!p) return;
  s.precision.name = string(p, "name");
  s.precision.compute = dtype_field(p, "compute");
  s.precision.parameters = dtype_field(p, "parameters");
  s.precision.gradients = dtype_field(p, "gradients");
  s.precision.reduce = dtype_field(p, "reduce");
  if (Value master = get(p, "master"); !master.is(ValueKind::none))
    s.precision.master = dtype(master, p->span);
  s.precision.autocast = flag(p, "autocast");
  s.precision.cast_cache = flag(p, "cast_cache");
  s.precision.loss_scale = !get(p, "loss_scale").is(ValueKind::none);
  Value keep = get(p, "keep_fp32");
  if (keep.is(ValueKind::none))
    if (Record* f = record_of(get(plan_, "framework"))) keep = get(f, "autocast_fp32");
  if (keep.is(ValueKind::list))
    for (const Value& v : keep.items())
      if (v.is(ValueKind::string)) s.precision.keep_fp32.emplace_back(v.string());
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

void Reader::read_hardware(Settings& s) {
  Record* h = record_of(get(plan_, "hardware"));
  if (!h) return;
  Value groups = get(h, "groups");
  if (!groups.is(ValueKind::list) || groups.items().size() != 1) {
    if (groups.is(ValueKind::list) && groups.items().size() > 1)
      unsupported("hardware", "machines of more than one kind are not estimated in this version");
    failed_ = true;
    return;
  }
  Record* group = record_of(groups.items()[0]);
  if (!group) return;
  s.hardware.nodes = static_cast<int>(std::min<Int128>(whole(group, "count"), 1'000'000));
  Record* node = record_of(get(group, "node"));
  if (!node) return;
  s.hardware.gpus_per_node = static_cast<int>(std::min<Int128>(whole(node, "gpus"), 1'000'000));
  Record* gpu = record_of(get(node, "gpu"));
  if (!gpu) return;
  read_gpu(gpu, s.hardware.gpu);
  s.hardware.is_cpu = case_name(gpu, "kind") == "processor";
  if (Record* inside = record_of(get(node, "inside"))) read_link(inside, s.hardware.inside);
  if (Value network = get(node, "network"); network.is(ValueKind::record)) {
    s.hardware.network.emplace();
    read_link(network.record, *s.hardware.network);
  }
  read_price(node, s.hardware);
}

void Reader::read_gpu(Record* gpu, Gpu& out) {
  out.name = string(gpu, "name");
  out.memory = estimate(gpu, "memory");
  out.bandwidth = interval(gpu, "bandwidth");
  auto rates = [&](std::string_view name, auto&& put) {
    Record* map = record_of(get(gpu, name));
    if (!map) return;
    for (Symbol key : ev_.keys(map)) {
      auto type = graph::dtype_of(ev_.text(key));
      Value v = ev_.field(map, key, map->span);
      if (!type) {
        ev_.error(Kind::UnknownCase, ev_.origin(map, key),
                  format("`{}` is no element type", ev_.text(key)));
        failed_ = true;
      } else if (v.is(ValueKind::number)) {
        put(*type, v.number->interval);
      }
    }
  };
  rates("peak", [&](DType t, Interval v) { out.peak[t] = v.likely; });
  rates("measured", [&](DType t, Interval v) { out.measured[t] = v; });
  out.context = estimate(gpu, "context");
  out.capability = interval(gpu, "capability").likely;
  out.multiprocessors = static_cast<int>(whole(gpu, "multiprocessors"));
  out.power = interval(gpu, "power").likely;
}

void Reader::read_link(Record* link, Link& out) {
  if (!link->shape) return;
  out.kind = std::string(ev_.text(link->shape->name));
  out.bandwidth = interval(link, "rate").likely;
  if (link->shape->field(ev_.names().intern("rails")))
    out.rails = static_cast<int>(whole(link, "rails"));
}

// Over the dated prices of a node: the span of them all. Of several currencies the first one's.
void Reader::read_price(Record* node, Hardware& out) {
  Value prices = get(node, "prices");
  if (!prices.is(ValueKind::list)) return;
  for (const Value& v : prices.items()) {
    Record* price = record_of(v);
    if (!price) continue;
    Value rate = get(price, "rate");
    if (!rate.is(ValueKind::number)) continue;
    units::Dimension currency = rate.number->dimension * units::kTimeDimension;
    unsigned number = 0;
    const auto& bases = ev_.units().base_dimensions();
    while (number < bases.size() && !(currency == units::Dimension::base(number))) ++number;
    if (number == bases.size()) continue;
    Interval per_second = rate.number->interval;
    std::string why = std::string(rate.number->why);
    if (why.empty())
      why = format("{} {}, {}", string(price, "provider"), string(price, "region"),
                   string(price, "date"));
    if (!out.price) {
      std::vector<std::string> spellings = ev_.units().spellings(currency);
      out.price =
          Price{per_second, spellings.empty() ? bases[number].name : spellings[0], number, why};
    } else if (out.price->dimension == number) {
      out.price->per_second.lo = std::min(out.price->per_second.lo, per_second.lo);
      out.price->per_second.hi = std::max(out.price->per_second.hi, per_second.hi);
      out.price->why += "; " + why;
    }
  }
}

void Reader::read_parallel(Settings& s) {
  Record* p = record_of(get(plan_, "parallel"));
  if (!p || !p->shape) return;
  std::string_view name = ev_.text(p->shape->name);
  s.parallel.ranks = static_cast<int>(std::min<Int128>(whole(p, "data_ranks"), 1 << 30));
  for (std::string_view degree : {"tensor", "pipeline", "context", "expert"})
    if (whole(p, degree) > 1)
      unsupported("parallel",
                  format("`{}` parallelism is read, but not estimated in this version", degree));
  if (name == "ddp" || name == "single") {
    s.parallel.kind = s.parallel.ranks > 1 ? Parallel::ddp : Parallel::single;
    if (name == "single" && s.parallel.ranks > 1)
      unsupported("parallel",
                  format("`single` uses one device, and the hardware has {}", s.parallel.ranks));
    if (name == "ddp") {
      s.parallel.bucket = whole(p, "bucket");
      s.parallel.first_bucket = whole(p, "first_bucket");
      s.parallel.gradient_as_bucket_view = flag(p, "gradient_as_bucket_view");
    }
    return;
  }
  unsupported("parallel",
              format("`{}` is read, but not estimated in this version; `ddp` is", name));
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
    s.framework.allocator_round = whole(allocator, "round");
  s.framework.workspace = estimate(f, "workspace");
  s.framework.communicator = estimate(f, "communicator");
  s.framework.fragmentation = estimate(f, "fragmentation");
  s.framework.launch_cost = estimate(f, "launch_cost");
  s.framework.matmul_efficiency = estimate(f, "matmul_efficiency");
  s.framework.attention_efficiency = estimate(f, "attention_efficiency");
  s.framework.bandwidth_efficiency = estimate(f, "bandwidth_efficiency");
  s.framework.communication_efficiency = estimate(f, "communication_efficiency");
  if (flag(f, "compile"))
    unsupported("framework", "`compile = true` is read, but not estimated in this version");
}

void Reader::read_recompute(Settings& s) {
  std::string name = case_name(plan_, "recompute");
  if (name == "full")
    s.recompute = Recompute::full;
  else if (name != "none" && !failed_)
    unsupported(
        "recompute",
        format("`{}` is read, but not estimated in this version; `none` and `full` are", name));
}

void Reader::read_data(Settings& s) {
  Record* data = record_of(get(plan_, "data"));
  if (!data) return;
  s.data.samples = whole(data, "samples");
  double bytes = interval(data, "bytes_per_sample").likely * static_cast<double>(s.data.samples);
  if (bytes < 1e37) s.data.bytes = static_cast<Int128>(bytes);
  if (Value sequence = get(data, "sequence"); sequence.is(ValueKind::number))
    s.data.sequence = static_cast<int64_t>(std::min(sequence.number->interval.likely, 1e15));
}

void Reader::read_rest(Settings& s) {
  read_data(s);
  get(plan_, "duration");
  if (Value ema = get(plan_, "ema"); ema.is(ValueKind::number)) s.ema = ema.number->interval.likely;
  s.clip = !get(plan_, "clip").is(ValueKind::none);
  s.attention = case_name(plan_, "attention");
  if (!get(plan_, "adapters").is(ValueKind::none))
    unsupported("adapters", "`adapters` are read, but not estimated in this version");
  if (Record* parts = record_of(get(plan_, "parts")); parts && !ev_.keys(parts).empty())
    unsupported("parts", "`parts` are read, but not estimated in this version");
  for (std::string_view later : {"schedule", "loader", "checkpoint", "evaluation", "failures"})
    get(plan_, later);
}

}  // namespace dtp::plan
