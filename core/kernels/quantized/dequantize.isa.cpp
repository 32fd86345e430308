// Dequantisation of blocks to floats, for one instruction set; and quantisation of activations to int8.
//
// A number is computed as d * q + m with a rounding after each step, as the formats define it, so that all
// instruction sets give the same bits.
#include "kernels/fill_loops.hpp"
#include "unpacked.hpp"

namespace strided::kernels::quantized::STRIDED_ISA {
namespace {

constexpr Index kFloats = kVectorBytes / 4;
using Floats = Vector<float>;

// As many small integers as a register holds floats.
[[gnu::always_inline]] inline Floats floats_at(const std::int8_t* q) {
#if defined(__AVX512F__)
  const __m128i bytes = _mm_load_si128(reinterpret_cast<const __m128i*>(q));
  const __m512i wide = _mm512_maskz_cvtepi8_epi32(0xffff, bytes);
  return __builtin_bit_cast(Floats, _mm512_maskz_cvtepi32_ps(0xffff, wide));
#elif defined(__AVX2__)
  const __m256i wide = _mm256_cvtepi8_epi32(_mm_loadu_si64(q));
  return __builtin_bit_cast(Floats, _mm256_cvtepi32_ps(wide));
#else
  Floats floats{};
  for (Index i = 0; i < kFloats; ++i) floats[i] = static_cast<float>(q[i]);
  return floats;
#endif
}

[[gnu::always_inline]] inline void put(std::byte* to, Floats floats, Type<float>) { store_vector(to, floats); }

// A scale that is NaN has no payload in its lower half, which rounding could carry away.
[[gnu::always_inline]] inline void put(std::byte* to, Floats floats, Type<bfloat16>) {
  using Bits = Vector<std::uint32_t>;
  const auto bits = __builtin_bit_cast(Bits, floats);
  const Bits rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
#if defined(__AVX2__) && !defined(__AVX512F__)
  const auto words = __builtin_bit_cast(__m256i, rounded);
  const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(words, words), 0x08);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_castsi256_si128(packed));
#else
  store_vector(to, __builtin_convertvector(rounded, Vector<std::uint16_t, kFloats>));
#endif
}

[[gnu::always_inline]] inline void put(std::byte* to, Floats floats, Type<float16>) {
#if defined(__AVX512F__)
  const auto all = __builtin_bit_cast(__m512, floats);
  store_vector(to, _mm512_maskz_cvtps_ph(0xffff, all, _MM_FROUND_TO_NEAREST_INT));
#elif defined(__F16C__)
  store_vector(to, _mm256_cvtps_ph(__builtin_bit_cast(__m256, floats), _MM_FROUND_TO_NEAREST_INT));
#else
  for (Index i = 0; i < kFloats; ++i) store(to + 2 * i, float16(floats[i]));
#endif
}

template <BlockKind kind, class To>
void dequantize(Index blocks, const std::byte* from, std::byte* to) {
  constexpr BlockFormat format = format_of(kind);
  alignas(64) std::int8_t q[format.numbers];
  BlockScales scales;
  for (Index b = 0; b < blocks; ++b) {
    unpack<kind>(from + b * format.bytes, q, scales);
#pragma GCC unroll 16
    for (Index group = 0; group < format.numbers / 16; ++group) {
#pragma GCC unroll 4
      for (Index i = 0; i < 16; i += kFloats) {
        Floats floats = floats_at(q + 16 * group + i) * scales.scale[group];
        if constexpr (adds(kind)) floats += scales.added[group];
        const Index at = b * format.numbers + 16 * group + i;
        put(to + at * static_cast<Index>(sizeof(To)), floats, Type<To>{});
      }
    }
  }
}

template <BlockKind kind>
void fill_kind(LoopFiller& fill) {
  const auto& loops = fill.table.quantized.kinds[static_cast<int>(kind)];
  fill.enter(loops.to_float32, STRIDED_LOOP(dequantize<kind, float>));
  fill.enter(loops.to_bfloat16, STRIDED_LOOP(dequantize<kind, bfloat16>));
  fill.enter(loops.to_float16, STRIDED_LOOP(dequantize<kind, float16>));
}

// ---- activations ----

// The largest magnitude among kCount floats; NaN if one is, infinity before all numbers.
template <Index kCount>
[[gnu::always_inline]] inline float largest(const float* x) {
  std::int32_t most = 0;  // the bits of magnitudes are in the order of what they mean
  for (Index i = 0; i < kCount; ++i) {
    const auto bits = __builtin_bit_cast(std::int32_t, x[i]) & 0x7fffffff;
    most = bits > most ? bits : most;
  }
  return __builtin_bit_cast(float, most);
}

// 32 numbers and their sum. Adding 1.5 * 2^23 rounds to a whole number, half to even, and leaves it in the
// lower bits.
[[gnu::always_inline]] inline std::int32_t round_32(const float* x, float inverse, std::int8_t* to) {
  constexpr float kRound = 0x1.8p23f;
  std::int32_t sum = 0;
  for (Index i = 0; i < 32; ++i) {
    const float moved = x[i] * inverse + kRound;
    const auto number = static_cast<std::int8_t>(__builtin_bit_cast(std::int32_t, moved));
    to[i] = number;
    sum += number;
  }
  return sum;
}

template <Index kPerScale>
void quantize(Index n, const float* x, const std::uint8_t* order, ActivationBlock* to) {
  constexpr float kLeast = 0x1p-100f;  // what is below counts as zero; its inverse is finite
  for (Index begin = 0; begin < n; begin += ActivationBlock::kNumbers, ++to) {
    alignas(64) std::int8_t numbers[ActivationBlock::kNumbers] = {};
    const Index blocks = std::min<Index>(8, (n - begin) / 32);
    float scale = 0, inverse = 0;
    for (Index b = 0; b < 8; ++b) {
      const float* const from = x + begin + 32 * b;
      if (b >= blocks) {
        to->scales[b] = to->sums[b] = 0;
        continue;
      }
      if (kPerScale == 32 || b == 0) {
        const float most = largest<kPerScale>(from);
        scale = most < kLeast ? 0 : most * 0 == 0 ? most / 127 : most - most;
        inverse = most >= kLeast ? 127 / most : 0;
      }
      const std::int32_t sum = round_32(from, inverse, numbers + 32 * b);
      to->scales[b] = scale;
      to->sums[b] = scale * static_cast<float>(sum);
    }
    for (int run = 0; run < 16; ++run) {
      std::memcpy(to->numbers + 16 * run, numbers + 16 * order[run], 16);
    }
  }
}

}  // namespace

void fill_dequantize_loops(LoopFiller& fill) {
  for_each_kind([&]<BlockKind kind>() { fill_kind<kind>(fill); });
  fill.enter(fill.table.quantized.by_32, STRIDED_LOOP(quantize<32>));
  fill.enter(fill.table.quantized.by_256, STRIDED_LOOP(quantize<256>));
}

}  // namespace strided::kernels::quantized::STRIDED_ISA
