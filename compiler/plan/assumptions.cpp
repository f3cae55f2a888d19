#include "plan/assumptions.h"

#include "base/out.h"

namespace dtp::plan {
namespace {

class Collector {
 public:
  void add(std::string name, Interval& value, std::string_view why = {}) {
    if (value.is_point()) return;
    std::string reason(why.empty() ? std::string_view(name) : why);
    open_.push_back({std::move(name), std::move(reason), &value});
  }
  void add(std::string name, Estimate& e) { add(std::move(name), e.value, e.why); }
  std::vector<OpenSetting> take() { return std::move(open_); }

 private:
  std::vector<OpenSetting> open_;
};

void collect(Gpu& gpu, Collector& out) {
  out.add("memory of " + gpu.name, gpu.memory);
  out.add("context on " + gpu.name, gpu.context);
  out.add("bandwidth of " + gpu.name, gpu.bandwidth);
  for (auto& [type, rate] : gpu.measured)
    out.add(format("rate of {} products on {}", graph::name_of(type), gpu.name), rate);
}

void collect(Framework& f, Collector& out) {
  out.add("workspace of the libraries", f.workspace);
  out.add("buffers of a communicator", f.communicator);
  out.add("fragmentation", f.fragmentation);
  out.add("time to launch a kernel", f.launch_cost);
  out.add("share of the peak that products reach", f.matmul_efficiency);
  out.add("share of the peak that attention reaches", f.attention_efficiency);
  out.add("share of the bandwidth that is reached", f.bandwidth_efficiency);
  out.add("share of the link that is reached", f.communication_efficiency);
}

void collect(Leeway& leeway, Collector& out) {
  out.add("bytes of an element under autocast", leeway.autocast_element);
  out.add("rate of products of their size", leeway.products);
  out.add("rate of emulated products", leeway.emulated);
  out.add("how communication hides", leeway.overlap);
}

}  // namespace

std::vector<OpenSetting> open_settings(Settings& settings) {
  Collector out;
  collect(settings.hardware.gpu, out);
  collect(settings.framework, out);
  collect(settings.leeway, out);
  if (settings.hardware.price)
    out.add("price", settings.hardware.price->per_second, settings.hardware.price->why);
  // The steps that fit into a given time follow from the step's time: no assumption of their own.
  if (settings.steps && !settings.run_time) out.add("number of steps", *settings.steps);
  return out.take();
}

}  // namespace dtp::plan
