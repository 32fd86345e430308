// The graph of gradients: nodes, edges, the places of tensors, what is saved, and how calls join it.
//
// A native function runs first, on plain tensors; only when one of its tensors is tracked (see is_tracked) its
// result joins the graph. Rules and the backward pass are written in Python (strided/ops, strided/autograd).
#pragma once

#include <string>

#include "python.hpp"
#include "tensor_object.hpp"

namespace strided::python {

// ---- objects (graph.cpp) ----

// One recorded operation. The class is strided.autograd.graph.Node, which adds the public methods.
struct PyNode {
  PyObject_HEAD
  PyObject* operation;  // its name
  PyObject* edges;      // a tuple: one edge for each tensor argument, None where no gradient is wanted
  PyObject* backward;   // gradients of the results -> gradients of the tensor arguments; None when used up
  PyObject* line;       // of the program, in anomaly mode
  PyObject* hooks;
  PyObject* prehooks;
  PyObject* result_hooks;  // by the number of a result
  PyObject* user_data;
  PyObject* weak_refs;
  long long order;      // nodes are numbered as they come to be
  int outputs;
  char keeps;           // saved tensors, which one backward pass uses up
};

// The place of one tensor in a graph: a leaf (no node), or result `index` of its node. It never refers to its
// tensor, so that a graph has no cycles of its own.
struct PyTrack {
  PyObject_HEAD
  PyObject* node;
  PyObject* grad;
  PyObject* hooks;       // of a leaf; those of other tensors belong to their node
  PyObject* post_hooks;
  PyObject* root;        // of a view: the track of the memory's owner
  PyObject* weak_refs;
  long long order;       // of a leaf
  long long epoch;       // of an owner: how many in-place writes rewrote its history
  long long root_epoch;  // of a view: the epoch of its owner when it took its history from there
  int index;
  char requires_grad;
  char retains_grad;
  char is_piece;         // one of several views that one call made
};

// Gives a tensor its place in a graph, or takes it out of one (null or None).
void set_track(PyObject* tensor, PyObject* track);

// The track of a tensor brought up to date, or None. A view whose memory was rewritten takes its history anew.
Ref track_of(PyObject* tensor);

// (target, index, shape, dtype): where the gradient of a tensor goes, a node or the track of a leaf, and what the
// tensor is like. None when no gradient is wanted.
Ref edge_of(PyObject* tensor);

// A node; in anomaly mode it knows the line of the program that made it.
Ref new_node(PyObject* operation, PyObject* edges, PyObject* backward, int outputs, bool keeps);

bool is_track(PyObject* object);
// A class whose objects are nodes.
bool is_node_class(PyObject* object);
// Result `index` of a node.
Ref new_track(PyObject* node, int index);

// ---- one call, as its rule sees it (recorded_call.cpp) ----

// The tensors among arguments, lists and tuples opened, with an edge for each.
struct Operands {
  Ref tensors, edges;
  bool take_part = false;  // some edge is not None
};
Operands operands_of(PyObject* const* args, Py_ssize_t count);

// So many operands operand_key() tells apart: elementwise ops have no more.
constexpr int kOperandKeyBits = 3;

Ref new_call(PyObject* output, PyObject* tensors, PyObject* edges);
// Whether it saved a tensor.
bool call_keeps(PyObject* call);

// ---- saved tensors (saved.cpp) ----

// Kept tensors, outside every graph: so nothing refers to its own past. Each has its version and its place in the
// graph: an edge, the number of a result of its node, or None.
Ref new_saved(Py_ssize_t count);
void keep(PyObject* saved, Py_ssize_t at, PyObject* tensor, PyObject* place);

// ---- recording (recording.cpp) ----

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

// Is an argument a tracked tensor, or a list or tuple with one?
bool takes_part(PyObject* argument);

// `made` was computed from the arguments, and joins their graph. Takes over made and returns it.
[[gnu::cold]] PyObject* recorded(const char* name, PyObject* made, PyObject* const* args, Py_ssize_t nargs);

// The same for what a function in Python returned: it may be one of the arguments, a view of something inside, or
// no tensor at all.
[[gnu::cold]] PyObject* recorded_result(PyObject* name, Ref made, PyObject* const* args, Py_ssize_t nargs,
                                        PyObject* kwnames = nullptr);

// An in-place call as a whole: Python checks it, runs it through `function` and records it.
[[gnu::cold]] PyObject* record_write(const char* name, PyObject* function, PyObject* target,
                                     PyObject* const* args, Py_ssize_t nargs);

// A result of a tracked tensor cannot be written into a tensor that the caller gave.
[[gnu::cold]] [[noreturn]] void refuse_out(std::string name);

// The memory of a tensor that requires a gradient is not handed to another library, which would write past the
// records.
[[gnu::cold]] void refuse_export(PyObject* tensor);

// A tensor that is computed from one: the copy of a clone, a reshape that copies.
inline PyObject* recorded_copy(const char* name, PyObject* self, PyObject* made) {
  if (!is_tracked(self)) [[likely]] return made;
  return recorded(name, made, &self, 1);
}

// ---- anomaly mode (anomaly.cpp) ----

// The line of the program at work, or None outside anomaly mode.
Ref line_at_work();
// The line that last wrote to a storage, as far as anomaly mode saw it, or None.
Ref line_of_write(const Storage& storage);

// The attributes of Tensor that strided/autograd stands on.
extern PyGetSetDef tracking_attributes[];
void add_graph(PyObject* module);
void add_recorded_calls(PyObject* module);
void add_saved(PyObject* module);
void add_recording(PyObject* module);
void add_anomaly(PyObject* module);

}  // namespace strided::python
