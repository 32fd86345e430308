// Reductions whose parts are one number each: how parts become states and states results.
//
// `Rule` says what a part is and what is done with it:
//   Accumulator     a part that is made across
//   Total           a part that is made along
//   State           what is kept per result; a second one for what is rounded off, if kCareful
//   none            the Accumulator and the State that nothing was taken into
//   fold(s, r, p)   a part p into the state s and its rest r
#pragma once

#include <algorithm>

#include "fold_driver.hpp"
#include "run/interrupt.hpp"

namespace strided::kernels::reduce {

inline ReduceLoops reduce_loops(Fold fold, DType dtype) {
  return loops().reduce[static_cast<int>(fold)][static_cast<int>(dtype)];
}

template <class Rule>
class PartialFolding : public Folding {
 public:
  using Accumulator = typename Rule::Accumulator;
  using Total = typename Rule::Total;
  using State = typename Rule::State;

  // Elements per part: `run` along, `rows` across.
  PartialFolding(ReduceLoops loops, DType read_as, Index run, Index rows)
      : Folding(read_as, run, rows), loops_(loops) {}

  std::vector<ReduceLoops> inner_loops(const IterationSpace&) const override { return {loops_}; }

  void begin(FoldWorkspace& work) const override {
    if (work.single) return;
    std::fill_n(state(work), work.results, State(Rule::none));
    if constexpr (Rule::kCareful) std::fill_n(rest(work), work.results, State(0));
  }

  void along(FoldWorkspace& work, const FoldTile& tile) const override {
    if (work.single) {
      static_assert(sizeof(Total) == sizeof(State));
      return loops_.along(tile, {state(work) + tile.at, nullptr});
    }
    const Total* const part = static_cast<const Total*>(work.part[0]);
    loops_.along(tile, {work.part[0], nullptr});
    State* const s = state(work) + tile.at;
    State* const r = rest(work) + tile.at;
    if (tile.rows_kept) {
      for (Index i = 0; i < tile.rows; ++i) Rule::fold(s[i], r[i], static_cast<State>(part[i]));
    } else {
      for (Index i = 0; i < tile.rows; ++i) Rule::fold(*s, *r, static_cast<State>(part[i]));
    }
  }

  void across(FoldWorkspace& work, const FoldTile& tile) const override {
    if (!work.parts_in_use) {
      std::fill_n(accumulators(work), work.results, Accumulator(Rule::none));
      if (!work.single) std::fill_n(work.taken, work.results, Index{0});
      work.parts_in_use = true;
    }
    ReduceTile more = tile;
    Accumulator* const part = accumulators(work) + tile.at;
    const Index columns = tile.rows_kept ? tile.rows * tile.n : tile.n;
    Index taken = work.single ? 0 : work.taken[tile.at];
    for (Index left = tile.rows; left > 0; left -= more.rows) {
      if (left < tile.rows) check_interrupt();
      if (taken == most_rows) {
        fold_accumulators(work, tile.at, columns, part);
        std::fill_n(part, columns, Accumulator(Rule::none));
        taken = 0;
      }
      more.rows = tile.rows_kept ? left : std::min({left, most_rows - taken, kRowsBetweenChecks});
      loops_.across(more, {part, nullptr});
      taken += tile.rows_kept ? 1 : more.rows;
      more.data += more.rows * more.step;
    }
    if (!work.single) work.taken[tile.at] = taken;
  }

  void across_wide(FoldWorkspace& work, const FoldTile& tile, Index n) const override {
    // Many parts for every state, in the place of those that are in use.
    finish_parts(work);
    if (work.single) {
      work.single = false;
      begin(work);
    }
    ReduceTile more = tile;
    Accumulator* const part = accumulators(work);
    Index taken = 0;
    for (Index left = tile.rows; left > 0; left -= more.rows) {
      if (left < tile.rows) check_interrupt();
      if (taken == 0) std::fill_n(part, tile.n, Accumulator(Rule::none));
      more.rows = std::min({left, most_rows - taken, kRowsBetweenChecks});
      loops_.across(more, {part, nullptr});
      taken += more.rows;
      if (taken == most_rows || left == more.rows) {
        for (Index c = 0; c < tile.n; c += n) fold_accumulators(work, tile.at, n, part + c);
        taken = 0;
      }
      more.data += more.rows * more.step;
    }
  }

  void end(FoldWorkspace& work) const override { finish_parts(work); }

  void merge(FoldWorkspace& work, const FoldWorkspace& more) const override {
    State *const s = state(work), *const r = rest(work);
    const State *const s2 = state(more), *const r2 = rest(more);
    for (Index i = 0; i < work.results; ++i) {
      Rule::fold(s[i], r[i], s2[i]);
      if constexpr (Rule::kCareful) r[i] += r2[i];
    }
  }

 protected:
  static State* state(const FoldWorkspace& work) { return static_cast<State*>(work.state[0]); }
  static State* rest(const FoldWorkspace& work) { return static_cast<State*>(work.state[1]); }

 private:
  static Accumulator* accumulators(const FoldWorkspace& work) { return static_cast<Accumulator*>(work.part[0]); }

  static void fold_accumulators(const FoldWorkspace& work, Index at, Index n, const Accumulator* part) {
    State *const s = state(work) + at, *const r = rest(work) + at;
    for (Index i = 0; i < n; ++i) Rule::fold(s[i], r[i], static_cast<State>(part[i]));
  }

  static void finish_parts(FoldWorkspace& work) {
    if (!work.parts_in_use) return;
    work.parts_in_use = false;
    if (!work.single) return fold_accumulators(work, 0, work.results, accumulators(work));
    if constexpr (std::is_same_v<Accumulator, State>) {
      work.state[0] = work.part[0];
    } else {
      for (Index i = 0; i < work.results; ++i) state(work)[i] = static_cast<State>(accumulators(work)[i]);
    }
  }

  ReduceLoops loops_;
};

// Writes n results that have `dtype`, converted to `to`.
inline void write_as(DType dtype, const void* results, Index n, DType to, std::byte* out, Index step) {
  convert::elements(dtype, static_cast<const std::byte*>(results), itemsize(dtype), to, out, step, n);
}

}  // namespace strided::kernels::reduce
