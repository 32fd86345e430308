// DLPack both ways. The storage stays alive until the consumer's deleter has run.
#include "exchange_dlpack.hpp"

#include <memory>
#include <string>

#include "arguments.hpp"
#include "errors.hpp"
#include "graph.hpp"
#include "layout/bounds.hpp"
#include "memory/borrowed.hpp"
#include "tensor_object.hpp"
#include "tensor_parts.hpp"

namespace strided::python {
namespace {

using dlpack::Managed;
using dlpack::ManagedVersioned;

constexpr const char* kName = "dltensor";
constexpr const char* kUsedName = "used_dltensor";
constexpr const char* kVersionedName = "dltensor_versioned";
constexpr const char* kUsedVersionedName = "used_dltensor_versioned";

// ---- dtypes ----

dlpack::DataType to_dlpack(DType dtype) {
  const auto bits = static_cast<std::uint8_t>(8 * itemsize(dtype));
  switch (kind_of(dtype)) {
    case Kind::Bool: return {dlpack::Bool, bits, 1};
    case Kind::Signed: return {dlpack::Int, bits, 1};
    case Kind::Unsigned: return {dlpack::UInt, bits, 1};
    case Kind::Float: return {dtype == DType::BFloat16 ? dlpack::BFloat : dlpack::Float, bits, 1};
    case Kind::Complex: break;
  }
  return {dlpack::Complex, bits, 1};
}

DType from_dlpack(dlpack::DataType type) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const dlpack::DataType own = to_dlpack(static_cast<DType>(i));
    if (own.code == type.code && own.bits == type.bits && type.lanes == 1) return static_cast<DType>(i);
  }
  throw errors::dtype_mismatch("from_dlpack",
                               "DLPack code " + std::to_string(type.code) + " with " +
                                   std::to_string(type.bits) + " bits",
                               "strided has no such dtype", "convert it in the other library first");
}

// ---- out ----

// What an exported array points at; shape and strides must live as long as the consumer.
struct Export {
  StorageRef storage;
  std::int64_t shape[kMaxRank];
  std::int64_t strides[kMaxRank];
};

dlpack::Array describe(const Tensor& tensor, Export& keep) {
  keep.storage = tensor.storage;
  for (int axis = 0; axis < tensor.layout.rank(); ++axis) {
    keep.shape[axis] = tensor.layout.length(axis);
    keep.strides[axis] = tensor.layout.stride(axis);
  }
  return {tensor.data(), {dlpack::kCpu, 0}, tensor.layout.rank(), to_dlpack(tensor.dtype),
          keep.shape,    keep.strides,      0};
}

template <class T>
void free_managed(T* managed) {
  delete static_cast<Export*>(managed->context);
  delete managed;
}

// A capsule that nobody took over still owns its array.
template <class T>
void drop_capsule(PyObject* capsule, const char* name) {
  if (!PyCapsule_IsValid(capsule, name)) return;
  auto* managed = static_cast<T*>(PyCapsule_GetPointer(capsule, name));
  if (managed->deleter != nullptr) managed->deleter(managed);
}

PyObject* export_legacy(const Tensor& tensor) {
  if (!tensor.storage->writable()) {
    PyErr_SetString(PyExc_BufferError,
                    "a read-only tensor needs DLPack 1.0 (max_version=(1, 0)); this consumer asked "
                    "for an older one: pass x.clone()");
    throw PythonError{};
  }
  auto keep = std::make_unique<Export>();
  auto managed = std::make_unique<Managed>();
  managed->array = describe(tensor, *keep);
  managed->deleter = free_managed<Managed>;
  managed->context = keep.get();
  PyObject* capsule = PyCapsule_New(managed.get(), kName, [](PyObject* c) {
    drop_capsule<Managed>(c, kName);
  });
  if (capsule == nullptr) throw PythonError{};
  managed.release();
  keep.release();
  return capsule;
}

PyObject* export_versioned(const Tensor& tensor, bool copied) {
  auto keep = std::make_unique<Export>();
  auto managed = std::make_unique<ManagedVersioned>();
  managed->version = {1, 0};
  managed->flags = (tensor.storage->writable() ? 0 : dlpack::kReadOnly) |
                   (copied ? dlpack::kIsCopied : 0);
  managed->array = describe(tensor, *keep);
  managed->deleter = free_managed<ManagedVersioned>;
  managed->context = keep.get();
  PyObject* capsule = PyCapsule_New(managed.get(), kVersionedName, [](PyObject* c) {
    drop_capsule<ManagedVersioned>(c, kVersionedName);
  });
  if (capsule == nullptr) throw PythonError{};
  managed.release();
  keep.release();
  return capsule;
}

// _to_dlpack(x, versioned, copied) -> capsule
PyObject* to_capsule(PyObject*, PyObject* const* args, Py_ssize_t nargs) {
  return guarded([&] {
    if (nargs != 3) {
      PyErr_SetString(PyExc_TypeError, "_to_dlpack(x, versioned, copied) takes three arguments");
      throw PythonError{};
    }
    const Tensor& tensor = expect_tensor(args[0], "x");
    if (is_tracked(args[0])) refuse_export(args[0]);
    return args[1] == Py_True ? export_versioned(tensor, args[2] == Py_True) : export_legacy(tensor);
  });
}

// ---- in ----

template <class T>
struct Import {
  T* managed;
  std::string producer;
};

template <class T>
void give_back(void* owner) {
  const std::unique_ptr<Import<T>> import(static_cast<Import<T>*>(owner));
  const Interpreter interpreter;
  if (import->managed->deleter != nullptr) import->managed->deleter(import->managed);
}

template <class T>
PyObject* import(PyObject* capsule, const char* name, const char* used_name, bool writable,
                 const std::string& producer) {
  auto* managed = static_cast<T*>(PyCapsule_GetPointer(capsule, name));
  if (managed == nullptr) throw PythonError{};
  const dlpack::Array& array = managed->array;
  if (array.device.type != dlpack::kCpu) {
    throw errors::unsupported_operation("from_dlpack", "the array lives on another device",
                                        "copy it to the CPU in the library that made it");
  }
  const DType dtype = from_dlpack(array.dtype);
  if (array.ndim < 0 || array.ndim > kMaxRank || (array.ndim > 0 && array.shape == nullptr)) {
    throw errors::invalid_argument("the array", std::to_string(array.ndim) + " axes",
                                   "must have a shape and at most " + std::to_string(kMaxRank));
  }
  const Span shape{array.shape, static_cast<std::size_t>(array.ndim)};
  checked_size(shape);
  Layout layout = array.strides == nullptr
                      ? Layout::row_major(shape)
                      : Layout(shape, {array.strides, static_cast<std::size_t>(array.ndim)}, 0);
  const Bounds reach = bounds_of(layout);
  const Index low = reach.empty() ? 0 : reach.lowest;
  Index count = 0, nbytes = 0;
  const bool fits = reach.empty() || (!__builtin_sub_overflow(reach.highest, low, &count) &&
                                     add(count, 1, count) && multiply(count, itemsize(dtype), nbytes));
  if (!fits || (count > 0 && array.data == nullptr)) {
    throw errors::unsupported_operation("from_dlpack", "no memory holds what the array describes",
                                        "report it to the library that made it");
  }
  auto* first = static_cast<std::byte*>(array.data) + array.byte_offset;
  if (count > 0 && reinterpret_cast<std::uintptr_t>(first) %
                           static_cast<std::size_t>(alignment(dtype)) != 0) {
    throw errors::unsupported_operation("from_dlpack", "its elements are not aligned to their size",
                                        "copy it in the library that made it");
  }
  layout.set_offset(-low);
  auto import = std::make_unique<Import<T>>(Import<T>{managed, producer});
  StorageRef storage = borrow(first + low * itemsize(dtype), static_cast<std::size_t>(nbytes),
                              writable, import.get(), give_back<T>);
  // From here on the storage owns the array; the capsule must not free it again.
  import.release();
  if (PyCapsule_SetName(capsule, used_name) < 0) throw PythonError{};
  return new_tensor({std::move(storage), std::move(layout), dtype});
}

// _from_dlpack(capsule, producer="", immutable=False) -> Tensor; read-only when the producer's arrays never
// change, which capsules from before DLPack 1.0 cannot say.
PyObject* from_capsule(PyObject*, PyObject* const* args, Py_ssize_t nargs) {
  return guarded([&] {
    if (nargs < 1 || nargs > 3) {
      PyErr_SetString(PyExc_TypeError,
                      "_from_dlpack(capsule, producer, immutable) takes one to three arguments");
      throw PythonError{};
    }
    PyObject* capsule = args[0];
    const char* producer = nargs >= 2 ? PyUnicode_AsUTF8(args[1]) : "";
    if (producer == nullptr) throw PythonError{};
    const bool immutable = nargs == 3 && args[2] == Py_True;
    if (PyCapsule_IsValid(capsule, kVersionedName)) {
      auto* managed =
          static_cast<ManagedVersioned*>(PyCapsule_GetPointer(capsule, kVersionedName));
      if (managed->version.major != 1) {
        throw errors::unsupported_operation(
            "from_dlpack", "DLPack version " + std::to_string(managed->version.major) + " is unknown",
            "ask the producer for max_version=(1, 0)");
      }
      const bool writable = !immutable && (managed->flags & dlpack::kReadOnly) == 0;
      return import<ManagedVersioned>(capsule, kVersionedName, kUsedVersionedName, writable,
                                      producer);
    }
    if (PyCapsule_IsValid(capsule, kName)) {
      return import<Managed>(capsule, kName, kUsedName, !immutable, producer);
    }
    throw errors::unsupported_operation("from_dlpack",
                                        "not a DLPack capsule, or one that was used already",
                                        "pass the array itself; a capsule can be taken only once");
  });
}

PyMethodDef functions[] = {
    {"_to_dlpack", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(to_capsule)),
     METH_FASTCALL, nullptr},
    {"_from_dlpack", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(from_capsule)),
     METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

const std::string* dlpack_lender(const Storage& storage) {
  if (void* found = lender_of(storage, give_back<ManagedVersioned>)) {
    return &static_cast<const Import<ManagedVersioned>*>(found)->producer;
  }
  if (void* found = lender_of(storage, give_back<Managed>)) {
    return &static_cast<const Import<Managed>*>(found)->producer;
  }
  return nullptr;
}

void add_exchange_dlpack(PyObject* module) {
  if (PyModule_AddFunctions(module, functions) < 0) throw PythonError{};
}

}  // namespace strided::python
