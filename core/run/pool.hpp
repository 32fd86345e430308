// One pool of threads for all kernels.
//
// A kernel splits its work into independent chunks and calls `run_chunks`; the caller works too. One job
// runs at a time: a caller that finds the pool busy (another Python thread, or a kernel inside a
// kernel) does its chunks itself, so there are never more threads at work than asked for. Workers
// look for the next job for a moment, then sleep. Where the system gives fewer threads than asked for, the pool
// works with those it has. A forked child starts with no workers and makes its own.
#pragma once

#include <cstddef>
#include <type_traits>

namespace strided {

// From the environment (STRIDED_NUM_THREADS), or the number of processors this process may run on, or the quota of its
// container where that is less.
int thread_count();
// 1 keeps all work on the caller. Raises InvalidArgument below 1.
void set_thread_count(int count);

// A function that is borrowed for the time of one call: no allocation, no copy.
class ChunkFunction {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, ChunkFunction>)
  ChunkFunction(F&& function)
      : object_(const_cast<void*>(static_cast<const void*>(&function))),
        call_([](void* object, int chunk) { (*static_cast<std::remove_reference_t<F>*>(object))(chunk); }) {}
  void operator()(int chunk) const { call_(object_, chunk); }

 private:
  void* object_;
  void (*call_)(void*, int);
};

// Calls run(0) .. run(chunks - 1), each once, in any order and on any thread; returns when all are done.
// When one throws, no further chunk is started; what was thrown first is rethrown here once all threads are through
// with theirs. Between chunks the caller may be interrupted (interrupt.hpp). A chunk that waits for another calls
// check_interrupt while it does: the other may have thrown.
void run_chunks(int chunks, ChunkFunction run);

// How many chunks `bytes` of memory traffic are worth: 1 below what a second thread repays, then a few per thread, so
// that a thread that is held up does not hold up the rest. With `interruptible`, long work is cut into more, so that
// it can be interrupted in between, on one thread as well.
int chunks_for(std::size_t bytes);
int interruptible_chunks_for(std::size_t bytes);

}  // namespace strided
