// The tasks of a reduction: who works on which, where their states are kept, how they become results.
#include <algorithm>

#include "errors.hpp"
#include "kernels/copy/copy.hpp"
#include "kernels/loop_names.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"
#include "plan/walk.hpp"
#include "fold_driver.hpp"
#include "run/arena.hpp"
#include "run/interrupt.hpp"
#include "run/pool.hpp"

namespace strided::kernels::reduce {
namespace {

constexpr Index kAligned = 8;  // words: parts are read and written by the cache line
constexpr Index rounded_up(Index words) { return (words + kAligned - 1) / kAligned * kAligned; }

// One array after the other: states, and parts if there are any.
Index words_of(Index results, Index parts) {
  return FoldWorkspace::kNumbers * results + FoldWorkspace::kPartNumbers * parts + (parts > 0 ? results : 0);
}

// `results` and `parts` are multiples of kAligned.
FoldWorkspace arrange(std::uint64_t* words, Index results, Index parts) {
  FoldWorkspace work;
  for (int k = 0; k < FoldWorkspace::kNumbers; ++k) work.state[k] = words + k * results;
  words += FoldWorkspace::kNumbers * results;
  for (int k = 0; k < FoldWorkspace::kPartNumbers; ++k) work.part[k] = words + k * parts;
  work.taken = reinterpret_cast<Index*>(words + FoldWorkspace::kPartNumbers * parts);
  work.parts = parts;
  return work;
}

class Job {
 public:
  Job(const Folding& op, const FoldSpace& fold)
      : op_(op), fold_(fold), in_(fold.in.dtype), cut_(cut_fold(fold, itemsize(in_))) {
    results_ = rounded_up(cut_.block_results);
    const bool small = results_ <= kMostParts && fold.count <= kMostParts * kMostParts;
    parts_ = small ? kMostParts : std::max(results_, kMostWideParts);
  }

  void run(const char* operation) const {
    const Index chunks = cut_.tasks() == 1 ? 1 : std::min<Index>(cut_.tasks(), chunks_for(bytes()));
    const RecordScope scope([&] { return record_of(operation, chunks); });
    if (cut_.tasks() == 1) return run_whole();
    run_in_chunks(FoldTasks(fold_, cut_), chunks);
  }

 private:
  std::size_t bytes() const {
    return static_cast<std::size_t>(fold_.results * fold_.count) * static_cast<std::size_t>(itemsize(in_));
  }

  PlanRecord record_of(const char* operation, Index chunks) const {
    IterationSpace space = fold_.axes;
    space.operands = 2;  // elements and results; both in bytes
    for (int axis = 0; axis < space.rank(); ++axis) {
      Index& step = space.strides[FoldSpace::kResult][axis];
      step = offset_of(fold_.places, 0, 0, fold_.places.rank(), step);
    }
    PlanRecord record(operation, space, {}, chunks, cut_.text());
    const bool along = space.rank() == 0 || space.roles[space.rank() - 1] == Role::Fold;
    if (in_ != op_.read) record.loops.push_back(loop_name(convert::loop_between(in_, op_.read)));
    for (std::string& name : op_.plain_loops(along)) record.loops.push_back(std::move(name));
    for (const ReduceLoops& each : op_.inner_loops(space)) {
      std::string name = loop_name(along ? each.along : each.across);
      if (!name.empty()) record.loops.push_back(std::move(name));
    }
    return record;
  }

  void run_whole() const {
    Scratch scratch;
    const FoldTask task = whole_task(fold_);
    FoldWorkspace work = arrange(scratch.take<std::uint64_t>(words_of(results_, parts_)), results_, parts_);
    work.single = takes_one_part(task);
    convert::PackedReader reader(in_, op_.read);
    fold(reader, work, task);
    write(work, task);
  }

  // `chunks`: for threads, of tasks.
  void run_in_chunks(const FoldTasks& tasks, Index chunks) const {
    const Index each = words_of(results_, parts_), count = cut_.tasks();
    const Index stored = cut_.chunks > 1 ? words_of(results_, 0) : 0;
    Scratch scratch;
    std::uint64_t* const words = scratch.take<std::uint64_t>(chunks * each + count * stored);
    std::uint64_t* const store = words + chunks * each;
    run_range_in_chunks(count, static_cast<int>(chunks), [&](int chunk, Index begin, Index end) {
      convert::PackedReader reader(in_, op_.read);
      IterationSpace space(3);
      for (Index t = begin; t < end; ++t) {
        if (t > begin) check_interrupt();
        const FoldTask task = tasks.task(t, space);
        FoldWorkspace work = arrange(words + chunk * each, results_, parts_);
        if (stored > 0) keep_states_in(work, store + t * stored);
        work.single = stored == 0 && takes_one_part(task);
        fold(reader, work, task);
        if (stored == 0) write(work, task);
      }
    });
    for (Index block = 0; stored > 0 && block < cut_.blocks.blocks; ++block) merge(tasks, block, store, stored);
  }

  // States of the chunks of one block, in order, into results.
  void merge(const FoldTasks& tasks, Index block, std::uint64_t* store, Index stored) const {
    IterationSpace space(3);
    const auto states = [&](Index number, const FoldTask& task) {
      FoldWorkspace work = arrange(store + number * stored, results_, 0);
      work.results = task.results;
      work.count = task.count;
      return work;
    };
    const Index number = block * cut_.chunks;
    const FoldTask task = tasks.task(number, space);
    FoldWorkspace first = states(number, task);
    for (Index chunk = 1; chunk < cut_.chunks; ++chunk) {
      op_.merge(first, states(number + chunk, tasks.task(number + chunk, space)));
    }
    write(first, task);
  }

  // One Fold axis, and that short.
  bool takes_one_part(const FoldTask& task) const {
    const IterationSpace& space = *task.space;
    int folded = -1;
    for (int axis = 0; axis < space.rank(); ++axis) {
      if (space.roles[axis] != Role::Fold) continue;
      if (folded >= 0) return false;
      folded = axis;
    }
    if (folded < 0 || fold_.count == 0) return false;
    const bool along = folded == space.rank() - 1;
    return space.shape[folded] <= (along ? std::min(op_.longest_run, convert::PackedReader::kElements) : op_.most_rows);
  }

  void keep_states_in(FoldWorkspace& work, std::uint64_t* words) const {
    for (int k = 0; k < FoldWorkspace::kNumbers; ++k) work.state[k] = words + k * results_;
  }

  void fold(convert::PackedReader& reader, FoldWorkspace& work, const FoldTask& task) const {
    work.results = task.results;
    work.count = task.count;
    work.chunk = task.chunk;
    work.only_result = fold_.results == 1;
    op_.begin(work);
    if (fold_.count > 0) fold_tiles(op_, reader, work, *task.space, fold_.in.storage);
    op_.end(work);
  }

  // States are in the order of the results' numbers; those that step together in memory are one run.
  void write(const FoldWorkspace& work, const FoldTask& task) const {
    const IterationSpace& places = fold_.places;
    if (places.rank() <= 1) {
      std::byte* const out = fold_.out.storage + places.start[0] + task.first * places.inner_stride(0);
      return op_.write(work, 0, task.results, out, places.inner_stride(0));
    }
    Walk<std::byte*> walk(places, &fold_.out.storage, places.rank(), task.first);
    for (Index at = 0, n = 0; at < task.results; at += n) {
      n = std::min(walk.run(), task.results - at);
      op_.write(work, at, n, walk.places()[0], places.inner_stride(0));
      walk.skip(n);
    }
  }

  const Folding& op_;
  const FoldSpace& fold_;
  DType in_;
  FoldCut cut_;
  Index results_, parts_;  // capacity of a workspace
};

// The first index of each of these axes. Complex numbers have an axis more than a layout may have, of their two parts.
Layout at_first_indices(const Layout& layout, AxisSet axes) {
  Layout first = layout;
  for (int axis = 0; axis < std::min(layout.rank(), kMaxRank); ++axis) {
    if ((axes & only_axis(axis)) != 0) first.set_axis(axis, 1, layout.stride(axis));
  }
  return first;
}

// Copies the results at the first index of each of these axes to all others: axis by axis, what is done is copied along
// the next.
void repeat_results(const Operand& out, AxisSet axes) {
  for (int axis = kMaxRank - 1; axes != 0; --axis) {
    if ((axes & only_axis(axis)) == 0) continue;
    axes &= ~only_axis(axis);
    const Index length = out.layout->length(axis) - 1, stride = out.layout->stride(axis);
    Layout from = at_first_indices(*out.layout, axes), to = from;
    from.set_axis(axis, length, 0);
    to.set_axis(axis, length, stride);
    to.set_offset(to.offset() + stride);
    copy::copy({out.storage, &to, out.dtype}, {out.storage, &from, out.dtype});
  }
}

}  // namespace

void reduce_with(const char* operation, const Folding& op, const FoldSpace& fold, const Operand* also) {
  Job(op, fold).run(operation);
  if (fold.repeated == 0) return;
  repeat_results(fold.out, fold.repeated);
  if (also != nullptr) repeat_results(*also, fold.repeated);
}

void require_elements(const FoldSpace& fold) {
  if (fold.count > 0) return;
  throw errors::invalid_argument("dim", "a tensor of shape " + text_of(fold.in.layout->shape()),
                                 "the reduced dimensions must have at least one element");
}

}  // namespace strided::kernels::reduce
