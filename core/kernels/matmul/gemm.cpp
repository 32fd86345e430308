#include "gemm.hpp"

#include <algorithm>
#include <bit>

#include "kernels/copy/copy.hpp"
#include "kernels/loop_names.hpp"
#include "plan/record.hpp"
#include "plan/sizes.hpp"
#include "plan/split.hpp"
#include "run/interrupt.hpp"
#include "run/machine.hpp"

namespace strided::kernels::matmul {
namespace {

// Of a row or column, along k: 384 steps of float32. A panel of 8 rows of a takes 12 KiB of the first cache, one of 48
// columns of b 72 KiB of the second. Fixed: it decides where sums are rounded, so the bits.
constexpr Index kStepBytes = 1536;

// Blocks fill a part of a cache. No bit depends on their size. Measured on Zen 4, at 1024^3 and 2048^3: blocks of a and
// b of a quarter to four times these sizes make less than 5 % of difference.
Index left_block_bytes() { return machine().l2 / 16 * 3; }    // panels of a, per thread
Index right_block_bytes() { return machine().l3 / 8; }        // panels of b, which all threads read
Index result_block_bytes() { return machine().l3 / 32 * 3; }  // results that are converted once they are complete
Index small_operand() { return 2 * machine().l1; }            // smaller ones are read where they lie,
Index small_operand_of_rows() { return machine().l2 / 2; }    // and these if their rows run along k

constexpr Index kFewRows = 256;    // of the result: they use a vector of b too seldom to pack it
constexpr Index kListedPanels = 4;  // so few panels read a scattered operand rather than a packed one
// What packing costs in multiplications per element; places that are looked up cost more than loads.
constexpr double kPackWork = 4, kGatherWork = 16;
// Multiplications that repay waking a thread: 10 to 20 microseconds of one core.
constexpr double kWorkPerChunk = 400'000;

// The largest multiple of `grain` that keeps within `most`, at least one, and no more than n needs.
constexpr Index fitting(Index most, Index grain, Index n) {
  return std::clamp(most / grain * grain, grain, std::max(grain, round_up(n, grain)));
}

// Into how many chunks `count` tiles are cut: about `chunks`, so that threads end at the same time.
Index even_chunks(Index count, Index chunks, Index threads) {
  Index best = ceil_div(count, chunks), least = ceil_div(chunks, threads) * best;
  for (Index fewer = chunks - 1; fewer >= threads; --fewer) {
    const Index each = ceil_div(count, fewer), longest = ceil_div(fewer, threads) * each;
    if (longest < least) best = each, least = longest;
  }
  return ceil_div(count, best);
}

// The long operand of a result of few rows and many columns is better read where it lies, which left
// operands can be: its vectors must run along k.
bool long_on_the_right(const Matrix& c, const Matrix& b, DType accumulate, bool pairs) {
  return c.rows <= kFewRows && c.columns >= 4 * c.rows && b.row == 1 &&
         (pairs ? b.rows % 2 == 0 : same_bits(b.dtype, accumulate));
}

// The tile for `rest` rows, at most of 2^height: in place, one with no more rows than there are; packed, one that has
// them all where one can.
inline int tile_height(int height, Index rest, bool in_place) {
  if (in_place) while (Index{1} << height > rest) --height;
  else while (height > 0 && Index{1} << (height - 1) >= rest) --height;
  return height;
}

}  // namespace

Index chunks_for_work(double multiplications, Index most) {
  return static_cast<Index>(std::clamp(multiplications / kWorkPerChunk, 1.0, static_cast<double>(most)));
}

// What real products make up a product of planes: result (+|-)= left @ right.
struct Gemm::Term {
  int left, right, result;
  Update update;
};

Gemm::Gemm(const Matrix& c, const Matrix& a, const Matrix& b, DType compute, const ProductLimits& limits,
           const ScatteredOperand* of_a, const ScatteredOperand* of_b, bool adds)
    : accumulate_(accumulate_dtype(compute)),
      size_(itemsize(accumulate_)),
      pairs_(Panels::takes_pairs(a, of_a) && Panels::takes_pairs(b, of_b)),
      transposed_(c.runs_along() ? !adds && of_a == nullptr && of_b == nullptr &&
                                       long_on_the_right(c, b, accumulate_, pairs_)
                                 : c.runs_down()),
      c_(transposed_ ? c.transposed() : c),
      a_(transposed_ ? b.transposed() : a),
      b_(transposed_ ? a : b.transposed()),
      tiles_(pairs_ ? loops().products.pairs : loops().products.tiles[static_cast<int>(accumulate_)]),
      threads_(limits.threads ? thread_count() : 1),
      left_(a_, 0, accumulate_, false, transposed_ ? of_b : of_a, pairs_),
      right_(b_, 0, accumulate_, true, transposed_ ? of_a : of_b, pairs_),
      result_planes_(is_complex(compute) ? 2 : 1),
      buffered_(result_planes_ == 2 || !same_bits(c.dtype, accumulate_) || !c_.runs_along()),
      adds_(adds),
      step_(a_.columns), height_(c_.rows), block_rows_(c_.rows), block_columns_(c_.columns) {
  if (a_.planes() == 2) left_imaginary_.emplace(a_, 1, accumulate_, false, transposed_ ? of_b : of_a, false);
  if (b_.planes() == 2) right_imaginary_.emplace(b_, 1, accumulate_, true, transposed_ ? of_a : of_b, false);
  choose_places();
  if (!all_in_place_) choose_blocks(static_cast<Index>(limits.bytes));
}

Index Gemm::most_steps() const { return kStepBytes / (pairs_ ? size_ / 2 : size_); }

void Gemm::choose_places() {
  const Index k = a_.columns, most = small_operand() / size_;
  const bool a_small = a_.rows * k <= most, b_small = b_.rows * k <= most;
  // Rows that run along k are good to read as they are, unless they are many and read often.
  const bool rows_in_place =
      a_.column == 1 && (c_.columns <= kFewRows || a_.rows * k <= small_operand_of_rows() / size_);
  a_in_place_ = result_planes_ == 1 && left_.in_place() && (a_small || rows_in_place);
  // Single elements are read, so it does not matter where they lie, unless often.
  const bool listed = result_planes_ == 1 && left_.listed() && c_.columns <= kListedPanels * right_.width();
  listed_ = listed ? loops().products.listed_tiles(accumulate_) : nullptr;
  b_in_place_ = result_planes_ == 1 && b_small;
  const double work = static_cast<double>(c_.rows) * static_cast<double>(c_.columns * k);
  all_in_place_ = a_in_place_ && b_in_place_ && !buffered_ && k <= most_steps() && a_small && chunks_for(work) == 1 &&
                  right_.in_place(0, c_.columns) &&
                  right_.in_place(right_.count(c_.columns) - 1, c_.columns);
}

void Gemm::choose_blocks(Index bytes) {
  const Index tile = left_.width(), width = right_.width();
  const Index k = a_.columns, step_size = pairs_ ? size_ / 2 : size_;
  // Steps of equal length, in whole cache lines of float32. Fixed, like kStepBytes.
  step_ = k <= most_steps() ? k : round_up(ceil_div(k, ceil_div(k, most_steps())), 16);
  const Index left_most = std::min(left_block_bytes(), bytes / 4 / threads_) / (step_ * step_size * a_.planes());
  const Index right_most = std::min(right_block_bytes(), bytes / 2) / (step_ * step_size * b_.planes());
  height_ = fitting(left_most, tile, c_.rows);
  block_columns_ = fitting(right_most, width, c_.columns);
  if (buffered_) {
    const Index most = std::min(result_block_bytes(), bytes / 4) / (size_ * result_planes_);
    // Rather high than wide: the panels of b are packed anew for every block of rows, so a block has 512 rows or more.
    block_columns_ = fitting(std::min(block_columns_, most / 512), width, c_.columns);
    block_rows_ = fitting(most / block_columns_, tile, c_.rows);
  }
  // Blocks of about equal width.
  const Index blocks = ceil_div(c_.columns, block_columns_);
  block_columns_ = round_up(ceil_div(c_.columns, std::max<Index>(blocks, 1)), width);
}

Index Gemm::chunks_for(double multiplications) const {
  return threads_ == 1 ? 1 : chunks_for_work(multiplications, machine().chunks_per_thread * threads_);
}

std::string Gemm::text() const {
  const auto is = [](const char* name, bool in_place) {
    return std::string(name) + (in_place ? " read in place" : " packed");
  };
  const auto number = [](Index n) { return std::to_string(n); };
  return "tiles of " + number(left_.width()) + " x " + number(right_.width()) +
         (pairs_ ? ", pairs of bfloat16" : "") + ", steps of " + number(step_) + ", blocks of " +
         number(std::min(height_, c_.rows)) + " rows and " + number(std::min(block_columns_, c_.columns)) + " columns" +
         (transposed_ ? " of the transposed product, " : ", ") + is("left", a_in_place_ || listed_ != nullptr) + ", " +
         is("right", right_in_place(0, c_.columns)) + (buffered_ ? ", result converted" : "");
}

std::vector<std::string> Gemm::inner_loops() const {
  const bool in_place = a_in_place_ || listed_ != nullptr;
  const int highest = std::countr_zero(static_cast<std::uint64_t>(tiles_.rows));
  const int height = tile_height(highest, std::min(height_, c_.rows), in_place);
  const Index vectors = (std::min(right_.width(), c_.columns) - 1) / tiles_.vector;
  std::vector<std::string> names = {loop_name(tiles()[height][vectors])};
  const auto add = [&](const std::vector<std::string>& more) {
    for (const std::string& name : more) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  };
  if (!in_place) add(left_.inner_loops());
  if (!in_place && left_imaginary_) add(left_imaginary_->inner_loops());
  const Index last = right_.count(c_.columns) - 1;
  if (!right_in_place(0, c_.columns) || !right_in_place(last, c_.columns)) add(right_.inner_loops());
  if (right_imaginary_) add(right_imaginary_->inner_loops());
  if (buffered_) add({plain_loop("kernels/copy/copy.cpp", "copy")});
  return names;
}

Index Gemm::chunks() const {
  if (all_in_place_) return 1;
  const Cut cut = cut_of(std::min(block_rows_, c_.rows), std::min(block_columns_, c_.columns), step_);
  return cut.down * cut.across;
}

void Gemm::run(std::byte* c, const std::byte* a, const std::byte* b) {
  target_[0] = c_;  // copied before it changes: a copy of what was just written waits for it
  target_[0].data = c_.data = c;
  a_.data = const_cast<std::byte*>(transposed_ ? b : a);
  b_.data = const_cast<std::byte*>(transposed_ ? a : b);
  left_.begin_at(a_.data);
  right_.begin_at(b_.data);
  if (left_imaginary_) left_imaginary_->begin_at(a_.data);
  if (right_imaginary_) right_imaginary_->begin_at(b_.data);
  rows_ = {0, c_.rows};
  columns_ = {0, c_.columns};
  steps_ = {0, a_.columns};
  if (all_in_place_) {
    const Term term{0, 0, 0, adds_ ? Update::Add : Update::Set};
    return multiply_planes(term, rows_, {0, right_.count(c_.columns)}, nullptr);
  }
  for (Index i = 0; i < c_.rows; i += block_rows_) {
    for (Index j = 0; j < c_.columns; j += block_columns_) {
      if (i + j > 0) check_interrupt();
      rows_ = {i, std::min(block_rows_, c_.rows - i)};
      columns_ = {j, std::min(block_columns_, c_.columns - j)};
      run_block();
    }
  }
}

void Gemm::run_block() {
  Scratch result;
  target_[0] = c_.block(rows_.begin, columns_.begin, rows_.length, columns_.length);
  if (buffered_) {
    const Index plane = rows_.length * columns_.length * size_;
    std::byte* const memory = result.take<std::byte>(plane * result_planes_);
    for (int i = 0; i < 2; ++i) {
      target_[i] = {memory + i * plane, accumulate_, rows_.length, columns_.length, columns_.length, 1};
    }
  }
  for (Index p = 0; p < a_.columns; p += step_) {
    if (p > 0) check_interrupt();  // a small result may be a long sum
    steps_ = {p, std::min(step_, a_.columns - p)};
    Scratch right;
    pack_right(right);
    multiply();
  }
  if (buffered_) convert_result();
}

void Gemm::pack_right(Scratch& scratch) {
  const Index panels = right_.count(columns_.length);
  bool packs = false;
  for (Index panel = 0; panel < panels && !packs; ++panel) packs = !right_in_place(panel, columns_.length);
  if (!packs) return;
  right_memory_ = scratch.take<std::byte>(right_bytes() * b_.planes());
  const double each = right_.in_place() ? kPackWork : kGatherWork;
  const Index chunks = std::min(panels, chunks_for(each * static_cast<double>(columns_.length * steps_.length)));
  run_range_in_chunks(panels, static_cast<int>(chunks), [&](Index begin, Index end) {
    for (Index panel = begin; panel < end; ++panel) {
      for (int plane = 0; plane < b_.planes() && !right_in_place(panel, columns_.length); ++plane) {
        right_panels(plane).pack(right_memory_ + plane * right_bytes(), panel, columns_.begin, columns_.length,
                           steps_.begin, steps_.length);
      }
    }
  });
}

Gemm::Cut Gemm::cut_of(Index rows, Index columns, Index steps) const {
  const Index chunks = chunks_for(static_cast<double>(rows) * static_cast<double>(columns * steps));
  const Index tile = left_.width(), tiles = ceil_div(rows, tile), panels = right_.count(columns);
  // Few rows are not split finely, at least four tiles: every chunk reads its panels of b once more.
  const Index even = ceil_div(tiles, even_chunks(tiles, chunks, threads_));
  const Index highest = height_ / tile;
  const Index down = ceil_div(tiles, std::clamp(even, std::min<Index>(highest, 4), highest));
  return {down, tiles, std::min(panels, ceil_div(chunks, down)), panels};
}

void Gemm::multiply() {
  const Cut cut = cut_of(rows_.length, columns_.length, steps_.length);
  const Index tile = left_.width();
  run_chunks(static_cast<int>(cut.down * cut.across), [&](int chunk) {
    const Index i = chunk / cut.across, j = chunk % cut.across;
    const Index top = chunk_begin(cut.tiles, cut.down, i) * tile, left = chunk_begin(cut.panels, cut.across, j);
    const Index bottom = std::min(rows_.length, chunk_begin(cut.tiles, cut.down, i + 1) * tile);
    multiply_chunk({top, bottom - top}, {left, chunk_begin(cut.panels, cut.across, j + 1) - left});
  });
}

// Rows and panels count from the beginning of the block.
void Gemm::multiply_chunk(Range rows, Range panels) {
  Scratch scratch;
  std::byte* left = nullptr;
  if (listed_ != nullptr) {
    const Index places = rows.length + steps_.length;
    Index* const listed = scratch.take<Index>(places);
    left = reinterpret_cast<std::byte*>(listed);
    left_.list_rows(rows_.begin + rows.begin, rows.length, listed);
    left_.list_steps(steps_.begin, steps_.length, listed + rows.length);
  } else if (!a_in_place_) {
    left = scratch.take<std::byte>(left_bytes(rows.length) * a_.planes());
    for (int plane = 0; plane < a_.planes(); ++plane) {
      for (Index panel = 0; panel < left_panels(plane).count(rows.length); ++panel) {
        left_panels(plane).pack(left + plane * left_bytes(rows.length), panel, rows_.begin + rows.begin,
                          rows.length, steps_.begin, steps_.length);
      }
    }
  }
  constexpr Term kTerms[] = {
      {0, 0, 0, Update::Add}, {1, 1, 0, Update::Subtract}, {0, 1, 1, Update::Add}, {1, 0, 1, Update::Add}};
  const bool go_on = adds_ || steps_.begin > 0;
  bool begun[2] = {go_on, go_on};
  for (Term term : kTerms) {
    if (term.left >= a_.planes() || term.right >= b_.planes()) continue;
    if (!begun[term.result]) term.update = Update::Set;
    begun[term.result] = true;
    multiply_planes(term, rows, panels, left);
  }
}

void Gemm::multiply_planes(const Term& term, Range rows, Range panels, std::byte* left) {
  const Panels& a = left_panels(term.left);
  const Panels& b = right_panels(term.right);
  const Matrix& target = target_[term.result];
  const int highest = std::countr_zero(static_cast<std::uint64_t>(tiles_.rows));
  TileWork work;
  work.k = a.depth(steps_.length);
  work.c_row = scaled(target.row, size_, 1);
  work.update = term.update;
  for (Index panel = panels.begin; panel < panels.begin + panels.length; ++panel) {
    const Panel y = right_in_place(panel, columns_.length)
                        ? b.placed(panel * b.width() + columns_.begin, steps_.begin)
                        : b.packed(right_memory_ + term.right * right_bytes(), panel, steps_.length);
    work.b = y.data;
    work.b_step = y.step;
    work.columns = std::min(b.width(), columns_.length - panel * b.width());
    const Index vectors = (work.columns - 1) / tiles_.vector;
    int height = highest;
    for (Index i = 0; i < rows.length;) {
      const Index rest = rows.length - i;
      height = tile_height(height, rest, left == nullptr || listed_ != nullptr);
      work.rows = std::min(Index{1} << height, rest);
      work.c = target.at(rows.begin + i, panel * b.width());
      if (listed_ != nullptr) {
        const Index* const places = reinterpret_cast<const Index*>(left);
        work.a = a.data();
        work.row_places = places + i;
        work.step_places = places + rows.length;
      } else {
        const Panel x = left == nullptr ? a.placed(rows_.begin + rows.begin + i, steps_.begin)
                                        : a.packed(left + term.left * left_bytes(rows.length), i / a.width(),
                                                   steps_.length);
        work.a = x.data;
        work.a_row = x.row;
        work.a_step = x.step;
      }
      tiles()[height][vectors](work);
      i += work.rows;
    }
  }
}

void Gemm::convert_result() {
  const double work = 4.0 * static_cast<double>(rows_.length * columns_.length);
  const Index chunks = std::min(rows_.length, chunks_for(work));
  run_range_in_chunks(rows_.length, static_cast<int>(chunks), [&](Index i, Index end) {
    const Index rows = end - i, shape[] = {rows, columns_.length};
    for (int plane = 0; plane < result_planes_; ++plane) {
      const Matrix from = target_[plane].block(i, 0, rows, columns_.length);
      Matrix to = c_.block(rows_.begin + i, columns_.begin, rows, columns_.length);
      if (result_planes_ == 2) to = to.plane(plane);
      const Index from_strides[] = {from.row, from.column}, to_strides[] = {to.row, to.column};
      const Layout source(shape, from_strides, 0), target(shape, to_strides, 0);
      kernels::copy::copy({to.data, &target, to.dtype}, {from.data, &source, from.dtype});
    }
  });
}

}  // namespace strided::kernels::matmul
