// One pool of threads for all kernels.
//
// A kernel splits its work into independent pieces and calls `run_pieces`; the caller works too. One job
// runs at a time: a caller that finds the pool busy (another Python thread, or a kernel inside a
// kernel) does its pieces itself, so there are never more threads at work than asked for. Workers
// look for the next job for a moment, then sleep. A forked child starts with no workers and makes its own.
#pragma once

#include <cstddef>
#include <type_traits>

namespace strided {

// From the environment (STRIDED_NUM_THREADS) or the number of processors this process may run on.
int thread_count();
// 1 keeps all work on the caller. Raises InvalidArgument below 1.
void set_thread_count(int count);

// A function that is borrowed for the time of one call: no allocation, no copy.
class PieceFunction {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, PieceFunction>)
  PieceFunction(F&& function)
      : object_(const_cast<void*>(static_cast<const void*>(&function))),
        call_([](void* object, int piece) { (*static_cast<std::remove_reference_t<F>*>(object))(piece); }) {}
  void operator()(int piece) const { call_(object_, piece); }

 private:
  void* object_;
  void (*call_)(void*, int);
};

// Calls run(0) .. run(pieces - 1), each once, in any order and on any thread; returns when all are done.
// `run` must not throw.
void run_pieces(int pieces, PieceFunction run);

// How many pieces `bytes` of memory traffic are worth: 1 below what a second thread repays, otherwise
// a few per thread, so that a thread that is held up does not hold up the rest.
int pieces_for(std::size_t bytes);

}  // namespace strided
