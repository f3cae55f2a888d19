// How long a check takes for each of many plans in one process: a folder in CI, a sweep.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "pipeline/session.h"

namespace {

constexpr int kPlans = 1000;

constexpr const char* kHead = R"(dtp 1
import std.recipes.dit
import std.hardware.nvidia
)";

// No two plans are alike: each has a batch and a length of its own.
std::string plan(int i) {
  std::string n = std::to_string(i + 1);
  return "plan p" + n + " = dit.paper {\n  hardware = gpus(8, nvidia.A100_SXM_80GB)\n" +
         "  batch = { global = " + std::to_string(8 * (1 + i % 64)) + " }\n  duration = " + n +
         "_000 steps\n  require fits: memory.peak <= 90% * gpu.memory\n}\n";
}

void make_sure(const dtp::pipeline::Session& session) {
  if (session.plans().size() != kPlans) std::abort();
}

// The time of an iteration in ms is that of one plan in us.
void BM_ThousandFiles(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) {
    dtp::pipeline::Session session({});
    for (int i = 0; i < kPlans; ++i)
      session.check_text("p" + std::to_string(i), "", kHead + plan(i));
    make_sure(session);
  }
  state.SetItemsProcessed(state.iterations() * kPlans);
}
BENCHMARK(BM_ThousandFiles)->Unit(benchmark::kMillisecond);

void BM_ThousandPlansOfOneFile(benchmark::State& state) {
  std::string text = kHead;
  for (int i = 0; i < kPlans; ++i) text += plan(i);
  for ([[maybe_unused]] auto _ : state) {
    dtp::pipeline::Session session({});
    session.check_text("plans", "", text);
    make_sure(session);
  }
  state.SetItemsProcessed(state.iterations() * kPlans);
}
BENCHMARK(BM_ThousandPlansOfOneFile)->Unit(benchmark::kMillisecond);

}  // namespace
