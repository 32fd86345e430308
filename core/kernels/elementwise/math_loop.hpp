// The loops over FloatMath: packed elements, in whole vectors.
//
// A function is built once for packed elements and never for single ones: strided elements, and those left at the end,
// go through buffers. Blocks without an element for the slow path take the fast one.
#pragma once

#include <cstddef>
#include <cstring>

#include "dtype/element.hpp"
#include "kernels/elementwise/ops/float_math.hpp"
#include "simd/vector.hpp"
#include "kernels/fill_loops.hpp"
#include "kernels/convert/strided_load.hpp"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"  // not every loop below vectorises
#endif

namespace strided::kernels::elementwise::STRIDED_ISA {

template <class F, class T, int arity>
struct MathLoop {
  static constexpr Index kSize = sizeof(T);
  static constexpr Index kVector = 64 / kSize;  // of the widest instruction set
  // Elements that take the slow path together. Longer blocks take it more often, shorter ones leave the loop more
  // often.
  static constexpr Index kBlock = 256;

  // Where the inputs are; by value, since a store could change an array of pointers.
  struct Inputs {
    const std::byte *first, *second;
    [[gnu::always_inline]] Inputs from(Index i) const {
      return {first + i * kSize, second + i * kSize};
    }
    template <class Call> [[gnu::always_inline]] auto at(Index i, Call call) const {
      const T x = load<T>(first + i * kSize);
      if constexpr (arity == 1) return call(x);
      else return call(x, load<T>(second + i * kSize));
    }
  };

  // The three functions of F; always inlined, or a large one would not vectorise.
  struct AnyElement {
    template <class... X> [[gnu::always_inline]] T operator()(X... x) const { return F{}(x...); }
  };
  struct FastPath {
    template <class... X> [[gnu::always_inline]] T operator()(X... x) const { return F{}.fast_path(x...); }
  };
  struct Rank {
    template <class... X> [[gnu::always_inline]] auto operator()(X... x) const { return F::slow_path_rank(x...); }
  };

  // The output is one of the inputs, element for element, or does not overlap them, hence no iteration
  // depends on another. n is a multiple of kVector.
  [[gnu::always_inline]] static void walk(Index n, std::byte* out, Inputs in) {
    n &= -kVector;
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (Index i = 0; i < n; ++i) {
      store(out + i * kSize, in.at(i, AnyElement{}));
    }
  }

  // The fast path, right if what it returns is below the limit.
  [[gnu::always_inline]] static SignedOf<T> walk_fast(Index n, std::byte* out, Inputs in) {
    n &= -kVector;
    SignedOf<T> highest = std::numeric_limits<SignedOf<T>>::min();
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (Index i = 0; i < n; ++i) {
      const SignedOf<T> rank = in.at(i, Rank{});
      highest = rank > highest ? rank : highest;
      store(out + i * kSize, in.at(i, FastPath{}));
    }
    return highest;
  }

  // The slow path on its own: in one function with the fast one, its constants would be loaded every time.
  [[gnu::noinline]] static void walk_slow(Index n, std::byte* out, Inputs in) { walk(n, out, in); }

  [[gnu::always_inline]] static void walk_either(Index n, std::byte* out, Inputs in) {
    if constexpr (!F::kHasFastPath) walk(n, out, in);
    else if (walk_fast(n, out, in) >= F::template limit<T>()) walk_slow(n, out, in);
  }

  // In place, a block is saved first: the fast path may turn out wrong for it.
  [[gnu::noinline]] static void packed_in_place(Index n, std::byte* out, Inputs in) {
    alignas(64) std::byte saved[2][kBlock * kSize];
    for (Index done = 0; done < n; done += kBlock) {
      const Index count = n - done < kBlock ? n - done : kBlock;
      const auto bytes = static_cast<std::size_t>(count * kSize);
      const Inputs here = in.from(done);
      std::memcpy(saved[0], here.first, bytes);
      if constexpr (arity == 2) std::memcpy(saved[1], here.second, bytes);
      walk_either(count, out + done * kSize, {saved[0], saved[arity - 1]});
    }
  }

  // Packed elements, a multiple of kVector.
  [[gnu::noinline]] static void packed(Index n, std::byte* out, Inputs in) {
    if constexpr (!F::kHasFastPath) return walk(n, out, in);
    if (out == in.first || out == in.second) return packed_in_place(n, out, in);
    for (Index done = 0; done < n; done += kBlock) {
      walk_either(n - done < kBlock ? n - done : kBlock, out + done * kSize, in.from(done));
    }
  }

  // The same by non-temporal stores, to an output that begins with a line and is none of the inputs: a few lines at a
  // time are computed and streamed, so that memory never waits for long.
  [[gnu::noinline]] static void packed_streamed(Index n, std::byte* out, Inputs in) {
    alignas(64) std::byte lines[kLines * 64];
    constexpr Index kGroup = kLines * kVector;
    Index done = 0;
    for (; done + kGroup <= n; done += kGroup) {
      walk_either(kGroup, lines, in.from(done));
      for (Index at = 0; at < kLines * 64; at += 64) stream_line(out + done * kSize + at, lines + at);
    }
    if (done < n) packed(n - done, out + done * kSize, in.from(done));
  }

  // A Loop: any strides, any number.
  static void run(Index n, std::byte* const* data, const Index* strides) {
    const bool direct = is_direct(strides);
    const Index whole = n & -kVector;
    if (direct && whole > 0) packed(whole, data[0], {data[1], data[arity]});
    if (!direct || whole < n) buffered<false>(direct ? whole : 0, n, data, strides);
  }

  // A Loop for LoopTable::streamed.
  static void run_streamed(Index n, std::byte* const* data, const Index* strides) {
    const Index before = static_cast<Index>(-reinterpret_cast<std::uintptr_t>(data[0]) % 64) / kSize;
    const bool taken = data[0] == data[1] || data[0] == data[arity];
    if (strides[0] != kSize || before >= n || taken) return run(n, data, strides);
    if (before > 0) run(before, data, strides);
    std::byte* const rest[] = {data[0] + before * kSize, data[1] + before * strides[1],
                               data[arity] + before * strides[arity]};
    if (!is_aligned(rest[0], 64)) return run(n - before, rest, strides);
    const Index whole = (n - before) & -kVector;
    const bool direct = is_direct(strides);
    if (direct) packed_streamed(whole, rest[0], {rest[1], rest[arity]});
    if (!direct || before + whole < n) buffered<true>(direct ? whole : 0, n - before, rest, strides);
  }

 private:
  static constexpr Index kLines = 8;  // streamed at a time, while nothing is read

  static bool is_direct(const Index* strides) {
    bool direct = true;
    for (int k = 0; k <= arity; ++k) direct &= strides[k] == kSize;
    return direct;
  }

  // Packed elements are read and written where they are, a repeated one is broadcast once, and all
  // others pass through a buffer.
  template <bool streamed>
  [[gnu::noinline]] static void buffered(Index done, Index n, std::byte* const* data,
                                         const Index* strides) {
    alignas(64) T buffers[arity + 1][kBlock];
    const std::byte* in[arity + 1];
    for (int k = 1; k <= arity; ++k) {
      if (strides[k] == 0) convert::STRIDED_ISA::load_strided(kBlock, buffers[k], data[k], 0);
    }
    for (Index count; done < n; done += count) {
      count = n - done < kBlock ? n - done : kBlock;
      if (count > kVector) count &= -kVector;  // what is left comes last
      const bool full = count >= kVector;
      for (int k = 1; k <= arity; ++k) {
        const std::byte* const from = data[k] + done * strides[k];
        in[k] = reinterpret_cast<std::byte*>(buffers[k]);
        if (strides[k] == kSize && full) in[k] = from;
        else if (strides[k] != 0) convert::STRIDED_ISA::load_strided(count, buffers[k], from, strides[k]);
        // One takes the fast path of every function.
        for (Index i = count; !full && strides[k] != 0 && i < kVector; ++i) buffers[k][i] = T{1};
      }
      std::byte* const to = data[0] + done * strides[0];
      const bool at_once = strides[0] == kSize && full;
      std::byte* const made = at_once ? to : reinterpret_cast<std::byte*>(buffers[0]);
      if (streamed && at_once) packed_streamed(count, made, {in[1], in[arity]});
      else packed(full ? count : kVector, made, {in[1], in[arity]});
      if (!at_once) convert::STRIDED_ISA::store_strided(count, to, strides[0], buffers[0]);
    }
  }
};

// ---- powers by one exponent ----

template <int twice>
struct PowerBy {
  static constexpr bool kHasFastPath = false;
  template <class T> [[gnu::always_inline]] T operator()(T x) const { return power_by<twice>(x); }
};

template <class T, bool streamed> void pow_loop(Index n, std::byte* const* data, const Index* strides) {
  const auto one = [&]<class M>() { (streamed ? &M::run_streamed : &M::run)(n, data, strides); };
  if (strides[2] == 0) {
    const T y = load<T>(data[2]);
    if (y == T{-1}) return one.template operator()<MathLoop<PowerBy<-2>, T, 1>>();
    if (y == T{0.5}) return one.template operator()<MathLoop<PowerBy<1>, T, 1>>();
    if (y == T{1}) return one.template operator()<MathLoop<PowerBy<2>, T, 1>>();
    if (y == T{2}) return one.template operator()<MathLoop<PowerBy<4>, T, 1>>();
    if (y == T{3}) return one.template operator()<MathLoop<PowerBy<6>, T, 1>>();
  }
  one.template operator()<MathLoop<FloatMath<Op::Pow>, T, 2>>();
}

// ---- the table ----

// Enters the loops of all ops that float_math.hpp computes on this instruction set.
template <class T, DType dtype>
void fill_math(LoopFiller& fill) {
  for_each_loop(Columns<dtype>{}, [&]<Op op, DType>() {
    if constexpr (source_of(row_of(op), dtype, kFuses) == Source::Math) {
      const Loop& loop = fill.table.elementwise[static_cast<int>(op)][static_cast<int>(dtype)];
      const Loop& streamed = fill.table.streamed[static_cast<int>(op)][dtype == DType::Float64];
      if constexpr (op == Op::Pow || op == Op::FloatPower) {
        fill.enter(loop, STRIDED_LOOP(pow_loop<T, false>));
        fill.enter(streamed, STRIDED_LOOP(pow_loop<T, true>));
      } else {
        using Math = MathLoop<FloatMath<op>, T, row_of(op).arity>;
        fill.enter(loop, {&Math::run, "MathLoop::run"});
        fill.enter(streamed, {&Math::run_streamed, "MathLoop::run_streamed"});
      }
    }
  });
}

}  // namespace strided::kernels::elementwise::STRIDED_ISA
