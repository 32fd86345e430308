// The buffer protocol, out and in, for any strides.
#include <memory>

#include "arguments.hpp"
#include "errors.hpp"
#include "graph.hpp"
#include "layout/bounds.hpp"
#include "layout/contiguity.hpp"
#include "layout/overlap.hpp"
#include "memory/borrowed.hpp"
#include "tensor_object.hpp"
#include "tensor_parts.hpp"

namespace strided::python {
namespace {

// ---- out: shape and byte strides must outlive the Py_buffer ----

struct Exported {
  // The tensor may move to another storage while its buffer is out (unpickling brings views together): the bytes
  // that were handed out stay as long as the buffer.
  StorageRef storage;
  Py_ssize_t shape[kMaxRank];
  Py_ssize_t strides[kMaxRank];
};

bool has(int flags, int all) { return (flags & all) == all; }

[[noreturn]] void refuse(const char* why) {
  PyErr_SetString(PyExc_BufferError, why);
  throw PythonError{};
}

void fill_view(PyObject* self, Py_buffer* view, int flags) {
  const Tensor& tensor = as_tensor(self);
  const Layout& layout = tensor.layout;
  const bool row_major = is_row_major(layout);
  if (tensor.dtype == DType::BFloat16) {
    refuse("the buffer protocol has no bfloat16; use .numpy(), or .view(strided.uint16) for the bits");
  }
  if (has(flags, PyBUF_WRITABLE) && !tensor.storage->writable()) {
    refuse("the tensor's storage is read-only");
  }
  // Whoever writes to a buffer takes its elements for as many places.
  const bool overlaps = overlaps_itself(layout) == Overlap::Yes;
  if (has(flags, PyBUF_WRITABLE) && overlaps) {
    refuse("the tensor has elements that share memory with each other; call .clone() first");
  }
  if ((has(flags, PyBUF_C_CONTIGUOUS) || !has(flags, PyBUF_STRIDES)) && !row_major) {
    refuse("the tensor is not row-major; call .contiguous() first");
  }
  if (has(flags, PyBUF_F_CONTIGUOUS) && !is_column_major(layout)) {
    refuse("the tensor is not column-major; call .contiguous('column_major') first");
  }
  if (has(flags, PyBUF_ANY_CONTIGUOUS) && !row_major && !is_column_major(layout)) {
    refuse("the tensor is neither row-major nor column-major; call .contiguous() first");
  }
  Index nbytes;
  if (!multiply(layout.size(), tensor.item(), nbytes)) {
    refuse("the tensor repeats its elements more often than a buffer can say");
  }
  auto exported = std::make_unique<Exported>();
  exported->storage = tensor.storage;
  for (int axis = 0; axis < layout.rank(); ++axis) {
    exported->shape[axis] = layout.length(axis);
    exported->strides[axis] = scaled(layout.stride(axis), tensor.item(), 1);
  }
  view->obj = Py_NewRef(self);
  view->buf = tensor.data();
  view->len = nbytes;
  view->itemsize = tensor.item();
  view->readonly = overlaps || !tensor.storage->writable();
  // Who asks for no shape sees one run of bytes.
  view->ndim = has(flags, PyBUF_ND) ? layout.rank() : 1;
  view->format = has(flags, PyBUF_FORMAT) ? const_cast<char*>(row_of(tensor.dtype).format) : nullptr;
  view->shape = has(flags, PyBUF_ND) ? exported->shape : nullptr;
  view->strides = has(flags, PyBUF_STRIDES) ? exported->strides : nullptr;
  view->suboffsets = nullptr;
  view->internal = exported.release();
}

// ---- in ----

// struct-module codes to dtypes; sizes decide where a code has none of its own (l, n).
bool find_format(const char* format, Py_ssize_t size, DType& dtype) {
  if (format == nullptr) format = "B";
  const std::uint16_t probe = 1;
  const bool little = *reinterpret_cast<const std::uint8_t*>(&probe) == 1;
  if (*format == '@' || *format == '=' || *format == (little ? '<' : '>')) ++format;
  const std::string_view code(format);
  for (int i = 0; i < kDTypeCount; ++i) {
    if (code == kDTypes[i].format && kDTypes[i].itemsize == size) {
      dtype = static_cast<DType>(i);
      return true;
    }
  }
  const bool is_signed = code == "l" || code == "n" || code == "q";
  const bool is_unsigned = code == "L" || code == "N" || code == "Q" || code == "c";
  for (int i = 0; i < kDTypeCount && (is_signed || is_unsigned); ++i) {
    if (kDTypes[i].kind == (is_signed ? Kind::Signed : Kind::Unsigned) && kDTypes[i].itemsize == size) {
      dtype = static_cast<DType>(i);
      return true;
    }
  }
  return false;
}

void release(void* owner) {
  auto* view = static_cast<Py_buffer*>(owner);
  const Interpreter interpreter;
  PyBuffer_Release(view);
  delete view;
}

struct BufferView {
  Py_buffer* view = new Py_buffer{};
  bool held = false;
  ~BufferView() {
    if (held) PyBuffer_Release(view);
    delete view;
  }
};

Layout layout_of(const Py_buffer& view) {
  Dims shape;
  for (int axis = 0; axis < view.ndim; ++axis) shape.push_back(view.shape[axis]);
  Layout layout = Layout::row_major(shape);
  // ctypes leaves the strides out even where they were asked for.
  for (int axis = 0; axis < view.ndim && view.strides != nullptr; ++axis) {
    const Index bytes = view.strides[axis];
    if (bytes % view.itemsize != 0 && view.shape[axis] > 1) {
      throw errors::unsupported_operation(
          "sharing this buffer",
          "axis " + std::to_string(axis) + " steps " + std::to_string(bytes) +
              " bytes, which is not a multiple of the item size " + std::to_string(view.itemsize),
          "copy it first: strided.tensor(x)");
    }
    layout.set_axis(axis, view.shape[axis], bytes / view.itemsize);
  }
  return layout;
}

// _from_buffer(object) -> Tensor sharing the memory of any buffer exporter.
PyObject* from_buffer(PyObject*, PyObject* object) {
  return guarded([&] {
    BufferView buffer;
    constexpr int flags = PyBUF_STRIDES | PyBUF_FORMAT;
    if (PyObject_GetBuffer(object, buffer.view, flags | PyBUF_WRITABLE) < 0) {
      PyErr_Clear();
      if (PyObject_GetBuffer(object, buffer.view, flags) < 0) throw PythonError{};
    }
    buffer.held = true;
    const Py_buffer& view = *buffer.view;
    if (view.ndim > 0 && view.shape == nullptr) refuse("the buffer does not say its shape");
    DType dtype;
    if (!find_format(view.format, view.itemsize, dtype)) {
      throw errors::dtype_mismatch("sharing a buffer", view.format ? view.format : "B",
                                   "no dtype matches this buffer format (byte order included)",
                                   "convert it with NumPy's astype first");
    }
    if (view.ndim > kMaxRank) {
      throw errors::invalid_argument("buffer", std::to_string(view.ndim) + " axes",
                                     "must have at most " + std::to_string(kMaxRank));
    }
    if (view.len != 0 && reinterpret_cast<std::uintptr_t>(view.buf) %
                                 static_cast<std::size_t>(alignment(dtype)) != 0) {
      throw errors::unsupported_operation("sharing this buffer",
                                          "its elements are not aligned to their size",
                                          "copy it first: strided.tensor(x)");
    }
    Layout layout = layout_of(view);
    const Bounds reach = bounds_of(layout);
    // The storage begins at the lowest element reached, so negative strides stay inside it.
    const Index low = reach.empty() ? 0 : reach.lowest;
    Index count = 0, nbytes = 0;
    const bool fits = reach.empty() || (!__builtin_sub_overflow(reach.highest, low, &count) &&
                                        add(count, 1, count) && multiply(count, view.itemsize, nbytes));
    if (!fits) refuse("no memory holds what the buffer describes");
    layout.set_offset(-low);
    auto* data = static_cast<std::byte*>(view.buf) + low * view.itemsize;
    StorageRef storage = borrow(data, static_cast<std::size_t>(nbytes),
                                !view.readonly, buffer.view, release);
    buffer.held = false;
    buffer.view = nullptr;
    return new_tensor({std::move(storage), std::move(layout), dtype});
  });
}

PyMethodDef functions[] = {
    {"_from_buffer", from_buffer, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

int tensor_get_buffer(PyObject* self, Py_buffer* view, int flags) {
  return guarded(-1, [&] {
    view->obj = nullptr;
    if (is_tracked(self)) refuse_export(self);
    fill_view(self, view, flags);
    return 0;
  });
}

void tensor_release_buffer(PyObject*, Py_buffer* view) {
  delete static_cast<Exported*>(view->internal);
}

PyObject* buffer_lender(const Storage& storage) {
  const auto* view = static_cast<const Py_buffer*>(lender_of(storage, release));
  return view == nullptr ? nullptr : view->obj;
}

void add_exchange_buffer(PyObject* module) {
  if (PyModule_AddFunctions(module, functions) < 0) throw PythonError{};
}

}  // namespace strided::python
