// A file's bytes as a Storage. Nothing is read until it is used.
#pragma once

#include <cstdint>
#include <string>

#include "storage.hpp"

namespace strided {

enum class MapMode : std::uint8_t { ReadOnly, CopyOnWrite, ReadWrite };

// Maps [offset, offset + nbytes) of the file; nbytes < 0 means up to its end. Raises FileUnusable when
// the file cannot be opened or is shorter than asked for.
StorageRef map_file(const std::string& path, MapMode mode, std::int64_t offset, std::int64_t nbytes);

// The file a storage is a map of; null for any other storage.
const std::string* mapped_path(const Storage& storage);

}  // namespace strided
