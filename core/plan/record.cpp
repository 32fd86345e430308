#include "record.hpp"

#include <algorithm>
#include <utility>

namespace strided {

constinit std::atomic<int> RecordScope::recorders = 0;
constinit thread_local PlanRecorder* RecordScope::listener = nullptr;

PlanRecord::PlanRecord(std::string name, const IterationSpace& space, std::vector<std::string> inner, Index parts,
                       std::string cut)
    : operation(std::move(name)), shape(space.shape.begin(), space.shape.end()), tiles(std::move(cut)), chunks(parts),
      loops(std::move(inner)) {
  for (int axis = 0; axis < space.rank(); ++axis) roles.emplace_back(name_of(space.roles[axis]));
  for (int k = 0; k < space.operands; ++k) steps.emplace_back(space.steps(k).begin(), space.steps(k).end());
}

void PlanRecord::add_loop(std::string loop) {
  if (!loop.empty() && std::ranges::find(loops, loop) == loops.end()) loops.push_back(std::move(loop));
}

PlanRecorder::PlanRecorder() : before_(std::exchange(RecordScope::listener, this)) { ++RecordScope::recorders; }
PlanRecorder::~PlanRecorder() {
  RecordScope::listener = before_;
  --RecordScope::recorders;
}

}  // namespace strided
