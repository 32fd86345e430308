#include "dispatch.hpp"

#include <cstdlib>
#include <string_view>

#include "fill_loops.hpp"

namespace strided {
namespace {

enum Level { kBaseline, kAvx2, kAvx512 };
constexpr const char* kNames[] = {"baseline", "avx2", "avx512"};

Level supported_level() {
#if defined(STRIDED_HAS_X86_ISAS)
  __builtin_cpu_init();
  // Every processor with AVX2 has F16C, which older compilers cannot ask for.
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("bmi2")) {
    return kBaseline;
  }
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return avx512 ? kAvx512 : kAvx2;
#else
  return kBaseline;
#endif
}

Level chosen_level() {
  const Level supported = supported_level();
  const char* const wish = std::getenv("STRIDED_ISA");
  for (int level = kBaseline; wish != nullptr && level < supported; ++level) {
    if (std::string_view(wish) == kNames[level]) return static_cast<Level>(level);
  }
  return supported;
}

// Not inlined: loops() is asked for every op and should stay a few instructions.
[[gnu::noinline]] LoopTable make_table() {
  const Level level = chosen_level();
  LoopTable table{};
  table.isa = kNames[level];
  fill_math_loops(table);
  fill_complex_loops(table);
#define FILL(name) baseline::fill_##name##_loops(table);
  STRIDED_LOOP_FILES(FILL)
#undef FILL
#if defined(STRIDED_HAS_X86_ISAS)
  if (level >= kAvx2) {
#define FILL(name) avx2::fill_##name##_loops(table);
    STRIDED_LOOP_FILES(FILL)
#undef FILL
  }
  if (level >= kAvx512) {
#define FILL(name) avx512::fill_##name##_loops(table);
    STRIDED_LOOP_FILES(FILL)
#undef FILL
    if (__builtin_cpu_supports("avx512vnni")) {
      avx512_vnni::fill_quantized_loops(table);
      avx512_vnni::fill_quantized_tiles_loops(table);
    }
  }
#endif
  return table;
}

}  // namespace

const LoopTable& loops() {
  static const LoopTable table = make_table();
  return table;
}

const char* active_isa() { return loops().isa; }

}  // namespace strided
