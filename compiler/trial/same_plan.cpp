#include "trial/same_plan.h"

#include "base/out.h"
#include "diagnostics/display.h"
#include "step/static_memory.h"

namespace dtp::trial {
namespace {

struct Difference {
  std::string words;
  Span at;
};

class Differences {
 public:
  explicit Differences(const engine::Outcome& outcome) : s_(outcome.settings) {}

  std::vector<Difference> of(const Ran& ran, const engine::Outcome& outcome) {
    text("the plan", ran.plan, s_.plan_name);
    number("`batch.micro`", ran.micro_batch, s_.batch.micro);
    number("`batch.accumulation`", ran.accumulation, s_.batch.accumulation);
    number("the number of devices", ran.ranks, s_.hardware.gpus());
    text("the type of parameters", ran.parameters, name(s_.precision.parameters));
    text("the type of products", ran.compute,
         name(s_.precision.autocast ? s_.precision.compute : s_.precision.parameters));
    bool full = s_.recompute == plan::Recompute::full;
    if (ran.recompute.value != full)
      add("`recompute`", ran.recompute.value ? "full" : "none", full ? "full" : "none",
          ran.recompute.at);
    text("the device", ran.device, s_.framework.backend);
    step::StaticMemory m = step::static_memory(outcome.graph(), s_);
    auto bytes = static_cast<int64_t>(m.trained + m.frozen + m.buffers);
    if (found_.empty() && ran.predicted_model_bytes != bytes)
      add("what the model was predicted to take", with_thousands(ran.predicted_model_bytes) + " B",
          with_thousands(bytes) + " B", ran.model_bytes.at);
    return std::move(found_);
  }

 private:
  static std::string name(graph::DType type) { return std::string(graph::name_of(type)); }
  void add(const char* what, const std::string& was, const std::string& is, Span at) {
    found_.push_back({format("{} was {}, and is {} here", what, was, is), at});
  }
  void text(const char* what, const Said<std::string>& was, const std::string& is) {
    if (was.value != is) add(what, "`" + neutral(was.value) + "`", "`" + neutral(is) + "`", was.at);
  }
  void number(const char* what, const Said<int64_t>& was, int64_t is) {
    if (was.value != is) add(what, to_string(was.value), to_string(is), was.at);
  }

  const plan::Settings& s_;
  std::vector<Difference> found_;
};

}  // namespace

bool is_of_plan(const Measurement& measurement, const engine::Outcome& outcome,
                DiagnosticSink& sink) {
  if (!measurement.ran) return true;
  std::vector<Difference> found = Differences(outcome).of(*measurement.ran, outcome);
  if (found.empty()) return true;
  DiagnosticBuilder report(Kind::MeasuredOtherPlan, found.front().at,
                           "this was measured of another plan: " + found.front().words);
  for (size_t i = 1; i < found.size(); ++i) report.note(found[i].words, found[i].at);
  report.note("the plan that it is held against", outcome.settings.plan_span);
  report.help("what was set with -D for the trial is to be set here as well");
  sink.add(std::move(report));
  return false;
}

}  // namespace dtp::trial
