#include "fused_chain.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "dtype/promotion.hpp"
#include "errors.hpp"
#include "kernels/convert/packed.hpp"
#include "kernels/elementwise/elementwise.hpp"
#include "reduced.hpp"

namespace strided {
namespace {

using Is = FusedNode::Is;

int arity(const FusedNode& node) {
  switch (node.is) {
    case Is::Compute: return row_of(node.op).arity;
    case Is::Convert: case Is::Reduce: return 1;
    default: return 0;
  }
}

OpTypes op_types(const FusedNode& node, std::span<const FusedNode> nodes, std::span<const DType> dtypes) {
  Tensor stand_ins[3];  // only their dtypes are looked at
  Argument arguments[3];
  for (int i = 0; i < arity(node); ++i) {
    const int at = node.arguments[i];
    if (nodes[at].is == Is::Number) {
      arguments[i].scalar = nodes[at].number;
      continue;
    }
    stand_ins[i].dtype = dtypes[at];
    arguments[i].tensor = &stand_ins[i];
  }
  return types_of(node.op, {arguments, static_cast<std::size_t>(arity(node))});
}

DType reduced_dtype(const FusedNode& node, DType dtype) {
  switch (node.fold) {
    case FusedNode::Fold::Sum: case FusedNode::Fold::Prod: return sum_dtype(dtype);
    case FusedNode::Fold::Any: case FusedNode::Fold::All: return DType::Bool;
    case FusedNode::Fold::Mean: return float_of(dtype);
    case FusedNode::Fold::Variance: case FusedNode::Fold::Deviation: return real_of(float_of(dtype));
    default: return dtype;
  }
}

// Emits steps on values: outputs, leaves and temporaries, each numbered as it is met. Places for the
// temporaries are given out at the end.
class Builder {
 public:
  Builder(std::span<const FusedNode> nodes, std::span<const DType> dtypes, FusedChain& chain)
      : nodes_(nodes), dtypes_(dtypes), chain_(chain) {}

  void build() {
    // All but the last result pass through a temporary: an output may take the place of an input that
    // the next result still needs.
    for (int target : chain_.targets) value_of(target, dtypes_[target]);
    for (std::size_t i = 0; i < chain_.targets.size(); ++i) {
      const DType dtype = dtypes_[chain_.targets[i]];
      emit(kernels::convert::loop_between(dtype, dtype), {What::Output, static_cast<int>(i)},
           {value_of(chain_.targets[i], dtype)});
    }
    write_last_in_place();
    join_quick_ops();
    place_temporaries();
  }

 private:
  enum class What : std::uint8_t { Output, Leaf, Temporary };
  struct Value {
    What what;
    int number;
    bool operator==(const Value&) const = default;
  };
  struct Emitted {
    Loop loop;
    Value out;
    std::vector<Value> in;
    std::optional<Op> op;         // of one op in `dtype`
    DType dtype = DType::Bool;
    std::vector<kernels::elementwise::QuickOp> quick;   // of a run of quick ops: in[0] is what it starts from
  };

  Value new_temporary(DType dtype) {
    sizes_.push_back(itemsize(dtype));
    return {What::Temporary, static_cast<int>(sizes_.size()) - 1};
  }

  Value leaf(FusedLeaf one) {
    chain_.leaves.push_back(one);
    return {What::Leaf, static_cast<int>(chain_.leaves.size()) - 1};
  }

  void emit(Loop loop, Value out, std::vector<Value> in) {
    emitted_.push_back({loop, out, std::move(in), std::nullopt, DType::Bool, {}});
  }

  // A node as elements of some dtype.
  using Key = std::pair<int, DType>;

  // The value of a node as elements of `dtype`. Functions may be as long as memory allows, so what waits for its
  // arguments stands in a list, not on the stack of calls.
  Value value_of(int node, DType dtype) {
    const Key wanted(node, dtype);
    std::vector<Key> pending{wanted};
    while (!pending.empty()) {
      const Key key = pending.back();
      Key arguments[3];
      kernels::elementwise::OpLoop found;
      const int count = arguments_of(key, arguments, found);
      const Key* const missing =
          std::find_if(arguments, arguments + count, [&](const Key& one) { return !values_.contains(one); });
      if (missing != arguments + count) {
        pending.push_back(*missing);
        continue;
      }
      pending.pop_back();
      if (!values_.contains(key)) values_[key] = made(key, {arguments, static_cast<std::size_t>(count)}, found);
    }
    return values_.at(wanted);
  }

  bool is_converted(Key key) const { return nodes_[key.first].is != Is::Number && key.second != dtypes_[key.first]; }

  // What a value is made from: at most three others. `found` is the loop of a Compute node.
  int arguments_of(Key key, Key* arguments, kernels::elementwise::OpLoop& found) const {
    const FusedNode& node = nodes_[key.first];
    if (is_converted(key)) {
      arguments[0] = {key.first, dtypes_[key.first]};
      return 1;
    }
    if (node.is == Is::Convert) {
      arguments[0] = {node.arguments[0], key.second};
      return 1;
    }
    if (node.is != Is::Compute) return 0;
    found = kernels::elementwise::loop_of(node.op, op_types(node, nodes_, dtypes_).compute);
    for (int k = 1; k < found.count; ++k) arguments[k - 1] = {node.arguments[k - 1], found.inside[k]};
    return found.count - 1;
  }

  // Emits the steps that make a value from its arguments, which are there.
  Value made(Key key, std::span<const Key> arguments, const kernels::elementwise::OpLoop& found) {
    const auto [number, dtype] = key;
    const FusedNode& node = nodes_[number];
    if (is_converted(key)) {
      const Value value = new_temporary(dtype);
      emit(kernels::convert::loop_between(dtypes_[number], dtype), value, {values_.at(arguments[0])});
      return value;
    }
    if (node.is == Is::Convert) return values_.at(arguments[0]);
    if (node.is != Is::Compute) return leaf({number, dtype});
    std::vector<Value> in;
    for (const Key& one : arguments) in.push_back(values_.at(one));
    const Value inside = new_temporary(found.inside[0]);
    emit(found.loop, inside, std::move(in));
    emitted_.back().op = node.op;
    emitted_.back().dtype = found.inside[0];
    if (found.inside[0] == dtype) return inside;
    const Value rounded = new_temporary(dtype);
    emit(kernels::convert::loop_between(found.inside[0], dtype), rounded, {inside});
    return rounded;
  }

  // The last step only moves the last result to its output: the step that made it can write there.
  void write_last_in_place() {
    if (emitted_.size() < 2) return;
    Emitted& maker = emitted_[emitted_.size() - 2];
    const Value value = emitted_.back().in[0];
    if (value.what != What::Temporary || maker.out != value) return;
    maker.out = emitted_.back().out;
    emitted_.pop_back();
  }

  // Neighbours that pass one value on become one step, if all of them are quick.
  void join_quick_ops() {
    std::vector<int> uses(sizes_.size(), 0);
    for (const Emitted& one : emitted_) {
      for (const Value& value : one.in) if (value.what == What::Temporary) ++uses[value.number];
    }
    std::vector<Emitted> joined;
    for (Emitted& one : emitted_) {
      const bool passed_on = !joined.empty() && joined.back().out.what == What::Temporary &&
                             uses[joined.back().out.number] == 1;
      if (!passed_on || !join(joined.back(), one)) joined.push_back(std::move(one));
    }
    emitted_ = std::move(joined);
  }

  // Appends `next`, which uses the value that `run` makes, to it.
  static bool join(Emitted& run, const Emitted& next) {
    if (!next.op || (!run.op && run.quick.empty()) || run.dtype != next.dtype) return false;
    if (next.dtype != DType::Float32 && next.dtype != DType::Float64) return false;
    if (run.in.size() + next.in.size() > kernels::elementwise::kMostQuickOperands) return false;
    const auto found = std::ranges::find(next.in, run.out);
    if (found == next.in.end()) return false;
    const auto later = kernels::elementwise::quick_of(*next.op, found != next.in.begin());
    if (!later) return false;
    if (run.quick.empty()) {
      const auto first = kernels::elementwise::quick_of(*run.op, false);
      if (!first) return false;
      run.quick.push_back({*first, static_cast<std::uint8_t>(run.in.size() > 1 ? 2 : 0)});
      run.op.reset();
      run.loop = nullptr;
    }
    std::uint8_t operand = 0;
    if (next.in.size() > 1) {
      run.in.push_back(next.in[found == next.in.begin() ? 1 : 0]);
      operand = static_cast<std::uint8_t>(run.in.size());
    }
    run.quick.push_back({*later, operand});
    run.out = next.out;
    return true;
  }

  // A temporary's place is free again after the step that reads it last.
  void place_temporaries() {
    const int operands = static_cast<int>(chain_.targets.size() + chain_.leaves.size());
    if (operands > kMaxOperands) refuse(std::to_string(operands) + " operands and numbers", kMaxOperands);
    std::vector<std::size_t> last(sizes_.size(), 0);
    for (std::size_t i = 0; i < emitted_.size(); ++i) {
      for (const Value& value : emitted_[i].in) {
        if (value.what == What::Temporary) last[value.number] = i;
      }
    }
    std::vector<int> place(sizes_.size(), -1);
    std::vector<int> free;
    const auto slot_of = [&](const Value& value) {
      switch (value.what) {
        case What::Output: return static_cast<std::uint8_t>(value.number);
        case What::Leaf: return static_cast<std::uint8_t>(chain_.targets.size() + value.number);
        default: return static_cast<std::uint8_t>(operands + place[value.number]);
      }
    };
    for (std::size_t i = 0; i < emitted_.size(); ++i) {
      const Emitted& one = emitted_[i];
      if (one.out.what == What::Temporary) place[one.out.number] = take_place(free, sizes_[one.out.number]);
      kernels::elementwise::Step step{one.loop, 1, {slot_of(one.out)}};
      for (const Value& value : one.in) step.slot[step.slots++] = slot_of(value);
      if (!one.quick.empty()) {
        chain_.quick.push_back(one.quick);
        step.quick = loops().quick[one.dtype == DType::Float64];
        step.run = {chain_.quick.back().data(), static_cast<int>(one.quick.size()), step.slots};
      }
      if (one.quick.empty() && one.op) step.streamed = kernels::elementwise::streamed_loop_of(*one.op, one.dtype);
      chain_.steps.push_back(step);
      for (std::size_t k = 0; k < one.in.size(); ++k) {
        const Value& value = one.in[k];
        const bool again = std::find(one.in.begin() + static_cast<std::ptrdiff_t>(k) + 1, one.in.end(),
                                     value) != one.in.end();
        if (value.what == What::Temporary && last[value.number] == i && !again) {
          free.push_back(place[value.number]);
        }
      }
    }
    const int slots = operands + static_cast<int>(chain_.temporary.size());
    if (slots > kernels::elementwise::kMostSlots) refuse(std::to_string(slots) + " values at once",
                                                         kernels::elementwise::kMostSlots);
  }

  int take_place(std::vector<int>& free, Index size) {
    const auto same = std::ranges::find_if(free, [&](int p) { return chain_.temporary[p] == size; });
    if (same == free.end()) {
      chain_.temporary.push_back(size);
      return static_cast<int>(chain_.temporary.size()) - 1;
    }
    const int found = *same;
    free.erase(same);
    return found;
  }

  [[noreturn]] static void refuse(const std::string& what, int most) {
    throw errors::invalid_argument("fuse", what, "must be at most " + std::to_string(most) +
                                                     " in one function; split it in two");
  }

  std::span<const FusedNode> nodes_;
  std::span<const DType> dtypes_;
  FusedChain& chain_;
  std::map<Key, Value> values_;
  std::vector<Emitted> emitted_;
  std::vector<Index> sizes_;  // of the temporaries
};

}  // namespace

std::vector<DType> fused_dtypes(std::span<const FusedNode> nodes, std::span<const Tensor> inputs) {
  std::vector<DType> dtypes;
  for (const FusedNode& node : nodes) {
    switch (node.is) {
      case Is::Input: dtypes.push_back(inputs[node.input].dtype); break;
      case Is::Number: dtypes.push_back(node.number.own_dtype()); break;
      case Is::Compute: dtypes.push_back(op_types(node, nodes, dtypes).result); break;
      case Is::Convert: dtypes.push_back(node.dtype); break;
      case Is::Reduce: dtypes.push_back(reduced_dtype(node, dtypes[node.arguments[0]])); break;
    }
  }
  return dtypes;
}

FusedChain make_fused_chain(std::span<const FusedNode> nodes, std::span<const DType> dtypes,
                            std::vector<int> targets) {
  FusedChain chain;
  chain.targets = std::move(targets);
  Builder(nodes, dtypes, chain).build();
  return chain;
}

}  // namespace strided
