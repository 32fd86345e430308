#include "errors.hpp"

namespace strided {
namespace {

std::string text_of(const FieldValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  std::string out = "(";
  const auto& list = std::get<std::vector<std::int64_t>>(value);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i != 0) out += ", ";
    out += std::to_string(list[i]);
  }
  if (list.size() == 1) out += ",";
  return out + ")";
}

}  // namespace

const char* name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::IndexOutOfBounds: return "IndexOutOfBounds";
    case ErrorKind::InvalidDimension: return "InvalidDimension";
    case ErrorKind::DuplicateAxis: return "DuplicateAxis";
    case ErrorKind::ShapeMismatch: return "ShapeMismatch";
    case ErrorKind::ViewNotPossible: return "ViewNotPossible";
    case ErrorKind::UnsupportedOperation: return "UnsupportedOperation";
    case ErrorKind::OutOfStorageBounds: return "OutOfStorageBounds";
    case ErrorKind::ReadOnlyTensor: return "ReadOnlyTensor";
    case ErrorKind::WriteThroughOverlap: return "WriteThroughOverlap";
    case ErrorKind::DTypeMismatch: return "DTypeMismatch";
    case ErrorKind::InvalidArgument: return "InvalidArgument";
    case ErrorKind::OverlapTooHard: return "OverlapTooHard";
    case ErrorKind::OutOfMemory: return "OutOfMemory";
    case ErrorKind::FileUnusable: return "FileUnusable";
  }
  return "StridedError";
}

Error::Error(ErrorKind kind, std::vector<Field> fields) : kind_(kind) {
  text_ = name_of(kind);
  text_ += ":";
  for (auto& [name, value] : fields) with(name, std::move(value));
}

Error& Error::with(const char* name, FieldValue value) {
  text_ += std::string(" ") + name + "=" + text_of(value);
  fields_.emplace_back(name, std::move(value));
  return *this;
}

namespace errors {

using Span = std::span<const std::int64_t>;

Error index_out_of_bounds(std::int64_t index, std::int64_t length, std::int64_t axis) {
  return {ErrorKind::IndexOutOfBounds, {{"index", index}, {"length", length}, {"axis", axis}}};
}

Error invalid_dimension(std::int64_t dim, std::int64_t rank) {
  return {ErrorKind::InvalidDimension, {{"dim", dim}, {"rank", rank}}};
}

Error duplicate_axis(std::int64_t axis, Span axes) {
  return {ErrorKind::DuplicateAxis, {{"axis", axis}, {"axes", to_vector(axes)}}};
}

Error shape_mismatch(std::string operation, Span expected, Span got, std::string hint) {
  return {ErrorKind::ShapeMismatch,
          {{"operation", std::move(operation)},
           {"expected", to_vector(expected)},
           {"got", to_vector(got)},
           {"hint", std::move(hint)}}};
}

Error view_not_possible(Span shape, Span strides, std::int64_t offset, Span new_shape,
                        std::int64_t axis, std::int64_t step, std::int64_t needed) {
  return {ErrorKind::ViewNotPossible,
          {{"shape", to_vector(shape)},
           {"strides", to_vector(strides)},
           {"offset", offset},
           {"new_shape", to_vector(new_shape)},
           {"axis", axis},
           {"step", step},
           {"needed", needed}}};
}

Error unsupported_operation(std::string operation, std::string reason, std::string hint) {
  return {ErrorKind::UnsupportedOperation,
          {{"operation", std::move(operation)},
           {"reason", std::move(reason)},
           {"hint", std::move(hint)}}};
}

Error out_of_storage_bounds(Span shape, Span strides, std::int64_t offset, std::int64_t lowest,
                            std::int64_t highest, std::int64_t storage_size) {
  return {ErrorKind::OutOfStorageBounds,
          {{"shape", to_vector(shape)},
           {"strides", to_vector(strides)},
           {"offset", offset},
           {"lowest", lowest},
           {"highest", highest},
           {"storage_size", storage_size}}};
}

Error read_only(std::string operation) {
  return {ErrorKind::ReadOnlyTensor, {{"operation", std::move(operation)}}};
}

Error write_through_overlap(std::string operation, Span shape, Span strides) {
  return {ErrorKind::WriteThroughOverlap,
          {{"operation", std::move(operation)},
           {"shape", to_vector(shape)},
           {"strides", to_vector(strides)}}};
}

Error dtype_mismatch(std::string operation, std::string got, std::string reason,
                     std::string hint) {
  return {ErrorKind::DTypeMismatch,
          {{"operation", std::move(operation)},
           {"got", std::move(got)},
           {"reason", std::move(reason)},
           {"hint", std::move(hint)}}};
}

Error invalid_argument(std::string argument, std::string got, std::string requirement) {
  return {ErrorKind::InvalidArgument,
          {{"argument", std::move(argument)},
           {"got", std::move(got)},
           {"requirement", std::move(requirement)}}};
}

Error overlap_too_hard(std::int64_t work_limit) {
  return {ErrorKind::OverlapTooHard, {{"work_limit", work_limit}}};
}

Error out_of_memory(std::int64_t nbytes) {
  return {ErrorKind::OutOfMemory, {{"nbytes", nbytes}}};
}

Error file_unusable(std::string path, std::string reason) {
  return {ErrorKind::FileUnusable, {{"path", std::move(path)}, {"reason", std::move(reason)}}};
}

}  // namespace errors
}  // namespace strided
