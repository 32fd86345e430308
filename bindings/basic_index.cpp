#include "basic_index.hpp"

#include <algorithm>
#include <limits>

#include "arguments.hpp"
#include "errors.hpp"
#include "layout/bounds.hpp"
#include "tensor_object.hpp"

namespace strided::python {
namespace {

// One bound of a slice; most are plain ints or missing, and asking the interpreter costs more than the view.
bool plain_bound(PyObject* bound, Py_ssize_t missing, Py_ssize_t& value) {
  if (bound == Py_None) {
    value = missing;
    return true;
  }
  if (!PyLong_CheckExact(bound)) return false;
  int overflow = 0;
  value = PyLong_AsLongAndOverflow(bound, &overflow);
  return overflow == 0;
}

bool is_plain(PyObject* bound) { return bound == Py_None || PyLong_CheckExact(bound); }
bool is_plain_slice(PyObject* item) {
  auto* slice = reinterpret_cast<PySliceObject*>(item);
  return is_plain(slice->start) && is_plain(slice->stop) && is_plain(slice->step);
}

void unpack_slice(PyObject* item, Py_ssize_t& start, Py_ssize_t& stop, Py_ssize_t& step) {
  auto* slice = reinterpret_cast<PySliceObject*>(item);
  step = 1;
  if (slice->step == Py_None && plain_bound(slice->start, 0, start) &&
      plain_bound(slice->stop, PY_SSIZE_T_MAX, stop)) {
    return;
  }
  if (PySlice_Unpack(item, &start, &stop, &step) < 0) throw PythonError{};
}

// Appends to `to` what an index leaves of the axes of `from`, left to right.
struct Walk {
  const Layout& from;
  Layout& to;
  int read = 0;
  int written = 0;

  void append(Index length, Index stride) { to.set_axis(written++, length, stride); }

  void integer(Index index) {
    const Index at = normal_index(index, from.length(read), read);
    to.set_offset(shifted(to.offset(), at, from.stride(read)));
    ++read;
  }
  void slice(PyObject* item) {
    Py_ssize_t start, stop, step;
    unpack_slice(item, start, stop, step);
    const Index count = PySlice_AdjustIndices(from.length(read), &start, &stop, step);
    // An empty slice that runs backwards may "start" at -1.
    to.set_offset(shifted(to.offset(), std::max<Index>(start, 0), from.stride(read)));
    // A step that is never taken may be as large as sys.maxsize.
    Index stride;
    if (!multiply(from.stride(read), step, stride)) stride = from.stride(read);
    append(count, stride);
    ++read;
  }
  // As PyTorch's unsqueeze: length times stride of the axis that follows.
  void new_axis() {
    append(1, read < from.rank() ? scaled(from.stride(read), from.length(read), 1) : 1);
  }
  void keep(int count) {
    for (; count > 0; --count, ++read) append(from.length(read), from.stride(read));
  }
};

}  // namespace

// Integers are everything with __index__ except bools (a mask) and tensors of rank above 0.
BasicIndex::Kind BasicIndex::classify(PyObject* item, Index& integer) {
  if (PyLong_CheckExact(item)) {
    integer = to_position(item);
    return Kind::Integer;
  }
  if (PySlice_Check(item)) return Kind::Slice;
  if (item == Py_None) return Kind::NewAxis;
  if (item == Py_Ellipsis) return Kind::Ellipsis;
  if (PyBool_Check(item)) return Kind::Advanced;
  if (is_tensor(item)) {
    const Tensor& tensor = as_tensor(item);
    if (tensor.layout.rank() != 0 || !is_integral(tensor.dtype)) return Kind::Advanced;
    const Scalar scalar = load_scalar(tensor.dtype, tensor.data());
    integer = scalar.above_int64 ? std::numeric_limits<Index>::max() : scalar.integer;
    return Kind::Integer;
  }
  if (!PyIndex_Check(item)) return Kind::Advanced;
  const Ref number(PyNumber_Index(item));
  if (!number) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw PythonError{};
    PyErr_Clear();  // an array that is not a single integer
    return Kind::Advanced;
  }
  integer = to_position(number.get());
  return Kind::Integer;
}

BasicIndex::BasicIndex(const Layout& layout, PyObject* key)
    : key_(key), count_(1), is_tuple_(PyTuple_Check(key)) {
  if (is_tuple_) count_ = PyTuple_GET_SIZE(key);
  if (count_ > kMostItems) throw errors::invalid_dimension(count_ - 1, layout.rank());
  int ellipses = 0;
  for (Py_ssize_t i = 0; i < count_; ++i) {
    kinds_[i] = classify(item(i), values_[i]);
    switch (kinds_[i]) {
      case Kind::Integer: ++integers_; break;
      case Kind::Slice: ++slices_, plain_ = plain_ && is_plain_slice(item(i)); break;
      case Kind::NewAxis: ++new_axes_; break;
      case Kind::Ellipsis: ++ellipses; break;
      case Kind::Advanced: basic_ = false; return;
    }
  }
  if (ellipses > 1) {
    PyErr_SetString(PyExc_IndexError, "an index can have only one Ellipsis ('...')");
    throw PythonError{};
  }
}

Layout BasicIndex::apply(const Layout& layout) const {
  // Python code that runs on the way could give the tensor another layout (squeeze_).
  return plain_ ? walked(layout) : walked(Layout(layout));
}

Layout BasicIndex::walked(const Layout& layout) const {
  const int consumed = integers_ + slices_;
  if (consumed > layout.rank()) throw errors::invalid_dimension(consumed - 1, layout.rank());
  const int rank = layout.rank() - integers_ + new_axes_;
  checked_rank(rank);
  Layout result = Layout::uninitialised(rank, layout.offset());
  Walk walk{layout, result};
  for (Py_ssize_t i = 0; i < count_; ++i) {
    switch (kinds_[i]) {
      case Kind::Integer: walk.integer(values_[i]); break;
      case Kind::Slice: walk.slice(item(i)); break;
      case Kind::NewAxis: walk.new_axis(); break;
      case Kind::Ellipsis: walk.keep(layout.rank() - consumed); break;
      case Kind::Advanced: break;
    }
  }
  walk.keep(layout.rank() - walk.read);
  return result;
}

}  // namespace strided::python
