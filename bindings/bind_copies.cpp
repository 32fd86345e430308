// The copy log: what was duplicated since the library was loaded, by reason.
#include <nanobind/nanobind.h>

#include "bind_ops.hpp"
#include "layout/views.hpp"
#include "tensor/materialise.hpp"
#include "tensor_object.hpp"

namespace nb = nanobind;

namespace strided::python {

void bind_copies(nb::module_& m) {
  // Writes x into a slice of a result that is being put together; shapes are equal.
  m.def("join_into", [](nb::handle out, nb::handle x) {
    const Tensor to = expect_tensor(out.ptr(), "out");
    const Tensor from = expect_tensor(x.ptr(), "x");
    const KernelTime released(to.layout.size());
    materialise_into(to, {from.storage, broadcast_to(from.layout, to.layout.shape()), from.dtype},
                     CopyReason::Join);
  });
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
