#include "runtime/evaluate/evaluate.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "runtime/run/executor.h"
#include "runtime/store/tensor_file.h"

namespace dtp::runtime::evaluate {
namespace {

// What the labels of the pass's cross-entropy were, and what the logits say.
struct Answers {
  int64_t right = 0, all = 0;

  void count(const std::vector<at::Tensor>& inputs) {
    at::Tensor chosen = inputs[0].argmax(-1);
    right += chosen.eq(inputs[1]).sum().item<int64_t>();
    all += chosen.numel();
  }
};

// The sum of the losses of samples [first, first + config.micro_batch * batches).
double run(const TrainingConfig& config, const Parameters& parameters, data::Source& source,
           int64_t first, int64_t batches, Answers& answers) {
  Executor executor(config, parameters, at::kCPU);
  executor.set_training(false);
  executor.watch("cross_entropy",
                 [&](const std::vector<at::Tensor>& inputs) { answers.count(inputs); });
  data::Batch batch(config, at::kCPU);
  double sum = 0;
  for (int64_t i = 0; i < batches; ++i) {
    batch.fill(source, first + i * config.micro_batch);
    auto loss = executor.forward(batch.inputs()).item<double>();
    sum += loss * static_cast<double>(config.micro_batch);
    executor.end_pass();
  }
  return sum;
}

}  // namespace

Result evaluate(const TrainingConfig& config, const std::string& model, data::Source& source) {
  at::NoGradGuard guard;
  Parameters parameters(config, at::kCPU, 0);
  store::TensorFile file(model);
  for (const ParameterCopy& p : parameters.all())
    if (p.declared->saved) file.read(p.key, p.value.detach());
  Result result;
  result.samples = source.samples();
  Answers answers;
  int64_t whole = result.samples / config.micro_batch;
  double sum = run(config, parameters, source, 0, whole, answers);
  TrainingConfig last = config;  // the samples that fill no batch
  last.micro_batch = result.samples - whole * config.micro_batch;
  if (last.micro_batch > 0)
    sum += run(last, parameters, source, whole * config.micro_batch, 1, answers);
  result.loss = sum / static_cast<double>(std::max<int64_t>(result.samples, 1));
  if (answers.all > 0)
    result.right = static_cast<double>(answers.right) / static_cast<double>(answers.all);
  return result;
}

}  // namespace dtp::runtime::evaluate
