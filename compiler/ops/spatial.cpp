#include "ops/spatial.h"

#include <algorithm>

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

namespace {

// "3 x 3"; "2" where every window says the same and `all` is not asked for.
std::string joined(std::span<const Window> windows, int64_t Window::* which, bool all) {
  bool equal = std::all_of(windows.begin(), windows.end(),
                           [&](const Window& w) { return w.*which == windows[0].*which; });
  std::string out;
  for (const Window& w : windows) {
    out += (out.empty() ? "" : " x ") + std::to_string(w.*which);
    if (equal && !all) break;
  }
  return out;
}

}  // namespace

std::variant<std::vector<Dim>, Failure> slide(const Call& call, TensorId x,
                                              std::span<const Window> windows, size_t at) {
  const Shape& image = const_cast<Call&>(call).builder()[x].shape;
  constexpr int64_t kMost = 1 << 20;
  bool sane = true, fits = true;
  std::vector<Dim> places;
  std::string sizes;
  for (size_t i = 0; i < windows.size(); ++i) {
    const Window& w = windows[i];
    Dim size = image[static_cast<int>(i) + 2];
    sane = sane && w.size >= 1 && w.size <= kMost && w.stride >= 1 && w.stride <= kMost &&
           w.padding >= 0 && w.padding <= kMost;
    if (!sane) break;
    fits = fits && size.value + 2 * w.padding >= w.size;
    places.push_back({(size.value + 2 * w.padding - w.size) / w.stride + 1, false});
    sizes += (i == 0 ? "" : " x ") + to_string(size);
  }
  if (sane && fits) return places;
  Failure failure = call.fail(
      sane ? "a window of " + joined(windows, &Window::size, true) + " does not fit into " + sizes
           : "a window has a size and a stride of at least 1, and no negative padding",
      at,
      "with " + joined(windows, &Window::padding, false) + " of padding and a stride of " +
          joined(windows, &Window::stride, false));
  call.explain(failure, x);
  return failure;
}

std::variant<std::vector<int64_t>, Failure> for_each_axis(const Call& call, size_t i, size_t axes) {
  std::vector<int64_t> values = call.integers(i);
  if (values.empty() && !call.given(i)) values = {call.integer(i)};
  if (values.size() == 1) values.assign(axes, values[0]);
  if (values.size() == axes) return values;
  return call.fail(axes == 1 ? "one number is said here, for the one axis"
                             : "one number is said here, or " + std::to_string(axes) +
                                   ": for the height and for the width",
                   i, std::to_string(values.size()) + " numbers");
}

}  // namespace dtp::ops
