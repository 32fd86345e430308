#include "max_pool.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

#include "dtype/element.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"
#include "plan/walk.hpp"
#include "run/interrupt.hpp"

namespace strided::kernels::nn {
namespace {

constexpr Index kMostTaps = 64;   // of a window whose offsets are listed, on the stack
constexpr Index kBytesWorth = 32;  // finding a place takes a few times as long as moving an element
constexpr Index kBlock = Index{1} << 20;  // windows, or zeros, between two looks for an interrupt

// A range of windows.
struct WindowRange {
  Index begin, end;
};
// The windows i < count whose element `offset` (from the window's begin) is inside [0, length).
WindowRange inside(Index offset, Index stride, Index length, Index count) {
  const Index begin = offset >= 0 ? 0 : ceil_div(-offset, stride);
  const Index end = offset >= length ? 0 : (length - 1 - offset) / stride + 1;
  return {std::min(begin, count), std::clamp<Index>(end, std::min(begin, count), count)};
}

// Takes a value and its place if it is larger, or NaN, by bits: which of them are is not foreseeable, so a
// branch would be slow.
template <class T>
[[gnu::always_inline]] inline void choose(T value, std::int32_t at, T& best, std::int32_t& place) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const int takes = static_cast<int>(value > best) | static_cast<int>(value != value);
  const Bits mask = Bits{0} - static_cast<Bits>(takes);
  best = std::bit_cast<T>((std::bit_cast<Bits>(value) & mask) | (std::bit_cast<Bits>(best) & ~mask));
  place += (at - place) & -takes;
}

// One element of each of n windows, every kStep-th element (0: `step`) against the best so far.
template <class T, Index kStep>
void take_larger(Index n, const std::byte* x, Index step, std::int32_t place, std::int32_t place_step, T* best,
                 std::int32_t* places) {
  if constexpr (kStep != 0) step = kStep;
  for (Index i = 0; i < n; ++i) {
    const T value = load<T>(x + i * step * static_cast<Index>(sizeof(T)));
    choose(value, place + static_cast<std::int32_t>(i) * place_step, best[i], places[i]);
  }
}

template <class T>
void pool_image(const PoolWindows& windows, const std::byte* x, const Layout& from, T* out, std::int32_t* places,
                Index out_rows, Index out_columns) {
  const Index rows = from.length(2), columns = from.length(3);
  const Index row_step = from.stride(2), column_step = from.stride(3);
  const Index step = windows.stride[1] * column_step;
  InterruptCheck check;
  for (Index i = 0; i < out_rows; ++i, out += out_columns, places += out_columns) {
    for (Index j = 0; j < out_columns; j += kBlock) {
      const Index n = std::min(kBlock, out_columns - j);
      std::fill_n(out + j, n, -std::numeric_limits<T>::infinity());
      std::fill_n(places + j, n, std::int32_t{-1});
      check.after(n);
    }
    for (Index a = 0; a < windows.kernel[0]; ++a) {
      const Index row = i * windows.stride[0] - windows.padding[0] + a * windows.dilation[0];
      if (row < 0 || row >= rows) continue;
      for (Index b = 0; b < windows.kernel[1]; ++b) {
        const Index offset = b * windows.dilation[1] - windows.padding[1];
        const WindowRange range = inside(offset, windows.stride[1], columns, out_columns);
        const auto place_step = static_cast<std::int32_t>(windows.stride[1]);
        const auto take = step == 1 ? take_larger<T, 1> : step == 2 ? take_larger<T, 2> : take_larger<T, 0>;
        for (Index j = range.begin; j < range.end; j += kBlock) {
          const Index first = j * windows.stride[1] + offset, n = std::min(kBlock, range.end - j);
          const std::byte* const at = x + (row * row_step + first * column_step) * static_cast<Index>(sizeof(T));
          take(n, at, step, static_cast<std::int32_t>(row * columns + first), place_step, out + j, places + j);
          check.after(n);
        }
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

// Whether every window lies inside the image, and has few enough elements for pool_inside.
bool lies_inside(const PoolWindows& windows, const Layout& from, Index out_rows, Index out_columns) {
  const Index out[] = {out_rows, out_columns};
  for (int axis = 0; axis < 2; ++axis) {
    const Index reach = (windows.kernel[axis] - 1) * windows.dilation[axis];
    const Index last = (out[axis] - 1) * windows.stride[axis] + reach;
    if (windows.padding[axis] != 0 || last >= from.length(2 + axis)) return false;
  }
  return windows.kernel[0] * windows.kernel[1] <= kMostTaps;
}

// Window by window, for kTaps elements each (0: as many as there are): images may be too small for long
// loops.
template <class T, Index kTaps>
void pool_inside(const PoolWindows& windows, const std::byte* x, const Layout& from, T* out, std::int32_t* places,
                 Index out_rows, Index out_columns) {
  constexpr Index kItem = static_cast<Index>(sizeof(T));
  const Index columns = from.length(3);
  const Index row_step = scaled(from.stride(2), kItem, 1), column_step = scaled(from.stride(3), kItem, 1);
  Index offsets[kMostTaps];
  std::int32_t further[kMostTaps];
  Index taps = 0;
  for (Index a = 0; a < windows.kernel[0]; ++a) {
    for (Index b = 0; b < windows.kernel[1]; ++b, ++taps) {
      const Index row = a * windows.dilation[0], column = b * windows.dilation[1];
      offsets[taps] = row * row_step + column * column_step;
      further[taps] = static_cast<std::int32_t>(row * columns + column);
    }
  }
  if constexpr (kTaps != 0) taps = kTaps;
  InterruptCheck check;
  for (Index i = 0; i < out_rows; ++i) {
    const std::byte* const row = x + i * windows.stride[0] * row_step;
    for (Index j = 0; j < out_columns;) {
      const Index begin = j, end = std::min(out_columns, begin + kBlock);
      for (; j < end; ++j) {
        const std::byte* const window = row + j * windows.stride[1] * column_step;
        T best = load<T>(window);
        std::int32_t place = 0;
        for (Index tap = 1; tap < taps; ++tap) {
          choose(load<T>(window + offsets[tap]), further[tap], best, place);
        }
        *out++ = best;
        *places++ = static_cast<std::int32_t>(i * windows.stride[0] * columns + j * windows.stride[1]) + place;
      }
      check.after((end - begin) * taps);
    }
  }
}

// Adds up an image g by its places, in an image of `size` elements.
template <class T>
void scatter_image(const Layout& from, Index size, const std::int32_t* place, const std::byte* g, T* sums) {
  const Index row_step = scaled(from.stride(2), sizeof(T), 1), step = scaled(from.stride(3), sizeof(T), 1);
  InterruptCheck check;
  for (Index i = 0; i < size; i += kBlock) {
    const Index n = std::min(kBlock, size - i);
    std::fill_n(sums + i, n, T{0});
    check.after(n);
  }
  for (Index i = 0; i < from.length(2); ++i, g += row_step) {
    for (Index j = 0; j < from.length(3); ++j) sums[*place++] += load<T>(g + j * step);
    check.after(from.length(3));
  }
}

// The images of a result, of places (int32, of the shape of one of the others) and of another operand.
class Images {
 public:
  Images(const Operand& out, const Operand& places, const Operand& in)
      : storage_{out.storage, places.storage, in.storage} {
    const SpaceOperand operands[] = {out, places, in};
    space_ = space_of(operands);
    space_.roles[2] = space_.roles[3] = Role::Row;
  }

  // Calls run(where each operand's image starts) for all images; that moves so many bytes.
  template <class Run>
  void run(const char* operation, const char* loop, Index bytes, Run&& run) const {
    if (bytes == 0) return;
    const Index count = space_.size_of_first(kImageAxes);
    if (count == 0) return;
    const int chunks = chunks_for(count, bytes);
    const RecordScope scope(
        [&] { return PlanRecord(operation, space_, {plain_loop("kernels/nn/max_pool.cpp", loop)}, chunks); });
    run_range_in_chunks(count, chunks, [&](Index begin, Index end) {
      for_each_position(space_, storage_, kImageAxes, begin, end, run);
    });
  }

 private:
  static constexpr int kImageAxes = 2;  // batch and channels

  IterationSpace space_;
  std::byte* storage_[3];
};

// Places as an operand of the shape of another, row-major.
struct PlaceOperand {
  Layout layout;
  Operand operand;

  PlaceOperand(const std::int32_t* places, const Layout& like)
      : layout(Layout::row_major(like.shape())),
        operand{reinterpret_cast<std::byte*>(const_cast<std::int32_t*>(places)), &layout, DType::Int32} {}
  PlaceOperand(const PlaceOperand&) = delete;
};

template <class Run>
void with_type(DType dtype, Run&& run) {
  if (dtype == DType::Float64) run(double{});
  else run(float{});
}

}  // namespace

void max_pool(const Operand& out, std::int32_t* places, const Operand& x, const PoolWindows& windows) {
  const Layout &from = *x.layout, &to = *out.layout;
  const Index rows = to.length(2), columns = to.length(3);
  const Index taps = windows.kernel[0] * windows.kernel[1];
  const bool inside = lies_inside(windows, from, rows, columns);
  const PlaceOperand written(places, to);
  const Images images(out, written.operand, x);
  with_type(x.dtype, [&]<class T>(T) {
    const auto pool = !inside ? pool_image<T> : taps == 4 ? pool_inside<T, 4> : pool_inside<T, 0>;
    const char* const loop = inside ? "pool_inside" : "take_larger";
    images.run("max_pool2d", loop, to.size() * taps * kBytesWorth, [&](std::byte* const* image) {
      pool(windows, image[2], from, reinterpret_cast<T*>(image[0]), reinterpret_cast<std::int32_t*>(image[1]), rows,
           columns);
    });
  });
}

void max_pool_gradient(const Operand& to, const std::int32_t* places, const Operand& g) {
  const Layout& from = *g.layout;
  const Index image_size = to.layout->length(2) * to.layout->length(3);
  const PlaceOperand read(places, from);
  const Images images(to, read.operand, g);
  with_type(g.dtype, [&]<class T>(T) {
    const Index bytes = from.size() * kBytesWorth + to.layout->size() * itemsize(g.dtype);
    images.run("max_pool2d backward", "scatter_image", bytes, [&](std::byte* const* image) {
      scatter_image(from, image_size, reinterpret_cast<const std::int32_t*>(image[1]), image[2],
                    reinterpret_cast<T*>(image[0]));
    });
  });
}

}  // namespace strided::kernels::nn
