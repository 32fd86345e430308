#include "product_plan.hpp"

#include <algorithm>
#include <bit>

#include "complex_matvec.hpp"
#include "gemm.hpp"
#include "matvec.hpp"
#include "plan/split.hpp"
#include "plan/walk.hpp"
#include "run/interrupt.hpp"
#include "run/machine.hpp"
#include "summed_products.hpp"

namespace strided::kernels::matmul {
namespace {

// Multiplications of a product that is worth splitting itself: ten times what repays a thread (gemm.cpp).
constexpr double kLargeMatrix = 4'000'000;
// A matrix that is worth reading only once, for a few vectors. Fixed: the kernel decides the bits.
constexpr Index kLongForVectors = 64, kLargeForVectors = 1 << 14;
// Multiplications of a batch between two questions whether to go on: some milliseconds, and with products of one
// multiplication each, which take a tenth of a microsecond, a tenth of a second.
constexpr double kInterruptibleWork = 1 << 20;

}  // namespace

ProductPlan::ProductPlan(const ProductSpace& space, const Operand& c, const Operand& a, const Operand& b, DType compute)
    : space_(space), axes_(space.axes()), storage_{c.storage, a.storage, b.storage}, compute_(compute),
      batch_axes_(space.batch().count()), vectors_of_a_{&axes_, kProductA, space.rows(), space.inner()},
      vectors_of_b_{&axes_, kProductB, space.columns(), space.inner()}, count_(axes_.size_of_first(batch_axes_)) {
  const Index rows = size_of(axes_, space.rows()), columns = size_of(axes_, space.columns());
  const Index k = size_of(axes_, space.inner());
  // False where rows or columns are several axes that do not step together: then the matrix has no strides.
  const auto make = [&](Matrix& matrix, int operand, const Operand& x, Index height, AxisRange down, Index width,
                        AxisRange along) {
    Index row, column;
    const bool steps_evenly =
        has_single_step(axes_, operand, down, row) & has_single_step(axes_, operand, along, column);
    // Rounded: steps of axes that are never stepped along may be no multiples of the itemsize.
    const int shift = std::countr_zero(static_cast<std::uint64_t>(itemsize(x.dtype)));
    matrix = {x.storage + axes_.start[operand], x.dtype, height, width, row >> shift, column >> shift};
    return steps_evenly;
  };
  make(c_, kProductC, c, rows, space.rows(), columns, space.columns());
  scattered_a_ = make(a_, kProductA, a, rows, space.rows(), k, space.inner()) ? nullptr : &vectors_of_a_;
  scattered_b_ = make(b_, kProductB, b, k, space.inner(), columns, space.columns()) ? nullptr : &vectors_of_b_;
  work_ = static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(k);
  choose_kernel();
  choose_chunks();
}

void ProductPlan::choose_kernel() {
  const Index rows = c_.rows, columns = c_.columns, k = a_.columns;
  kernel_ = Kernel::Panels;
  vectors_ = columns <= rows ? Side::Right : Side::Left;
  if (rows == 1 && columns == 1 && batch_axes_ > 0 && SummedProducts::takes(space_)) {
    kernel_ = Kernel::Sums;
    return;
  }
  if (scattered_a_ != nullptr || scattered_b_ != nullptr) return;
  const Index few = std::min(rows, columns);
  if (is_complex(compute_)) {
    const Matrix matrix = vectors_ == Side::Right ? a_ : b_.transposed();
    if (ComplexMatvec::takes(matrix, few, compute_)) kernel_ = Kernel::ComplexVectors;
    return;
  }
  const bool worth = few <= Matvec::kMostVectors && k >= kLongForVectors &&
                     std::max(rows, columns) * k >= kLargeForVectors;
  if (few == 1 || worth) kernel_ = Kernel::Vectors;
}

// A batch is worth chunks by its work, or by the bytes that are read where memory sets the pace.
void ProductPlan::choose_chunks() {
  const Index threads = thread_count();
  chunks_ = 1;
  limits_ = {threads > 1, kPanelBytes};
  if (count_ == 1 || threads == 1 || kernel_ == Kernel::Sums) return;  // which has chunks of its own
  const Index most = machine().chunks_per_thread * threads;
  const bool many = count_ >= most || work_ < kLargeMatrix;
  if (!many) return;
  if (kernel_ == Kernel::Panels) {
    chunks_ = chunks_for_work(work_ * static_cast<double>(count_), most);
  } else {
    const Matrix& matrix = vectors_ == Side::Right ? a_ : b_;
    const auto elements = static_cast<std::size_t>(matrix.rows * matrix.columns * count_);
    chunks_ = interruptible_chunks_for(elements * static_cast<std::size_t>(matrix.item()));
  }
  chunks_ = std::min(count_, chunks_);
  limits_ = {false, kPanelBytes / static_cast<std::size_t>(std::min(threads, chunks_))};
}

// Each chunk has a kernel of its own, which `make` returns; it takes the places of c and of two operands.
template <class Make>
void ProductPlan::run_as(const char* operation, Make&& make, int second, int third) const {
  std::byte* const first[] = {c_.data, a_.data, b_.data};
  const RecordScope scope([&] {
    const auto kernel = make();
    return PlanRecord(operation, axes_, kernel.inner_loops(), chunks_ * kernel.chunks(), kernel.text());
  });
  if (count_ == 1) {
    auto kernel = make();
    return kernel.run(first[kProductC], first[second], first[third]);
  }
  const auto run_range = [&](Index begin, Index end) {
    auto kernel = make();
    const Index products = 1 + static_cast<Index>(kInterruptibleWork / work_);
    Index left = products;
    for_each_position(axes_, storage_, batch_axes_, begin, end, [&](std::byte* const* places) {
      kernel.run(places[kProductC], places[second], places[third]);
      if (--left > 0) return;
      left = products;
      check_interrupt();
    });
  };
  run_range_in_chunks(count_, static_cast<int>(chunks_), run_range);
}

template <class Product>
void ProductPlan::run_vectors(const char* operation) const {
  if (vectors_ == Side::Right) {
    const auto make = [&] { return Product(c_.transposed(), a_, b_.transposed(), compute_, limits_.threads); };
    run_as(operation, make, kProductA, kProductB);
  } else {
    const auto make = [&] { return Product(c_, b_.transposed(), a_, compute_, limits_.threads); };
    run_as(operation, make, kProductB, kProductA);
  }
}

void ProductPlan::run_sums(const char* operation) const {
  const DType dtypes[] = {c_.dtype, a_.dtype, b_.dtype};
  const SummedProducts products(space_, storage_, dtypes, compute_);
  const RecordScope scope([&] {
    return PlanRecord(operation, products.axes(), products.inner_loops(), products.chunks(), products.text());
  });
  products.run();
}

void ProductPlan::run(const char* operation) const {
  switch (kernel_) {
    case Kernel::Vectors: return run_vectors<Matvec>(operation);
    case Kernel::ComplexVectors: return run_vectors<ComplexMatvec>(operation);
    case Kernel::Sums: return run_sums(operation);
    case Kernel::Panels: break;
  }
  const auto make = [&] { return Gemm(c_, a_, b_, compute_, limits_, scattered_a_, scattered_b_); };
  run_as(operation, make, kProductA, kProductB);
}

}  // namespace strided::kernels::matmul
