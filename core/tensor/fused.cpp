#include "fused.hpp"

#include <algorithm>
#include <bit>

#include "assign.hpp"
#include "errors.hpp"
#include "fused_chain.hpp"
#include "fused_folds.hpp"
#include "kernels/elementwise/chain.hpp"
#include "kernels/copy/copy.hpp"
#include "layout/views.hpp"
#include "materialise.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"
#include "reduced.hpp"
#include "run/interrupt.hpp"
#include "run/pool.hpp"
#include "run/machine.hpp"
#include "tensor_tiles.hpp"

namespace strided {
namespace {

using Is = FusedNode::Is;
using Fold = FusedNode::Fold;

// What reductions read again is still in the second cache. Fixed: sums are cut here, so it decides their bits.
constexpr Index kTileBytes = Index{256} << 10;

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

class Fused {
 public:
  Fused(std::span<const FusedNode> nodes, std::span<const Tensor> inputs, std::span<const int> wanted, Span shape)
      : nodes_(nodes), inputs_(inputs.begin(), inputs.end()), wanted_(wanted), shape_(shape),
        dtypes_(fused_dtypes(nodes, inputs)) {
    for (Tensor& input : inputs_) input.layout = broadcast_to(input.layout, shape_);
    std::vector<int> targets;
    for (int node : wanted) if (nodes[node].is != Is::Reduce) targets.push_back(node);
    if (!targets.empty()) elementwise_ = make_fused_chain(nodes_, dtypes_, targets);
    chains_.resize(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].is != Is::Reduce) continue;
      const int argument = nodes[i].arguments[0];
      if (nodes[argument].is != Is::Input) chains_[i] = make_fused_chain(nodes_, dtypes_, {argument});
      reduces_ = true;
    }
    find_companions();
  }

  DType dtype_of(int node) const { return dtypes_[node]; }
  const std::vector<Tensor>& inputs() const { return inputs_; }

  Dims order() const {
    std::vector<Operand> operands;
    for (const Tensor& input : inputs_) operands.push_back(input.operand());
    return operands.empty() ? Dims{} : order_for(shape_, operands);
  }

  // Inputs that an output would overwrite too early are copied first. Says whether an input is still read
  // from the output's memory.
  bool protect(const Tensor& out) {
    bool shared = false;
    for (Tensor& input : inputs_) {
      if (!ranges_touch(out, input)) continue;
      if (!same_places(out, input) && overlap_of(out, input) != Overlap::No) {
        input = materialise(input, CopyReason::Overlapping);
      } else {
        shared = true;
      }
    }
    return shared;
  }

  // results: one tensor per wanted node; those of reductions are filled with what the tiles give.
  void run(std::vector<Tensor>& results, bool stream) {
    if (!reduces_) {
      run_chain_on(elementwise_, inputs_, {}, results, stream);
      return;
    }
    const BlockCut cut = cut_into_blocks(shape_, cuttable(), tile_elements());
    const RecordScope scope([&] { return record_of(cut, stream); }, RecordScope::LoopsInside::Joined);
    std::vector<Tensor> parts(wanted_.size());
    for (std::size_t i = 0; i < wanted_.size(); ++i) parts[i] = part_tensor(nodes_[wanted_[i]], cut, results[i]);
    run_tiles(cut, parts, stream);
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const FusedNode& node = nodes_[wanted_[i]];
      if (node.is == Is::Reduce && cuts_through(cut, node)) join_parts(node, parts[i], results[i]);
    }
  }

 private:
  PlanRecord record_of(const BlockCut& cut, bool stream) const {
    IterationSpace space;
    for (Index length : shape_) space.add_axis(length, Role::Map, nullptr);
    PlanRecord record("fused", space);
    record.tiles = counted(static_cast<std::size_t>(cut.blocks), "tile") + " of " +
                   text_of(tile_shape(shape_, cut, tile_place(cut, shape_, 0)));
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].is != Is::Reduce) continue;
      const Axes folded = axes_of(nodes_[i].axes, static_cast<int>(shape_.size()));
      for (Index axis : folded.list) record.roles[static_cast<std::size_t>(axis)] = name_of(Role::Fold);
      record.tiles += "; axes " + text_of(folded.list) + " are folded";
      if (!chains_[i].steps.empty()) record.tiles += " after " + counted(chains_[i].steps.size(), "step");
      if (cuts_through(cut, nodes_[i])) record.tiles += ", chunk by chunk";
    }
    if (!elementwise_.steps.empty()) record.tiles += "; then " + counted(elementwise_.steps.size(), "step");
    record.chunks = chunk_count(cut);
    record.streams = stream;
    return record;
  }

  // A mean and a variance of the same elements are found together.
  void find_companions() {
    companions_.assign(nodes_.size(), -1);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].is != Is::Reduce || !is_variance(nodes_[i].fold)) continue;
      if (is_complex(dtypes_[nodes_[i].arguments[0]])) continue;
      for (std::size_t j = 0; j < nodes_.size(); ++j) {
        if (nodes_[j].is != Is::Reduce || nodes_[j].fold != Fold::Mean || companions_[j] >= 0) continue;
        if (nodes_[j].arguments[0] != nodes_[i].arguments[0] || nodes_[j].axes != nodes_[i].axes) continue;
        companions_[i] = static_cast<int>(j);
        companions_[j] = static_cast<int>(i);
        break;
      }
    }
  }

  Index tile_elements() const {
    Index largest = 1;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].is != Is::Number) largest = std::max<Index>(largest, itemsize(dtypes_[i]));
    }
    return kTileBytes / largest;
  }

  // Axes that may be cut: those before any that an inner reduction, or a variance, goes over.
  int cuttable() const {
    int most = static_cast<int>(shape_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].is != Is::Reduce || nodes_[i].axes == 0) continue;
      const bool joinable = !is_variance(nodes_[i].fold) && !used_inside(static_cast<int>(i));
      if (!joinable) most = std::min(most, std::countr_zero(nodes_[i].axes));
    }
    return most;
  }

  bool used_inside(int node) const {
    return std::ranges::any_of(nodes_, [&](const FusedNode& one) {
      return (one.is == Is::Compute || one.is == Is::Convert || one.is == Is::Reduce) &&
             std::ranges::find(one.arguments, node) != std::end(one.arguments);
    });
  }

  // Whether tiles see only parts of what a reduction goes over.
  bool cuts_through(const BlockCut& cut, const FusedNode& node) const {
    for (int axis = 0; axis <= cut.axis && axis < static_cast<int>(shape_.size()); ++axis) {
      const bool several = axis < cut.axis ? shape_[axis] > 1 : cut.ranges > 1;
      if (several && (node.axes >> axis & 1)) return true;
    }
    return false;
  }

  // What tiles write: the result itself, or one part per cut of the reduced axes.
  Tensor part_tensor(const FusedNode& node, const BlockCut& cut, const Tensor& result) const {
    if (node.is != Is::Reduce || !cuts_through(cut, node)) return result;
    Dims shape(shape_);
    for (int axis = 0; axis < shape.size(); ++axis) {
      if (!(node.axes >> axis & 1)) continue;
      shape[axis] = axis < cut.axis ? shape_[axis] : axis == cut.axis ? cut.ranges : 1;
    }
    const DType dtype = plain(node.fold) == Reduction::Sum ? sum_dtype(dtypes_[node.arguments[0]]) : result.dtype;
    return empty_tensor(shape, is_half(dtype) ? DType::Float32 : dtype);
  }

  void join_parts(const FusedNode& node, const Tensor& parts, const Tensor& result) const {
    const Tensor joined = folded_part(node, parts);
    double count = 1;
    for (std::size_t axis = 0; axis < shape_.size() && node.fold == Fold::Mean; ++axis) {
      if (node.axes >> axis & 1) count *= static_cast<double>(shape_[axis]);
    }
    const Argument divided[] = {{&joined, {}}, {nullptr, Scalar::of(count)}};
    if (node.fold == Fold::Mean) compute_into(result, Op::Divide, divided, "mean");
    else kernels::copy::copy(result.operand(), joined.operand());
  }

  void run_tiles(const BlockCut& cut, const std::vector<Tensor>& parts, bool stream) {
    const int chunks = chunk_count(cut);
    run_chunks(chunks, [&](int chunk) {
      for (Index i = cut.blocks * chunk / chunks; i < cut.blocks * (chunk + 1) / chunks; ++i) {
        check_interrupt();
        run_tile(cut, i, parts, stream);
      }
    });
  }

  int chunk_count(const BlockCut& cut) const {
    Index bytes = 0, count = 1;
    for (const Tensor& input : inputs_) bytes += input.item();
    for (Index length : shape_) count *= length;
    return static_cast<int>(std::min<Index>(cut.blocks, chunks_for(static_cast<std::size_t>(count * bytes))));
  }

  void run_tile(const BlockCut& cut, Index number, const std::vector<Tensor>& parts, bool stream) {
    const TilePlace place = tile_place(cut, shape_, number);
    std::vector<Tensor> inputs;
    for (const Tensor& input : inputs_) inputs.push_back(tile_of(input, cut, place));
    std::vector<Tensor> values(nodes_.size());  // of the reductions, and of what they go over
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].is != Is::Reduce || values[i].storage) continue;
      const int argument = nodes_[i].arguments[0];
      Tensor& x = values[argument];
      if (!x.storage) {
        if (nodes_[argument].is == Is::Input) {
          x = inputs[nodes_[argument].input];
        } else {
          x = empty_tensor(tile_shape(shape_, cut, place), dtypes_[argument]);
          run_chain_on(chains_[i], inputs, values, {&x, 1}, false);
        }
      }
      if (const int other = companions_[i]; other >= 0 && !cuts_through(cut, nodes_[i])) {
        const bool mean_first = nodes_[i].fold == Fold::Mean;
        const FusedNode& variance = nodes_[mean_first ? other : static_cast<int>(i)];
        auto [deviation, mean] =
            variance_and_mean(variance_kind_of(variance.fold), x, axes_of(variance.axes, x.layout.rank()),
                              variance.correction, true);
        values[i] = mean_first ? mean : deviation;
        values[other] = mean_first ? deviation : mean;
      } else {
        values[i] = cuts_through(cut, nodes_[i]) ? folded_part(nodes_[i], x) : folded(nodes_[i], x);
      }
    }
    std::vector<Tensor> tiles;
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const FusedNode& node = nodes_[wanted_[i]];
      if (node.is != Is::Reduce) {
        tiles.push_back(tile_of(parts[i], cut, place));
        continue;
      }
      kernels::copy::copy(part_tile(node, parts[i], cut, place).operand(), values[wanted_[i]].operand());
    }
    if (!tiles.empty()) run_chain_on(elementwise_, inputs, values, tiles, stream);
  }

  // Where the values of one tile go: along reduced axes, the parts lie one per cut.
  static Tensor part_tile(const FusedNode& node, const Tensor& parts, const BlockCut& cut, const TilePlace& place) {
    Tensor part = parts;
    Index offset = parts.layout.offset();
    for (int axis = 0; axis <= cut.axis && axis < parts.layout.rank(); ++axis) {
      if (parts.layout.length(axis) == 1) continue;
      const bool one = (node.axes >> axis & 1) || axis < cut.axis;
      const Index first = place.at[axis] * (one ? 1 : cut.length);
      offset += first * parts.layout.stride(axis);
      part.layout.set_axis(axis, one ? 1 : std::min(cut.length, parts.layout.length(axis) - first),
                           parts.layout.stride(axis));
    }
    part.layout.set_offset(offset);
    return part;
  }

  void run_chain_on(const FusedChain& chain, const std::vector<Tensor>& inputs, const std::vector<Tensor>& values,
                    std::span<const Tensor> outputs, bool stream) const {
    if (outputs[0].layout.size() == 0) return;
    const Span shape = outputs[0].layout.shape();
    const std::size_t count = outputs.size() + chain.leaves.size();
    std::vector<Layout> layouts(count);
    SpaceOperand planned[kMaxOperands];
    std::byte* storage[kMaxOperands];
    Index sizes[kMaxOperands];
    alignas(16) std::byte numbers[kMaxOperands][16];
    for (std::size_t k = 0; k < count; ++k) {
      if (k < outputs.size()) {
        layouts[k] = outputs[k].layout;
        storage[k] = outputs[k].storage->data();
        sizes[k] = outputs[k].item();
      } else {
        const FusedLeaf& leaf = chain.leaves[k - outputs.size()];
        const FusedNode& node = nodes_[leaf.node];
        sizes[k] = itemsize(leaf.dtype);
        if (node.is == Is::Number) {
          node.number.store(leaf.dtype, numbers[k]);
          layouts[k] = broadcast_to(Layout(), shape);
          storage[k] = numbers[k];
        } else {
          const Tensor& tensor = node.is == Is::Input ? inputs[node.input] : values[leaf.node];
          layouts[k] = broadcast_to(tensor.layout, shape);
          storage[k] = tensor.storage->data();
        }
      }
      planned[k] = {&layouts[k], sizes[k]};
    }
    kernels::elementwise::run_chain({static_cast<int>(count), static_cast<int>(outputs.size()), sizes, chain.temporary,
                                     chain.steps, stream, "fused"}, ordered_space_of({planned, count}), storage);
  }

  std::span<const FusedNode> nodes_;
  std::vector<Tensor> inputs_;  // broadcast to the common shape
  std::span<const int> wanted_;
  Span shape_;
  std::vector<DType> dtypes_;
  FusedChain elementwise_;            // of all results that are no reductions
  std::vector<FusedChain> chains_;    // by node: of what a reduction goes over
  std::vector<int> companions_;       // by node: the reduction that is found together with it, or -1
  bool reduces_ = false;
};

}  // namespace

namespace {

Dims result_shape(const FusedNode& node, Span shape) {
  Dims own(shape);
  for (int axis = 0; axis < own.size() && node.is == Is::Reduce; ++axis) {
    if (node.axes >> axis & 1) own[axis] = 1;
  }
  return own;
}

void check_target(const Tensor& target, Span shape, DType dtype) {
  check_can_store(dtype, target.dtype, "fuse");
  if (target.dtype != dtype || !std::ranges::equal(shape, target.layout.shape())) {
    throw errors::shape_mismatch("fuse", shape, target.layout.shape(),
                                 "out must have the result's shape and dtype");
  }
  check_writable(target, "fuse");
}

// Fresh results, and whether all of them are worth_streaming.
bool make_results(const Fused& function, std::span<const FusedNode> nodes, std::span<const int> wanted, Span shape,
                  std::vector<Tensor>& results) {
  const Dims order = function.order();
  bool stream = true;
  for (int node : wanted) {
    const Dims own = result_shape(nodes[node], shape);
    const bool ordered = nodes[node].is != Is::Reduce && !order.empty();
    results.push_back(ordered ? empty_tensor_in_order(own, order, function.dtype_of(node))
                              : empty_tensor(own, function.dtype_of(node)));
    if (nodes[node].is != Is::Reduce) stream &= worth_streaming(results.back().nbytes());
  }
  return stream;
}

// A result that is an input as it is, or in another dtype, is a copy.
void log_copies(const Fused& function, std::span<const FusedNode> nodes, std::span<const int> wanted,
                std::span<const Tensor> results, bool into_out) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const FusedNode& node = nodes[wanted[i]];
    const bool converted = node.is == Is::Convert && nodes[node.arguments[0]].is == Is::Input;
    if (node.is != Is::Input && !converted) continue;
    const int input = converted ? nodes[node.arguments[0]].input : node.input;
    const CopyReason reason = converted ? CopyReason::Convert : into_out ? CopyReason::Assign : CopyReason::Clone;
    log_copy(reason, function.inputs()[input], results[i].layout, results[i].dtype);
  }
}

}  // namespace

std::vector<Tensor> fused(std::span<const FusedNode> nodes, std::span<const Tensor> inputs,
                          std::span<const int> wanted, Span shape, std::span<const Tensor> out) {
  Fused function(nodes, inputs, wanted, shape);
  std::vector<Tensor> results(out.begin(), out.end());
  bool stream = true;
  for (std::size_t i = 0; i < out.size(); ++i) {
    check_target(out[i], result_shape(nodes[wanted[i]], shape), function.dtype_of(wanted[i]));
    stream &= !function.protect(out[i]);
    if (nodes[wanted[i]].is != Is::Reduce) stream &= worth_streaming(out[i].nbytes());
  }
  if (out.empty()) stream = make_results(function, nodes, wanted, shape, results);
  log_copies(function, nodes, wanted, results, !out.empty());
  // Last, because a copy may be refused: then nothing counts as written.
  for (const Tensor& target : out) target.storage->bump_version("a fused function");
  function.run(results, stream);
  return results;
}

}  // namespace strided
