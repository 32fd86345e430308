// Products with the rows of a weight, written where the caller wants them.
//
// A result that is one matrix in memory is written by the product itself. Otherwise (rows here and there,
// heads apart, a bias beside a dtype that would round it twice) some rows at a time are computed aside, in the
// accumulate dtype, and then put where they belong.
#include <algorithm>
#include <string>

#include "dtype/promotion.hpp"
#include "errors.hpp"
#include "kernels/copy/copy.hpp"
#include "kernels/elementwise/elementwise.hpp"
#include "kernels/convert/packed.hpp"
#include "kernels/matmul/matmul.hpp"
#include "layout/bounds.hpp"
#include "targets.hpp"

namespace strided {
namespace {

// Of results that are computed aside at a time: what a product may take besides (kPanelBytes). Fixed: the number of
// rows may decide which kernel multiplies them, so the bits.
constexpr Index kAsideBytes = 16 << 20;

// A result whose first `lead` axes count rows and whose others count columns.
struct Written {
  const Tensor& out;
  int lead;
  std::vector<Index> places;  // of rows along the first axis; empty: in order

  // How many of the rows from `row` on lie evenly spaced, and how many rows from one to the next.
  Index run_from(Index row, Index end, Index& step) const {
    step = 1;
    if (places.empty()) return end - row;
    return even_run(Span(places.data() + row, static_cast<std::size_t>(end - row)), step);
  }

  // The layout of `count` rows from `row` on, with the axes that it has.
  Layout rows(Index row, Index count, Index step) const {
    const Index first = places.empty() ? row : places[static_cast<std::size_t>(row)];
    Layout made = out.layout;
    if (lead > 0) {
      made.set_offset(made.offset() + first * made.stride(0));
      made.set_axis(0, count, step * made.stride(0));
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

// The axes of c = x @ weight.T. x has axes of rows and one that is summed over; the first `lead` axes of c are those of
// rows (or it has none, for a single row), the others count the rows of the weight.
kernels::matmul::ProductSpace linear_space(const Operand& c, int lead, const Operand& x, const Operand& weight) {
  kernels::matmul::ProductSpace space(c, x, weight);
  const int row = x.layout->rank() - 2;
  const auto step = [](const Operand& operand, int axis, Index times) {
    return scaled(operand.layout->stride(axis), times * itemsize(operand.dtype), 1);
  };
  for (int axis = 0; axis <= row; ++axis) {
    const Index length = x.layout->length(axis);
    if (length == 1 && axis < row) continue;
    space.add(axis < row ? Role::Map : Role::Row, length, axis < lead ? step(c, axis, 1) : 0, step(x, axis, 1), 0);
  }
  if (row < 0) space.add(Role::Row, 1, 0, 0, 0);  // one vector is a matrix of one row
  Index inner = weight.layout->length(0);
  for (int axis = lead; axis < c.layout->rank(); ++axis) {
    const Index length = c.layout->length(axis);
    if (length == 1) continue;
    inner /= length;
    space.add(Role::Column, length, step(c, axis, 1), 0, step(weight, 0, inner));
  }
  space.add(Role::Inner, weight.layout->length(1), 0, step(x, row + 1, 1), step(weight, 1, 1));
  return space;
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
      : written_(written), out_(written.out), x_(x), weight_(weight), bias_(bias), compute_(compute),
        accumulate_(compute == DType::Float64 ? compute : DType::Float32), columns_(weight.layout.length(0)),
        count_(x.layout.rank() > 1 ? x.layout.length(0) : 1) {}

  void run() const {
    if (out_.layout.size() == 0 || count_ == 0) return;
    if (bias_ == nullptr || out_.dtype == accumulate_) {
      Index step;
      const bool whole = written_.places.empty();
      if (whole ? run_direct(out_.layout)
                : written_.run_from(0, count_, step) == count_ && run_direct(written_.rows(0, count_, step))) {
        return;
      }
    }
    run_aside();
  }

 private:
  // False where the columns of a row have no single step.
  bool run_direct(const Layout& rows) const {
    const Operand to{out_.storage->data(), &rows, out_.dtype}, x = x_.operand();
    kernels::matmul::ProductSpace space = linear_space(to, written_.lead, x, weight_.operand());
    Index step;
    if (!has_single_step(space.axes(), kernels::matmul::kProductC, space.columns(), step)) return false;
    kernels::matmul::multiply_over(space, to, x, weight_.operand(), compute_, "linear");
    if (bias_ != nullptr) add_bias(to, to);
    return true;
  }

  void run_aside() const {
    const Layout x_layout = at_least_two(x_.layout);
    const int rank = x_layout.rank();
    Index inner = columns_;  // numbers per row of the first axis
    for (int axis = 1; axis < rank - 1; ++axis) inner *= x_layout.length(axis);
    const Index most = std::clamp<Index>(kAsideBytes / (inner * itemsize(accumulate_)), 1, count_);
    Dims shape(x_layout.shape());
    shape[0] = most;
    shape[rank - 1] = columns_;
    const Tensor aside = empty_tensor(shape, accumulate_);
    for (Index begin = 0; begin < count_; begin += most) {
      const Index count = std::min(most, count_ - begin);
      Layout from = x_layout, block = aside.layout;
      from.set_offset(from.offset() + begin * from.stride(0));
      from.set_axis(0, count, from.stride(0));
      block.set_axis(0, count, block.stride(0));
      const Operand sums{aside.storage->data(), &block, accumulate_}, x{x_.storage->data(), &from, x_.dtype};
      kernels::matmul::ProductSpace space = linear_space(sums, rank - 1, x, weight_.operand());
      kernels::matmul::multiply_over(space, sums, x, weight_.operand(), compute_, "linear");
      for (Index row = begin, step; row < begin + count;) {
        const Index run = written_.run_from(row, begin + count, step);
        put(written_.rows(row, run, step), aside.data() + (row - begin) * inner * itemsize(accumulate_));
        row += run;
      }
    }
  }

  // Rows that were computed aside, and the bias, to where they belong.
  void put(const Layout& rows, std::byte* sums) const {
    const Layout packed = with_axes_of(rows, 0, 1, false);
    const Operand to{out_.storage->data(), &rows, out_.dtype}, from{sums, &packed, accumulate_};
    if (bias_ == nullptr) kernels::copy::copy(to, from);
    else add_bias(to, from);
  }

  void add_bias(const Operand& to, const Operand& from) const {
    Layout row = with_axes_of(*to.layout, written_.lead, bias_->layout.stride(0), true);
    row.set_offset(bias_->layout.offset());
    const Operand inputs[] = {from, {bias_->storage->data(), &row, bias_->dtype}};
    kernels::elementwise::elementwise(Op::Add, accumulate_, to, inputs);
  }

  const Written& written_;
  const Tensor& out_;
  const Tensor& x_;
  const Tensor& weight_;
  const Tensor* const bias_;
  const DType compute_, accumulate_;
  const Index columns_;
  const Index count_;  // rows along the first axis
};

void check_operands(const Tensor& x, const Tensor& weight, const Tensor* bias) {
  require_float("linear", "x", x.dtype);
  require_float("linear", "weight", weight.dtype);
  const Layout &left = x.layout, &right = weight.layout;
  if (left.rank() == 0 || right.rank() != 2 || left.length(left.rank() - 1) != right.length(1)) {
    const bool fits_transposed =
        left.rank() > 0 && right.rank() == 2 && left.length(left.rank() - 1) == right.length(0);
    throw errors::shape_mismatch("linear", left.shape(), right.shape(),
                                 fits_transposed ? "the weight fits transposed: linear(x, weight.T)"
                                                 : "give x (..., k) and weight (n, k)");
  }
  if (bias == nullptr) return;
  require_float("linear", "bias", bias->dtype);
  require_shape("linear", right.shape().first(1), bias->layout.shape(), "the bias has one number per row");
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
  if (compute_dtype_for(result, target) == DType::Float64) common = DType::Float64;
  const int lead = rows == nullptr ? x.layout.rank() - 1 : 1;
  if (rows != nullptr && (target.out == nullptr || target.out->layout.rank() == 0 || x.layout.rank() != 2)) {
    throw errors::invalid_argument("rows", "x of rank " + std::to_string(x.layout.rank()),
                                   "need x (T, k) and out=, whose rows they are");
  }
  Tensor out = target_of_rows(x, weight.layout.length(0), result, target, lead, rows != nullptr);
  Written written{out, lead, {}};
  if (rows != nullptr) written.places = places_of("linear", *rows, x.layout.length(0), out.layout.length(0));
  if (target.out == nullptr) {  // what is fresh shares memory with nothing
    Linear(written, x, weight, bias, common).run();
    return out;
  }
  const LayerInput from(&out, &x), by(&out, &weight), plus(&out, bias);
  out.storage->bump_version("linear");
  Linear(written, *from, *by, plus.get(), common).run();
  return out;
}

DType activation_dtype(DType weight, Index rows) {
  if (weight == DType::BFloat16 && kernels::matmul::multiplies_bfloat16_pairs(rows)) return DType::BFloat16;
  return weight == DType::Float64 ? DType::Float64 : DType::Float32;
}

}  // namespace strided
