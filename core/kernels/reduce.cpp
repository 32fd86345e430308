// What each reduction does with an element; how elements are visited is in reduce_walks.hpp.
#include "reduce.hpp"

#include <complex>

#include "extreme.hpp"
#include "reduce_walks.hpp"

namespace strided {
namespace {

// ---- sums and products: integers wrap around, floats run in double ----

// Of a sum's two parts the rest means nothing once the sum is infinite or NaN.
inline double rounded_once(double sum, double rest) { return rest - rest == 0 ? sum + rest : sum; }
inline std::complex<double> rounded_once(std::complex<double> sum, std::complex<double> rest) {
  return {rounded_once(sum.real(), rest.real()), rounded_once(sum.imag(), rest.imag())};
}

// Adds up parts and, apart, what each addition rounds off: the error stays that of one part, however
// many there are. D. Knuth, The Art of Computer Programming 2, section 4.2.2, theorem B.
template <class Number>
struct CarefulTotal {
  Number sum{};
  Number rest{};
  void fold(Number part) {
    const Number next = sum + part;
    const Number taken = next - sum;
    rest += (sum - (next - taken)) + (part - taken);
    sum = next;
  }
  Number value() const { return rounded_once(sum, rest); }
  static constexpr bool settled() { return false; }
};

template <class T, class Number>
struct Sum {
  using Element = T;
  using Part = Number;
  using Value = Number;
  using Total =
      std::conditional_t<std::is_integral_v<Number>, PlainTotal<Sum>, CarefulTotal<Number>>;
  static constexpr Index kLanes = 64 / sizeof(Part);
  Part none() const { return Part(0); }
  Part take(Part part, T x) const { return part + static_cast<Part>(x); }
  Part join(Part a, Part b) const { return a + b; }
};

template <class T, class Number>
struct Prod {
  using Element = T;
  using Part = Number;
  using Value = Number;
  using Total = PlainTotal<Prod>;
  static constexpr Index kLanes = 64 / sizeof(Part);
  Part none() const { return Part(1); }
  Part take(Part part, T x) const { return part * static_cast<Part>(x); }
  Part join(Part a, Part b) const { return a * b; }
};

template <template <class, class> class Op>
void accumulate(const ReducedAxes& axes, const Operand& out, const Operand& in) {
  const auto run = [&]<class T, class Number>(Op<T, Number> op, DType compute, DType result) {
    reduce_with(op, compute, result, axes, out, in);
  };
  using Complex = std::complex<double>;
  switch (in.dtype) {
    case DType::Complex64:
      return run(Op<std::complex<float>, Complex>(), DType::Complex64, DType::Complex128);
    case DType::Complex128:
      return run(Op<Complex, Complex>(), DType::Complex128, DType::Complex128);
    case DType::Float16: case DType::BFloat16: case DType::Float32:
      return run(Op<float, double>(), DType::Float32, DType::Float64);
    case DType::Float64:
      return run(Op<double, double>(), DType::Float64, DType::Float64);
    default: break;
  }
  // An integer sum that is wanted as a float must not wrap around first.
  if (is_floating(out.dtype) || is_complex(out.dtype)) {
    return run(Op<double, double>(), DType::Float64, DType::Float64);
  }
  // Unsigned arithmetic gives the bits of the signed result too, and is defined when it wraps around.
  const DType wide = kind_of(in.dtype) == Kind::Unsigned ? DType::UInt64 : DType::Int64;
  run(Op<std::uint64_t, std::uint64_t>(), wide, wide);
}

// ---- smallest and largest ----

template <bool kLargest>
void find_extreme(const ReducedAxes& axes, const Operand& out, const Operand& in) {
  require_elements(axes, in);
  const DType compute = ordered_dtype(in.dtype);
  visit_ordered(compute, [&]<class T>(Type<T>) {
    reduce_with(Extreme<T, kLargest>(), compute, compute, axes, out, in);
  });
}

// ---- truth: every element is read as a bool ----

// Is there an element that is true (or false)? Once one is found, the others are skipped.
template <bool kTruth>
struct Find {
  using Element = std::uint8_t;
  using Part = std::uint8_t;
  using Value = std::uint8_t;
  struct Total {
    bool found = false;
    void fold(Part part) { found |= part != 0; }
    Value value() const { return found == kTruth; }  // any: a true one; all: no false one
    bool settled() const { return found; }
  };
  static constexpr Index kLanes = 64 / sizeof(Part);
  Part none() const { return 0; }
  Part take(Part part, Element x) const { return part | ((x != 0) == kTruth); }
  Part join(Part a, Part b) const { return a | b; }
};

struct Count {
  using Element = std::uint8_t;
  using Part = std::uint64_t;
  using Value = std::uint64_t;
  using Total = PlainTotal<Count>;
  static constexpr Index kLanes = 64 / sizeof(Part);
  Part none() const { return 0; }
  Part take(Part part, Element x) const { return part + (x != 0); }
  Part join(Part a, Part b) const { return a + b; }
};

}  // namespace

void reduce(Reduction op, const Operand& out, const Operand& in) {
  if (out.layout->size() == 0) return;
  const ReducedAxes axes = split_axes(out, in);
  switch (op) {
    case Reduction::Sum: return accumulate<Sum>(axes, out, in);
    case Reduction::Prod: return accumulate<Prod>(axes, out, in);
    case Reduction::Min: return find_extreme<false>(axes, out, in);
    case Reduction::Max: return find_extreme<true>(axes, out, in);
    case Reduction::Any: return reduce_with(Find<true>(), DType::Bool, DType::Bool, axes, out, in);
    case Reduction::All: return reduce_with(Find<false>(), DType::Bool, DType::Bool, axes, out, in);
  }
}

Index count_nonzero(const Operand& in) {
  Dims ones;
  for (int axis = 0; axis < in.layout->rank(); ++axis) ones.push_back(1);
  const Layout single = Layout::row_major(ones);
  Index count = 0;
  const Operand out{reinterpret_cast<std::byte*>(&count), &single, DType::Int64};
  reduce_with(Count(), DType::Bool, DType::Int64, split_axes(out, in), out, in);
  return count;
}

}  // namespace strided
