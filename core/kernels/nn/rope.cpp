#include "rope.hpp"

#include "inner_loops.hpp"
#include "packed_rows.hpp"
#include "row_space.hpp"

namespace strided::kernels::nn {
namespace {

// One thread's buffers, and what it does to a row. The first and the second of a pair are two rows of
// their own, of every second element if pairs are neighbours.
class Rotation {
 public:
  Rotation(const Operand& out, const Operand& x, const Operand& cosine, const Operand& sine,
           const RowSpace& rows, bool interleaved, DType compute)
      : loops_(loops().model[compute == DType::Float64]),
        half_(cosine.layout->length(cosine.layout->rank() - 1)), rest_(rows.length() - 2 * half_),
        distance_(interleaved ? 1 : half_), every_(interleaved ? 2 : 1), block_(convert::packed_capacity(compute)),
        out_step_(rows.step(0)), x_step_(rows.step(1)), out_dtype_(out.dtype), x_dtype_(x.dtype),
        first_(x.dtype, compute, every_ * x_step_), second_(x.dtype, compute, every_ * x_step_),
        to_first_(out.dtype, compute, every_ * out_step_), to_second_(out.dtype, compute, every_ * out_step_),
        cosine_(cosine.dtype, compute, rows.step(2)), sine_(sine.dtype, compute, rows.step(3)),
        neighbours_(interleaved && x.dtype == compute && out.dtype == compute && x_step_ == itemsize(compute) &&
                    out_step_ == itemsize(compute)) {}

  void run(std::byte* const* row) {
    cosine_.start(row[2]);
    sine_.start(row[3]);
    in_blocks(half_, block_, [&](Index i, Index n) {
      rotate(n, row[0] + i * every_ * out_step_, row[1] + i * every_ * x_step_, cosine_.read(i, n), sine_.read(i, n));
    });
    std::byte* const out = row[0] + 2 * half_ * out_step_;
    const std::byte* const x = row[1] + 2 * half_ * x_step_;
    if (out == x) return;
    in_blocks(rest_, kWrittenBlock, [&](Index i, Index n) {
      convert::elements(x_dtype_, x + i * x_step_, x_step_, out_dtype_, out + i * out_step_, out_step_, n);
    });
  }

 private:
  void rotate(Index n, std::byte* out, const std::byte* x, const std::byte* cosine, const std::byte* sine) {
    if (neighbours_) return loops_.rotate_pairs(n, x, cosine, sine, out);
    const std::byte* const first = first_.read(x, n);
    const std::byte* const second = second_.read(x + distance_ * x_step_, n);
    std::byte* const other = out + distance_ * out_step_;
    loops_.rotate(n, first, second, cosine, sine, to_first_.place(out, n), to_second_.place(other, n));
    to_first_.finish(out, n);
    to_second_.finish(other, n);
  }

  const ModelLoops& loops_;
  const Index half_, rest_;
  const Index distance_, every_;  // in elements: from the first to the second of a pair, and to the next pair
  const Index block_;
  const Index out_step_, x_step_;
  const DType out_dtype_, x_dtype_;
  convert::PackedInput first_, second_;
  convert::PackedOutput to_first_, to_second_;
  RowInput cosine_, sine_;
  const bool neighbours_;
};

}  // namespace

void rope(const Operand& out, const Operand& x, const Operand& cosine, const Operand& sine, bool interleaved,
          const Index* places, DType compute) {
  if (x.layout->size() == 0) return;
  const Operand* const operands[] = {&out, &x, &cosine, &sine};
  const RowSpace rows(operands, RowOrder::InMemory, places);
  const auto names = [&] {
    const ModelLoops& table = loops().model[compute == DType::Float64];
    const Index every = interleaved ? 2 : 1, x_step = rows.step(1), out_step = rows.step(0);
    InnerLoops named(compute);
    const bool pairs = interleaved && x.dtype == compute && out.dtype == compute && x_step == itemsize(compute) &&
                       out_step == itemsize(compute);
    if (pairs) named.table(table.rotate_pairs);
    else named.table(table.rotate).read(x.dtype, every * x_step).written(out.dtype, every * out_step);
    named.read(cosine.dtype, rows.step(2)).read(sine.dtype, rows.step(3));
    return named.names();
  };
  rows.run("rope", x.layout->size() * (itemsize(x.dtype) + itemsize(out.dtype)), names,
           [&] { return Rotation(out, x, cosine, sine, rows, interleaved, compute); });
}

}  // namespace strided::kernels::nn
