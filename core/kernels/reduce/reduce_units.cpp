// The units of a reduction: who works on which, where their states are kept, how they become results.
#include <algorithm>
#include <memory>

#include "reduce_walks.hpp"
#include "run/interrupt.hpp"
#include "run/pool.hpp"

namespace strided {
namespace {

constexpr Index kAligned = 8;  // words: parts are read and written by the cache line
constexpr Index rounded_up(Index words) { return (words + kAligned - 1) / kAligned * kAligned; }

// One array after the other: states, and parts if there are any.
Index words_of(Index results, Index parts) {
  return Workspace::kNumbers * results + Workspace::kPartNumbers * parts + (parts > 0 ? results : 0);
}

// `results` and `parts` are multiples of kAligned.
Workspace arrange(std::uint64_t* words, Index results, Index parts) {
  Workspace work;
  for (int k = 0; k < Workspace::kNumbers; ++k) work.state[k] = words + k * results;
  words += Workspace::kNumbers * results;
  for (int k = 0; k < Workspace::kPartNumbers; ++k) work.part[k] = words + k * parts;
  work.taken = reinterpret_cast<Index*>(words + Workspace::kPartNumbers * parts);
  work.parts = parts;
  return work;
}

class Job {
 public:
  Job(const Folding& op, const ReducedAxes& axes, DType in)
      : op_(op), axes_(axes), in_(in),
        cut_(cut_axes(axes, itemsize(in))) {
    results_ = rounded_up(cut_.block_results);
    const bool small = results_ <= kMostParts && axes.count <= kMostParts * kMostParts;
    parts_ = small ? kMostParts : std::max(results_, kMostWideParts);
  }

  void run() {
    const Index units = cut_.units();
    const Index pieces = std::min<Index>(units, pieces_for(bytes()));
    if (units == 1) {
      alignas(64) std::uint64_t near[kNear];
      return run_in(near, kNear, 1);
    }
    run_in(nullptr, 0, pieces);
  }

 private:
  static constexpr Index kNear = 2048;

  std::size_t bytes() const {
    return static_cast<std::size_t>(axes_.results * axes_.count) *
           static_cast<std::size_t>(itemsize(in_));
  }

  void run_in(std::uint64_t* near, Index near_words, Index pieces) {
    const Index each = words_of(results_, parts_);
    const Index stored = cut_.chunks > 1 ? words_of(results_, 0) : 0;
    const Index words = pieces * each + cut_.units() * stored;
    std::unique_ptr<std::uint64_t[]> far;
    if (words > near_words) {
      far = std::make_unique_for_overwrite<std::uint64_t[]>(static_cast<std::size_t>(words + kAligned));
      const auto beyond = reinterpret_cast<std::uintptr_t>(far.get()) / sizeof(std::uint64_t) % kAligned;
      near = far.get() + (kAligned - beyond) % kAligned;
    }
    std::uint64_t* const store = near + pieces * each;
    run_pieces(static_cast<int>(pieces), [&](int piece) {
      TileReader reader(in_, op_.read);
      const Index begin = piece * cut_.units() / pieces;
      for (Index u = begin; u < (piece + 1) * cut_.units() / pieces; ++u) {
        if (u > begin) check_interrupt();
        const Unit unit = unit_of(axes_, cut_, u);
        Workspace work = arrange(near + piece * each, results_, parts_);
        if (stored > 0) keep_states_in(work, store + u * stored);
        work.results = unit.results;
        work.count = unit.count;
        work.chunk = unit.chunk;
        work.only_result = axes_.results == 1;
        work.single = stored == 0 && takes_one_part(unit);
        sweep(reader, work, unit);
        if (stored == 0) write(work, unit);
      }
    });
    for (Index block = 0; stored > 0 && block < cut_.blocks; ++block) {
      const Unit unit = unit_of(axes_, cut_, block * cut_.chunks);
      const auto states = [&](Index chunk) {
        const Index number = block * cut_.chunks + chunk;
        Workspace work = arrange(store + number * stored, results_, 0);
        work.results = unit.results;
        work.count = unit_of(axes_, cut_, number).count;
        return work;
      };
      Workspace first = states(0);
      for (Index chunk = 1; chunk < cut_.chunks; ++chunk) op_.merge(first, states(chunk));
      write(first, unit);
    }
  }

  // One swept axis, and that short.
  bool takes_one_part(const Unit& unit) const {
    const AxisList& list = unit.list;
    int swept = -1;
    for (int i = 0; i < list.rank; ++i) {
      if (!list.axis[i].swept) continue;
      if (swept >= 0) return false;
      swept = i;
    }
    if (swept < 0 || axes_.count == 0) return false;
    const bool along = swept == list.rank - 1;
    return list.axis[swept].length <= (along ? std::min(op_.longest_run, TileReader::kElements)
                                             : op_.most_rows);
  }

  void keep_states_in(Workspace& work, std::uint64_t* words) const {
    for (int k = 0; k < Workspace::kNumbers; ++k) {
      work.state[k] = words + k * results_;
    }
  }

  void sweep(TileReader& reader, Workspace& work, const Unit& unit) const {
    op_.begin(work);
    if (axes_.count > 0) walk_unit(op_, reader, work, unit);
    op_.end(work);
  }

  // States are in the order of the results' numbers; those that step together in memory are one run.
  void write(const Workspace& work, const Unit& unit) const {
    const AxisList& kept = axes_.kept;
    const Index longest = kept.rank > 0 ? kept.axis[kept.rank - 1].length : 1;
    const Index step = kept.rank > 0 ? kept.axis[kept.rank - 1].out : 0;
    for (Index at = 0, n = 0; at < unit.results; at += n) {
      Index number = unit.first + at;
      n = std::min(longest - number % longest, unit.results - at);
      std::byte* out = axes_.out;
      for (int i = kept.rank - 1; i >= 0; --i) {
        out += number % kept.axis[i].length * kept.axis[i].out;
        number /= kept.axis[i].length;
      }
      op_.write(work, at, n, out, step);
    }
  }

  const Folding& op_;
  const ReducedAxes& axes_;
  DType in_;
  Cut cut_;
  Index results_, parts_;  // for which there is room in a piece of work
};

}  // namespace

void reduce_with(const Folding& op, const ReducedAxes& axes, DType in) { Job(op, axes, in).run(); }

}  // namespace strided
