// The fields of autograd's Node and Track. Both are Python classes (strided/autograd/node.py, track.py) whose
// objects are made for every recorded operation; natively they are made in a tenth of the time.
#pragma once

#include "python.hpp"

namespace strided::python {

struct PyNode {
  PyObject_HEAD
  PyObject* operation;
  PyObject* edges;
  PyObject* backward;
  PyObject* line;
  PyObject* hooks;
  PyObject* prehooks;
  PyObject* taps;
  PyObject* user_data;
  PyObject* weak_refs;
  long long order;
  int outputs;
  char keeps;
};

struct PyTrack {
  PyObject_HEAD
  PyObject* node;
  PyObject* grad;
  PyObject* hooks;
  PyObject* post_hooks;
  PyObject* root;
  PyObject* weak_refs;
  long long order;
  long long epoch;
  long long root_epoch;
  int index;
  char requires_grad;
  char retains_grad;
  char is_piece;
};

}  // namespace strided::python
