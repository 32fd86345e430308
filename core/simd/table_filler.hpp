// Filling a table of function pointers, level by level, and remembering what stands where.
//
// A table is filled from the lowest level upwards; a loop of a higher level takes the place of one of a lower level.
// Within a level a cell has one loop. A second one is an error, because the order of files would decide which of them
// runs. The check and the names cost nothing where nobody asks: only a TableRecord has them.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace strided::simd {

// A function and how it is called in the source.
template <class F>
struct Named {
  F* loop;
  const char* name;
};
template <class F>
Named(F*, const char*) -> Named<F>;  // older compilers do not deduce it

// STRIDED_LOOP(sum<float>) is {&sum<float>, "sum<float>"}.
#define STRIDED_LOOP(...) ::strided::simd::Named{&__VA_ARGS__, #__VA_ARGS__}

struct TableEntry {
  const char* level = nullptr;  // that the loop is compiled for; null where nothing was entered
  const char* file = nullptr;   // below core/
  const char* name = nullptr;   // as written in the source; null for a number beside the loops
  const char* entered_at = nullptr;  // the level that was being filled
};

// What was entered into a table, by its word of 8 bytes.
class TableRecord {
 public:
  // `name_of` says how a word of the table is called, for messages.
  TableRecord(std::size_t nbytes, std::string (*name_of)(std::size_t word))
      : entries_(nbytes / sizeof(void*)), name_of_(name_of) {}

  const TableEntry& operator[](std::size_t word) const { return entries_[word]; }
  std::size_t size() const { return entries_.size(); }

  // Throws std::logic_error if the word has an entry of the same level.
  void add(std::size_t word, const TableEntry& entry);

 private:
  std::vector<TableEntry> entries_;
  std::string (*name_of_)(std::size_t word);
};

// Writes to a table whose cells are pointers to functions, and numbers that belong to them. Its templates are always
// inlined: the files that call them are compiled for different instruction sets.
class TableFiller {
 public:
  explicit TableFiller(void* table, TableRecord* record = nullptr)
      : table_(static_cast<std::byte*>(table)), record_(record) {}

  // What is entered from now on comes from this file, compiled for this level.
  void begin(const char* level, const char* file) { level_ = level, file_ = file; }

  template <class F>
  [[gnu::always_inline]] void enter(F* const& cell, Named<F> loop) {
    static_assert(std::is_function_v<F>);
    write_loop(&cell, reinterpret_cast<const void*>(loop.loop), loop.name);
  }
  // The loop that another cell has by now.
  template <class F>
  [[gnu::always_inline]] void share(F* const& cell, F* const& from) {
    static_assert(std::is_function_v<F>);
    copy_loop(&cell, &from);
  }
  // A number or a pointer to data.
  template <class T>
  [[gnu::always_inline]] void set(const T& cell, std::type_identity_t<T> value) {
    static_assert(std::is_trivially_copyable_v<T>);
    write_bytes(&cell, &value, sizeof(T));
  }

 private:
  std::size_t word_of(const void* cell) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(cell) - table_) / sizeof(void*);
  }
  void write_loop(const void* cell, const void* loop, const char* name);
  void copy_loop(const void* cell, const void* from);
  void write_bytes(const void* cell, const void* value, std::size_t nbytes);

  std::byte* const table_;
  TableRecord* const record_;
  const char* level_ = "";
  const char* file_ = "";
};

}  // namespace strided::simd
