// "plans" of the JSON document. Bytes and counts are plain integers, quantities in base units with
// lo, likely, hi.
#include <llvm/Support/JSON.h>

#include <cmath>

#include "base/out.h"
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

void estimate_of(OStream& json, const char* name, const estimate::Estimate& e) {
  json.attributeObject(name, [&] {
    real(json, "lo", e.value.lo);
    real(json, "likely", e.value.likely);
    real(json, "hi", e.value.hi);
    if (!e.why.empty()) json.attribute("why", e.why);
  });
}

void write_memory(OStream& json, const estimate::Memory& m) {
  estimate_of(json, "peak", m.peak);
  estimate_of(json, "parameters", m.parameters);
  estimate_of(json, "gradients", m.gradients);
  estimate_of(json, "optimizer", m.optimizer);
  estimate_of(json, "ema", m.ema);
  estimate_of(json, "activations", m.activations);
  estimate_of(json, "temporaries", m.temporaries);
  estimate_of(json, "buffers", m.buffers);
  estimate_of(json, "communication", m.communication);
  estimate_of(json, "frozen", m.frozen);
  estimate_of(json, "context", m.context);
  estimate_of(json, "fragmentation", m.fragmentation);
  estimate_of(json, "allocated", m.allocated);
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

void write_time(OStream& json, const estimate::Time& t) {
  estimate_of(json, "step", t.step);
  estimate_of(json, "forward", t.forward);
  estimate_of(json, "backward", t.backward);
  estimate_of(json, "recompute", t.recompute);
  estimate_of(json, "optimizer", t.optimizer);
  estimate_of(json, "communication", t.communication);
  estimate_of(json, "exposed_communication", t.exposed_communication);
  estimate_of(json, "epoch", t.epoch);
  estimate_of(json, "total", t.total);
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
  json.attributeObject("memory", [&] { write_memory(json, o.estimates.memory); });
  json.attributeObject("time", [&] { write_time(json, o.estimates.time); });
  json.attributeObject("throughput", [&] {
    estimate_of(json, "samples", o.estimates.throughput.samples);
    estimate_of(json, "flops_per_gpu", o.estimates.throughput.flops_per_gpu);
  });
  json.attributeObject("utilization", [&] {
    estimate_of(json, "mfu", o.estimates.utilization.mfu);
    estimate_of(json, "hfu", o.estimates.utilization.hfu);
  });
  if (!o.estimates.cost.currency.empty())
    json.attributeObject("cost", [&] {
      json.attribute("currency", o.estimates.cost.currency);
      estimate_of(json, "total", o.estimates.cost.total);
      estimate_of(json, "per_step", o.estimates.cost.per_step);
    });
  json.attributeObject("energy", [&] { estimate_of(json, "total", o.estimates.energy.total); });
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
      });
  });
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
        if (!r.outcome) return;
        write_outcome(json, *r.outcome);
        write_verdicts(json, r.judgement);
      });
  });
}

}  // namespace dtp::report
