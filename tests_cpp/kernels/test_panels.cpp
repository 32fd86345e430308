// Panels of any strides and products over any axes, against loops that say what they mean.
#include <algorithm>
#include <complex>
#include <vector>

#include "check.hpp"
#include "dtype/element.hpp"
#include "kernels/matmul/matmul.hpp"
#include "kernels/matmul/panels.hpp"
#include "layout/random_layout.hpp"

namespace strided::testing {
namespace {

using Number = std::complex<double>;

constexpr DType kDTypes[] = {DType::Int8,    DType::UInt8,   DType::Int16,    DType::UInt16,  DType::Int32,
                             DType::UInt32,  DType::Int64,   DType::UInt64,   DType::Float16, DType::BFloat16,
                             DType::Float32, DType::Float64, DType::Complex64, DType::Complex128};

Number read(DType dtype, const std::byte* at) {
  return visit(dtype, [&]<class T>(Type<T>) -> Number {
    if constexpr (requires { typename T::value_type; }) {
      const T value = load<T>(at);
      return {value.real(), value.imag()};
    } else if constexpr (std::is_arithmetic_v<T>) {
      return static_cast<double>(load<T>(at));
    } else {
      return static_cast<float>(load<T>(at));
    }
  });
}

// Integer lanes are unsigned and wrap: small numbers below zero are found with the sign that they had.
DType signed_of(DType lane) {
  switch (lane) {
    case DType::UInt16: return DType::Int16;
    case DType::UInt32: return DType::Int32;
    case DType::UInt64: return DType::Int64;
    default: return lane;
  }
}

void write(DType dtype, std::byte* at, Number value) {
  visit(dtype, [&]<class T>(Type<T>) {
    if constexpr (requires { typename T::value_type; }) {
      using Real = typename T::value_type;
      store(at, T(static_cast<Real>(value.real()), static_cast<Real>(value.imag())));
    } else if constexpr (std::is_integral_v<T>) {
      store(at, static_cast<T>(static_cast<std::int64_t>(value.real())));
    } else {
      store(at, static_cast<T>(static_cast<float>(value.real())));
    }
  });
}

// Whole numbers, so that sums are exact in every dtype; none below zero where the dtype has none.
std::vector<std::byte> random_numbers(Random& random, DType dtype, Index count) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(count * itemsize(dtype)));
  const bool is_unsigned = is_integral(dtype) && name_of(dtype)[0] == 'u';
  for (Index i = 0; i < count; ++i) {
    const auto number = [&] { return static_cast<double>(between(random, is_unsigned ? 0 : -2, 2)); };
    const double real = number();
    write(dtype, bytes.data() + i * itemsize(dtype), {real, is_complex(dtype) ? number() : 0});
  }
  return bytes;
}

// ---- panels ----

// Where lane p of vector i of panel `index` lies.
const std::byte* lane_at(const kernels::matmul::Panel& panel, Index i, Index p) {
  return panel.data + i * panel.row + p * panel.step;
}

const check::Test packing("a packed panel holds the vectors of any strides and dtype", [] {
  Random random(51);
  for (int round = 0; round < check::rounds(6'000); ++round) {
    const DType dtype = kDTypes[between(random, 0, std::ssize(kDTypes) - 1)];
    const DType lane = kernels::matmul::accumulate_dtype(dtype);
    const Index rows = between(random, 1, 60), k = between(random, 1, 20), item = itemsize(dtype);
    const Index strides[] = {1, -1, 2, 0, 3, rows, k, -k};
    const Index row = strides[between(random, 0, 7)], column = strides[between(random, 0, 7)];
    const Index lowest = std::min<Index>(0, row * (rows - 1)) + std::min<Index>(0, column * (k - 1));
    const Index highest = std::max<Index>(0, row * (rows - 1)) + std::max<Index>(0, column * (k - 1));
    std::vector<std::byte> bytes = random_numbers(random, dtype, highest - lowest + 1);
    const Matrix from{bytes.data() - lowest * item, dtype, rows, k, row, column};
    const bool right = between(random, 0, 1) == 0;
    const Index begin = between(random, 0, rows - 1), count = between(random, 1, rows - begin);
    const Index p = between(random, 0, k - 1), depth = between(random, 1, k - p);
    for (int plane = 0; plane < from.planes(); ++plane) {
      const kernels::matmul::Panels panels(from, plane, lane, right, nullptr, false);
      std::vector<std::byte> memory(static_cast<std::size_t>(panels.nbytes(count, depth)));
      for (Index index = 0; index < panels.count(count); ++index) {
        panels.pack(memory.data(), index, begin, count, p, depth);
        const kernels::matmul::Panel panel = panels.packed(memory.data(), index, depth);
        for (Index i = index * panels.width(); i < std::min(count, (index + 1) * panels.width()); ++i) {
          for (Index q = 0; q < depth; ++q) {
            const Number wanted = read(dtype, from.at(begin + i, p + q));
            const double got = read(signed_of(lane), lane_at(panel, i - index * panels.width(), q)).real();
            check::that(got == (plane == 0 ? wanted.real() : wanted.imag()), name_of(dtype));
          }
        }
      }
    }
  }
});

const check::Test pairs("a panel of pairs holds two steps of bfloat16 in a lane", [] {
  Random random(52);
  for (int round = 0; round < check::rounds(2'000); ++round) {
    const Index rows = between(random, 1, 60), k = between(random, 1, 21);
    const bool along = between(random, 0, 1) == 0;
    std::vector<std::byte> bytes = random_numbers(random, DType::BFloat16, rows * k);
    const Matrix from{bytes.data(), DType::BFloat16, rows, k, along ? k : 1, along ? 1 : rows};
    if (!kernels::matmul::Panels::takes_pairs(from, nullptr)) return;
    const kernels::matmul::Panels panels(from, 0, DType::Float32, between(random, 0, 1) == 0, nullptr, true);
    std::vector<std::byte> memory(static_cast<std::size_t>(panels.nbytes(rows, k)));
    for (Index index = 0; index < panels.count(rows); ++index) {
      panels.pack(memory.data(), index, 0, rows, 0, k);
      const kernels::matmul::Panel panel = panels.packed(memory.data(), index, k);
      for (Index i = index * panels.width(); i < std::min(rows, (index + 1) * panels.width()); ++i) {
        for (Index q = 0; q < round_up(k, 2); ++q) {
          const Number wanted = q < k ? read(DType::BFloat16, from.at(i, q)) : 0;
          const std::byte* const lane = lane_at(panel, i - index * panels.width(), q / 2);
          check::that(read(DType::BFloat16, lane + q % 2 * 2) == wanted, "both halves of a lane");
        }
      }
    }
  }
});

// ---- products ----

struct Steps {
  Index c, a, b;
};

// An operand's elements: from the lowest place to the highest that the axes reach.
struct Memory {
  std::vector<std::byte> bytes;
  Layout layout = Layout::uninitialised(0, 0);
  DType dtype;

  Memory(Random& random, DType type, const std::vector<Index>& lengths, const std::vector<Index>& strides)
      : dtype(type) {
    Index lowest = 0, highest = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const Index reach = (lengths[i] - 1) * strides[i];
      (reach < 0 ? lowest : highest) += reach;
    }
    bytes = random_numbers(random, dtype, highest - lowest + 1);
    layout.set_offset(-lowest);
  }
  Operand operand() { return {bytes.data(), &layout, dtype}; }
  std::byte* at(Index offset) { return bytes.data() + (layout.offset() + offset) * itemsize(dtype); }
};

struct Case {
  std::vector<Role> roles;
  std::vector<Index> lengths, c, a, b;  // strides in elements

  void add(Role role, Index length, Steps steps) {
    roles.push_back(role);
    lengths.push_back(length);
    c.push_back(steps.c);
    a.push_back(steps.a);
    b.push_back(steps.b);
  }
};

// Axes of all roles; a and b step anyhow, often so that axes fuse or join; c has a place for every element.
Case random_case(Random& random) {
  Case made;
  const auto length = [&] { return between(random, 0, 9) == 0 ? between(random, 8, 40) : between(random, 1, 4); };
  const auto step = [&] { return between(random, 0, 3) == 0 ? between(random, -9, 9) : between(random, 0, 1) * 4; };
  for (Role role : {Role::Map, Role::Row, Role::Column, Role::Inner}) {
    const Index most = role == Role::Map ? 2 : between(random, 0, 3) == 0 ? 3 : 1;
    for (Index n = between(random, 0, most); n > 0; --n) {
      made.add(role, length(), {0, role == Role::Column ? 0 : step(), role == Role::Row ? 0 : step()});
    }
  }
  // Sometimes every axis of an operand continues the one behind it.
  const auto pack = [&](std::vector<Index>& strides, Role missing, bool map_too) {
    Index next = 1;
    for (auto i = std::ssize(strides) - 1; i >= 0; --i) {
      const auto at = static_cast<std::size_t>(i);
      if (made.roles[at] == missing || (made.roles[at] == Role::Map && !map_too)) continue;
      strides[at] = next;
      next *= made.lengths[at];
    }
  };
  if (between(random, 0, 1) == 0) pack(made.a, Role::Column, between(random, 0, 1) == 0);
  if (between(random, 0, 1) == 0) pack(made.b, Role::Row, between(random, 0, 1) == 0);
  // Columns of c inside rows or the other way round, with gaps, backwards or forwards.
  Index next = between(random, 1, 2);
  const bool by_columns = between(random, 0, 1) == 0;
  for (Role role : {by_columns ? Role::Row : Role::Column, by_columns ? Role::Column : Role::Row, Role::Map}) {
    const Index sign = between(random, 0, 3) == 0 ? -1 : 1;
    for (auto i = std::ssize(made.c) - 1; i >= 0; --i) {
      const auto at = static_cast<std::size_t>(i);
      if (made.roles[at] != role) continue;
      made.c[at] = sign * next;
      next *= made.lengths[at];
    }
    next += between(random, 0, 2);
  }
  return made;
}

// Calls visit(offsets) for all indices of the axes of which `chosen` is true.
template <class Choose, class Visit>
void for_all(const Case& axes, Choose&& chosen, Visit&& visit_at) {
  std::vector<Index> index(axes.lengths.size(), 0);
  while (true) {
    Steps at{0, 0, 0};
    for (std::size_t i = 0; i < index.size(); ++i) {
      at.c += index[i] * axes.c[i];
      at.a += index[i] * axes.a[i];
      at.b += index[i] * axes.b[i];
    }
    visit_at(at);
    auto i = std::ssize(index) - 1;
    for (; i >= 0; --i) {
      const auto axis = static_cast<std::size_t>(i);
      if (!chosen(axes.roles[axis])) continue;
      if (++index[axis] < axes.lengths[axis]) break;
      index[axis] = 0;
    }
    if (i < 0) return;
  }
}

struct Dtypes {
  DType c, a, b, compute;
};
constexpr Dtypes kProducts[] = {
    {DType::Float32, DType::Float32, DType::Float32, DType::Float32},
    {DType::Float64, DType::Float64, DType::Float64, DType::Float64},
    {DType::BFloat16, DType::BFloat16, DType::BFloat16, DType::BFloat16},
    {DType::Float16, DType::Float16, DType::Float16, DType::Float16},
    {DType::Float32, DType::BFloat16, DType::Float32, DType::Float32},
    {DType::Float64, DType::Int32, DType::Float32, DType::Float64},
    {DType::Int8, DType::Int8, DType::Int8, DType::Int8},
    {DType::Int64, DType::UInt8, DType::Int64, DType::Int64},
    {DType::Int32, DType::Int32, DType::Int16, DType::Int32},
    {DType::Complex64, DType::Complex64, DType::Complex64, DType::Complex64},
    {DType::Complex128, DType::Float64, DType::Complex64, DType::Complex128},
};

void check_product(Random& random, const Case& axes, Dtypes dtypes) {
  Memory c(random, dtypes.c, axes.lengths, axes.c), a(random, dtypes.a, axes.lengths, axes.a);
  Memory b(random, dtypes.b, axes.lengths, axes.b);
  std::vector<std::byte> wanted = c.bytes;
  for_all(axes, [](Role role) { return role != Role::Inner; }, [&](Steps out) {
    Number sum = 0;
    Case inner;
    for (std::size_t i = 0; i < axes.roles.size(); ++i) {
      if (axes.roles[i] == Role::Inner) inner.add(Role::Inner, axes.lengths[i], {0, axes.a[i], axes.b[i]});
    }
    for_all(inner, [](Role) { return true; }, [&](Steps in) {
      sum += read(dtypes.a, a.at(out.a + in.a)) * read(dtypes.b, b.at(out.b + in.b));
    });
    write(dtypes.c, wanted.data() + (c.layout.offset() + out.c) * itemsize(dtypes.c), sum);
  });
  kernels::matmul::ProductSpace space(c.operand(), a.operand(), b.operand());
  for (std::size_t i = 0; i < axes.roles.size(); ++i) {
    space.add(axes.roles[i], axes.lengths[i], axes.c[i] * itemsize(dtypes.c), axes.a[i] * itemsize(dtypes.a),
              axes.b[i] * itemsize(dtypes.b));
  }
  const std::string text = space.axes().text();
  kernels::matmul::multiply_over(space, c.operand(), a.operand(), b.operand(), dtypes.compute, "test");
  for (Index i = 0; i < std::ssize(wanted) / itemsize(dtypes.c); ++i) {
    const Number got = read(dtypes.c, c.bytes.data() + i * itemsize(dtypes.c));
    const Number right = read(dtypes.c, wanted.data() + i * itemsize(dtypes.c));
    if (got == right) continue;
    check::that(false, std::string(name_of(dtypes.c)) + " " + text);
    return;
  }
}

const check::Test products("a product over any axes is the sum of products, and nothing else is written", [] {
  Random random(53);
  for (int round = 0; round < check::rounds(20'000); ++round) {
    check_product(random, random_case(random), kProducts[round % std::ssize(kProducts)]);
  }
});

}  // namespace
}  // namespace strided::testing
