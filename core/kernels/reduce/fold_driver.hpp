// The driver of reductions: visits elements tile by tile and hands them to an operation.
//
// A tile is what the two fastest axes span. Loops built per instruction set fold a limited number of elements into a
// part (a partial result); the operation folds parts into states, one per result. So a state may spend care on
// accuracy at no cost per element.
#pragma once

#include <string>
#include <vector>

#include "kernels/convert/packed.hpp"
#include "kernels/loop_table.hpp"
#include "plan/fold.hpp"
#include "run/machine.hpp"

namespace strided::kernels::reduce {

// Where a task keeps what it knows of its results: two numbers of at most 8 bytes each per state, and
// three per part.
struct FoldWorkspace {
  static constexpr int kNumbers = 2;
  static constexpr int kPartNumbers = 3;
  void* state[kNumbers];
  void* part[kPartNumbers];
  Index* taken;           // rows that went into the parts of a tile, at the index of its first result
  Index results;          // states in use
  Index parts;            // that the memory holds
  Index count;            // elements per result
  Index chunk;            // of the fold, that this one is
  bool only_result;       // of the whole reduction
  bool single = false;    // every state is made from one part
  bool parts_in_use = false;
};

struct FoldTile : ReduceTile {
  Index at;        // the state of the first row (along) or column (across)
  bool rows_kept;  // row r belongs to the state at + r (along) or at + r * n (across), not to `at`
  // Positions among the folded axes, for operations that need them.
  Index position, row_position, column_position;

  // `count` rows from row `first` on; rows that are kept have so many states each.
  FoldTile rows_from(Index first, Index count, Index states) const {
    FoldTile some = *this;
    some.data += first * step;
    some.rows = count;
    some.at += rows_kept ? first * states : 0;
    some.position += first * row_position;
    return some;
  }
};

// Numbers in here that say how elements are grouped are fixed: they decide in which order floats are added, and results
// have the same bits on every machine.

// Tiles of fewer elements are not worth a call: a longer axis is visited inside instead.
inline constexpr Index kSmallTile = 256;

class Folding {
 public:
  DType read;           // what elements are read as
  Index longest_run;    // elements per part, along,
  Index most_rows;      // and across
  Index gathered = 512;  // results whose elements are packed together, across
  bool in_order = false;  // elements must come in the order of the axes, also where tiles are small
  Index mapped = 0;     // bytes per element after `map`; 0: it is not called, and loops take what is read
  std::uint64_t keep = ~std::uint64_t{0}, flip = 0;  // as in ReduceTile

  Folding(DType dtype, Index run, Index rows = 0)
      : read(dtype), longest_run(run), most_rows(rows) {}
  virtual ~Folding() = default;
  // Those of the table that it runs over such a space, for records of plans,
  virtual std::vector<ReduceLoops> inner_loops(const IterationSpace& space) const = 0;
  // and those that are not in the table.
  virtual std::vector<std::string> plain_loops(bool /*along*/) const { return {}; }
  // Converts n packed elements that were read into what the loops take, in place.
  virtual void map(std::byte*, Index) const {}
  virtual void begin(FoldWorkspace& work) const = 0;
  // Rows of at most longest_run elements; at most kMostParts rows, unless they are kept.
  virtual void along(FoldWorkspace& work, const FoldTile& tile) const = 0;
  virtual void across(FoldWorkspace& work, const FoldTile& tile) const = 0;
  // Rows of tile.n / n times n columns.
  virtual void across_wide(FoldWorkspace& work, const FoldTile& tile, Index n) const = 0;
  // All elements were taken.
  virtual void end(FoldWorkspace&) const {}
  // Nothing that is still to come can change the states.
  virtual bool settled(const FoldWorkspace&) const { return false; }
  // States of the same results, from a later chunk.
  virtual void merge(FoldWorkspace& work, const FoldWorkspace& more) const = 0;
  // n results, from state `at` on, to places `step` bytes apart.
  virtual void write(const FoldWorkspace& work, Index at, Index n, std::byte* out, Index step) const = 0;
};

// Memory that every element of a tile is read from twice: half of the first-level cache.
inline Index cached_bytes() { return machine().l1 / 2; }
// Parts that fold exactly, or in the order of the rows however they are cut, may be of any number of elements across,
inline constexpr Index kAnyRows = Index{1} << 40;
// and along of so many, as one call reads: some microseconds.
inline constexpr Index kLongRun = 1 << 14;

// Rows that are folded into one state are handed over at most this many at a time.
inline constexpr Index kMostParts = 512;
// Rows of any length are taken at most this many at a time, to look for an interrupt in between.
inline constexpr Index kRowsBetweenChecks = 512;
// Rows of fewer bytes are taken several at a time, as one wide row; it has at most this many parts.
inline constexpr Index kMostWideParts = 4096;

// Hands all elements of a task over; `in` is the storage of its space.
void fold_tiles(const Folding& op, convert::PackedReader& reader, FoldWorkspace& work, const IterationSpace& space,
                const std::byte* in);

// The whole reduction, on several threads. Plans are recorded as `operation`. If the operation writes a second result,
// `also` says where.
void reduce_with(const char* operation, const Folding& op, const FoldSpace& fold, const Operand* also = nullptr);

// Raises InvalidArgument where there is nothing to choose a smallest or largest element from.
void require_elements(const FoldSpace& fold);

}  // namespace strided::kernels::reduce
