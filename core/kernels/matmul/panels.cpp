#include "panels.hpp"

#include <cstdlib>
#include <cstring>

#include "dtype/bits.hpp"
#include "dtype/element.hpp"
#include "kernels/loop_names.hpp"
#include "plan/record.hpp"

namespace strided::kernels::matmul {
namespace {

constexpr Index kSteps = 256;  // whose places are listed at a time, in 2 KiB of the stack
constexpr Index kMostRows = 3 * 64;  // of a panel: three vectors, none of more than 64 lanes

}  // namespace

bool Panels::takes_pairs(const Matrix& from, const ScatteredOperand* scattered) {
  return loops().products.has_pairs() && from.dtype == DType::BFloat16 && scattered == nullptr &&
         (from.row == 1 || from.column == 1);
}

Panels::Panels(const Matrix& from, int plane, DType accumulate, bool right, const ScatteredOperand* scattered,
               bool pairs)
    : from_(from.plane(plane)),
      plane_offset_(from_.data - from.data),
      row_(from.row_step()),
      step_(from.column_step()),
      runs_down_(from.row == 1),
      runs_along_(from.column == 1),
      scattered_(scattered),
      size_(itemsize(accumulate)),
      same_bits_(same_bits(from_.dtype, accumulate)),
      pairs_(pairs) {
  const LoopTable& all = loops();
  const ProductLoops& table = all.products;
  const auto& tiles = table.tiles[static_cast<int>(accumulate)];
  width_ = right ? tiles.vector * tiles.vectors : tiles.rows;
  vector_ = tiles.vector;
  exact_ = tiles.exact;
  cast_ = all.cast[static_cast<int>(from_.dtype)][static_cast<int>(accumulate)];
  // Pairs that are contiguous are packed as what they are: 4 bytes.
  const DType whole = pairs ? DType::UInt32 : from.dtype;
  const auto& packs = (right ? table.wide : table.narrow)[static_cast<int>(whole)][plane];
  const bool is_own = accumulate_dtype(from.dtype) == accumulate;
  along_ = is_own ? packs.along : nullptr;
  const auto& scattering = right ? table.wide_scattered : table.narrow_scattered;
  scatter_ = same_bits_ ? scattering[static_cast<int>(accumulate)] : nullptr;
  down_ = is_own ? packs.down : nullptr;
  if (pairs) down_ = right ? table.pairs_wide_down : table.pairs_narrow_down;
}

void Panels::pack(std::byte* memory, Index index, Index begin, Index rows, Index p, Index k) const {
  const Index i = index * width_;
  PackWork work{std::min(width_, rows - i), k, nullptr, row_, step_, memory + i * depth(k) * size_};
  if (scattered_ != nullptr) return pack_scattered(work, begin + i, p);
  work.from = from_.data + (begin + i) * row_ + p * step_;
  if (pairs_) return pack_pairs(work);
  if (along_ != nullptr && runs_along_) return along_(work);
  if (down_ != nullptr && runs_down_) return down_(work);
  pack_any(work);
}

std::vector<std::string> Panels::inner_loops() const {
  if (scattered_ != nullptr && scatter_ != nullptr) return {loop_name(scatter_)};
  if (scattered_ != nullptr) return {plain_loop("kernels/matmul/panels.cpp", "gather_scattered"), loop_name(cast_)};
  if (along_ != nullptr && runs_along_) return {loop_name(along_)};
  if (down_ != nullptr && runs_down_) return {loop_name(down_)};
  return {loop_name(cast_)};
}

// By the loops that convert dtypes, along the shorter stride.
void Panels::pack_any(const PackWork& work) const {
  if (work.rows < width_) std::memset(work.to, 0, static_cast<std::size_t>(work.k * width_ * size_));
  const bool down = std::abs(work.row) < std::abs(work.step);
  const Index outer = down ? work.k : work.rows, inner = down ? work.rows : work.k;
  const Index to_outer = down ? width_ * size_ : size_, to_inner = down ? size_ : width_ * size_;
  const Index from_outer = down ? work.step : work.row, from_inner = down ? work.row : work.step;
  const Index steps[] = {to_inner, from_inner};
  for (Index i = 0; i < outer; ++i) {
    // Loops take all operands as writable, but write only the first.
    std::byte* const from = const_cast<std::byte*>(work.from) + i * from_outer;
    std::byte* const places[] = {work.to + i * to_outer, from};
    cast_(inner, places, steps);
  }
}

// The last of an odd number of steps stands alone.
void Panels::pack_pairs(const PackWork& work) const {
  if (!runs_along_) return down_(work);
  PackWork whole = work;
  whole.k = work.k / 2;
  whole.step = size_;
  along_(whole);
  if (work.k % 2 == 0) return;
  std::byte* const last = work.to + whole.k * width_ * size_;
  std::memset(last, 0, static_cast<std::size_t>(width_ * size_));
  for (Index i = 0; i < work.rows; ++i) {
    std::memcpy(last + i * size_, work.from + i * work.row + (work.k - 1) * from_.item(), 2);
  }
}

// Some steps at a time.
void Panels::pack_scattered(const PackWork& work, Index row, Index p) const {
  if (work.rows < width_) std::memset(work.to, 0, static_cast<std::size_t>(work.k * width_ * size_));
  Index rows[kMostRows], steps[kSteps];
  list_rows(row, work.rows, rows);
  for (Index q = 0; q < work.k; q += kSteps) {
    const Index count = std::min(kSteps, work.k - q);
    list_steps(p + q, count, steps);
    const ScatteredWork part{work.rows, count, from_.data, rows, steps, work.to + q * width_ * size_};
    if (scatter_ != nullptr) scatter_(part);
    else gather_scattered(part);
  }
}

// Element by element; then converted into the panel.
void Panels::gather_scattered(const ScatteredWork& work) const {
  for (Index i = 0; i < work.rows; ++i) {
    const std::byte* const from = work.from + work.row_places[i];
    alignas(16) std::byte gathered[kSteps * 8];
    visit_bits(static_cast<int>(from_.item()), [&]<class Bits>(Bits) {
      for (Index s = 0; s < work.k; ++s) {
        store(gathered + s * static_cast<Index>(sizeof(Bits)), load<Bits>(from + work.step_places[s]));
      }
    });
    std::byte* const places[] = {work.to + i * size_, gathered};
    const Index steps[] = {width_ * size_, from_.item()};
    cast_(work.k, places, steps);
  }
}

}  // namespace strided::kernels::matmul
