// strided.fuse: a traced function, given as a list of nodes, run as one pass.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "arguments.hpp"
#include "bind_ops.hpp"
#include "layout/bounds.hpp"
#include "tensor/fused.hpp"
#include "tensor_object.hpp"

namespace nb = nanobind;

namespace strided::python {
namespace {

using Is = FusedNode::Is;

// (kind, ...): see strided/ops/deferred.py, which writes them.
FusedNode to_node(nb::handle given, int number, int inputs) {
  const auto field = [&](int i) { return given[i]; };
  const auto earlier = [&](nb::handle at) {
    const int node = nb::cast<int>(at);
    if (node < 0 || node >= number) throw nb::value_error("a node may only name earlier ones");
    return node;
  };
  const auto kind = nb::cast<int>(field(0));
  FusedNode node{};
  node.is = static_cast<Is>(kind);
  switch (node.is) {
    case Is::Input:
      node.input = nb::cast<int>(field(1));
      if (node.input < 0 || node.input >= inputs) throw nb::value_error("no such input");
      return node;
    case Is::Number:
      if (!to_scalar(field(1).ptr(), node.number)) throw nb::type_error("expected a number");
      return node;
    case Is::Compute: {
      const int op = nb::cast<int>(field(1));
      if (op < 0 || op >= kOpCount) throw nb::value_error("no such op");
      node.op = static_cast<Op>(op);
      for (int i = 0; i < row_of(node.op).arity; ++i) node.arguments[i] = earlier(field(2 + i));
      return node;
    }
    case Is::Convert:
      node.dtype = to_dtype(field(1).ptr());
      node.arguments[0] = earlier(field(2));
      return node;
    case Is::Reduce:
      node.fold = static_cast<FusedNode::Fold>(nb::cast<int>(field(1)));
      node.arguments[0] = earlier(field(2));
      node.axes = nb::cast<std::uint64_t>(field(3));
      node.correction = nb::cast<double>(field(4));
      return node;
  }
  throw nb::value_error("no such kind of node");
}

std::vector<Tensor> to_tensors(nb::sequence objects, const char* name) {
  std::vector<Tensor> tensors;
  for (nb::handle object : objects) tensors.push_back(expect_tensor(object.ptr(), name));
  return tensors;
}

std::vector<FusedNode> to_nodes(nb::sequence nodes, const std::vector<Tensor>& inputs) {
  std::vector<FusedNode> list;
  for (nb::handle node : nodes) {
    list.push_back(to_node(node, static_cast<int>(list.size()), static_cast<int>(inputs.size())));
  }
  return list;
}

std::vector<int> to_results(nb::sequence outputs, const std::vector<FusedNode>& nodes) {
  std::vector<int> results;
  for (nb::handle node : outputs) {
    results.push_back(nb::cast<int>(node));
    if (results.back() < 0 || results.back() >= static_cast<int>(nodes.size())) throw nb::value_error("no such node");
  }
  if (results.empty()) throw nb::value_error("no output is named");
  return results;
}

nb::list run_fused(nb::sequence nodes, nb::sequence inputs, nb::sequence outputs, nb::handle shape, nb::sequence out) {
  const std::vector<Tensor> tensors = to_tensors(inputs, "input"), targets = to_tensors(out, "out");
  const std::vector<FusedNode> list = to_nodes(nodes, tensors);
  const std::vector<int> results = to_results(outputs, list);
  const Dims common = to_dims(shape.ptr());
  Py_ssize_t work = 1;
  for (Index length : common) work = saturated_product(work, length);
  std::vector<Tensor> made;
  {
    const KernelTime released(work);
    made = fused(list, tensors, results, common, targets);
  }
  nb::list answer;
  for (Tensor& tensor : made) answer.append(nb::steal(new_tensor(std::move(tensor))));
  return answer;
}

}  // namespace

void bind_fused(nb::module_& m) {
  m.def("run_fused", run_fused);
  // The dtype of the last node.
  m.def("fused_dtype", [](nb::sequence nodes, nb::sequence inputs) {
    const std::vector<Tensor> tensors = to_tensors(inputs, "input");
    return nb::steal(from_dtype(fused_dtypes(to_nodes(nodes, tensors), tensors).back()));
  });
}

}  // namespace strided::python
