// Copies of many rows of a few elements each: to begin a row takes longer than to move it, so rows are taken
// several at once, or the axis across them is walked inside.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>

#include "copy_loops.hpp"
#include "kernels/fill_loops.hpp"
#include "simd/vector.hpp"

namespace strided::kernels::copy::STRIDED_ISA {

// A row of a whole vector is moved as fast by itself.
inline constexpr Index kNarrowBytes = 64;
// Fewer rows are over before the lists of places are made.
inline constexpr Index kManyRows = 16;

// A packed row of a whole vector is moved as fast without.
[[gnu::always_inline]] inline bool is_narrow(const RowBlock& b, Index item) {
  const Index nbytes = b.n * item;
  return nbytes < kNarrowBytes || (nbytes == kNarrowBytes && b.in_step != item);
}

using CopyElements = void (*)(Index n, std::byte* out, Index out_step, const std::byte* in, Index in_step);

// ---- several rows at once ----

#if defined(__AVX2__)

// As many bytes as an instruction picks words from, in any order.
template <int kWord>
struct Window {
  static constexpr Index kBytes = 16;
  using V = BitVector<kBytes, 1>;
  [[gnu::always_inline]] static V picked(V v, V places) {
    return reinterpret_cast<V>(_mm_shuffle_epi8(reinterpret_cast<__m128i>(v), reinterpret_cast<__m128i>(places)));
  }
};
template <>
struct Window<4> {
  static constexpr Index kBytes = kVectorBytes;
  using V = BitVector<kBytes, 4>;
  [[gnu::always_inline]] static V picked(V v, V places) {
#if defined(__AVX512BW__)
    return reinterpret_cast<V>(
        _mm512_maskz_permutexvar_epi32(__mmask16(-1), reinterpret_cast<__m512i>(places), reinterpret_cast<__m512i>(v)));
#else
    return reinterpret_cast<V>(
        _mm256_permutevar8x32_epi32(reinterpret_cast<__m256i>(v), reinterpret_cast<__m256i>(places)));
#endif
  }
};
#if defined(__AVX512BW__)
template <>
struct Window<2> {
  static constexpr Index kBytes = kVectorBytes;
  using V = BitVector<kBytes, 2>;
  [[gnu::always_inline]] static V picked(V v, V places) {
    return reinterpret_cast<V>(
        _mm512_maskz_permutexvar_epi16(__mmask32(-1), reinterpret_cast<__m512i>(places), reinterpret_cast<__m512i>(v)));
  }
};
inline constexpr int kSecondWord = 2;
#else
inline constexpr int kSecondWord = 1;
#endif

// Rows that lie one behind the other in the output. A window over the input holds several of them; what is wanted
// of it is picked into one vector, whose rest the next one overwrites. Nothing before the first or behind the
// last element of the block is read, and nothing written but its rows.
template <int kWord>
class RowWindows {
 public:
  static constexpr Index kBytes = Window<kWord>::kBytes;

  RowWindows(const RowBlock& b, Index item) : b_(b), row_bytes_(b.n * item) {
    const Index across = (b.n - 1) * b.in_step, down = (b.rows - 1) * b.in_row;
    const Index lowest = std::min<Index>(0, across), span = std::abs(across) + item;
    at_once_ = span > kBytes ? 0 : kBytes / row_bytes_;
    if (b.in_row != 0) at_once_ = std::min(at_once_, (kBytes - span) / std::abs(b.in_row) + 1);
    begin_ = lowest + (b.in_row < 0 ? (at_once_ - 1) * b.in_row : 0);
    end_ = lowest + span + std::max<Index>(0, down);
    Word* place = places_;
    for (Index r = 0; r < at_once_; ++r) {
      for (Index c = 0; c < b.n; ++c) {
        const Index from = r * b.in_row + c * b.in_step - begin_;
        for (Index w = 0; w < item; w += kWord) *place++ = static_cast<Word>((from + w) / kWord);
      }
    }
  }

  // Fewer than two elements at a time are not worth it.
  bool pays() const { return at_once_ * b_.n >= 2; }

  // Rows first .. first + count to `out`. `room` bytes behind them may be overwritten.
  void copy(Index first, Index count, std::byte* out, Index room, CopyElements one_row) const {
    Line own{};  // for a row that is repeated, and behind which there may be nothing
    const std::byte* window = b_.in + begin_;
    Index r = 0, end = count - at_once_ + 1;
    if (b_.in_row == 0) {
      std::memcpy(own.bytes, window, static_cast<std::size_t>(end_ - begin_));
      window = own.bytes;
    } else if (b_.in_row > 0) {
      const Index past = end_ - begin_ - kBytes;  // how far a window may move
      end = past < 0 ? 0 : std::min(end, past / b_.in_row + 1 - first);
    } else {
      const Index above = begin_ + kBytes - end_;  // how far the first one reaches too far
      if (above > 0) r = std::clamp<Index>((above - b_.in_row - 1) / -b_.in_row - first, 0, count);
    }
    const Index last = count * row_bytes_ + room - kBytes;  // where a vector may begin
    end = last < 0 ? 0 : std::min(end, last / row_bytes_ + 1);
    copy_each(first, 0, r, out, one_row);
    const V places = load_vector<V>(reinterpret_cast<const std::byte*>(places_));
    std::byte* to = out + r * row_bytes_;
    window += (first + r) * b_.in_row;
    for (; r < end; r += at_once_, to += at_once_ * row_bytes_, window += at_once_ * b_.in_row) {
      store_vector(to, Window<kWord>::picked(load_vector<V>(window), places));
    }
    copy_each(first, r, count, out, one_row);
  }

 private:
  using V = typename Window<kWord>::V;
  using Word = typename UnsignedOf<sizeof(V{}[0])>::type;

  void copy_each(Index first, Index r, Index end, std::byte* out, CopyElements one_row) const {
    const Index item = row_bytes_ / b_.n;
    for (; r < end; ++r) one_row(b_.n, out + r * row_bytes_, item, b_.in + (first + r) * b_.in_row, b_.in_step);
  }

  const RowBlock& b_;
  Index row_bytes_, at_once_;
  Index begin_, end_;  // of the first window, and of the block, from its first element
  alignas(64) Word places_[kBytes / sizeof(Word)] = {};
};

// Calls run(windows) with windows that suit the block; false if none do.
template <class Run>
bool with_windows(const RowBlock& b, Index item, Run&& run) {
  const auto take = [&]<int kWord>(std::integral_constant<int, kWord>) {
    const RowWindows<kWord> windows(b, item);
    if (!windows.pays()) return false;
    run(windows);
    return true;
  };
  const Index odd = item | b.in_step | b.in_row;
  if (odd % 4 == 0) return take(std::integral_constant<int, 4>{});
  if (odd % 2 == 0) return take(std::integral_constant<int, kSecondWord>{});
  return take(std::integral_constant<int, 1>{});
}

#else

template <class Run>
bool with_windows(const RowBlock&, Index, Run&&) {
  return false;
}

#endif

// ---- rows without gaps, of a known length ----

template <std::size_t kBytes>
void copy_known_rows(const RowBlock& b) {
  std::byte* out = b.out;
  const std::byte* in = b.in;
  for (Index r = 0; r < b.rows; ++r, out += b.out_row, in += b.in_row) std::memcpy(out, in, kBytes);
}
inline constexpr auto kKnownRows = []<std::size_t... n>(std::index_sequence<n...>) {
  return std::array<CopyRows, sizeof...(n)>{&copy_known_rows<n>...};
}(std::make_index_sequence<kNarrowBytes>{});

// ---- all ----

// One block, without repeats.
inline void copy_narrow_rows(const RowBlock& b, Index item, CopyElements elements) {
  const Index nbytes = b.n * item;
  const bool joined = (b.out_step == item || b.n == 1) && b.out_row == nbytes;
  if (joined && with_windows(b, item, [&](const auto& windows) { windows.copy(0, b.rows, b.out, 0, elements); })) {
    return;
  }
  if (b.n == 1 || (b.out_step == item && b.in_step == item)) return kKnownRows[static_cast<std::size_t>(nbytes)](b);
  constexpr Index kRows = 256;  // whose lines stay in the first cache until all columns have been taken
  for (Index first = 0; first < b.rows; first += kRows) {
    const Index rows = std::min(kRows, b.rows - first);
    for (Index c = 0; c < b.n; ++c) {
      elements(rows, b.out + first * b.out_row + c * b.out_step, b.out_row,
               b.in + first * b.in_row + c * b.in_step, b.in_row);
    }
  }
}

}  // namespace strided::kernels::copy::STRIDED_ISA
