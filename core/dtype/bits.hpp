// Elements as plain bits: what moves an element need not know more than its size.
#pragma once

#include <cstdint>

namespace strided {

// Stands for complex128.
struct alignas(8) Bits16 { std::uint64_t low, high; };

// Calls f(value) with a value of the unsigned type of `itemsize` bytes.
template <class F>
constexpr decltype(auto) visit_bits(int itemsize, F&& f) {
  switch (itemsize) {
    case 1: return f(std::uint8_t{});
    case 2: return f(std::uint16_t{});
    case 4: return f(std::uint32_t{});
    case 8: return f(std::uint64_t{});
    default: return f(Bits16{});
  }
}

}  // namespace strided
