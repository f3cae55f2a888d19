#include "plan/derived.h"

#include "eval/arithmetic.h"
#include "eval/hints.h"

namespace dtp::plan {

using eval::Evaluator;
using eval::Number;
using eval::Record;
using eval::Value;
using eval::ValueKind;

namespace {

std::optional<Int128> whole(const Value& v) {
  if (v.is(ValueKind::number) && v.number->whole()) return v.number->numerator;
  return std::nullopt;
}

Symbol word(Evaluator& ev, std::string_view text) { return ev.names().intern(text); }

// What the other degrees leave of the machine.
Value data_ranks(Evaluator& ev, Record* parallel, Span use) {
  Record* plan = parallel->owner;
  if (!plan) return eval::make_simple(ValueKind::auto_);
  Value hardware = ev.field(plan, sym::hardware, use);
  if (!hardware.is(ValueKind::record)) return eval::poison();
  auto gpus = whole(ev.field(hardware.record, word(ev, "gpus"), use));
  Int128 product = 1;
  std::string degrees;
  for (std::string_view degree : {"tensor", "pipeline", "context"}) {
    auto n = whole(ev.field(parallel, word(ev, degree), use));
    if (!n) return eval::poison();
    product *= *n;
    if (*n > 1) degrees += format("{}{} {}", degrees.empty() ? "" : ", ", degree, to_string(*n));
  }
  if (!gpus) return eval::poison();
  if (*gpus < 1) {
    Span at = ev.origin(plan, sym::hardware);
    return ev.error(Kind::OutOfRange, at.valid() ? at : use, "`hardware` has no GPU");
  }
  if (*gpus % product != 0) {
    Span at = ev.origin(plan, sym::parallel);
    return ev.error(Kind::RanksDoNotFit, at.valid() ? at : use,
                    format("{} do not divide by {} ({})", counted(*gpus, "GPU"),
                           with_thousands(product), degrees));
  }
  return ev.make_int(*gpus / product);
}

bool is_optimizer(Evaluator& ev, const eval::Shape* shape) {
  while (shape && ev.text(shape->name) != "Optimizer") shape = shape->parent;
  return shape != nullptr;
}

// How the plan's framework carries a step out where nobody asks for another way.
Value framework_step(Evaluator& ev, Record* optimizer, Span use) {
  Record* plan = optimizer->owner;
  if (!plan) return eval::make_simple(ValueKind::auto_);
  Value framework = ev.field(plan, word(ev, "framework"), use);
  if (!framework.is(ValueKind::record)) return eval::poison();
  return ev.field(framework.record, word(ev, "step"), use);
}

struct BatchSizes {
  std::optional<Int128> global, micro, accumulation;
};

Value refuse(Evaluator& ev, Record* batch, std::string headline, Int128 ranks, std::string help) {
  Record* plan = batch->owner;
  Span at = plan ? ev.origin(plan, sym::batch) : batch->span;
  auto builder =
      ev.diagnose(Kind::BatchDoesNotFit, at.valid() ? at : batch->span, std::move(headline));
  for (Symbol s : {sym::global, sym::micro, sym::accumulation})
    if (ev.definition(batch, s)) builder.label(ev.origin(batch, s), "");
  if (plan && ranks > 1)
    builder.note(counted(ranks, "rank") + " of data parallelism", ev.origin(plan, sym::hardware));
  if (!help.empty()) builder.help(std::move(help));
  ev.sink().add(std::move(builder));
  return eval::poison();
}

// The divisor of n that is nearest to wanted.
Int128 nearest_divisor(Int128 n, Int128 wanted) {
  for (Int128 d = 0; d < 100000; ++d) {
    if (wanted - d >= 1 && n % (wanted - d) == 0) return wanted - d;
    if (n % (wanted + d) == 0) return wanted + d;
  }
  return 1;
}

// `batch = { size = 64 }`: that field is reported, and the one that it stands for is not missed.
bool told_as_unknown(Evaluator& ev, Record* batch) {
  ev.validate(batch, "");
  eval::Hints hints(ev);
  return hints.misspelled(batch, sym::global) || hints.misspelled(batch, sym::micro);
}

// global = micro * accumulation * ranks; two decide the third, one alone means one pass a step.
Value solve(Evaluator& ev, Record* batch, Symbol wanted, Span use) {
  Record* plan = batch->owner;
  if (!plan) return eval::make_simple(ValueKind::auto_);
  Value parallel = ev.field(plan, sym::parallel, use);
  if (!parallel.is(ValueKind::record)) return eval::poison();
  Value ranks_value = ev.field(parallel.record, sym::data_ranks, use);
  BatchSizes given;
  for (auto [symbol, slot] :
       {std::pair{sym::global, &given.global}, std::pair{sym::micro, &given.micro},
        std::pair{sym::accumulation, &given.accumulation}}) {
    Value v = ev.given(batch, symbol);
    if (v.poisoned() || v.is(ValueKind::unknown)) return v;
    *slot = whole(v);
  }
  auto ranks = whole(ranks_value);
  if (!ranks) return eval::poison();
  auto [g, m, a] = given;
  Int128 n = *ranks;
  if (!g && !m && (told_as_unknown(ev, batch) || Evaluator::incomplete(batch)))
    return eval::poison();
  if (!g && !m)
    return refuse(ev, batch,
                  "`batch` says neither `global` nor `micro`: how many samples does a step take?",
                  n, "");
  if (!g) {
    auto per_rank = checked_multiply(*m, a.value_or(1));
    auto all = per_rank ? checked_multiply(*per_rank, n) : std::nullopt;
    if (!all)
      return ev.error(Kind::NumberOverflow, use, "the global batch does not fit in 128 bits");
    g = *all;
  }
  if (!a) {
    if (!m) {
      a = 1;
    } else {
      if (*g % (*m * n) != 0)
        return refuse(
            ev, batch,
            format("a global batch of {} does not split into passes of {} on {}",
                   with_thousands(*g), with_thousands(*m), counted(n, "rank")),
            n,
            *g % n == 0 ? format("`micro = {}` divides it", to_string(nearest_divisor(*g / n, *m)))
                        : "");
      a = *g / (*m * n);
    }
  }
  if (!m) {
    if (*g % (*a * n) != 0)
      return refuse(ev, batch,
                    format("a global batch of {} does not divide over {} and {}",
                           with_thousands(*g), counted(n, "rank"), counted(*a, "pass", "passes")),
                    n, format("`global = {}` does", to_string((*g / (*a * n) + 1) * *a * n)));
    m = *g / (*a * n);
  }
  if (*m * *a * n != *g)
    return refuse(ev, batch,
                  format("{} a pass x {} x {} is {}, and `global` says {}", counted(*m, "sample"),
                         counted(*a, "pass", "passes"), counted(n, "rank"),
                         with_thousands(*m * *a * n), with_thousands(*g)),
                  n, "leave one of the three out: it follows from the others");
  if (wanted == sym::global) return ev.make_int(*g);
  return ev.make_int(wanted == sym::micro ? *m : *a);
}

Value product_of(Evaluator& ev, const Value& a, const Value& b) {
  if (!a.is(ValueKind::number) || !b.is(ValueKind::number)) return a.is(ValueKind::number) ? b : a;
  eval::NumberResult r = eval::multiply(*a.number, *b.number);
  return r.error == eval::NumberError::none ? ev.make_number(r.number) : eval::poison();
}

}  // namespace

Value batch_size(Evaluator& ev, Record* batch, Symbol wanted, Span use) {
  return solve(ev, batch, wanted, use);
}

std::optional<Value> derived_field(Evaluator& ev, Record* record, const eval::Field& field,
                                   Span use) {
  if (!record->shape) return std::nullopt;
  Symbol shape = record->shape->choice ? record->shape->choice->name : record->shape->name;
  if (shape == sym::Batch) {
    if (field.name == sym::global || field.name == sym::micro || field.name == sym::accumulation)
      return solve(ev, record, field.name, use);
    std::string_view name = ev.text(field.name);
    if (name == "per_gpu")
      return product_of(ev, ev.field(record, sym::micro, use),
                        ev.field(record, sym::accumulation, use));
    if (name == "tokens" && record->owner) {
      Value data = ev.field(record->owner, sym::data, use);
      if (!data.is(ValueKind::record)) return eval::poison();
      Value sequence = ev.field(data.record, word(ev, "sequence"), use);
      if (sequence.is(ValueKind::none)) return sequence;
      return product_of(ev, ev.field(record, sym::global, use), sequence);
    }
    return std::nullopt;
  }
  if (field.name == sym::data_ranks) return data_ranks(ev, record, use);
  if (is_optimizer(ev, record->shape) && ev.text(field.name) == "step")
    return framework_step(ev, record, use);
  if (shape == sym::Plan || shape == sym::Series) {
    std::string_view name = ev.text(field.name);
    if (name == "name") return ev.make_string(record->name ? ev.text(record->name) : "a plan");
    if (name == "gpu") {
      Value hardware = ev.field(record, sym::hardware, use);
      if (!hardware.is(ValueKind::record)) return hardware;
      return ev.field(hardware.record, word(ev, "gpu"), use);
    }
  }
  return std::nullopt;
}

std::optional<Value> convert_extent(Evaluator& ev, Record* plan, const Number& extent,
                                    std::string_view wanted, Span use,
                                    Value (*step_time)(void*, Span), void* context) {
  static constexpr std::pair<std::string_view, units::BaseDimension> kMembers[] = {
      {"steps", units::kStep},
      {"samples", units::kSample},
      {"tokens", units::kToken},
      {"epochs", units::kEpoch},
      {"time", units::kTime}};
  const std::pair<std::string_view, units::BaseDimension>* target = nullptr;
  const std::pair<std::string_view, units::BaseDimension>* source = nullptr;
  for (const auto& member : kMembers) {
    if (member.first == wanted) target = &member;
    if (extent.dimension == units::Dimension::base(member.second)) source = &member;
  }
  if (!target || !source) return std::nullopt;
  if (target == source) return ev.make_number(extent);
  // How much of a member one step is, as a plain number over steps.
  auto per_step = [&](units::BaseDimension member) -> Value {
    if (member == units::kStep) return ev.make_int(1);
    if (member == units::kTime) return step_time(context, use);
    Value batch = ev.field(plan, sym::batch, use), data = ev.field(plan, sym::data, use);
    if (!batch.is(ValueKind::record) || !data.is(ValueKind::record)) return eval::poison();
    Value global = ev.field(batch.record, sym::global, use);
    if (!global.is(ValueKind::number)) return global;
    if (member == units::kSample) return global;
    Value other =
        ev.field(data.record, word(ev, member == units::kToken ? "sequence" : "samples"), use);
    if (!other.is(ValueKind::number)) {
      if (other.poisoned() || other.is(ValueKind::unknown)) return other;
      return ev.error(Kind::ExtentNotKnown, use,
                      member == units::kToken
                          ? "the data has no sequence, so there are no tokens to count"
                          : "the data does not say its `samples`, so there are no epochs to count");
    }
    eval::NumberResult r = member == units::kToken ? eval::multiply(*global.number, *other.number)
                                                   : eval::divide(*global.number, *other.number);
    return r.error == eval::NumberError::none ? ev.make_number(r.number) : eval::poison();
  };
  Value from = per_step(source->second), to = per_step(target->second);
  if (!from.is(ValueKind::number)) return from;
  if (!to.is(ValueKind::number)) return to;
  Number plain = extent;
  plain.dimension = {};
  Number from_plain = *from.number, to_plain = *to.number;
  from_plain.dimension = to_plain.dimension = {};
  auto refuse = [&] {
    return ev.error(
        Kind::ExtentNotKnown, use,
        format("{} cannot be counted in {}: a step has {} {}", ev.print(ev.make_number(extent)),
               wanted, ev.print(ev.make_number(from_plain)), source->first));
  };
  eval::NumberResult steps = eval::divide(plain, from_plain);
  if (steps.error != eval::NumberError::none) return refuse();
  eval::NumberResult result = eval::multiply(steps.number, to_plain);
  if (result.error != eval::NumberError::none) return refuse();
  // A run ends with a whole step.
  if (target->second == units::kStep)
    result.number = eval::round_to_whole(result.number, eval::Rounding::ceil).number;
  result.number.dimension = units::Dimension::base(target->second);
  return ev.make_number(result.number);
}

}  // namespace dtp::plan
