// The element types, one row each, and `visit`: the one place where a run-time dtype becomes a
// compile-time type.
#pragma once

#include <complex>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "half.hpp"

namespace strided {

enum class DType : std::uint8_t {
  Bool, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64,
  Float16, BFloat16, Float32, Float64, Complex64, Complex128,
};
inline constexpr int kDTypeCount = 15;
inline constexpr DType kDefaultFloat = DType::Float32;
inline constexpr DType kDefaultInt = DType::Int64;

enum class Kind : std::uint8_t { Bool, Signed, Unsigned, Float, Complex };

struct DTypeRow {
  std::string_view name;
  std::uint8_t itemsize;
  Kind kind;
  const char* format;  // struct-module code of the buffer protocol
};

// NumPy's int64 is C's long where that has 64 bits; "q" would come out as its twin type longlong.
inline constexpr bool kLongIs64 = sizeof(long) == 8;

inline constexpr DTypeRow kDTypes[kDTypeCount] = {
    {"bool", 1, Kind::Bool, "?"},
    {"int8", 1, Kind::Signed, "b"},
    {"int16", 2, Kind::Signed, "h"},
    {"int32", 4, Kind::Signed, "i"},
    {"int64", 8, Kind::Signed, kLongIs64 ? "l" : "q"},
    {"uint8", 1, Kind::Unsigned, "B"},
    {"uint16", 2, Kind::Unsigned, "H"},
    {"uint32", 4, Kind::Unsigned, "I"},
    {"uint64", 8, Kind::Unsigned, kLongIs64 ? "L" : "Q"},
    {"float16", 2, Kind::Float, "e"},
    {"bfloat16", 2, Kind::Float, ""},  // the protocol has no code for it
    {"float32", 4, Kind::Float, "f"},
    {"float64", 8, Kind::Float, "d"},
    {"complex64", 8, Kind::Complex, "Zf"},
    {"complex128", 16, Kind::Complex, "Zd"},
};

constexpr const DTypeRow& row_of(DType dtype) { return kDTypes[static_cast<int>(dtype)]; }
constexpr int itemsize(DType dtype) { return row_of(dtype).itemsize; }
// A complex number needs only what its parts need.
constexpr int alignment(DType dtype) {
  return row_of(dtype).kind == Kind::Complex ? itemsize(dtype) / 2 : itemsize(dtype);
}
constexpr Kind kind_of(DType dtype) { return row_of(dtype).kind; }
constexpr std::string_view name_of(DType dtype) { return row_of(dtype).name; }
constexpr bool is_integral(DType d) {  // without bool
  return kind_of(d) == Kind::Signed || kind_of(d) == Kind::Unsigned;
}
constexpr bool is_floating(DType d) { return kind_of(d) == Kind::Float; }
constexpr bool is_complex(DType d) { return kind_of(d) == Kind::Complex; }
constexpr bool is_half(DType d) { return d == DType::Float16 || d == DType::BFloat16; }

template <DType> struct TypeOf;
template <> struct TypeOf<DType::Bool> { using type = bool; };
template <> struct TypeOf<DType::Int8> { using type = std::int8_t; };
template <> struct TypeOf<DType::Int16> { using type = std::int16_t; };
template <> struct TypeOf<DType::Int32> { using type = std::int32_t; };
template <> struct TypeOf<DType::Int64> { using type = std::int64_t; };
template <> struct TypeOf<DType::UInt8> { using type = std::uint8_t; };
template <> struct TypeOf<DType::UInt16> { using type = std::uint16_t; };
template <> struct TypeOf<DType::UInt32> { using type = std::uint32_t; };
template <> struct TypeOf<DType::UInt64> { using type = std::uint64_t; };
template <> struct TypeOf<DType::Float16> { using type = float16; };
template <> struct TypeOf<DType::BFloat16> { using type = bfloat16; };
template <> struct TypeOf<DType::Float32> { using type = float; };
template <> struct TypeOf<DType::Float64> { using type = double; };
template <> struct TypeOf<DType::Complex64> { using type = std::complex<float>; };
template <> struct TypeOf<DType::Complex128> { using type = std::complex<double>; };

template <class T> struct Type { using type = T; };

// Calls f(Type<T>{}) with the C++ type of `dtype`.
template <class F>
constexpr decltype(auto) visit(DType dtype, F&& f) {
  switch (dtype) {
    case DType::Bool: return f(Type<bool>{});
    case DType::Int8: return f(Type<std::int8_t>{});
    case DType::Int16: return f(Type<std::int16_t>{});
    case DType::Int32: return f(Type<std::int32_t>{});
    case DType::Int64: return f(Type<std::int64_t>{});
    case DType::UInt8: return f(Type<std::uint8_t>{});
    case DType::UInt16: return f(Type<std::uint16_t>{});
    case DType::UInt32: return f(Type<std::uint32_t>{});
    case DType::UInt64: return f(Type<std::uint64_t>{});
    case DType::Float16: return f(Type<float16>{});
    case DType::BFloat16: return f(Type<bfloat16>{});
    case DType::Float32: return f(Type<float>{});
    case DType::Float64: return f(Type<double>{});
    case DType::Complex64: return f(Type<std::complex<float>>{});
    case DType::Complex128: break;
  }
  return f(Type<std::complex<double>>{});
}

}  // namespace strided
