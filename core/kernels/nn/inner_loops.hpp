// The names of the inner loops of a layer, for its plan: those of the table, and the casts to packed lanes and back.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "kernels/loop_names.hpp"
#include "kernels/loop_table.hpp"

namespace strided::kernels::nn {

class InnerLoops {
 public:
  explicit InnerLoops(DType lane) : lane_(lane) {}

  template <class... L>
  InnerLoops& table(L*... loops) {
    (add(loop_name(loops)), ...);
    return *this;
  }
  InnerLoops& elementwise(std::initializer_list<Op> ops) {
    for (const Op op : ops) table(loops().elementwise[static_cast<int>(op)][static_cast<int>(lane_)]);
    return *this;
  }
  // An operand with so many bytes between elements.
  InnerLoops& read(DType from, Index step) { return cast(from, lane_, from == lane_ && step == itemsize(lane_)); }
  InnerLoops& written(DType to, Index step) { return cast(lane_, to, to == lane_ && step == itemsize(lane_)); }

  const std::vector<std::string>& names() const { return names_; }

 private:
  InnerLoops& cast(DType from, DType to, bool in_place) {
    return in_place ? *this : table(loops().cast[static_cast<int>(from)][static_cast<int>(to)]);
  }
  void add(std::string name) {
    if (!name.empty() && std::ranges::find(names_, name) == names_.end()) names_.push_back(std::move(name));
  }

  DType lane_;
  std::vector<std::string> names_;
};

}  // namespace strided::kernels::nn
