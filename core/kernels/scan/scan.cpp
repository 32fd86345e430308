#include "scan.hpp"

#include <array>
#include <complex>
#include <utility>

#include "kernels/copy/copy.hpp"
#include "dtype/element.hpp"
#include "kernels/convert/packed.hpp"
#include "kernels/loop_names.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"
#include "run/arena.hpp"
#include "run/interrupt.hpp"
#include "scan_space.hpp"

namespace strided::kernels::scan {
namespace {

// Fixed, as they decide where chunks of a line begin, and so the bits of sums.
constexpr Index kColumns = 1024;          // lines at a time: their carries stay in the first-level cache
constexpr Index kTileColumns = 64;        // the same in tiles
constexpr Index kChunk = Index{1} << 15;  // elements of long lines that are taken at a time
constexpr Index kFewTiles = 3;            // with no more tiles of lines, long ones are cut into chunks
// Per round: 2 MiB of float64 for each thread are read again, from a cache.
constexpr Index kChunksPerThread = 8;

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

// What is carried, of a tile of lines: a double, a uint64 or a complex number each, in memory of somebody else.
class Carries {
 public:
  Carries(Scan op, DType carried, std::byte* memory)
      : multiplies_(op == Scan::Prod), dtype_(carried), value_(memory) {}

  void* data() { return value_; }

  void clear(Index columns) {
    visit([&]<class T>(T* value) { std::fill_n(value, columns, T(multiplies_ ? 1 : 0)); });
  }
  void copy_from(const Carries& other, Index columns) {
    visit([&]<class T>(T* value) { std::copy_n(reinterpret_cast<const T*>(other.value_), columns, value); });
  }
  // What was there goes to `more`.
  void take(Carries& more, Index columns) {
    visit([&]<class T>(T* value) {
      T* const other = reinterpret_cast<T*>(more.value_);
      for (Index c = 0; c < columns; ++c) {
        const T joined = multiplies_ ? value[c] * other[c] : value[c] + other[c];
        other[c] = std::exchange(value[c], joined);
      }
    });
  }

 private:
  template <class F>
  void visit(F&& f) {
    if (is_complex(dtype_)) f(reinterpret_cast<Complex*>(value_));
    else if (is_floating(dtype_)) f(reinterpret_cast<double*>(value_));
    else f(reinterpret_cast<std::uint64_t*>(value_));
  }

  bool multiplies_;
  DType dtype_;
  std::byte* value_;
};

using CarryMemory = ScratchArray<std::byte, kColumns * sizeof(Complex)>;

// ---- the work ----

// A line and its neighbours: bytes from one element, or one line, to the next.
struct Steps {
  Index out, in;
};

class Scanning {
 public:
  Scanning(Scan op, const Operand& out, const Operand& in, int axis)
      : op_(op), space_(std::array{&out, &in}, axis), storage_{out.storage, in.storage}, out_(out.dtype), in_(in.dtype),
        along_(space_.along), length_(space_.length()), line_{space_.step(0), space_.step(1)},
        side_{space_.side_step(0), space_.side_step(1)} {
    const Steps fast = along_ ? line_ : side_;
    direct_ = in_ == out_ && scan_loops(op, in_).along != nullptr && fast.in == itemsize(in_) &&
              fast.out == itemsize(out_);
    const Index fitting = std::clamp(convert::PackedReader::kElements / length_, kTileColumns, kColumns);
    width_ = space_.width(direct_ ? kColumns : fitting);
    carried_ = direct_ ? in_ : carried_as(out_);
    loops_ = scan_loops(op, carried_);
  }

  void run() const {
    const Index chunk = kChunk / width_;
    const bool is_long = length_ >= 4 * chunk;
    if (space_.axes.rank() == 1 && !is_long) {  // small calls are common: without a walk
      const RecordScope scope([&] { return record_of(1, {}); });
      alignas(Complex) std::byte carry[sizeof(Complex)], unused[sizeof(Complex)] = {};
      return take_whole({storage_[0] + space_.axes.start[0], storage_[1] + space_.axes.start[1], 1}, carries(carry),
                        carries(unused));
    }
    const LineTiles tiles(space_.axes, width_);
    const Index count = tiles.count();
    const bool cuts_lines = is_long && count <= kFewTiles;
    const int chunks = cuts_lines ? static_cast<int>(ceil_div(length_, chunk))
                                  : chunks_for(count, space_.axes.size() * (itemsize(in_) + itemsize(out_)));
    const RecordScope scope([&] { return record_of(chunks, along_ ? "" : tiles.text()); });
    if (cuts_lines) {
      tiles.for_each(storage_, 0, count, [&](std::byte* const* first, Index lines) {
        take_in_chunks({first[0], first[1], lines}, chunk, chunks);
      });
      return;
    }
    run_range_in_chunks(count, chunks, [&](Index begin, Index end) {
      CarryMemory carry, unused;
      carries(unused).clear(1);
      tiles.for_each(storage_, begin, end, [&](std::byte* const* first, Index lines) {
        take_whole({first[0], first[1], lines}, carries(carry), carries(unused));
      });
    });
  }

 private:
  struct Lines {
    std::byte* out;
    const std::byte* in;
    Index count;
  };

  PlanRecord record_of(int chunks, std::string tiles) const {
    PlanRecord record(op_ == Scan::Sum ? "cumsum" : "cumprod", space_.axes, {}, chunks, std::move(tiles));
    const auto add_cast = [&](DType from, DType to) {
      if (from != to) record.loops.push_back(loop_name(convert::loop_between(from, to)));
    };
    add_cast(in_, carried_);
    if (carried_ == DType::Complex128) {
      record.loops.push_back(plain_loop("kernels/scan/scan.cpp", along_ ? "complex_along" : "complex_across"));
    } else {
      record.loops.push_back(along_ ? loop_name(loops_.along) : loop_name(loops_.across));
    }
    add_cast(carried_, out_);
    return record;
  }

  void take_whole(const Lines& lines, Carries carry, Carries unused) const {
    carry.clear(lines.count);
    if (!direct_ || length_ * lines.count > kChunk) return take(lines, 0, length_, true, carry, unused);
    take_tile({lines.in, lines.out, length_, along_ ? length_ : lines.count, line_.in, line_.out}, carry, unused);
  }

  Carries carries(std::byte* memory) const { return {op_, carried_, memory}; }

  // A chunk starts from what those before it come to, each by itself. So chunks are read twice: for what each comes to,
  // then for the results. Threads do that in rounds, which are added up in between, so that nobody waits for another's
  // chunk. The second time a chunk comes from the caches.
  void take_in_chunks(const Lines& lines, Index length, Index chunks) const {
    CarryMemory memory;
    Carries before = carries(memory);
    before.clear(lines.count);
    if (along_ && thread_count() == 1) return take_once(lines, length, chunks, before);
    const Index round = std::min<Index>(chunks, kChunksPerThread * thread_count());
    const Index bytes = round_up(lines.count * static_cast<Index>(sizeof(Complex)), 64);
    Scratch scratch;
    std::byte* const totals = scratch.take<std::byte>(round * bytes);
    // What chunk i of a round comes to, then what those before it come to.
    const auto carry_of = [&](Index i) { return carries(totals + i * bytes); };
    for (Index begin = -round; begin < chunks; begin += round) {
      const Index next = begin + round;
      run_chunks(static_cast<int>(std::min(round, chunks - std::max<Index>(begin, 0))), [&](int i) {
        if (begin >= 0) write_chunk(lines, (begin + i) * length, length, carry_of(i));
        if (next + i < chunks) total_chunk(lines, (next + i) * length, length, carry_of(i));
      });
      for (Index i = 0; i < std::min(round, chunks - next); ++i) {
        Carries total = carry_of(i);
        before.take(total, lines.count);
      }
    }
  }

  // On one thread: what a chunk comes to is known once it is written.
  void take_once(const Lines& lines, Index length, Index chunks, Carries& before) const {
    CarryMemory carry_memory, total_memory;
    Carries carry = carries(carry_memory), total = carries(total_memory);
    for (Index first = 0; first < chunks * length; first += length) {
      check_interrupt();
      carry.copy_from(before, lines.count);
      total.clear(lines.count);
      take(lines, first, std::min(length, length_ - first), true, carry, total);
      before.take(total, lines.count);
    }
  }

  void total_chunk(const Lines& lines, Index first, Index length, Carries total) const {
    CarryMemory memory;
    Carries carry = carries(memory);
    carry.clear(1);
    total.clear(lines.count);
    const Index n = std::min(length, length_ - first);
    if (along_) take(lines, first, n, false, carry, total);
    else take(lines, first, n, false, total, carry);
  }

  void write_chunk(const Lines& lines, Index first, Index length, Carries carry) const {
    CarryMemory memory;
    Carries total = carries(memory);
    total.clear(1);
    take(lines, first, std::min(length, length_ - first), true, carry, total);
  }

  // Elements first .. first + n of a tile's lines, from the carry on; along, the total goes on as well.
  void take(const Lines& lines, Index first, Index n, bool write, Carries& carry, Carries& total) const {
    const std::byte* const in = lines.in + first * line_.in;
    std::byte* const out = write ? lines.out + first * line_.out : nullptr;
    if (!direct_) return take_tiles(lines.count, in, out, n, carry, total);
    // Cut into chunks, whole vectors each, to look for an interrupt in between.
    run_in_steps(0, n, kChunk / lines.count, [&](Index begin, Index end) {
      take_tile({in + begin * line_.in, out == nullptr ? nullptr : out + begin * line_.out, end - begin,
                 along_ ? end - begin : lines.count, line_.in, line_.out}, carry, total);
    });
  }

  void take_tile(const ScanTile& tile, Carries& carry, Carries& total) const {
    if (along_) loops_.along(tile, carry.data(), total.data());
    else loops_.across(tile, carry.data());
  }

  // Through memory in which the columns are contiguous, in the dtype that is carried.
  void take_tiles(Index columns, const std::byte* in, std::byte* out, Index n, Carries& carry,
                  Carries& total) const {
    convert::PackedReader reader(in_, carried_);
    const Index rows = convert::PackedReader::kElements / columns, step = columns * reader.size();
    for (Index first = 0; first < n; first += rows) {
      if (first > 0) check_interrupt();
      const Index count = std::min(rows, n - first);
      std::byte* const block = reader.read_tile(in + first * line_.in, count, line_.in, columns, side_.in);
      take_tile({block, out == nullptr ? nullptr : block, count, along_ ? count : columns, step, step}, carry, total);
      if (out != nullptr) write_tile(block, count, columns, out + first * line_.out);
    }
  }

  void write_tile(std::byte* block, Index rows, Index columns, std::byte* out) const {
    const Index size = itemsize(carried_);
    if (line_.out == columns * side_.out) columns *= std::exchange(rows, 1);  // rows without gaps are one
    if (columns >= rows) {
      for (Index r = 0; r < rows; ++r) {
        convert::elements(carried_, block + r * columns * size, size, out_, out + r * line_.out, side_.out, columns);
      }
    } else {
      for (Index c = 0; c < columns; ++c) {
        convert::elements(carried_, block + c * size, columns * size, out_, out + c * side_.out, line_.out, rows);
      }
    }
  }

  Scan op_;
  ScanSpace space_;
  std::byte* storage_[2];
  DType out_, in_;
  bool along_;
  Index length_;  // of a line
  Steps line_, side_;
  bool direct_;  // where they lie, without a conversion
  Index width_;  // lines that are taken together
  DType carried_;
  ScanLoops loops_;
};

}  // namespace

void scan(Scan op, const Operand& out, const Operand& in, int axis) {
  if (out.layout->size() == 0) return;
  if (loses_kind(in.dtype, out.dtype)) {  // the result is a place to convert to
    copy::copy(out, in);
    return Scanning(op, out, out, axis).run();
  }
  Scanning(op, out, in, axis).run();
}

}  // namespace strided::kernels::scan
