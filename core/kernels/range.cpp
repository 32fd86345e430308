#include "range.hpp"

#include <algorithm>

#include "copy.hpp"

namespace strided {
namespace {

// Values are made in blocks and converted by the copy kernel, which knows every dtype and stride.
template <class T, class ValueAt>
void fill_blocks(const Operand& out, DType dtype, ValueAt&& value_at) {
  constexpr Index block = 512;
  T values[block];
  const Index count = out.layout->size();
  const Index step = out.layout->rank() == 0 ? 1 : out.layout->stride(0);
  for (Index begin = 0; begin < count; begin += block) {
    const Index n = std::min(block, count - begin);
    for (Index i = 0; i < n; ++i) values[i] = value_at(begin + i);
    const Layout target(Dims{n}, Dims{step}, out.layout->offset() + begin * step);
    const Layout source = Layout::row_major(Dims{n});
    copy({out.storage, &target, out.dtype}, {reinterpret_cast<std::byte*>(values), &source, dtype});
  }
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

}  // namespace strided
