#include "layout/reshape.hpp"

#include <optional>

#include "check.hpp"
#include "random_layout.hpp"

namespace strided::testing {
namespace {

struct Accepted {
  Dims shape, strides, new_shape, new_strides;
};

const check::Test accepted("reshape: views, with PyTorch's strides", [] {
  const Accepted rows[] = {
      {{2, 3}, {3, 1}, {6}, {1}},
      {{6}, {1}, {2, 3}, {3, 1}},
      {{6}, {2}, {2, 3}, {6, 2}},
      {{6}, {-1}, {2, 3}, {-3, -1}},
      {{2, 3}, {-3, -1}, {6}, {-1}},
      {{2, 3}, {0, 0}, {6}, {0}},
      {{6}, {0}, {2, 3}, {0, 0}},
      {{4, 6}, {1, 4}, {4, 2, 3}, {1, 12, 4}},
      {{4, 6}, {1, 4}, {2, 2, 6}, {2, 1, 4}},
      {{2, 3, 4}, {12, 4, 1}, {6, 4}, {4, 1}},
      {{2, 3, 4}, {24, 4, 1}, {2, 12}, {24, 1}},
      {{2, 3, 4}, {0, 4, 1}, {2, 12}, {0, 1}},
      {{2, 1, 3}, {3, 77, 1}, {6}, {1}},
      {{2, 1, 3}, {3, 77, 1}, {2, 1, 3}, {3, 3, 1}},
      {{2, 3, 1}, {3, 1, 77}, {2, 3}, {3, 1}},
      {{2, 3}, {3, 1}, {1, 2, 1, 3, 1}, {6, 3, 3, 1, 1}},
      {{1}, {9}, {}, {}},
      {{1}, {9}, {1, 1}, {9, 9}},
      {{}, {}, {1, 1}, {1, 1}},
      {{}, {}, {}, {}},
      {{2, 0}, {5, 7}, {2, 0}, {5, 7}},
      {{2, 0}, {5, 7}, {0, 3, 2}, {6, 2, 1}},
      {{2, 0}, {5, 7}, {3, 0, 2}, {2, 2, 1}},
  };
  for (const Accepted& row : rows) {
    const Layout layout(row.shape, row.strides, 8);
    const std::string about = layout.text() + " as " + text_of(row.new_shape);
    Layout result;
    ReshapeRefusal refusal;
    check::that(try_reshape(layout, row.new_shape, result, refusal), about);
    check::equal(result, Layout(row.new_shape, row.new_strides, 8), about);
  }
});

struct Refused {
  Dims shape, strides, new_shape;
  Dims pair;  // axis, step, needed
};

const check::Test refused("reshape: refusals name the axes that do not step together", [] {
  const Refused rows[] = {
      {{4, 6}, {1, 4}, {24}, {0, 1, 24}},
      {{2, 3}, {4, 1}, {6}, {0, 4, 3}},
      {{2, 3}, {4, 1}, {3, 2}, {0, 4, 3}},
      {{2, 3}, {-3, 1}, {6}, {0, -3, 3}},
      {{2, 3}, {0, 1}, {6}, {0, 0, 3}},
      {{2, 3}, {1, 0}, {6}, {0, 1, 0}},
      {{2, 3, 4}, {12, 1, 3}, {2, 12}, {1, 1, 12}},
      {{2, 3, 4}, {24, 4, 1}, {6, 4}, {0, 24, 12}},
      {{2, 1, 3}, {4, 77, 1}, {6}, {0, 4, 3}},
  };
  for (const Refused& row : rows) {
    const Layout layout(row.shape, row.strides, 8);
    const std::string about = layout.text() + " as " + text_of(row.new_shape);
    Layout result;
    ReshapeRefusal refusal;
    check::that(!try_reshape(layout, row.new_shape, result, refusal), about);
    check::equal(Dims({refusal.axis, refusal.step, refusal.needed}), row.pair, about);
    check::raises(ErrorKind::ViewNotPossible, [&] { reshaped(layout, row.new_shape); });
  }
});

const check::Test resolved("the length -1 is what is left over", [] {
  check::equal(resolved_shape(Dims{-1, 2}, Dims{4, 3}), Dims{6, 2});
  check::equal(resolved_shape(Dims{-1}, Dims{}), Dims{1});
  check::equal(resolved_shape(Dims{-1, 2}, Dims{0, 3}), Dims{0, 2});
  check::raises(ErrorKind::ShapeMismatch, [] { resolved_shape(Dims{-1, 0}, Dims{0, 3}); });
  check::raises(ErrorKind::ShapeMismatch, [] { resolved_shape(Dims{-1, 5}, Dims{4, 3}); });
  check::raises(ErrorKind::ShapeMismatch, [] { resolved_shape(Dims{5}, Dims{4, 3}); });
  check::raises(ErrorKind::InvalidArgument, [] { resolved_shape(Dims{-1, -1}, Dims{4, 3}); });
  check::raises(ErrorKind::InvalidArgument, [] { resolved_shape(Dims{-2, -6}, Dims{4, 3}); });
  const Index huge = Index{1} << 40;
  check::raises(ErrorKind::InvalidArgument, [=] { resolved_shape(Dims{huge, huge}, Dims{4}); });
  const std::vector<Index> ones(kMaxRank + 1, 1);
  check::raises(ErrorKind::InvalidArgument, [&] { resolved_shape(ones, Dims{1}); });
});

const check::Test flattening("flatten joins a run of axes", [] {
  const Layout layout = Layout::row_major(Dims{2, 3, 4});
  check::equal(flattened(layout, 0, -1), "(24,):(1,)+0");
  check::equal(flattened(layout, 1, 2), "(2, 12):(12, 1)+0");
  check::equal(flattened(layout, 1, 1), layout);
  check::equal(flattened(Layout(Dims{1, 2}, Dims{9, 5}, 0), 0, 0), "(1, 2):(9, 5)+0");
  check::equal(flattened(Layout::row_major(Dims{}), 0, -1), "(1,):(1,)+0");
  check::equal(flattened(Layout::row_major(Dims{3, 0, 2}), 1, -1), "(3, 0):(1, 1)+0");
  check::raises(ErrorKind::InvalidArgument, [&] { flattened(layout, 2, 1); });
  check::raises(ErrorKind::InvalidDimension, [&] { flattened(layout, 0, 3); });
  check::raises(ErrorKind::ViewNotPossible,
                [] { flattened(Layout::column_major(Dims{2, 3}), 0, 1); });
});

// The strides of `shape` that visit `positions`, each read off where its axis takes its first step.
std::optional<Layout> layout_through(const std::vector<Index>& positions, Span shape) {
  const Layout flat = Layout::row_major(shape);
  Layout result = Layout::uninitialised(flat.rank(), positions[0]);
  for (int axis = 0; axis < flat.rank(); ++axis) {
    const bool steps = shape[axis] > 1;
    result.set_axis(axis, shape[axis], steps ? positions[flat.stride(axis)] - positions[0] : 0);
  }
  if (positions_of(result) == positions) return result;
  return std::nullopt;
}

const check::Test complete("reshape succeeds exactly where some strides exist", [] {
  Random random(4);
  const Dims shapes[] = {{24}, {2, 12}, {12, 2}, {4, 6}, {6, 4}, {2, 3, 4}, {4, 3, 2}, {2, 1, 2, 6},
                         {8, 3}, {3, 8}, {2, 2, 2, 3}, {3, 2, 2, 2}, {1, 24, 1}, {2, 2, 6}};
  int views = 0;
  for (int round = 0; round < check::rounds(20000); ++round) {
    const Dims& from = shapes[between(random, 0, std::ssize(shapes) - 1)];
    const Dims& to = shapes[between(random, 0, std::ssize(shapes) - 1)];
    Layout layout = Layout::row_major(from, between(random, -9, 9));
    for (int axis = 0; axis < layout.rank(); ++axis) {
      // Mostly strides that step together, so that both outcomes are common.
      const Index factor[] = {1, 1, 1, 1, 2, -1, 0};
      layout.set_axis(axis, from[axis], layout.stride(axis) * factor[between(random, 0, 6)]);
    }
    const std::optional<Layout> expected = layout_through(positions_of(layout), to);
    Layout result;
    ReshapeRefusal refusal;
    const bool found = try_reshape(layout, to, result, refusal);
    const std::string about = layout.text() + " as " + text_of(to);
    check::equal(found, expected.has_value(), about);
    if (found && expected) check::that(same_elements(result, *expected), about);
    views += found;
  }
  check::that(views > check::rounds(2000) && views < check::rounds(18000), "both outcomes are common");
});

const check::Test extreme("huge strides neither overflow nor join by accident", [] {
  const Index half = Index{1} << 62;
  Layout result;
  ReshapeRefusal refusal;
  const Layout apart(Dims{2, 2}, Dims{5, half}, 0), line(Dims{2}, Dims{half}, 0);
  check::that(!try_reshape(apart, Dims{4}, result, refusal), "refused");
  check::that(try_reshape(line, Dims{1, 2}, result, refusal), "a view");
  check::equal(result.stride(1), half);
});

}  // namespace
}  // namespace strided::testing
