#include "eliminated.hpp"

#include <algorithm>

#include "errors.hpp"
#include "kernels/linalg/elimination.hpp"
#include "plan/matrix.hpp"

namespace strided {
namespace {

Span stack_of(const Tensor& a) {
  return a.layout.shape().first(static_cast<std::size_t>(a.layout.rank() - 2));
}

void check_small(const Tensor& a) {
  if (is_small_square(a)) return;
  throw errors::unsupported_operation("elimination of a matrix", "it is not small, square and of floats",
                                      "use strided.linalg");
}

}  // namespace

bool is_small_square(const Tensor& a) {
  const int rank = a.layout.rank();
  if (rank < 2 || !(is_floating(a.dtype) || is_complex(a.dtype)) || itemsize(a.dtype) < 4) return false;
  const Index side = a.layout.length(rank - 1);
  return a.layout.length(rank - 2) == side && side <= kernels::linalg::kSmallSide;
}

std::optional<Tensor> solved(const Tensor& a, const Tensor* b) {
  check_small(a);
  Dims shape;
  for (const Index length : (b != nullptr ? *b : a).layout.shape()) shape.push_back(length);
  if (b != nullptr) {
    if (b->dtype != a.dtype) {
      throw errors::dtype_mismatch("solve", std::string(name_of(b->dtype)),
                                   "the matrices are " + std::string(name_of(a.dtype)), "convert one of them");
    }
    const Span of_a = a.layout.shape(), of_b = b->layout.shape();
    const bool fits = of_a.size() == of_b.size() &&
                      std::equal(of_a.begin(), of_a.end() - 1, of_b.begin());
    if (!fits) throw errors::shape_mismatch("solve", of_a, of_b, "all lengths but the last must agree");
  }
  Tensor out = empty_tensor(shape, a.dtype);
  const Operand right = b != nullptr ? b->operand() : a.operand();
  if (!kernels::linalg::solve_small(out.operand(), a.operand(), b != nullptr ? &right : nullptr)) return std::nullopt;
  return out;
}

Tensor determinants(const Tensor& a) {
  check_small(a);
  Tensor out = empty_tensor(stack_of(a), a.dtype);
  kernels::linalg::small_determinants(out.operand(), a.operand());
  return out;
}

std::pair<Tensor, Tensor> log_determinants(const Tensor& a) {
  check_small(a);
  Tensor sign = empty_tensor(stack_of(a), a.dtype);
  Tensor logarithm = empty_tensor(stack_of(a), real_dtype(a.dtype));
  kernels::linalg::small_log_determinants(sign.operand(), logarithm.operand(), a.operand());
  return {std::move(sign), std::move(logarithm)};
}

}  // namespace strided
