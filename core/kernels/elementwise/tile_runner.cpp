#include "tile_runner.hpp"

#include <algorithm>
#include <bit>

#include "kernels/copy/copy.hpp"

namespace strided::kernels::elementwise {
namespace {

// The steps through a packed tile.
void set_packed_strides(StepList& strides, const Index* lengths, int axes, Index itemsize) {
  for (int i = axes - 1; i >= 0; --i) {
    strides[i] = itemsize;
    itemsize *= lengths[i];
  }
}

// The axes of a tile, between an operand's own memory and the tile's order.
IterationSpace space_of_copy(const Chain& chain, const Tiles& tiles, const IterationSpace& space, const Index* lengths,
                             int k) {
  const int first = space.rank() - tiles.axes;
  const int tile = k < chain.outputs ? 1 : 0, memory = 1 - tile;  // the output of the copy comes first
  IterationSpace part(2);
  for (int i = 0; i < tiles.axes; ++i) part.shape.push_back(lengths[i]);
  std::copy_n(space.strides[k].data() + first, tiles.axes, part.strides[memory].data());
  set_packed_strides(part.strides[tile], lengths, tiles.axes, chain.itemsize[k]);
  drop_unit_axes(part);
  fuse_axes(part);
  return part;
}

}  // namespace

TileShape::TileShape(const Chain& chain, const Tiles& tiles, const IterationSpace& space, const Index* lengths_)
    : rows(chain.operands) {
  std::copy_n(lengths_, tiles.axes, lengths);
  const int first = space.rank() - tiles.axes;
  copies.reserve(static_cast<std::size_t>(std::popcount(tiles.transposed)));
  for (int i = 0; i < tiles.axes; ++i) rows.shape.push_back(lengths[i]);
  for (int k = 0; k < chain.operands; ++k) {
    if (has(tiles.transposed, k)) {
      set_packed_strides(rows.strides[k], lengths, tiles.axes, chain.itemsize[k]);
      copies.emplace_back([&] { return space_of_copy(chain, tiles, space, lengths, k); }, chain.itemsize[k],
                          CopyKind::Fetched);
    } else {
      std::copy_n(space.strides[k].data() + first, tiles.axes, rows.strides[k].data());
    }
  }
  fuse_axes(rows);
  for (int k = chain.outputs; k < chain.operands && rows.rank() > 1; ++k) {
    if (!has(tiles.transposed, k) && rows.inner_stride(k) == chain.itemsize[k]) prefetched |= only(k);
  }
}

TileRunner::TileRunner(RowRunner& runner, const Chain& chain, const Tiles& tiles, const TileShape& full,
                       const IterationSpace& chunk, std::byte* const* storage)
    : runner_(runner), chain_(chain), tiles_(tiles), full_(full), chunk_(chunk), storage_(storage) {
  Index capacity = 1;
  for (int i = 0; i < tiles.axes; ++i) capacity *= tiles.lengths[i];
  std::byte* next = runner.packed();
  for (int k = 0; k < chain.operands; ++k) {
    if (!has(tiles.transposed, k)) continue;
    packed_[k] = next;
    next += capacity * chain.itemsize[k];
    same_[k] = k;
    for (int j = k - 1; j >= chain.outputs && k >= chain.outputs; --j) {
      if (!has(tiles.transposed, j) || chain.itemsize[j] != chain.itemsize[k]) continue;
      const bool is_same = storage[j] + chunk.start[j] == storage[k] + chunk.start[k];
      if (is_same && std::ranges::equal(chunk.steps(j), chunk.steps(k))) same_[k] = j;
    }
  }
}

void TileRunner::run() {
  TileWalk<std::byte*> walk(chunk_, tiles_, storage_);
  do run_tile(shape_of(walk.lengths()), walk.places());
  while (walk.next());
}

const TileShape& TileRunner::shape_of(const Index* lengths) {
  const auto fits = [&](const TileShape& shape) { return std::equal(lengths, lengths + tiles_.axes, shape.lengths); };
  if (fits(full_)) return full_;
  for (const auto& other : others_) if (fits(*other)) return *other;
  return *others_.emplace_back(std::make_unique<TileShape>(chain_, tiles_, chunk_, lengths));
}

// What does not move from one tile to the next, as a row that is added to every other, is there already.
void TileRunner::pack(int k, const TileShape& shape, const CopyPlan& copy, std::byte* from) {
  if (from == packed_from_[k] && packed_as_[k] == &shape) return;
  std::byte* const storage[] = {packed_[k], from};
  copy::run_copy(copy, storage);
  packed_from_[k] = from;
  packed_as_[k] = &shape;
}

void TileRunner::run_tile(const TileShape& shape, std::byte* const* data) {
  std::byte* storage[kMaxOperands];
  const CopyPlan* copy = shape.copies.data();
  for (int k = 0; k < chain_.operands; ++k) {
    const bool transposed = has(tiles_.transposed, k);
    storage[k] = transposed ? packed_[same_[k]] : data[k];
    if (!transposed) continue;
    if (k >= chain_.outputs && same_[k] == k) pack(k, shape, *copy, data[k]);
    ++copy;
  }
  runner_.run_rows(shape.rows, storage, shape.prefetched);
  copy = shape.copies.data();
  for (int k = 0; k < chain_.outputs; ++k) {
    if (!has(tiles_.transposed, k)) continue;
    std::byte* const moved[] = {data[k], packed_[k]};
    copy::run_copy(*copy++, moved);
  }
}

}  // namespace strided::kernels::elementwise
