// What the copying kernels ask of the loops built per instruction set. Elements are bits here: 1, 2, 4, 8
// or 16 bytes, whatever their dtype.
#pragma once

#include <cstddef>
#include <utility>

#include "layout/dims.hpp"
#include "simd/line.hpp"

namespace strided::kernels::copy {

// Elements of 1, 2, 4, 8 and 16 bytes have loops, as every dtype has one of these sizes.
inline constexpr int kBitSizes = 5;
constexpr int bit_size(Index itemsize) {
  int place = 0;
  while ((Index{1} << place) < itemsize) ++place;
  return place;
}

// Calls visit.operator()<kItem>() for each of these sizes.
template <class Visit>
void for_each_item(Visit&& visit) {
  [&]<int... size>(std::integer_sequence<int, size...>) {
    (visit.template operator()<1 << size>(), ...);
  }(std::make_integer_sequence<int, kBitSizes>{});
}

// `rows` rows of n elements each; steps in bytes; out and in do not overlap.
struct RowBlock {
  std::byte* out;
  const std::byte* in;
  Index rows;
  Index n;
  Index out_row;
  Index in_row;
  Index out_step;
  Index in_step;
  Index repeats = 1;  // as many blocks of the same kind, these many bytes apart
  Index out_repeat = 0;
  Index in_repeat = 0;
  bool from_memory = false;  // the input comes from memory, the output stays in a cache
};
using CopyRows = void (*)(const RowBlock& block);

// A block in which the output runs along rows and the input along columns:
// element (r, c) goes from in + row_in[r] + c * column_step to out + column_out[c] + r * row_step.
struct CrossBlock {
  std::byte* out;
  const std::byte* in;
  const Index* row_in;
  const Index* column_out;
  Index rows;
  Index columns;
  Index row_step;
  Index column_step;
  bool from_memory;  // the input is not in a cache: fetch it ahead
  Index repeats = 1;  // as many blocks of the same kind, these many bytes apart
  Index in_repeat = 0;
  Index out_repeat = 0;
};
using CopyCross = void (*)(const CrossBlock& block);

// The plan asks for at most 15 planes, those of bytes: as many as a transposed square has columns move as tiles.
inline constexpr int kMostPlanes = 16;
// On one side 2 to kMostPlanes packed `planes`, plane_step bytes apart; on the other n groups of `planes` elements.
using CopyPlanes = void (*)(Index n, int planes, std::byte* out, const std::byte* in, Index plane_step);

// [0] by normal stores, [1] by non-temporal ones: for results too large to be still in a cache when they are read.
struct CopyLoops {
  CopyRows rows[kBitSizes][2];
  CopyCross cross[kBitSizes][2];
  CopyPlanes interleave[kBitSizes][2];    // out[i][k] = in[k][i]
  CopyPlanes deinterleave[kBitSizes][2];  // out[k][i] = in[i][k]
  // By non-temporal stores; nobody may rely on them before finish_streams.
  void (*stream)(std::byte* out, const std::byte* in, Index nbytes);
  void (*finish_streams)();
};

}  // namespace strided::kernels::copy
