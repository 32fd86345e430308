// Wishes for an instruction set, and the loop tables of every target that this processor has.
#include "simd/dispatch.hpp"

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "kernels/fill_loops.hpp"
#include "kernels/loop_names.hpp"

namespace {

using namespace strided;
using simd::Level;
using simd::Target;

constexpr Target kAll{Level::Avx512, {true, true}};
constexpr Target kNoFeatures{Level::Avx512, {false, false}};
constexpr Target kAvx2{Level::Avx2, {}};

std::string granted_text(std::string_view wish, const Target& available) {
  return simd::text_of(simd::granted(wish, available), available);
}

const check::Test wishes("wishes", [] {
  check::equal(granted_text("baseline", kAll), "baseline");
  check::equal(granted_text("avx2", kAll), "avx2");
  check::equal(granted_text("avx512", kAll), "avx512");
  check::equal(granted_text("avx512,no-vnni", kAll), "avx512,no-vnni");
  check::equal(granted_text("avx512,no-bf16", kAll), "avx512,no-bf16");
  check::equal(granted_text("avx512,no-bf16,no-vnni", kAll), "avx512,no-vnni,no-bf16");
  check::that(simd::granted("avx512,no-vnni", kAll) == Target{Level::Avx512, {false, true}}, "only vnni is gone");
  check::that(simd::granted("avx512", kAll) == kAll, "a level has all its features");
});

const check::Test lower_levels_have_no_features("lower levels have no features", [] {
  check::that(simd::granted("avx2", kAll) == kAvx2, "avx2");
  check::that(simd::granted("avx2,no-vnni", kAll) == kAvx2, "a feature that the level lacks");
  check::that(simd::granted("baseline", kAll) == Target{}, "baseline");
});

const check::Test capped("wishes are capped by the processor", [] {
  for (const std::string_view wish : {"avx512", "avx512,no-vnni", "avx2"}) {
    check::equal(granted_text(wish, kAvx2), "avx2", wish);
    check::equal(granted_text(wish, Target{}), "baseline", wish);
  }
  check::that(simd::granted("avx512,no-vnni", kNoFeatures) == kNoFeatures, "there is nothing to take away");
  check::equal(granted_text("avx512,no-vnni", kNoFeatures), "avx512");
});

const check::Test unknown_wishes("unknown wishes count as none", [] {
  for (const std::string_view wish : {"", "avx1024", "AVX2", " avx2", "avx512,", "avx512,no-", "avx512,vnni", ",",
                                      "avx512,no-amx", "avx512,no-vnni,", "no-vnni", "avx512-vnni", "avx2,,no-vnni"}) {
    check::that(simd::granted(wish, kAll) == kAll, wish);
    check::that(simd::granted(wish, kAvx2) == kAvx2, wish);
  }
});

const check::Test own_text("what is granted is granted for its own text", [] {
  for (const Target& available : {Target{}, kAvx2, kNoFeatures, kAll}) {
    for (const std::string_view level : simd::kLevelNames) {
      for (const std::string_view rest : {"", ",no-vnni", ",no-bf16", ",no-vnni,no-bf16"}) {
        const Target target = simd::granted(std::string(level) + std::string(rest), available);
        check::that(simd::granted(simd::text_of(target, available), available) == target, level);
      }
    }
  }
});

// ---- tables ----

std::vector<Target> targets() {
  const Target best = simd::supported();
  std::vector<Target> found;
  for (const char* const wish : {"baseline", "avx2", "avx512,no-vnni,no-bf16", "avx512,no-vnni", "avx512,no-bf16",
                                 "avx512"}) {
    const Target target = simd::granted(wish, best);
    if (found.empty() || found.back() != target) found.push_back(target);
  }
  return found;
}

const check::Test every_cell_has_a_name("every loop of every target has one entry and a name", [] {
  std::size_t before = 0;
  for (const Target& target : targets()) {
    const std::string text = simd::text_of(target, simd::supported());
    const std::vector<LoopName> names = loop_names(target);  // throws where a level has two entries for a cell
    std::set<std::string> cells, levels;
    for (const LoopName& name : names) {
      cells.insert(name.cell);
      levels.insert(name.level);
      check::that(!name.file.empty() && !name.function.empty(), name.cell);
    }
    check::equal(cells.size(), names.size(), text);
    check::that(names.size() >= before && names.size() > 1000, text);
    before = names.size();
    check::that(levels.contains("baseline"), text);
    check::that(levels.contains("avx2") == (target.level >= Level::Avx2), text);
    check::that(levels.contains("avx512") == (target.level >= Level::Avx512), text);
    check::that(levels.contains("avx512_vnni") == target.has(simd::Feature::Vnni), text);
    check::that(levels.contains("avx512_bf16") == target.has(simd::Feature::Bf16), text);
    check::that(make_table(target).products.has_pairs() == target.has(simd::Feature::Bf16), text);
  }
});

const check::Test names_of_loops("loops are found by their address", [] {
  const auto at = [](auto key) { return static_cast<int>(key); };
  const kernels::reduce::ReduceLoop sum = loops().reduce[at(kernels::reduce::Fold::Sum)][at(DType::Float16)].along;
  const LoopName* const name = find_loop_name(sum);
  check::that(name != nullptr, "a loop of the table");
  if (name == nullptr) return;
  check::equal(name->cell, "reduce[sum][float16].along");
  check::equal(name->file, "kernels/reduce/fold.isa.cpp");
  check::equal(name->function, "fold_along");
  check::equal(name->level, simd::kLevelNames[at(simd::active().level)]);
  check::equal(loop_name(sum),
               "kernels/reduce/fold.isa.cpp: fold_along, reduce[sum][float16].along (" + name->level + ")");
  int outside = 0;
  check::equal(loop_name(&outside), "");
  check::equal(loop_name(loops().elementwise[at(Op::Lgamma)][at(DType::Float64)]),
               "kernels/elementwise/libm.cpp: single_loop, elementwise[lgamma][float64] (baseline)");
});

// ---- second entries ----

bool first(Index, const std::byte*, Index, Index, bool, Index*) { return true; }
bool second(Index, const std::byte*, Index, Index, bool, Index*) { return false; }

std::string word_name(std::size_t word) { return "word " + std::to_string(word); }

template <class Fill>
std::string refusal(Fill fill_in) {
  LoopTable table{};
  simd::TableRecord record(sizeof(LoopTable), &word_name);
  LoopFiller fill(table, &record);
  try {
    fill_in(fill);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

const check::Test second_entries("a second entry of one level is refused", [] {
  const std::string message = refusal([](LoopFiller& fill) {
    fill.begin("avx2", "a.isa.cpp");
    fill.enter(fill.table.gather.resolve, STRIDED_LOOP(first));
    fill.begin("avx2", "b.isa.cpp");
    fill.enter(fill.table.gather.resolve, STRIDED_LOOP(second));
  });
  check::that(message.starts_with("b.isa.cpp: second is a second entry for word "), message);
  check::that(message.ends_with(" of level avx2; the first is a.isa.cpp: first"), message);
  check::that(!refusal([](LoopFiller& fill) {
    fill.begin("avx2", "a.isa.cpp");
    fill.set(fill.table.sort.narrow.longest, 1);
    fill.set(fill.table.sort.narrow.longest, 2);
  }).empty(), "numbers too");
  check::that(!refusal([](LoopFiller& fill) {
    fill.begin("avx2", "a.isa.cpp");
    fill.enter(fill.table.products.along[0], {nullptr, "none"});
    fill.enter(fill.table.products.along[1], {nullptr, "none"});
    fill.share(fill.table.products.along[0], fill.table.products.along[1]);
  }).empty(), "shared ones too");
});

const check::Test empty_shares("a loop that is not there cannot be shared", [] {
  check::that(!refusal([](LoopFiller& fill) {
    fill.begin("avx2", "a.isa.cpp");
    fill.share(fill.table.products.along[0], fill.table.products.along[1]);
  }).empty(), "nothing was entered");
});

const check::Test higher_levels("a higher level takes the place of a lower one", [] {
  LoopTable table{};
  simd::TableRecord record(sizeof(LoopTable), &word_name);
  LoopFiller fill(table, &record);
  fill.begin("baseline", "a.isa.cpp");
  fill.enter(fill.table.gather.resolve, STRIDED_LOOP(first));
  fill.begin("avx2", "a.isa.cpp");
  fill.enter(fill.table.gather.resolve, STRIDED_LOOP(second));
  check::that(table.gather.resolve == &second, "the last one stands");
});

}  // namespace
