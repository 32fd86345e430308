// The tasks of a reduction: who works on which, where their states are kept, how they become results.
#include <algorithm>
#include <memory>

#include "errors.hpp"
#include "kernels/loop_names.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"
#include "plan/walk.hpp"
#include "fold_driver.hpp"
#include "run/interrupt.hpp"
#include "run/pool.hpp"

namespace strided {
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

// Loops take the elements of a result along rows or across them. Those that are not in the table have no name.
std::vector<std::string> names_of(const std::vector<ReduceLoops>& loops, bool along) {
  std::vector<std::string> names;
  for (const ReduceLoops& each : loops) {
    std::string name = loop_name(along ? each.along : each.across);
    if (!name.empty()) names.push_back(std::move(name));
  }
  return names;
}

class Job {
 public:
  Job(const Folding& op, const FoldSpace& fold, DType in)
      : op_(op), fold_(fold), in_(in), cut_(cut_fold(fold, itemsize(in))) {
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
  static constexpr Index kNear = 2048;

  std::size_t bytes() const {
    return static_cast<std::size_t>(fold_.results * fold_.count) * static_cast<std::size_t>(itemsize(in_));
  }

  PlanRecord record_of(const char* operation, Index chunks) const {
    IterationSpace space = fold_.axes;
    space.operands = 2;  // elements and results; both in bytes
    for (Index& step : space.strides[FoldSpace::kResult]) {
      step = offset_of(fold_.places, 0, 0, fold_.places.rank(), step);
    }
    PlanRecord record(operation, space);
    record.tiles = cut_.text();
    record.chunks = chunks;
    const bool along = space.rank() == 0 || space.roles[space.rank() - 1] == Role::Fold;
    record.loops = names_of(op_.inner_loops(), along);
    return record;
  }

  // `words` words that begin with a cache line.
  static std::uint64_t* allocate(std::unique_ptr<std::uint64_t[]>& memory, Index words) {
    memory = std::make_unique_for_overwrite<std::uint64_t[]>(static_cast<std::size_t>(words + kAligned));
    const auto beyond = reinterpret_cast<std::uintptr_t>(memory.get()) / sizeof(std::uint64_t) % kAligned;
    return memory.get() + (kAligned - beyond) % kAligned;
  }

  void run_whole() const {
    alignas(64) std::uint64_t near[kNear];
    std::unique_ptr<std::uint64_t[]> far;
    const Index words = words_of(results_, parts_);
    const FoldTask task = whole_task(fold_);
    FoldWorkspace work = arrange(words <= kNear ? near : allocate(far, words), results_, parts_);
    work.single = takes_one_part(task);
    kernels::convert::PackedReader reader(in_, op_.read);
    sweep(reader, work, task);
    write(work, task);
  }

  // `chunks`: for threads, of tasks.
  void run_in_chunks(const FoldTasks& tasks, Index chunks) const {
    const Index each = words_of(results_, parts_), count = cut_.tasks();
    const Index stored = cut_.chunks > 1 ? words_of(results_, 0) : 0;
    std::unique_ptr<std::uint64_t[]> memory;
    std::uint64_t* const words = allocate(memory, chunks * each + count * stored);
    std::uint64_t* const store = words + chunks * each;
    run_chunks(static_cast<int>(chunks), [&](int chunk) {
      kernels::convert::PackedReader reader(in_, op_.read);
      IterationSpace room(3);
      const Index begin = chunk_begin(count, chunks, chunk);
      for (Index t = begin; t < chunk_begin(count, chunks, chunk + 1); ++t) {
        if (t > begin) check_interrupt();
        const FoldTask task = tasks.task(t, room);
        FoldWorkspace work = arrange(words + chunk * each, results_, parts_);
        if (stored > 0) keep_states_in(work, store + t * stored);
        work.single = stored == 0 && takes_one_part(task);
        sweep(reader, work, task);
        if (stored == 0) write(work, task);
      }
    });
    for (Index block = 0; stored > 0 && block < cut_.blocks.blocks; ++block) merge(tasks, block, store, stored);
  }

  // States of the chunks of one block, in order, into results.
  void merge(const FoldTasks& tasks, Index block, std::uint64_t* store, Index stored) const {
    IterationSpace room(3);
    const auto states = [&](Index number, const FoldTask& task) {
      FoldWorkspace work = arrange(store + number * stored, results_, 0);
      work.results = task.results;
      work.count = task.count;
      return work;
    };
    const Index number = block * cut_.chunks;
    const FoldTask task = tasks.task(number, room);
    FoldWorkspace first = states(number, task);
    for (Index chunk = 1; chunk < cut_.chunks; ++chunk) {
      op_.merge(first, states(number + chunk, tasks.task(number + chunk, room)));
    }
    write(first, task);
  }

  // One Fold axis, and that short.
  bool takes_one_part(const FoldTask& task) const {
    const IterationSpace& space = *task.space;
    int swept = -1;
    for (int axis = 0; axis < space.rank(); ++axis) {
      if (space.roles[axis] != Role::Fold) continue;
      if (swept >= 0) return false;
      swept = axis;
    }
    if (swept < 0 || fold_.count == 0) return false;
    const bool along = swept == space.rank() - 1;
    const Index longest_run = std::min(op_.longest_run, kernels::convert::PackedReader::kElements);
    return space.shape[swept] <= (along ? longest_run : op_.most_rows);
  }

  void keep_states_in(FoldWorkspace& work, std::uint64_t* words) const {
    for (int k = 0; k < FoldWorkspace::kNumbers; ++k) work.state[k] = words + k * results_;
  }

  void sweep(kernels::convert::PackedReader& reader, FoldWorkspace& work, const FoldTask& task) const {
    work.results = task.results;
    work.count = task.count;
    work.chunk = task.chunk;
    work.only_result = fold_.results == 1;
    op_.begin(work);
    if (fold_.count > 0) sweep_task(op_, reader, work, *task.space, fold_.in);
    op_.end(work);
  }

  // States are in the order of the results' numbers; those that step together in memory are one run.
  void write(const FoldWorkspace& work, const FoldTask& task) const {
    const IterationSpace& places = fold_.places;
    if (places.rank() <= 1) {
      std::byte* const out = fold_.out + places.start[0] + task.first * places.inner_stride(0);
      return op_.write(work, 0, task.results, out, places.inner_stride(0));
    }
    Walk<std::byte*> walk(places, &fold_.out, places.rank(), task.first);
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
  Index results_, parts_;  // for which there is room in a workspace
};

}  // namespace

void reduce_with(const char* operation, const Folding& op, const FoldSpace& fold, DType in) {
  Job(op, fold, in).run(operation);
}

void require_elements(const FoldSpace& fold, const Operand& in) {
  if (fold.count > 0) return;
  throw errors::invalid_argument("dim", "a tensor of shape " + text_of(in.layout->shape()),
                                 "the reduced dimensions must have at least one element");
}

}  // namespace strided
