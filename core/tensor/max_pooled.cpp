// Max pooling and its backward pass, on tensors.
#include <algorithm>
#include <limits>
#include <string>

#include "errors.hpp"
#include "gradients.hpp"
#include "kernels/nn/packed_rows.hpp"

namespace strided {
namespace {

constexpr const char* kName = "max_pool2d";

void expect_images(const Tensor& x) {
  if (x.dtype != DType::Float32 && x.dtype != DType::Float64) {
    throw errors::dtype_mismatch(kName, std::string(name_of(x.dtype)), "it compares float32 and float64",
                                 "use .to(strided.float32)");
  }
  const Index any[] = {-1, -1, -1, -1};
  if (x.layout.rank() == 4) return;
  throw errors::shape_mismatch(kName, any, x.layout.shape(), "images are (n, c, h, w)");
}

}  // namespace

MaxPool max_pool(const Tensor& x, const kernels::nn::PoolWindows& windows, Index rows, Index columns) {
  expect_images(x);
  const Index out[] = {rows, columns};
  for (int axis = 0; axis < 2; ++axis) {
    const Index length = x.layout.length(2 + axis), kernel = windows.kernel[axis];
    const Index reach = windows.dilation[axis] * (kernel - 1) + 1;
    const bool fits = kernel >= 1 && windows.stride[axis] >= 1 && windows.dilation[axis] >= 1 &&
                      windows.padding[axis] >= 0 && 2 * windows.padding[axis] <= kernel && out[axis] >= 1 &&
                      (out[axis] - 1) * windows.stride[axis] < length + windows.padding[axis] &&
                      reach <= length + 2 * windows.padding[axis];
    if (!fits) {
      throw errors::invalid_argument("kernel_size", std::to_string(kernel),
                                     "and stride must be at least 1, and windows must lie inside the image "
                                     "with at most half of a window of padding");
    }
  }
  Index image;
  constexpr Index kMost = std::numeric_limits<std::int32_t>::max();
  if (!multiply(x.layout.length(2), x.layout.length(3), image) || image > kMost) {
    throw errors::invalid_argument("input", "an image of more than 2^31 elements", "must have fewer");
  }
  const Index shape[] = {x.layout.length(0), x.layout.length(1), rows, columns};
  MaxPool made{empty_tensor(shape, x.dtype), empty_tensor(shape, DType::Int32)};
  kernels::nn::max_pool(made.largest.operand(), reinterpret_cast<std::int32_t*>(made.places.data()), x.operand(),
                        windows);
  return made;
}

Tensor max_pool_gradient(const Tensor& g, const Tensor& places, Index rows, Index columns) {
  expect_images(g);
  const Span shape = places.layout.shape();
  const Layout packed = Layout::row_major(g.layout.shape());
  bool fits = places.dtype == DType::Int32 && shape.size() == 4 && rows >= 0 && columns >= 0;
  for (int axis = 0; fits && axis < 4; ++axis) {
    fits = places.layout.length(axis) == packed.length(axis) &&
           (packed.length(axis) <= 1 || places.layout.stride(axis) == packed.stride(axis));
  }
  if (!fits) {
    throw errors::shape_mismatch(kName, g.layout.shape(), shape, "give the places that max_pool returned");
  }
  const auto* const first = reinterpret_cast<const std::int32_t*>(places.data());
  std::int32_t least = 0, most = 0;
  kernels::nn::in_blocks(places.layout.size(), kernels::nn::kWrittenBlock, [&](Index begin, Index n) {
    for (Index i = begin; i < begin + n; ++i) {
      least = std::min(least, first[i]);
      most = std::max(most, first[i]);
    }
  });
  if (least < 0) throw errors::index_out_of_bounds(least, rows * columns, 2);
  if (most > 0 && most >= rows * columns) throw errors::index_out_of_bounds(most, rows * columns, 2);
  const Index image[] = {g.layout.length(0), g.layout.length(1), rows, columns};
  Tensor made = empty_tensor(image, g.dtype);
  kernels::nn::max_pool_gradient(made.operand(), first, g.operand());
  return made;
}

}  // namespace strided
