// The copy log: every duplication of elements is reported here, with its reason. Counting is always on (two relaxed
// additions beside a whole copy); an observer, when there is one, sees each event before it happens
// and may refuse it by throwing. It is called on the thread that asked for the work, before a kernel
// starts: chunks that run on the pool never report.
#pragma once

#include <array>
#include <cstdint>

#include "tensor.hpp"

namespace strided {

enum class CopyReason : std::uint8_t {
  Clone,        // clone(), copy=True
  Contiguous,   // contiguous()
  Convert,      // to(dtype), astype
  Assign,       // copy_(), x[...] = y
  Reshape,      // reshape() where no view exists
  Gather,       // indexing by arrays or masks
  Overlapping,  // a source that the result would have overwritten
  Join,         // concat, stack, repeat
  Promote,      // an operand in the dtype that an operator computes in
  Packing,      // an operand that an operator needs row-major
  Out,          // a result that was computed aside and moved to out=
  Export,       // NumPy arrays with their own memory, pickles
  Align,        // foreign memory between multiples of its item size
  Baseline,     // a view under copy_everything()
};
inline constexpr int kCopyReasonCount = 14;

struct CopyReasonRow {
  const char* name;
  bool asked_for;  // the user wrote a call whose meaning is "copy"
  const char* why;
  const char* hint;
};
const CopyReasonRow& row_of(CopyReason reason);

struct CopyEvent {
  CopyReason reason;
  Index nbytes;  // written
  const Layout& from;
  DType from_dtype;
  const Layout& to;
  DType to_dtype;
};

using CopyObserver = void (*)(const CopyEvent& event);
// Returns the one before; null for none.
CopyObserver observe_copies(CopyObserver observer);

void log_copy(CopyReason reason, const Tensor& from, const Layout& to, DType to_dtype);

struct CopyTotal {
  std::int64_t count;
  std::int64_t nbytes;
};
// Since the library was loaded, all threads together.
CopyTotal copy_total(CopyReason reason);

}  // namespace strided
