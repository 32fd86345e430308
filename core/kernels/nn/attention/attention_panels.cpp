// Attention of many queries, as in reading a prompt: blocks of queries by blocks of keys, in tiles of matrix products.
//
// A block of scores is queries @ keys.T, what it adds to the result weights @ values. Keys and values are packed as
// right panels, once per block of queries. Tiles without a visible key are left out.
#include <bit>
#include <cstring>

#include "attention_rows.hpp"
#include "run/arena.hpp"
#include "kernels/matmul/panels.hpp"
#include "plan/split.hpp"

namespace strided::kernels::nn {
namespace {

// Fixed: they decide the bits, as kBlockKeysOfMany does. Rows of scores, which with their queries, keys and values fit
// 512 KiB for heads of 64 float32; elements of a block where heads are very long.
constexpr Index kBlockRows = 256;
constexpr Index kMostElements = 1 << 16;

// How a head is cut into blocks, and where one thread keeps them.
class Blocks {
 public:
  explicit Blocks(const AttentionShape& shape)
      : tiles_(loops().products.tiles[static_cast<int>(shape.compute)]), size_(itemsize(shape.compute)) {
    const Index longest = std::max({shape.length, shape.value_length, Index{1}});
    const Index width = tiles_.vector * tiles_.vectors;
    queries_ = std::max<Index>(1, std::min(kBlockRows, kMostElements / longest) / shape.group());
    keys_ = std::clamp(kMostElements / longest / width * width, width, kBlockKeysOfMany);
    rows_ = round_up(queries_ * shape.group(), tiles_.rows);
    query_bytes_ = round_up(rows_ * shape.length * size_, 64);
    sum_bytes_ = round_up(rows_ * shape.value_length * size_, 64);
    key_bytes_ = round_up(keys_ * shape.length * size_, 64);
    value_bytes_ = round_up(shape.value_length, width) * keys_ * size_;
  }

  Index queries() const { return queries_; }
  Index keys() const { return keys_; }
  Index score_row() const { return keys_ * size_; }

  void reserve(Scratch& scratch) {
    const Index per_row = static_cast<Index>(sizeof(SoftmaxState) + sizeof(Index));
    left_ = scratch.take<std::byte>(query_bytes_ + sum_bytes_ + rows_ * per_row);
    right_ = scratch.take<std::byte>(key_bytes_ + value_bytes_);
    scores_ = scratch.take<std::byte>(rows_ * score_row());
  }
  std::byte* query_lanes() const { return left_; }
  std::byte* sums() const { return left_ + query_bytes_; }
  SoftmaxState* states() const { return reinterpret_cast<SoftmaxState*>(sums() + sum_bytes_); }
  Index* limits() const { return reinterpret_cast<Index*>(states() + rows_); }
  std::byte* key_panels() const { return right_; }
  std::byte* value_panels() const { return right_ + key_bytes_; }
  std::byte* scores() const { return scores_; }

 private:
  const matmul::ProductLoops::Tiles& tiles_;
  Index size_;
  Index queries_, keys_, rows_;
  Index query_bytes_, sum_bytes_, key_bytes_, value_bytes_;
  std::byte *left_ = nullptr, *right_ = nullptr, *scores_ = nullptr;
};

// The queries of one block, for one key head.
class Block {
 public:
  Block(const AttentionRows& rows, const Blocks& blocks)
      : rows_(rows), shape_(rows.shape), blocks_(blocks),
        tiles_(loops().products.tiles[static_cast<int>(shape_.compute)]),
        table_(loops().model[shape_.compute == DType::Float64]), size_(itemsize(shape_.compute)),
        count_(rows.rows()), states_(blocks.states()), limits_(blocks.limits()) {
    std::fill_n(states_, count_, SoftmaxState{});
  }

  void run() {
    const Index padded = round_up(count_, tiles_.rows);
    rows_.read_queries(blocks_.query_lanes());
    std::memset(blocks_.query_lanes() + count_ * shape_.length * size_, 0,
                static_cast<std::size_t>((padded - count_) * shape_.length * size_));
    std::memset(blocks_.sums(), 0, static_cast<std::size_t>(padded * shape_.value_length * size_));
    for_each_block(rows_.sequence, rows_.visible(), blocks_.keys(),
                   [&](const AttentionSegment& segment, Index first, Index key, Index n) {
                     limit(key, n);
                     score(segment.key, first, n);
                     weigh_scores(key);
                     add_values(segment.value, first, n);
                   });
    for (Index row = 0; row < count_; ++row) {
      rows_.write_result(row, blocks_.sums() + row * shape_.value_length * size_,
                         states_[row].total);
    }
  }

 private:
  // How many of the n keys from `key` on are visible to the last row of each tile.
  void limit(Index key, Index n) {
    for (Index tile = 0; tile < ceil_div(count_, tiles_.rows); ++tile) {
      const Index last = std::min((tile + 1) * tiles_.rows, count_) - 1;
      limits_[tile] = std::clamp<Index>(rows_.visible(last).end - key, 0, n);
    }
  }

  // The tiles of a product with the rows of `panels` as columns, over k steps. per_tile(work, column, row,
  // visible) says what else a tile needs, and whether it is computed.
  template <class Work>
  void multiply(const matmul::Panels& panels, std::byte* memory, Index columns, Index k,
                Work&& per_tile) const {
    matmul::TileWork work;
    for (Index panel = 0; panel < panels.count(columns); ++panel) {
      const bool in_place = panels.in_place(panel, columns);
      if (!in_place) panels.pack(memory, panel, 0, columns, 0, k);
      const matmul::Panel b = in_place ? panels.placed(panel * panels.width(), 0)
                               : panels.packed(memory, panel, k);
      work.b = b.data;
      work.b_step = b.step;
      work.columns = std::min(panels.width(), columns - panel * panels.width());
      const Index vectors = (work.columns - 1) / tiles_.vector;
      work.rows = tiles_.rows;
      work.a_step = size_;
      const int height = std::countr_zero(static_cast<std::uint64_t>(tiles_.rows));
      for (Index tile = 0; tile < ceil_div(count_, tiles_.rows); ++tile) {
        if (per_tile(work, panel * panels.width(), tile * tiles_.rows, limits_[tile])) {
          tiles_.tile[height][vectors](work);
        }
      }
    }
  }

  void score(const HeadRows& key, Index first, Index n) const {
    const matmul::Panels panels({key.at(first, rows_.head), key.dtype, n, shape_.length, key.row, key.element}, 0,
                        shape_.compute, true, nullptr, false);
    multiply(panels, blocks_.key_panels(), n, shape_.length,
             [&](matmul::TileWork& work, Index column, Index row, Index visible) {
               if (column >= visible) return false;
               work.k = shape_.length;
               work.a = blocks_.query_lanes() + row * shape_.length * size_;
               work.a_row = shape_.length * size_;
               work.c = blocks_.scores() + row * blocks_.score_row() + column * size_;
               work.c_row = blocks_.score_row();
               work.update = matmul::Update::Set;
               return true;
             });
  }

  void weigh_scores(Index key) {
    for (Index row = 0; row < count_; ++row) {
      const Index visible = limits_[row / tiles_.rows];
      const double factor = softmax_block(rows_, row, key, visible, blocks_.scores() + row * blocks_.score_row(),
                                   states_[row]);
      std::byte* const own = blocks_.sums() + row * shape_.value_length * size_;
      if (factor != 1) table_.scale(shape_.value_length, own, factor, nullptr, own);
    }
  }

  void add_values(const HeadRows& value, Index first, Index n) const {
    const matmul::Panels panels({value.at(first, rows_.head), value.dtype, shape_.value_length, n, value.element,
                                 value.row},
                        0, shape_.compute, true, nullptr, false);
    multiply(panels, blocks_.value_panels(), shape_.value_length, n,
             [&](matmul::TileWork& work, Index column, Index row, Index visible) {
               if (visible == 0) return false;
               work.k = visible;
               work.a = blocks_.scores() + row * blocks_.score_row();
               work.a_row = blocks_.score_row();
               work.c = blocks_.sums() + (row * shape_.value_length + column) * size_;
               work.c_row = shape_.value_length * size_;
               work.update = matmul::Update::Add;
               return true;
             });
  }

  const AttentionRows& rows_;
  const AttentionShape& shape_;
  const Blocks& blocks_;
  const matmul::ProductLoops::Tiles& tiles_;
  const ModelLoops& table_;
  const Index size_;
  const Index count_;
  SoftmaxState* const states_;
  Index* const limits_;  // per tile of rows, of the block of keys at work
};

}  // namespace

void attend_many(const AttentionShape& shape, std::span<const AttentionSequence* const> sequences) {
  const Blocks cut(shape);
  Index tasks = 0;
  for (const AttentionSequence* sequence : sequences) {
    tasks += ceil_div(sequence->count, cut.queries()) * shape.key_heads;
  }
  const RecordScope scope([&] {
    const matmul::ProductLoops::Tiles& tiles = loops().products.tiles[static_cast<int>(shape.compute)];
    const int height = std::countr_zero(static_cast<std::uint64_t>(tiles.rows));
    const AttentionSequence& first = *sequences[0];
    InnerLoops named = softmax_loops(shape, first);
    named.table(tiles.tile[height][tiles.vectors - 1]).written(first.out.dtype, first.out.step());
    return record_of_attention("attention", shape, sequences, tasks,
                               std::to_string(cut.queries()) + " queries by " + std::to_string(cut.keys()) + " keys",
                               named);
  });
  ChunkQueue queue(tasks);
  // Later queries have more visible keys: the longest tasks come first, and threads take the next when they are done.
  run_chunks(static_cast<int>(std::min<Index>(thread_count(), tasks)), [&](int) {
    Blocks blocks = cut;
    Scratch scratch;
    blocks.reserve(scratch);
    for (Index task; queue.take(task);) {
      Index rest = tasks - 1 - task;
      for (const AttentionSequence* sequence : sequences) {
        const Index own = ceil_div(sequence->count, cut.queries()) * shape.key_heads;
        if (rest < own) {
          const Index first = rest / shape.key_heads * cut.queries();
          const AttentionRows rows{shape, *sequence, rest % shape.key_heads, first,
                                   std::min(cut.queries(), sequence->count - first)};
          Block(rows, blocks).run();
          break;
        }
        rest -= own;
      }
    }
  });
}

}  // namespace strided::kernels::nn
