#include "max_pool.hpp"

#include <algorithm>
#include <limits>

#include "element.hpp"
#include "threads.hpp"

namespace strided {
namespace {

// The images of an operand: the first two axes as one.
Index image_offset(const Layout& layout, Index image) {
  const Index channels = layout.length(1);
  return image / channels * layout.stride(0) + image % channels * layout.stride(1);
}

struct Seen {
  Index begin, end;  // positions of a window's element along an axis that lie inside the image, of the windows
};
// The windows i < count whose element `offset` (from the window's begin) is inside [0, length).
Seen inside(Index offset, Index stride, Index length, Index count) {
  const Index begin = offset >= 0 ? 0 : (-offset + stride - 1) / stride;
  const Index end = offset >= length ? 0 : (length - 1 - offset) / stride + 1;
  return {std::min(begin, count), std::clamp<Index>(end, std::min(begin, count), count)};
}

// One element of each of n windows that lie kStep apart (0: `step`) against the best so far.
template <class T, Index kStep>
void take_larger(Index n, const std::byte* x, Index step, std::int32_t place, std::int32_t place_step, T* best,
                 std::int32_t* places) {
  if constexpr (kStep != 0) step = kStep;
  for (Index i = 0; i < n; ++i) {
    const T value = load<T>(x + i * step * static_cast<Index>(sizeof(T)));
    const bool takes = value > best[i] || value != value;
    best[i] = takes ? value : best[i];
    places[i] = takes ? place + static_cast<std::int32_t>(i) * place_step : places[i];
  }
}

template <class T>
void pool_image(const PoolWindows& windows, const std::byte* x, const Layout& from, T* out, std::int32_t* places,
                Index out_rows, Index out_columns) {
  const Index rows = from.length(2), columns = from.length(3);
  const Index row_step = from.stride(2), column_step = from.stride(3);
  const Index step = windows.stride[1] * column_step;
  for (Index i = 0; i < out_rows; ++i, out += out_columns, places += out_columns) {
    std::fill_n(out, out_columns, -std::numeric_limits<T>::infinity());
    std::fill_n(places, out_columns, std::int32_t{-1});
    for (Index a = 0; a < windows.kernel[0]; ++a) {
      const Index row = i * windows.stride[0] - windows.padding[0] + a * windows.dilation[0];
      if (row < 0 || row >= rows) continue;
      for (Index b = 0; b < windows.kernel[1]; ++b) {
        const Index offset = b * windows.dilation[1] - windows.padding[1];
        const Seen seen = inside(offset, windows.stride[1], columns, out_columns);
        const Index first = seen.begin * windows.stride[1] + offset, n = seen.end - seen.begin;
        if (n <= 0) continue;
        const std::byte* const at = x + (row * row_step + first * column_step) * static_cast<Index>(sizeof(T));
        const auto place = static_cast<std::int32_t>(row * columns + first);
        const auto place_step = static_cast<std::int32_t>(windows.stride[1]);
        const auto take = step == 1 ? take_larger<T, 1> : step == 2 ? take_larger<T, 2> : take_larger<T, 0>;
        take(n, at, step, place, place_step, out + seen.begin, places + seen.begin);
      }
    }
    // A window of nothing but -infinity.
    for (Index j = 0; j < out_columns; ++j) {
      if (places[j] >= 0) continue;
      const Index row = std::max<Index>(0, i * windows.stride[0] - windows.padding[0]);
      const Index column = std::max<Index>(0, j * windows.stride[1] - windows.padding[1]);
      places[j] = static_cast<std::int32_t>(row * columns + column);
    }
  }
}

template <class Run>
void share_images(Index images, Index bytes, Run&& run) {
  if (images == 0 || bytes == 0) return;
  const Index pieces = std::min<Index>(images, pieces_for(static_cast<std::size_t>(bytes)));
  const Index share = (images + pieces - 1) / pieces;
  run_pieces(static_cast<int>((images + share - 1) / share), [&](int piece) {
    for (Index image = piece * share; image < std::min(images, (piece + 1) * share); ++image) run(image);
  });
}

template <class Run>
void with_type(DType dtype, Run&& run) {
  if (dtype == DType::Float64) run(double{});
  else run(float{});
}

}  // namespace

void max_pool(const Operand& out, std::int32_t* places, const Operand& x, const PoolWindows& windows) {
  const Layout &from = *x.layout, &to = *out.layout;
  const Index rows = to.length(2), columns = to.length(3), each = rows * columns;
  const Index taps = windows.kernel[0] * windows.kernel[1];
  with_type(x.dtype, [&]<class T>(T) {
    T* const results = reinterpret_cast<T*>(out.first());
    share_images(to.length(0) * to.length(1), to.size() * taps * itemsize(x.dtype), [&](Index image) {
      const std::byte* const in = x.first() + image_offset(from, image) * itemsize(x.dtype);
      pool_image(windows, in, from, results + image * each, places + image * each,
                 rows, columns);
    });
  });
}

void max_pool_gradient(const Operand& to, const std::int32_t* places, const Operand& g) {
  const Layout& from = *g.layout;
  const Index rows = from.length(2), columns = from.length(3), each = rows * columns;
  const Index image_size = to.layout->length(2) * to.layout->length(3);
  with_type(g.dtype, [&]<class T>(T) {
    T* const sums = reinterpret_cast<T*>(to.first());
    share_images(from.length(0) * from.length(1), from.size() * 16, [&](Index image) {
      const std::int32_t* place = places + image * each;
      T* const own = sums + image * image_size;
      for (Index i = 0; i < rows; ++i) {
        const std::byte* const row = g.first() + (image_offset(from, image) + i * from.stride(2)) * itemsize(g.dtype);
        for (Index j = 0; j < columns; ++j) own[*place++] += load<T>(row + j * from.stride(3) * itemsize(g.dtype));
      }
    });
  });
}

}  // namespace strided
