// Smallest and largest in one pass: the loops see every tile twice, the second time in the cache.
#include "extreme.hpp"
#include "partial_folds.hpp"
#include "reduce.hpp"

namespace strided::kernels::reduce {
namespace {

template <class T>
class FindMinMax : public Folding {
 public:
  FindMinMax(DType read_as, DType out, std::ptrdiff_t further)
      : Folding(read_as, kLongRun / 4),
        ordered_(read_as), loops_(reduce_loops(Fold::Max, ordered_.loop)), out_(out),
        further_(further) {}

  std::vector<ReduceLoops> inner_loops(const IterationSpace&) const override { return {loops_}; }

  void begin(FoldWorkspace& work) const override {
    for (int k = 0; k < 2; ++k) std::fill_n(numbers(work.state[k]), work.results, Order<T>::none());
  }

  void along(FoldWorkspace& work, const FoldTile& tile) const override {
    in_cached_rows(tile, [&](const FoldTile& some, int k) {
      T* const part = numbers(work.part[k]);
      T* const state = numbers(work.state[k]) + some.at;
      loops_.along(some, {part, nullptr});
      for (Index r = 0; r < some.rows; ++r) fold(state[some.rows_kept ? r : 0], part[r]);
    }, 1);
  }

  void across(FoldWorkspace& work, const FoldTile& tile) const override {
    in_cached_rows(tile, [&](const FoldTile& some, int k) {
      T* const state = numbers(work.state[k]) + some.at;  // a state is a part here
      loops_.across(some, {state, nullptr});
    }, tile.n);
  }

  void across_wide(FoldWorkspace& work, const FoldTile& tile, Index n) const override {
    for (int k = 0; k < 2; ++k) std::fill_n(numbers(work.part[k]), tile.n, Order<T>::none());
    in_cached_rows(tile, [&](const FoldTile& some, int k) {
      loops_.across(some, {work.part[k], nullptr});
    }, 0);
    for (int k = 0; k < 2; ++k) {
      T* const state = numbers(work.state[k]) + tile.at;
      const T* const part = numbers(work.part[k]);
      for (Index i = 0; i < tile.n; ++i) fold(state[i % n], part[i]);
    }
  }

  void merge(FoldWorkspace& work, const FoldWorkspace& more) const override {
    for (int k = 0; k < 2; ++k) {
      for (Index i = 0; i < work.results; ++i) fold(numbers(work.state[k])[i], numbers(more.state[k])[i]);
    }
  }

  void write(const FoldWorkspace& work, Index at, Index n, std::byte* out, Index step) const override {
    for (int k = 0; k < 2; ++k) {
      T* const values = numbers(work.state[k]) + at;
      Order<T>::flip_back(values, n, flip_for(k));
      write_as(ordered_.held, values, n, out_, out + k * further_, step);
    }
  }

 private:
  static T* numbers(void* at) { return static_cast<T*>(at); }
  static void fold(T& held, T more) { held = larger_of(held, more); }
  std::uint64_t flip_for(int k) const { return Order<T>::flip(k == 1, ordered_.has_sign); }

  // Calls take(some rows, k) for the smallest (k = 0) and the largest. `results` go with a kept row.
  template <class Take>
  void in_cached_rows(FoldTile tile, Take&& take, Index results) const {
    const Index together = std::max<Index>(8, cached_bytes() / (tile.n * static_cast<Index>(sizeof(T))));
    for (Index left = tile.rows; left > 0; left -= tile.rows) {
      tile.rows = std::min(left, together);
      for (int k = 0; k < 2; ++k) {
        tile.flip = flip_for(k);
        take(tile, k);
      }
      if (tile.rows < left) check_interrupt();
      tile.data += tile.rows * tile.step;
      if (tile.rows_kept) tile.at += tile.rows * results;
    }
  }

  Ordered ordered_;
  ReduceLoops loops_;
  DType out_;
  std::ptrdiff_t further_;  // bytes from a smallest element to the largest one
};

}  // namespace

void min_max(const Operand& least, const Operand& most, const Operand& in) {
  require_order(in.dtype);
  if (least.layout->size() == 0) return;
  const FoldSpace fold = fold_space_of(least, in, Repeats::Counted);
  require_elements(fold);
  Ordered(in.dtype).visit([&]<class T>(Type<T>) {
    reduce_with("aminmax", FindMinMax<T>(in.dtype, least.dtype, most.first() - least.first()), fold, &most);
  });
}

}  // namespace strided::kernels::reduce
