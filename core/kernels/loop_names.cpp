#include "loop_names.hpp"

#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <unordered_map>

#include "loop_table.hpp"
#include "simd/table_filler.hpp"

namespace strided {
namespace {

// ---- what the cells are called ----

constexpr std::string_view kFolds[kernels::reduce::kFoldCount] = {"sum",   "number_sum", "abs_sum", "squares", "prod",
                                                 "max",   "count",      "moments", "argmax",  "exp"};
constexpr std::string_view kScans[kernels::scan::kScanCount] = {"sum", "prod"};
constexpr std::string_view kFloats[2] = {"float32", "float64"};
constexpr std::string_view kStores[2] = {"cached", "streamed"};

std::string in_brackets(std::string_view key) { return std::string("[").append(key).append("]"); }
std::string in_brackets(DType dtype) { return in_brackets(name_of(dtype)); }
std::string in_brackets(int number) { return in_brackets(std::to_string(number)); }

// Gives every cell of a table its name, by its word of 8 bytes.
class CellNames {
 public:
  CellNames() : names_(sizeof(LoopTable) / sizeof(void*)) {
    name_elementwise();
    name_copies();
    name_folds();
    name_products();
    name_quantized();
    name_sorts();
    name_layers();
  }
  const std::string& operator[](std::size_t word) const { return names_[word]; }

 private:
  void name(const void* cell, std::string text) {
    const auto* const begin = reinterpret_cast<const std::byte*>(&table_);
    names_[static_cast<std::size_t>(static_cast<const std::byte*>(cell) - begin) / sizeof(void*)] = std::move(text);
  }

  void name_elementwise() {
    for (int op = 0; op < kOpCount; ++op) {
      const std::string key = in_brackets(kOps[op].name);
      for (int i = 0; i < kDTypeCount; ++i) {
        name(&table_.elementwise[op][i], "elementwise" + key + in_brackets(static_cast<DType>(i)));
      }
      for (int i = 0; i < 2; ++i) name(&table_.streamed[op][i], "streamed" + key + in_brackets(kFloats[i]));
    }
    for (int i = 0; i < 2; ++i) name(&table_.quick[i], "quick" + in_brackets(kFloats[i]));
    for (int from = 0; from < kDTypeCount; ++from) {
      for (int to = 0; to < kDTypeCount; ++to) {
        name(&table_.cast[from][to],
             "cast" + in_brackets(static_cast<DType>(from)) + in_brackets(static_cast<DType>(to)));
      }
    }
  }

  void name_copies() {
    const kernels::copy::CopyLoops& copy = table_.copy;
    for (int size = 0; size < kernels::copy::kBitSizes; ++size) {
      for (int store = 0; store < 2; ++store) {
        const std::string keys = in_brackets(1 << size) + in_brackets(kStores[store]);
        name(&copy.rows[size][store], "copy.rows" + keys);
        name(&copy.cross[size][store], "copy.cross" + keys);
        name(&copy.interleave[size][store], "copy.interleave" + keys);
        name(&copy.deinterleave[size][store], "copy.deinterleave" + keys);
      }
    }
    name(&copy.stream, "copy.stream");
    name(&copy.finish_streams, "copy.finish_streams");
    name(&table_.gather.resolve, "gather.resolve");
  }

  void name_folds() {
    for (int i = 0; i < kDTypeCount; ++i) {
      const std::string dtype = in_brackets(static_cast<DType>(i));
      for (int fold = 0; fold < kernels::reduce::kFoldCount; ++fold) {
        const std::string keys = in_brackets(kFolds[fold]) + dtype;
        name(&table_.reduce[fold][i].along, "reduce" + keys + ".along");
        name(&table_.reduce[fold][i].across, "reduce" + keys + ".across");
      }
      for (int scan = 0; scan < kernels::scan::kScanCount; ++scan) {
        const std::string keys = in_brackets(kScans[scan]) + dtype;
        name(&table_.scan[scan][i].along, "scan" + keys + ".along");
        name(&table_.scan[scan][i].across, "scan" + keys + ".across");
      }
    }
  }

  void name_tiles(const kernels::matmul::ProductLoops::Tiles& tiles, const std::string& text) {
    name(&tiles.rows, text + ".rows");
    name(&tiles.vector, text + ".vector");
    name(&tiles.vectors, text + ".vectors");
    name(&tiles.exact, text + ".exact");
    name_tile_sizes(tiles.tile, text);
  }
  template <class L>
  void name_tile_sizes(const L& tile, const std::string& text) {
    for (int height = 0; height < kernels::matmul::ProductLoops::kHighest; ++height) {
      for (int width = 0; width < kernels::matmul::ProductLoops::kWidest; ++width) {
        name(&tile[height][width], text + ".tile" + in_brackets(1 << height) + in_brackets(width + 1));
      }
    }
  }

  void name_products() {
    const kernels::matmul::ProductLoops& products = table_.products;
    for (int i = 0; i < kDTypeCount; ++i) {
      const std::string dtype = in_brackets(static_cast<DType>(i));
      name_tiles(products.tiles[i], "products.tiles" + dtype);
      for (int plane = 0; plane < 2; ++plane) {
        const std::string keys = dtype + in_brackets(plane);
        name(&products.narrow[i][plane].down, "products.narrow" + keys + ".down");
        name(&products.narrow[i][plane].along, "products.narrow" + keys + ".along");
        name(&products.wide[i][plane].down, "products.wide" + keys + ".down");
        name(&products.wide[i][plane].along, "products.wide" + keys + ".along");
      }
      name(&products.narrow_scattered[i], "products.narrow_scattered" + dtype);
      name(&products.wide_scattered[i], "products.wide_scattered" + dtype);
      name(&products.along[i], "products.along" + dtype);
      name(&products.down[i], "products.down" + dtype);
    }
    for (int i = 0; i < 2; ++i) name_tile_sizes(products.listed[i].tile, "products.listed" + in_brackets(kFloats[i]));
    name_tiles(products.pairs, "products.pairs");
    name(&products.pairs_narrow_down, "products.pairs_narrow_down");
    name(&products.pairs_wide_down, "products.pairs_wide_down");
  }

  void name_quantized() {
    for (int i = 0; i < kernels::quantized::kBlockKindCount; ++i) {
      const kernels::quantized::QuantizedLoops::Kind& kind = table_.quantized.kinds[i];
      const std::string key = "quantized" + in_brackets(kernels::quantized::kBlockFormats[i].name);
      name(&kind.product, key + ".product");
      name(&kind.order, key + ".order");
      name(&kind.to_float32, key + ".to_float32");
      name(&kind.to_bfloat16, key + ".to_bfloat16");
      name(&kind.to_float16, key + ".to_float16");
      name(&kind.tile, key + ".tile");
      name(&kind.prepare, key + ".prepare");
    }
    name(&table_.quantized.by_32, "quantized.by_32");
    name(&table_.quantized.by_256, "quantized.by_256");
  }

  template <class Key>
  void name_keys(const kernels::sort::KeyLoops<Key>& loops, const std::string& text) {
    name(&loops.sort, text + ".sort");
    name(&loops.longest, text + ".longest");
    name(&loops.facts, text + ".facts");
    name(&loops.pack, text + ".pack");
    name(&loops.unpack, text + ".unpack");
  }

  void name_sorts() {
    const kernels::sort::SortLoops& sort = table_.sort;
    name(&sort.half.pack, "sort.half.pack");
    name(&sort.half.unpack, "sort.half.unpack");
    name_keys(sort.narrow, "sort.narrow");
    name_keys(sort.wide, "sort.wide");
    for (int i = 0; i < kDTypeCount; ++i) {
      const std::string dtype = in_brackets(static_cast<DType>(i));
      for (int ties = 0; ties < 2; ++ties) name(&sort.to_keys[ties][i], "sort.to_keys" + in_brackets(ties) + dtype);
      name(&sort.from_keys[i], "sort.from_keys" + dtype);
    }
  }

  void name_layers() {
    for (int i = 0; i < 2; ++i) {
      const std::string dtype = in_brackets(kFloats[i]);
      const auto all = [&](std::string_view family, const auto& loops, std::initializer_list<std::string_view> names) {
        static_assert(std::is_trivially_copyable_v<std::remove_cvref_t<decltype(loops)>>);
        const auto* cell = reinterpret_cast<const std::byte*>(&loops);
        for (const std::string_view member : names) {
          name(cell, std::string(family) + dtype + "." + std::string(member));
          cell += sizeof(void*);
        }
      };
      all("model", table_.model[i],
          {"scale", "rotate", "rotate_pairs", "largest", "exp_shifted", "subtract_twice", "log_softmax_gradient"});
      all("norms", table_.norms[i],
          {"sum", "squares", "normalise", "shift_scale", "gradient_sums", "gradient", "accumulate_gradients", "dot",
           "softmax_gradient"});
      all("columns", table_.columns[i],
          {"add", "add_squares", "add_products", "add_gradient_sums", "normalise", "gradient",
           "softmax_gradient", "log_softmax_gradient"});
      name(&table_.adam[i], "adam" + dtype);
      name(&table_.sgd[i], "sgd" + dtype);
    }
    for (int i = 0; i < kDTypeCount; ++i) {
      name(&table_.score[i], "score" + in_brackets(static_cast<DType>(i)));
      name(&table_.weigh[i], "weigh" + in_brackets(static_cast<DType>(i)));
    }
  }

  LoopTable table_{};  // only its addresses are used
  std::vector<std::string> names_;
};

const CellNames& cell_names() {
  static const CellNames names;
  return names;
}
std::string cell_name(std::size_t word) { return cell_names()[word]; }

// ---- what the functions are called ----

std::string without_template_arguments(std::string_view name) {
  std::string plain;
  int depth = 0;
  for (const char letter : name) {
    depth += letter == '<';
    if (depth == 0) plain += letter;
    depth -= letter == '>';
  }
  return plain;
}

const void* word_at(const LoopTable& table, std::size_t word) {
  const void* content;
  std::memcpy(&content, reinterpret_cast<const std::byte*>(&table) + word * sizeof(content), sizeof(content));
  return content;
}

struct NamedTable {
  std::vector<LoopName> names;
  std::unordered_map<const void*, std::size_t> by_address;  // the first name

  explicit NamedTable(const simd::Target& target) {
    simd::TableRecord record(sizeof(LoopTable), &cell_name);
    const LoopTable table = make_table(target, &record);
    for (std::size_t word = 0; word < record.size(); ++word) {
      const simd::TableEntry& entry = record[word];
      const void* const loop = word_at(table, word);
      if (loop != nullptr && (entry.level == nullptr || cell_name(word).empty())) {
        throw std::logic_error("word " + std::to_string(word) + " of the loop table, " + cell_name(word) +
                               ", was not entered or has no name");
      }
      if (loop == nullptr || entry.name == nullptr) continue;
      by_address.emplace(loop, names.size());
      names.push_back({cell_name(word), entry.level, entry.file, without_template_arguments(entry.name)});
    }
  }
};

const NamedTable& active_names() {
  static const NamedTable names(simd::active());
  return names;
}

}  // namespace

std::string LoopName::text() const { return file + ": " + function + ", " + cell + " (" + level + ")"; }

std::string active_isa() { return simd::text_of(simd::active(), simd::supported()); }

const LoopName* find_loop_name(const void* loop) {
  const NamedTable& table = active_names();
  const auto found = table.by_address.find(loop);
  return found == table.by_address.end() ? nullptr : &table.names[found->second];
}

std::vector<LoopName> loop_names(const simd::Target& target) { return NamedTable(target).names; }
const std::vector<LoopName>& loop_names() { return active_names().names; }

}  // namespace strided
