// Dims: a list with a fixed capacity, which it checks in every build.
#include <vector>

#include "check.hpp"
#include "layout/layout.hpp"

namespace {

using namespace strided;

const std::vector<Index> kTooMany(Dims::kMost + 1, 1);
const Span kFull(kTooMany.data(), Dims::kMost);

const check::Test full("dims: holds two more than a layout has axes", [] {
  Dims dims(kFull);
  check::equal(dims.size(), kMaxRank + 2);
  check::raises(ErrorKind::InvalidArgument, [&] { dims.push_back(1); });
  check::raises(ErrorKind::InvalidArgument, [&] { dims.insert(0, 1); });
  check::equal(dims.size(), Dims::kMost);
  dims.erase(0);
  dims.insert(0, 5);
  check::equal(dims[0], 5);
});

const check::Test too_long("dims: refuses longer lists", [] {
  check::raises(ErrorKind::InvalidArgument, [] { Dims dims{Span(kTooMany)}; });
  check::raises(ErrorKind::InvalidArgument, [] {
    Dims dims;
    dims.resize(Dims::kMost + 1);
  });
  check::raises(ErrorKind::InvalidArgument, [] {
    Dims dims;
    dims.resize(-1);
  });
});

const check::Test copies("dims: copies have the same numbers", [] {
  const Dims dims{3, 1, 4};
  Dims other(dims);
  check::equal(Span(other), Span(dims));
  other.push_back(1);
  other = dims;
  check::equal(Span(other), Span(dims));
});

}  // namespace
