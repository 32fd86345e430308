// How the loops that run are called: file, function and level, for plans and reports.
//
// Names are worked out when somebody first asks, so the library starts without them.
#pragma once

#include <string>
#include <vector>

#include "simd/dispatch.hpp"

namespace strided {

// Which instructions the loops use, as STRIDED_ISA would ask for them (simd/dispatch.hpp).
std::string active_isa();

struct LoopName {
  std::string cell;      // of the table: "reduce[sum][float32].along"
  std::string level;     // that the loop is compiled for: "avx512"
  std::string file;      // below core/, the one that is compiled: "kernels/reduce/fold.isa.cpp"
  std::string function;  // without template arguments: "fold_along"; defined in the file or in a header of it

  std::string text() const;  // "kernels/reduce/fold.isa.cpp: fold_along, reduce[sum][float32].along (avx512)"
};

// The name of a loop of loops(), by its first cell; null for any other address.
const LoopName* find_loop_name(const void* loop);
template <class R, class... A>
const LoopName* find_loop_name(R (*loop)(A...)) {
  return find_loop_name(reinterpret_cast<const void*>(loop));
}
// Its text; empty for any other address.
template <class L>
std::string loop_name(L* loop) {
  const LoopName* const name = find_loop_name(loop);
  return name == nullptr ? std::string() : name->text();
}

// All loops of a target, by cell. Throws std::logic_error if a cell has two entries of one level, or if a loop stands
// where nobody entered one.
std::vector<LoopName> loop_names(const simd::Target& target);
// Those of loops().
const std::vector<LoopName>& loop_names();

}  // namespace strided
