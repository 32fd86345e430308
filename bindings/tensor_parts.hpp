// The native Tensor type is put together in tensor_type.cpp from these tables, one per file.
#pragma once

#include <string>

#include "memory/storage.hpp"
#include "python.hpp"

namespace strided::python {

// tensor_attributes.cpp
extern PyGetSetDef tensor_attributes[];
// One table per theme; tensor_type.cpp joins them.
extern PyMethodDef attribute_methods[];  // tensor_attributes.cpp: stride(), numel(), ...
extern PyMethodDef view_methods[];       // tensor_views.cpp
extern PyMethodDef reshape_methods[];    // tensor_reshape.cpp
extern PyMethodDef copy_methods[];       // tensor_copy.cpp
extern PyMethodDef value_methods[];      // tensor_values.cpp: item(), tolist(), ...

// tensor_index.cpp
PyObject* tensor_get_item(PyObject* self, PyObject* key);
int tensor_set_item(PyObject* self, PyObject* key, PyObject* value);
PyObject* tensor_iterate(PyObject* self);
Py_ssize_t tensor_length(PyObject* self);
void add_iterator_type();

// tensor_numbers.cpp
extern PyType_Slot number_slots[];
PyObject* tensor_compare(PyObject* a, PyObject* b, int operation);

// bind_linalg.cpp
PyObject* tensor_matmul(PyObject* a, PyObject* b);

// tensor_values.cpp
int tensor_truth(PyObject* self);
PyObject* tensor_as_int(PyObject* self);
PyObject* tensor_as_float(PyObject* self);
PyObject* tensor_as_index(PyObject* self);

// exchange_buffer.cpp
int tensor_get_buffer(PyObject* self, Py_buffer* view, int flags);
void tensor_release_buffer(PyObject* self, Py_buffer* view);

void add_tensor_type(PyObject* module);
// Functions of the module, one call per file.
void add_create(PyObject* module);            // create.cpp
void add_exchange_buffer(PyObject* module);   // exchange_buffer.cpp
void add_exchange_dlpack(PyObject* module);   // exchange_dlpack.cpp
void add_exchange_pickle(PyObject* module);   // exchange_pickle.cpp
void add_linalg(PyObject* module);            // bind_linalg.cpp
void add_nn(PyObject* module);                // bind_nn.cpp
void add_nn_gradients(PyObject* module);      // bind_nn_gradients.cpp
void add_optim(PyObject* module);             // bind_optim.cpp

// Whose memory a storage uses: the object that lent its buffer (borrowed reference), or the name of
// the library that gave a DLPack capsule; null for any other storage.
PyObject* buffer_lender(const Storage& storage);            // exchange_buffer.cpp
const std::string* dlpack_lender(const Storage& storage);   // exchange_dlpack.cpp

}  // namespace strided::python
