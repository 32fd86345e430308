// The pool's contract: exceptions, cancellation, nesting, threads that cannot be made, forks.
#include <atomic>
#include <chrono>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "check.hpp"
#include "memory/heap.hpp"
#include "run/interrupt.hpp"
#include "plan/split.hpp"
#include "run/pool.hpp"
#include "run/worker_thread.hpp"

namespace {

using namespace strided;

struct Threads {
  explicit Threads(int count) { set_thread_count(count); }
  ~Threads() { set_thread_count(1); }
};

void nap(int microseconds) { std::this_thread::sleep_for(std::chrono::microseconds(microseconds)); }

// Every chunk once.
void check_complete(int chunks, std::string_view about) {
  std::vector<std::atomic<int>> times(static_cast<std::size_t>(chunks));
  run_chunks(chunks, [&](int chunk) { ++times[static_cast<std::size_t>(chunk)]; });
  for (auto& count : times) check::equal(count.load(), 1, about);
}

const check::Test every_chunk_once("pool: every chunk runs once", [] {
  for (int threads : {1, 2, 3, 8}) {
    const Threads own(threads);
    for (int chunks : {0, 1, 2, 7, 64, 1000}) check_complete(chunks, "chunks of a job");
  }
});

const check::Test exceptions("pool: what any chunk throws is rethrown on the caller", [] {
  constexpr int kChunks = 16;
  for (int threads : {1, 2, 3, 8}) {
    const Threads own(threads);
    for (int thrower = 0; thrower < kChunks; ++thrower) {
      int caught = -1;
      try {
        run_chunks(kChunks, [&](int chunk) {
          if (chunk == thrower) throw chunk;
          nap(20);
        });
      } catch (int chunk) {
        caught = chunk;
      }
      check::equal(caught, thrower, "the chunk that threw");
      check_complete(kChunks, "after an exception");
    }
  }
});

const check::Test kinds_of_exceptions("pool: exceptions arrive as they were", [] {
  const Threads own(4);
  check::raises(ErrorKind::OutOfMemory, [] {
    run_chunks(8, [](int chunk) { if (chunk == 5) throw errors::out_of_memory(17); });
  });
  bool caught = false;
  try {
    run_chunks(8, [](int chunk) { if (chunk == 7) throw std::bad_alloc(); });
  } catch (const std::bad_alloc&) {
    caught = true;
  }
  check::that(caught, "bad_alloc passes through");
  // All of them throw: one arrives, the others are dropped.
  int arrived = 0;
  for (int i = 0; i < 200; ++i) {
    try {
      run_chunks(8, [](int chunk) { throw std::runtime_error(std::to_string(chunk)); });
    } catch (const std::runtime_error&) {
      ++arrived;
    }
  }
  check::equal(arrived, 200);
});

const check::Test cancels("pool: after an exception no chunk is started", [] {
  for (int threads : {1, 2, 4}) {
    const Threads own(threads);
    std::atomic<int> started{0};
    bool caught = false;
    try {
      run_chunks(10'000, [&](int chunk) {
        ++started;
        if (chunk == 0) throw 1;
        nap(200);
      });
    } catch (int) {
      caught = true;
    }
    check::that(caught, "it was rethrown");
    // All threads but the thrower may have begun some; far from all.
    check::that(started.load() < 1000, "most chunks were never started");
  }
});

const check::Test cancels_inside("pool: a chunk that asks stops in the middle", [] {
  const Threads own(2);
  std::atomic<bool> waiting{false};
  bool caught = false;
  try {
    run_chunks(2, [&](int chunk) {
      if (chunk == 1) {
        waiting = true;
        while (true) {  // ended by nothing but the other's exception
          check_interrupt();
          nap(10);
        }
      }
      while (!waiting) nap(10);
      throw 3;
    });
  } catch (int three) {
    caught = three == 3;
  }
  check::that(caught, "the first exception arrives, not the cancellation");
});

const check::Test waits("pool: nothing runs any more when run_chunks has thrown", [] {
  const Threads own(4);
  for (int i = 0; i < 50; ++i) {
    std::atomic<int> inside{0};
    try {
      run_chunks(16, [&](int chunk) {
        ++inside;
        nap(chunk % 3 == 0 ? 300 : 20);
        --inside;
        if (chunk == 2) throw 1;
      });
    } catch (int) {
    }
    check::equal(inside.load(), 0, "chunks at work after the call");
  }
});

const check::Test nested("pool: jobs inside jobs", [] {
  const Threads own(4);
  std::atomic<int> ran{0};
  run_chunks(8, [&](int) { run_chunks(8, [&](int) { run_chunks(2, [&](int) { ++ran; }); }); });
  check::equal(ran.load(), 128);
  int caught = 0;
  for (int thrower = 0; thrower < 64; ++thrower) {
    try {
      run_chunks(8, [&](int outer) {
        run_chunks(8, [&](int inner) { if (outer * 8 + inner == thrower) throw thrower; });
      });
    } catch (int) {
      ++caught;
    }
  }
  check::equal(caught, 64);
  // After an exception the caller's jobs are shared again.
  std::set<std::thread::id> ids;
  std::mutex guard;
  for (int i = 0; i < 100 && ids.size() < 2; ++i) {
    run_chunks(8, [&](int) {
      nap(200);
      const std::lock_guard lock(guard);
      ids.insert(std::this_thread::get_id());
    });
  }
  check::that(ids.size() >= 2, "more than one thread takes part after exceptions");
});

const check::Test several_callers("pool: several callers at a time, some of which throw", [] {
  const Threads own(3);
  std::atomic<int> right{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c) {
    callers.emplace_back([&, c] {
      for (int i = 0; i < 200; ++i) {
        std::atomic<int> sum{0};
        try {
          run_chunks(20, [&](int chunk) {
            if (c == 0 && chunk == i % 20) throw chunk;
            sum += chunk;
          });
          if (c != 0 && sum == 190) ++right;
        } catch (int chunk) {
          if (c == 0 && chunk == i % 20) ++right;
        }
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  check::equal(right.load(), 800);
});

const check::Test fewer_threads("pool: threads that cannot be made are done without", [] {
  for (int granted : {0, 1, 3, 6}) {
    limit_started_threads(granted);
    const Threads own(8);
    std::set<std::thread::id> ids;
    std::mutex guard;
    for (int i = 0; i < 30; ++i) {
      run_chunks(32, [&](int) {
        nap(100);
        const std::lock_guard lock(guard);
        ids.insert(std::this_thread::get_id());
      });
    }
    check::that(static_cast<int>(ids.size()) <= granted + 1, "no more threads than could be made");
    check_complete(100, "with fewer threads");
    check::equal(thread_count(), 8, "threads asked for");
    limit_started_threads(-1);
  }
  // Threads are asked for again after a while.
  limit_started_threads(0);
  const Threads own(2);
  check_complete(10, "with no worker");
  limit_started_threads(-1);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  std::atomic<bool> shared{false};
  const auto caller = std::this_thread::get_id();
  for (int i = 0; i < 50 && !shared; ++i) {
    run_chunks(8, [&](int) {
      nap(200);
      if (std::this_thread::get_id() != caller) shared = true;
    });
  }
  check::that(shared, "a worker was made later");
});

const check::Test stacks("pool: workers have the stack that is stated", [] {
#if defined(__linux__)
  const Threads own(2);
  std::atomic<std::size_t> size{0};
  const auto caller = std::this_thread::get_id();
  for (int i = 0; i < 50 && size == 0; ++i) {
    run_chunks(8, [&](int) {
      nap(200);
      if (std::this_thread::get_id() == caller) return;
      pthread_attr_t attributes;
      pthread_getattr_np(pthread_self(), &attributes);
      std::size_t bytes = 0;
      pthread_attr_getstacksize(&attributes, &bytes);
      pthread_attr_destroy(&attributes);
      size = bytes;
    });
  }
  check::equal(size.load(), kWorkerStackBytes);
#endif
});

// Runs `body` in a child; true when it returned true within ten seconds.
template <class Body>
bool child_succeeds(Body body) {
  const pid_t child = fork();
  if (child == 0) _exit(body() ? 0 : 1);
  for (int i = 0; i < 1000; ++i) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    nap(10'000);
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return false;
}

bool pool_works() {
  std::atomic<int> ran{0};
  for (int i = 0; i < 20; ++i) {
    run_chunks(16, [&](int) {
      ++ran;
      nap(50);
    });
  }
  const StorageRef block = allocate(std::size_t{4} << 20);
  return ran == 320 && block->nbytes() == std::size_t{4} << 20;
}

const check::Test forks("pool: a child of a fork has a pool of its own", [] {
  const Threads own(3);
  check::that(child_succeeds(pool_works), "before the pool exists, or between jobs");
  check_complete(100, "in the parent");
  check::that(child_succeeds(pool_works), "after a job");
  // While another thread computes and allocates.
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop) {
      run_chunks(6, [](int) {
        const StorageRef block = allocate(std::size_t{3} << 20);
        block->data()[0] = std::byte{1};
        nap(100);
      });
    }
  });
  int succeeded = 0;
  for (int i = 0; i < 40; ++i) succeeded += child_succeeds(pool_works);
  stop = true;
  other.join();
  check::equal(succeeded, 40, "forks in the middle of jobs");
  check_complete(100, "in the parent afterwards");
});

const check::Test fork_does_not_wait("pool: a fork does not wait for a kernel", [] {
  const Threads own(2);
  std::atomic<bool> started{false}, release{false};
  std::thread other([&] {
    run_chunks(2, [&](int) {
      started = true;
      while (!release) nap(100);
    });
  });
  while (!started) nap(100);
  // A fork that waited would wait for ever: `release` is set after it.
  check::that(child_succeeds(pool_works), "the child computes");
  release = true;
  other.join();
});

const check::Test fork_inside("pool: a fork in the middle of one's own job", [] {
  const Threads own(2);
  check::that(child_succeeds([] {
    // The child of this child is forked on the thread that runs a job, as a signal handler may do.
    std::atomic<int> verdict{-1};
    const pid_t self = getpid();
    pid_t inner = -1;
    const auto caller = std::this_thread::get_id();
    std::atomic<bool> helper_busy{false}, forked{false};
    try {
      run_chunks(2, [&](int) {
        if (std::this_thread::get_id() != caller) {
          helper_busy = true;
          while (!forked && getpid() == self) nap(50);
          return;
        }
        for (int i = 0; i < 2000 && !helper_busy; ++i) nap(50);
        inner = fork();
        forked = true;
      });
      if (getpid() != self) _exit(helper_busy ? 3 : 0);
    } catch (const Error& error) {
      if (getpid() != self) _exit(error.kind() == ErrorKind::UnsupportedOperation && pool_works() ? 0 : 4);
    }
    int status = 0;
    waitpid(inner, &status, 0);
    verdict = WIFEXITED(status) ? WEXITSTATUS(status) : 99;
    return verdict == 0;
  }), "the child's operation ends with an error, and its next one works");
});

const check::Test interrupted("interrupt: the poll stops a job, on one thread and on several", [] {
  static std::atomic<int> polls;
  set_interrupt_poll([] { return ++polls >= 2; });
  for (int threads : {1, 2, 4}) {
    const Threads own(threads);
    polls = 0;
    std::atomic<int> ran{0};
    bool stopped = false;
    const auto start = std::chrono::steady_clock::now();
    try {
      const Interruptible here;
      run_chunks(1'000'000, [&](int) {
        ++ran;
        nap(500);
      });
    } catch (const Interrupted&) {
      stopped = true;
    }
    const auto took = std::chrono::steady_clock::now() - start;
    check::that(stopped, "Interrupted reaches the caller");
    check::that(took > std::chrono::milliseconds(80), "the poll is not asked all the time");
    check::that(ran < 100'000, "most chunks were not started");
  }
  // Outside of a scope nobody is asked.
  polls = 0;
  run_chunks(300, [](int) { nap(300); });
  check::equal(polls.load(), 0, "polls outside of a scope");
  set_interrupt_poll(nullptr);
});

const check::Test interrupted_waiting("interrupt: a caller that waits for its workers asks as well", [] {
  const Threads own(2);
  static std::atomic<bool> stop;
  stop = false;
  set_interrupt_poll([] { return stop.load(); });
  const auto caller = std::this_thread::get_id();
  bool stopped = false;
  try {
    const Interruptible here;
    std::atomic<bool> busy{false};
    run_chunks(2, [&](int) {
      if (std::this_thread::get_id() == caller) {
        while (!busy) nap(50);
        return;
      }
      busy = stop = true;
      while (true) {
        check_interrupt();  // throws when the waiting caller was told to stop
        nap(50);
      }
    });
  } catch (const Interrupted&) {
    stopped = true;
  }
  check::that(stopped, "the caller was interrupted while it waited");
  set_interrupt_poll(nullptr);
  check_complete(100, "after an interrupt");
});

const check::Test chunk_counts("pool: how many chunks work is worth", [] {
  const Threads own(2);
  check::equal(chunks_for(1000), 1);
  check::equal(chunks_for(std::size_t{1} << 40), 8);
  check::equal(interruptible_chunks_for(std::size_t{1} << 20), 4);
  check::equal(interruptible_chunks_for(std::size_t{1} << 34), 1024);
  set_thread_count(1);
  check::equal(chunks_for(std::size_t{1} << 40), 1);
  check::equal(interruptible_chunks_for(std::size_t{1} << 20), 1);
  check::equal(interruptible_chunks_for(std::size_t{1} << 34), 1024);
  check::raises(ErrorKind::InvalidArgument, [] { set_thread_count(0); });
});

}  // namespace
