#include "scan.hpp"

#include <atomic>
#include <complex>
#include <thread>

#include "kernels/copy/copy.hpp"
#include "dtype/element.hpp"
#include "scan_lanes.hpp"
#include "run/interrupt.hpp"
#include "run/pool.hpp"
#include "kernels/convert/tile_reader.hpp"

namespace strided {
namespace {

constexpr Index kColumns = 1024;          // lanes at once: their carries stay in the first-level cache
constexpr Index kTileColumns = 64;        // the same in tiles
constexpr Index kChunk = Index{1} << 15;  // elements of long lanes that are taken at a time
constexpr Index kFewGroups = 3;           // with no more groups of lanes, long ones are cut into chunks

// ---- dtypes ----

using Complex = std::complex<double>;

DType carried_as(DType out) {
  if (is_complex(out)) return DType::Complex128;
  if (is_floating(out)) return DType::Float64;
  return kind_of(out) == Kind::Unsigned ? DType::UInt64 : DType::Int64;
}

bool loses_kind(DType from, DType to) {
  if (from == to) return false;
  if (to == DType::Bool) return true;
  if (is_complex(from)) return !is_complex(to);
  return is_floating(from) && !is_floating(to) && !is_complex(to);
}

template <Scan op>
void take_complex(Complex& carry, Complex x) {
  if constexpr (op == Scan::Sum) carry += x;
  else carry *= x;
}
template <Scan op>
void complex_across(const ScanTile& tile, void* carry) {
  for (Index r = 0; r < tile.rows; ++r) {
    for (Index c = 0; c < tile.n; ++c) {
      Complex& carried = static_cast<Complex*>(carry)[c];
      take_complex<op>(carried, load<Complex>(tile.in + r * tile.in_step + c * 16));
      if (tile.out != nullptr) store(tile.out + r * tile.out_step + c * 16, carried);
    }
  }
}
template <Scan op>
void complex_along(const ScanTile& tile, void* carry, void* total) {
  for (Index i = 0; i < tile.n; ++i) {
    const Complex x = load<Complex>(tile.in + i * 16);
    take_complex<op>(*static_cast<Complex*>(carry), x);
    take_complex<op>(*static_cast<Complex*>(total), x);
    if (tile.out != nullptr) store(tile.out + i * 16, *static_cast<Complex*>(carry));
  }
}

ScanLoops scan_loops(Scan op, DType dtype) {
  if (dtype != DType::Complex128) return loops().scan[static_cast<int>(op)][static_cast<int>(dtype)];
  if (op == Scan::Sum) return {complex_along<Scan::Sum>, complex_across<Scan::Sum>};
  return {complex_along<Scan::Prod>, complex_across<Scan::Prod>};
}

// What is carried, of a group of lanes: a double, a uint64 or a complex number each.
class Carries {
 public:
  Carries(Scan op, DType carried) : multiplies_(op == Scan::Prod), dtype_(carried) {}

  void* data() { return value_; }

  void clear(Index columns) {
    visit([&]<class T>(T* value) { std::fill_n(value, columns, T(multiplies_ ? 1 : 0)); });
  }
  void copy_from(const Carries& other, Index columns) {
    visit([&]<class T>(T* value) { std::copy_n(reinterpret_cast<const T*>(other.value_.data()), columns, value); });
  }
  void take(const Carries& more, Index columns) {
    visit([&]<class T>(T* value) {
      const T* const other = reinterpret_cast<const T*>(more.value_.data());
      for (Index c = 0; c < columns; ++c) {
        value[c] = multiplies_ ? value[c] * other[c] : value[c] + other[c];
      }
    });
  }

 private:
  template <class F>
  void visit(F&& f) {
    if (is_complex(dtype_)) f(reinterpret_cast<Complex*>(value_.data()));
    else if (is_floating(dtype_)) f(reinterpret_cast<double*>(value_.data()));
    else f(reinterpret_cast<std::uint64_t*>(value_.data()));
  }

  bool multiplies_;
  DType dtype_;
  ScratchArray<std::byte, kColumns * sizeof(Complex)> value_;
};

// ---- the work ----

class Scanning {
 public:
  Scanning(Scan op, const Operand& out, const Operand& in, int axis)
      : op_(op), lanes_(out, in, axis), in_(in.dtype), out_(out.dtype) {
    lanes_.take_together(kColumns);
    const ScanAxis fast = lanes_.along ? lanes_.lane : lanes_.inner();
    direct_ = in_ == out_ && scan_loops(op, in_).along != nullptr && fast.in == itemsize(in_) &&
              fast.out == itemsize(out_);
    if (!direct_) {
      lanes_.take_together(std::clamp(TileReader::kElements / lanes_.lane.length, kTileColumns, kColumns));
    }
    carried_ = direct_ ? in_ : carried_as(out_);
    loops_ = scan_loops(op, carried_);
  }

  void run() const {
    const Index n = lanes_.lane.length, groups = lanes_.groups;
    const Index chunk = kChunk / lanes_.together;
    if (groups <= kFewGroups && n >= 4 * chunk) {
      for (Index g = 0; g < groups; ++g) take_in_chunks(lanes_.group(g), chunk);
      return;
    }
    const Index bytes = groups * lanes_.together * n * (itemsize(in_) + itemsize(out_));
    const Index pieces = std::min<Index>(groups, interruptible_pieces_for(static_cast<std::size_t>(bytes)));
    run_pieces(static_cast<int>(pieces), [&](int piece) {
      Carries carry(op_, carried_), total(op_, carried_);
      total.clear(1);
      for (Index g = piece * groups / pieces; g < (piece + 1) * groups / pieces; ++g) {
        const LaneGroup group = lanes_.group(g);
        carry.clear(group.columns);
        take(group, 0, n, true, carry, total);
      }
    });
  }

 private:
  // A chunk starts from what those before it come to, each by itself. That is known before they are
  // written, so threads work on chunks side by side; the second time they read one from the cache.
  void take_in_chunks(const LaneGroup& group, Index length) const {
    const Index chunks = (lanes_.lane.length + length - 1) / length;
    const bool in_one_go = lanes_.along && thread_count() == 1;
    Carries before(op_, carried_);
    before.clear(group.columns);
    std::atomic<Index> next{0};   // to be taken
    std::atomic<Index> known{0};  // the one that `before` is for
    run_pieces(static_cast<int>(chunks), [&](int) {
      // Chunks are taken in order, so the one waited for is never behind in the queue.
      const Index mine = next.fetch_add(1, std::memory_order_relaxed);
      const Index first = mine * length, n = std::min(length, lanes_.lane.length - first);
      Carries carry(op_, carried_), total(op_, carried_);
      total.clear(group.columns);
      if (!in_one_go) take_totals(group, first, n, total);
      while (known.load(std::memory_order_acquire) != mine) {
        check_interrupt();  // a chunk before this one may have thrown
        std::this_thread::yield();
      }
      carry.copy_from(before, group.columns);
      if (in_one_go) take(group, first, n, true, carry, total);
      before.take(total, group.columns);
      known.store(mine + 1, std::memory_order_release);
      if (!in_one_go) take(group, first, n, true, carry, total);
    });
  }

  void take_totals(const LaneGroup& group, Index first, Index n, Carries& total) const {
    Carries carry(op_, carried_);
    carry.clear(1);
    if (lanes_.along) take(group, first, n, false, carry, total);
    else take(group, first, n, false, total, carry);
  }

  // Elements first .. first + n of a group's lanes, from the carry on; along, the total goes on as well.
  void take(const LaneGroup& group, Index first, Index n, bool write, Carries& carry, Carries& total) const {
    const ScanAxis& lane = lanes_.lane;
    const std::byte* const in = group.in + first * lane.in;
    std::byte* const out = group.out + first * lane.out;
    if (!direct_) return take_tiles(group.columns, in, write ? out : nullptr, n, carry, total);
    ScanTile tile{in, write ? out : nullptr, n, group.columns, lane.in, lane.out};
    if (lanes_.along) tile.n = n;
    take_tile(tile, carry, total);
  }

  void take_tile(const ScanTile& tile, Carries& carry, Carries& total) const {
    if (lanes_.along) loops_.along(tile, carry.data(), total.data());
    else loops_.across(tile, carry.data());
  }

  // Through memory in which the columns lie side by side, in the dtype that is carried.
  void take_tiles(Index columns, const std::byte* in, std::byte* out, Index n, Carries& carry,
                  Carries& total) const {
    TileReader reader(in_, carried_);
    const ScanAxis &lane = lanes_.lane, side = lanes_.inner();
    const Index rows = TileReader::kElements / columns, step = columns * reader.size();
    for (Index first = 0; first < n; first += rows) {
      const Index count = std::min(rows, n - first);
      std::byte* const block = reader.read(in + first * lane.in, count, lane.in, columns, side.in);
      ScanTile tile{block, out == nullptr ? nullptr : block, count, columns, step, step};
      if (lanes_.along) tile.n = count;
      take_tile(tile, carry, total);
      if (out != nullptr) write_tile(block, count, columns, out + first * lane.out);
    }
  }

  void write_tile(std::byte* block, Index rows, Index columns, std::byte* out) const {
    const Loop cast = loops().cast[static_cast<int>(carried_)][static_cast<int>(out_)];
    const ScanAxis &lane = lanes_.lane, side = lanes_.inner();
    const Index size = itemsize(carried_);
    const auto move = [&](Index count, std::byte* to, Index to_step, std::byte* from, Index step) {
      std::byte* const data[] = {to, from};
      const Index steps[] = {to_step, step};
      cast(count, data, steps);
    };
    if (columns >= rows) {
      for (Index r = 0; r < rows; ++r) {
        move(columns, out + r * lane.out, side.out, block + r * columns * size, size);
      }
    } else {
      for (Index c = 0; c < columns; ++c) {
        move(rows, out + c * side.out, lane.out, block + c * size, columns * size);
      }
    }
  }

  Scan op_;
  ScanLanes lanes_;
  DType in_, out_;
  DType carried_;
  bool direct_;
  ScanLoops loops_;
};

}  // namespace

void scan(Scan op, const Operand& out, const Operand& in, int axis) {
  if (out.layout->size() == 0) return;
  if (loses_kind(in.dtype, out.dtype)) {  // the result is a place to convert to
    copy(out, in);
    return Scanning(op, out, out, axis).run();
  }
  Scanning(op, out, in, axis).run();
}

}  // namespace strided
