// Who fills which part of the loop table.
//
// A table is filled from the lowest instruction set upwards. A higher set replaces the columns in which
// wider vectors pay and leaves the rest, which keeps the build short.
#pragma once

#include "loop_table.hpp"

namespace strided {

// Each *.isa.cpp fills its part of the table in every instruction set.
#define STRIDED_LOOP_FILES(X) \
  X(real) X(cast) X(float_math) X(double_math) X(quick) X(rows) X(cross) X(planes) X(tile) X(matvec) \
  X(bfloat16) X(model) X(attention) X(dequantize) X(quantized) X(sort) X(gather) X(reduce) X(spread) \
  X(position) X(scan) X(windows) X(norms) X(columns) X(adam) X(sgd)
#define STRIDED_DECLARE_FILL(name) void fill_##name##_loops(LoopTable& table);

template <DType...> struct Columns {};

void fill_math_loops(LoopTable& table);
void fill_complex_loops(LoopTable& table);

namespace baseline {
using RealColumns = Columns<DType::Bool, DType::Int8, DType::Int16, DType::Int32, DType::Int64,
                            DType::UInt8, DType::UInt16, DType::UInt32, DType::UInt64,
                            DType::Float32, DType::Float64>;
using CastColumns = RealColumns;  // half types go by way of float32
using ShiftColumns = Columns<>;
STRIDED_LOOP_FILES(STRIDED_DECLARE_FILL)
}  // namespace baseline

namespace avx2 {
using RealColumns = baseline::RealColumns;
using CastColumns = RealColumns;
using ShiftColumns = Columns<>;
STRIDED_LOOP_FILES(STRIDED_DECLARE_FILL)
}  // namespace avx2

namespace avx512 {
using RealColumns = Columns<DType::Float32, DType::Float64>;
// Of the integers only divisions and shifts, which AVX2 lacks in some widths.
using ShiftColumns = Columns<DType::Int8, DType::Int16, DType::Int32, DType::Int64, DType::UInt8,
                             DType::UInt16, DType::UInt32, DType::UInt64>;
// Only here are there conversions between floats and large integers.
using CastColumns = Columns<DType::Int64, DType::UInt32, DType::UInt64, DType::Float32, DType::Float64>;
STRIDED_LOOP_FILES(STRIDED_DECLARE_FILL)
}  // namespace avx512

// AVX-512 with products of bytes (VNNI), for processors that have them.
namespace avx512_vnni {
STRIDED_DECLARE_FILL(quantized)
STRIDED_DECLARE_FILL(quantized_tiles)
}  // namespace avx512_vnni

}  // namespace strided
