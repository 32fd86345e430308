// t[...] with ints, slices, None and Ellipsis: pure layout arithmetic.
#pragma once

#include "layout/layout.hpp"
#include "python.hpp"

namespace strided::python {

// A parsed key. First its items are recognised, then, if all are basic, it is applied.
class BasicIndex {
 public:
  BasicIndex(const Layout& layout, PyObject* key);

  // False when the key holds arrays, masks or lists: that is advanced indexing.
  bool is_basic() const { return basic_; }
  // The layout of the view; raises for indices and axes that do not exist.
  Layout apply(const Layout& layout) const;

 private:
  enum class Kind : unsigned char { Integer, Slice, NewAxis, Ellipsis, Advanced };
  static constexpr Py_ssize_t kMostItems = 2 * kMaxRank + 1;

  static Kind classify(PyObject* item, Index& integer);
  Layout walked(const Layout& layout) const;
  PyObject* item(Py_ssize_t i) const { return is_tuple_ ? PyTuple_GET_ITEM(key_, i) : key_; }

  PyObject* key_;
  Py_ssize_t count_;
  bool is_tuple_;
  bool basic_ = true;
  bool plain_ = true;  // no slice whose bounds have to be asked for: applying it runs no Python code
  int integers_ = 0;
  int slices_ = 0;
  int new_axes_ = 0;
  Kind kinds_[kMostItems];
  Index values_[kMostItems];
};

}  // namespace strided::python
