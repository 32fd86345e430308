// Fills the loops that say where an extreme stands, for one instruction set.
#include <algorithm>
#include <bit>

#include "kernels/fill_loops.hpp"
#include "larger.hpp"

namespace strided::kernels::reduce::STRIDED_ISA {

#if defined(__AVX512F__)  // memory is slower than the set below already
void fill_argminmax_loops(LoopFiller&) {}
#else
namespace {

// Is x in front of `best`? Elements equal to it are not, so the first of them stays.
template <class T, class X>
[[gnu::always_inline]] inline auto beats(X x, X best) {
  if constexpr (std::is_integral_v<T>) return x > best;
  else if constexpr (std::is_same_v<T, X>) return !(x <= best) && best == best;
  else return ~(x <= best) & (best == best);
}

template <int kRows, class T>
[[gnu::always_inline]] inline void take_rows(const Larger<T>& op, const std::byte* rows, Index step,
                                             Index n, Index number, T* best, BitsOf<T>* where) {
  using Row = BitsOf<T>;
  constexpr Index kCount = Lanes<T>::kCount;
  constexpr Index kSize = sizeof(T);
  [[maybe_unused]] const Index ahead = bytes_ahead(n * kSize, step);
  Index c = 0;
  for (; c + kCount <= n; c += kCount) {
    auto held = read_lanes<T, T>(reinterpret_cast<const std::byte*>(best + c));
    auto place = read_lanes<Row, Row>(reinterpret_cast<const std::byte*>(where + c));
    if constexpr (kRows > 1) fetch_rows<kRows>(rows + c * kSize, step, ahead);
    for (int r = 0; r < kRows; ++r) {
      const Lanes<T> more = taken_lanes(op, rows + r * step + c * kSize);
      const Row row = static_cast<Row>(number + r);
      for (int i = 0; i < kVectors; ++i) {
        const auto moves = beats<T>(more.v[i], held.v[i]);
        held.v[i] = moves ? more.v[i] : held.v[i];
        place.v[i] = moves ? Vector<Row>{} + row : place.v[i];
      }
    }
    write_lanes(best + c, held);
    write_lanes(where + c, place);
  }
  for (; c < n; ++c) {
    for (int r = 0; r < kRows; ++r) {
      const T x = taken_one(op, rows + r * step + c * kSize);
      const bool moves = beats<T>(x, best[c]);
      best[c] = moves ? x : best[c];
      where[c] = moves ? static_cast<Row>(number + r) : where[c];
    }
  }
}

template <class T>
void position_across(const ReduceTile& tile, const Partials& parts) {
  const Larger<T> op(tile);
  auto* const best = static_cast<T*>(parts.first);
  auto* const where = static_cast<BitsOf<T>*>(parts.second);
  Index r = 0;
  if (takes_many_rows(tile.n * 3 * static_cast<Index>(sizeof(T)))) {
    for (; r + kRowsAtOnce <= tile.rows; r += kRowsAtOnce) {
      take_rows<kRowsAtOnce>(op, tile.data + r * tile.step, tile.step, tile.n, tile.first_row + r, best,
                             where);
    }
  }
  for (; r < tile.rows; ++r) {
    take_rows<1>(op, tile.data + r * tile.step, tile.step, tile.n, tile.first_row + r, best, where);
  }
}

// ---- which column holds a value ----

// Whether elements are what is looked for: `value`, or any NaN.
template <class T>
struct Sought {
  T value;
  template <class X> [[gnu::always_inline]] auto is(X x) const { return x == value; }
};
struct SoughtNan {
  template <class X> [[gnu::always_inline]] auto is(X x) const { return x != x; }
};

template <int kGroups, class T, class What>
[[gnu::always_inline]] inline bool any_in(const Larger<T>& op, const What& what, const std::byte* at) {
  constexpr Index kBytes = kLaneBytes;
  Vector<std::uint64_t> found{};
  for (int k = 0; k < kGroups; ++k) {
    const Lanes<T> lanes = taken_lanes(op, at + k * kBytes);
    for (int i = 0; i < kVectors; ++i) {
      found |= __builtin_bit_cast(Vector<std::uint64_t>, what.is(lanes.v[i]));
    }
  }
  std::uint64_t any = 0;
  for (int i = 0; i < kVectorBytes / 8; ++i) any |= found[i];
  return any != 0;
}

// The first column, or the last; one of them is it.
template <class T, class What>
[[gnu::always_inline]] inline Index find(const Larger<T>& op, const What& what, const std::byte* row,
                                         Index n, bool last) {
  constexpr Index kSize = sizeof(T);
  constexpr Index kCount = Lanes<T>::kCount;
  const auto hit = [&](Index i) { return what.is(taken_one(op, row + i * kSize)); };
  if (n <= std::min<Index>(kCount, 64)) {  // without branches: where it stands is hard to guess
    std::uint64_t found = 0;
    for (Index k = 0; k < n; ++k) found |= static_cast<std::uint64_t>(hit(k) ? 1 : 0) << k;
    return last ? std::bit_width(found | 1) - 1 : std::min<Index>(std::countr_zero(found), n - 1);
  }
  Index i = 0;
  if (last) {
    for (i = n - 1; i > 0 && !hit(i);) --i;
    return i;
  }
  while (i + 4 * kCount <= n && !any_in<4>(op, what, row + i * kSize)) i += 4 * kCount;
  while (i + kCount <= n && !any_in<1>(op, what, row + i * kSize)) i += kCount;
  while (i < n - 1 && !hit(i)) ++i;
  return i;
}

template <class T>
Index find_value(const Larger<T>& op, const std::byte* row, Index n, T value, bool last) {
  if constexpr (std::is_floating_point_v<T>) {
    if (value != value) return find(op, SoughtNan{}, row, n, last);
  }
  return find(op, Sought<T>{value}, row, n, last);
}

template <class T>
void column_along(const ReduceTile& tile, const Partials& parts) {
  const Larger<T> op(tile);
  const auto* const value = static_cast<const T*>(parts.first);
  auto* const column = static_cast<Index*>(parts.second);
  for (Index r = 0; r < tile.rows; ++r) {
    column[r] = find_value(op, tile.data + r * tile.step, tile.n, value[r], tile.first_row != 0);
  }
}

template <class T>
void fill_dtype(LoopFiller& fill, DType dtype) {
  const ReduceLoops& loops = fill.table.reduce[static_cast<int>(Fold::ArgMax)][static_cast<int>(dtype)];
  fill.enter(loops.along, STRIDED_LOOP(column_along<T>));
  fill.enter(loops.across, STRIDED_LOOP(position_across<T>));
}

}  // namespace

void fill_argminmax_loops(LoopFiller& fill) {
  fill_dtype<std::int8_t>(fill, DType::Int8);
  fill_dtype<std::int16_t>(fill, DType::Int16);
  fill_dtype<std::int32_t>(fill, DType::Int32);
  fill_dtype<std::int64_t>(fill, DType::Int64);
  fill_dtype<float>(fill, DType::Float32);
  fill_dtype<double>(fill, DType::Float64);
}

#endif

}  // namespace strided::kernels::reduce::STRIDED_ISA
