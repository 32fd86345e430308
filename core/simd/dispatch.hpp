// Which instructions the loops may use. This is the only place that asks the processor.
//
// The best that the processor has, unless the environment variable STRIDED_ISA asks for less:
//   baseline, avx2, avx512       a level, with all features of it that the processor has
//   avx512,no-vnni,no-bf16       the same without one or more of its features
// A level that the processor lacks means the best that it has; any other text counts as none. Decided on first use,
// then fixed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strided::simd {

// Every level has what the levels below it have.
enum class Level : std::uint8_t {
  Baseline,  // what the compiler assumes of every processor of this kind
  Avx2,      // with FMA, F16C and BMI2
  Avx512,    // F, BW, DQ and VL
};
inline constexpr int kLevelCount = 3;
inline constexpr std::string_view kLevelNames[kLevelCount] = {"baseline", "avx2", "avx512"};

// What some processors of level Avx512 have and others lack.
enum class Feature : std::uint8_t {
  Vnni,  // products of bytes
  Bf16,  // products of pairs of bfloat16
};
inline constexpr int kFeatureCount = 2;
inline constexpr std::string_view kFeatureNames[kFeatureCount] = {"vnni", "bf16"};

// A level and its features.
struct Target {
  Level level = Level::Baseline;
  bool features[kFeatureCount] = {};  // all false below Avx512

  bool has(Feature feature) const { return features[static_cast<int>(feature)]; }
  bool operator==(const Target&) const = default;
};

// All that this processor has.
Target supported();

// What a wish, written as STRIDED_ISA, is granted where all of `available` is there.
Target granted(std::string_view wish, const Target& available);

// The wish for which a target is granted: "avx512,no-vnni", say.
std::string text_of(const Target& target, const Target& available);

// What the loops of this process use.
const Target& active();

}  // namespace strided::simd
