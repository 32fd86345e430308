// Integers as wide as a number, for work on its bits.
#pragma once

#include <cstdint>
#include <type_traits>

namespace strided {

template <int kBytes> struct UnsignedOf;
template <> struct UnsignedOf<1> { using type = std::uint8_t; };
template <> struct UnsignedOf<2> { using type = std::uint16_t; };
template <> struct UnsignedOf<4> { using type = std::uint32_t; };
template <> struct UnsignedOf<8> { using type = std::uint64_t; };

template <class T> using BitsOf = typename UnsignedOf<static_cast<int>(sizeof(T))>::type;
template <class T> using SignedOf = std::make_signed_t<BitsOf<T>>;

}  // namespace strided
