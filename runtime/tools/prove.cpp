// dtp-prove: are the bytes that a config predicts those that it takes?
#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runtime/config/read_config.h"
#include "runtime/meter/counting_allocator.h"
#include "runtime/prove/compare.h"

namespace {

using namespace dtp::runtime;
using Json = nlohmann::ordered_json;

constexpr const char* kHelp =
    R"(dtp-prove: runs two training steps of each config and compares the tensor
bytes of each phase, and each event of a pass, with what the config predicts.

  dtp-prove CONFIG.json...        one row a config; exit status 1 when a byte is off
  dtp-prove --around 5 C.json     also the events before and after the first that differs
  dtp-prove --json C.json         the same as JSON, with all numbers of both sides
  dtp-prove --events C.json       writes down what happened, event by event
  dtp-prove --onednn C.json       with oneDNN on, as training runs; what it works in is told apart

The columns are bytes: of the model; before a step (with states and inputs); at the peak of the
forward pass and saved after it; at the peak of the backward pass and after it (all four above the
start of the forward pass); at the peak of the optimizer's first step and of a later one (above
their own start).
)";

struct Options {
  std::vector<std::string> configs;
  bool json = false, onednn = false, events = false;
  size_t around = 0;
};

struct Outcome {
  std::string plan, error;
  TrainingConfig config;
  prove::Measured measured;
  prove::Comparison comparison;
  bool good() const { return error.empty() && comparison.good(); }
};

std::optional<Options> parse(const std::vector<std::string>& words) {
  Options o;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& w = words[i];
    if (w == "--json") {
      o.json = true;
    } else if (w == "--onednn") {
      o.onednn = true;
    } else if (w == "--events") {
      o.events = true;
    } else if (w == "--around" && i + 1 < words.size()) {
      o.around = static_cast<size_t>(std::strtoul(words[++i].c_str(), nullptr, 10));
    } else if (w.starts_with("-")) {
      std::fprintf(stderr, "dtp-prove: `%s` is not known; see --help\n", w.c_str());
      return std::nullopt;
    } else {
      o.configs.push_back(w);
    }
  }
  if (o.configs.empty()) std::fputs("dtp-prove: no config is named; see --help\n", stderr);
  return o.configs.empty() ? std::nullopt : std::optional(std::move(o));
}

Outcome run(const std::string& path, size_t around) {
  Outcome outcome{path, "", {}, {}, {}};
  try {
    outcome.config = read_config(path);
    if (!outcome.config.plan.empty()) outcome.plan = outcome.config.plan;
    outcome.measured = prove::measure(outcome.config);
    outcome.comparison = prove::compare(outcome.config, outcome.measured, around);
  } catch (const std::exception& error) {
    outcome.error = error.what();
  }
  return outcome;
}

void print(const Outcome& o) {
  if (!o.error.empty()) {
    std::printf("%-28s FAILED: %s\n", o.plan.c_str(), o.error.c_str());
    return;
  }
  std::printf("%-28s", o.plan.c_str());
  for (const prove::NumberField& f : prove::number_fields()) {
    int64_t measured = o.measured.numbers.*f.measured;
    int64_t off = measured - o.config.predicted.*f.predicted;
    std::string text = std::to_string(measured);
    if (off != 0) text += (off > 0 ? "(+" : "(") + std::to_string(off) + ")";
    std::printf(" %13s", text.c_str());
  }
  const prove::Comparison& c = o.comparison;
  std::printf("  %s", c.good() ? "exact" : "OFF");
  if (c.unfolded) std::printf(", %zu events", c.events);
  if (o.measured.scratch > 0)
    std::printf(", oneDNN +%lld", static_cast<long long>(o.measured.scratch));
  std::printf("\n");
  if (!c.parting) return;
  std::printf("  %s pass, event %zu:\n    predicted %s\n    measured  %s\n",
              c.parting->part.c_str(), c.parting->event, c.parting->predicted.c_str(),
              c.parting->measured.c_str());
  for (const std::string& line : c.parting->around) std::printf("    %s\n", line.c_str());
}

void print_events(const Outcome& o) {
  for (auto [name, events] : {std::pair{"forward", &o.measured.forward},
                              {"backward", &o.measured.backward},
                              {"release", &o.measured.release}})
    for (size_t i = 0; i < events->size(); ++i)
      std::printf("%s %zu %+lld %s\n", name, i, static_cast<long long>((*events)[i].bytes),
                  (*events)[i].by.c_str());
}

Json to_json(const Outcome& o) {
  Json j = {{"plan", o.plan}, {"exact", o.good()}};
  if (!o.error.empty()) {
    j["error"] = o.error;
    return j;
  }
  for (const prove::NumberField& f : prove::number_fields())
    j["bytes"][f.name] = {{"predicted", o.config.predicted.*f.predicted},
                          {"measured", o.measured.numbers.*f.measured}};
  j["off"] = o.comparison.off;
  j["events"] = o.comparison.events;
  j["scratch"] = o.measured.scratch;
  j["resident"] = o.measured.resident;
  if (const auto& p = o.comparison.parting)
    j["parting"] = {{"part", p->part},
                    {"event", p->event},
                    {"predicted", p->predicted},
                    {"measured", p->measured}};
  return j;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (std::ranges::find(words, "--help") != words.end()) {
    std::fputs(kHelp, stdout);
    return 0;
  }
  std::optional<Options> options = parse(words);
  if (!options) return 2;
  meter::install_counting_allocator();
  at::set_num_threads(1);
  at::globalContext().setUserEnabledMkldnn(options->onednn);
  Json all = Json::array();
  bool good = true;
  if (!options->json && !options->events) {
    std::printf("%-28s", "plan");
    for (const prove::NumberField& f : prove::number_fields()) std::printf(" %13s", f.name);
    std::printf("\n");
  }
  for (const std::string& path : options->configs) {
    Outcome outcome = run(path, options->around);
    good = good && outcome.good();
    if (options->json)
      all.push_back(to_json(outcome));
    else if (options->events)
      print_events(outcome);
    else
      print(outcome);
    std::fflush(stdout);
  }
  if (options->json) std::printf("%s\n", all.dump(2).c_str());
  return good ? 0 : 1;
}
