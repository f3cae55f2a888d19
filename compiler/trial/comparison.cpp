#include "trial/comparison.h"

#include <algorithm>

#include "base/out.h"
#include "estimate/fields.h"
#include "estimate/measured.h"
#include "step/static_memory.h"
#include "units/print.h"

namespace dtp::trial {
namespace {

// Where a row stands: the moment of tensors or the result that it shows.
struct Place {
  std::string_view source, phase, what;
};
constexpr Place kPlaces[] = {
    {"model", "model", "tensors"},
    {"forward_peak", "forward", "peak above what is there"},
    {"saved", "forward", "saved for the backward pass"},
    {"time.forward", "forward", "time"},
    {"backward_peak", "backward", "peak above what is there"},
    {"after_backward", "backward", "left when it ends"},
    {"time.backward", "backward", "time"},
    {"time.exposed_communication", "gradients", "time that nothing hides"},
    {"first_step_peak", "optimizer", "peak of its first step"},
    {"step_peak", "optimizer", "peak of a step"},
    {"time.optimizer", "optimizer", "time"},
    {"time.step", "step", "time"},
    {"memory.allocated", "step", "memory allocated"},
    {"memory.fragmentation", "step", "memory reserved beside it"},
    {"memory.peak", "step", "memory of the device"},
};

Int128 predicted_bytes(std::string_view moment, const engine::Outcome& o) {
  const estimate::Memory::Exact& e = o.estimated_alone().memory.exact;
  if (moment == "forward_peak") return e.forward_peak;
  if (moment == "saved") return e.saved;
  if (moment == "backward_peak") return e.backward_peak;
  if (moment == "after_backward") return e.after_backward;
  if (moment == "first_step_peak") return e.first_step_peak;
  if (moment == "step_peak") return e.step_peak;
  step::StaticMemory m = step::static_memory(o.graph(), o.settings);
  return m.trained + m.frozen + m.buffers;
}

std::string ratio(double measured, double predicted) {
  return predicted > 0 ? format("{:.3g} of it, ", measured / predicted) : std::string();
}

Row tensor_row(const Place& place, const TensorBytes& t, const engine::Outcome& o) {
  Int128 predicted = predicted_bytes(place.source, o);
  Int128 off = t.bytes - predicted;
  std::string verdict = off == 0  ? "to the byte"
                        : off > 0 ? format("{} B above", with_thousands(off))
                                  : format("{} B below", with_thousands(-off));
  return {std::string(place.phase),
          std::string(place.what),
          with_thousands(predicted) + " B",
          with_thousands(t.bytes) + " B",
          verdict,
          off == 0,
          off > 0};
}

Row figure_row(const Place& place, const Figure& f, const engine::Outcome& o,
               const units::UnitTable& units) {
  const estimate::ResultField& field = *estimate::result_named(f.path);
  units::Dimension dimension = estimate::dimension_of(field.quantity, o.estimates);
  const Interval& predicted = field.of(o.estimated_alone()).value;
  bool inside = predicted.lo <= f.value.likely && f.value.likely <= predicted.hi;
  return {std::string(place.phase),
          std::string(place.what),
          units::print_interval(units, predicted, dimension),
          units::print_interval(units, f.value, dimension),
          ratio(f.value.likely, predicted.likely) + (inside ? "inside" : "outside"),
          inside};
}

}  // namespace

std::vector<Row> compare(const Measurement& measurement, const engine::Outcome& outcome,
                         const units::UnitTable& units) {
  std::vector<Row> rows;
  for (const Place& place : kPlaces) {
    for (const TensorBytes& t : measurement.tensors)
      if (t.moment == place.source) rows.push_back(tensor_row(place, t, outcome));
    for (const Figure& f : measurement.figures)
      if (f.path == place.source) rows.push_back(figure_row(place, f, outcome, units));
  }
  return rows;
}

std::string comparison_text(const Measurement& measurement, const std::vector<Row>& rows) {
  size_t phase = 0, what = 0, predicted = 9, measured = 8;
  for (const Row& r : rows) {
    phase = std::max(phase, r.phase.size());
    what = std::max(what, r.what.size());
    predicted = std::max(predicted, r.predicted.size());
    measured = std::max(measured, r.measured.size());
  }
  std::string out =
      format("  {:{}}  {:{}}  {:{}}  measured\n", "", phase, "", what, "predicted", predicted);
  std::string_view before;
  for (const Row& r : rows) {
    out += format("  {:{}}  {:{}}  {:{}}  {:{}}  {}\n", before == r.phase ? "" : r.phase, phase,
                  r.what, what, r.predicted, predicted, r.measured, measured, r.verdict);
    before = r.phase;
  }
  auto parts = std::find_if(rows.begin(), rows.end(), [](const Row& r) { return !r.inside; });
  if (parts == rows.end())
    out += "  all of it is as predicted\n";
  else
    out += format("  the first to part is {}, {}: {}, predicted {}\n", parts->phase, parts->what,
                  parts->measured, parts->predicted);
  bool above = std::any_of(rows.begin(), rows.end(), [](const Row& r) { return r.above; });
  bool onednn = std::count(measurement.versions.begin(), measurement.versions.end(),
                           std::pair<std::string, std::string>("onednn", "on")) > 0;
  if (above && onednn)
    out += "  oneDNN was on: its products take scratch memory that is not predicted\n";
  for (const std::string& name : measurement.not_read) out += format("  not read: {}\n", name);
  return out;
}

estimate::Estimates calibrated(const Measurement& measurement, const engine::Outcome& outcome) {
  plan::Settings settings = outcome.settings;
  settings.measured.clear();
  for (const Figure& f : measurement.figures)
    if (estimate::takes_measured(f.path))
      settings.measured.push_back({f.path, {f.value, "measured"}});
  return outcome.built->estimator.estimate(settings);
}

std::string changes_text(const estimate::Estimates& before, const estimate::Estimates& after,
                         const units::UnitTable& units) {
  std::string out;
  for (const estimate::ResultField& f : estimate::result_fields()) {
    const Interval &was = f.of(before).value, &is = f.of(after).value;
    if (was == is || !is_known(f, after)) continue;
    units::Dimension dimension = estimate::dimension_of(f.quantity, after);
    auto text = [&](const Interval& value) {
      return f.quantity == estimate::Quantity::share
                 ? units::print_percent(value)
                 : units::print_interval(units, value, dimension);
    };
    out += format("  {:24}  {} -> {}\n", format("{}.{}", f.group, f.name), text(was), text(is));
  }
  return out;
}

}  // namespace dtp::trial
