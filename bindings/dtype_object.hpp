// The DType objects of the module; conversions to and from them are in arguments.hpp.
#pragma once

#include "dtype/dtype.hpp"
#include "python.hpp"

namespace strided::python {

void add_dtypes(PyObject* module);

}  // namespace strided::python
