#include "dispatch.hpp"

#include <algorithm>
#include <cstdlib>

namespace strided::simd {
namespace {

// The place of a name in a list, or -1.
template <int kCount>
int find(const std::string_view (&names)[kCount], std::string_view name) {
  const auto* const found = std::find(names, names + kCount, name);
  return found == names + kCount ? -1 : static_cast<int>(found - names);
}

}  // namespace

Target supported() {
#if defined(STRIDED_HAS_X86_ISAS)
  __builtin_cpu_init();
  // Every processor with AVX2 has F16C, which older compilers cannot ask for.
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2")) {
    return {};
  }
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl")) {
    return {Level::Avx2, {}};
  }
  return {Level::Avx512,
          {__builtin_cpu_supports("avx512vnni") != 0, __builtin_cpu_supports("avx512bf16") != 0}};
#else
  return {};
#endif
}

Target granted(std::string_view wish, const Target& available) {
  constexpr std::string_view kWithout = "no-";
  std::string_view rest = wish;
  const auto next = [&] {
    const std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    return word;
  };
  const int level = find(kLevelNames, next());
  if (level < 0 || wish.ends_with(',')) return available;
  Target target = available;
  while (!rest.empty()) {
    const std::string_view word = next();
    const int feature = word.starts_with(kWithout) ? find(kFeatureNames, word.substr(kWithout.size())) : -1;
    if (feature < 0) return available;
    target.features[feature] = false;
  }
  target.level = std::min(available.level, static_cast<Level>(level));
  if (target.level < Level::Avx512) return {target.level, {}};
  return target;
}

std::string text_of(const Target& target, const Target& available) {
  std::string text(kLevelNames[static_cast<int>(target.level)]);
  for (int feature = 0; feature < kFeatureCount && target.level == Level::Avx512; ++feature) {
    if (available.features[feature] && !target.features[feature]) {
      text += ",no-" + std::string(kFeatureNames[feature]);
    }
  }
  return text;
}

const Target& active() {
  static const Target target = [] {
    const char* const wish = std::getenv("STRIDED_ISA");
    return granted(wish == nullptr ? "" : wish, supported());
  }();
  return target;
}

}  // namespace strided::simd
