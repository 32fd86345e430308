// Operation: a function or method made from a definition. It parses the arguments once, into the order of the
// definition; runs a primitive or a Python function; and records the call where a tensor is tracked.
#include "operation.hpp"

#include "bind_ops.hpp"
#include "graph.hpp"
#include "services.hpp"

#include <structmember.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace strided::python {
namespace {

constexpr Py_ssize_t kMost = 16;  // parameters

struct PyOperation {
  PyObject_HEAD
  vectorcallfunc call;
  PyObject* definition;  // of strided/ops/define.py; it knows the signature
  PyObject* rule_name;   // by which its calls are recorded: that of the definition
  PyObject* name;
  PyObject* keywords;    // for each parameter a tuple of the names it may be given by, the shown one first
  PyObject* defaults;    // for each parameter its default; Ellipsis: it has none
  PyObject* function;    // what runs when there is no primitive
  PyObject* named;       // the names of the last parameters, which `function` takes by keyword; or null
  PyObject* result;      // the named tuple of several results of a primitive; or null
  PyObject* fill;        // (out, result, name) -> out with the result in it, where the operation leaves that; or null
  PyObject* forms;       // for each parameter the form of its argument (below), or None; or null: none has one
  PyObject* dict;        // __name__, __doc__, __wrapped__ and whatever else a function has
  PyObject* weak_refs;
  Primitive primitive;
  Py_ssize_t least_given, most_given;  // with so many positional arguments alone, `function` is called with them
  int op;                 // its number in the table of elementwise ops, or -1
  int arity;              // of the op
  Py_ssize_t count;       // of parameters
  Py_ssize_t positional;  // so many may come by their place
  Py_ssize_t operands;    // so many of the first may be tensors (or lists of them) that gradients pass
  Py_ssize_t out;         // the place of `out`, or -1
  char is_method;         // self is not counted in messages
  char has_rule;
  char in_place;          // it overwrites its first argument
  char gives_views;       // and has a body in Python, so that copy_everything() is told of its results
  char converts;          // operands that are no tensors are made into some
  char arrays_only;       // of them lists and arrays only, not numbers
  char prepares;          // converts, or has forms: arguments are looked at before anything else
  Spread spread;
  // A tensor has the form of its argument if its kind is among these bits, and its rank the one, or that is -1.
  unsigned char kinds[kMost];  // 0: the parameter has no form
  signed char ranks[kMost];
};

PyOperation* as_operation(PyObject* self) { return reinterpret_cast<PyOperation*>(self); }

// ---- arguments ----

[[gnu::cold]] [[noreturn]] void refuse_count(const PyOperation* self, Py_ssize_t nargs) {
  const Ref why = Ref::checked(PyObject_GetAttrString(self->definition, "by_name"));
  const bool says = self->positional == self->operands && PyUnicode_GET_LENGTH(why.get()) > 0;
  PyErr_Format(PyExc_TypeError, "%U() takes at most %zd positional arguments (%zd given)%s%U", self->name,
               self->positional - self->is_method, nargs - self->is_method, says ? "\n  hint: " : "",
               says ? why.get() : Ref::checked(PyUnicode_New(0, 0)).get());
  throw PythonError{};
}

[[gnu::cold]] [[noreturn]] void refuse_unknown(const PyOperation* self, PyObject* keyword) {
  PyErr_Format(PyExc_TypeError, "%U() got an unexpected keyword argument '%U'", self->name, keyword);
  throw PythonError{};
}

PyObject* shown_name(const PyOperation* self, Py_ssize_t i) {
  PyObject* const names = PyTuple_GET_ITEM(self->keywords, i);
  return PyTuple_GET_SIZE(names) > 0 ? PyTuple_GET_ITEM(names, 0) : nullptr;
}

[[gnu::cold]] [[noreturn]] void refuse_missing(const PyOperation* self, Py_ssize_t i) {
  PyObject* const name = shown_name(self, i);
  if (name == nullptr) {
    PyErr_Format(PyExc_TypeError, "%U() missing required argument (position %zd)", self->name, i + 1);
  } else {
    PyErr_Format(PyExc_TypeError, "%U() missing required argument '%U' (position %zd)", self->name, name,
                 i + 1 - self->is_method);
  }
  throw PythonError{};
}

// The parameter of a keyword. Names are interned, so most are found by their address.
Py_ssize_t place_of(const PyOperation* self, PyObject* keyword) {
  for (const bool by_address : {true, false}) {
    for (Py_ssize_t i = 0; i < self->count; ++i) {
      PyObject* const names = PyTuple_GET_ITEM(self->keywords, i);
      for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(names); ++k) {
        PyObject* const name = PyTuple_GET_ITEM(names, k);
        if (name == keyword || (!by_address && PyUnicode_Compare(name, keyword) == 0)) return i;
      }
    }
  }
  refuse_unknown(self, keyword);
}

Ref tuple_of(PyObject* const* items, Py_ssize_t count) {
  Ref made = Ref::checked(PyTuple_New(count));
  for (Py_ssize_t i = 0; i < count; ++i) PyTuple_SET_ITEM(made.get(), i, Py_NewRef(items[i]));
  return made;
}

// Borrowed references: to the caller's arguments, to `rest`, and to defaults.
void parse(const PyOperation* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames,
           PyObject** values, Ref& rest) {
  const Py_ssize_t keyword_values = nargs;
  if (nargs >= self->positional && self->spread != Spread::Never) {
    const Py_ssize_t last = self->positional - 1;
    if (nargs > self->positional || self->spread == Spread::Always) {
      rest = tuple_of(args + last, nargs - last);
      nargs = last;
    }
  }
  if (nargs > self->positional) refuse_count(self, nargs);
  std::copy_n(args, nargs, values);
  const Py_ssize_t keywords = kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames);
  if (keywords > 0) std::fill(values + nargs, values + self->count, nullptr);
  if (rest) values[nargs++] = rest.get();
  for (Py_ssize_t k = 0; k < keywords; ++k) {
    const Py_ssize_t at = place_of(self, PyTuple_GET_ITEM(kwnames, k));
    if (at < nargs || values[at] != nullptr) {
      PyErr_Format(PyExc_TypeError, "%U() got multiple values for argument '%U'", self->name, shown_name(self, at));
      throw PythonError{};
    }
    values[at] = args[keyword_values + k];
  }
  for (Py_ssize_t i = nargs; i < self->count; ++i) {
    if (keywords > 0 && values[i] != nullptr) continue;
    values[i] = PyTuple_GET_ITEM(self->defaults, i);
    if (values[i] == Py_Ellipsis) refuse_missing(self, i);
  }
}

// ---- running ----

// A value of a function that is being fused computes later: it is told what was called.
[[gnu::cold]] PyObject* run_deferred(PyObject* object, PyObject* const* values) {
  static PyObject* const name = PyUnicode_InternFromString("_deferred");
  PyObject* all[kMost + 2];
  all[0] = values[0];
  all[1] = object;
  const Py_ssize_t count = as_operation(object)->count;
  for (Py_ssize_t i = 0; i < count; ++i) all[i + 2] = values[i];
  return PyObject_VectorcallMethod(name, all, static_cast<std::size_t>(count) + 2, nullptr);
}

bool is_deferred(PyObject* value) {
  static PyObject* const name = PyUnicode_InternFromString("_deferred");
  if (PyList_CheckExact(value) || PyTuple_CheckExact(value) || PyLong_Check(value) || PyFloat_Check(value)) {
    return false;
  }
  return PyObject_HasAttr(value, name) != 0;
}

// Several results get their names, and are written into those of `out`. Takes over `made`.
PyObject* finished(const PyOperation* self, PyObject* const* values, PyObject* made) {
  if (self->result != nullptr && PyTuple_CheckExact(made)) {
    const Ref parts(made);
    made = PyObject_CallObject(self->result, parts.get());
  }
  if (made == nullptr || self->fill == nullptr || values[self->out] == Py_None) return made;
  const Ref held(made);
  PyObject* const args[] = {values[self->out], made, self->name};
  return PyObject_Vectorcall(self->fill, args, 3, nullptr);
}

// Calls a function that has a star in its signature.
PyObject* run_spread(const PyOperation* self, PyObject* const* values) {
  PyObject* const rest = values[self->positional - 1];
  std::vector<PyObject*> all(values, values + self->positional - 1);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(rest); ++i) all.push_back(PyTuple_GET_ITEM(rest, i));
  const std::size_t placed = all.size();
  all.insert(all.end(), values + self->positional, values + self->count);
  return PyObject_Vectorcall(self->function, all.data(), placed, self->named);
}

// Does an elementwise op do all that is asked for? Not where a parameter of the definition alone (alpha of add) is
// no default: then its function prepares the operands. Nor where an operand that may be missing is (where).
bool is_plain_op(const PyOperation* self, PyObject* const* values) {
  for (Py_ssize_t i = self->arity - 1; i > 0 && PyTuple_GET_ITEM(self->defaults, i) == Py_None; --i) {
    if (values[i] == Py_None) return false;
  }
  for (Py_ssize_t i = self->arity; i < self->count; ++i) {
    if (i != self->out && values[i] != PyTuple_GET_ITEM(self->defaults, i)) return false;
  }
  return true;
}

PyObject* run(PyObject* object, PyObject* const* values) {
  const PyOperation* const self = as_operation(object);
  if (self->op >= 0 && (self->function == nullptr || is_plain_op(self, values))) {
    PyObject* const out = self->out >= 0 ? values[self->out] : self->in_place ? values[0] : Py_None;
    return run_op(self->op, out == Py_None ? nullptr : out, values);
  }
  if (self->operands > 0 && self->op < 0 && !is_tensor(values[0])) [[unlikely]] {
    if (is_deferred(values[0])) return run_deferred(object, values);
    if (self->primitive != nullptr) {
      return guarded([&]() -> PyObject* {
        expect_tensor(values[0], "x");
        return nullptr;
      });
    }
  }
  PyObject* made;
  if (self->primitive != nullptr) {
    made = self->primitive(values);
  } else if (self->spread == Spread::Always) {
    made = run_spread(self, values);
  } else {
    const Py_ssize_t named = self->named == nullptr ? 0 : PyTuple_GET_SIZE(self->named);
    made = PyObject_Vectorcall(self->function, values, static_cast<std::size_t>(self->count - named), self->named);
  }
  if (made == nullptr || (self->result == nullptr && self->fill == nullptr)) return made;
  return finished(self, values, made);
}

// Runs on plain values; what comes out joins the graph.
[[gnu::cold]] PyObject* record(PyObject* object, PyObject* const* values) {
  return guarded([&]() -> PyObject* {
    const PyOperation* const self = as_operation(object);
    if (self->out >= 0 && values[self->out] != Py_None) {
      refuse_out(PyUnicode_AsUTF8(self->rule_name));
    }
    Ref made;
    {
      const WithoutRecording off;
      made = Ref::checked(run(object, values));
    }
    return recorded_result(self->rule_name, std::move(made), values, self->count);
  });
}

// Python checks a write, runs it through compute() and records it.
[[gnu::cold]] PyObject* record_in_place(PyObject* object, PyObject* const* values) {
  return guarded([&] {
    const PyOperation* const self = as_operation(object);
    const Ref given = Ref::checked(PyTuple_New(self->count));
    for (Py_ssize_t i = 0; i < self->count; ++i) PyTuple_SET_ITEM(given.get(), i, Py_NewRef(values[i]));
    PyObject* const all[] = {self->rule_name, object, values[0], given.get()};
    return Ref::checked(PyObject_Vectorcall(service(Service::record_write), all, 4, nullptr)).release();
  });
}

PyObject* run_or_record(PyObject* object, PyObject* const* values);

[[gnu::cold]] PyObject* run_and_hand_out(PyObject* object, PyObject* const* values) {
  return guarded([&] {
    const Ref made = Ref::checked(run_or_record(object, values));
    return results_handed_out(made.get(), values[0]).release();
  });
}

PyObject* run_or_record(PyObject* object, PyObject* const* values) {
  const PyOperation* const self = as_operation(object);
  if (self->has_rule) {
    for (Py_ssize_t i = 0; i < self->operands; ++i) {
      if (!takes_part(values[i]) || !is_recording()) [[likely]] continue;
      return self->in_place ? record_in_place(object, values) : record(object, values);
    }
  }
  return run(object, values);
}

bool is_array(PyObject* value) {
  if (PyList_Check(value) || PyTuple_Check(value)) return true;
  static PyObject* const interface = PyUnicode_InternFromString("__array_interface__");
  return !PyLong_Check(value) && !PyFloat_Check(value) && PyObject_HasAttr(value, interface) != 0;
}

bool is_operand(const PyOperation* self, PyObject* value) {
  return is_tensor(value) || value == Py_None || (self->arrays_only && !is_array(value));
}

bool has_form(const PyOperation* self, Py_ssize_t i, PyObject* value) {
  if (!is_tensor(value)) return false;
  const Tensor& tensor = as_tensor(value);
  return (self->kinds[i] >> static_cast<int>(kind_of(tensor.dtype)) & 1) != 0 &&
         (self->ranks[i] < 0 || self->ranks[i] == tensor.layout.rank());
}

// What makes a tensor of an argument, and one of the form that its parameter asks for; null: it is one.
PyObject* converter_of(const PyOperation* self, Py_ssize_t i, PyObject* value) {
  if (self->kinds[i] != 0) {
    return has_form(self, i, value) ? nullptr : PyTuple_GET_ITEM(PyTuple_GET_ITEM(self->forms, i), 0);
  }
  const bool converts = self->converts && i < self->operands && !is_operand(self, value) && !is_deferred(value);
  return converts ? service(Service::asarray) : nullptr;
}

bool is_prepared(const PyOperation* self, PyObject* const* values) {
  for (Py_ssize_t i = 0; self->converts && i < self->operands; ++i) {
    if (!is_operand(self, values[i])) return false;
  }
  for (Py_ssize_t i = 0; self->forms != nullptr && i < self->count; ++i) {
    if (self->kinds[i] != 0 && !has_form(self, i, values[i])) return false;
  }
  return true;
}

[[gnu::cold]] PyObject* prepare_and_run(PyObject* object, PyObject** values) {
  return guarded([&] {
    const PyOperation* const self = as_operation(object);
    Ref made[kMost];
    for (Py_ssize_t i = 0; i < self->count; ++i) {
      PyObject* const converter = converter_of(self, i, values[i]);
      if (converter == nullptr) continue;
      made[i] = Ref::checked(PyObject_CallOneArg(converter, values[i]));
      values[i] = made[i].get();
    }
    return Ref::checked(run_or_record(object, values)).release();
  });
}

// Nothing is to be done but to call `function`: Python fills in what is left out, and faster.
bool runs_as_given(const PyOperation* self, PyObject* const* args, Py_ssize_t nargs) {
  if (nargs < self->least_given || nargs > self->most_given || (views_are_watched && self->gives_views)) return false;
  return std::all_of(args, args + self->operands,
                     [&](PyObject* value) { return is_tensor(value) && !(self->has_rule && takes_part(value)); });
}

PyObject* call(PyObject* object, PyObject* const* args, std::size_t flagged, PyObject* kwnames) {
  const PyOperation* const self = as_operation(object);
  if (kwnames == nullptr && runs_as_given(self, args, PyVectorcall_NARGS(flagged))) {
    return PyObject_Vectorcall(self->function, args, flagged, nullptr);
  }
  PyObject* values[kMost];
  Ref rest;
  try {
    parse(self, args, PyVectorcall_NARGS(flagged), kwnames, values, rest);
  } catch (const PythonError&) {
    return nullptr;
  }
  if (self->prepares && !is_prepared(self, values)) [[unlikely]] return prepare_and_run(object, values);
  if (views_are_watched && self->gives_views) [[unlikely]] return run_and_hand_out(object, values);
  return run_or_record(object, values);
}

// ---- the object ----

const PrimitiveRow* find_primitive(const char* name) {
  for (const PrimitiveRow* row : {reduce_primitives, sort_primitives}) {
    for (; row->name != nullptr; ++row) {
      if (std::strcmp(row->name, name) == 0) return row;
    }
  }
  PyErr_Format(PyExc_ValueError, "there is no primitive %s", name);
  throw PythonError{};
}

// A primitive reads its arguments by their places: those of the definition must be the same.
Primitive matching_primitive(const char* name, PyObject* definition) {
  const PrimitiveRow* const row = find_primitive(name);
  const Ref parameters = Ref::checked(PyObject_GetAttrString(definition, "parameters"));
  const Ref space = Ref::checked(PyUnicode_FromString(" "));
  const Ref listed = Ref::checked(PyUnicode_Join(space.get(), parameters.get()));
  if (PyUnicode_CompareWithASCIIString(listed.get(), row->parameters) == 0) return row->run;
  PyErr_Format(PyExc_ValueError, "the primitive %s takes (%s), its definition has (%U)", name, row->parameters,
               listed.get());
  throw PythonError{};
}

bool fits(PyObject* keywords, PyObject* defaults, Py_ssize_t positional, Py_ssize_t operands) {
  const Py_ssize_t count = PyTuple_GET_SIZE(keywords);
  if (count > kMost || PyTuple_GET_SIZE(defaults) != count || positional > count || operands > count) return false;
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (!PyTuple_Check(PyTuple_GET_ITEM(keywords, i))) return false;
  }
  return true;
}

// Does `function` have the defaults of the operation?
bool has_own_defaults(const PyOperation* self) {
  if (self->function == nullptr || !PyFunction_Check(self->function)) return false;
  PyObject* const placed = PyFunction_GET_DEFAULTS(self->function);
  PyObject* const named = PyFunction_GET_KW_DEFAULTS(self->function);
  const Py_ssize_t first_named = self->count - (self->named == nullptr ? 0 : PyTuple_GET_SIZE(self->named));
  const bool has_star = self->spread == Spread::Always;
  const Py_ssize_t first = first_named - has_star - (placed == nullptr ? 0 : PyTuple_GET_SIZE(placed));
  for (Py_ssize_t i = 0; i < self->count; ++i) {
    PyObject* const wanted = PyTuple_GET_ITEM(self->defaults, i);
    if (wanted == Py_Ellipsis || (has_star && i == self->positional - 1)) continue;
    PyObject* own = nullptr;
    if (i < first_named) own = i < first ? nullptr : PyTuple_GET_ITEM(placed, i - first);
    else if (named != nullptr) own = PyDict_GetItem(named, PyTuple_GET_ITEM(self->named, i - first_named));
    if (own != wanted) return false;
  }
  return true;
}

// Finds out with how many arguments `function` may be called as the operation was.
void set_given(PyOperation* self) {
  self->least_given = self->most_given = -1;
  if (self->op >= 0 || self->result != nullptr || self->fill != nullptr || self->prepares) return;
  if (!has_own_defaults(self)) return;
  self->least_given = self->operands;
  const Py_ssize_t named = self->named == nullptr ? 0 : PyTuple_GET_SIZE(self->named);
  self->most_given = self->spread == Spread::Always ? PY_SSIZE_T_MAX : std::min(self->positional, self->count - named);
  for (Py_ssize_t i = 0; i < self->count; ++i) {
    if (PyTuple_GET_ITEM(self->defaults, i) == Py_Ellipsis) self->least_given = std::max(self->least_given, i + 1);
  }
}

// None, or for each parameter None or (make, kinds, rank), see Form in strided/ops/arguments.py.
bool read_forms(PyOperation* self, PyObject* forms) {
  static constexpr char letters[] = "biufc";  // of Kind, in its order
  if (forms == Py_None) return true;
  if (!PyTuple_Check(forms) || PyTuple_GET_SIZE(forms) != self->count) {
    PyErr_SetString(PyExc_ValueError, "Operation(): there must be a form, or None, for each parameter");
    return false;
  }
  for (Py_ssize_t i = 0; i < self->count; ++i) {
    PyObject* const form = PyTuple_GET_ITEM(forms, i);
    if (form == Py_None) continue;
    PyObject* make;
    const char* kinds;
    short rank;
    if (!PyArg_ParseTuple(form, "Osh", &make, &kinds, &rank)) return false;
    self->ranks[i] = static_cast<signed char>(rank);
    for (; *kinds != 0; ++kinds) {
      const char* const at = std::strchr(letters, *kinds);
      if (at != nullptr) self->kinds[i] |= static_cast<unsigned char>(1 << (at - letters));
    }
  }
  self->forms = Py_NewRef(forms);
  return true;
}

Py_ssize_t place_of_out(PyObject* keywords) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keywords); ++i) {
    PyObject* const names = PyTuple_GET_ITEM(keywords, i);
    if (PyTuple_GET_SIZE(names) > 0 &&
        PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, 0), "out") == 0) return i;
  }
  return -1;
}

// Operation(definition, name, keywords, defaults, positional, operands, is_method, has_rule, in_place, run, named, op,
// result=None, fill=None, forms=None): run is the name of a primitive or a callable, which takes its last arguments
// by the names in `named` (or None). An elementwise op has its number `op`; its first parameters are the operands.
// `run` may be None then.
PyObject* make(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  PyObject *definition, *name, *keywords, *defaults, *function, *named, *op;
  Py_ssize_t positional, operands;
  PyObject *result = Py_None, *fill = Py_None, *forms = Py_None;
  int is_method, has_rule, in_place;
  if (kwargs != nullptr && PyDict_GET_SIZE(kwargs) > 0) {
    PyErr_SetString(PyExc_TypeError, "Operation() takes no keywords");
    return nullptr;
  }
  if (!PyArg_ParseTuple(args, "OUO!O!nnpppOOO|OOO", &definition, &name, &PyTuple_Type, &keywords, &PyTuple_Type, &defaults,
                        &positional, &operands, &is_method, &has_rule, &in_place, &function, &named, &op, &result,
                        &fill, &forms)) {
    return nullptr;
  }
  if (!fits(keywords, defaults, positional, operands) || (named != Py_None && !PyTuple_Check(named))) {
    PyErr_SetString(PyExc_ValueError, "Operation(): the parts of the signature do not fit together");
    return nullptr;
  }
  Primitive primitive = nullptr;
  if (PyUnicode_Check(function)) {
    try {
      primitive = matching_primitive(PyUnicode_AsUTF8(function), definition);
    } catch (const PythonError&) {
      return nullptr;
    }
  }
  Ref rule_name(PyObject_GetAttrString(definition, "rule_name"));
  const Ref converts(PyObject_GetAttrString(definition, "converts"));
  const Ref takes_lists(PyObject_GetAttrString(definition, "takes_lists"));
  const Ref spread(PyObject_GetAttrString(definition, "spread"));
  const Ref gives_views(PyObject_GetAttrString(definition, "gives_views"));
  if (!rule_name || !converts || !takes_lists || !spread || !gives_views) return nullptr;
  int arity = 0;
  try {
    if (op != Py_None) arity = arity_of(op);
  } catch (const PythonError&) {
    return nullptr;
  }
  PyObject* const object = type->tp_alloc(type, 0);
  if (object == nullptr) return nullptr;
  PyOperation* const self = as_operation(object);
  self->call = call;
  self->rule_name = rule_name.release();
  self->definition = Py_NewRef(definition);
  self->name = Py_NewRef(name);
  self->keywords = Py_NewRef(keywords);
  self->defaults = Py_NewRef(defaults);
  self->function = primitive == nullptr && function != Py_None ? Py_NewRef(function) : nullptr;
  self->named = named == Py_None ? nullptr : Py_NewRef(named);
  self->primitive = primitive;
  self->count = PyTuple_GET_SIZE(keywords);
  self->positional = positional;
  self->operands = operands;
  self->out = place_of_out(keywords);
  self->is_method = static_cast<char>(is_method);
  self->has_rule = static_cast<char>(has_rule);
  self->in_place = static_cast<char>(in_place);
  const bool as_function = takes_lists.get() == Py_True && !is_method;
  self->converts = converts.get() == Py_True || as_function;
  self->arrays_only = converts.get() != Py_True;
  self->gives_views = gives_views.get() == Py_True;
  self->result = result == Py_None ? nullptr : Py_NewRef(result);
  self->fill = fill == Py_None || self->out < 0 ? nullptr : Py_NewRef(fill);
  self->spread = static_cast<Spread>(PyLong_AsLong(spread.get()));
  self->op = op == Py_None ? -1 : static_cast<int>(PyLong_AsLong(op));
  self->arity = arity;
  if (!read_forms(self, forms)) {
    Py_DECREF(object);
    return nullptr;
  }
  self->prepares = self->converts || self->forms != nullptr;
  set_given(self);
  return object;
}

int traverse(PyObject* object, visitproc visit, void* arg) {
  const PyOperation* const self = as_operation(object);
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->definition);
  Py_VISIT(self->defaults);
  Py_VISIT(self->function);
  Py_VISIT(self->result);
  Py_VISIT(self->fill);
  Py_VISIT(self->forms);
  Py_VISIT(self->dict);
  return 0;
}

int clear(PyObject* object) {
  PyOperation* const self = as_operation(object);
  Py_CLEAR(self->definition);
  Py_CLEAR(self->rule_name);
  Py_CLEAR(self->name);
  Py_CLEAR(self->keywords);
  Py_CLEAR(self->defaults);
  Py_CLEAR(self->function);
  Py_CLEAR(self->named);
  Py_CLEAR(self->result);
  Py_CLEAR(self->fill);
  Py_CLEAR(self->forms);
  Py_CLEAR(self->dict);
  return 0;
}

void deallocate(PyObject* object) {
  PyTypeObject* const type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  if (as_operation(object)->weak_refs != nullptr) PyObject_ClearWeakRefs(object);
  clear(object);
  type->tp_free(object);
  Py_DECREF(type);
}

// As a method it is bound, as functions are.
PyObject* bind(PyObject* self, PyObject* instance, PyObject*) {
  if (instance == nullptr || instance == Py_None) return Py_NewRef(self);
  return PyMethod_New(self, instance);
}

PyObject* text(PyObject* object) { return PyUnicode_FromFormat("<operation %U>", as_operation(object)->name); }

// Made when asked for: it takes longer than all else that is made of a definition.
PyObject* signature(PyObject* object, void*) {
  return PyObject_CallMethod(as_operation(object)->definition, "signature_of", "O", object);
}

// Pickled by its name, as functions are.
PyObject* reduce(PyObject* object, PyObject*) { return PyObject_GetAttrString(object, "__qualname__"); }

// compute(*values): runs it on arguments in the order of the definition, and records nothing.
PyObject* compute(PyObject* object, PyObject* const* args, Py_ssize_t nargs) {
  if (nargs == as_operation(object)->count) return run(object, args);
  PyErr_Format(PyExc_TypeError, "compute() takes all %zd arguments (%zd given)", as_operation(object)->count, nargs);
  return nullptr;
}

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(PyOperation, call), READONLY, nullptr},
    {"__dictoffset__", T_PYSSIZET, offsetof(PyOperation, dict), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(PyOperation, weak_refs), READONLY, nullptr},
    {"definition", T_OBJECT, offsetof(PyOperation, definition), READONLY, nullptr},
    {"keywords", T_OBJECT, offsetof(PyOperation, keywords), READONLY, nullptr},
    {"defaults", T_OBJECT, offsetof(PyOperation, defaults), READONLY, nullptr},
    {"positional", T_PYSSIZET, offsetof(PyOperation, positional), READONLY, nullptr},
    {"is_method", T_BOOL, offsetof(PyOperation, is_method), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

PyGetSetDef attributes[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {"__signature__", signature, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyMethodDef methods[] = {
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {"compute", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(compute)), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(make)},
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(clear)},
    {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
    {Py_tp_descr_get, reinterpret_cast<void*>(bind)},
    {Py_tp_repr, reinterpret_cast<void*>(text)},
    {Py_tp_members, members},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {0, nullptr},
};
// Immutable: CPython 3.11 specialises no calls of methods whose type may change.
PyType_Spec spec = {"strided._native.Operation", sizeof(PyOperation), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                        Py_TPFLAGS_METHOD_DESCRIPTOR | Py_TPFLAGS_IMMUTABLETYPE,
                    slots};

}  // namespace

void add_operation(PyObject* module) {
  const Ref type = Ref::checked(PyType_FromSpec(&spec));
  if (PyModule_AddObjectRef(module, "Operation", type.get()) < 0) throw PythonError{};
}

}  // namespace strided::python
