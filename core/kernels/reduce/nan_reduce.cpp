// Reductions that pass over NaN. Sums have loops for it; otherwise it is replaced by what changes nothing, as
// elements are read.
#include "count.hpp"
#include "minmax.hpp"
#include "sum.hpp"
#include "reduce.hpp"
#include "simd/integer_of_size.hpp"
#include "plan/record.hpp"

namespace strided::kernels::reduce {
namespace {

template <class T>
void replace(std::byte* block, Index n, T nan, bool keep_numbers) {
  T* const x = reinterpret_cast<T*>(block);
  for (Index i = 0; i < n; ++i) x[i] = x[i] != x[i] ? nan : keep_numbers ? x[i] : T{1};
}

std::vector<std::string> name_of_replace() { return {plain_loop("kernels/reduce/nan_reduce.cpp", "replace")}; }

template <class T>
class LargestNumber : public FindLargest<T> {
 public:
  LargestNumber(bool largest, DType loop, DType out)
      : FindLargest<T>(largest, false, loop, out), none_(largest ? Order<T>::none() : -Order<T>::none()) {
    this->mapped = sizeof(T);
  }
  std::vector<std::string> plain_loops(bool) const override { return name_of_replace(); }
  void map(std::byte* block, Index n) const override { replace(block, n, none_, true); }

 private:
  T none_;
};

template <class T>
class CountNumbers : public Counting<BitsOf<T>> {
 public:
  CountNumbers(DType loop, DType bits, DType out)
      : Counting<BitsOf<T>>(Reduction::Count, bits, loop, out, ~std::uint64_t{0}, false) {
    this->mapped = sizeof(T);
  }
  std::vector<std::string> plain_loops(bool) const override { return name_of_replace(); }
  void map(std::byte* block, Index n) const override { replace(block, n, T{0}, false); }
};

template <class T>
void reduce_numbers(NanReduction op, DType loop, DType bits, const FoldSpace& fold) {
  const DType out = fold.out.dtype;
  switch (op) {
    case NanReduction::Sum: return reduce_with("nansum", FloatSum(Fold::NumberSum, loop, out), fold);
    case NanReduction::Min: return reduce_with("nanmin", LargestNumber<T>(false, loop, out), fold);
    case NanReduction::Max: return reduce_with("nanmax", LargestNumber<T>(true, loop, out), fold);
    case NanReduction::Count: {
      CountNumbers<T> counting(loop, bits, out);
      counting.repeats = fold.repeats;
      return reduce_with("count_numbers", counting, fold);
    }
  }
}

}  // namespace

void reduce_numbers(NanReduction op, const Operand& out, const Operand& in) {
  if (out.layout->size() == 0) return;
  const FoldSpace fold = fold_space_of(out, in, op == NanReduction::Sum ? Repeats::Visited : Repeats::Counted);
  if (op == NanReduction::Min || op == NanReduction::Max) require_elements(fold);
  if (in.dtype == DType::Float64) return reduce_numbers<double>(op, DType::Float64, DType::UInt64, fold);
  reduce_numbers<float>(op, DType::Float32, DType::UInt32, fold);
}

}  // namespace strided::kernels::reduce
