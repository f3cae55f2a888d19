// A training job in C++ on the runtime: the plan's graph with the point where each tensor dies, and
// what is predicted of it, so that running it proves the prediction.
#include "base/out.h"
#include "diagnostics/display.h"
#include "emit/launch_words.h"
#include "emit/readme.h"
#include "emit/training_config.h"

namespace dtp::emit {
namespace {

class Refusals {
 public:
  Refusals(const Subject& subject, DiagnosticSink& sink) : subject_(subject), sink_(sink) {}

  // False after a report: the runtime cannot train the plan as it is.
  bool none(const plan::Training& training) {
    parallel();
    precision();
    parts();
    if (training.optimizer.empty())
      refuse(training.optimizer_span,
             format("the runtime has no step of `{}`", subject_.settings.optimizer.name),
             "it has `sgd`, `adam` and `adamw`, and what is amended from them");
    return good_;
  }

 private:
  void refuse(Span at, std::string headline, std::string help) {
    good_ = false;
    sink_.add(DiagnosticBuilder(Kind::TargetCannot, at, std::move(headline)).help(std::move(help)));
  }

  void parallel() {
    const plan::Spread& p = subject_.settings.parallel;
    if (p.tensor > 1)
      refuse(
          subject_.place("parallel"),
          format("the runtime trains whole models, and `tensor = {}` divides this one", p.tensor),
          "`parallel = ddp` spreads the samples alone");
    else if (p.kind != plan::Parallel::single && p.kind != plan::Parallel::ddp)
      refuse(subject_.place("parallel"),
             format("the runtime spreads samples alone, and `{}` spreads the model",
                    plan::name_of(p.kind)),
             "`parallel = ddp` or `single`; what the script of your framework does is started by "
             "`dtpc emit torchrun`");
  }

  void precision() {
    const plan::Precision& p = subject_.settings.precision;
    bool cpu = subject_.settings.framework.backend == "cpu";
    if (p.master || p.loss_scale || (p.compute == graph::DType::fp16))
      refuse(subject_.place("precision"), format("the runtime does not train in `{}`", p.name),
             cpu ? "on a processor: `fp32`, `bf16` or `amp(bf16)`"
                 : "`fp32`, `tf32`, `bf16` or `amp(bf16)`");
  }

  void parts() {
    const plan::Precision& p = subject_.settings.precision;
    for (const graph::PartForm& form : subject_.settings.adaptation.parts) {
      bool own_type = form.stored && form.stored != p.frozen;
      if (!own_type && !form.lr) continue;
      refuse(subject_.place("parts"),
             own_type ? format("the runtime stores what is not trained in {}, and `{}` in another "
                               "type",
                               graph::name_of(p.frozen), form.pattern)
                      : format("the runtime has one learning rate, and `{}` another", form.pattern),
             "`trained` is all that it reads of `parts`");
      return;
    }
  }

  const Subject& subject_;
  DiagnosticSink& sink_;
  bool good_ = true;
};

std::string main_text() {
  return "// Written by `dtpc emit libtorch`: change the plan, and write it again.\n"
         "#include \"runtime/train/train_main.h\"\n"
         "#include \"training_config.h\"\n\n"
         "int main(int argc, char** argv) {\n"
         "  return dtp::runtime::train_main(job::training_config(), argc, argv);\n"
         "}\n";
}

// The runtime is found where the build is told, or in the environment.
std::string build_text() {
  return R"(# Written by `dtpc emit libtorch`: change the plan, and write it again.
cmake_minimum_required(VERSION 3.22)
project(job LANGUAGES C CXX)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(DTP_RUNTIME "$ENV{DTP_RUNTIME}" CACHE PATH "The folder runtime/ of dtpc's sources")
if(NOT EXISTS "${DTP_RUNTIME}/CMakeLists.txt")
  message(FATAL_ERROR "No runtime at '${DTP_RUNTIME}': cmake -S . -B build "
    "-DDTP_RUNTIME=<dtpc's sources>/runtime says where it is")
endif()
add_subdirectory("${DTP_RUNTIME}" runtime)
add_executable(train main.cpp)
target_link_libraries(train PRIVATE dtp_runtime)
)";
}

// One process, or as many as the plan has ranks: each is told its number as torchrun would.
std::string start_text(int ranks) {
  std::string text = R"sh(#!/bin/bash
# Written by `dtpc emit libtorch`: change the plan, and write it again.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
if [ ! -x build/train ]; then
  cmake -S . -B build
  cmake --build build -j 2
fi
)sh";
  if (ranks == 1) return text + "exec build/train --out results \"$@\"\n";
  text += format(
      R"(export WORLD_SIZE={}
export MASTER_ADDR="${{MASTER_ADDR:-127.0.0.1}}" MASTER_PORT="${{MASTER_PORT:-29500}}"
processes=()
for ((rank = 0; rank < WORLD_SIZE; rank++)); do
  RANK=$rank LOCAL_RANK=$rank build/train --out results "$@" &
  processes+=($!)
done
trap 'kill "${{processes[@]}}" 2>/dev/null || true' EXIT
# The first that fails ends the others.
for ((left = WORLD_SIZE; left > 0; left--)); do
  wait -n "${{processes[@]}}"
done
)",
      ranks);
  return text;
}

void explain(Emission& to, const plan::Settings& settings) {
  to.start = {"export DTP_RUNTIME=<dtpc's sources>/runtime", "bash train.sh"};
  to.assumed.push_back(
      "LibTorch 1.13 or a 2.x is found by CMake: Debian's libtorch-dev, libgloo-dev and "
      "nlohmann-json3-dev, or -DCMAKE_PREFIX_PATH=<libtorch>.");
  to.assumed.push_back(
      format("The bytes that are predicted follow the rules of {} {}, with oneDNN off.",
             settings.framework.name, settings.framework.version));
  to.assumed.push_back(
      "Without --data the samples are made up: memory and time are those of the real data, and "
      "the loss is not.");
  to.origins = {{"graph", "model"},       {"optimizer", "optimizer"},
                {"schedule", "schedule"}, {"micro_batch, accumulation", "batch"},
                {"steps", "duration"},    {"autocast, compute, parameters", "precision"},
                {"ranks", "hardware"}};
}

}  // namespace

std::optional<Emission> emit_libtorch(const Subject& subject, DiagnosticSink& sink) {
  std::optional<plan::Training> training = subject.training();
  if (!training || !Refusals(subject, sink).none(*training)) return std::nullopt;
  runtime::TrainingConfig config = training_config(subject.outcome, *training, subject.version);
  Emission out;
  out.files.push_back({"train.sh", start_text(config.ranks), true});
  out.files.push_back({"training.json", training_json(config)});
  out.files.push_back({"training_config.h", training_header(config)});
  out.files.push_back({"main.cpp", main_text()});
  out.files.push_back({"CMakeLists.txt", build_text()});
  explain(out, subject.settings);
  return finished(std::move(out), subject.settings, "libtorch");
}

}  // namespace dtp::emit
