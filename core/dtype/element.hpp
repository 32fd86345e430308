// Reading and writing one element, at any alignment. A bool is whatever is nonzero: borrowed bytes need
// not be 0 or 1. Complex numbers travel as two parts; as one block they would pass through the stack.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace strided {

template <class T>
[[gnu::always_inline]] inline T load(const std::byte* at) {
  if constexpr (std::is_same_v<T, bool>) {
    return *at != std::byte{0};
  } else if constexpr (requires { typename T::value_type; }) {
    using Part = typename T::value_type;
    return {load<Part>(at), load<Part>(at + sizeof(Part))};
  } else {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
  }
}

template <class T>
[[gnu::always_inline]] inline void store(std::byte* at, T value) {
  if constexpr (requires { typename T::value_type; }) {
    using Part = typename T::value_type;
    const Part* const parts = reinterpret_cast<const Part*>(&value);
    store(at, parts[0]);
    store(at + sizeof(Part), parts[1]);
  } else {
    std::memcpy(at, &value, sizeof(T));
  }
}

}  // namespace strided
