#include "layout/views.hpp"

#include <limits>

#include "check.hpp"
#include "random_layout.hpp"

namespace strided::testing {
namespace {

constexpr Index kMax = std::numeric_limits<Index>::max();
constexpr Index kMin = std::numeric_limits<Index>::min();
constexpr auto kNone = std::nullopt;

const Layout matrix = Layout::row_major(Dims{3, 4});
const Layout cube = Layout::row_major(Dims{2, 3, 4});
const Layout point = Layout::row_major(Dims{});

const check::Test slices("slices follow Python's rules", [] {
  check::equal(sliced(matrix, 0, 1, 2, 1), "(1, 4):(4, 1)+4");
  check::equal(sliced(matrix, 1, kNone, kNone, 2), "(3, 2):(4, 2)+0");
  check::equal(sliced(matrix, -1, kNone, kNone, -1), "(3, 4):(4, -1)+3");
  check::equal(sliced(matrix, 1, -2, kNone, -2), "(3, 2):(4, -2)+2");
  check::equal(sliced(matrix, 1, 9, 1, -1), "(3, 2):(4, -1)+3");
  check::equal(sliced(matrix, 1, 9, kNone, 1), "(3, 0):(4, 1)+4");
  check::equal(sliced(matrix, 1, 3, 1, 2), "(3, 0):(4, 2)+3");
  check::equal(sliced(matrix, 1, -9, kNone, -1), "(3, 0):(4, -1)+0");
  check::equal(sliced(Layout::row_major(Dims{0}), 0, kNone, kNone, -1), "(0,):(-1,)+0");
  check::equal(sliced(matrix, 0, kMin, kMax, kMax), "(1, 4):(4, 1)+0", "no step, any stride");
  check::equal(sliced(matrix, 0, kMax, kMin, kMin), "(1, 4):(4, 1)+8", "no step, any stride");
  check::raises(ErrorKind::InvalidArgument, [] { sliced(matrix, 0, kNone, kNone, 0); });
  check::raises(ErrorKind::InvalidDimension, [] { sliced(matrix, 2, kNone, kNone, 1); });
});

const check::Test slice_walk("a slice picks the elements a loop picks", [] {
  for (Index length = 0; length <= 5; ++length) {
    const Layout line(Dims{length}, Dims{3}, 100);
    for (Index start = -7; start <= 7; ++start) {
      for (Index stop = -7; stop <= 7; ++stop) {
        for (Index step : {-3, -2, -1, 1, 2, 3}) {
          std::vector<Index> expected;
          const Index end = step > 0 ? length : -1;
          Index at = start < 0 ? start + length : start;
          Index until = stop < 0 ? stop + length : stop;
          at = step > 0 ? std::max<Index>(at, 0) : std::min(at, length - 1);
          until = step > 0 ? std::min(until, end) : std::max(until, end);
          for (; step > 0 ? at < until : at > until; at += step) expected.push_back(100 + 3 * at);
          check::equal(positions_of(sliced(line, 0, start, stop, step)), expected);
        }
      }
    }
  }
});

const check::Test parts("narrow and select", [] {
  check::equal(narrowed(matrix, 0, 1, 2), "(2, 4):(4, 1)+4");
  check::equal(narrowed(matrix, 0, -1, 1), "(1, 4):(4, 1)+8");
  check::equal(narrowed(matrix, 0, 3, 0), "(0, 4):(4, 1)+12");
  check::raises(ErrorKind::IndexOutOfBounds, [] { narrowed(matrix, 0, 4, 0); });
  check::raises(ErrorKind::IndexOutOfBounds, [] { narrowed(matrix, 0, -4, 0); });
  check::raises(ErrorKind::InvalidArgument, [] { narrowed(matrix, 0, 1, kMax); });
  check::raises(ErrorKind::InvalidArgument, [] { narrowed(matrix, 0, 1, -1); });
  check::equal(selected(cube, 1, -1), "(2, 4):(12, 1)+8");
  check::equal(selected(selected(matrix, 0, 2), 0, 3), "():()+11");
  check::raises(ErrorKind::IndexOutOfBounds, [] { selected(matrix, 0, 3); });
  check::raises(ErrorKind::InvalidDimension, [] { selected(point, 0, 0); });
});

const check::Test diagonals("diagonals add two strides", [] {
  check::equal(diagonal(matrix, 0, 0, 1), "(3,):(5,)+0");
  check::equal(diagonal(matrix, 2, 0, 1), "(2,):(5,)+2");
  check::equal(diagonal(matrix, -1, 0, 1), "(2,):(5,)+4");
  check::equal(diagonal(matrix, 7, 0, 1), "(0,):(5,)+0");
  check::equal(diagonal(matrix, kMin, 0, 1), "(0,):(5,)+0");
  check::equal(diagonal(cube, 1, -1, 0), "(3, 1):(4, 13)+12");
  check::raises(ErrorKind::DuplicateAxis, [] { diagonal(matrix, 0, 1, -1); });
  check::raises(ErrorKind::InvalidArgument,
                [] { diagonal(Layout(Dims{2, 2}, Dims{kMax, 1}, 0), 0, 0, 1); });
});

const check::Test windows("unfold counts windows and walks inside one", [] {
  check::equal(unfolded(matrix, 1, 2, 1), "(3, 3, 2):(4, 1, 1)+0");
  check::equal(unfolded(matrix, 0, 2, 3), "(1, 4, 2):(12, 1, 4)+0");
  check::equal(unfolded(matrix, 0, 0, 2), "(2, 4, 0):(8, 1, 4)+0");
  check::equal(unfolded(matrix, 0, 3, kMax), "(1, 4, 3):(4, 1, 4)+0", "no step, any stride");
  check::equal(unfolded(point, -1, 1, 5), "(1,):(1,)+0");
  check::raises(ErrorKind::InvalidArgument, [] { unfolded(point, 0, 2, 1); });
  check::raises(ErrorKind::InvalidArgument, [] { unfolded(matrix, 0, 4, 1); });
  check::raises(ErrorKind::InvalidArgument, [] { unfolded(matrix, 0, -1, 1); });
  check::raises(ErrorKind::InvalidArgument, [] { unfolded(matrix, 0, 1, 0); });
  const Index many = Index{1} << 40;
  check::raises(ErrorKind::InvalidArgument,
                [=] { unfolded(Layout(Dims{many}, Dims{0}, 0), 0, many / 2, 1); });
});

const check::Test reordering("reordering moves lengths and strides together", [] {
  check::equal(transposed(cube, 0, -1), "(4, 3, 2):(1, 4, 12)+0");
  check::equal(transposed(point, 0, -1), point);
  check::equal(permuted(cube, Dims{2, 0, -2}), "(4, 2, 3):(1, 12, 4)+0");
  check::equal(moved(cube, Dims{0}, Dims{-1}), "(3, 4, 2):(4, 1, 12)+0");
  check::equal(moved(cube, Dims{2, 0}, Dims{0, 1}), "(4, 2, 3):(1, 12, 4)+0");
  check::equal(moved(point, Dims{0}, Dims{0}), point);
  check::equal(reversed_axes(cube), "(4, 3, 2):(1, 4, 12)+0");
  check::equal(reversed_axes(point), point);
  check::equal(flipped(cube, Dims{0, -1}), "(2, 3, 4):(-12, 4, -1)+15");
  check::equal(flipped(flipped(cube, Dims{1}), Dims{1}), cube);
  check::equal(flipped(Layout::row_major(Dims{2, 0}), Dims{1}), "(2, 0):(1, -1)+0");
  check::equal(flipped(point, Dims{0}), point);
  check::raises(ErrorKind::InvalidDimension, [] { transposed(cube, 0, 3); });
  check::raises(ErrorKind::ShapeMismatch, [] { permuted(cube, Dims{0, 1}); });
  check::raises(ErrorKind::DuplicateAxis, [] { permuted(cube, Dims{0, 1, -2}); });
  check::raises(ErrorKind::InvalidArgument, [] { moved(cube, Dims{0, 1}, Dims{0}); });
  check::raises(ErrorKind::DuplicateAxis, [] { moved(cube, Dims{0, 1}, Dims{2, 2}); });
  check::raises(ErrorKind::DuplicateAxis, [] { flipped(cube, Dims{0, -3}); });
});

const check::Test singles("axes of length 1 come and go", [] {
  const Layout thin(Dims{1, 3, 1}, Dims{9, 2, 7}, 4);
  check::equal(squeezed(thin), "(3,):(2,)+4");
  check::equal(squeezed(thin, Dims{0, 1}), "(3, 1):(2, 7)+4");
  check::equal(squeezed(point, Dims{-1}), point);
  check::raises(ErrorKind::DuplicateAxis, [&] { squeezed(thin, Dims{0, -3}); });
  check::raises(ErrorKind::InvalidDimension, [&] { squeezed(thin, Dims{3}); });
  check::equal(unsqueezed(matrix, 0), "(1, 3, 4):(12, 4, 1)+0");
  check::equal(unsqueezed(matrix, 1), "(3, 1, 4):(4, 4, 1)+0");
  check::equal(unsqueezed(matrix, -1), "(3, 4, 1):(4, 1, 1)+0");
  check::equal(unsqueezed(point, 0), "(1,):(1,)+0");
  const Layout far(Dims{2}, Dims{kMax}, 0);
  check::equal(unsqueezed(far, 0), Layout(Dims{1, 2}, Dims{kMax, kMax}, 0));
  check::raises(ErrorKind::InvalidDimension, [] { unsqueezed(matrix, 3); });
  Layout deep = point;
  for (int i = 0; i < kMaxRank; ++i) deep = unsqueezed(deep, 0);
  check::raises(ErrorKind::InvalidArgument, [&] { unsqueezed(deep, 0); });
  check::raises(ErrorKind::InvalidArgument, [&] { unfolded(deep, 0, 1, 1); });
});

const check::Test repeats("expand and broadcast repeat with stride 0", [] {
  const Layout column = Layout::row_major(Dims{3, 1});
  check::equal(expanded(column, Dims{3, 4}), "(3, 4):(1, 0)+0");
  check::equal(expanded(column, Dims{2, -1, -1}), "(2, 3, 1):(0, 1, 1)+0");
  check::equal(expanded(column, Dims{1, 3, 1}), "(1, 3, 1):(3, 1, 1)+0");
  check::equal(expanded(column, Dims{3, 0}), "(3, 0):(1, 0)+0");
  check::equal(expanded(point, Dims{3, 1}), "(3, 1):(0, 0)+0");
  check::raises(ErrorKind::ShapeMismatch, [&] { expanded(column, Dims{4, 1}); });
  check::raises(ErrorKind::ShapeMismatch, [&] { expanded(column, Dims{3}); });
  check::raises(ErrorKind::InvalidArgument, [&] { expanded(column, Dims{-1, 3, 1}); });
  check::raises(ErrorKind::InvalidArgument, [&] { expanded(column, Dims{3, kMax}); });

  check::equal(broadcast_to(column, Dims{2, 3, 4}), "(2, 3, 4):(0, 1, 0)+0");
  check::equal(broadcast_to(column, Dims{3, 0}), "(3, 0):(1, 0)+0");
  check::raises(ErrorKind::ShapeMismatch, [&] { broadcast_to(column, Dims{1, 4}); });
  check::raises(ErrorKind::ShapeMismatch, [&] { broadcast_to(column, Dims{3}); });
  check::raises(ErrorKind::InvalidArgument, [&] { broadcast_to(column, Dims{3, -1}); });
  check::equal(broadcast_shape(Dims{3, 1}, Dims{2, 1, 4}), Dims{2, 3, 4});
  check::equal(broadcast_shape(Dims{0}, Dims{1}), Dims{0});
  check::equal(broadcast_shape(Dims{}, Dims{5}), Dims{5});
  check::raises(ErrorKind::ShapeMismatch, [] { broadcast_shape(Dims{3}, Dims{4}); });
  check::raises(ErrorKind::ShapeMismatch, [] { broadcast_shape(Dims{0}, Dims{2}); });
});

const check::Test items("items split and join along the last axis", [] {
  check::equal(split_items(matrix, 2, false), "(3, 8):(8, 1)+0");
  check::equal(split_items(selected(matrix, 0, 1), 2, true), "(4, 2):(2, 1)+8");
  check::equal(split_items(transposed(matrix, 0, 1), 2, true), "(4, 3, 2):(2, 8, 1)+0");
  check::equal(split_items(point, 2, true), "(2,):(1,)+0");
  check::equal(joined_items(matrix, 2), "(3, 2):(2, 1)+0");
  check::equal(joined_items(split_items(cube, 4, false), 4), cube);
  check::equal(joined_items(Layout(Dims{1, 4}, Dims{3, 1}, 2), 2), "(1, 2):(1, 1)+1");
  const auto refuses = [](auto action) { check::raises(ErrorKind::UnsupportedOperation, action); };
  refuses([] { split_items(transposed(matrix, 0, 1), 2, false); });
  refuses([] { split_items(point, 2, false); });
  refuses([] { joined_items(Layout::row_major(Dims{2, 3}), 2); });
  refuses([] { joined_items(Layout(Dims{2, 2}, Dims{3, 1}, 0), 2); });
  refuses([] { joined_items(Layout(Dims{2}, Dims{1}, 1), 2); });
  check::raises(ErrorKind::InvalidArgument,
                [] { split_items(Layout(Dims{kMax}, Dims{0}, 0), 2, true); });
});

}  // namespace
}  // namespace strided::testing
