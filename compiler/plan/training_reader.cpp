// What decides the numbers of a training: the optimizer's rates, the schedule, the clipping.
#include <cmath>

#include "plan/reader.h"

namespace dtp::plan {

using eval::Record;
using eval::Value;
using eval::ValueKind;

std::optional<int64_t> Reader::steps(const Value& extent, Span at, const StepsOf& steps_of) {
  if (!extent.is(ValueKind::number)) return std::nullopt;
  std::optional<double> steps = steps_of(*extent.number, at);
  if (steps) return std::llround(*steps);
  failed_ = true;
  return std::nullopt;
}

void Reader::read_method(Record* optimizer, Training& out) {
  for (const eval::Shape* shape = optimizer->shape; shape && out.optimizer.empty();
       shape = shape->parent)
    if (std::string_view type = ev_.text(shape->name); type == "Adam" || type == "Sgd")
      out.optimizer = type;
  out.lr = interval(optimizer, "lr", Least::zero).likely;
  out.weight_decay = interval(optimizer, "weight_decay", Least::zero).likely;
  if (out.optimizer == "Adam") {
    // The type holds that there are two.
    if (Value betas = get(optimizer, "betas");
        betas.is(ValueKind::list) && betas.items().size() == 2) {
      out.beta1 = betas.items()[0].number->interval.likely;
      out.beta2 = betas.items()[1].number->interval.likely;
    }
    out.eps = interval(optimizer, "eps", Least::zero).likely;
    out.decoupled = flag(optimizer, "decoupled");
    out.amsgrad = flag(optimizer, "amsgrad");
  } else if (out.optimizer == "Sgd") {
    out.momentum = interval(optimizer, "momentum", Least::zero).likely;
    out.nesterov = flag(optimizer, "nesterov");
  }
}

void Reader::read_rate_schedule(const StepsOf& steps_of, Training& out) {
  Value value = get(plan_, "schedule");
  if (!value.is(ValueKind::record)) return;
  Record* schedule = value.record;
  out.schedule = case_name(plan_, "schedule");
  out.warmup = steps(get(schedule, "warmup"), place(schedule, "warmup"), steps_of).value_or(0);
  if (out.schedule == "linear" || out.schedule == "cosine")
    out.floor = interval(schedule, "floor", Least::zero).likely;
  if (out.schedule == "cosine")
    out.decay = steps(get(schedule, "decay"), place(schedule, "decay"), steps_of);
  if (out.schedule != "steps") return;
  out.factor = interval(schedule, "factor", Least::zero).likely;
  if (Value at = get(schedule, "at"); at.is(ValueKind::list))
    for (const Value& v : at.items())
      if (auto step = steps(v, place(schedule, "at"), steps_of)) out.at.push_back(*step);
}

std::optional<Training> Reader::read_training(const StepsOf& steps_of) {
  Record* optimizer = record_of(get(plan_, "optimizer"));
  if (!optimizer) return std::nullopt;
  Training out;
  out.optimizer_span = place(plan_, "optimizer");
  read_method(optimizer, out);
  read_rate_schedule(steps_of, out);
  out.clip = figure_or_none(plan_, "clip");
  return failed_ ? std::nullopt : std::optional(out);
}

}  // namespace dtp::plan
