// Argmin and argmax. Elements are visited in memory order, so
// "first" is decided by comparing positions, not by who comes earlier.
#include <atomic>

#include "extreme.hpp"
#include "partial_folds.hpp"
#include "reduce.hpp"
#include "simd/integer_of_size.hpp"

namespace strided::kernels::reduce {
namespace {

constexpr Index kNowhere = std::numeric_limits<Index>::max();

// Does walking through memory also count positions up? Not asked for where tiles are small: these are walked
// faster in another order.
bool goes_up(const FoldSpace& fold) {
  const IterationSpace& axes = fold.axes;
  const int rank = axes.rank();
  if (rank > 2 && axes.shape[rank - 1] * axes.shape[rank - 2] < kSmallTile) return false;
  Index outer = kNowhere;
  for (int axis = 0; axis < rank; ++axis) {
    if (axes.roles[axis] != Role::Fold) continue;
    const Index position = axes.strides[FoldSpace::kPosition][axis];
    if (position <= 0 || position > outer) return false;
    outer = position;
  }
  return true;
}

template <class T>
class FindPosition : public Folding {
 public:
  FindPosition(bool largest, bool of_bools, DType read_as, const FoldSpace& fold, const Operand& out,
               const Operand* values)
      : Folding(read_as, 1024),  // that far a search goes
        ordered_(read_as),
        extreme_(reduce_loops(Fold::Max, ordered_.loop)),
        position_(reduce_loops(Fold::ArgMax, ordered_.loop)),
        top_(static_cast<T>((largest ? 1 : 0) ^ Order<T>::flip(largest, ordered_.has_sign))),
        goes_up_(goes_up(fold)),
        of_bools_(of_bools),
        out_(out.first()),
        values_(values == nullptr ? nullptr : values->first()),
        values_dtype_(values == nullptr ? read_as : values->dtype) {
    flip = Order<T>::flip(largest, ordered_.has_sign);
    in_order = goes_up_;
    gathered = 256;  // every column of a tile costs as much as some elements, so tiles are high
  }

  std::vector<ReduceLoops> inner_loops(const IterationSpace& space) const override {
    if (space.rank() != 2 || space.roles[1] == Role::Fold) return {extreme_, position_};
    return {space.roles[0] == Role::Fold ? position_ : extreme_};
  }

  void begin(FoldWorkspace& work) const override {
    std::fill_n(best(work), work.results, Order<T>::none());
    std::fill_n(where(work), work.results, kNowhere);
  }

  void along(FoldWorkspace& work, const FoldTile& tile) const override {
    const Index most = std::max<Index>(1, cached_bytes() / (tile.n * itemsize(read)));
    if (!tile.rows_kept || tile.rows <= most) return take_runs(work, tile);
    // Searched while they are in the cache.
    for (Index r = 0; r < tile.rows; r += most) take_runs(work, tile.rows_from(r, std::min(most, tile.rows - r), 1));
  }

  void across(FoldWorkspace& work, const FoldTile& tile) const override {
    if (tile.rows_kept) return take_adjacent(work, tile);
    take_rows(work, tile, tile.n, 1);
  }
  void across_wide(FoldWorkspace& work, const FoldTile& tile, Index n) const override {
    take_rows(work, tile, n, tile.n / n);
  }

  bool settled(const FoldWorkspace& work) const override {
    return of_bools_ && work.only_result && settled_chunk_.load(std::memory_order_relaxed) <= work.chunk;
  }

  void merge(FoldWorkspace& work, const FoldWorkspace& more) const override {
    for (Index i = 0; i < work.results; ++i) offer(work, i, best(more)[i], where(more)[i]);
  }

  void write(const FoldWorkspace& work, Index at, Index n, std::byte* out, Index step) const override {
    write_as(DType::Int64, where(work) + at, n, DType::Int64, out, step);
    if (values_ == nullptr) return;
    T* const value = best(work) + at;
    Order<T>::flip_back(value, n, flip);
    const Index size = itemsize(values_dtype_), whole = sizeof(Index);
    write_as(ordered_.held, value, n, values_dtype_, values_ + (out - out_) / whole * size,
             step / whole * size);
  }

 private:
  void take_runs(FoldWorkspace& work, const FoldTile& tile) const {
    ReduceTile more = tile;
    T* const value = static_cast<T*>(work.part[0]);
    extreme_.along(more, {value, nullptr});
    if (!tile.rows_kept) return take_one_of(work, tile, value);
    if (where(work)[tile.at] == kNowhere) {  // so it is for all of them: each row is searched
      Index* const column = static_cast<Index*>(work.part[1]);
      more.first_row = tile.column_position < 0;
      position_.along(more, {value, column});
      for (Index r = 0; r < tile.rows; ++r) {
        offer(work, tile.at + r, value[r], tile.position + column[r] * tile.column_position);
      }
      return;
    }
    for (Index r = 0; r < tile.rows; ++r) {
      if (may_win(work, tile.at + r, value[r])) search(work, tile, r, tile.at + r, value[r]);
    }
  }

  static T* best(const FoldWorkspace& work) { return static_cast<T*>(work.state[0]); }
  static Index* where(const FoldWorkspace& work) { return static_cast<Index*>(work.state[1]); }

  static bool is_better(T x, T than) {
    return !Order<T>::same(x, than) && Order<T>::same(larger_of(than, x), x);
  }
  bool may_win(const FoldWorkspace& work, Index at, T value) const {
    return is_better(value, best(work)[at]) ||
           (!(goes_up_ && where(work)[at] != kNowhere) && Order<T>::same(value, best(work)[at]));
  }
  static void offer(const FoldWorkspace& work, Index at, T value, Index position) {
    T& held = best(work)[at];
    Index& place = where(work)[at];
    if (is_better(value, held) || (Order<T>::same(value, held) && position < place)) {
      held = value;
      place = position;
    }
  }

  // Offers values to n adjacent states. Most do not win, and are passed over several at a time. `later`: than
  // everything that the states have seen.
  template <class PositionOf>
  void offer_all(const FoldWorkspace& work, Index at, const T* value, Index n, bool later,
                 PositionOf position_of) const {
    constexpr Index kTogether = 16;  // one to two vectors of most dtypes, and one branch for all of them
    const bool ties_lose = later && where(work)[at] != kNowhere;
    Index i = 0;
    for (; i + kTogether <= n; i += kTogether) {
      const T *const held = best(work) + at + i, *const offered = value + i;
      int losing = 0;
      for (Index c = 0; c < kTogether; ++c) {
        losing += static_cast<int>(ties_lose ? offered[c] <= held[c] : offered[c] < held[c]);
      }
      if (losing == kTogether) continue;
      for (Index c = i; c < i + kTogether; ++c) offer(work, at + c, value[c], position_of(c));
    }
    for (; i < n; ++i) offer(work, at + i, value[i], position_of(i));
  }

  // Looks for the value in row r.
  void search(const FoldWorkspace& work, const FoldTile& tile, Index r, Index at, T value) const {
    ReduceTile row = tile;
    row.data += r * tile.step;
    row.rows = 1;
    row.first_row = tile.column_position < 0;
    Index column;
    position_.along(row, {&value, &column});
    const Index first = tile.position + (tile.rows_kept ? 0 : r * tile.row_position);
    offer(work, at, value, first + column * tile.column_position);
  }

  // All rows belong to one result. Only a row that holds its extreme, or ties with it, is searched.
  void take_one_of(const FoldWorkspace& work, const FoldTile& tile, const T* value) const {
    Index chosen = -1;
    T best_so_far = best(work)[tile.at];
    for (Index r = 0; r < tile.rows; ++r) {
      if (!goes_up_) {
        if (may_win(work, tile.at, value[r])) search(work, tile, r, tile.at, value[r]);
      } else if (is_better(value[r], best_so_far) || (r == 0 && where(work)[tile.at] == kNowhere)) {
        best_so_far = value[r];
        chosen = r;
      }
    }
    if (chosen >= 0) search(work, tile, chosen, tile.at, value[chosen]);
    if (!of_bools_ || !work.only_result || !goes_up_ || best(work)[tile.at] != top_) return;
    Index settled = settled_chunk_.load(std::memory_order_relaxed);
    while (work.chunk < settled && !settled_chunk_.compare_exchange_weak(settled, work.chunk)) {}
  }

  // Rows of one folded index each.
  void take_adjacent(const FoldWorkspace& work, const FoldTile& tile) const {
    T* const value = static_cast<T*>(work.part[0]);
    const Index n = tile.rows * tile.n;
    std::fill_n(value, n, Order<T>::none());
    extreme_.across(tile, {value, nullptr});
    offer_all(work, tile.at, value, n, goes_up_, [&](Index) { return tile.position; });
  }

  // n adjacent results, `together` elements of each in a row.
  void take_rows(const FoldWorkspace& work, FoldTile tile, Index n, Index together) const {
    using Row = BitsOf<T>;
    // Row numbers have as many bits as elements, so that they are chosen by the same masks.
    constexpr Index kMostRows = sizeof(T) == 1 ? std::numeric_limits<Row>::max() : 4 * kRowsBetweenChecks;
    T* const value = static_cast<T*>(work.part[0]);
    Row* const row = static_cast<Row*>(work.part[1]);
    Index step = together * tile.row_position;
    if (step < 0) {  // from the other end, so that the first of equals comes first
      tile.data += (tile.rows - 1) * tile.step;
      tile.position += (tile.rows - 1) * step;
      tile.step = -tile.step;
      step = -step;
    }
    ReduceTile more = tile;
    more.part_step = 0;
    for (Index left = tile.rows; left > 0; left -= more.rows) {
      if (left < tile.rows) check_interrupt();
      more.rows = std::min(left, kMostRows);
      std::fill_n(value, tile.n, Order<T>::none());
      std::fill_n(row, tile.n, Row(0));
      position_.across(more, {value, row});
      for (Index g = 0; g < together; ++g) {
        const Index first = tile.position + g * tile.row_position;
        const Row* const rows = row + g * n;
        offer_all(work, tile.at, value + g * n, n, goes_up_ && together == 1,
                  [&](Index c) { return first + static_cast<Index>(rows[c]) * step; });
      }
      more.data += more.rows * more.step;
      tile.position += more.rows * step;
    }
  }

  Ordered ordered_;
  ReduceLoops extreme_, position_;
  T top_;  // what no bool is in front of
  bool goes_up_;
  bool of_bools_;  // the first true (or false) one settles it
  std::byte* out_;
  std::byte* values_;
  DType values_dtype_;
  mutable std::atomic<Index> settled_chunk_{kNowhere};  // the first that found one
};

}  // namespace

void arg_reduce(bool largest, const Operand& out, const Operand* values, const Operand& in) {
  require_order(in.dtype);
  if (out.layout->size() == 0) return;
  const FoldSpace fold = fold_space_of(out, in, Repeats::Counted, true);
  require_elements(fold);
  // Bytes of bools need not be 0 or 1, but those that are read are.
  const DType read = is_half(in.dtype)           ? DType::Float32
                     : in.dtype == DType::Bool ? DType::UInt8
                                               : in.dtype;
  Ordered(read).visit([&]<class T>(Type<T>) {
    const FindPosition<T> find(largest, in.dtype == DType::Bool, read, fold, out, values);
    reduce_with(largest ? "argmax" : "argmin", find, fold, values);
  });
}

}  // namespace strided::kernels::reduce
