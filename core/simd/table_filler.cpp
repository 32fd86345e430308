#include "table_filler.hpp"

#include <cstring>
#include <stdexcept>
#include <string_view>

namespace strided::simd {

void TableRecord::add(std::size_t word, const TableEntry& entry) {
  TableEntry& known = entries_[word];
  if (known.level != nullptr && std::string_view(known.entered_at) == entry.entered_at) {
    const auto told = [](const TableEntry& one) {
      return std::string(one.file) + ": " + (one.name == nullptr ? "a number" : one.name);
    };
    throw std::logic_error(told(entry) + " is a second entry for " + name_of_(word) + " of level " +
                           entry.entered_at + "; the first is " + told(known));
  }
  known = entry;
}

void TableFiller::write_loop(const void* cell, const void* loop, const char* name) {
  std::memcpy(const_cast<void*>(cell), &loop, sizeof(loop));
  if (record_ != nullptr) record_->add(word_of(cell), {level_, file_, name, level_});
}

void TableFiller::copy_loop(const void* cell, const void* from) {
  std::memcpy(const_cast<void*>(cell), from, sizeof(void*));
  if (record_ == nullptr) return;
  TableEntry entry = (*record_)[word_of(from)];
  if (entry.level == nullptr) throw std::logic_error(std::string(file_) + " shares a loop that is not there");
  entry.entered_at = level_;
  record_->add(word_of(cell), entry);
}

void TableFiller::write_bytes(const void* cell, const void* value, std::size_t nbytes) {
  std::memcpy(const_cast<void*>(cell), value, nbytes);
  if (record_ != nullptr) record_->add(word_of(cell), {level_, file_, nullptr, level_});
}

}  // namespace strided::simd
