// The lanes of a scan: the lines along its axis, and which of them are taken together.
//
// One by one where a lane lies side by side in memory, many at once where its neighbours do: whichever
// steps less is walked inside.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "layout/bounds.hpp"
#include "plan/operand.hpp"

namespace strided {

struct ScanAxis {
  Index length, in, out;  // steps in bytes
};

struct LaneGroup {
  const std::byte* in;
  std::byte* out;
  Index columns;  // lanes
};

struct ScanLanes {
  int rank = 0;
  ScanAxis axis[kMaxRank];  // all but the scanned one, by the output's steps, slowest first
  ScanAxis lane;            // the scanned one
  const std::byte* in;
  std::byte* out;
  bool along;      // lanes are taken one by one
  Index together;  // or so many, neighbours along the fastest axis
  Index groups;    // of them

  ScanLanes(const Operand& to, const Operand& from, int scanned) {
    in = from.first();
    out = to.first();
    for (int i = 0; i < to.layout->rank(); ++i) {
      const Index in_step = scaled(from.layout->stride(i), itemsize(from.dtype), 1);
      const Index out_step = scaled(to.layout->stride(i), itemsize(to.dtype), 1);
      if (i == scanned) lane = {to.layout->length(i), in_step, out_step};
      else if (to.layout->length(i) > 1) add({to.layout->length(i), in_step, out_step});
    }
    fuse();
  }

  ScanAxis inner() const { return rank > 0 ? axis[rank - 1] : ScanAxis{1, 0, 0}; }

  // Lanes too short to be worth a call each are always taken together.
  void take_together(Index most) {
    const bool closer = std::abs(lane.in) + std::abs(lane.out) < std::abs(inner().in) + inner().out;
    along = rank == 0 || (closer && lane.length >= kShortLane);
    together = along ? 1 : std::min(inner().length, most);
    groups = 1;
    for (int i = 0; i < rank; ++i) groups *= axis[i].length;
    if (!along) groups = groups / inner().length * groups_along_inner();
  }

  LaneGroup group(Index number) const {
    LaneGroup found{in, out, 1};
    int i = rank - 1;
    if (!along) {
      const Index first = number % groups_along_inner() * together;
      number /= groups_along_inner();
      found.in += first * axis[i].in;
      found.out += first * axis[i].out;
      found.columns = std::min(together, axis[i].length - first);
      --i;
    }
    for (; i >= 0; --i) {
      found.in += number % axis[i].length * axis[i].in;
      found.out += number % axis[i].length * axis[i].out;
      number /= axis[i].length;
    }
    return found;
  }

 private:
  static constexpr Index kShortLane = 16;

  Index groups_along_inner() const { return (inner().length + together - 1) / together; }

  void add(ScanAxis more) {
    if (more.out < 0) {  // from the other end
      in += more.in * (more.length - 1);
      out += more.out * (more.length - 1);
      more.in = -more.in;
      more.out = -more.out;
    }
    int at = rank++;
    for (; at > 0 && axis[at - 1].out < more.out; --at) axis[at] = axis[at - 1];
    axis[at] = more;
  }

  void fuse() {
    int last = 0;
    for (int i = 1; i < rank; ++i) {
      ScanAxis &outer = axis[last], &more = axis[i];
      if (outer.in == more.length * more.in && outer.out == more.length * more.out) {
        more.length *= outer.length;
        outer = more;
      } else {
        axis[++last] = more;
      }
    }
    rank = std::min(rank, last + 1);
  }
};

}  // namespace strided
