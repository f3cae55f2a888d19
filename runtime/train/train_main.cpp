#include "runtime/train/train_main.h"

#include <ATen/ATen.h>

#include <cstdio>
#include <exception>
#include <functional>

#include "runtime/config/config_error.h"
#include "runtime/config/read_config.h"
#include "runtime/config/validate.h"
#include "runtime/evaluate/evaluate.h"
#include "runtime/meter/counting_allocator.h"
#include "runtime/train/signals.h"
#include "runtime/train/threads.h"
#include "runtime/train/trainer.h"

namespace dtp::runtime {
namespace {

void tell(const std::string& what) {
  // LibTorch appends its own stack.
  std::string text = what.substr(0, what.find("\nException raised from"));
  std::fprintf(stderr, "dtp-train: %s\n", text.c_str());
}

int evaluate_with(const TrainingConfig& config, const train::Options& options) {
  train::set_threads(options.threads, 1);
  at::globalContext().setUserEnabledMkldnn(options.onednn);
  auto source = data::from_folder(config, options.data, 0);
  evaluate::Result result = evaluate::evaluate(config, options.evaluate, *source);
  std::printf("%lld samples, loss %.4f", static_cast<long long>(result.samples), result.loss);
  if (result.right) std::printf(", %.2f %% right", 100 * *result.right);
  std::printf("\n");
  return train::kDone;
}

int train_with(TrainingConfig config, const train::Options& options) {
  if (options.steps) config.steps = *options.steps;
  if (options.seed) config.seed = *options.seed;
  parallel::Membership membership = parallel::membership();
  if (options.device == "cpu" && (config.compute == "fp16" || config.parameters == "fp16"))
    throw ConfigError("compute", "fp16 trains on CUDA alone: `bf16` runs everywhere");
  if (options.device != "cpu" && !at::hasCUDA()) throw ConfigError("--device", "there is no CUDA");
  int threads = train::set_threads(options.threads, membership.local_world);
  at::globalContext().setUserEnabledMkldnn(options.onednn);
  train::watch_signals();
  return train::Trainer(config, options, membership, threads).run();
}

using Provider = std::function<TrainingConfig(const train::Options&)>;

int run(const Provider& config_of, bool takes_config, int argc, char** argv) {
  // Before any tensor, so that all memory is counted.
  meter::install_counting_allocator();
  try {
    std::span<char*> words(argv, static_cast<size_t>(argc));
    auto parsed = train::parse_options(words.subspan(argc > 0 ? 1 : 0), takes_config);
    if (const auto* wrong = std::get_if<std::string>(&parsed)) {
      tell(*wrong);
      return train::kUnusable;
    }
    const auto& options = std::get<train::Options>(parsed);
    if (options.help) {
      std::fputs(train::help(argc > 0 ? argv[0] : "dtp-train", takes_config).c_str(), stdout);
      return train::kDone;
    }
    if (!options.evaluate.empty()) return evaluate_with(config_of(options), options);
    return train_with(config_of(options), options);
  } catch (const ConfigError& error) {
    tell(error.what());
    return train::kUnusable;
  } catch (const std::exception& error) {
    tell(error.what());
    return train::kFailed;
  }
}

}  // namespace

int train_main(TrainingConfig config, int argc, char** argv) {
  return run(
      [&config](const train::Options&) {
        validate(config);
        return config;
      },
      false, argc, argv);
}

int train_main(int argc, char** argv) {
  return run([](const train::Options& options) { return read_config(options.config); }, true, argc,
             argv);
}

}  // namespace dtp::runtime
