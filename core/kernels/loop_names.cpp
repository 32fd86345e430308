#include "loop_names.hpp"

#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "loop_table.hpp"
#include "simd/table_filler.hpp"

namespace strided {
namespace {

// ---- what the cells are called ----

// What the indices of an array of cells are called.
constexpr auto by_dtype = [](int i) { return name_of(static_cast<DType>(i)); };
constexpr auto by_float = [](int i) { return name_of(i == 0 ? DType::Float32 : DType::Float64); };
constexpr auto by_op = [](int i) { return kOps[i].name; };
constexpr auto by_kind = [](int i) { return kernels::quantized::kBlockFormats[i].name; };
constexpr auto by_place = [](int i) { return std::to_string(i); };
constexpr auto by_width = [](int i) { return std::to_string(i + 1); };
constexpr auto by_power = [](int i) { return std::to_string(1 << i); };
constexpr auto by_store = [](int i) { return i == 0 ? "cached" : "streamed"; };
constexpr auto by_scan = [](int i) { return i == 0 ? "sum" : "prod"; };
static_assert(kernels::scan::kScanCount == 2);
constexpr auto by_fold = [](int i) {
  constexpr const char* kFolds[] = {"sum", "number_sum", "abs_sum", "squares", "prod",
                                    "max", "count",      "moments", "argmax",  "exp"};
  static_assert(std::size(kFolds) == kernels::reduce::kFoldCount);
  return kFolds[i];
};

// Gives every cell of a table its name, by its word of 8 bytes.
class CellNames {
 public:
  CellNames() : names_(sizeof(LoopTable) / sizeof(void*)) {
    const LoopTable& table = table_;
    name(table.elementwise, "elementwise", by_op, by_dtype);
    name(table.streamed, "streamed", by_op, by_float);
    name(table.quick, "quick", by_float);
    name(table.cast, "cast", by_dtype, by_dtype);
    name(table.copy.rows, "copy.rows", by_power, by_store);
    name(table.copy.cross, "copy.cross", by_power, by_store);
    name(table.copy.interleave, "copy.interleave", by_power, by_store);
    name(table.copy.deinterleave, "copy.deinterleave", by_power, by_store);
    name(table.copy.stream, "copy.stream");
    name(table.copy.finish_streams, "copy.finish_streams");
    name(table.gather.resolve, "gather.resolve");
    name(table.reduce, "reduce", by_fold, by_dtype);
    name(table.scan, "scan", by_scan, by_dtype);
    name_products(table.products);
    name(table.quantized.kinds, "quantized", by_kind);
    name(table.quantized.by_32, "quantized.by_32");
    name(table.quantized.by_256, "quantized.by_256");
    name(table.sort.half, "sort.half");
    name(table.sort.narrow, "sort.narrow");
    name(table.sort.wide, "sort.wide");
    name(table.sort.to_keys, "sort.to_keys", by_place, by_dtype);
    name(table.sort.from_keys, "sort.from_keys", by_dtype);
    name(table.model, "model", by_float);
    name(table.norms, "norms", by_float);
    name(table.columns, "columns", by_float);
    name(table.adam, "adam", by_float);
    name(table.sgd, "sgd", by_float);
    name(table.score, "score", by_dtype);
    name(table.weigh, "weigh", by_dtype);
  }
  const std::string& operator[](std::size_t word) const { return names_[word]; }

 private:
  void name_word(const void* cell, std::string text) {
    const auto* const begin = reinterpret_cast<const std::byte*>(&table_);
    names_[static_cast<std::size_t>(static_cast<const std::byte*>(cell) - begin) / sizeof(void*)] = std::move(text);
  }

  template <class R, class... A>
  void name(R (*const& loop)(A...), const std::string& text) {
    name_word(&loop, text);
  }
  // The members of a struct, each of which is a word.
  template <class Loops>
    requires requires { Loops::kNames; }
  void name(const Loops& loops, const std::string& text) {
    static_assert(sizeof(Loops) == std::size(Loops::kNames) * sizeof(void*));
    const auto* word = reinterpret_cast<const std::byte*>(&loops);
    for (const char* const member : Loops::kNames) {
      name_word(word, text + "." + member);
      word += sizeof(void*);
    }
  }
  template <class Cell, std::size_t count, class Key, class... Keys>
  void name(const Cell (&cells)[count], const std::string& text, Key key, Keys... keys) {
    for (std::size_t i = 0; i < count; ++i) {
      name(cells[i], text + "[" + std::string(key(static_cast<int>(i))) + "]", keys...);
    }
  }
  void name(const kernels::matmul::ProductLoops::Tiles& tiles, const std::string& text) {
    name_word(&tiles.rows, text + ".rows");
    name_word(&tiles.vector, text + ".vector");
    name_word(&tiles.vectors, text + ".vectors");
    name_word(&tiles.exact, text + ".exact");
    name(tiles.tile, text + ".tile", by_power, by_width);
  }

  void name_products(const kernels::matmul::ProductLoops& products) {
    name(products.tiles, "products.tiles", by_dtype);
    name(products.listed, "products.listed", by_float, by_power, by_width);
    name(products.narrow, "products.narrow", by_dtype, by_place);
    name(products.wide, "products.wide", by_dtype, by_place);
    name(products.narrow_scattered, "products.narrow_scattered", by_dtype);
    name(products.wide_scattered, "products.wide_scattered", by_dtype);
    name(products.along, "products.along", by_dtype);
    name(products.down, "products.down", by_dtype);
    name(products.pairs, "products.pairs");
    name(products.pairs_narrow_down, "products.pairs_narrow_down");
    name(products.pairs_wide_down, "products.pairs_wide_down");
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
