#include "loop_table.hpp"

#include "fill_loops.hpp"
#include "simd/dispatch.hpp"

namespace strided {

// Not inlined: loops() is asked for every op and should stay a few instructions.
[[gnu::noinline]] LoopTable make_table([[maybe_unused]] const simd::Target& target, simd::TableRecord* record) {
  LoopTable table{};
  LoopFiller fill(table, record);
  fill.begin("baseline", "kernels/elementwise/libm.cpp");
  kernels::elementwise::fill_libm_loops(fill);
  fill.begin("baseline", "kernels/elementwise/complex.cpp");
  kernels::elementwise::fill_complex_loops(fill);
#define FILL(level, family, folder, name)                              \
  fill.begin(#level, "kernels/" #family "/" #folder #name ".isa.cpp"); \
  kernels::family::level::fill_##name##_loops(fill);
  STRIDED_LOOP_FILES(FILL, baseline)
#if defined(STRIDED_HAS_X86_ISAS)
  if (target.level >= simd::Level::Avx2) {
    STRIDED_LOOP_FILES(FILL, avx2)
  }
  if (target.level >= simd::Level::Avx512) {
    STRIDED_LOOP_FILES(FILL, avx512)
  }
  if (target.has(simd::Feature::Vnni)) {
    STRIDED_VNNI_FILES(FILL, avx512_vnni)
  }
  if (target.has(simd::Feature::Bf16)) {
    STRIDED_BF16_FILES(FILL, avx512_bf16)
  }
#endif
#undef FILL
  return table;
}

const LoopTable& loops() {
  static const LoopTable table = make_table(simd::active());
  return table;
}

}  // namespace strided
