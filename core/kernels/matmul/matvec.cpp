#include "matvec.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "kernels/convert/packed.hpp"
#include "kernels/loop_names.hpp"
#include "plan/sizes.hpp"
#include "plan/split.hpp"
#include "run/arena.hpp"
#include "run/interrupt.hpp"
#include "run/machine.hpp"

namespace strided::kernels::matmul {
namespace {

// All of these decide where sums are rounded, so the bits: they are fixed.
constexpr Index kSteps = 1 << 13;            // of a block of k: 32 KiB of a vector of float32
constexpr Index kMostBlocks = 64;            // of k, with sums of their own
constexpr Index kFewSums = 64;               // rows times vectors for which threads split k
constexpr Index kConverted = 8;              // rows or columns that are converted together, as loops read them,
constexpr Index kConvertedLength = 1 << 10;  // and how much of them: 32 KiB of float32

// Rows whose sums are kept while columns pass: a quarter of the first cache. A multiple of the rows that any loop takes
// at once, so no bit depends on it.
Index rows_in_cache(Index size) { return std::clamp<Index>(machine().l1 / (4 * size) / 64 * 64, 64, 4096); }

}  // namespace

Matvec::Matvec(const Matrix& y, const Matrix& a, const Matrix& x, DType compute, bool threads)
    : y_(y), a_(a), x_(x), accumulate_(accumulate_dtype(compute)), size_(itemsize(accumulate_)),
      chunks_(threads ? interruptible_chunks_for(static_cast<std::size_t>(a.rows * a.columns) *
                                                 static_cast<std::size_t>(a.item()))
                      : 1) {
  flip_negative_strides();
  const ProductLoops& table = loops().products;
  const auto own = static_cast<int>(a.dtype), accumulate = static_cast<int>(accumulate_);
  const bool taken = accumulate_dtype(a.dtype) == accumulate_ && table.along[own] != nullptr;
  const bool high = a.rows >= kConverted;  // columns of fewer rows are no streams
  if (taken && a_.runs_along()) form_ = Form::Along;
  else if (taken && a_.row == 1 && high) form_ = Form::Down;
  else if (high && std::abs(a.row) < std::abs(a.column)) form_ = Form::ConvertColumns;
  else form_ = Form::ConvertRows;
  const bool converts = form_ == Form::ConvertRows || form_ == Form::ConvertColumns;
  along_ = table.along[converts ? accumulate : own];
  down_ = table.down[converts ? accumulate : own];
}

// A matrix that is read backwards is read forwards, and a vector instead of it the other way round.
void Matvec::flip_negative_strides() {
  // How far, in bytes, it is to what becomes the first element.
  const auto reverse = [](Index& stride, Index length, Index item) {
    const Index shift = (length - 1) * stride * item;
    stride = -stride;
    return shift;
  };
  if (a_.column == -1 && a_.columns > 1) {
    a_shift_ += reverse(a_.column, a_.columns, a_.item());
    x_shift_ += reverse(x_.column, a_.columns, x_.item());
  }
  if (a_.row == -1 && a_.rows > 1) {
    a_shift_ += reverse(a_.row, a_.rows, a_.item());
    y_shift_ += reverse(y_.column, a_.rows, y_.item());
  }
  x_in_place_ = same_bits(x_.dtype, accumulate_) && x_.runs_along();
}

void Matvec::run(std::byte* y, const std::byte* a, const std::byte* x) {
  y_.data = y + y_shift_;
  a_.data = const_cast<std::byte*>(a) + a_shift_;
  x_.data = const_cast<std::byte*>(x) + x_shift_;
  if (splits_steps()) return split_steps();
  if (!is_small()) return split_rows();
  alignas(64) std::byte few[kFewSums * 8];
  std::memset(few, 0, static_cast<std::size_t>(a_.rows * x_.rows * size_));
  add(few, 0, a_.rows, 0, a_.columns, nullptr);
  store(few, 0, a_.rows);
}

// Few long rows.
bool Matvec::splits_steps() const { return a_.columns > kSteps && a_.rows * x_.rows <= kFewSums; }

// Nothing needs memory of its own.
bool Matvec::is_small() const {
  const bool converts = form_ == Form::ConvertRows || form_ == Form::ConvertColumns;
  return chunks_ == 1 && a_.rows * x_.rows <= kFewSums && x_in_place_ && !converts;
}

std::string Matvec::text() const {
  constexpr const char* kForms[] = {"along rows", "down columns", "rows converted", "columns converted"};
  return std::to_string(x_.rows) + (x_.rows == 1 ? " vector" : " vectors") + " by a matrix read once, " +
         kForms[static_cast<int>(form_)] + ", steps of " + std::to_string(std::min(kSteps, a_.columns)) +
         (x_in_place_ ? "" : ", vectors converted");
}

std::vector<std::string> Matvec::inner_loops() const {
  const bool down = form_ == Form::Down || form_ == Form::ConvertColumns;
  std::vector<std::string> names = {loop_name(down ? down_ : along_)};
  const auto add_cast = [&](DType from, DType to) { names.push_back(loop_name(convert::loop_between(from, to))); };
  if (form_ == Form::ConvertRows || form_ == Form::ConvertColumns) add_cast(a_.dtype, accumulate_);
  if (!x_in_place_ && x_.dtype != a_.dtype) add_cast(x_.dtype, accumulate_);
  if (!same_bits(y_.dtype, accumulate_)) add_cast(accumulate_, y_.dtype);
  return names;
}

Index Matvec::chunks() const {
  if (splits_steps()) return std::min(chunks_, ceil_div(a_.columns, steps_of_block()));
  return is_small() ? 1 : std::min(chunks_, ceil_div(a_.rows, kConverted));
}

// What `add` needs as memory.
Index Matvec::work_bytes() const {
  return (x_.rows * std::min(a_.columns, kSteps) + kConverted * kConvertedLength) * size_;
}

// Every chunk has rows of its own, in whole blocks, so that the number of threads does not change the
// result.
void Matvec::split_rows() const {
  const Index row_blocks = ceil_div(a_.rows, kConverted), chunks = this->chunks();
  const Index most = rows_in_cache(size_);
  const Index sums_bytes = std::min(ceil_div(row_blocks, chunks) * kConverted, most) * x_.rows * size_;
  const Index bytes = sums_bytes + work_bytes();
  run_range_in_chunks(row_blocks, static_cast<int>(chunks), [&](Index begin_block, Index end_block) {
    Scratch scratch;
    std::byte* const sums = scratch.take<std::byte>(bytes);
    const Index first = begin_block * kConverted, end = std::min(a_.rows, end_block * kConverted);
    for (Index i = first; i < end; i += most) {
      if (i > first) check_interrupt();
      const Index rows = std::min(most, end - i);
      std::fill_n(sums, rows * x_.rows * size_, std::byte{0});
      add(sums, i, rows, 0, a_.columns, sums + sums_bytes);
      store(sums, i, rows);
    }
  });
}

// Steps whose products have a sum of their own, of few long rows. They do not depend on the number of threads, so
// neither does the result.
Index Matvec::steps_of_block() const { return ceil_div(ceil_div(a_.columns, kSteps), kMostBlocks) * kSteps; }

// The sums of all blocks are added up at the end.
void Matvec::split_steps() const {
  const Index steps = steps_of_block(), blocks = ceil_div(a_.columns, steps);
  const Index sums_bytes = a_.rows * x_.rows * size_;
  Scratch scratch;
  std::byte* const sums = scratch.take<std::byte>(blocks * sums_bytes);
  std::fill_n(sums, blocks * sums_bytes, std::byte{0});
  const Index chunks = this->chunks();
  run_range_in_chunks(blocks, static_cast<int>(chunks), [&](Index begin, Index end) {
    Scratch own;
    std::byte* const memory = own.take<std::byte>(work_bytes());
    for (Index i = begin; i < end; ++i) {
      add(sums + i * sums_bytes, 0, a_.rows, i * steps, std::min(steps, a_.columns - i * steps), memory);
    }
  });
  const Loop plus = loops().elementwise[static_cast<int>(Op::Add)][static_cast<int>(accumulate_)];
  const Index strides[] = {size_, size_, size_};
  for (Index i = 1; i < blocks; ++i) {
    std::byte* const places[] = {sums, sums, sums + i * sums_bytes};
    plus(a_.rows * x_.rows, places, strides);
  }
  store(sums, 0, a_.rows);
}

// sums[v][i] += row begin + i of a times vector v, over steps [p, p + k).
void Matvec::add(std::byte* sums, Index begin, Index rows, Index p, Index k, std::byte* memory) const {
  for (const Index first = p, end = p + k; p < end; p += kSteps) {
    if (p > first) check_interrupt();  // a row may be any length
    MatvecWork work;
    work.rows = rows;
    work.k = std::min(kSteps, end - p);
    work.a = a_.at(begin, p);
    work.a_row = a_.row_step();
    work.a_step = a_.column_step();
    work.vectors = x_.rows;
    work.x = x_.at(0, p);
    work.x_row = scaled(x_.row, size_, 1);
    work.y = sums;
    work.y_row = rows * size_;
    std::byte* const converted = memory + x_.rows * std::min(a_.columns, kSteps) * size_;
    if (!x_in_place_) {
      work.x = memory;
      work.x_row = work.k * size_;
      for (Index v = 0; v < x_.rows; ++v) {
        convert::elements(x_.dtype, x_.at(v, p), x_.column_step(), accumulate_, memory + v * work.x_row, size_, work.k);
      }
    }
    switch (form_) {
      case Form::Along: along_(work); break;
      case Form::Down: down_(work); break;
      case Form::ConvertRows: add_rows(work, begin, p, converted); break;
      case Form::ConvertColumns: add_columns(work, begin, p, converted); break;
    }
  }
}

// A few rows at a time, packed and converted.
void Matvec::add_rows(const MatvecWork& whole, Index begin, Index p, std::byte* converted) const {
  MatvecWork work = whole;
  work.a = converted;
  for (Index i = 0; i < whole.rows; i += kConverted) {
    work.rows = std::min(kConverted, whole.rows - i);
    work.y = whole.y + i * size_;
    for (Index q = 0; q < whole.k; q += kConvertedLength) {
      work.k = std::min(kConvertedLength, whole.k - q);
      work.x = whole.x + q * size_;
      work.a_row = work.k * size_;
      for (Index r = 0; r < work.rows; ++r) {
        convert::elements(a_.dtype, a_.at(begin + i + r, p + q), a_.column_step(), accumulate_,
                      converted + r * work.a_row, size_, work.k);
      }
      along_(work);
    }
  }
}

// The same with columns.
void Matvec::add_columns(const MatvecWork& whole, Index begin, Index p, std::byte* converted) const {
  MatvecWork work = whole;
  work.a = converted;
  for (Index i = 0; i < whole.rows; i += kConvertedLength) {
    work.rows = std::min(kConvertedLength, whole.rows - i);
    work.y = whole.y + i * size_;
    work.a_step = work.rows * size_;
    for (Index q = 0; q < whole.k; q += kConverted) {
      work.k = std::min(kConverted, whole.k - q);
      work.x = whole.x + q * size_;
      for (Index c = 0; c < work.k; ++c) {
        std::byte* const column = converted + c * work.a_step;
        convert::elements(a_.dtype, a_.at(begin + i, p + q + c), a_.row_step(), accumulate_, column, size_, work.rows);
      }
      down_(work);
    }
  }
}

// Rounds the sums to the dtype of the result.
void Matvec::store(const std::byte* sums, Index begin, Index rows) const {
  const bool as_they_are = same_bits(y_.dtype, accumulate_) && y_.runs_along();
  for (Index v = 0; v < x_.rows; ++v) {
    const std::byte* const from = sums + v * rows * size_;
    if (as_they_are) std::memcpy(y_.at(v, begin), from, static_cast<std::size_t>(rows * size_));
    else convert::elements(accumulate_, from, size_, y_.dtype, y_.at(v, begin), y_.column_step(), rows);
  }
}

}  // namespace strided::kernels::matmul
