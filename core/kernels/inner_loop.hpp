// The innermost loops for one, two and three inputs, written once for all ops and dtypes.
//
// Functors built per instruction set live in a namespace of that name. It becomes part of the symbol
// of every loop made from them, so the linker never merges loops of different instruction sets; what
// a loop calls here is always inlined for the same reason.
#pragma once

#include <utility>

#include "element.hpp"
#include "fill_loops.hpp"

namespace strided {

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
struct Fixed {
  T value;
  [[gnu::always_inline]] Fixed(const std::byte* at, Index) : value(load<T>(at)) {}
  [[gnu::always_inline]] T operator[](Index) const { return value; }
};

template <class T>
struct Spaced {
  const std::byte* data;
  Index stride;
  [[gnu::always_inline]] Spaced(const std::byte* at, Index step) : data(at), stride(step) {}
  [[gnu::always_inline]] T operator[](Index i) const { return load<T>(data + i * stride); }
};

// n is at least 1. The output is one of the inputs, element for element, or apart from all of them.
// The compiler is promised neither: it tests for overlap once per call.
template <class F, class... In>
[[gnu::always_inline]] inline void walk(Index n, std::byte* out, Index stride, In... in) {
  for (Index i = 0; i < n; ++i) store(out + i * stride, F{}(in[i]...));
}

template <class F, class A>
void unary_loop(Index n, std::byte* const* data, const Index* strides) {
  constexpr Index kOut = sizeof(F{}(A{}));
  const Index a = strides[1];
  if (strides[0] == kOut && a == sizeof(A)) return walk<F>(n, data[0], kOut, Packed<A>(data[1], a));
  walk<F>(n, data[0], strides[0], Spaced<A>(data[1], a));
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
    if (a == kIn && b == 0) return walk<F>(n, out, kOut, Packed<A>(x, a), Fixed<A>(y, b));
    if (a == 0 && b == kIn) return walk<F>(n, out, kOut, Fixed<A>(x, a), Packed<A>(y, b));
  }
  walk<F>(n, out, strides[0], Spaced<A>(x, a), Spaced<A>(y, b));
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
    if (b == kIn && c == 0) return walk<F>(n, out, kOut, first, Packed<B>(y, b), Fixed<B>(z, c));
    if (b == 0 && c == kIn) return walk<F>(n, out, kOut, first, Fixed<B>(y, b), Packed<B>(z, c));
    if (b == 0 && c == 0) return walk<F>(n, out, kOut, first, Fixed<B>(y, b), Fixed<B>(z, c));
  }
  walk<F>(n, out, strides[0], Spaced<A>(x, a), Spaced<B>(y, b), Spaced<B>(z, c));
}

template <class F, Op op, class T>
constexpr Loop loop_of() {
  if constexpr (row_of(op).arity == 1) return &unary_loop<F, T>;
  else if constexpr (row_of(op).arity == 2) return &binary_loop<F, T>;
  else if constexpr (row_of(op).compute == Compute::Choose) return &ternary_loop<F, bool, T>;
  else return &ternary_loop<F, T, T>;
}

// Fills the rows of all ops with this `build`, in the columns `dtypes`, from the functors F<op>.
template <template <Op> class F, Build build, DType... dtypes>
void fill_elementwise(LoopTable& table, Columns<dtypes...>) {
  const auto fill_one = [&]<Op op, DType dtype>() {
    if constexpr (row_of(op).build == build && computes_in(row_of(op), dtype)) {
      using T = typename F<op>::template Carrier<typename TypeOf<dtype>::type>;
      table.elementwise[static_cast<int>(op)][static_cast<int>(dtype)] = loop_of<F<op>, op, T>();
    }
  };
  const auto fill_row = [&]<Op op>() { (fill_one.template operator()<op, dtypes>(), ...); };
  [&]<std::size_t... op>(std::index_sequence<op...>) {
    (fill_row.template operator()<static_cast<Op>(op)>(), ...);
  }(std::make_index_sequence<kOpCount>{});
}

}  // namespace strided
