// How many rows and vectors a tile of a product has.
#pragma once

#include "layout/dims.hpp"

namespace strided::kernels::matmul::STRIDED_ISA {

// A tile of rows x vectors keeps its sums in registers, beside one row of b and one element of a.
#if defined(__AVX512F__)
inline constexpr Index kTileRows = 8, kTileVectors = 3;
#elif defined(__AVX2__)
inline constexpr Index kTileRows = 4, kTileVectors = 3;
#elif defined(__aarch64__)
inline constexpr Index kTileRows = 8, kTileVectors = 3;
#else
inline constexpr Index kTileRows = 4, kTileVectors = 2;
#endif

}  // namespace strided::kernels::matmul::STRIDED_ISA
