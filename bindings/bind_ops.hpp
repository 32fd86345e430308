// Functions of the module that are not methods of Tensor, one family per file.
#pragma once

#include <nanobind/nanobind.h>

namespace strided::python {

void bind_ops(nanobind::module_& m);      // bind_ops.cpp
void bind_elimination(nanobind::module_& m);  // bind_elimination.cpp: stacks of small matrices
void bind_special(nanobind::module_& m);      // bind_special.cpp: special functions
void bind_picking(nanobind::module_& m);  // bind_picking.cpp: take, gather, scatter, masks
void bind_storage(nanobind::module_& m);  // bind_storage.cpp: heap, mapped files, storage views
void bind_copies(nanobind::module_& m);   // bind_copies.cpp: the copy log
void bind_fused(nanobind::module_& m);    // bind_fused.cpp: chains of ops in one pass
void bind_plan(nanobind::module_& m);     // bind_plan.cpp: the plans that kernels run
void bind_quantized(nanobind::module_& m);  // bind_quantized.cpp: matrices of quantised blocks
void bind_limits(nanobind::module_& m);   // bind_limits.cpp: numbers of rows at which kernels change

// An op of the table on its operands: a new tensor, or `out` where it is not null.
PyObject* run_op(int op, PyObject* out, PyObject* const* operands);
// How many operands the op with a number has; raises ValueError for a number that has none.
int arity_of(PyObject* number);

}  // namespace strided::python
