// Fills the loops of running sums and products, for one instruction set.
//
// Four elements at a time: their own running sums do not wait for the carry, which is added last. So from
// one group to the next there is one addition to wait for, not four.
#include "kernels/fill_loops.hpp"
#include "simd/registers.hpp"

namespace strided::kernels::scan::STRIDED_ISA {

#if defined(__AVX512F__)  // memory is slower than the set below already
void fill_scan_loops(LoopFiller&) {}
#else
namespace {

constexpr Index kGroup = 4;  // vectors whose totals are known before the next carry is; fixed: it decides the bits

template <Scan op>
struct Join {
  template <class X> [[gnu::always_inline]] X operator()(X a, X b) const {
    return op == Scan::Sum ? a + b : a * b;
  }
};

#if defined(__AVX2__)

// The lanes moved up by one or two places; `none` moves in.
template <class V>
[[gnu::always_inline]] inline V moved_by_one(V v, V none) {
  return __builtin_shufflevector(none, v, 0, 4, 5, 6);
}
template <class V>
[[gnu::always_inline]] inline V moved_by_two(V v, V none) {
  return __builtin_shufflevector(none, v, 0, 1, 4, 5);
}

// The groups of a row; returns how many elements that were.
template <Scan op, bool kWrite, class T, class Carry>
[[gnu::always_inline]] inline Index take_groups(const ScanTile& tile, Carry& carry, Carry& total) {
  using V = Vector<Carry, kGroup>;
  constexpr Join<op> join;
  constexpr Index kSize = sizeof(T);
  const V none = V{} + static_cast<Carry>(op == Scan::Prod);
  V carried = V{} + carry, alone = V{} + total;
  Index i = 0;
  for (; i + kGroup <= tile.n; i += kGroup) {
    V x = read_vector<Carry, T, kGroup>(tile.in + i * kSize);
    x = join(x, moved_by_one(x, none));
    x = join(x, moved_by_two(x, none));
    if constexpr (kWrite) {
      const auto running = __builtin_convertvector(join(carried, x), Vector<T, kGroup>);
      std::memcpy(tile.out + i * kSize, &running, sizeof(running));
    }
    const V whole = __builtin_shufflevector(x, x, 3, 3, 3, 3);
    carried = join(carried, whole);
    alone = join(alone, whole);
  }
  carry = carried[0];
  total = alone[0];
  return i;
}

#else

template <Scan op, bool kWrite, class T, class Carry>
[[gnu::always_inline]] inline Index take_groups(const ScanTile& tile, Carry& carry, Carry& total) {
  constexpr Join<op> join;
  constexpr Index kSize = sizeof(T);
  Index i = 0;
  for (; i + kGroup <= tile.n; i += kGroup) {
    Carry x[kGroup], pair[kGroup], running[kGroup];
    for (int k = 0; k < kGroup; ++k) x[k] = static_cast<Carry>(load<T>(tile.in + (i + k) * kSize));
    pair[0] = x[0];
    for (int k = 1; k < kGroup; ++k) pair[k] = join(x[k], x[k - 1]);
    running[0] = pair[0];
    running[1] = pair[1];
    for (int k = 2; k < kGroup; ++k) running[k] = join(pair[k], pair[k - 2]);
    for (int k = 0; kWrite && k < kGroup; ++k) {
      store(tile.out + (i + k) * kSize, static_cast<T>(join(carry, running[k])));
    }
    carry = join(carry, running[3]);
    total = join(total, running[3]);
  }
  return i;
}

#endif

template <Scan op, bool kWrite, class T, class Carry>
[[gnu::always_inline]] inline void take_row(const ScanTile& tile, Carry& carry, Carry& total) {
  constexpr Join<op> join;
  constexpr Index kSize = sizeof(T);
  for (Index i = take_groups<op, kWrite, T>(tile, carry, total); i < tile.n; ++i) {
    const Carry x = static_cast<Carry>(load<T>(tile.in + i * kSize));
    carry = join(carry, x);
    total = join(total, x);
    if constexpr (kWrite) store(tile.out + i * kSize, static_cast<T>(carry));
  }
}

template <Scan op, class T, class Carry>
void scan_along(const ScanTile& tile, void* carried, void* alone) {
  Carry carry = *static_cast<Carry*>(carried), total = *static_cast<Carry*>(alone);
  if (tile.out != nullptr) take_row<op, true, T>(tile, carry, total);
  else take_row<op, false, T>(tile, carry, total);
  *static_cast<Carry*>(carried) = carry;
  *static_cast<Carry*>(alone) = total;
}

// One element further for each of n columns. Apart, so that the compiler knows the carries to be.
template <Scan op, bool kWrite, class T, class Carry>
void take_down(Index n, const std::byte* in, std::byte* out, Carry* __restrict carry) {
  constexpr Join<op> join;
  constexpr Index kSize = sizeof(T);
  for (Index c = 0; c < n; ++c) {
    const Carry next = join(carry[c], static_cast<Carry>(load<T>(in + c * kSize)));
    carry[c] = next;
    if constexpr (kWrite) store(out + c * kSize, static_cast<T>(next));
  }
}

template <Scan op, class T, class Carry>
void scan_across(const ScanTile& tile, void* carried) {
  Carry* const carry = static_cast<Carry*>(carried);
  for (Index r = 0; r < tile.rows; ++r) {
    const std::byte* const in = tile.in + r * tile.in_step;
    if (tile.out == nullptr) take_down<op, false, T>(tile.n, in, nullptr, carry);
    else take_down<op, true, T>(tile.n, in, tile.out + r * tile.out_step, carry);
  }
}

template <Scan op, class T, class Carry>
void fill_dtype(LoopFiller& fill, DType dtype) {
  const ScanLoops& loops = fill.table.scan[static_cast<int>(op)][static_cast<int>(dtype)];
  fill.enter(loops.along, STRIDED_LOOP(scan_along<op, T, Carry>));
  fill.enter(loops.across, STRIDED_LOOP(scan_across<op, T, Carry>));
}

template <Scan op>
void fill_op(LoopFiller& fill) {
  fill_dtype<op, float, double>(fill, DType::Float32);
  fill_dtype<op, double, double>(fill, DType::Float64);
  fill_dtype<op, std::uint64_t, std::uint64_t>(fill, DType::Int64);
  fill_dtype<op, std::uint64_t, std::uint64_t>(fill, DType::UInt64);
}

}  // namespace

void fill_scan_loops(LoopFiller& fill) {
  fill_op<Scan::Sum>(fill);
  fill_op<Scan::Prod>(fill);
}

#endif

}  // namespace strided::kernels::scan::STRIDED_ISA
