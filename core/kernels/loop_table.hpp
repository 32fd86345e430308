// The innermost loops, compiled once per instruction set and chosen when the library is loaded.
#pragma once

#include <cstddef>

#include "kernels/optim/adam_loops.hpp"
#include "kernels/nn/column_loops.hpp"
#include "kernels/copy/copy_loops.hpp"
#include "dtype/dtype.hpp"
#include "kernels/index/gather_loops.hpp"
#include "layout/dims.hpp"
#include "kernels/nn/model_loops.hpp"
#include "kernels/nn/norm/norm_loops.hpp"
#include "op_list.hpp"
#include "kernels/matmul/product_loops.hpp"
#include "kernels/quantized/quantized_loops.hpp"
#include "kernels/elementwise/ops/quick_ops.hpp"
#include "kernels/reduce/reduce_loops.hpp"
#include "kernels/scan/scan_loops.hpp"
#include "kernels/optim/sgd_loops.hpp"
#include "kernels/sort/sort_loops.hpp"

namespace strided {

namespace simd {
struct Target;
class TableRecord;
}  // namespace simd

// n elements; data[0] and strides[0] belong to the output, the rest to the inputs; strides in bytes.
using Loop = void (*)(Index n, std::byte* const* data, const Index* strides);

struct LoopTable {
  // By compute dtype; null where the op does not take that dtype. Half types have rows only in where and
  // nextafter; otherwise they are converted to float32 and back in cache-sized blocks.
  Loop elementwise[kOpCount][kDTypeCount];
  Loop cast[kDTypeCount][kDTypeCount];  // [from][to]
  kernels::copy::CopyLoops copy;
  kernels::elementwise::QuickLoop quick[2];  // float32, float64
  // As elementwise, for large operands: a contiguous result that overlaps no input is
  // written by non-temporal stores and needs copy.finish_streams. For float32 and float64; null where an op has
  // none.
  Loop streamed[kOpCount][2];
  kernels::sort::SortLoops sort;
  kernels::index::GatherLoops gather;
  kernels::matmul::ProductLoops products;
  kernels::quantized::QuantizedLoops quantized;
  // Null where a fold has no loop of that dtype.
  kernels::reduce::ReduceLoops reduce[kernels::reduce::kFoldCount][kDTypeCount];
  kernels::scan::ScanLoops scan[kernels::scan::kScanCount][kDTypeCount];
  kernels::nn::ModelLoops model[2];  // float32, float64
  kernels::nn::NormLoops norms[2];  // likewise
  kernels::nn::ColumnLoops columns[2];  // likewise
  kernels::optim::AdamLoop adam[2];  // likewise
  kernels::optim::SgdLoop sgd[2];  // likewise
  kernels::nn::ScoreLoop score[kDTypeCount];  // null for dtypes whose elements are not taken as they are
  kernels::nn::WeighLoop weigh[kDTypeCount];
};

// Those of simd::active().
const LoopTable& loops();

// The table of any target that the processor has. With a record, every entry is checked and named: throws
// std::logic_error if a cell has two entries of one level.
LoopTable make_table(const simd::Target& target, simd::TableRecord* record = nullptr);

}  // namespace strided
