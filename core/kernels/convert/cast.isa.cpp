// Fills the conversions between dtypes, for one instruction set.
#if defined(__F16C__)
#include <immintrin.h>
#endif

#include <algorithm>

#include "convert.hpp"
#include "to_half.hpp"
#include "kernels/elementwise/inner_loop.hpp"

namespace strided::kernels::convert::STRIDED_ISA {
namespace {

constexpr int at(DType dtype) { return static_cast<int>(dtype); }

// Between integers the sign of the target makes no difference: one loop serves both.
template <class From, class To>
constexpr auto target_of() {
  constexpr bool integers = std::is_integral_v<From> && std::is_integral_v<To>;
  if constexpr (integers && !std::is_same_v<To, bool>) return Type<std::make_unsigned_t<To>>{};
  else return Type<To>{};
}

template <class From, class To>
constexpr Loop cast_loop() {
  return &elementwise::unary_loop<Convert<From, typename decltype(target_of<From, To>())::type>, From>;
}

template <class From, class To>
constexpr NamedLoop named_cast() {
  return {cast_loop<From, To>(), "unary_loop"};
}

// ---- half types ----

#if defined(__F16C__)

// What the vector loop leaves: the last few, or all if they are strided.
template <class From, class To>
void convert_from(Index i, Index n, std::byte* const* data, const Index* strides) {
  std::byte* const rest[] = {data[0] + i * strides[0], data[1] + i * strides[1]};
  cast_loop<From, To>()(n - i, rest, strides);
}

void float16_to_float32(Index n, std::byte* const* data, const Index* strides) {
  Index i = 0;
  if (strides[0] == sizeof(float) && strides[1] == sizeof(float16)) {
    for (; i + 8 <= n; i += 8) {
      const auto halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data[1] + 2 * i));
      _mm256_storeu_ps(reinterpret_cast<float*>(data[0] + 4 * i), _mm256_cvtph_ps(halves));
    }
  }
  convert_from<float16, float>(i, n, data, strides);
}

void float32_to_float16(Index n, std::byte* const* data, const Index* strides) {
  Index i = 0;
  if (strides[0] == sizeof(float16) && strides[1] == sizeof(float)) {
    for (; i + 8 <= n; i += 8) {
      const auto floats = _mm256_loadu_ps(reinterpret_cast<const float*>(data[1] + 4 * i));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(data[0] + 2 * i),
                       _mm256_cvtps_ph(floats, _MM_FROUND_TO_NEAREST_INT));
    }
  }
  convert_from<float, float16>(i, n, data, strides);
}

#endif

template <class Half>
constexpr NamedLoop from_half() {
#if defined(__F16C__)
  if constexpr (std::is_same_v<Half, float16>) return STRIDED_LOOP(float16_to_float32);
#endif
  return named_cast<Half, float>();
}
template <class Half>
constexpr NamedLoop to_half() {
#if defined(__F16C__)
  if constexpr (std::is_same_v<Half, float16>) return STRIDED_LOOP(float32_to_float16);
#endif
  return named_cast<float, Half>();
}

// Two conversions, through a block of float32 that stays in the first cache.
template <Loop first, Loop second>
void by_float32(Index n, std::byte* const* data, const Index* strides) {
  constexpr Index kBlock = 512;  // elements: 2 KiB of the stack
  alignas(64) std::byte block[kBlock * sizeof(float)];
  for (Index done = 0; done < n; done += kBlock) {
    const Index count = std::min(kBlock, n - done);
    std::byte* const in[] = {block, data[1] + done * strides[1]};
    const Index in_strides[] = {sizeof(float), strides[1]};
    first(count, in, in_strides);
    std::byte* const out[] = {data[0] + done * strides[0], block};
    const Index out_strides[] = {strides[0], sizeof(float)};
    second(count, out, out_strides);
  }
}

// The first of two conversions to a half type.
template <class Half, class From>
struct ConvertForHalf {
  float operator()(From x) const { return float_for<Half>(x); }
};

template <class Half, class From>
constexpr Loop loop_for_half() {
  if constexpr (std::is_same_v<From, bool>) return cast_loop<bool, float>();
  else if constexpr (rounds_to_odd<Half, From>()) return &elementwise::unary_loop<ConvertForHalf<Half, From>, From>;
  else return cast_loop<From, float>();
}

// Numbers that are rounded to odd on the way.
template <class Half, class From>
void cast_to_half(Index n, std::byte* const* data, const Index* strides) {
  if constexpr (HasFloatsForHalf<From>) {
    const bool packed = strides[0] == sizeof(Half) && strides[1] == sizeof(From);
    if (packed) return convert_packed<Half, From>(n, data[0], data[1]);
  }
  by_float32<loop_for_half<Half, From>(), to_half<Half>().loop>(n, data, strides);
}

// ---- the table ----

template <Loop first, Loop second>
constexpr NamedLoop by_way() {
  return STRIDED_LOOP(by_float32<first, second>);
}

template <class Half, DType... others>
void fill_half(LoopFiller& fill, DType half, Columns<others...>) {
  const auto& cast = fill.table.cast;
  const auto one = [&]<DType other>() {
    using Other = typename TypeOf<other>::type;
    if constexpr (std::is_same_v<Other, float>) {
      fill.enter(cast[at(half)][at(other)], from_half<Half>());
      fill.enter(cast[at(other)][at(half)], to_half<Half>());
    } else {
      fill.enter(cast[at(half)][at(other)], by_way<from_half<Half>().loop, cast_loop<float, Other>()>());
      if constexpr (rounds_to_odd<Half, Other>()) {
        fill.enter(cast[at(other)][at(half)], STRIDED_LOOP(cast_to_half<Half, Other>));
      } else {
        fill.enter(cast[at(other)][at(half)], by_way<loop_for_half<Half, Other>(), to_half<Half>().loop>());
      }
    }
  };
  (one.template operator()<others>(), ...);
  fill.enter(cast[at(half)][at(DType::Complex64)],
             by_way<from_half<Half>().loop, cast_loop<float, Pair<float>>()>());
  fill.enter(cast[at(half)][at(DType::Complex128)],
             by_way<from_half<Half>().loop, cast_loop<float, Pair<double>>()>());
}

template <DType from, DType... to>
void fill_row(LoopFiller& fill, Columns<to...>) {
  using From = typename TypeOf<from>::type;
  (fill.enter(fill.table.cast[at(from)][at(to)], named_cast<From, typename TypeOf<to>::type>()), ...);
}

// Floats to all dtypes, the others among themselves.
template <DType... from>
void fill_reals(LoopFiller& fill, Columns<from...> columns) {
  const auto one = [&]<DType dtype>() {
    if constexpr (is_floating(dtype)) fill_row<dtype>(fill, baseline::CastColumns{});
    else fill_row<dtype>(fill, columns);
  };
  (one.template operator()<from>(), ...);
}

template <class T, DType... from>
void fill_to_complex(LoopFiller& fill, DType to, Columns<from...>) {
  (fill.enter(fill.table.cast[at(from)][at(to)], named_cast<typename TypeOf<from>::type, Pair<T>>()), ...);
}

template <class T>
void fill_from_complex(LoopFiller& fill, DType from, DType part) {
  const auto& cast = fill.table.cast;
  fill.enter(cast[at(from)][at(DType::Bool)], named_cast<Pair<T>, bool>());
  fill.enter(cast[at(from)][at(DType::Complex64)], named_cast<Pair<T>, Pair<float>>());
  fill.enter(cast[at(from)][at(DType::Complex128)], named_cast<Pair<T>, Pair<double>>());
  // The real part comes first: a loop over the parts reads it, at the stride of whole numbers.
  for (int to = 0; to < kDTypeCount; ++to) {
    const DType dtype = static_cast<DType>(to);
    if (dtype != DType::Bool && !is_complex(dtype)) fill.share(cast[at(from)][to], cast[at(part)][to]);
  }
}

}  // namespace

void fill_cast_loops(LoopFiller& fill) {
  using AllColumns = baseline::CastColumns;
  const auto& cast = fill.table.cast;
  fill_reals(fill, CastColumns{});
  fill_to_complex<float>(fill, DType::Complex64, CastColumns{});
  fill_to_complex<double>(fill, DType::Complex128, CastColumns{});
  fill_half<float16>(fill, DType::Float16, AllColumns{});
  fill_half<bfloat16>(fill, DType::BFloat16, AllColumns{});
  fill.enter(cast[at(DType::Float16)][at(DType::Float16)], named_cast<float16, float16>());
  fill.enter(cast[at(DType::BFloat16)][at(DType::BFloat16)], named_cast<bfloat16, bfloat16>());
  fill.enter(cast[at(DType::Float16)][at(DType::BFloat16)],
             by_way<from_half<float16>().loop, to_half<bfloat16>().loop>());
  fill.enter(cast[at(DType::BFloat16)][at(DType::Float16)],
             by_way<from_half<bfloat16>().loop, to_half<float16>().loop>());
  fill_from_complex<float>(fill, DType::Complex64, DType::Float32);
  fill_from_complex<double>(fill, DType::Complex128, DType::Float64);
}

}  // namespace strided::kernels::convert::STRIDED_ISA
