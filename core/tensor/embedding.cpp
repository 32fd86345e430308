// Embedding: rows of a table of weights, one per token.
#include <string>

#include "errors.hpp"
#include "kernels/convert/packed.hpp"
#include "kernels/copy/copy.hpp"
#include "kernels/loop_names.hpp"
#include "kernels/nn/packed_rows.hpp"
#include "kernels/nn/row_space.hpp"
#include "layout/bounds.hpp"
#include "materialise.hpp"
#include "picked.hpp"
#include "targets.hpp"

namespace strided {

Tensor embedding(const Tensor& tokens, const Tensor& weight, const Target& target) {
  require_positions(tokens);
  require_float("embedding", "weight", weight.dtype);
  if (weight.layout.rank() != 2) {
    const Index any[] = {-1, -1};
    throw errors::shape_mismatch("embedding", any, weight.layout.shape(), "the weight is (vocabulary, n)");
  }
  Dims shape = tokens.layout.shape();
  shape.push_back(weight.layout.length(1));
  Tensor out = target_for("embedding", shape, weight.dtype, target);
  const LayerInput from(target.out, &weight), index(target.out, &tokens);
  if (out.dtype == from->dtype) {
    gather_into(out, *from, {index.get(), 1});
    out.storage->bump_version("embedding");
    return out;
  }
  // Another dtype: rows are converted one by one, after all tokens have been looked at.
  const Index size = index->layout.size(), vocabulary = from->layout.length(0);
  std::vector<Index> rows(static_cast<std::size_t>(size));
  const Layout listed = Layout::row_major(index->layout.shape());
  kernels::copy::copy({reinterpret_cast<std::byte*>(rows.data()), &listed, DType::Int64}, index->operand());
  for (Index& row : rows) row = normal_index(row, vocabulary, 0);
  log_copy(CopyReason::Gather, *from, out.layout, out.dtype);
  out.storage->bump_version("embedding");
  if (out.layout.size() == 0) return out;
  const Operand written = out.operand();
  const Operand* const operands[] = {&written};
  const kernels::nn::RowSpace lines(operands, kernels::nn::RowOrder::AsGiven);
  const Index row_step = from->step(0), step = from->step(1);
  const auto names = [&] {
    return std::vector{loop_name(kernels::convert::loop_between(from->dtype, out.dtype))};
  };
  lines.run_in_chunks("embedding", out.layout.size() * (from->item() + out.item()), names, [&](Index begin, Index end) {
    lines.for_each(begin, end, [&, row = rows.data() + begin](std::byte* const* line) mutable {
      const std::byte* const source = from->data() + *row++ * row_step;
      kernels::nn::in_blocks(lines.length(), kernels::nn::kWrittenBlock, [&](Index i, Index n) {
        kernels::convert::elements(from->dtype, source + i * step, step, out.dtype, line[0] + i * lines.step(0),
                                   lines.step(0), n);
      });
    });
  });
  return out;
}

}  // namespace strided
