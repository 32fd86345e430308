// float16 and bfloat16: storage formats that compute in float32. Conversions round to nearest even.
// They are always inlined (std::bit_cast need not be): loops built for several instruction sets use them,
// and a copy that the linker could share between those would run on the wrong processor.
#pragma once

#include <cstdint>

namespace strided {

struct bfloat16 {
  std::uint16_t bits;
  bfloat16() = default;
  [[gnu::always_inline]] explicit bfloat16(float value) {
    const auto raw = __builtin_bit_cast(std::uint32_t, value);
    // A NaN whose payload sits in the low half would round to infinity: keep it quiet instead.
    const bool nan = (raw & 0x7fffffffu) > 0x7f800000u;
    const std::uint32_t rounded = raw + 0x7fffu + ((raw >> 16) & 1u);
    bits = static_cast<std::uint16_t>(nan ? (raw >> 16) | 0x40u : rounded >> 16);
  }
  [[gnu::always_inline]] explicit operator float() const {
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16);
  }
};

// Branch-light conversions after F. Giesen, "Half-to-float done quick" (public domain): the
// subnormal range is handled by one float addition or subtraction.
struct float16 {
  std::uint16_t bits;
  float16() = default;
  [[gnu::always_inline]] explicit float16(float value) {
    const auto raw = __builtin_bit_cast(std::uint32_t, value);
    const std::uint32_t sign = (raw >> 16) & 0x8000u;
    const std::uint32_t magnitude = raw & 0x7fffffffu;
    std::uint32_t half;
    if (magnitude >= 0x47800000u) {  // 65536 and above, infinity, NaN
      half = magnitude > 0x7f800000u ? 0x7e00u : 0x7c00u;
    } else if (magnitude < 0x38800000u) {  // below 2^-14: subnormal half or zero
      const float shifted = __builtin_bit_cast(float, magnitude) + 0.5f;
      half = __builtin_bit_cast(std::uint32_t, shifted) - __builtin_bit_cast(std::uint32_t, 0.5f);
    } else {
      const std::uint32_t odd = (magnitude >> 13) & 1u;
      half = (magnitude - 0x38000000u + 0xfffu + odd) >> 13;
    }
    bits = static_cast<std::uint16_t>(half | sign);
  }
  [[gnu::always_inline]] explicit operator float() const {
    const std::uint32_t sign = (bits & 0x8000u) << 16;
    const std::uint32_t magnitude = bits & 0x7fffu;
    std::uint32_t raw = magnitude << 13;
    if (magnitude >= 0x7c00u) {
      raw += 0x70000000u;  // infinity and NaN keep the largest exponent
    } else if (magnitude >= 0x0400u) {
      raw += 0x38000000u;
    } else {
      const float tiny = __builtin_bit_cast(float, raw + 0x38800000u) - __builtin_bit_cast(float, 0x38800000u);
      raw = __builtin_bit_cast(std::uint32_t, tiny);
    }
    return __builtin_bit_cast(float, raw | sign);
  }
};

static_assert(sizeof(float16) == 2 && sizeof(bfloat16) == 2);

// ---- wider numbers ----
//
// To round once to a half type, a wider number first becomes a float32 by rounding to odd: where it lies between two
// floats, it becomes the one whose last bit is 1. That is no tie of a half type, and lies on the same side of every
// tie as the number itself (S. Boldo and G. Melquiond, "Emulation of a FMA and correctly rounded sums", 2008).

[[gnu::always_inline]] inline float rounded_to_odd(double value) {
  const auto nearest = static_cast<float>(value);
  const auto back = static_cast<double>(nearest);
  auto raw = __builtin_bit_cast(std::uint32_t, nearest);
  raw -= __builtin_fabs(back) > __builtin_fabs(value) ? 1u : 0u;  // towards zero
  raw |= back != value ? 1u : 0u;
  return __builtin_bit_cast(float, raw);
}

// Integers lose low bits first, so that what is left fits: 24 bits of 32 in a float, 48 bits of 64 in a double.
[[gnu::always_inline]] inline float rounded_to_odd(std::int32_t value) {
  const std::int32_t cut = (value & ~0xff) | ((value & 0xff) != 0 ? 0x100 : 0);
  const bool small = value < (1 << 24) && value > -(1 << 24);
  return static_cast<float>(small ? value : cut);
}
[[gnu::always_inline]] inline float rounded_to_odd(std::uint32_t value) {
  const std::uint32_t cut = (value & ~0xffu) | ((value & 0xffu) != 0 ? 0x100u : 0u);
  return static_cast<float>(value < (1u << 24) ? value : cut);
}
[[gnu::always_inline]] inline float rounded_to_odd(std::int64_t value) {
  const std::int64_t cut = (value & ~std::int64_t{0xffff}) | ((value & 0xffff) != 0 ? 0x10000 : 0);
  const bool small = value < (std::int64_t{1} << 48) && value > -(std::int64_t{1} << 48);
  return rounded_to_odd(static_cast<double>(small ? value : cut));
}
[[gnu::always_inline]] inline float rounded_to_odd(std::uint64_t value) {
  const std::uint64_t cut = (value & ~std::uint64_t{0xffff}) | ((value & 0xffff) != 0 ? 0x10000u : 0u);
  return rounded_to_odd(static_cast<double>(value < (std::uint64_t{1} << 48) ? value : cut));
}

}  // namespace strided
