// What the extension asks of Python: one object of services, registered once by strided/__init__.py.
#pragma once

#include <cstdint>

#include "python.hpp"

namespace strided::python {

// Each service stands once in C++, here, and once in Python, in strided/services.py, which says what it takes.
#define STRIDED_SERVICES(SERVICE) \
  SERVICE(asarray)                \
  SERVICE(get_advanced)           \
  SERVICE(set_advanced)           \
  SERVICE(text)                   \
  SERVICE(strides)                \
  SERVICE(size)                   \
  SERVICE(memory_order)           \
  SERVICE(rules)                  \
  SERVICE(node)                   \
  SERVICE(view_adjoint)           \
  SERVICE(record_write)           \
  SERVICE(renewed_track)

enum class Service : std::uint8_t {
#define STRIDED_SERVICE(name) name,
  STRIDED_SERVICES(STRIDED_SERVICE)
#undef STRIDED_SERVICE
};

// A borrowed reference. Raises UnsupportedOperation as long as nothing is registered.
PyObject* service(Service which);

// Makes a tensor of anything array-like; a tensor is returned as it is.
Ref as_tensor_object(PyObject* object);

void add_services(PyObject* module);

}  // namespace strided::python
