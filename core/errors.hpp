// What can go wrong, as data: a kind and typed fields, never a finished sentence.
// The sentence (what was asked, what stands in the way, what would work) is built from the fields in
// src/strided/errors.py, so that C++ and Python refusals of one kind read the same.
#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace strided {

enum class ErrorKind : std::uint8_t {
  IndexOutOfBounds,
  InvalidDimension,
  DuplicateAxis,
  ShapeMismatch,
  ViewNotPossible,
  UnsupportedOperation,
  OutOfStorageBounds,
  ReadOnlyTensor,
  WriteThroughOverlap,
  DTypeMismatch,
  InvalidArgument,
  OverlapTooHard,
  OutOfMemory,
  FileUnusable,
};

// The name of the Python class that this kind becomes.
const char* name_of(ErrorKind kind);

using FieldValue = std::variant<std::int64_t, std::string, std::vector<std::int64_t>>;

class Error : public std::exception {
 public:
  using Field = std::pair<const char*, FieldValue>;

  Error(ErrorKind kind, std::vector<Field> fields);

  ErrorKind kind() const { return kind_; }
  const std::vector<Field>& fields() const { return fields_; }
  Error& with(const char* name, FieldValue value);
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  ErrorKind kind_;
  std::vector<Field> fields_;
  std::string text_;
};

inline std::vector<std::int64_t> to_vector(std::span<const std::int64_t> values) {
  return {values.begin(), values.end()};
}

// One function per kind keeps the field names in one place.
namespace errors {

Error index_out_of_bounds(std::int64_t index, std::int64_t length, std::int64_t axis);
Error invalid_dimension(std::int64_t dim, std::int64_t rank);
Error duplicate_axis(std::int64_t axis, std::span<const std::int64_t> axes);
// `hint` is a call that would work, or empty.
Error shape_mismatch(std::string operation, std::span<const std::int64_t> expected,
                     std::span<const std::int64_t> got, std::string hint);
// axis and axis + 1 are the pair that does not step together: `step` is the stride of `axis`,
// `needed` the length times stride of the group to its right.
Error view_not_possible(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides,
                        std::int64_t offset, std::span<const std::int64_t> new_shape,
                        std::int64_t axis, std::int64_t step, std::int64_t needed);
Error unsupported_operation(std::string operation, std::string reason, std::string hint);
Error out_of_storage_bounds(std::span<const std::int64_t> shape,
                            std::span<const std::int64_t> strides, std::int64_t offset,
                            std::int64_t lowest, std::int64_t highest, std::int64_t storage_size);
Error read_only(std::string operation);
Error write_through_overlap(std::string operation, std::span<const std::int64_t> shape,
                            std::span<const std::int64_t> strides);
Error dtype_mismatch(std::string operation, std::string got, std::string reason, std::string hint);
Error invalid_argument(std::string argument, std::string got, std::string requirement);
Error overlap_too_hard(std::int64_t work_limit);
Error out_of_memory(std::int64_t nbytes);
Error file_unusable(std::string path, std::string reason);

}  // namespace errors
}  // namespace strided
