#include "runtime/parallel/buckets.h"

#include <ATen/ATen.h>

namespace dtp::runtime::parallel {

Buckets::Buckets(std::vector<at::Tensor> parameters, int64_t first, int64_t other, bool views)
    : parameters_(std::move(parameters)), views_(views) {
  int64_t bytes = 0, elements = 0;
  Bucket open;
  auto close = [&] {
    open.flat = at::zeros({elements}, parameters_[open.parameters[0]].options());
    buckets_.push_back(std::move(open));
    open = {};
    bytes = elements = 0;
  };
  for (size_t i = parameters_.size(); i-- > 0;) {
    open.parameters.push_back(i);
    bytes += static_cast<int64_t>(parameters_[i].nbytes());
    elements += parameters_[i].numel();
    if (bytes >= (buckets_.empty() ? first : other)) close();
  }
  if (!open.parameters.empty()) close();
}

void Buckets::gather(Bucket& bucket) {
  int64_t at = 0;
  for (size_t i : bucket.parameters) {
    const at::Tensor& p = parameters_[i];
    at::Tensor place = bucket.flat.narrow(0, at, p.numel()).view_as(p);
    at += p.numel();
    // Another rank may have one where this has none.
    if (!p.grad().defined())
      place.zero_();
    else if (!place.is_alias_of(p.grad()))
      place.copy_(p.grad());
  }
}

void Buckets::scatter(Bucket& bucket) {
  int64_t at = 0;
  for (size_t i : bucket.parameters) {
    const at::Tensor& p = parameters_[i];
    at::Tensor place = bucket.flat.narrow(0, at, p.numel()).view_as(p);
    at += p.numel();
    if (views_ || !p.grad().defined())
      p.mutable_grad() = views_ ? place : place.clone();
    else
      p.mutable_grad().copy_(place);
  }
}

void Buckets::reduce(Group& group, int world) {
  at::NoGradGuard guard;
  std::vector<std::function<void()>> waits;
  for (Bucket& bucket : buckets_) {
    gather(bucket);
    waits.push_back(group.sum(bucket.flat));
  }
  for (size_t i = 0; i < buckets_.size(); ++i) {
    waits[i]();
    buckets_[i].flat.div_(world);
    scatter(buckets_[i]);
  }
}

}  // namespace dtp::runtime::parallel
