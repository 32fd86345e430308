// Filling the loop table: which file enters which loops, for which levels.
//
// A table is filled from the lowest level upwards. A higher level enters the columns in which wider vectors pay and
// leaves the rest, which keeps the build short.
#pragma once

#include <utility>

#include "loop_table.hpp"
#include "simd/table_filler.hpp"

namespace strided {

using NamedLoop = simd::Named<std::remove_pointer_t<Loop>>;

// What a file enters its loops with: fill.enter(fill.table.adam[0], STRIDED_LOOP(adam<float>)).
struct LoopFiller : simd::TableFiller {
  explicit LoopFiller(LoopTable& filled, simd::TableRecord* record = nullptr)
      : TableFiller(&filled, record), table(filled) {}

  const LoopTable& table;  // to say which cell; only enter, share and set write to it
};

// The files whose loops are built for every level: kernels/<family>/<folder><name>.isa.cpp defines
// kernels::<family>::<level>::fill_<name>_loops.
#define STRIDED_LOOP_FILES(X, level) \
  X(level, elementwise,, real) X(level, elementwise,, float_math) X(level, elementwise,, double_math) \
  X(level, elementwise,, register_chain) X(level, convert,, cast) X(level, copy,, copy_rows) \
  X(level, copy,, transpose) X(level, copy,, interleave) X(level, reduce,, fold) X(level, reduce,, moments) \
  X(level, reduce,, argminmax) X(level, scan,, scan) X(level, index,, gather) X(level, sort,, sort) \
  X(level, matmul,, tile) X(level, matmul,, pack_scattered) \
  X(level, matmul,, matvec) X(level, nn,, model_rows) X(level, nn,, model_columns) X(level, nn, norm/, norms) \
  X(level, nn, attention/, attention) X(level, quantized,, dequantize) X(level, quantized,, quantized_product) \
  X(level, optim,, adam) X(level, optim,, sgd)
// Those that are built once more for a feature of AVX-512; CMakeLists.txt has the same names.
#define STRIDED_VNNI_FILES(X, level) X(level, quantized,, quantized_product) X(level, quantized,, quantized_tiles)
#define STRIDED_BF16_FILES(X, level) X(level, matmul,, tile_bf16)

// A loop finds what core/simd has for its level without naming the level.
#define STRIDED_DECLARE_FILL(level, family, folder, name) \
  namespace kernels::family::level { \
  using namespace strided::level; \
  void fill_##name##_loops(LoopFiller& fill); \
  }

template <DType...> struct Columns {};

// Calls visit.operator()<op, dtype>() for every op and each of the columns that it computes in.
template <class Visit, DType... dtypes>
void for_each_loop(Columns<dtypes...>, Visit&& visit) {
  const auto one = [&]<Op op, DType dtype>() {
    if constexpr (computes_in(row_of(op), dtype)) visit.template operator()<op, dtype>();
  };
  const auto row = [&]<Op op>() { (one.template operator()<op, dtypes>(), ...); };
  [&]<std::size_t... op>(std::index_sequence<op...>) {
    (row.template operator()<static_cast<Op>(op)>(), ...);
  }(std::make_index_sequence<kOpCount>{});
}

// Built once, and entered with the level baseline.
namespace kernels::elementwise {
void fill_libm_loops(LoopFiller& fill);
void fill_complex_loops(LoopFiller& fill);
}  // namespace kernels::elementwise

namespace baseline {
using RealColumns = Columns<DType::Bool, DType::Int8, DType::Int16, DType::Int32, DType::Int64,
                            DType::UInt8, DType::UInt16, DType::UInt32, DType::UInt64,
                            DType::Float32, DType::Float64>;
using CastColumns = RealColumns;  // half types go by way of float32
using ShiftColumns = Columns<>;
}  // namespace baseline
STRIDED_LOOP_FILES(STRIDED_DECLARE_FILL, baseline)

namespace avx2 {
using RealColumns = baseline::RealColumns;
using CastColumns = RealColumns;
using ShiftColumns = Columns<>;
}  // namespace avx2
STRIDED_LOOP_FILES(STRIDED_DECLARE_FILL, avx2)

namespace avx512 {
using RealColumns = Columns<DType::Float32, DType::Float64>;
// Of the integers only divisions and shifts, which AVX2 lacks in some widths.
using ShiftColumns = Columns<DType::Int8, DType::Int16, DType::Int32, DType::Int64, DType::UInt8,
                             DType::UInt16, DType::UInt32, DType::UInt64>;
// Only here are there conversions between floats and large integers.
using CastColumns = Columns<DType::Int64, DType::UInt32, DType::UInt64, DType::Float32, DType::Float64>;
}  // namespace avx512
STRIDED_LOOP_FILES(STRIDED_DECLARE_FILL, avx512)

namespace avx512_vnni {}
STRIDED_VNNI_FILES(STRIDED_DECLARE_FILL, avx512_vnni)

namespace avx512_bf16 {}
STRIDED_BF16_FILES(STRIDED_DECLARE_FILL, avx512_bf16)
#undef STRIDED_DECLARE_FILL

}  // namespace strided
