// Calls that gradients must pass: who notices them, and how they are told to Python. A native function runs
// first, on plain tensors; only when one of its tensors is tracked (see is_tracked) Python hears of it.
#pragma once

#include <algorithm>
#include <cstddef>

#include "python.hpp"
#include "tensor_object.hpp"

namespace strided::python {

// Whether this thread records (no_grad() turns it off). Asked only when a tensor is tracked.
bool is_recording();

// Does not record as long as it lives.
class WithoutRecording {
 public:
  WithoutRecording();
  WithoutRecording(const WithoutRecording&) = delete;
  WithoutRecording& operator=(const WithoutRecording&) = delete;
  ~WithoutRecording();

 private:
  bool before_;
};

// Results of other kinds (comparisons, positions) have no gradient.
inline bool has_gradient(DType dtype) { return kind_of(dtype) == Kind::Float || is_complex(dtype); }

// Tells Python what `made` was computed from, which it then belongs to. Takes over made and returns it.
[[gnu::cold]] PyObject* recorded(const char* name, PyObject* made, PyObject* const* args, Py_ssize_t nargs,
                                 PyObject* kwnames = nullptr);

// The same, for a name that is a Python string and arguments without keywords.
[[gnu::cold]] PyObject* recorded_as(PyObject* name, PyObject* made, PyObject* const* args, Py_ssize_t nargs);

// An in-place call as a whole: Python checks it, runs it through `function` and records it.
[[gnu::cold]] PyObject* record_write(const char* name, PyObject* function, PyObject* target,
                                     PyObject* const* args, Py_ssize_t nargs);

// A result of a tracked tensor cannot be written into a tensor that the caller gave.
[[gnu::cold]] void refuse_out(const char* name);

// A tensor that is computed from one: the copy of a clone, a reshape that copies.
inline PyObject* recorded_copy(const char* name, PyObject* self, PyObject* made) {
  if (!is_tracked(self)) [[likely]] return made;
  return recorded(name, made, &self, 1);
}

// Gives a tensor its place in a graph, or takes it out of one (null or None).
void set_track(PyObject* tensor, PyObject* track);

// The name of an operation as a template argument.
template <std::size_t N>
struct Name {
  char text[N];
  consteval Name(const char (&literal)[N]) { std::copy_n(literal, N, text); }
};

// Runs a method and records it under its name.
[[gnu::cold]] PyObject* record_method(const char* name, FastCall function, PyObject* self,
                                      PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);

// A method of the type's table that has a gradient.
template <Name name, FastCall function>
PyObject* differentiable(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  if (is_tracked(self)) [[unlikely]] {
    return record_method(name.text, function, self, args, nargs, kwnames);
  }
  return function(self, args, nargs, kwnames);
}

// The attributes of Tensor that autograd/ in Python stands on.
extern PyGetSetDef tracking_attributes[];
void add_tracking(PyObject* module);
void add_differentiable(PyObject* module);
void add_graph_objects(PyObject* module);
void add_recorded_calls(PyObject* module);

}  // namespace strided::python
