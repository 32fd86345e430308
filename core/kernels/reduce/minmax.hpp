// The largest element, or the smallest, or that of largest or smallest size.
#pragma once

#include "extreme.hpp"
#include "partial_folds.hpp"

namespace strided::kernels::reduce {

template <class T>
struct Largest {
  using Accumulator = T;
  using Total = T;
  using State = T;
  static constexpr bool kCareful = false;
  static constexpr T none = Order<T>::none();
  static void fold(T& largest, T&, T part) { largest = larger_of(largest, part); }
};

template <class T>
class FindLargest : public PartialFolding<Largest<T>> {
 public:
  // Elements are read as `read_as`, of which the loops give T.
  FindLargest(bool largest, bool of_sizes, DType read_as, DType out)
      : PartialFolding<Largest<T>>(reduce_loops(Fold::Max, Ordered(read_as).loop), read_as, kLongRun,
                                kAnyRows),
        held_(Ordered(read_as).held),
        out_(out) {
    this->keep = of_sizes ? Order<T>::kSize : Order<T>::kAll;
    this->flip = Order<T>::flip(largest, Ordered(read_as).has_sign);
  }

  void write(const FoldWorkspace& work, Index at, Index n, std::byte* out, Index step) const override {
    T* const largest = this->state(work) + at;
    Order<T>::flip_back(largest, n, this->flip);
    write_as(held_, largest, n, out_, out, step);
  }

 private:
  DType held_, out_;
};

}  // namespace strided::kernels::reduce
