// Fills the conversions between dtypes, for one instruction set.
#if defined(__F16C__)
#include <immintrin.h>
#endif

#include <algorithm>

#include "convert.hpp"
#include "kernels/elementwise/inner_loop.hpp"

namespace strided::STRIDED_ISA {
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
  return &unary_loop<Convert<From, typename decltype(target_of<From, To>())::type>, From>;
}

// ---- half types ----

#if defined(__F16C__)

// What the vector loop leaves: the last few, or all if they do not lie side by side.
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
constexpr Loop from_half() {
#if defined(__F16C__)
  if constexpr (std::is_same_v<Half, float16>) return &float16_to_float32;
#endif
  return cast_loop<Half, float>();
}
template <class Half>
constexpr Loop to_half() {
#if defined(__F16C__)
  if constexpr (std::is_same_v<Half, float16>) return &float32_to_float16;
#endif
  return cast_loop<float, Half>();
}

// Two conversions, by way of a block of float32 that stays in the fastest cache.
template <Loop first, Loop second>
void by_float32(Index n, std::byte* const* data, const Index* strides) {
  constexpr Index kBlock = 512;
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
  else return &unary_loop<ConvertForHalf<Half, From>, From>;
}

template <class Half, DType... others>
void fill_half(LoopTable& table, DType half, Columns<others...>) {
  const auto one = [&]<DType other>() {
    using Other = typename TypeOf<other>::type;
    if constexpr (std::is_same_v<Other, float>) {
      table.cast[at(half)][at(other)] = from_half<Half>();
      table.cast[at(other)][at(half)] = to_half<Half>();
    } else {
      table.cast[at(half)][at(other)] = &by_float32<from_half<Half>(), cast_loop<float, Other>()>;
      table.cast[at(other)][at(half)] = &by_float32<loop_for_half<Half, Other>(), to_half<Half>()>;
    }
  };
  (one.template operator()<others>(), ...);
  table.cast[at(half)][at(DType::Complex64)] =
      &by_float32<from_half<Half>(), cast_loop<float, Pair<float>>()>;
  table.cast[at(half)][at(DType::Complex128)] =
      &by_float32<from_half<Half>(), cast_loop<float, Pair<double>>()>;
}

// ---- the others ----

template <DType from, DType... to>
void fill_row(LoopTable& table, Columns<to...>) {
  using From = typename TypeOf<from>::type;
  ((table.cast[at(from)][at(to)] = cast_loop<From, typename TypeOf<to>::type>()), ...);
}

template <DType... from>
void fill_reals(LoopTable& table, Columns<from...> columns) {
  (fill_row<from>(table, columns), ...);
}

template <class T, DType... from>
void fill_to_complex(LoopTable& table, DType to, Columns<from...>) {
  ((table.cast[at(from)][at(to)] = cast_loop<typename TypeOf<from>::type, Pair<T>>()), ...);
}

template <class T>
void fill_from_complex(LoopTable& table, DType from, DType part) {
  // The real part comes first: a loop over the parts reads it, at the stride of whole numbers.
  for (int to = 0; to < kDTypeCount; ++to) table.cast[at(from)][to] = table.cast[at(part)][to];
  table.cast[at(from)][at(DType::Bool)] = cast_loop<Pair<T>, bool>();
  table.cast[at(from)][at(DType::Complex64)] = cast_loop<Pair<T>, Pair<float>>();
  table.cast[at(from)][at(DType::Complex128)] = cast_loop<Pair<T>, Pair<double>>();
}

}  // namespace

void fill_cast_loops(LoopTable& table) {
  using AllColumns = baseline::CastColumns;
  fill_reals(table, CastColumns{});
  fill_row<DType::Float32>(table, AllColumns{});
  fill_row<DType::Float64>(table, AllColumns{});
  fill_to_complex<float>(table, DType::Complex64, CastColumns{});
  fill_to_complex<double>(table, DType::Complex128, CastColumns{});
  fill_half<float16>(table, DType::Float16, AllColumns{});
  fill_half<bfloat16>(table, DType::BFloat16, AllColumns{});
  table.cast[at(DType::Float16)][at(DType::Float16)] = cast_loop<float16, float16>();
  table.cast[at(DType::BFloat16)][at(DType::BFloat16)] = cast_loop<bfloat16, bfloat16>();
  table.cast[at(DType::Float16)][at(DType::BFloat16)] =
      &by_float32<from_half<float16>(), to_half<bfloat16>()>;
  table.cast[at(DType::BFloat16)][at(DType::Float16)] =
      &by_float32<from_half<bfloat16>(), to_half<float16>()>;
  fill_from_complex<float>(table, DType::Complex64, DType::Float32);
  fill_from_complex<double>(table, DType::Complex128, DType::Float64);
}

}  // namespace strided::STRIDED_ISA
