#include <ATen/ATen.h>

#include "runtime/data/source.h"
#include "runtime/run/types.h"

namespace dtp::runtime::data {

Batch::Batch(const TrainingConfig& config, at::Device device) : samples_(config.micro_batch) {
  for (const Input& input : config.graph.inputs) {
    const runtime::Tensor& tensor = config.graph.tensors[input.tensor];
    at::ScalarType type = type_of(tensor.element, type_of(config.parameters));
    std::vector<int64_t> sizes = sizes_of(tensor.shape, samples_);
    Column column;
    for (size_t i = 0; i < tensor.shape.size(); ++i)
      if (tensor.shape[i].batch) {
        column.axis = static_cast<int>(i);
        column.extent = sizes[i] = tensor.shape[i].value;
      }
    if (!device.is_cpu()) column.of_sample = at::empty(sizes, at::TensorOptions().dtype(type));
    if (column.axis >= 0) sizes[static_cast<size_t>(column.axis)] *= samples_;
    inputs_.push_back(at::zeros(sizes, at::TensorOptions(device).dtype(type)));
    columns_.push_back(std::move(column));
  }
}

void Batch::fill(Source& source, int64_t first) {
  at::NoGradGuard guard;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const Column& column = columns_[i];
    // What has no batch is the same for all samples: that of the first.
    int64_t parts = column.axis < 0 ? 1 : samples_;
    for (int64_t k = 0; k < parts; ++k) {
      at::Tensor place = column.axis < 0
                             ? inputs_[i]
                             : inputs_[i].narrow(column.axis, k * column.extent, column.extent);
      int64_t number = column.axis < 0 ? 0 : first + k;
      if (!column.of_sample.defined()) {
        source.fill(i, number, place);
      } else {
        source.fill(i, number, column.of_sample);
        place.copy_(column.of_sample);
      }
    }
  }
}

}  // namespace dtp::runtime::data
