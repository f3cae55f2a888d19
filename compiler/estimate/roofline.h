// The time of one operation on one device: arithmetic or traffic, whichever takes longer.
#pragma once
#include "estimate/work_list.h"
#include "plan/settings.h"

namespace dtp::estimate {

// How a device and a framework meet the work of a plan.
class Roofline {
 public:
  explicit Roofline(const plan::Settings& settings);

  struct Part {
    Interval seconds;  // of the device
    double flops = 0;  // of matrix products, executed
    double kernels = 0;
  };
  Part forward(const WorkItem& item, double batch) const;
  Part backward(const WorkItem& item, double batch) const;
  // `bytes` read and written by simple kernels.
  Interval traffic(double bytes) const;
  // FLOP of simple kernels, on the fp32 units at their peak.
  Interval arithmetic(Interval flops) const;
  double peak_flops() const { return matmul_.peak; }

 private:
  struct Engine {     // of matrix products of one type
    double peak = 0;  // FLOP/s
    Interval best;    // FLOP/s of large products
  };
  Engine products_of(const plan::Gpu& gpu, graph::DType type) const;
  Interval products(double flops, double kernels) const;
  Interval attention(const ops::Cost& cost, double batch, double factor) const;
  Interval elementwise(double elements, double weights) const;
  double product_bytes(const ops::Cost& cost, double batch) const;

  Engine matmul_;
  Interval efficiency_, attention_efficiency_, bandwidth_;  // bandwidth: bytes/s reached
  plan::Leeway leeway_;
  Interval element_bytes_;    // of an activation read or written by simple kernels
  double product_bytes_ = 4;  // of an element of a product
  double simple_peak_ = 0;    // FLOP/s of fp32 outside matrix products; 0: not known
  double cast_bytes_ = 0;     // moved to cast an element
  bool fused_attention_ = false;
};

}  // namespace dtp::estimate
