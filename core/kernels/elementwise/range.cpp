#include "range.hpp"

#include <algorithm>

#include "kernels/convert/packed.hpp"
#include "kernels/loop_names.hpp"
#include "kernels/loop_table.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"

namespace strided::kernels::elementwise {
namespace {

// Values are made in blocks and converted by the loop that knows the output's dtype and stride.
template <class T, class ValueAt>
void fill_blocks(const Operand& out, DType dtype, ValueAt&& value_at) {
  const Index count = out.layout->size();
  const Index step = out.layout->rank() == 0 ? 0 : out.step(0);
  const int chunks = interruptible_chunks_for(static_cast<std::size_t>(count * itemsize(out.dtype)));
  const RecordScope scope([&] {
    IterationSpace row(1);
    row.add_axis(count, Role::Map, &step);
    return PlanRecord("arange", row, {plain_loop("kernels/elementwise/range.cpp", "fill_blocks"),
                      loop_name(convert::loop_between(dtype, out.dtype))}, chunks,
                      "blocks of " + std::to_string(convert::kPackedBlock));
  });
  run_range_in_chunks(count, chunks, [&](Index begin, Index end) {
    T values[convert::kPackedBlock];
    for (; begin < end; begin += convert::kPackedBlock) {
      const Index n = std::min(convert::kPackedBlock, end - begin);
      for (Index i = 0; i < n; ++i) values[i] = value_at(begin + i);
      convert::elements(dtype, reinterpret_cast<std::byte*>(values), sizeof(T), out.dtype, out.first() + begin * step,
                        step, n);
    }
  });
}

}  // namespace

void fill_range(const Operand& out, std::int64_t start, std::int64_t step) {
  fill_blocks<std::int64_t>(out, DType::Int64, [&](Index i) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(start) +
                                     static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(step));
  });
}

void fill_range(const Operand& out, double start, double step) {
  fill_blocks<double>(out, DType::Float64,
                      [&](Index i) { return start + static_cast<double>(i) * step; });
}

}  // namespace strided::kernels::elementwise
