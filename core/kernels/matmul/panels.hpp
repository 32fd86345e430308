// Packed panels of one operand of a product: `width` vectors, interleaved, of k elements of the accumulate dtype.
//
// The tile loops read them. They are packed from any strides and dtype, or read in place where the operand lies that
// way already.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/loop_table.hpp"
#include "plan/matrix.hpp"
#include "plan/sizes.hpp"
#include "plan/walk.hpp"

namespace strided::kernels::matmul {

// Where a panel lies: element p of vector i is i * row + p * step bytes behind the first.
struct Panel {
  const std::byte* data;
  Index row, step;
};

// An operand of a product whose vectors, or the steps along them, may be several axes of the space. Where they do not
// step together, the places of its elements are listed, and the strides of its matrix mean nothing.
struct ScatteredOperand {
  const IterationSpace* space;
  int operand;
  AxisRange vectors, steps;

  // How far vectors, and steps, lie behind the first element, in bytes.
  void list_vectors(Index first, Index count, Index* to) const {
    list_offsets(*space, operand, vectors.begin, vectors.end, first, count, to);
  }
  void list_steps(Index first, Index count, Index* to) const {
    list_offsets(*space, operand, steps.begin, steps.end, first, count, to);
  }
};

class Panels {
 public:
  // The rows of `from` (or of one of its planes) are the vectors. Tiles read left operands element by
  // element, right operands a vector register at a time. `scattered` is null, or outlives this. With
  // `pairs` (of bfloat16) an element is two steps.
  Panels(const Matrix& from, int plane, DType accumulate, bool right, const ScatteredOperand* scattered, bool pairs);
  static bool takes_pairs(const Matrix& from, const ScatteredOperand* scattered);

  Index width() const { return width_; }
  Index count(Index rows) const { return ceil_div(rows, width_); }
  // How many elements k steps are.
  Index depth(Index k) const { return pairs_ ? ceil_div(k, 2) : k; }
  Index nbytes(Index rows, Index k) const { return count(rows) * width_ * depth(k) * size_; }

  // Whether rows can be read where they lie; of right operands, panel `index` of `rows` rows.
  bool in_place() const {
    if (scattered_ != nullptr) return false;
    return pairs_ ? runs_along_ && from_.columns % 2 == 0 : same_bits_;
  }
  bool in_place(Index index, Index rows) const {
    const Index own = std::min(width_, rows - index * width_);
    return in_place() && !pairs_ && from_.row == 1 && (exact_ || own % vector_ == 0);
  }
  // Whether tiles can read a scattered operand where it lies, and the places of its rows and steps, in bytes.
  bool listed() const { return same_bits_ && scattered_ != nullptr; }
  const std::byte* data() const { return from_.data; }
  void list_rows(Index row, Index count, Index* to) const { scattered_->list_vectors(row, count, to); }
  void list_steps(Index p, Index count, Index* to) const { scattered_->list_steps(p, count, to); }
  // The rows from `row` on, at step p.
  Panel placed(Index row, Index p) const {
    // What nothing steps along may have a stride of any size, and kernels step past the last place.
    return {from_.at(row, p), from_.row_step(), from_.columns <= 1 ? 0 : scaled(from_.column, size_, 1)};
  }
  // The same matrix at another place.
  void begin_at(std::byte* data) { from_.data = data + plane_offset_; }

  // Panel `index` in memory that holds all panels of k steps; `pack` puts it there, from steps [p, p +
  // k) of rows [begin, begin + rows).
  Panel packed(std::byte* memory, Index index, Index k) const {
    return {memory + index * width_ * depth(k) * size_, size_, width_ * size_};
  }
  void pack(std::byte* memory, Index index, Index begin, Index rows, Index p, Index k) const;
  // What packs them.
  std::vector<std::string> inner_loops() const;

 private:
  void pack_any(const PackWork& work) const;
  void pack_scattered(const PackWork& work, Index row, Index p) const;
  void gather_scattered(const ScatteredWork& work) const;
  void pack_pairs(const PackWork& work) const;

  Matrix from_;         // the plane
  Index plane_offset_;  // bytes
  Index row_, step_;    // strides of the operand, in bytes
  bool runs_down_, runs_along_;
  const ScatteredOperand* scattered_;
  Index width_;
  Index size_;    // of an element in a panel
  Index vector_;  // rows that a tile reads at once
  bool same_bits_, exact_, pairs_;
  Pack down_, along_;  // null where the loops do not take the dtype
  PackScattered scatter_;  // likewise
  Loop cast_;
};

}  // namespace strided::kernels::matmul
