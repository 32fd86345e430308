// Storages as Python sees them: whole-storage views, mapped files, facts about the heap.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "arguments.hpp"
#include "bind_ops.hpp"
#include "errors.hpp"
#include "layout/bounds.hpp"
#include "layout/layout.hpp"
#include "memory/heap.hpp"
#include "memory/mapped_file.hpp"
#include "tensor_object.hpp"
#include "tensor_parts.hpp"

namespace nb = nanobind;

namespace strided::python {
namespace {

MapMode to_mode(const std::string& mode) {
  if (mode == "r") return MapMode::ReadOnly;
  if (mode == "c") return MapMode::CopyOnWrite;
  if (mode == "r+") return MapMode::ReadWrite;
  throw errors::invalid_argument("mode", "'" + mode + "'",
                                 "must be 'r' (read-only), 'c' (copy on write) or 'r+' (read-write)");
}

// How the bytes came to be, and whose they are: ("heap", None), ("file", path), ("buffer", object) or
// ("dlpack", name of the library).
nb::tuple origin_of(const Storage& storage) {
  if (const std::string* path = mapped_path(storage)) return nb::make_tuple("file", *path);
  if (PyObject* lender = buffer_lender(storage)) return nb::make_tuple("buffer", nb::borrow(lender));
  if (const std::string* name = dlpack_lender(storage)) return nb::make_tuple("dlpack", *name);
  return nb::make_tuple("heap", nb::none());
}

}  // namespace

void bind_storage(nb::module_& m) {
  // The whole storage of x as a rank-1 view of its dtype.
  m.def("storage_view", [](nb::handle x) {
    const Tensor& tensor = expect_tensor(x.ptr(), "x");
    const Index length = tensor.storage_size();
    // Bytes are part of no graph.
    const Ref plain = is_tracked(x.ptr()) ? Ref(new_alias(x.ptr())) : Ref::borrowed(x.ptr());
    return nb::steal(new_view(plain.get(), [&](const Layout&) {
      return Layout::row_major({&length, 1});
    }));
  });
  m.def("layout_of", [](nb::handle x) { return Layout(expect_tensor(x.ptr(), "x").layout); });
  m.def("storage_pointer", [](nb::handle x) {
    return reinterpret_cast<std::uintptr_t>(expect_tensor(x.ptr(), "x").storage->data());
  });
  m.def("storage_origin",
        [](nb::handle x) { return origin_of(*expect_tensor(x.ptr(), "x").storage.get()); });
  // Bytes [offset, offset + count * itemsize) of a file as a rank-1 tensor; count < 0: up to the end.
  m.def("map_file", [](const std::string& path, nb::handle dtype, const std::string& mode,
                       std::int64_t offset, std::int64_t count) {
    const DType type = to_dtype(dtype.ptr());
    const std::int64_t item = itemsize(type);
    if (offset % std::min<std::int64_t>(item, 8) != 0) {
      throw errors::file_unusable(path, "offset " + std::to_string(offset) +
                                            " is not a multiple of the item size " +
                                            std::to_string(item));
    }
    std::int64_t nbytes = -1;
    if (count >= 0 && !multiply(count, item, nbytes)) {
      throw errors::file_unusable(path, std::to_string(count) + " elements are more than a file holds");
    }
    StorageRef storage = map_file(path, to_mode(mode), offset, nbytes);
    const Index length = static_cast<Index>(storage->nbytes()) / item;
    return nb::steal(
        new_tensor({std::move(storage), Layout::row_major({&length, 1}), type}));
  });
  m.def("heap_facts", [] {
    const HeapFacts facts = heap_facts();
    nb::dict out;
    out["live_bytes"] = facts.live_bytes;
    out["peak_bytes"] = facts.peak_bytes;
    out["kept_bytes"] = facts.kept_bytes;
    out["keep_limit"] = facts.keep_limit;
    out["keep_seconds"] = facts.keep_seconds;
    return out;
  });
  m.def("reset_peak", &reset_peak);
  m.def("set_keep_limit", &set_keep_limit);
  m.def("set_keep_seconds", [](std::uint32_t seconds) { set_keep_seconds(seconds); });
  m.def("release_kept_blocks", &release_kept_blocks);
}

}  // namespace strided::python
