#include "basic_index.hpp"

#include <algorithm>

#include "arguments.hpp"
#include "errors.hpp"
#include "tensor_object.hpp"

namespace strided::python {
namespace {

enum class Item { Integer, Slice, NewAxis, Ellipsis, Advanced };

// Integers are everything with __index__ except bools (a mask) and tensors of rank above 0.
Item classify(PyObject* item, Index& integer) {
  if (PyLong_CheckExact(item)) {
    integer = to_index(item);
    return Item::Integer;
  }
  if (PySlice_Check(item)) return Item::Slice;
  if (item == Py_None) return Item::NewAxis;
  if (item == Py_Ellipsis) return Item::Ellipsis;
  if (PyBool_Check(item)) return Item::Advanced;
  if (is_tensor(item)) {
    const Tensor& tensor = as_tensor(item);
    if (tensor.layout.rank() != 0 || !is_integral(tensor.dtype)) return Item::Advanced;
    integer = load_scalar(tensor.dtype, tensor.data()).integer;
    return Item::Integer;
  }
  if (!PyIndex_Check(item)) return Item::Advanced;
  const Ref number(PyNumber_Index(item));
  if (!number) {
    PyErr_Clear();  // an array that is not a single integer
    return Item::Advanced;
  }
  integer = to_index(number.get());
  return Item::Integer;
}

// Walks the axes of `from` and appends to `shape` and `strides` what stays of them.
struct Walk {
  const Layout& from;
  Dims shape;
  Dims strides;
  Index offset;
  int axis = 0;

  explicit Walk(const Layout& layout) : from(layout), offset(layout.offset()) {}

  void append(Index length, Index stride) {
    if (shape.size() == kMaxRank) {
      throw errors::invalid_argument("index", "too many new axes",
                                     "must give at most " + std::to_string(kMaxRank) + " axes");
    }
    shape.push_back(length);
    strides.push_back(stride);
  }
  void check_axis() const {
    if (axis >= from.rank()) throw errors::invalid_dimension(axis, from.rank());
  }
  void integer(Index index) {
    check_axis();
    offset += normal_index(index, from.length(axis), axis) * from.stride(axis);
    ++axis;
  }
  void slice(PyObject* item) {
    check_axis();
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(item, &start, &stop, &step) < 0) throw PythonError{};
    const Index count = PySlice_AdjustIndices(from.length(axis), &start, &stop, step);
    // An empty slice that runs backwards may "start" at -1.
    offset += std::max<Index>(start, 0) * from.stride(axis);
    // A step that is never taken may be as large as sys.maxsize.
    append(count, count > 1 || (step < 4096 && step > -4096) ? from.stride(axis) * step
                                                              : from.stride(axis));
    ++axis;
  }
  // As PyTorch's unsqueeze: length times stride of the axis that follows.
  void new_axis() { append(1, axis < from.rank() ? from.length(axis) * from.stride(axis) : 1); }
  void keep(int count) {
    for (int i = 0; i < count; ++i, ++axis) append(from.length(axis), from.stride(axis));
  }
};

}  // namespace

bool basic_index(const Layout& layout, PyObject* key, Layout& result) {
  const bool is_tuple = PyTuple_Check(key);
  const Py_ssize_t count = is_tuple ? PyTuple_GET_SIZE(key) : 1;
  auto item_at = [&](Py_ssize_t i) { return is_tuple ? PyTuple_GET_ITEM(key, i) : key; };

  constexpr Py_ssize_t kMostItems = 2 * kMaxRank + 1;
  if (count > kMostItems) {
    throw errors::invalid_dimension(static_cast<Index>(count) - 1, layout.rank());
  }
  Item kinds[kMostItems];
  Index integers[kMostItems];
  int consumed = 0;
  bool ellipsis = false;
  for (Py_ssize_t i = 0; i < count; ++i) {
    kinds[i] = classify(item_at(i), integers[i]);
    if (kinds[i] == Item::Advanced) return false;
    if (kinds[i] == Item::Integer || kinds[i] == Item::Slice) ++consumed;
    if (kinds[i] != Item::Ellipsis) continue;
    if (ellipsis) {
      PyErr_SetString(PyExc_IndexError, "an index can have only one Ellipsis ('...')");
      throw PythonError{};
    }
    ellipsis = true;
  }

  Walk walk(layout);
  for (Py_ssize_t i = 0; i < count; ++i) {
    switch (kinds[i]) {
      case Item::Integer: walk.integer(integers[i]); break;
      case Item::Slice: walk.slice(item_at(i)); break;
      case Item::NewAxis: walk.new_axis(); break;
      case Item::Ellipsis: walk.keep(std::max(0, layout.rank() - consumed)); break;
      case Item::Advanced: break;
    }
  }
  walk.keep(layout.rank() - walk.axis);

  result = Layout::uninitialised(walk.shape.size(), walk.offset);
  for (int i = 0; i < walk.shape.size(); ++i) result.set_axis(i, walk.shape[i], walk.strides[i]);
  return true;
}

}  // namespace strided::python
