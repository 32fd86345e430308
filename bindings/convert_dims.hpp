// Lists of numbers across the border: any Python sequence of ints in, a tuple out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "layout/dims.hpp"

namespace strided {

struct Numbers : std::vector<Index> {};
using IntTuple = nanobind::typed<nanobind::tuple, int, nanobind::ellipsis>;

inline IntTuple tuple_of(Span values) {
  nanobind::list items;
  for (Index value : values) items.append(value);
  return nanobind::tuple(items);
}

}  // namespace strided

namespace nanobind::detail {

template <>
struct type_caster<strided::Numbers> {
  NB_TYPE_CASTER(strided::Numbers, const_name("collections.abc.Sequence[int]"))

  bool from_python(handle source, uint32_t flags, cleanup_list* cleanup) noexcept {
    // As a tuple: the __index__ of an item could change a list while nanobind walks it.
    const object fixed = PyList_Check(source.ptr()) ? steal(PyList_AsTuple(source.ptr()))
                                                    : borrow(source);
    make_caster<std::vector<strided::Index>> numbers;
    if (!fixed.is_valid() || !numbers.from_python(fixed, flags, cleanup)) return false;
    value = {std::move(numbers.value)};
    return true;
  }
};

// For direct arguments: the numbers live in the caster, as long as the call. Inside an optional or
// variant the caster dies first; take Numbers there. A vector, not Dims, so that too many numbers
// reach the core and are refused there by name.
template <>
struct type_caster<strided::Span> {
  NB_TYPE_CASTER(strided::Span, const_name("collections.abc.Sequence[int]"))

  bool from_python(handle source, uint32_t flags, cleanup_list* cleanup) noexcept {
    if (!numbers.from_python(source, flags, cleanup)) return false;
    value = numbers.value;
    return true;
  }

  make_caster<strided::Numbers> numbers;
};

}  // namespace nanobind::detail
