// What kernels say about the plans they run: the text behind strided.plan.
//
// A kernel's driver opens a RecordScope with the plan in hand, right before it runs it: what is printed is what runs.
// Without a listener that costs one comparison.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "axes.hpp"

namespace strided {

struct PlanRecord {
  std::string operation;           // "add", "sum", "copy", "matmul": what is computed
  std::vector<Index> shape;        // of the axes, slowest first
  std::vector<std::string> roles;  // of each
  std::vector<std::vector<Index>> steps;  // in bytes, by operand, by axis
  std::string tiles;               // how the axes are cut for the caches, in words; empty where they are not
  Index chunks = 1;                // for threads
  bool streams = false;            // results are written by non-temporal stores
  std::vector<std::string> loops;  // the inner loops: file and function

  PlanRecord(std::string name, const IterationSpace& space, std::vector<std::string> loops = {}, Index chunks = 1,
             std::string tiles = {});

  // Each loop is named once; an empty name is none.
  void add_loop(std::string loop);
};

// The name of a loop that is not in the loop table: "kernels/index/masked.cpp: copy_true".
inline std::string plain_loop(const char* file, const char* function) { return std::string(file) + ": " + function; }

// Collects what kernels record on this thread while it lives.
class PlanRecorder {
 public:
  PlanRecorder();
  ~PlanRecorder();
  PlanRecorder(const PlanRecorder&) = delete;
  PlanRecorder& operator=(const PlanRecorder&) = delete;

  const std::vector<PlanRecord>& records() const { return records_; }

 private:
  friend class RecordScope;
  std::vector<PlanRecord> records_;
  bool joining_ = false;  // an open scope joins the loops of those inside it
  PlanRecorder* const before_;
};

// The time in which one plan runs. Other plans that are made inside it belong to it and are not recorded.
class RecordScope {
 public:
  // Whether the record also names the loops of the plans that are made inside it, on this thread.
  enum class LoopsInside : std::uint8_t { Left, Joined };

  // `make` returns the PlanRecord; it is called only where somebody listens.
  template <class Make>
  explicit RecordScope(Make&& make, LoopsInside inside = LoopsInside::Left)
      : listener_(recorders.load(std::memory_order_relaxed) == 0 ? nullptr : listener) {
    if (listener_ != nullptr) record(make, inside);
  }
  ~RecordScope() {
    if (listener_ == nullptr) return;
    listener = listener_;
    if (joins_) listener_->joining_ = false;
  }
  RecordScope(const RecordScope&) = delete;
  RecordScope& operator=(const RecordScope&) = delete;

 private:
  friend class PlanRecorder;

  // Not inlined: a space takes kilobytes of stack.
  template <class Make>
  [[gnu::noinline, gnu::cold]] void record(Make& make, LoopsInside inside) {
    if (listener_->joining_) {
      for (std::string& loop : make().loops) listener_->records_.back().add_loop(std::move(loop));
      return;
    }
    listener_->records_.push_back(make());
    listener_->joining_ = joins_ = inside == LoopsInside::Joined;
    if (!joins_) listener = nullptr;
  }

  bool joins_ = false;
  static constinit std::atomic<int> recorders;  // on all threads: cheaper to ask than a variable of this thread
  static constinit thread_local PlanRecorder* listener;
  PlanRecorder* const listener_;
};

}  // namespace strided
