#include "isa.hpp"

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
  baseline::fill_real_loops(table);
  baseline::fill_cast_loops(table);
  baseline::fill_float_math_loops(table);
  baseline::fill_row_loops(table);
  baseline::fill_cross_loops(table);
  baseline::fill_plane_loops(table);
  baseline::fill_quick_loops(table);
#if defined(STRIDED_HAS_X86_ISAS)
  if (level >= kAvx2) {
    avx2::fill_real_loops(table);
    avx2::fill_cast_loops(table);
    avx2::fill_float_math_loops(table);
    avx2::fill_row_loops(table);
    avx2::fill_cross_loops(table);
    avx2::fill_plane_loops(table);
    avx2::fill_quick_loops(table);
  }
  if (level >= kAvx512) {
    avx512::fill_real_loops(table);
    avx512::fill_cast_loops(table);
    avx512::fill_float_math_loops(table);
    avx512::fill_row_loops(table);
    avx512::fill_cross_loops(table);
    avx512::fill_plane_loops(table);
    avx512::fill_quick_loops(table);
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
