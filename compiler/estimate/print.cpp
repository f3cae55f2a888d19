#include "base/out.h"
#include "estimate/estimates.h"

namespace dtp::estimate {
namespace {

void line(std::string& out, std::string_view name, const Estimate& e) {
  const Interval& v = e.value;
  out += v.is_point() ? format("{:<32}{:.10g}", name, v.likely)
                      : format("{:<32}{:.6g} ({:.6g} to {:.6g})", name, v.likely, v.lo, v.hi);
  out += e.why.empty() ? "\n" : format("  # {}\n", e.why);
}

}  // namespace

std::string to_text(const Estimates& e) {
  std::string out;
  const Memory& m = e.memory;
  line(out, "memory.peak", m.peak);
  line(out, "memory.parameters", m.parameters);
  line(out, "memory.gradients", m.gradients);
  line(out, "memory.optimizer", m.optimizer);
  line(out, "memory.ema", m.ema);
  line(out, "memory.activations", m.activations);
  line(out, "memory.temporaries", m.temporaries);
  line(out, "memory.buffers", m.buffers);
  line(out, "memory.communication", m.communication);
  line(out, "memory.frozen", m.frozen);
  line(out, "memory.context", m.context);
  line(out, "memory.fragmentation", m.fragmentation);
  line(out, "memory.allocated", m.allocated);
  for (int i = 0; i < kPhases; ++i)
    line(out, format("memory.phases.{}", name_of(static_cast<Phase>(i))), {m.phases[i], ""});
  out += format("tensors before a step            {}\n", with_thousands(m.exact.before));
  out += format("forward peak above it            {}\n", with_thousands(m.exact.forward_peak));
  out += format("saved for the backward pass      {}\n", with_thousands(m.exact.saved));
  out += format("backward peak above it           {}\n", with_thousands(m.exact.backward_peak));
  out += format("after the backward pass          {}\n", with_thousands(m.exact.after_backward));
  const Time& t = e.time;
  line(out, "time.step", t.step);
  line(out, "time.forward", t.forward);
  line(out, "time.backward", t.backward);
  line(out, "time.recompute", t.recompute);
  line(out, "time.optimizer", t.optimizer);
  line(out, "time.communication", t.communication);
  line(out, "time.exposed_communication", t.exposed_communication);
  line(out, "time.epoch", t.epoch);
  line(out, "time.total", t.total);
  line(out, "throughput.samples", e.throughput.samples);
  line(out, "throughput.tokens", e.throughput.tokens);
  line(out, "throughput.flops_per_gpu", e.throughput.flops_per_gpu);
  line(out, "utilization.mfu", e.utilization.mfu);
  line(out, "utilization.hfu", e.utilization.hfu);
  line(out, "cost.per_step", e.cost.per_step);
  line(out, "cost.total", e.cost.total);
  line(out, "energy.total", e.energy.total);
  line(out, "storage.checkpoint", e.storage.checkpoint);
  line(out, "storage.dataset", e.storage.dataset);
  line(out, "network.per_step", e.network.per_step);
  return out;
}

}  // namespace dtp::estimate
