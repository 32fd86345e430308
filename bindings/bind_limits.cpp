// Enumerations and limits: the numbers that Python code of this package asks for instead of repeating them.
#include "bind_ops.hpp"
#include "graph.hpp"
#include "layout/dims.hpp"
#include "memory/heap.hpp"
#include "operation.hpp"
#include "tensor/fused.hpp"
#include "tensor/kernel_limits.hpp"

namespace strided::python {
namespace {

void bind_kernel_limits(nanobind::module_& m) {
  const KernelLimits limits = kernel_limits();
  m.attr("FEW_ROWS") = limits.few_rows;
  m.attr("MANY_ROWS") = limits.many_rows;
  m.attr("ATTENTION_BLOCK") = limits.attention_block;
  // From so many elements on a kernel lets other threads run, and one pass over memory repays its preparation.
  m.attr("WORTHWHILE") = KernelTime::kWorthwhile;
  m.attr("STORAGE_ALIGNMENT") = kAlignment;
  m.attr("MAX_RANK") = kMaxRank;
}

void bind_graph(nanobind::module_& m) {
  m.attr("DETACHED") = static_cast<int>(OwnHistory::Detached);
  m.attr("MADE_WITHOUT_GRAD") = static_cast<int>(OwnHistory::MadeWithoutGrad);
  m.attr("VIEW_OF_STORAGE") = static_cast<int>(ViewKind::OfStorage);
  m.attr("OPERAND_KEY_BITS") = kOperandKeyBits;
}

void bind_operation(nanobind::module_& m) {
  m.attr("SPREAD_NEVER") = static_cast<int>(Spread::Never);
  m.attr("SPREAD_SEVERAL") = static_cast<int>(Spread::Several);
  m.attr("SPREAD_ALWAYS") = static_cast<int>(Spread::Always);
}

void bind_fused_nodes(nanobind::module_& m) {
  using Is = FusedNode::Is;
  using Fold = FusedNode::Fold;
  m.attr("FUSED_INPUT") = static_cast<int>(Is::Input);
  m.attr("FUSED_NUMBER") = static_cast<int>(Is::Number);
  m.attr("FUSED_COMPUTE") = static_cast<int>(Is::Compute);
  m.attr("FUSED_CONVERT") = static_cast<int>(Is::Convert);
  m.attr("FUSED_REDUCE") = static_cast<int>(Is::Reduce);
  const std::pair<const char*, Fold> folds[] = {
      {"sum", Fold::Sum}, {"prod", Fold::Prod}, {"min", Fold::Min},      {"max", Fold::Max},       {"any", Fold::Any},
      {"all", Fold::All}, {"mean", Fold::Mean}, {"var", Fold::Variance}, {"std", Fold::Deviation},
  };
  nanobind::dict numbers;
  for (const auto& [name, fold] : folds) numbers[name] = static_cast<int>(fold);
  m.attr("FUSED_FOLDS") = numbers;
}

}  // namespace

void bind_limits(nanobind::module_& m) {
  bind_kernel_limits(m);
  bind_graph(m);
  bind_operation(m);
  bind_fused_nodes(m);
}

}  // namespace strided::python
