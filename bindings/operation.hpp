// Operations as Python sees them: strided/ops/define.py says what arguments they take and by which names, the
// primitives here compute.
#pragma once

#include "python.hpp"

namespace strided::python {

// Whether the last parameter that comes by its place takes all arguments that are left, as a tuple: never, where
// there are several (a shape, length by length), or always (*arrays).
enum class Spread : char { Never, Several, Always };

// Computes from the arguments in the order of the definition. All are there: missing ones have their defaults.
using Primitive = PyObject* (*)(PyObject* const* values);

struct PrimitiveRow {
  const char* name;
  const char* parameters;  // their names in order; the definition has the same
  Primitive run;
};

// One table per file, ended by a null name; operation.cpp looks them up.
extern const PrimitiveRow reduce_primitives[];  // tensor_reduce.cpp
extern const PrimitiveRow sort_primitives[];    // sort_primitives.cpp

void add_operation(PyObject* module);

}  // namespace strided::python
