#include "estimate/roofline.h"

#include <algorithm>
#include <cmath>

#include "plan/wrap.h"

namespace dtp::estimate {
namespace {

using graph::DType;

bool is_16_bit(DType t) { return t == DType::bf16 || t == DType::fp16; }

// Large products reach the best rate, small ones less. Share of the best by the arithmetic of one
// product in FLOP: measured on A100 (calculon): 0.10 towards 0, 0.60 at 1e9, 0.90 at 16e9, 0.97 at
// 128e9 and above.
double share_of_best(double flops) {
  constexpr double at[] = {6, 9, 10.2, 11.1};  // log10
  constexpr double share[] = {0.10, 0.60, 0.90, 0.97};
  double x = std::log10(std::max(flops, 1.0));
  if (x <= at[0]) return share[0];
  for (int i = 1; i < 4; ++i)
    if (x <= at[i])
      return share[i - 1] + (share[i] - share[i - 1]) * (x - at[i - 1]) / (at[i] - at[i - 1]);
  return share[3];
}

Interval over(double amount, Interval rate) {
  return {amount / rate.hi, amount / rate.likely, amount / rate.lo};
}

}  // namespace

Roofline::Roofline(const plan::Settings& s)
    : efficiency_(s.framework.matmul_efficiency.value),
      attention_efficiency_(s.framework.attention_efficiency.value) {
  const plan::Gpu& gpu = s.hardware.gpu;
  DType type = s.precision.compute;
  if (auto simple = gpu.peak.find(DType::fp32); simple != gpu.peak.end())
    simple_peak_ = simple->second;
  bandwidth_ = gpu.bandwidth * s.framework.bandwidth_efficiency.value;
  bool narrow = is_16_bit(type);
  product_bytes_ = static_cast<double>(graph::size_of(narrow ? type : DType::fp32));
  auto stored = static_cast<double>(graph::size_of(plan::gathered_type(s.precision)));
  leeway_ = s.leeway;
  // Under autocast what a product reads and its gradients are cast: read in one type, written in
  // the other.
  element_bytes_ = s.precision.autocast ? leeway_.autocast_element : Interval::point(stored);
  matmul_ = products_of(gpu, type);
  cast_bytes_ = s.precision.autocast && narrow ? 6 : 0;
  fused_attention_ = s.attention != "eager" && s.framework.backend != "cpu";
}

// Products of a type that the GPU has no units for run in fp32: those of tf32 as they are; 16-bit
// ones with a conversion of every operand, at half the rate of fp32 or less on a T4
// (openxla/xla#12429; pytorch/pytorch#148322), at its whole rate at best.
Roofline::Engine Roofline::products_of(const plan::Gpu& gpu, DType type) const {
  auto units = gpu.units_of(type);
  if (!units) return {0, Interval::point(0)};  // the reader refuses it: no rate is made up
  Engine engine;
  engine.peak = gpu.peak.at(*units);
  auto measured = gpu.measured.find(*units);
  engine.best = measured != gpu.measured.end() ? measured->second
                                               : Interval::point(engine.peak) * efficiency_;
  if (*units != type && is_16_bit(type)) engine.best = engine.best * leeway_.emulated;
  return engine;
}

// The framework's efficiency is what real layers reach; the size law says where in it one product
// lies.
Interval Roofline::products(double flops, double kernels) const {
  if (flops <= 0) return Interval::point(0);
  double share = share_of_best(flops / std::max(kernels, 1.0));
  auto reached = [share](double best, double part) {
    return best * (part > 1 ? std::min(1.0, share * part) : share * part);
  };
  const Interval &best = matmul_.best, &part = leeway_.products;
  Interval rate = {reached(best.lo, part.lo), reached(best.likely, part.likely),
                   reached(best.hi, part.hi)};
  double floor = 0.05 * matmul_.peak;
  rate = {std::max(rate.lo, floor), std::max(rate.likely, floor), std::max(rate.hi, floor)};
  return over(flops, rate);
}

Interval Roofline::elementwise(double elements, double weights) const {
  Interval bytes =
      Interval::point(elements) * element_bytes_ + Interval::point(weights * product_bytes_);
  return {bytes.lo / bandwidth_.hi, bytes.likely / bandwidth_.likely, bytes.hi / bandwidth_.lo};
}

Interval Roofline::traffic(double bytes) const { return over(bytes, bandwidth_); }

Interval Roofline::arithmetic(Interval flops) const {
  if (simple_peak_ <= 0) return {};
  return flops / Interval::point(simple_peak_);
}

// Written out, the scores are written and read: product, scale, softmax, product: six passes over
// them forward.
Interval Roofline::attention(const ops::Cost& cost, double batch, double factor) const {
  Interval rate = Interval::point(matmul_.peak) * attention_efficiency_;
  Interval arithmetic = over(factor * 2 * cost.macs.at(batch), rate);
  double moved = factor * (cost.reads.at(batch) + cost.writes.at(batch));
  if (fused_attention_) return max(arithmetic, over(moved * product_bytes_, bandwidth_));
  return arithmetic + elementwise(moved + factor * 6 * cost.scores.at(batch), 0);
}

// Bytes that a product moves: operands and result once, and the casts of what it reads.
double Roofline::product_bytes(const ops::Cost& c, double batch) const {
  double moved = c.reads.at(batch) + c.writes.at(batch) + c.weights;
  return moved * product_bytes_ + (c.reads.at(batch) + c.weights) * cast_bytes_;
}

Roofline::Part Roofline::forward(const WorkItem& item, double batch) const {
  const ops::Cost& c = item.cost;
  double moved = c.reads.at(batch) + c.writes.at(batch);
  Part part;
  part.kernels = c.kernels;
  part.flops = 2 * c.macs.at(batch);
  if (c.work == ops::Work::attention) {
    part.seconds = attention(c, batch, 1);
    part.kernels = fused_attention_ ? 1 : 7;
  } else if (c.work == ops::Work::matmul) {
    double bytes = product_bytes(c, batch), casts = (c.reads.at(batch) + c.weights) * cast_bytes_;
    part.seconds =
        max(products(part.flops, 1), over(bytes - casts, bandwidth_)) + over(casts, bandwidth_);
  } else {
    part.seconds = elementwise(moved, c.weights);
  }
  return part;
}

// A product's backward pass is one product for each operand that needs a gradient. Simple kernels
// read the gradient and what was saved, and write: about half as much again as forward.
Roofline::Part Roofline::backward(const WorkItem& item, double batch) const {
  const ops::Cost& c = item.cost;
  Part part;
  if (!item.input_gradient && !item.weight_gradient) return part;
  double moved = c.reads.at(batch) + c.writes.at(batch);
  double operands = c.work == ops::Work::attention
                        ? 2
                        : (item.input_gradient ? 1 : 0) + (item.weight_gradient ? 1 : 0);
  if (c.work == ops::Work::matmul && c.weights == 0) operands = 2;
  part.kernels = c.kernels * 2;
  part.flops = operands * 2 * c.macs.at(batch);
  if (c.work == ops::Work::attention) {
    // Fused kernels compute the scores again: five products instead of two.
    part.seconds = attention(c, batch, fused_attention_ ? 2.5 : 2);
    if (fused_attention_) part.flops *= 1.25;
    part.kernels = fused_attention_ ? 3 : 12;
  } else if (c.work == ops::Work::matmul) {
    double bytes = product_bytes(c, batch), casts = (c.reads.at(batch) + c.weights) * cast_bytes_;
    Interval once = max(products(2 * c.macs.at(batch), 1), over(bytes - casts, bandwidth_));
    part.seconds = Interval::point(operands) * once + over(casts, bandwidth_);
  } else {
    part.seconds = Interval::point(1.5) * elementwise(moved, c.weights);
  }
  return part;
}

}  // namespace dtp::estimate
