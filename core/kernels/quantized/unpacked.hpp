// Unpacking of one block, for one instruction set: small integers q in their order, and for every 16 of
// them a scale and what is added.
#pragma once

#include "dtype/element.hpp"
#include "quantized_blocks.hpp"
#include "dtype/half.hpp"
#include "simd/vector.hpp"

namespace strided::kernels::quantized::STRIDED_ISA {

// number i = scale[i / 16] * q[i] + added[i / 16]
struct BlockScales {
  float scale[16];
  float added[16];  // only of kinds that have it
};

constexpr bool adds(BlockKind kind) {
  return kind == BlockKind::Q4_1 || kind == BlockKind::Q5_1 || kind == BlockKind::Q4_K ||
         kind == BlockKind::Q5_K;
}

[[gnu::always_inline]] inline float half_at(const std::byte* at) {
#if defined(__F16C__)
  return _cvtsh_ss(load<std::uint16_t>(at));
#else
  return static_cast<float>(load<float16>(at));
#endif
}

// Eight 6-bit scales and eight 6-bit numbers to subtract, one a byte: of each the first four have bytes of
// their own, whose upper bits hold the upper bits of the last four.
struct SixBits {
  std::uint64_t scales, subtracted;
};
[[gnu::always_inline]] inline SixBits six_bits(const std::byte* at) {
  const auto a = load<std::uint32_t>(at), b = load<std::uint32_t>(at + 4), c = load<std::uint32_t>(at + 8);
  const auto upper = [](std::uint32_t x) { return (x >> 2) & 0x30303030u; };
  const std::uint32_t last_scales = (c & 0x0f0f0f0fu) | upper(a);
  const std::uint32_t last_subtracted = ((c >> 4) & 0x0f0f0f0fu) | upper(b);
  return {(a & 0x3f3f3f3fu) | static_cast<std::uint64_t>(last_scales) << 32,
          (b & 0x3f3f3f3fu) | static_cast<std::uint64_t>(last_subtracted) << 32};
}
[[gnu::always_inline]] inline float byte_of(std::uint64_t bytes, int i) {
  return static_cast<float>(static_cast<int>(bytes >> (8 * i) & 0xff));
}

using Bytes16 = Vector<std::uint8_t, 16>;

[[gnu::always_inline]] inline Bytes16 bytes_at(const std::byte* at) { return load_vector<Bytes16>(at); }
[[gnu::always_inline]] inline void put(std::int8_t* to, Bytes16 bytes) { std::memcpy(to, &bytes, 16); }

// 16 where the bit is set, for 16 bits.
[[gnu::always_inline]] inline Bytes16 fifth_bits(const std::byte* at) {
  const auto a = static_cast<std::uint8_t>(at[0]), b = static_cast<std::uint8_t>(at[1]);
  const Bytes16 both = {a, a, a, a, a, a, a, a, b, b, b, b, b, b, b, b};
  const Bytes16 bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  return __builtin_bit_cast(Bytes16, (both & bits) == bits) & 16;
}

template <BlockKind kind>
[[gnu::always_inline]] inline void unpack_32(const std::byte* block, std::int8_t* q, BlockScales& to) {
  constexpr bool kFive = kind == BlockKind::Q5_0 || kind == BlockKind::Q5_1;
  constexpr Index kHead = adds(kind) ? 4 : 2;
  constexpr std::uint8_t kMiddle = adds(kind) ? 0 : kFive ? 16 : 8;
  const Bytes16 nibbles = bytes_at(block + kHead + (kFive ? 4 : 0));
  Bytes16 lower = nibbles & 15, upper = nibbles >> 4;
  if constexpr (kFive) {
    lower |= fifth_bits(block + kHead);
    upper |= fifth_bits(block + kHead + 2);
  }
  put(q, lower - kMiddle);
  put(q + 16, upper - kMiddle);
  to.scale[0] = to.scale[1] = half_at(block);
  if constexpr (adds(kind)) to.added[0] = to.added[1] = half_at(block + 2);
}

template <BlockKind kind>
[[gnu::always_inline]] inline void unpack_k(const std::byte* block, std::int8_t* q, BlockScales& to) {
  constexpr bool kFive = kind == BlockKind::Q5_K;
  const float d = half_at(block), e = half_at(block + 2);
  const SixBits bits = six_bits(block + 4);
  for (int i = 0; i < 16; ++i) {
    to.scale[i] = d * byte_of(bits.scales, i / 2);
    to.added[i] = -(e * byte_of(bits.subtracted, i / 2));
  }
  const std::byte* const nibbles = block + (kFive ? 48 : 16);
  for (int part = 0; part < 4; ++part) {
    for (int half = 0; half < 2; ++half) {
      const Bytes16 both = bytes_at(nibbles + 32 * part + 16 * half);
      Bytes16 lower = both & 15, upper = both >> 4;
      if constexpr (kFive) {
        const Bytes16 fifth = bytes_at(block + 16 + 16 * half);
        lower |= (fifth >> (2 * part) & 1) << 4;
        upper |= (fifth >> (2 * part + 1) & 1) << 4;
      }
      put(q + 64 * part + 16 * half, lower);
      put(q + 64 * part + 32 + 16 * half, upper);
    }
  }
}

[[gnu::always_inline]] inline void unpack_6(const std::byte* block, std::int8_t* q, BlockScales& to) {
  const float d = half_at(block + 208);
  for (int i = 0; i < 16; ++i) {
    to.scale[i] = d * static_cast<float>(load<std::int8_t>(block + 192 + i));
  }
  for (int part = 0; part < 2; ++part) {
    for (int half = 0; half < 2; ++half) {
      const Bytes16 first = bytes_at(block + 64 * part + 16 * half);
      const Bytes16 second = bytes_at(block + 64 * part + 32 + 16 * half);
      const Bytes16 two = bytes_at(block + 128 + 32 * part + 16 * half);
      std::int8_t* const own = q + 128 * part + 16 * half;
      put(own, ((first & 15) | (two & 3) << 4) - 32);
      put(own + 32, ((second & 15) | (two >> 2 & 3) << 4) - 32);
      put(own + 64, (first >> 4 | (two >> 4 & 3) << 4) - 32);
      put(own + 96, (second >> 4 | (two >> 6) << 4) - 32);
    }
  }
}

template <BlockKind kind>
[[gnu::always_inline]] inline void unpack(const std::byte* block, std::int8_t* q, BlockScales& to) {
  if constexpr (kind == BlockKind::Q6_K) {
    unpack_6(block, q, to);
  } else if constexpr (kind == BlockKind::Q4_K || kind == BlockKind::Q5_K) {
    unpack_k<kind>(block, q, to);
  } else if constexpr (kind == BlockKind::Q8_0) {
    std::memcpy(q, block + 2, 32);
    to.scale[0] = to.scale[1] = half_at(block);
  } else {
    unpack_32<kind>(block, q, to);
  }
}

}  // namespace strided::kernels::quantized::STRIDED_ISA
