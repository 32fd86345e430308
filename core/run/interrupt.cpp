#include "interrupt.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>

namespace strided {
namespace {

constexpr long long kEvery = 50'000'000;       // nanoseconds between two calls of the poll
constexpr long long kSeldomEvery = 100'000'000;  // and where a call takes long, because it waits for a lock
constexpr long long kShare = 20;               // of the time, one in so many may go into calls

std::atomic<InterruptPoll> installed{nullptr};

struct Watch {
  const std::atomic<bool>* cancelled = nullptr;
  bool armed = false;
  long long due = 0;  // 0: the clock has not been read yet
};
thread_local Watch watch;

long long now() {
#if defined(__linux__)
  // Moves every few milliseconds, and is read in a third of the time.
  timespec time;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
#else
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
#endif
}

void ask(Watch& own) {
  const long long start = now();
  if (own.due == 0) {
    own.due = start + kEvery;
    return;
  }
  if (start < own.due) return;
  const InterruptPoll poll = installed.load(std::memory_order_relaxed);
  if (poll == nullptr) return;
  // The poll may run a signal handler of the user, which may compute: its operations arm their own watch.
  own.armed = false;
  const bool stop = poll();
  own.armed = true;
  const long long end = now();
  own.due = end + std::clamp(kShare * (end - start), kEvery, kSeldomEvery);
  if (stop) throw Interrupted{};
}

}  // namespace

void set_interrupt_poll(InterruptPoll poll) { installed.store(poll, std::memory_order_relaxed); }

Interruptible::Interruptible() : armed_(watch.armed), due_(watch.due) {
  watch.armed = true;
  watch.due = 0;
}

Interruptible::~Interruptible() {
  watch.armed = armed_;
  watch.due = due_;
}

void check_interrupt() {
  Watch& own = watch;
  if (own.cancelled != nullptr && own.cancelled->load(std::memory_order_relaxed)) throw Cancelled{};
  if (own.armed) ask(own);
}

const std::atomic<bool>* watch_job(const std::atomic<bool>* cancelled) {
  return std::exchange(watch.cancelled, cancelled);
}

}  // namespace strided
