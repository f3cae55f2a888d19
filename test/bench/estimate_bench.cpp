// How long an estimate takes once the graph is there: what a solver pays for each candidate.
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "base/source_manager.h"
#include "engine/engine.h"
#include "sema/loader.h"
#include "syntax/embedded.h"

namespace {

constexpr const char* kPlan = R"(dtp 1
import std.recipes.dit
import std.hardware.nvidia
plan p = dit.paper { hardware = gpus(8, nvidia.A100_SXM_80GB), precision = amp(fp16) }
)";

// A plan of the library, evaluated once.
struct Evaluated {
  dtp::SourceManager sources;
  dtp::CollectingSink sink;
  dtp::Interner names;
  dtp::units::UnitTable units;
  llvm::BumpPtrAllocator arena;
  dtp::eval::Evaluator evaluator{names, units, sink, arena};
  dtp::engine::Engine engine{evaluator};
  dtp::sema::Loader loader{sources,   names, units,
                           evaluator, arena, {dtp::syntax::embedded_library(), {}}};
  const dtp::engine::Outcome* outcome = nullptr;

  Evaluated() {
    evaluator.set_prelude(loader.load_prelude());
    dtp::lang::Module* module = loader.load_text("bench", "", kPlan);
    dtp::eval::Value plan = evaluator.declared(module, *module->entry(names.intern("p")));
    if (plan.is(dtp::eval::ValueKind::record)) outcome = engine.at(plan.record);
    if (!outcome) std::abort();
  }
};

const Evaluated& evaluated() {
  static const Evaluated one;
  return one;
}

// Batch and accumulation change; the schedules of the passes are known.
void BM_ChangeOfBatch(benchmark::State& state) {
  dtp::estimate::Estimator estimator(evaluated().outcome->graph());
  dtp::plan::Settings settings = evaluated().outcome->settings;
  estimator.estimate(settings);
  for ([[maybe_unused]] auto _ : state) {
    settings.batch.micro = settings.batch.micro == 32 ? 16 : 32;
    settings.batch.accumulation = 32 / settings.batch.micro;
    benchmark::DoNotOptimize(estimator.memory(settings).peak.value.likely);
    benchmark::DoNotOptimize(estimator.time(settings).step.value.likely);
  }
}
BENCHMARK(BM_ChangeOfBatch);

void BM_ChangeOfRecompute(benchmark::State& state) {
  dtp::estimate::Estimator estimator(evaluated().outcome->graph());
  dtp::plan::Settings settings = evaluated().outcome->settings;
  for ([[maybe_unused]] auto _ : state) {
    settings.recompute = settings.recompute == dtp::plan::Recompute::none
                             ? dtp::plan::Recompute::full
                             : dtp::plan::Recompute::none;
    benchmark::DoNotOptimize(estimator.memory(settings).peak.value.likely);
    benchmark::DoNotOptimize(estimator.time(settings).step.value.likely);
  }
}
BENCHMARK(BM_ChangeOfRecompute);

// From the graph: schedules are made.
void BM_FirstEstimate(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(
        dtp::estimate::estimate(evaluated().outcome->graph(), evaluated().outcome->settings)
            .memory.peak.value.likely);
}
BENCHMARK(BM_FirstEstimate);

}  // namespace
