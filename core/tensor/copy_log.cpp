#include "copy_log.hpp"

#include <atomic>

namespace strided {
namespace {

constexpr std::array<CopyReasonRow, kCopyReasonCount> kReasons{{
    {"clone", true, "a copy was asked for", "drop the clone if nobody writes to the result"},
    {"contiguous", true, "row-major memory, or another order, was asked for",
     "drop .contiguous() where the consumer takes strides"},
    {"convert", true, "another dtype was asked for", "create the tensor in that dtype"},
    {"assign", true, "elements are written into another tensor", "compute into the destination with out="},
    {"reshape", false, "no strides exist for the new shape",
     "reshape before permuting, or use .view() to be told when it would copy"},
    {"gather", false, "positions or a mask pick the elements one by one",
     "use a slice or .narrow() where the positions are regular"},
    {"overlap", false, "the source shares memory with what is written",
     "write to a tensor that does not share memory with the source"},
    {"join", true, "several tensors become one",
     "allocate the result first and write the parts into slices of it"},
    {"promote", false, "the operator computes in another dtype", "give it operands of the dtype that it computes in"},
    {"pack", false, "the operator needs its operand row-major",
     "keep the operand row-major, or call .contiguous() once and keep the result"},
    {"out", false, "the result was computed aside and moved to out=", "leave out= away and use the result"},
    {"export", true, "memory of its own was asked for", "use .numpy(), which shares the memory"},
    {"align", false, "the elements lie between multiples of their size",
     "lay the foreign array out aligned, without packed fields"},
    {"baseline", false, "copy_everything() is on: every view is a copy", "leave copy_everything()"},
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
