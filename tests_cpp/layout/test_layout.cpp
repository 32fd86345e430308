#include <algorithm>
#include <limits>
#include <utility>

#include "check.hpp"
#include "random_layout.hpp"

namespace strided::testing {
namespace {

constexpr Index kHuge = Index{1} << 40;
constexpr Index kMax = std::numeric_limits<Index>::max();

const check::Test orders("row-major, column-major and ordered strides", [] {
  check::equal(Layout::row_major(Dims{2, 3, 4}), "(2, 3, 4):(12, 4, 1)+0");
  check::equal(Layout::column_major(Dims{2, 3, 4}, 5), "(2, 3, 4):(1, 2, 6)+5");
  check::equal(Layout::ordered(Dims{2, 3, 4}, Dims{1, 0, 2}), "(2, 3, 4):(4, 8, 1)+0");
  check::equal(Layout::ordered(Dims{2, 3, 4}, Dims{-1, 0, 1}), "(2, 3, 4):(3, 1, 6)+0");
  check::equal(Layout::row_major(Dims{}), "():()+0");
  check::equal(Layout::row_major(Dims{2, 0, 4}), "(2, 0, 4):(4, 4, 1)+0", "0 counts as 1");
  check::raises(ErrorKind::DuplicateAxis, [] { Layout::ordered(Dims{2, 3}, Dims{0, 0}); });
  check::raises(ErrorKind::InvalidDimension, [] { Layout::ordered(Dims{2, 3}, Dims{0, 2}); });
  check::raises(ErrorKind::InvalidArgument, [] { Layout::ordered(Dims{2, 3}, Dims{0}); });
});

const check::Test invariants("the constructor keeps the invariants", [] {
  check::raises(ErrorKind::InvalidArgument, [] { Layout(Dims{2}, Dims{1, 1}, 0); });
  check::raises(ErrorKind::InvalidArgument, [] { Layout(Dims{-1}, Dims{1}, 0); });
  check::raises(ErrorKind::InvalidArgument, [] { checked_size(Dims{kHuge, kHuge}); });
  check::raises(ErrorKind::InvalidArgument, [] { checked_size(Dims{kHuge, 0, kHuge}); });
  check::equal(checked_size(Dims{kHuge, 0}), 0);
  check::equal(checked_size(Dims{kMax, 1}), kMax);
  const std::vector<Index> ones(kMaxRank + 1, 1);
  check::raises(ErrorKind::InvalidArgument, [&] { Layout(ones, ones, 0); });
  check::raises(ErrorKind::InvalidArgument, [&] { Layout::row_major(ones); });
  check::equal(Layout::row_major(Span(ones).first(kMaxRank)).rank(), kMaxRank);
});

const check::Test values("layouts copy, move and compare as values, inline and on the heap", [] {
  for (int rank : {0, 3, Layout::kInlineRank, Layout::kInlineRank + 1, 20}) {
    Dims shape;
    for (int i = 0; i < rank; ++i) shape.push_back(1 + i % 3);
    const Layout original = Layout::row_major(shape, 7);
    for (int other_rank : {0, 2, 12}) {
      Layout copied = Layout::row_major(Dims(Span(std::vector<Index>(other_rank, 1))));
      copied = original;
      check::equal(copied, original);
      copied = *&copied;
      check::equal(copied, original, "assigning to itself");
      Layout moved = std::move(copied);
      check::equal(moved, original);
      Layout assigned = Layout::row_major(Dims(Span(std::vector<Index>(other_rank, 1))));
      assigned = std::move(moved);
      check::that(assigned == original, "a moved layout equals its origin");
      Layout changed = assigned;
      changed.set_offset(8);
      check::that(!(changed == original), "layouts with other offsets differ");
    }
  }
});

const check::Test effect("same_elements ignores strides never stepped along", [] {
  const auto same = [](const Layout& a, const Layout& b) { return same_elements(a, b); };
  check::that(same({Dims{2, 1}, Dims{1, 9}, 0}, {Dims{2, 1}, Dims{1, 4}, 0}), "length 1");
  check::that(same({Dims{0, 2}, Dims{1, 9}, 3}, {Dims{0, 2}, Dims{5, 4}, 0}), "empty");
  check::that(!same({Dims{0, 2}, Dims{1, 9}, 0}, {Dims{2, 0}, Dims{1, 9}, 0}), "other shape");
  check::that(!same({Dims{2}, Dims{1}, 0}, {Dims{2}, Dims{-1}, 1}), "other order");
  check::that(!same({Dims{2}, Dims{1}, 0}, {Dims{2}, Dims{1}, 1}), "other offset");
});

const check::Test arguments("axes and indices count from either end", [] {
  check::equal(normal_axis(-2, 3), 1);
  check::raises(ErrorKind::InvalidDimension, [] { normal_axis(3, 3); });
  check::raises(ErrorKind::InvalidDimension, [] { normal_axis(0, 0); });
  check::equal(normal_index(-1, 5, 0), 4);
  check::raises(ErrorKind::IndexOutOfBounds, [] { normal_index(-6, 5, 0); });
  check::raises(ErrorKind::IndexOutOfBounds, [] { normal_index(0, 0, 0); });
  check::equal(axis_set(Dims{2, 0, -63}, 64), 0b111);
  check::raises(ErrorKind::DuplicateAxis, [] { axis_set(Dims{1, -1}, 2); });
});

const check::Test addresses("offset_of, offset_of_flat and index_of agree with a plain loop", [] {
  Random random(1);
  for (int round = 0; round < check::rounds(2000); ++round) {
    const Layout layout = random_layout(random, 4, 4, 9);
    std::vector<Index> seen;
    for_each_index(layout, [&](const Dims& index, Index position) {
      check::equal(offset_of(layout, index), position, layout.text());
      check::equal(offset_of_flat(layout, std::ssize(seen)), position, layout.text());
      const bool first = std::find(seen.begin(), seen.end(), position) == seen.end();
      Dims found;
      check::that(index_of(layout, position, found), "every position reached has an index");
      if (first) check::equal(found, index, layout.text());
      seen.push_back(position);
    });
    for (Index position = -60; position <= 60; ++position) {
      Dims found;
      const bool reached = std::find(seen.begin(), seen.end(), position) != seen.end();
      check::equal(index_of(layout, position, found), reached, layout.text());
    }
    check::raises(ErrorKind::IndexOutOfBounds, [&] { offset_of_flat(layout, layout.size()); });
  }
});

const check::Test far_addresses("addresses of large layouts are found without a walk", [] {
  const Layout wide(Dims{1000, 1000, 1000, 1000}, Dims{1000, 1'000'000'000, 1, 1'000'000}, 5);
  const Dims index{12, 999, 0, 77};
  Dims found;
  check::that(index_of(wide, offset_of(wide, index), found), "reached");
  check::equal(found, index);
  check::equal(offset_of(wide, Dims{-1, -1, -1, -1}), 999'999'999'999 + 5);
  check::raises(ErrorKind::IndexOutOfBounds, [&] { offset_of(wide, Dims{0, 1000, 0, 0}); });
  check::raises(ErrorKind::InvalidArgument, [&] { offset_of(wide, Dims{0}); });
  const Layout beyond(Dims{3}, Dims{kMax}, 0);
  check::raises(ErrorKind::InvalidArgument, [&] { offset_of(beyond, Dims{2}); });
});

}  // namespace
}  // namespace strided::testing
