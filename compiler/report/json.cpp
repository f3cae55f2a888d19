// "plans" of the JSON document. Bytes and counts are plain integers, quantities in base units with
// lo, likely, hi.
#include <llvm/Support/JSON.h>

#include <algorithm>
#include <cmath>

#include "base/out.h"
#include "estimate/fields.h"
#include "report/report.h"

namespace dtp::report {
namespace {

using llvm::json::OStream;

// An integer where JSON's readers hold it exactly, its digits as a string beyond.
void integer(OStream& json, const char* name, Int128 value) {
  if (value >= INT64_MIN && value <= INT64_MAX)
    json.attribute(name, static_cast<int64_t>(value));
  else
    json.attribute(name, to_string(value));
}

// JSON has no word for what is not finite.
void real(OStream& json, const char* name, double value) {
  if (std::isfinite(value))
    json.attribute(name, value);
  else
    json.attribute(name, nullptr);
}

void estimate_of(OStream& json, std::string_view name, const estimate::Estimate& e) {
  json.attributeObject(name, [&] {
    real(json, "lo", e.value.lo);
    real(json, "likely", e.value.likely);
    real(json, "hi", e.value.hi);
    if (!e.why.empty()) json.attribute("why", e.why);
  });
}

// What is exact of the memory, and what the currency of the cost is.
void write_facts(OStream& json, std::string_view group, const estimate::Estimates& e) {
  if (group == "cost") json.attribute("currency", e.cost.currency);
  if (group != "memory") return;
  const estimate::Memory& m = e.memory;
  json.attribute("peak_phase", std::string(estimate::name_of(m.peak_phase)));
  json.attributeObject("tensors", [&] {
    integer(json, "before", m.exact.before);
    integer(json, "forward_peak", m.exact.forward_peak);
    integer(json, "saved", m.exact.saved);
    integer(json, "backward_peak", m.exact.backward_peak);
    integer(json, "after_backward", m.exact.after_backward);
    integer(json, "first_step_peak", m.exact.first_step_peak);
    integer(json, "step_peak", m.exact.step_peak);
  });
}

// An object a group, with the figures that there are.
void write_estimates(OStream& json, const estimate::Estimates& e) {
  std::span<const estimate::ResultField> fields = estimate::result_fields();
  while (!fields.empty()) {
    std::string_view group = fields.front().group;
    auto end = std::find_if(fields.begin(), fields.end(),
                            [&](const estimate::ResultField& f) { return f.group != group; });
    bool any = std::any_of(fields.begin(), end,
                           [&](const estimate::ResultField& f) { return is_known(f, e); });
    if (any)
      json.attributeObject(group, [&] {
        for (auto f = fields.begin(); f != end; ++f)
          if (is_known(*f, e)) estimate_of(json, f->name, f->of(e));
        write_facts(json, group, e);
      });
    fields = fields.subspan(static_cast<size_t>(end - fields.begin()));
  }
}

void write_outcome(OStream& json, const engine::Outcome& o) {
  json.attributeObject("model", [&] {
    integer(json, "parameters", o.model.parameters);
    integer(json, "trainable", o.model.trainable);
    real(json, "forward_macs", o.model.forward_macs);
  });
  json.attributeObject("batch", [&] {
    json.attribute("global", o.settings.batch.global);
    json.attribute("micro", o.settings.batch.micro);
    json.attribute("accumulation", o.settings.batch.accumulation);
  });
  write_estimates(json, o.estimates);
  if (o.comparisons.empty()) return;
  json.attributeArray("measured", [&] {
    for (const engine::Comparison& c : o.comparisons)
      json.object([&] {
        json.attribute("path", c.path);
        json.attribute("trial", c.trial);
        estimate_of(json, "measured", {c.measured, ""});
        estimate_of(json, "estimated", c.estimated);
        json.attribute("inside", c.inside);
        json.attribute("used", c.used);
      });
  });
}

void write_verdicts(OStream& json, const judge::Judgement& judgement) {
  json.attributeArray("verdicts", [&] {
    for (const judge::VerdictRow& r : judgement.rows)
      json.object([&] {
        json.attribute("label", r.label);
        json.attribute("kind", r.expect ? "expect" : "require");
        json.attribute("verdict", r.failed                        ? "failed"
                                  : r.verdict == Verdict::proved  ? "proved"
                                  : r.verdict == Verdict::refuted ? "refuted"
                                                                  : "undecided");
        if (!r.left.empty()) json.attribute("left", r.left);
        if (!r.right.empty()) json.attribute("right", r.right);
        if (r.allowed) json.attribute("allowed", r.reason);
        if (r.open) json.attribute("depends_on_choices", true);
      });
  });
}

// "series": the names of the runs; their figures stand where those of one plan do.
void write_series(OStream& json, const Together& series) {
  json.attributeArray("series", [&] {
    for (const Together::Row& run : series.runs) json.value(run.name);
  });
  for (const Together::Figure& f : series.figures)
    json.attributeObject(f.group, [&] { estimate_of(json, f.name, f.value); });
}

void write_goal(OStream& json, const judge::Goal& goal) {
  json.attributeObject("goal", [&] {
    json.attribute("direction", goal.maximize ? "maximize" : "minimize");
    json.attributeArray("of", [&] {
      for (const std::string& aim : goal.aims) json.value(aim);
    });
  });
}

// "holes": one object a `choose`; "plans": how many they span, "plans_exact" whether that is
// counted through.
void write_choices(OStream& json, const plan::OpenPlan& open, const SourceManager& sources) {
  auto words = [&](const char* name, const std::vector<std::string>& list) {
    json.attributeArray(name, [&] {
      for (const std::string& word : list) json.value(word);
    });
  };
  json.attributeArray("holes", [&] {
    for (const plan::OpenChoice& c : open.choices)
      json.object([&] {
        json.attribute("path", c.name);
        json.attribute("whole", c.whole);
        if (!c.plan.empty()) json.attribute("of_plan", c.plan);
        json.attribute("type", c.type);
        json.attribute("choices", static_cast<int64_t>(c.choices));
        words("first", c.first);
        words("rests_on", c.rests_on);
        LineColumn at = sources.line_column(c.span.file, c.span.begin);
        json.attribute("file", std::string(sources.name(c.span.file)));
        json.attribute("line", static_cast<int64_t>(at.line));
        json.attribute("column", static_cast<int64_t>(at.column));
      });
  });
  integer(json, "plans", open.plans);
  json.attribute("plans_exact", open.exact);
}

}  // namespace

void write_plans(const std::deque<PlanReport>& reports, const SourceManager& sources,
                 const units::UnitTable&, OStream& json) {
  json.attributeArray("plans", [&] {
    for (const PlanReport& r : reports)
      json.object([&] {
        json.attribute("name", r.name);
        if (r.span.valid()) json.attribute("file", std::string(sources.name(r.span.file)));
        json.attribute("ok", r.ok);
        json.attribute("open", r.open);
        json.attribute("estimated", r.outcome != nullptr);
        if (r.asks > 0) json.attribute("unfinished", true);
        if (r.goal) write_goal(json, *r.goal);
        if (r.choices) write_choices(json, *r.choices, sources);
        if (r.outcome) write_outcome(json, *r.outcome);
        if (r.series) write_series(json, *r.series);
        if (r.outcome || r.choices || r.series) write_verdicts(json, r.judgement);
      });
  });
}

}  // namespace dtp::report
