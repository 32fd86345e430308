// Matrices of quantised blocks: the functions behind strided.QuantizedMatrix.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <optional>

#include "arguments.hpp"
#include "bind_ops.hpp"
#include "errors.hpp"
#include "tensor/quantized.hpp"
#include "tensor_object.hpp"

namespace nb = nanobind;

namespace strided::python {
namespace {

BlockKind to_kind(Index number) {
  if (number < 0 || number >= kernels::quantized::kBlockKindCount) {
    throw errors::invalid_argument("kind", std::to_string(number), "must be the number of a block format");
  }
  return static_cast<BlockKind>(number);
}

std::optional<Tensor> optional_tensor(PyObject* object, const char* argument) {
  if (object == Py_None) return std::nullopt;
  return expect_tensor(object, argument);
}

// quantized_product(out, x, blocks, kind, rows, bias, exact) -> out
PyObject* quantized_product(PyObject*, PyObject* const* args, Py_ssize_t nargs) {
  if (nargs != 7) {
    PyErr_Format(PyExc_TypeError,
                 "quantized_product(out, x, blocks, kind, rows, bias, exact) takes 7 arguments (%zd given)",
                 nargs);
    return nullptr;
  }
  return guarded([&] {
    const Tensor out = expect_tensor(args[0], "out"), x = expect_tensor(args[1], "x");
    const Tensor blocks = expect_tensor(args[2], "blocks");
    const BlockKind kind = to_kind(to_index(args[3]));
    const std::optional<Tensor> rows = optional_tensor(args[4], "rows");
    const std::optional<Tensor> bias = optional_tensor(args[5], "bias");
    const int exact = PyObject_IsTrue(args[6]);
    if (exact < 0) throw PythonError{};
    {
      const KernelTime released(blocks.layout.size());
      quantized_product_into(out, x, blocks, kind, rows ? &*rows : nullptr, bias ? &*bias : nullptr,
                             exact != 0);
    }
    return Py_NewRef(args[0]);
  });
}

PyMethodDef functions[] = {
    {"quantized_product",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(quantized_product)), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

template <class Make>
nb::object fresh(Index elements, Make&& make) {
  return nb::steal(new_tensor_from([&] {
    const KernelTime released(elements);
    return make();
  }));
}

}  // namespace

void bind_quantized(nb::module_& m) {
  if (PyModule_AddFunctions(m.ptr(), functions) < 0) throw PythonError{};
  // {name: (number, numbers of a block, bytes of a block)}
  m.def("block_formats", [] {
    nb::dict formats;
    for (int i = 0; i < kernels::quantized::kBlockKindCount; ++i) {
      const kernels::quantized::BlockFormat& format = kernels::quantized::kBlockFormats[i];
      formats[nb::str(format.name.data(), format.name.size())] =
          nb::make_tuple(i, format.numbers, format.bytes);
    }
    return formats;
  });
  m.def("check_blocks", [](nb::handle blocks, Index kind) {
    check_blocks(expect_tensor(blocks.ptr(), "blocks"), to_kind(kind));
  });
  m.def("dequantize", [](nb::handle blocks, Index kind, nb::handle dtype) {
    const Tensor from = expect_tensor(blocks.ptr(), "blocks");
    const DType type = to_dtype(dtype.ptr());
    return fresh(from.layout.size(), [&] { return dequantized(from, to_kind(kind), type); });
  });
  m.def("dequantize_rows", [](nb::handle blocks, Index kind, nb::handle index, nb::handle dtype) {
    const Tensor from = expect_tensor(blocks.ptr(), "blocks"), at = expect_tensor(index.ptr(), "index");
    const DType type = to_dtype(dtype.ptr());
    return fresh(at.layout.size() << 10, [&] { return dequantized_rows(from, to_kind(kind), at, type); });
  });
  m.def("quantize", [](nb::handle x, Index kind) {
    const Tensor from = expect_tensor(x.ptr(), "x");
    return fresh(from.layout.size(), [&] { return quantized(from, to_kind(kind)); });
  });
  m.def("random_blocks", [](Index kind, Index rows, Index columns, double scale, std::uint64_t seed) {
    return fresh(KernelTime::kWorthwhile,
                 [&] { return random_blocks(to_kind(kind), rows, columns, scale, seed); });
  });
}

}  // namespace strided::python
