#include "quantize.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "dtype/element.hpp"
#include "kernels/convert/packed.hpp"
#include "kernels/loop_names.hpp"
#include "kernels/loop_table.hpp"
#include "layout/bounds.hpp"
#include "plan/record.hpp"
#include "plan/sizes.hpp"
#include "plan/split.hpp"
#include "plan/walk.hpp"

namespace strided::kernels::quantized {
namespace {

constexpr Index kInBlock = 32;  // numbers of every kind that can be made

// ---- floats to blocks, rounded as ggml's reference does ----

// The number of largest magnitude, the first of several; with its sign.
float farthest(const float* x) {
  float found = x[0];
  for (Index i = 1; i < kInBlock; ++i) if (std::fabs(x[i]) > std::fabs(found)) found = x[i];
  return found;
}

float inverse_of(float d) { return d == 0 ? 0 : 1 / d; }

void quantize_bytes(const float* x, std::byte* to) {
  const float d = std::fabs(farthest(x)) / 127, inverse = inverse_of(d);
  store(to, float16(d));
  for (Index i = 0; i < kInBlock; ++i) {
    const float rounded = std::round(x[i] * inverse);
    const bool known = rounded >= -127 && rounded <= 127;  // not NaN
    store(to + 2 + i, static_cast<std::int8_t>(known ? rounded : 0));
  }
}

// Nibbles, and where there are five bits, the fifth ones before them.
void put_numbers(const int* numbers, bool five, std::byte* to) {
  if (five) {
    std::uint32_t bits = 0;
    for (int i = 0; i < kInBlock; ++i) bits |= static_cast<std::uint32_t>(numbers[i] >> 4) << i;
    store(to, bits);
    to += 4;
  }
  for (int i = 0; i < 16; ++i) {
    store(to + i, static_cast<std::uint8_t>((numbers[i] & 15) | (numbers[i + 16] & 15) << 4));
  }
}

// What is not a number becomes 0.
int whole(double x, int most) { return x >= most ? most : x > 0 ? static_cast<int>(x) : 0; }

// The number of largest magnitude becomes the lowest one there is.
void quantize_around(const float* x, bool five, std::byte* to) {
  const int middle = five ? 16 : 8;
  const float d = farthest(x) / static_cast<float>(-middle), inverse = inverse_of(d);
  store(to, float16(d));
  int numbers[kInBlock];
  for (Index i = 0; i < kInBlock; ++i) {
    numbers[i] = whole(static_cast<double>(x[i]) * inverse + middle + 0.5, 2 * middle - 1);
  }
  put_numbers(numbers, five, to + 2);
}

// From the smallest to the largest.
void quantize_between(const float* x, bool five, std::byte* to) {
  const int most = five ? 31 : 15;
  const auto [least, greatest] = std::minmax_element(x, x + kInBlock);
  const float d = (*greatest - *least) / static_cast<float>(most), inverse = inverse_of(d);
  store(to, float16(d));
  store(to + 2, float16(*least));
  int numbers[kInBlock];
  for (Index i = 0; i < kInBlock; ++i) numbers[i] = whole((x[i] - *least) * inverse + 0.5f, most);
  put_numbers(numbers, five, to + 4);
}

void quantize_block(const float* x, BlockKind kind, std::byte* to) {
  switch (kind) {
    case BlockKind::Q4_0: return quantize_around(x, false, to);
    case BlockKind::Q5_0: return quantize_around(x, true, to);
    case BlockKind::Q4_1: return quantize_between(x, false, to);
    case BlockKind::Q5_1: return quantize_between(x, true, to);
    default: return quantize_bytes(x, to);
  }
}

// ---- random blocks ----

// Numbers that depend on nothing but seed and place (SplitMix64: Steele, Lea, Flood, 2014).
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t place) {
  std::uint64_t z = seed + place * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

// The deviation of numbers that are all equally likely.
double deviation(int count) { return std::sqrt((count * static_cast<double>(count) - 1) / 12); }

// A scale near the given one: between 3/4 and 5/4 of it, of random sign, because numbers of some kinds are
// not symmetric; the root of the mean square is `scale`.
float near(double scale, std::uint64_t bits) {
  const double fraction = static_cast<double>(bits >> 40) * 0x1p-24;  // [0, 1)
  const double factor = (0.75 + fraction / 2) / 1.0103;               // the root of the mean square of the rest
  return static_cast<float>(scale * factor * ((bits & 1) != 0 ? -1 : 1));
}

// Puts scales before (behind) the random bytes of a block.
void finish_block(std::byte* block, BlockKind kind, double scale, std::uint64_t bits) {
  const auto half = [&](Index at, float x) { store(block + at, float16(x)); };
  switch (kind) {
    case BlockKind::Q8_0: return half(0, near(scale / deviation(256), bits));
    case BlockKind::Q4_0: return half(0, near(scale / deviation(16), bits));
    case BlockKind::Q5_0: return half(0, near(scale / deviation(32), bits));
    case BlockKind::Q4_1: case BlockKind::Q5_1: {
      const int count = kind == BlockKind::Q4_1 ? 16 : 32;
      const float d = near(scale / deviation(count), bits);
      half(0, d);
      return half(2, d * static_cast<float>(1 - count) / 2);
    }
    case BlockKind::Q4_K: case BlockKind::Q5_K: {
      // Every sub-block subtracts as much as it scales: numbers lie around 0. The scales are 48 to 63,
      // which in six bits leaves the upper two set.
      const int count = kind == BlockKind::Q4_K ? 16 : 32;
      std::uint8_t six[12];
      for (int i = 0; i < 4; ++i) {
        const auto low = static_cast<int>(bits >> (8 + 4 * i) & 15);
        const auto high = static_cast<int>(bits >> (24 + 4 * i) & 15);
        six[i] = six[4 + i] = static_cast<std::uint8_t>(0xc0 | 0x30 | low);
        six[8 + i] = static_cast<std::uint8_t>(high | high << 4);
      }
      std::memcpy(block + 4, six, 12);
      const float d = near(scale / deviation(count) / 55.7, bits);
      half(0, d);
      return half(2, d * static_cast<float>(count - 1) / 2);
    }
    case BlockKind::Q6_K: break;
  }
  // 16 scales between 64 and 127 of either sign, whose mean square root is 97.3.
  for (int i = 0; i < 16; ++i) {
    const auto byte = load<std::int8_t>(block + 192 + i);
    store(block + 192 + i, static_cast<std::int8_t>(byte < 0 ? byte & ~0x40 : byte | 0x40));
  }
  half(208, near(scale / deviation(64) / 97.3, bits));
}

PlanRecord block_record(const char* operation, BlockKind kind, const IterationSpace& space, Index chunks,
                        const char* function) {
  return {operation, space, {plain_loop("kernels/quantized/quantize.cpp", function)}, chunks,
          std::string(format_of(kind).name)};
}

}  // namespace

void quantize(std::byte* to, BlockKind kind, const Matrix& from) {
  constexpr Index kBlocksPerChunk = 128;  // 10 to 20 microseconds of one core
  const Index bytes = format_of(kind).bytes, blocks = from.columns / kInBlock;
  // Rows and blocks.
  const Index row_steps[] = {blocks * bytes, from.row_step()};
  const Index block_steps[] = {bytes, scaled(from.column, kInBlock * from.item(), 1)};
  IterationSpace space(2);
  space.add_axis(from.rows, Role::Map, row_steps);
  space.add_axis(blocks, Role::Map, block_steps);
  std::byte* const storage[] = {to, from.data};
  const Index count = space.size(), chunks = ceil_div(count, kBlocksPerChunk);
  const RecordScope scope([&] {
    PlanRecord record = block_record("quantize", kind, space, chunks, "quantize_block");
    record.loops.insert(record.loops.begin(), loop_name(convert::loop_between(from.dtype, DType::Float32)));
    return record;
  });
  run_range_in_chunks(count, static_cast<int>(chunks), [&](Index begin, Index end) {
    for_each_position(space, storage, 2, begin, end, [&](std::byte* const* places) {
      float x[kInBlock];
      convert::elements(from.dtype, places[1], from.column_step(), DType::Float32, reinterpret_cast<std::byte*>(x), 4,
                        kInBlock);
      quantize_block(x, kind, places[0]);
    });
  });
}

void fill_random_blocks(std::byte* to, BlockKind kind, Index blocks, double scale, std::uint64_t seed) {
  constexpr Index kTogether = 256;  // blocks of a chunk. Fixed: it says which random numbers a block has
  const Index bytes = format_of(kind).bytes, chunks = ceil_div(blocks, kTogether);
  const std::uint64_t own = random_bits(seed, static_cast<std::uint64_t>(kind) + 1);
  IterationSpace space(1);
  space.add_axis(blocks, Role::Map, &bytes);
  const RecordScope scope([&] { return block_record("random_blocks", kind, space, chunks, "finish_block"); });
  run_chunks(static_cast<int>(chunks), [&](int chunk) {
    const Index begin = chunk * kTogether, count = std::min(kTogether, blocks - begin);
    std::byte* const first = to + begin * bytes;
    // So many numbers of 64 bits are set aside for a chunk: those of its bytes, then one for each block.
    const auto place = static_cast<std::uint64_t>(chunk) * static_cast<std::uint64_t>(kTogether * 64);
    const Index words = count * bytes / 8;
    for (Index i = 0; i < words; ++i) {
      const std::uint64_t bits = random_bits(own, place + static_cast<std::uint64_t>(i));
      std::memcpy(first + 8 * i, &bits, 8);
    }
    const std::uint64_t last = random_bits(own, place + static_cast<std::uint64_t>(words));
    std::memcpy(first + 8 * words, &last, static_cast<std::size_t>(count * bytes % 8));
    for (Index b = 0; b < count; ++b) {
      const std::uint64_t number = place + static_cast<std::uint64_t>(kTogether * 32 + b);
      finish_block(first + b * bytes, kind, scale, random_bits(own, number));
    }
  });
}

}  // namespace strided::kernels::quantized
