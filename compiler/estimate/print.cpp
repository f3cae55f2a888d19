#include "base/out.h"
#include "estimate/fields.h"

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
  for (const ResultField& field : result_fields())
    line(out, format("{}.{}", field.group, field.name), field.of(e));
  const Memory& m = e.memory;
  for (int i = 0; i < kPhases; ++i)
    line(out, format("memory.phases.{}", name_of(static_cast<Phase>(i))), {m.phases[i], ""});
  out += format("tensors before a step            {}\n", with_thousands(m.exact.before));
  out += format("forward peak above it            {}\n", with_thousands(m.exact.forward_peak));
  out += format("saved for the backward pass      {}\n", with_thousands(m.exact.saved));
  out += format("backward peak above it           {}\n", with_thousands(m.exact.backward_peak));
  out += format("after the backward pass          {}\n", with_thousands(m.exact.after_backward));
  return out;
}

}  // namespace dtp::estimate
