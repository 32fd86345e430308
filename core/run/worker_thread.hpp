// A thread of the pool: its stack has a stated size, signals are blocked, any processor of the process may run it.
#pragma once

#include <cstddef>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#define STRIDED_HAS_PTHREADS 1
#else
#include <thread>
#endif

namespace strided {

// Frames of the core stay below 56 KiB (a compiler warning checks it), larger buffers are in the arena. Sanitizers
// make frames several times as large.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::size_t kWorkerStackBytes = std::size_t{8} << 20;
#else
inline constexpr std::size_t kWorkerStackBytes = std::size_t{1} << 20;
#endif

class WorkerThread {
 public:
  // Calls work(argument) on a new thread. False where the system gives none.
  bool start(void (*work)(void*), void* argument);
  void join();

#if defined(STRIDED_HAS_PTHREADS)
  pthread_t handle() const { return thread_; }
#endif

 private:
  static void* enter(void* self);

  void (*work_)(void*) = nullptr;
  void* argument_ = nullptr;
#if defined(STRIDED_HAS_PTHREADS)
  pthread_t thread_{};
#else
  std::thread thread_;
#endif
};

// For tests: at most so many threads can be started from now on; below 0, as many as the system gives.
void limit_started_threads(int most);

}  // namespace strided
