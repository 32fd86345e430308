// Long kernels stop on request: between chunks of work they ask whether somebody wants them to.
//
// The bindings install a function that asks (Python: has Ctrl-C been pressed?) and say where asking is allowed. It is
// asked on the calling thread at most every 50 ms. A thread of the pool asks whether its job was cancelled.
#pragma once

#include <atomic>

namespace strided {

// Thrown by check_interrupt where the asked function said yes. What a kernel was writing is then unspecified.
struct Interrupted {};
// Thrown by check_interrupt inside a job that was cancelled, because another chunk threw. Never leaves the pool.
struct Cancelled {};

// True: stop. It runs on a thread that is inside an Interruptible scope. Set once.
using InterruptPoll = bool (*)();
void set_interrupt_poll(InterruptPoll poll);

// While one lives, check_interrupt on this thread may call the poll.
class Interruptible {
 public:
  Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  ~Interruptible();

 private:
  bool armed_;
  long long due_;
};

// Called by kernels every millisecond or so, and by the pool between chunks. Costs a few nanoseconds.
void check_interrupt();

// Calls it after so much work, for loops whose steps take less time than the question. Work is counted in bytes, or in
// elements where computing one takes much longer than moving it.
class InterruptCheck {
 public:
  void after(long long work) {
    if ((left_ -= work) > 0) return;
    left_ = kWork;
    check_interrupt();
  }

 private:
  static constexpr long long kWork = 256 << 10;  // tens of microseconds; some milliseconds at 10 ns an element
  long long left_ = kWork;
};

// For the pool: the job whose chunks this thread runs was cancelled when *cancelled is true. Returns what was set.
const std::atomic<bool>* watch_job(const std::atomic<bool>* cancelled);

}  // namespace strided
