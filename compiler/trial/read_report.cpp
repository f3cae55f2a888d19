// measured.json of the trainer; what its fields mean is said in runtime/README.md.
#include <algorithm>

#include "base/dates.h"
#include "base/out.h"
#include "sema/json_data.h"
#include "trial/json_view.h"
#include "trial/series.h"

namespace dtp::trial {
namespace {

constexpr int64_t kSchema = 1;

constexpr std::string_view kMoments[] = {"forward_peak", "saved", "backward_peak", "after_backward",
                                         "step_peak"};

class Report {
 public:
  Report(const Source& source, JsonView root) : source_(source), root_(std::move(root)) {
    out_.file = source.file;
  }

  std::optional<Measurement> read() {
    if (!schema() || !origin() || !run() || !seconds() || !bytes()) return std::nullopt;
    return std::move(out_);
  }

 private:
  bool refuse(const JsonView& at, std::string what) {
    source_.sink.add(source_.broken(at.at().begin, at.at().end, std::move(what)));
    return false;
  }

  bool schema() {
    auto schema = root_["schema"].whole();
    if (schema && *schema != kSchema)
      return refuse(root_["schema"],
                    format("this dtpc reads version {} of measurements, and the file has {}",
                           kSchema, *schema));
    return schema.has_value();
  }

  // Where, when and with what.
  bool origin() {
    JsonView machine = root_["machine"], versions = root_["versions"];
    auto host = machine["host"].text(), processor = machine["processor"].text();
    auto processors = machine["processors"].whole();
    auto date = root_["date"].text(), libtorch = versions["libtorch"].text();
    auto onednn = versions["onednn"].boolean();
    if (!host || !processor || !processors || !date || !libtorch || !onednn) return false;
    out_.date = date->substr(0, 10);
    if (!read_date(out_.date)) return refuse(root_["date"], format("`{}` is no date", *date));
    out_.machine = *host + " (" + (processor->empty() ? "" : *processor + ", ") +
                   counted(*processors, "processor") + ")";
    out_.versions = {{"libtorch", *libtorch}, {"onednn", *onednn ? "on" : "off"}};
    return true;
  }

  template <class T>
  static bool take(Said<T>& to, std::optional<T> value, const JsonView& from) {
    if (!value) return false;
    to = {std::move(*value), from.at()};
    return true;
  }

  bool run() {
    JsonView run = root_["run"];
    Ran ran;
    auto predicted = root_["predicted"]["bytes"]["model"].whole();
    auto steps = run["steps"].whole(), counts = run["counted"].whole();
    auto text = [&](Said<std::string>& to, const JsonView& from) {
      return take(to, from.text(), from);
    };
    auto whole = [&](Said<int64_t>& to, const JsonView& from) {
      return take(to, from.whole(), from);
    };
    JsonView recompute = run["recompute"];
    bool good = predicted && steps && counts && text(ran.plan, root_["plan"]) &&
                text(ran.device, root_["machine"]["device"]) &&
                text(ran.parameters, run["parameters"]) && text(ran.compute, run["compute"]) &&
                whole(ran.micro_batch, run["micro_batch"]) &&
                whole(ran.accumulation, run["accumulation"]) && whole(ran.ranks, run["ranks"]) &&
                whole(ran.model_bytes, root_["bytes"]["model"]) &&
                take(ran.recompute, recompute.boolean(), recompute);
    if (!good) return false;
    if (*counts < 1 || *steps < *counts)
      return refuse(run["counted"],
                    format("{} counted of {}: a trial takes two steps at least, as the first is "
                           "left out",
                           counted(*counts, "step is", "steps are"), *steps));
    ran.predicted_model_bytes = *predicted;
    out_.ran = std::move(ran);
    out_.steps = *counts;
    out_.left_out = *steps - *counts;
    return true;
  }

  bool seconds() {
    for (auto [phase, path] : kSeconds)
      if (!add_time(root_["seconds"][phase], path)) return false;
    return !source_.options.spread ||
           add_time(root_["seconds"]["reduce"], "time.exposed_communication");
  }

  bool add_time(const JsonView& from, std::string_view path) {
    if (is_two_results(path, source_.options)) {
      out_.not_read.emplace_back(kTwoResults);
      return true;
    }
    auto low = from["p05"].number(), median = from["median"].number();
    auto high = from["p95"].number(), mean = from["mean"].number();
    if (!low || !median || !high || !mean) return false;
    if (!(*low <= *median && *median <= *high))
      return refuse(from, "`p05`, `median` and `p95` are to be in this order of size");
    out_.figures.push_back(
        {std::string(path), time_interval(*low, *median, *high, *mean),
         format("5th percentile, median, 95th of {}", counted(out_.steps, "step")), from.at()});
    return true;
  }

  bool bytes() {
    JsonView later = root_["bytes"], first = root_["first_step"]["bytes"];
    out_.tensors.push_back({"model", out_.ran->model_bytes.value});
    for (std::string_view moment : kMoments) {
      auto most = later[moment]["most"].whole();
      if (!most) return false;
      out_.tensors.push_back({std::string(moment), *most});
    }
    auto made = first["step_peak"]["most"].whole();
    auto peak = later["peak"]["most"].whole(), usual = later["peak"]["median"].whole();
    auto at_first = first["peak"]["most"].whole(), reserved = later["reserved"]["most"].whole();
    if (!made || !peak || !usual || !at_first || !reserved) return false;
    out_.tensors.push_back({"first_step_peak", *made});
    // Memory has no warm-up: what the first step takes must be there.
    auto most = static_cast<double>(std::max(*peak, *at_first));
    std::string how = format("the most of {}", counted(out_.steps + out_.left_out, "step"));
    Interval allocated{std::min(static_cast<double>(*usual), most), most, most};
    out_.figures.push_back({"memory.allocated", allocated, how, later["peak"].at()});
    auto held = static_cast<double>(*reserved);
    // Elsewhere nothing keeps what tensors have given back.
    if (out_.ran->device.value == "cuda" && held >= most)
      out_.figures.push_back(
          {"memory.fragmentation", Interval::point(held - most), how, later["reserved"].at()});
    return true;
  }

  const Source& source_;
  JsonView root_;
  Measurement out_;
};

}  // namespace

std::optional<Measurement> read_report(const Source& source) {
  llvm::BumpPtrAllocator arena;
  Interner names;
  const lang::Expr* value =
      sema::read_json({source.file, 0}, source.name, source.text, names, arena, source.sink);
  if (!value) return std::nullopt;
  return Report(source, JsonView(value, names, source, "")).read();
}

}  // namespace dtp::trial
