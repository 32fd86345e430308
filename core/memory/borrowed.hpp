// Bytes that belong to somebody else; `done` is called with `owner` when the last view is gone.
#pragma once

#include <cstddef>

#include "storage.hpp"

namespace strided {

StorageRef borrow(std::byte* data, std::size_t nbytes, bool writable, void* owner,
                  void (*done)(void* owner));

// The owner that `borrow` was given together with this `done`; null for any other storage.
void* lender_of(const Storage& storage, void (*done)(void* owner));

}  // namespace strided
