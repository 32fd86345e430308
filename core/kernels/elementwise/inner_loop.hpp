// The innermost loops for one, two and three inputs, written once for all ops and dtypes.
//
// Functors built per instruction set live in a namespace of that name. It becomes part of the symbol
// of every loop made from them, so the linker never merges loops of different instruction sets; what
// a loop calls here is always inlined for the same reason.
#pragma once

#include <initializer_list>
#include <utility>

#include "dtype/element.hpp"
#include "kernels/fill_loops.hpp"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"  // not every loop below vectorises
#endif

namespace strided::kernels::elementwise {

// Three ways for an input to supply its i-th element. The first two let the compiler vectorise.
template <class T>
struct Packed {
  const std::byte* data;
  [[gnu::always_inline]] Packed(const std::byte* at, Index) : data(at) {}
  [[gnu::always_inline]] T operator[](Index i) const {
    return load<T>(data + i * static_cast<Index>(sizeof(T)));
  }
};

template <class T>
struct Broadcast {
  T value;
  [[gnu::always_inline]] Broadcast(const std::byte* at, Index) : value(load<T>(at)) {}
  [[gnu::always_inline]] T operator[](Index) const { return value; }
};

template <class T>
struct Strided {
  const std::byte* data;
  Index stride;
  [[gnu::always_inline]] Strided(const std::byte* at, Index step) : data(at), stride(step) {}
  [[gnu::always_inline]] T operator[](Index i) const { return load<T>(data + i * stride); }
};

// n is at least 1. The output is one of the inputs, element for element, or does not overlap them: in
// either case no iteration depends on another, which the compiler is told.
template <class F, class... In>
[[gnu::always_inline]] inline void walk(Index n, std::byte* out, Index stride, In... in) {
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (Index i = 0; i < n; ++i) store(out + i * stride, F{}(in[i]...));
}

// Strided elements: one by one, or packed in buffers where F knows how and there are enough of them. `loop` is the loop
// that asks.
template <class F, class... In>
[[gnu::always_inline]] inline void walk_strided(Loop loop, std::initializer_list<Index> sizes, Index n,
                                              std::byte* const* data, const Index* strides, In... in) {
  constexpr Index kWorthPacking = 64;  // fewer are computed before the buffers are set up
  if constexpr (requires { F::kPack; }) {
    const int count = static_cast<int>(sizes.size());
    if (n >= kWorthPacking && F::kPack(loop, count, sizes.begin(), n, data, strides)) return;
  }
  std::byte* const out = data[0];
  const Index stride = strides[0];
#if defined(__clang__)
#pragma clang loop unroll_count(4)
#else
#pragma GCC unroll 4
#endif
  for (Index i = 0; i < n; ++i) store(out + i * stride, F{}(in[i]...));
}

template <class F, class A>
void unary_loop(Index n, std::byte* const* data, const Index* strides) {
  constexpr Index kOut = sizeof(F{}(A{}));
  const Index a = strides[1];
  if (strides[0] == kOut && a == sizeof(A)) return walk<F>(n, data[0], kOut, Packed<A>(data[1], a));
  walk_strided<F>(&unary_loop<F, A>, {kOut, sizeof(A)}, n, data, strides, Strided<A>(data[1], a));
}

template <class F, class A>
void binary_loop(Index n, std::byte* const* data, const Index* strides) {
  constexpr Index kOut = sizeof(F{}(A{}, A{}));
  constexpr Index kIn = sizeof(A);
  std::byte* const out = data[0];
  const std::byte *const x = data[1], *const y = data[2];
  const Index a = strides[1], b = strides[2];
  if (strides[0] == kOut) {
    if (a == kIn && b == kIn) return walk<F>(n, out, kOut, Packed<A>(x, a), Packed<A>(y, b));
    if (a == kIn && b == 0) return walk<F>(n, out, kOut, Packed<A>(x, a), Broadcast<A>(y, b));
    if (a == 0 && b == kIn) return walk<F>(n, out, kOut, Broadcast<A>(x, a), Packed<A>(y, b));
  }
  walk_strided<F>(&binary_loop<F, A>, {kOut, kIn, kIn}, n, data, strides, Strided<A>(x, a),
                Strided<A>(y, b));
}

// `where` has a first input of its own type.
template <class F, class A, class B>
void ternary_loop(Index n, std::byte* const* data, const Index* strides) {
  constexpr Index kOut = sizeof(F{}(A{}, B{}, B{}));
  constexpr Index kIn = sizeof(B);
  std::byte* const out = data[0];
  const std::byte *const x = data[1], *const y = data[2], *const z = data[3];
  const Index a = strides[1], b = strides[2], c = strides[3];
  if (strides[0] == kOut && a == sizeof(A)) {
    const Packed<A> first(x, a);
    if (b == kIn && c == kIn) return walk<F>(n, out, kOut, first, Packed<B>(y, b), Packed<B>(z, c));
    if (b == kIn && c == 0) return walk<F>(n, out, kOut, first, Packed<B>(y, b), Broadcast<B>(z, c));
    if (b == 0 && c == kIn) return walk<F>(n, out, kOut, first, Broadcast<B>(y, b), Packed<B>(z, c));
    if (b == 0 && c == 0) return walk<F>(n, out, kOut, first, Broadcast<B>(y, b), Broadcast<B>(z, c));
  }
  walk_strided<F>(&ternary_loop<F, A, B>, {kOut, sizeof(A), kIn, kIn}, n, data, strides,
                Strided<A>(x, a), Strided<B>(y, b), Strided<B>(z, c));
}

template <class F, Op op, class T>
constexpr NamedLoop loop_of() {
  if constexpr (row_of(op).arity == 1) return STRIDED_LOOP(unary_loop<F, T>);
  else if constexpr (row_of(op).arity == 2) return STRIDED_LOOP(binary_loop<F, T>);
  else if constexpr (row_of(op).compute == Compute::Choose) return STRIDED_LOOP(ternary_loop<F, bool, T>);
  else return STRIDED_LOOP(ternary_loop<F, T, T>);
}

// One element after the other, for functions that do not vectorise.
template <class F, Op op, class T>
void single_loop(Index n, std::byte* const* data, const Index* strides) {
  for (Index i = 0; i < n; ++i) {
    std::byte* const out = data[0] + i * strides[0];
    const T a = load<T>(data[1] + i * strides[1]);
    if constexpr (row_of(op).arity == 1) store(out, F{}(a));
    else store(out, F{}(a, load<T>(data[2] + i * strides[2])));
  }
}

}  // namespace strided::kernels::elementwise
