#include "pool.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <utility>

#include "cpu_limits.hpp"
#include "arena.hpp"
#include "errors.hpp"
#include "interrupt.hpp"
#include "memory/heap.hpp"
#include "worker_thread.hpp"
#include "machine.hpp"

#if defined(__linux__)
#include <sched.h>
#include <unistd.h>
#endif

namespace strided {
namespace {

// The longest chunk, in bytes: some milliseconds of traffic, tens of them where elements take long. Between two
// of them an operation can be interrupted.
constexpr std::size_t kLongChunk = std::size_t{16} << 20;
constexpr std::size_t kMostChunks = std::size_t{1} << 20;  // their number is an int
constexpr int kMostThreads = 1024;  // more are refused: a slip of the keyboard
// How often a worker looks for the next job before it goes to sleep: some tens of microseconds.
constexpr int kLooks = 1000;
// How often the caller then gives its processor away before it sleeps until the workers are done: about a millisecond.
constexpr int kYields = 2000;
constexpr auto kNap = std::chrono::milliseconds(20);           // the caller's, between looks for an interrupt
constexpr auto kBetweenAttempts = std::chrono::seconds(1);      // to start threads that the system refused

int default_count() {
  if (const char* wish = std::getenv("STRIDED_NUM_THREADS")) {
    if (const int count = std::atoi(wish); count >= 1) return std::min(count, kMostThreads);
  }
  const int quota = quota_processors();
  const int count = quota > 0 ? std::min(quota, allowed_processors()) : allowed_processors();
  return std::min(count, kMostThreads);
}

inline void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

class Pool {
 public:
  explicit Pool(int threads) : requested_(threads) { add_workers(); }

  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      job_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
    for (WorkerThread& worker : workers_) worker.join();
  }

  int requested() const { return requested_; }

  // May be fewer than requested: threads that the system refused are asked for again after a while.
  int threads() {
    const int count = static_cast<int>(workers_.size()) + 1;
    if (count == requested_ || std::chrono::steady_clock::now() < next_attempt_) return count;
    add_workers();
    return static_cast<int>(workers_.size()) + 1;
  }

  void run(int chunks, const ChunkFunction& function) {
    leave_to_caller();
    {
      const std::lock_guard lock(mutex_);
      function_ = &function;
      chunks_ = chunks;
      next_.store(0, std::memory_order_relaxed);
      cancelled_.store(false, std::memory_order_relaxed);
      failing_.store(false, std::memory_order_relaxed);
      job_.fetch_add(1, std::memory_order_release);
    }
    if (sleeping_.load(std::memory_order_relaxed) > 0) wake_.notify_all();
    take_chunks(function, chunks);
    if (!lost_.load(std::memory_order_relaxed)) {
      // From here on a worker that wakes up late finds nothing to do: it is not waited for.
      const std::lock_guard lock(mutex_);
      function_ = nullptr;
    }
    wait_for_workers();
    if (lost_.load(std::memory_order_relaxed)) {
      throw errors::unsupported_operation("fork", "a signal handler forked the process while an operation was running, "
                                          "whose other threads the child does not have",
                                          "fork between operations");
    }
    if (failing_.load(std::memory_order_relaxed)) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  // In the child of a fork. Nothing of the pool may be used any more, but the job of the thread that forked, if it has
  // one, must come to an end.
  void lose_workers() { lost_.store(true, std::memory_order_relaxed); }

 private:
  void add_workers() {
    while (static_cast<int>(workers_.size()) + 1 < requested_) {
      try {
        if (workers_.emplace_back().start([](void* pool) { static_cast<Pool*>(pool)->work(); }, this)) continue;
        workers_.pop_back();
      } catch (const std::bad_alloc&) {
      }
      next_attempt_ = std::chrono::steady_clock::now() + kBetweenAttempts;
      break;
    }
    while (ready_.load(std::memory_order_acquire) < static_cast<int>(workers_.size())) std::this_thread::yield();
  }

  // A thread's variables are made when it first asks for one of them. Later there may be no memory for them, and the C
  // library would end the process. So a pool is complete when its workers have theirs.
  void get_ready() {
    try {
      static_cast<void>(thread_arena());
    } catch (const Error&) {  // it is asked for again by whoever needs it
    }
    ready_.fetch_add(1, std::memory_order_release);
  }

  // Keeps the workers off the caller's processor, as long as there are enough others. The kernel likes to wake a worker
  // on the processor of its waker, even if others are idle; both then take turns until it notices, milliseconds later.
  // Workers get the mask of the process, which is that of its main thread, whoever calls.
  void leave_to_caller() {
#if defined(__linux__)
    const int here = sched_getcpu();
    if (here == callers_) return;
    callers_ = here;
    cpu_set_t others;
    if (sched_getaffinity(getpid(), sizeof(others), &others) != 0) return;
    if (here >= 0 && CPU_COUNT(&others) >= requested_) CPU_CLR(here, &others);
    if (CPU_COUNT(&others) == 0) return;
    for (WorkerThread& worker : workers_) pthread_setaffinity_np(worker.handle(), sizeof(others), &others);
#endif
  }

  void take_chunks(const ChunkFunction& function, int chunks) {
    const std::atomic<bool>* const before = watch_job(&cancelled_);
    try {
      for (int chunk; (chunk = next_.fetch_add(1, std::memory_order_relaxed)) < chunks;) {
        check_interrupt();
        function(chunk);
      }
    } catch (...) {
      cancel();
    }
    watch_job(before);
  }

  // Keeps the exception being handled, if it is the first. No further chunk is started.
  void cancel() noexcept {
    if (!failing_.exchange(true, std::memory_order_relaxed)) failure_ = std::current_exception();
    cancelled_.store(true, std::memory_order_relaxed);
    next_.store(chunks_, std::memory_order_relaxed);
  }

  void wait_for_workers() {
    const auto done = [&] { return at_work_.load() == 0 || lost_.load(std::memory_order_relaxed); };
    for (int look = 0; look < kLooks; ++look) {
      if (done()) return;
      pause_briefly();
    }
    for (int look = 0; look < kYields; ++look) {
      if (done()) return;
      std::this_thread::yield();
    }
    while (!done()) {
      try {
        check_interrupt();
      } catch (...) {
        cancel();
      }
      if (done()) return;
      std::unique_lock lock(mutex_);
      caller_sleeps_.store(true);
      idle_.wait_for(lock, kNap, done);
      caller_sleeps_.store(false);
    }
  }

  void work() {
    get_ready();
    std::uint64_t last_job = 0;
    while (true) {
      for (int look = 0; look < kLooks && job_.load(std::memory_order_acquire) == last_job; ++look) {
        pause_briefly();
      }
      const ChunkFunction* function;
      int chunks;
      {
        std::unique_lock lock(mutex_);
        sleeping_.fetch_add(1, std::memory_order_relaxed);
        wake_.wait(lock, [&] { return job_.load(std::memory_order_relaxed) != last_job; });
        sleeping_.fetch_sub(1, std::memory_order_relaxed);
        last_job = job_.load(std::memory_order_relaxed);
        if (stopping_) return;
        if (function_ == nullptr) continue;
        function = function_;
        chunks = chunks_;
        at_work_.fetch_add(1, std::memory_order_relaxed);
      }
      take_chunks(*function, chunks);
      if (at_work_.fetch_sub(1) == 1 && caller_sleeps_.load()) {
        const std::lock_guard lock(mutex_);
        idle_.notify_one();
      }
    }
  }

  const int requested_;
  std::deque<WorkerThread> workers_;
  std::chrono::steady_clock::time_point next_attempt_{};
  std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::atomic<std::uint64_t> job_{0};  // its number; a new one wakes the workers
  std::atomic<int> sleeping_{0};
  std::atomic<int> ready_{0};    // workers that have started
  std::atomic<int> at_work_{0};
  std::atomic<int> next_{0};
  std::atomic<bool> cancelled_{false};
  std::atomic<bool> failing_{false};  // `failure_` is taken
  std::exception_ptr failure_;
  std::atomic<bool> caller_sleeps_{false};
  std::atomic<bool> lost_{false};
  const ChunkFunction* function_ = nullptr;  // null between jobs
  int chunks_ = 0;
  int callers_ = -1;  // the processor that is left to the caller
  bool stopping_ = false;
};

struct Shared {
  explicit Shared(int threads) : count(threads) {}
  std::mutex in_use;  // held by whoever uses the pool
  Pool* pool = nullptr;
  std::atomic<int> count;
};

// Never destroyed: at exit workers may still be waiting.
Shared*& shared_pointer() {
  static Shared* pointer = new Shared(default_count());
  return pointer;
}
Shared& shared() { return *shared_pointer(); }

#if defined(STRIDED_HAS_PTHREADS)
// The only handler of forks. It takes one lock, the heap's, for the moment of the fork: the child must not inherit it
// locked by a thread that it lacks. The pool is not waited for, so a fork never waits for a kernel: its workers do not
// exist in the child, which leaves it behind as it is, lock and all, and begins with a new one.
const int fork_handlers = [] {
  shared();
  return pthread_atfork(lock_heap, unlock_heap, [] {
    unlock_heap();
    Shared& old = shared();
    if (old.pool != nullptr) old.pool->lose_workers();
    shared_pointer() = new Shared(old.count.load(std::memory_order_relaxed));
  });
}();
#endif

thread_local bool inside_chunk = false;

class InsideChunk {
 public:
  InsideChunk() { inside_chunk = true; }
  InsideChunk(const InsideChunk&) = delete;
  InsideChunk& operator=(const InsideChunk&) = delete;
  ~InsideChunk() { inside_chunk = false; }
};

Pool* make_pool(int threads) {
  try {
    return new Pool(threads);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

int thread_count() { return shared().count.load(std::memory_order_relaxed); }

void set_thread_count(int count) {
  if (count < 1 || count > kMostThreads) {
    throw errors::invalid_argument("threads", std::to_string(count),
                                   "must be between 1 and " + std::to_string(kMostThreads));
  }
  Shared& state = shared();
  state.count.store(count, std::memory_order_relaxed);
  // A signal handler may call this in the middle of a job. The next job then finds a pool of the wrong size.
  if (inside_chunk) return;
  const std::lock_guard lock(state.in_use);
  if (state.pool == nullptr || state.pool->requested() == count) return;
  delete state.pool;
  state.pool = nullptr;
}

void run_chunks(int chunks, ChunkFunction run) {
  const auto run_all = [&] {
    for (int chunk = 0; chunk < chunks; ++chunk) {
      if (chunk > 0) check_interrupt();
      run(chunk);
    }
  };
  if (chunks <= 1 || inside_chunk || thread_count() == 1) return run_all();
  Shared& state = shared();
  const std::unique_lock lock(state.in_use, std::try_to_lock);
  if (!lock.owns_lock()) return run_all();
  const int count = state.count.load(std::memory_order_relaxed);
  if (state.pool != nullptr && state.pool->requested() != count) delete std::exchange(state.pool, nullptr);
  if (state.pool == nullptr) state.pool = make_pool(count);
  if (state.pool == nullptr || state.pool->threads() == 1) return run_all();
  const InsideChunk inside;
  state.pool->run(chunks, run);
}

int chunks_for(std::size_t bytes) {
  const auto threads = static_cast<std::size_t>(thread_count());
  if (threads == 1) return 1;
  const auto each = static_cast<std::size_t>(machine().bytes_per_chunk);
  const auto most = threads * static_cast<std::size_t>(machine().chunks_per_thread);
  return static_cast<int>(std::clamp<std::size_t>(bytes / each, 1, most));
}

int interruptible_chunks_for(std::size_t bytes) {
  return static_cast<int>(
      std::max<std::size_t>(static_cast<std::size_t>(chunks_for(bytes)), std::min(bytes / kLongChunk, kMostChunks)));
}

}  // namespace strided
