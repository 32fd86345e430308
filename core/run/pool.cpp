#include "pool.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "errors.hpp"
#include "machine.hpp"

#if defined(__linux__)
#include <sched.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace strided {
namespace {

constexpr int kMostThreads = 1024;
// How often a worker looks for the next job before it goes to sleep: some tens of microseconds.
constexpr int kLooks = 1000;

int processors() {
#if defined(__linux__)
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int default_count() {
  if (const char* wish = std::getenv("STRIDED_NUM_THREADS")) {
    if (const int count = std::atoi(wish); count >= 1) return std::min(count, kMostThreads);
  }
  return std::min(processors(), kMostThreads);
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
  explicit Pool(int threads) {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
  }

  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      job_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  void run(int pieces, const PieceFunction& function) {
    leave_to_caller();
    {
      const std::lock_guard lock(mutex_);
      function_ = &function;
      pieces_ = pieces;
      next_.store(0, std::memory_order_relaxed);
      job_.fetch_add(1, std::memory_order_release);
    }
    if (sleeping_.load(std::memory_order_relaxed) > 0) wake_.notify_all();
    take_pieces(function, pieces);
    {
      // From here on a worker that wakes up late finds nothing to do: it is not waited for.
      const std::lock_guard lock(mutex_);
      function_ = nullptr;
    }
    for (int look = 0; at_work_.load(std::memory_order_acquire) != 0; ++look) {
      if (look < kLooks) pause_briefly();
      else std::this_thread::yield();
    }
  }

 private:
  // Keeps the workers off the caller's processor. The kernel likes to wake a worker on the processor of
  // its waker, even if others are idle; both then take turns until it notices, milliseconds later.
  void leave_to_caller() {
#if defined(__linux__)
    const int here = sched_getcpu();
    if (here == callers_) return;
    callers_ = here;
    cpu_set_t others;
    if (sched_getaffinity(0, sizeof(others), &others) != 0) return;
    if (here >= 0 && CPU_COUNT(&others) >= threads()) CPU_CLR(here, &others);
    for (std::thread& worker : workers_) {
      pthread_setaffinity_np(worker.native_handle(), sizeof(others), &others);
    }
#endif
  }

  void take_pieces(const PieceFunction& function, int pieces) {
    for (int piece; (piece = next_.fetch_add(1, std::memory_order_relaxed)) < pieces;) function(piece);
  }

  void work() {
    std::uint64_t seen = 0;
    while (true) {
      for (int look = 0; look < kLooks && job_.load(std::memory_order_acquire) == seen; ++look) {
        pause_briefly();
      }
      const PieceFunction* function;
      int pieces;
      {
        std::unique_lock lock(mutex_);
        sleeping_.fetch_add(1, std::memory_order_relaxed);
        wake_.wait(lock, [&] { return job_.load(std::memory_order_relaxed) != seen; });
        sleeping_.fetch_sub(1, std::memory_order_relaxed);
        seen = job_.load(std::memory_order_relaxed);
        if (stopping_) return;
        if (function_ == nullptr) continue;
        function = function_;
        pieces = pieces_;
        at_work_.fetch_add(1, std::memory_order_relaxed);
      }
      take_pieces(*function, pieces);
      at_work_.fetch_sub(1, std::memory_order_release);
    }
  }

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<std::uint64_t> job_{0};  // its number; a new one wakes the workers
  std::atomic<int> sleeping_{0};
  std::atomic<int> at_work_{0};
  std::atomic<int> next_{0};
  const PieceFunction* function_ = nullptr;  // null between jobs
  int pieces_ = 0;
  int callers_ = -1;  // the processor that is left to the caller
  bool stopping_ = false;
};

// Never destroyed: at exit workers may still be waiting.
struct Shared {
  std::mutex turn;  // held by whoever uses the pool
  Pool* pool = nullptr;
  std::atomic<int> count{default_count()};
};

Shared& shared() {
  static Shared* const instance = [] {
    static auto* made = new Shared;
#if defined(__unix__) || defined(__APPLE__)
    // The lock is held across fork, so that the child never inherits it from a thread it lacks. The
    // pool's workers do not exist in the child: it is left behind as it is.
    pthread_atfork([] { made->turn.lock(); }, [] { made->turn.unlock(); },
                   [] {
                     made->pool = nullptr;
                     made->turn.unlock();
                   });
#endif
    return made;
  }();
  return *instance;
}

thread_local bool inside_piece = false;

}  // namespace

int thread_count() { return shared().count.load(std::memory_order_relaxed); }

void set_thread_count(int count) {
  if (count < 1 || count > kMostThreads) {
    throw errors::invalid_argument("threads", std::to_string(count),
                                   "must be between 1 and " + std::to_string(kMostThreads));
  }
  Shared& state = shared();
  const std::lock_guard lock(state.turn);
  state.count.store(count, std::memory_order_relaxed);
  if (state.pool == nullptr || state.pool->threads() == count) return;
  delete state.pool;
  state.pool = nullptr;
}

void run_pieces(int pieces, PieceFunction run) {
  const auto run_all = [&] {
    for (int piece = 0; piece < pieces; ++piece) run(piece);
  };
  if (pieces <= 1 || inside_piece || thread_count() == 1) return run_all();
  Shared& state = shared();
  const std::unique_lock turn(state.turn, std::try_to_lock);
  if (!turn.owns_lock()) return run_all();
  if (state.pool == nullptr) state.pool = new Pool(state.count.load(std::memory_order_relaxed));
  inside_piece = true;
  state.pool->run(pieces, run);
  inside_piece = false;
}

int pieces_for(std::size_t bytes) {
  const auto threads = static_cast<std::size_t>(thread_count());
  if (threads == 1) return 1;
  const auto each = static_cast<std::size_t>(machine().bytes_per_chunk);
  const auto most = threads * static_cast<std::size_t>(machine().chunks_per_thread);
  return static_cast<int>(std::clamp<std::size_t>(bytes / each, 1, most));
}

}  // namespace strided
