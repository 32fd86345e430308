#include "layout/contiguity.hpp"

#include <algorithm>

#include "check.hpp"
#include "random_layout.hpp"

namespace strided::testing {
namespace {

struct Row {
  Dims shape, strides;
  bool row_major, column_major, packed;
};

const check::Test table("row-major, column-major, packed: table", [] {
  const Row rows[] = {
      {{}, {}, true, true, true},
      {{3}, {1}, true, true, true},
      {{3}, {2}, false, false, false},
      {{3}, {-1}, false, false, true},
      {{3}, {0}, false, false, false},
      {{1}, {7}, true, true, true},
      {{2, 3}, {3, 1}, true, false, true},
      {{2, 3}, {1, 2}, false, true, true},
      {{2, 3}, {4, 1}, false, false, false},
      {{2, 3}, {-3, -1}, false, false, true},
      {{2, 3}, {0, 1}, false, false, false},
      {{2, 3}, {1, 1}, false, false, false},
      {{2, 0}, {9, 9}, true, true, true},
      {{1, 3, 1}, {7, 1, -4}, true, true, true},
      {{2, 3, 4}, {4, 8, 1}, false, false, true},
  };
  for (const Row& row : rows) {
    const Layout layout(row.shape, row.strides, 5);
    check::equal(is_row_major(layout), row.row_major, "row-major " + layout.text());
    check::equal(is_column_major(layout), row.column_major, "column-major " + layout.text());
    check::equal(is_packed(layout), row.packed, "packed " + layout.text());
  }
});

const check::Test walked("packed means that a walk fills a block, each cell once", [] {
  Random random(3);
  for (int round = 0; round < check::rounds(5000); ++round) {
    const Layout layout = random_layout(random, 3, 3, 6);
    std::vector<Index> positions = positions_of(layout);
    std::ranges::sort(positions);
    const Index count = static_cast<Index>(positions.size());
    const bool distinct = std::ranges::adjacent_find(positions) == positions.end();
    const bool filled = count == 0 || positions.back() - positions.front() == count - 1;
    check::equal(is_packed(layout), distinct && filled, layout.text());
  }
});

const check::Test faults("the first axis from the right that spoils row-major order", [] {
  OrderFault fault;
  check::that(find_order_fault(Layout(Dims{2, 3}, Dims{3, 4}, 0), fault), "found");
  check::equal(Dims({fault.axis, fault.stride, fault.needed}), Dims{1, 4, 1});
  check::that(find_order_fault(Layout(Dims{2, 1, 3}, Dims{4, 9, 1}, 0), fault), "found");
  check::equal(Dims({fault.axis, fault.stride, fault.needed}), Dims{0, 4, 3});
  check::that(!find_order_fault(Layout::row_major(Dims{2, 1, 3}), fault), "none");
});

const check::Test orders("memory order, and layouts made in an order", [] {
  check::equal(memory_order(Layout::row_major(Dims{2, 3, 4})), Dims{0, 1, 2});
  check::equal(memory_order(Layout::column_major(Dims{2, 3, 4})), Dims{2, 1, 0});
  check::equal(memory_order(Layout(Dims{2, 3, 4}, Dims{-4, 8, 1}, 0)), Dims{1, 0, 2});
  check::equal(memory_order(Layout(Dims{2, 3, 4}, Dims{1, 0, 2}, 0)), Dims{2, 0, 1}, "repeats");
  check::equal(memory_order(Layout(Dims{5, 3, 4}, Dims{0, 1, 3}, 0)), Dims{0, 2, 1}, "repeats");
  check::equal(memory_order(Layout(Dims{2, 1, 4}, Dims{4, 99, 1}, 0)), Dims{0, 1, 2}, "length 1");
  check::equal(memory_order(Layout(Dims{2, 2}, Dims{1, 1}, 0)), Dims{0, 1}, "ties");

  const Dims channels_last{0, 2, 3, 1};
  const Layout image = Layout::ordered(Dims{2, 3, 4, 5}, channels_last);
  check::equal(image, "(2, 3, 4, 5):(60, 1, 15, 3)+0");
  check::that(is_in_order(image, channels_last), "made in this order");
  check::that(!is_in_order(image, Dims{0, 1, 2, 3}), "not row-major");
  check::raises(ErrorKind::InvalidArgument, [&] { is_in_order(image, Dims{0, 1}); });
});

}  // namespace
}  // namespace strided::testing
