// The names of the inner loops of a layer, for its plan: those of the table, and the casts of operands.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "kernels/convert/packed.hpp"
#include "kernels/loop_names.hpp"
#include "kernels/loop_table.hpp"

namespace strided::kernels::nn {

class InnerLoops {
 public:
  explicit InnerLoops(DType compute) : compute_(compute) {}

  template <class... L>
  InnerLoops& table(L*... loops) {
    (add(loop_name(loops)), ...);
    return *this;
  }
  InnerLoops& elementwise(std::initializer_list<Op> ops) {
    for (const Op op : ops) table(loops().elementwise[static_cast<int>(op)][static_cast<int>(compute_)]);
    return *this;
  }
  // An operand with so many bytes between elements.
  InnerLoops& read(DType from, Index step) { return cast(from, compute_, from, step); }
  InnerLoops& written(DType to, Index step) { return cast(compute_, to, to, step); }

  const std::vector<std::string>& names() const { return names_; }

 private:
  InnerLoops& cast(DType from, DType to, DType operand, Index step) {
    const bool in_place = operand == compute_ && step == itemsize(compute_);
    return in_place ? *this : table(convert::loop_between(from, to));
  }
  void add(std::string name) {
    if (!name.empty() && std::ranges::find(names_, name) == names_.end()) names_.push_back(std::move(name));
  }

  DType compute_;
  std::vector<std::string> names_;
};

}  // namespace strided::kernels::nn
