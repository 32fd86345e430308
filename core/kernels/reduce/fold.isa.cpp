// Fills the loops of sums, products, extremes and counts, for one instruction set.
#include "kernels/fill_loops.hpp"
#include "larger.hpp"

namespace strided::kernels::reduce::STRIDED_ISA {
namespace {

// ---- what is done with elements; X is a number or a vector of them ----

struct Itself {
  template <class X> [[gnu::always_inline]] static X of(X x) { return x; }
};
struct Size {
  template <class X> [[gnu::always_inline]] static X of(X x) {
    if constexpr (std::is_arithmetic_v<X>) {
      return __builtin_fabs(x);
    } else {
      constexpr std::uint64_t kAllButSign = ~std::uint64_t{0} >> 1;
      return __builtin_bit_cast(X, __builtin_bit_cast(BitsIn<X, double>, x) & kAllButSign);
    }
  }
};
struct Number {  // 0 for NaN
  template <class X> [[gnu::always_inline]] static X of(X x) { return x == x ? x : X{}; }
};
struct Square {
  template <class X> [[gnu::always_inline]] static X of(X x) { return x * x; }
};

template <class T, class P, class Sum, class What = Itself>
struct Add {
  using Element = T;
  using Accumulator = P;
  using Total = Sum;
  static constexpr bool kRepeatable = false;
  static constexpr bool kNarrow = sizeof(P) < sizeof(Sum);
  static constexpr bool kPaired = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;
  static constexpr P none = 0;
  explicit Add(const ReduceTile&) {}
  template <class X> [[gnu::always_inline]] X take(X x) const { return What::of(x); }
  template <class X> [[gnu::always_inline]] X join(X a, X b) const {
    constexpr bool kMadeWide = std::is_same_v<P, double> && !std::is_same_v<T, double>;
    if constexpr (kMadeWide && std::is_same_v<X, Vector<double>>) return plus_made_wide(a, b);
    else return static_cast<X>(a + b);
  }
};

template <class T, class P>
struct Multiply {
  using Element = T;
  using Accumulator = P;
  using Total = P;
  static constexpr bool kRepeatable = false;
  static constexpr bool kNarrow = false;
  static constexpr bool kPaired = false;
  static constexpr P none = 1;
  explicit Multiply(const ReduceTile&) {}
  template <class X> [[gnu::always_inline]] X take(X x) const { return x; }
  template <class X> [[gnu::always_inline]] X join(X a, X b) const { return a * b; }
};

template <class T>
struct Nonzero {
  using Element = T;
  using Accumulator = T;
  using Total = std::uint64_t;
  static constexpr bool kRepeatable = false;
  static constexpr bool kNarrow = true;
  static constexpr bool kPaired = false;
  static constexpr T none = 0;
  T keep, flip;  // flip is 1 to count zeros
  explicit Nonzero(const ReduceTile& tile)
      : keep(static_cast<T>(tile.keep)), flip(static_cast<T>(tile.flip)) {}
  template <class X> [[gnu::always_inline]] X take(X x) const {
    x &= keep;
    if constexpr (std::is_arithmetic_v<X>) return static_cast<X>((x != 0) ^ flip);
    else return (__builtin_bit_cast(X, x != X{}) & T{1}) ^ flip;
  }
  template <class X> [[gnu::always_inline]] X join(X a, X b) const { return static_cast<X>(a + b); }
};

// ---- the table ----

template <class Op>
void fill_fold(LoopFiller& fill, Fold fold, DType dtype) {
  const ReduceLoops& loops = fill.table.reduce[static_cast<int>(fold)][static_cast<int>(dtype)];
  fill.enter(loops.along, STRIDED_LOOP(fold_along<Op>));
  fill.enter(loops.across, STRIDED_LOOP(fold_across<Op>));
}

}  // namespace

void fill_fold_loops(LoopFiller& fill) {
  fill_fold<Add<float16, double, double>>(fill, Fold::Sum, DType::Float16);
  fill_fold<Add<bfloat16, double, double>>(fill, Fold::Sum, DType::BFloat16);
#if !defined(__AVX512F__)  // the rest waits for memory, and wide stores to the parts make it slower
  using u64 = std::uint64_t;
  fill_fold<Add<float, double, double>>(fill, Fold::Sum, DType::Float32);
  fill_fold<Add<double, double, double>>(fill, Fold::Sum, DType::Float64);
  // Unsigned arithmetic gives the bits of a signed sum too, once each element is as wide as the sum.
  fill_fold<Add<std::int8_t, std::int16_t, u64>>(fill, Fold::Sum, DType::Int8);
  fill_fold<Add<std::uint8_t, std::uint16_t, u64>>(fill, Fold::Sum, DType::UInt8);
  fill_fold<Add<std::int16_t, std::int32_t, u64>>(fill, Fold::Sum, DType::Int16);
  fill_fold<Add<std::uint16_t, std::uint32_t, u64>>(fill, Fold::Sum, DType::UInt16);
  fill_fold<Add<std::int32_t, std::int64_t, u64>>(fill, Fold::Sum, DType::Int32);
  fill_fold<Add<std::uint32_t, std::uint64_t, u64>>(fill, Fold::Sum, DType::UInt32);
  fill_fold<Add<u64, u64, u64>>(fill, Fold::Sum, DType::UInt64);
  fill_fold<Add<float, double, double, Number>>(fill, Fold::NumberSum, DType::Float32);
  fill_fold<Add<double, double, double, Number>>(fill, Fold::NumberSum, DType::Float64);
  fill_fold<Add<float, double, double, Size>>(fill, Fold::AbsSum, DType::Float32);
  fill_fold<Add<double, double, double, Size>>(fill, Fold::AbsSum, DType::Float64);
  fill_fold<Add<float, double, double, Square>>(fill, Fold::Squares, DType::Float32);
  fill_fold<Add<double, double, double, Square>>(fill, Fold::Squares, DType::Float64);
  fill_fold<Multiply<float, double>>(fill, Fold::Prod, DType::Float32);
  fill_fold<Multiply<double, double>>(fill, Fold::Prod, DType::Float64);
  fill_fold<Multiply<u64, u64>>(fill, Fold::Prod, DType::UInt64);
  fill_fold<Larger<std::int8_t>>(fill, Fold::Max, DType::Int8);
  fill_fold<Larger<std::int16_t>>(fill, Fold::Max, DType::Int16);
  fill_fold<Larger<std::int32_t>>(fill, Fold::Max, DType::Int32);
  fill_fold<Larger<std::int64_t>>(fill, Fold::Max, DType::Int64);
  fill_fold<Larger<float16, float>>(fill, Fold::Max, DType::Float16);
  fill_fold<Larger<bfloat16, float>>(fill, Fold::Max, DType::BFloat16);
  fill_fold<Larger<float>>(fill, Fold::Max, DType::Float32);
  fill_fold<Larger<double>>(fill, Fold::Max, DType::Float64);
  fill_fold<Nonzero<std::uint8_t>>(fill, Fold::Count, DType::UInt8);
  fill_fold<Nonzero<std::uint16_t>>(fill, Fold::Count, DType::UInt16);
  fill_fold<Nonzero<std::uint32_t>>(fill, Fold::Count, DType::UInt32);
  fill_fold<Nonzero<u64>>(fill, Fold::Count, DType::UInt64);
#endif
}

}  // namespace strided::kernels::reduce::STRIDED_ISA
