// strided.float32 and its siblings: one immutable object per dtype.
#include "services.hpp"
#include "dtype_object.hpp"

#include <cstring>

#include "arguments.hpp"

namespace strided::python {
namespace {

struct PyDType {
  PyObject_HEAD
  DType dtype;
};

PyTypeObject* dtype_type = nullptr;
PyObject* instances[kDTypeCount];

DType value_of(PyObject* self) { return reinterpret_cast<PyDType*>(self)->dtype; }

PyObject* text(std::string_view value) {
  return PyUnicode_FromStringAndSize(value.data(), static_cast<Py_ssize_t>(value.size()));
}

PyObject* get_name(PyObject* self, void*) { return text(name_of(value_of(self))); }
PyObject* get_itemsize(PyObject* self, void*) { return PyLong_FromLong(itemsize(value_of(self))); }
PyObject* get_is_floating(PyObject* self, void*) {
  return PyBool_FromLong(is_floating(value_of(self)));
}
PyObject* get_is_complex(PyObject* self, void*) { return PyBool_FromLong(is_complex(value_of(self))); }
PyObject* get_is_signed(PyObject* self, void*) {
  const Kind kind = kind_of(value_of(self));
  return PyBool_FromLong(kind != Kind::Unsigned && kind != Kind::Bool);
}

PyObject* get_kind(PyObject* self, void*) {
  constexpr const char* letters[] = {"b", "i", "u", "f", "c"};
  return PyUnicode_FromString(letters[static_cast<int>(kind_of(value_of(self)))]);
}

// np.dtype(strided.float32) reads this attribute.
PyObject* get_numpy(PyObject* self, void*) {
  return guarded([&] {
    const bool extra = value_of(self) == DType::BFloat16;
    const Ref module = Ref(PyImport_ImportModule(extra ? "ml_dtypes" : "numpy"));
    if (!module) {
      PyErr_SetString(PyExc_ImportError,
                      "NumPy has no bfloat16 of its own: pip install 'strided[bfloat16]' adds it, "
                      "or use .to(strided.float32)");
      throw PythonError{};
    }
    const Ref numpy = Ref::checked(PyImport_ImportModule("numpy"));
    const Ref name = Ref::checked(get_name(self, nullptr));
    const Ref type = extra ? Ref::checked(PyObject_GetAttr(module.get(), name.get())) : name;
    return PyObject_CallMethod(numpy.get(), "dtype", "O", type.get());
  });
}

PyObject* get_scalar_type(PyObject* self, void*) {
  return guarded([&] {
    const Ref numpy = Ref::checked(get_numpy(self, nullptr));
    return PyObject_GetAttrString(numpy.get(), "type");
  });
}

PyObject* get_has_objects(PyObject*, void*) { return Py_NewRef(Py_False); }

// Whether a name, NumPy's scalar type or Python's bool stands for this dtype, as it does for NumPy's.
// Python's other types do not: their widths differ from library to library.
bool stands_for(PyObject* other, PyObject* self) {
  if (other == reinterpret_cast<PyObject*>(&PyBool_Type)) return value_of(self) == DType::Bool;
  if (PyUnicode_Check(other)) {
    const Ref name = Ref::checked(get_name(self, nullptr));
    return PyUnicode_Compare(name.get(), other) == 0;
  }
  const Ref type = Ref(get_scalar_type(self, nullptr));
  if (!type) PyErr_Clear();  // bfloat16 without ml_dtypes
  return type.get() == other;
}

// NumPy's dtypes are left to NumPy, which reads the attribute `dtype`.
PyObject* compare(PyObject* self, PyObject* other, int operation) {
  return guarded([&]() -> PyObject* {
    const bool is_asked = operation == Py_EQ || operation == Py_NE;
    const bool may_stand = PyUnicode_Check(other) || PyType_Check(other);
    if (!is_asked || (self != other && !may_stand)) return Py_NewRef(Py_NotImplemented);
    const bool equal = self == other || stands_for(other, self);
    return PyBool_FromLong(equal == (operation == Py_EQ));
  });
}

PyObject* repr(PyObject* self) {
  return PyUnicode_FromFormat("strided.%s", name_of(value_of(self)).data());
}
PyObject* str(PyObject* self) { return get_name(self, nullptr); }
// A global name in module `strided`: pickle and copy find the one instance again.
PyObject* reduce(PyObject* self, PyObject*) { return get_name(self, nullptr); }

// Docstrings: strided/native_members.py.
PyGetSetDef attributes[] = {
    {"name", get_name, nullptr, nullptr, nullptr},
    {"itemsize", get_itemsize, nullptr, nullptr, nullptr},
    {"kind", get_kind, nullptr, nullptr, nullptr},
    {"is_floating_point", get_is_floating, nullptr, nullptr, nullptr},
    {"is_complex", get_is_complex, nullptr, nullptr, nullptr},
    {"is_signed", get_is_signed, nullptr, nullptr, nullptr},
    {"dtype", get_numpy, nullptr, nullptr, nullptr},
    {"hasobject", get_has_objects, nullptr, nullptr, nullptr},
    {"type", get_scalar_type, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyMethodDef methods[] = {
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
// float32(3) is a tensor of rank 0, float32(x) a copy of the elements in that dtype.
PyObject* converted(PyObject* self, PyObject* args, PyObject* kwargs) {
  return guarded([&] {
    PyObject* value = nullptr;
    const char* names[] = {"", nullptr};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O", const_cast<char**>(names), &value)) {
      throw PythonError{};
    }
    const Ref zero = Ref::checked(PyLong_FromLong(0));
    const Ref given = Ref::checked(PyTuple_Pack(1, value == nullptr ? zero.get() : value));
    const Ref options = Ref::checked(Py_BuildValue("{s:O,s:O}", "dtype", self, "copy", Py_True));
    return Ref::checked(PyObject_Call(service(Service::asarray), given.get(), options.get())).release();
  });
}
PyType_Slot slots[] = {
    {Py_tp_call, reinterpret_cast<void*>(converted)},
    {Py_tp_repr, reinterpret_cast<void*>(repr)},
    {Py_tp_richcompare, reinterpret_cast<void*>(compare)},
    {Py_tp_hash, reinterpret_cast<void*>(PyBaseObject_Type.tp_hash)},
    {Py_tp_str, reinterpret_cast<void*>(str)},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {Py_tp_doc, const_cast<char*>(
        "The type of a tensor's elements; there is one object per dtype, compare with `is` or `==`.")},
    {0, nullptr},
};
PyType_Spec spec = {"strided.DType", sizeof(PyDType), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

bool find_by_name(const char* name, DType& dtype) {
  for (int i = 0; i < kDTypeCount; ++i) {
    if (kDTypes[i].name == name) {
      dtype = static_cast<DType>(i);
      return true;
    }
  }
  return false;
}

// The dtype of a Python type: bool, int, float, complex.
bool find_builtin(PyObject* object, DType& dtype) {
  if (object == reinterpret_cast<PyObject*>(&PyBool_Type)) dtype = DType::Bool;
  else if (object == reinterpret_cast<PyObject*>(&PyLong_Type)) dtype = kDefaultInt;
  else if (object == reinterpret_cast<PyObject*>(&PyFloat_Type)) dtype = DType::Float64;
  else if (object == reinterpret_cast<PyObject*>(&PyComplex_Type)) dtype = DType::Complex128;
  else return false;
  return true;
}

}  // namespace

DType to_dtype(PyObject* object) {
  if (Py_TYPE(object) == dtype_type) return value_of(object);
  DType dtype;
  if (find_builtin(object, dtype)) return dtype;
  Ref name = Ref::borrowed(object);
  if (!PyUnicode_Check(object)) {
    // NumPy dtypes and scalar types name themselves; so do other libraries' (torch.float32).
    name = Ref(PyObject_GetAttrString(object, PyType_Check(object) ? "__name__" : "name"));
    if (!name) {
      PyErr_Clear();
      name = Ref::checked(PyObject_Str(object));
    }
  }
  if (PyUnicode_Check(name.get())) {
    const char* text = PyUnicode_AsUTF8(name.get());
    if (text == nullptr) throw PythonError{};
    if (const char* dot = std::strrchr(text, '.')) text = dot + 1;
    if (find_by_name(text, dtype)) return dtype;
    if (std::strcmp(text, "bool_") == 0) return DType::Bool;
  }
  PyErr_Format(PyExc_TypeError, "%R is not a dtype; use strided.float32, 'float32' or a NumPy dtype",
               object);
  throw PythonError{};
}

PyObject* from_dtype(DType dtype) { return Py_NewRef(instances[static_cast<int>(dtype)]); }

void add_dtypes(PyObject* module) {
  dtype_type = reinterpret_cast<PyTypeObject*>(Ref::checked(PyType_FromSpec(&spec)).release());
  for (int i = 0; i < kDTypeCount; ++i) {
    auto* object = PyObject_New(PyDType, dtype_type);
    if (object == nullptr) throw PythonError{};
    object->dtype = static_cast<DType>(i);
    instances[i] = reinterpret_cast<PyObject*>(object);
    if (PyModule_AddObjectRef(module, kDTypes[i].name.data(), instances[i]) < 0) throw PythonError{};
  }
  if (PyModule_AddObjectRef(module, "DType", reinterpret_cast<PyObject*>(dtype_type)) < 0) {
    throw PythonError{};
  }
}

}  // namespace strided::python
