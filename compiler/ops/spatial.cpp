#include "ops/spatial.h"

namespace dtp::ops {

std::optional<Failure> check_image(const Call& call, TensorId x) {
  const Shape& image = const_cast<Call&>(call).builder()[x].shape;
  if (image.rank() == 4 && !image[1].batch && !image[2].batch && !image[3].batch)
    return std::nullopt;
  Failure failure =
      call.fail("`" + std::string(call.callee()) + "` works on images [B, channels, height, width]",
                "applied to " + to_string(image));
  call.explain(failure, x);
  return failure;
}

std::variant<std::pair<Dim, Dim>, Failure> slide(const Call& call, TensorId x, Window window,
                                                 size_t at) {
  const Shape& image = const_cast<Call&>(call).builder()[x].shape;
  constexpr int64_t kMost = 1 << 20;
  bool sane = window.size >= 1 && window.size <= kMost && window.stride >= 1 &&
              window.stride <= kMost && window.padding >= 0 && window.padding <= kMost;
  auto places = [&](Dim size) -> Dim {
    return {(size.value + 2 * window.padding - window.size) / window.stride + 1, false};
  };
  auto fits = [&](Dim size) { return size.value + 2 * window.padding >= window.size; };
  if (sane && fits(image[2]) && fits(image[3]))
    return std::pair{places(image[2]), places(image[3])};
  Failure failure = call.fail(
      sane ? "a window of " + std::to_string(window.size) + " x " + std::to_string(window.size) +
                 " does not fit into " + to_string(image[2]) + " x " + to_string(image[3])
           : "a window has a size and a stride of at least 1, and no negative padding",
      at,
      "with " + std::to_string(window.padding) + " of padding and a stride of " +
          std::to_string(window.stride));
  call.explain(failure, x);
  return failure;
}

}  // namespace dtp::ops
