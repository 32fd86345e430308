// The plans that kernels run, as Python sees them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind_ops.hpp"
#include "plan/record.hpp"

namespace nb = nanobind;

namespace strided::python {
namespace {

nb::tuple to_tuple(const PlanRecord& record) {
  nb::list axes;
  for (std::size_t axis = 0; axis < record.shape.size(); ++axis) {
    nb::list steps;
    for (const std::vector<Index>& operand : record.steps) steps.append(operand[axis]);
    axes.append(nb::make_tuple(record.shape[axis], record.roles[axis], nb::tuple(steps)));
  }
  return nb::make_tuple(record.operation, nb::tuple(axes), record.tiles, record.chunks, record.streams,
                        nb::tuple(nb::cast(record.loops)));
}

}  // namespace

void bind_plan(nb::module_& m) {
  // Calls function() and returns what the kernels that it ran on this thread recorded.
  m.def("record_plans", [](nb::callable function) {
    const PlanRecorder recorder;
    function();
    nb::list answer;
    for (const PlanRecord& record : recorder.records()) answer.append(to_tuple(record));
    return answer;
  });
}

}  // namespace strided::python
