#include "copy_log.hpp"

#include <atomic>

namespace strided {
namespace {

constexpr std::array<CopyReasonRow, kCopyReasonCount> kReasons{{
    {"clone", true, "drop the clone if nobody writes to the result"},
    {"contiguous", true, "drop .contiguous() where the consumer takes strides"},
    {"convert", true, "create the tensor in that dtype"},
    {"assign", true, "compute into the destination with out="},
    {"reshape", false, "reshape before permuting, or use .view() to be told when it would copy"},
    {"gather", false, "use a slice or .narrow() where the positions are regular"},
    {"overlap", false, "write to a tensor that does not share memory with the source"},
    {"join", true, "allocate the result first and write the parts into slices of it"},
}};

struct Counter {
  std::atomic<std::int64_t> count{0};
  std::atomic<std::int64_t> nbytes{0};
};
Counter counters[kCopyReasonCount];

std::atomic<CopyObserver> current_observer{nullptr};

}  // namespace

const CopyReasonRow& row_of(CopyReason reason) { return kReasons[static_cast<std::size_t>(reason)]; }

CopyObserver observe_copies(CopyObserver observer) { return current_observer.exchange(observer); }

void log_copy(CopyReason reason, const Tensor& from, const Layout& to, DType to_dtype) {
  const Index nbytes = to.size() * itemsize(to_dtype);
  if (const CopyObserver observer = current_observer.load(std::memory_order_relaxed)) {
    observer({reason, nbytes, from.layout, from.dtype, to, to_dtype});
  }
  Counter& counter = counters[static_cast<int>(reason)];
  counter.count.fetch_add(1, std::memory_order_relaxed);
  counter.nbytes.fetch_add(nbytes, std::memory_order_relaxed);
}

CopyTotal copy_total(CopyReason reason) {
  const Counter& counter = counters[static_cast<int>(reason)];
  return {counter.count.load(), counter.nbytes.load()};
}

}  // namespace strided
