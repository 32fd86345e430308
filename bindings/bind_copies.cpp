// The copy log: what was duplicated since the library was loaded, by reason.
#include <nanobind/nanobind.h>

#include "bind_ops.hpp"
#include "tensor/copy_log.hpp"

namespace nb = nanobind;

namespace strided::python {

void bind_copies(nb::module_& m) {
  // [(reason, asked_for, cure, count, nbytes), ...]
  m.def("copy_totals", [] {
    nb::list rows;
    for (int i = 0; i < kCopyReasonCount; ++i) {
      const auto reason = static_cast<CopyReason>(i);
      const CopyReasonRow& row = row_of(reason);
      const CopyTotal total = copy_total(reason);
      rows.append(nb::make_tuple(row.name, row.asked_for, row.cure, total.count, total.nbytes));
    }
    return rows;
  });
}

}  // namespace strided::python
