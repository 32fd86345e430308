// Products with the rows of a weight, written where the caller wants them.
//
// A result that is one matrix in memory is written by the product itself. Otherwise (rows here and there,
// heads apart, a bias beside a dtype that would round it twice) some rows at a time are computed aside, in
// lanes, and then put where they belong.
#include <algorithm>
#include <string>

#include "dtype/promotion.hpp"
#include "errors.hpp"
#include "kernels/copy/copy.hpp"
#include "kernels/elementwise/elementwise.hpp"
#include "kernels/convert/lane_buffers.hpp"
#include "kernels/matmul/matmul.hpp"
#include "targets.hpp"

namespace strided {
namespace {

constexpr Index kAsideBytes = 16 << 20;

// A result whose first `lead` axes count rows and whose others count columns.
struct Written {
  const Tensor& out;
  int lead;
  std::vector<Index> places;  // of rows along the first axis; empty: in order

  Index columns() const {
    Index n = 1;
    for (int axis = lead; axis < out.layout.rank(); ++axis) n *= out.layout.length(axis);
    return n;
  }

  // The step between columns, if they have one.
  bool one_step(Index& step) const {
    const Layout& layout = out.layout;
    Index needed = 0;
    step = 0;
    for (int axis = layout.rank() - 1; axis >= lead; --axis) {
      if (layout.length(axis) == 1) continue;
      if (needed == 0) step = layout.stride(axis);
      else if (layout.stride(axis) != needed) return false;
      if (!multiply(layout.stride(axis), layout.length(axis), needed) || needed == 0) return false;
    }
    return true;
  }

  // How many of the rows from `row` on lie evenly spaced, and how far apart, in rows.
  Index run_from(Index row, Index end, Index& apart) const {
    const auto place = [&](Index i) { return places[static_cast<std::size_t>(i)]; };
    apart = 1;
    if (places.empty() || end - row < 2) return end - row;
    apart = place(row + 1) - place(row);
    Index next = row + 2;
    while (next < end && place(next) - place(next - 1) == apart) ++next;
    return next - row;
  }

  // The layout of `count` rows from `row` on, with the axes that it has.
  Layout rows(Index row, Index count, Index apart) const {
    const Index first = places.empty() ? row : places[static_cast<std::size_t>(row)];
    Layout made = out.layout;
    if (lead > 0) {
      made.set_offset(made.offset() + first * made.stride(0));
      made.set_axis(0, count, apart * made.stride(0));
    }
    return made;
  }
};

// A row-major block of rows, or a row that all share, with the axes of `like`.
Layout with_axes_of(const Layout& like, int lead, Index step, bool repeated) {
  Layout made = Layout::uninitialised(like.rank(), 0);
  Index stride = step;
  for (int axis = like.rank() - 1; axis >= 0; --axis) {
    if (axis == lead - 1 && repeated) stride = 0;
    made.set_axis(axis, like.length(axis), stride);
    stride *= like.length(axis);
  }
  return made;
}

// c = x @ weight.T for layouts with rows (and what is before them) and one axis of columns or steps.
void multiply(const Operand& c, const Operand& x, const Tensor& weight, DType compute) {
  const int rank = c.layout->rank();
  Layout turned = Layout::uninitialised(rank, weight.layout.offset());
  for (int axis = 0; axis < rank - 2; ++axis) turned.set_axis(axis, c.layout->length(axis), 0);
  turned.set_axis(rank - 2, weight.layout.length(1), weight.layout.stride(1));
  turned.set_axis(rank - 1, weight.layout.length(0), weight.layout.stride(0));
  matmul(c, x, {weight.storage->data(), &turned, weight.dtype}, compute);
}

// One vector is a matrix of one row.
Layout at_least_two(const Layout& layout) {
  if (layout.rank() > 1) return layout;
  Layout made = Layout::uninitialised(2, layout.offset());
  made.set_axis(0, 1, 0);
  made.set_axis(1, layout.length(0), layout.stride(0));
  return made;
}

class Linear {
 public:
  Linear(const Written& written, const Tensor& x, const Tensor& weight, const Tensor* bias, DType compute)
      : written_(written), out_(written.out), x_(x), x_layout_(at_least_two(x.layout)), weight_(weight),
        bias_(bias), compute_(compute), lane_(compute == DType::Float64 ? compute : DType::Float32),
        columns_(weight.layout.length(0)), count_(x_layout_.length(0)) {}

  void run() const {
    if (out_.layout.size() == 0 || (x_layout_.size() == 0 && x_layout_.length(x_layout_.rank() - 1) > 0)) return;
    Index step, apart = 1;
    const bool evenly = written_.run_from(0, count_, apart) == count_;
    if (evenly && written_.one_step(step) && (bias_ == nullptr || out_.dtype == lane_)) {
      return run_direct(written_.rows(0, count_, apart), step);
    }
    run_aside();
  }

 private:
  void run_direct(const Layout& rows, Index step) const {
    const int rank = x_layout_.rank();
    Layout c = Layout::uninitialised(rank, rows.offset());
    for (int axis = 0; axis < rank - 1; ++axis) {
      c.set_axis(axis, x_layout_.length(axis), axis < written_.lead ? rows.stride(axis) : 0);
    }
    c.set_axis(rank - 1, columns_, step);
    const Operand to{out_.storage->data(), &c, out_.dtype};
    multiply(to, {x_.storage->data(), &x_layout_, x_.dtype}, weight_, compute_);
    if (bias_ != nullptr) add_bias(to, to, rank - 1);
  }

  void run_aside() const {
    const int rank = x_layout_.rank();
    Index inner = columns_;  // numbers per row of the first axis
    for (int axis = 1; axis < rank - 1; ++axis) inner *= x_layout_.length(axis);
    const Index most = std::clamp<Index>(kAsideBytes / (inner * itemsize(lane_)), 1, count_);
    Dims shape(x_layout_.shape());
    shape[0] = most;
    shape[rank - 1] = columns_;
    const Tensor aside = empty_tensor(shape, lane_);
    for (Index begin = 0; begin < count_; begin += most) {
      const Index count = std::min(most, count_ - begin);
      Layout from = x_layout_, block = aside.layout;
      from.set_offset(from.offset() + begin * from.stride(0));
      from.set_axis(0, count, from.stride(0));
      block.set_axis(0, count, block.stride(0));
      multiply({aside.storage->data(), &block, lane_}, {x_.storage->data(), &from, x_.dtype}, weight_,
               compute_);
      for (Index row = begin, apart; row < begin + count;) {
        const Index run = written_.run_from(row, begin + count, apart);
        put(written_.rows(row, run, apart), aside.data() + (row - begin) * inner * itemsize(lane_));
        row += run;
      }
    }
  }

  // Rows that were computed aside, and the bias, to where they belong.
  void put(const Layout& rows, std::byte* sums) const {
    const Layout lanes = with_axes_of(rows, 0, 1, false);
    const Operand to{out_.storage->data(), &rows, out_.dtype}, from{sums, &lanes, lane_};
    if (bias_ == nullptr) copy(to, from);
    else add_bias(to, from, written_.lead);
  }

  void add_bias(const Operand& to, const Operand& from, int lead) const {
    Layout row = with_axes_of(*to.layout, lead, bias_->layout.stride(0), true);
    row.set_offset(bias_->layout.offset());
    const Operand inputs[] = {from, {bias_->storage->data(), &row, bias_->dtype}};
    elementwise(Op::Add, lane_, to, inputs);
  }

  const Written& written_;
  const Tensor& out_;
  const Tensor& x_;
  const Layout x_layout_;
  const Tensor& weight_;
  const Tensor* const bias_;
  const DType compute_, lane_;
  const Index columns_;
  const Index count_;  // rows along the first axis
};

void check_operands(const Tensor& x, const Tensor& weight, const Tensor* bias) {
  require_float("linear", "x", x.dtype);
  require_float("linear", "weight", weight.dtype);
  const Layout &left = x.layout, &right = weight.layout;
  if (left.rank() == 0 || right.rank() != 2 || left.length(left.rank() - 1) != right.length(1)) {
    const bool turned = left.rank() > 0 && right.rank() == 2 && left.length(left.rank() - 1) == right.length(0);
    throw errors::shape_mismatch("linear", left.shape(), right.shape(),
                                 turned ? "the weight fits transposed: linear(x, weight.T)"
                                        : "give x (..., k) and weight (n, k)");
  }
  if (bias == nullptr) return;
  require_float("linear", "bias", bias->dtype);
  const Span expected = right.shape().first(1);
  if (!std::equal(expected.begin(), expected.end(), bias->layout.shape().begin(), bias->layout.shape().end())) {
    throw errors::shape_mismatch("linear", expected, bias->layout.shape(), "the bias has one number per row");
  }
}

// out without its own shape: any that has the rows of x, then `columns` elements.
Tensor target_of_rows(const Tensor& x, Index columns, DType otherwise, const Target& target, int lead,
                      bool by_rows) {
  Dims shape = x.layout.shape();
  shape[shape.size() - 1] = columns;
  if (target.out == nullptr) return target_for("linear", shape, otherwise, target);
  const Layout& own = target.out->layout;
  bool fits = own.rank() > lead || (own.rank() == lead && columns == 1);
  Index count = 1;
  for (int axis = 0; fits && axis < own.rank(); ++axis) {
    if (axis >= lead) count *= own.length(axis);
    else if (!by_rows) fits = own.length(axis) == shape[axis];
  }
  if (!fits || count != columns) {
    if (by_rows && own.rank() > 0) shape[0] = own.length(0);
    throw errors::shape_mismatch("linear", shape, own.shape(),
                                 "out has the rows of the result, and its axes after them hold one row each");
  }
  return target_for("linear", own.shape(), otherwise, target);
}

}  // namespace

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor* bias, const Tensor* rows,
              const Target& target) {
  check_operands(x, weight, bias);
  DType common = promote("linear", x.dtype, weight.dtype);
  const DType result = bias == nullptr ? common : promote("linear", common, bias->dtype);
  if (lane_for(result, target) == DType::Float64) common = DType::Float64;
  const int lead = rows == nullptr ? x.layout.rank() - 1 : 1;
  if (rows != nullptr && (target.out == nullptr || target.out->layout.rank() == 0 || x.layout.rank() != 2)) {
    throw errors::invalid_argument("rows", "x of rank " + std::to_string(x.layout.rank()),
                                   "need x (T, k) and out=, whose rows they are");
  }
  Tensor out = target_of_rows(x, weight.layout.length(0), result, target, lead, rows != nullptr);
  Written written{out, lead, {}};
  if (rows != nullptr) written.places = places_of("linear", *rows, x.layout.length(0), out.layout.length(0));
  const Tensor from = apart_from(out, x, false), by = apart_from(out, weight, false);
  const Tensor plus = bias == nullptr ? Tensor{} : apart_from(out, *bias, false);
  out.storage->bump_version("linear");
  Linear(written, from, by, bias == nullptr ? nullptr : &plus, common).run();
  return out;
}

DType activation_dtype(DType weight, Index rows) {
  if (weight == DType::BFloat16 && multiplies_bfloat16_pairs(rows)) return DType::BFloat16;
  return weight == DType::Float64 ? DType::Float64 : DType::Float32;
}

}  // namespace strided
