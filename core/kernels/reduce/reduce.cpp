// Sums, products, extremes and counts: which loops make the parts, and what becomes of them.
#include "reduce.hpp"

#include <complex>

#include "complex_parts.hpp"
#include "count.hpp"
#include "dtype/element.hpp"
#include "minmax.hpp"
#include "plan/record.hpp"
#include "sum.hpp"

namespace strided::kernels::reduce {
namespace {

// ---- integers: sums and products, which wrap around ----

template <class Number>
struct Product {
  using Accumulator = Number;
  using Total = Number;
  using State = Number;
  static constexpr bool kCareful = false;
  static constexpr int none = 1;
  static void fold(State& product, State&, State part) { product *= part; }
};

// States are the results, but for a conversion.
template <class Rule>
class Converted : public PartialFolding<Rule> {
 public:
  Converted(ReduceLoops loops, DType read_as, DType state, DType out, Index run, Index rows)
      : PartialFolding<Rule>(loops, read_as, run, rows), state_(state), out_(out) {}
  void write(const FoldWorkspace& work, Index at, Index n, std::byte* out, Index step) const override {
    write_as(state_, this->state(work) + at, n, out_, out, step);
  }

 private:
  DType state_, out_;
};

// Of elements that count several times each: times that, the sum wraps around to the same bits.
template <class Accumulator>
class IntegerSum : public Converted<WrappingSum<Accumulator>> {
 public:
  using Converted<WrappingSum<Accumulator>>::Converted;
  Index repeats = 1;
  void write(const FoldWorkspace& work, Index at, Index n, std::byte* out, Index step) const override {
    std::uint64_t* const sum = this->state(work) + at;
    if (repeats != 1) for (Index i = 0; i < n; ++i) sum[i] *= static_cast<std::uint64_t>(repeats);
    Converted<WrappingSum<Accumulator>>::write(work, at, n, out, step);
  }
};

// How many elements an accumulator adds up without overflow.
template <class Accumulator, class T>
constexpr Index most_in_accumulator() {
  if constexpr (sizeof(Accumulator) == 8) return kAnyRows;
  else return static_cast<Index>(std::numeric_limits<Accumulator>::max() /
                                 (std::is_signed_v<T> ? 1 + std::numeric_limits<T>::max()
                                                      : std::numeric_limits<T>::max()));
}

void sum_integers(const FoldSpace& fold) {
  const DType in = fold.in.dtype;
  const DType wide = kind_of(in) == Kind::Unsigned ? DType::UInt64 : DType::Int64;
  const auto run = [&]<class Accumulator, class T>(Accumulator, T) {
    constexpr Index kRows = most_in_accumulator<Accumulator, T>();
    // A run goes round the SIMD lanes of four groups of 64 bytes; some of them get a few more.
    constexpr Index kSize = sizeof(Accumulator);
    constexpr Index kRun = kSize == 8 ? kLongRun : (kRows - 8) * (256 / kSize);
    const DType loop = in == DType::Int64 ? DType::UInt64 : in;
    const Index run_length = std::min(kRun, kLongRun);
    IntegerSum<Accumulator> sum(reduce_loops(Fold::Sum, loop), in, wide, fold.out.dtype, run_length, kRows);
    sum.repeats = fold.repeats;
    reduce_with(name_of(Reduction::Sum), sum, fold);
  };
  switch (in) {
    case DType::Int8: return run(std::int16_t(), std::int8_t());
    case DType::UInt8: return run(std::uint16_t(), std::uint8_t());
    case DType::Int16: return run(std::int32_t(), std::int16_t());
    case DType::UInt16: return run(std::uint32_t(), std::uint16_t());
    case DType::Int32: return run(std::int64_t(), std::int32_t());
    default: return run(std::uint64_t(), std::uint64_t());
  }
}

// ---- products of floats and complex numbers ----

using Complex = std::complex<double>;

// Complex numbers are multiplied one by one; few do it.
void multiply_along(const ReduceTile& tile, const Partials& parts) {
  for (Index r = 0; r < tile.rows; ++r) {
    Complex product = 1;
    for (Index i = 0; i < tile.n; ++i) product *= load<Complex>(tile.data + r * tile.step + i * 16);
    static_cast<Complex*>(parts.first)[r] = product;
  }
}
void multiply_across(const ReduceTile& tile, const Partials& parts) {
  for (Index r = 0; r < tile.rows; ++r) {
    Complex* const part = static_cast<Complex*>(parts.first) + r * tile.part_step;
    for (Index c = 0; c < tile.n; ++c) part[c] *= load<Complex>(tile.data + r * tile.step + c * 16);
  }
}

class ComplexProduct : public Converted<Product<Complex>> {
 public:
  using Converted::Converted;
  std::vector<std::string> plain_loops(bool along) const override {
    return {plain_loop("kernels/reduce/reduce.cpp", along ? "multiply_along" : "multiply_across")};
  }
};

void multiply(const FoldSpace& fold) {
  constexpr Index kRun = 1 << 12;  // fixed: it decides in which order floats are multiplied
  const char* const name = name_of(Reduction::Prod);
  const DType in = fold.in.dtype, out = fold.out.dtype;
  if (is_complex(in)) {
    const ReduceLoops loops{multiply_along, multiply_across};
    return reduce_with(name, ComplexProduct(loops, DType::Complex128, DType::Complex128, out, kRun, kAnyRows), fold);
  }
  // A product of integers that is returned as a float must not wrap around first.
  if (is_floating(in) || is_floating(out) || is_complex(out)) {
    const DType loop = is_floating(in) && in != DType::Float64 ? DType::Float32 : DType::Float64;
    const Converted<Product<double>> product(reduce_loops(Fold::Prod, loop), loop, DType::Float64, out, kRun, kAnyRows);
    return reduce_with(name, product, fold);
  }
  const DType wide = kind_of(in) == Kind::Unsigned ? DType::UInt64 : DType::Int64;
  const Converted<Product<std::uint64_t>> product(reduce_loops(Fold::Prod, DType::UInt64), wide, wide, out, kRun,
                                                  kAnyRows);
  reduce_with(name, product, fold);
}

// ---- how many are not zero, and whether any or all are ----

void count(const char* name, Reduction op, const FoldSpace& fold) {
  const DType in = fold.in.dtype;
  const auto run = [&]<class T>(T, DType loop) {
    // The sign of a float that is zero does not make it another number.
    const std::uint64_t keep = is_floating(in) ? T(-1) >> 1 : T(-1);
    // Complex numbers become bools on the way. Leaving out parts of many rows does not make reading faster.
    const bool early = op != Reduction::Count && fold.results == 1;
    Counting<T> counting(op, loop, is_complex(in) ? DType::Bool : in, fold.out.dtype, keep, early);
    counting.repeats = fold.repeats;
    reduce_with(name, counting, fold);
  };
  switch (is_complex(in) ? 1 : itemsize(in)) {
    case 1: return run(std::uint8_t(), DType::UInt8);
    case 2: return run(std::uint16_t(), DType::UInt16);
    case 4: return run(std::uint32_t(), DType::UInt32);
    default: return run(std::uint64_t(), DType::UInt64);
  }
}

// Means, products and sums of floats are rounded element by element.
Repeats repeats_of(Reduction op, DType in, bool floats) {
  switch (op) {
    case Reduction::Mean: case Reduction::Prod: return Repeats::Visited;
    case Reduction::Sum:
      return in == DType::Bool || !(is_floating(in) || floats) ? Repeats::Counted : Repeats::Visited;
    default: return Repeats::Counted;
  }
}

}  // namespace

const char* name_of(Reduction op) {
  constexpr const char* kNames[] = {"sum", "prod", "min", "max", "any", "all", "count_nonzero", "mean"};
  return kNames[static_cast<int>(op)];
}

void reduce(Reduction op, const Operand& out, const Operand& in) {
  if (out.layout->size() == 0) return;
  const bool adds = op == Reduction::Sum || op == Reduction::Mean;
  if (adds && is_complex(in.dtype)) {
    // The parts of a complex number are one more axis, or only the first of them is wanted.
    const ComplexParts from(in, is_complex(out.dtype)), to(out, is_complex(out.dtype));
    return reduce(op, to.operand(), from.operand());
  }
  const bool floats = is_floating(out.dtype) || is_complex(out.dtype);
  const FoldSpace fold = fold_space_of(out, in, repeats_of(op, in.dtype, floats));
  switch (op) {
    case Reduction::Prod: return multiply(fold);
    case Reduction::Min: case Reduction::Max:
      require_elements(fold);
      require_order(in.dtype);
      return Ordered(in.dtype).visit([&]<class T>(Type<T>) {
        reduce_with(name_of(op), FindLargest<T>(op == Reduction::Max, false, in.dtype, out.dtype), fold);
      });
    case Reduction::Any: case Reduction::All: case Reduction::Count:
      return count(name_of(op), op, fold);
    case Reduction::Sum: case Reduction::Mean: break;
  }
  if (in.dtype == DType::Bool && op == Reduction::Sum) return count(name_of(op), Reduction::Count, fold);
  // An integer sum that is returned as a float must not wrap around first.
  if (op == Reduction::Sum && !is_floating(in.dtype) && !floats) return sum_integers(fold);
  FloatSum sum(Fold::Sum, is_floating(in.dtype) ? in.dtype : DType::Float64, out.dtype);
  if (op == Reduction::Mean) sum.divisor = static_cast<double>(fold.count);
  reduce_with(name_of(op), sum, fold);
}

}  // namespace strided::kernels::reduce
