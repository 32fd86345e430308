// Storage: reference-counted bytes with a size, a writable flag and a version counter. How the bytes
// came to be (heap, mapped file, somebody else's buffer) is hidden behind `release`.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace strided {

class Storage {
 public:
  using Release = void (*)(Storage*) noexcept;

  Storage(std::byte* data, std::size_t nbytes, bool writable, Release release, void* owner) noexcept
      : data_(data), nbytes_(nbytes), release_(release), owner_(owner), writable_(writable) {}
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  std::byte* data() const { return data_; }
  std::size_t nbytes() const { return nbytes_; }
  bool writable() const { return writable_; }
  void* owner() const { return owner_; }
  // Each kind of storage gives its bytes back in its own way, and is recognised by it.
  bool is_released_by(Release way) const { return release_ == way; }

  // A hook that is called after every write, while it is set.
  using WriteHook = void (*)(const Storage&);
  static inline std::atomic<WriteHook> write_hook{nullptr};

  // Counts in-place writes, so that whoever saved a value can tell that it changed.
  std::uint64_t version() const { return version_.load(std::memory_order_relaxed); }
  // `by` names the operation that writes; it is kept, so it must be a literal.
  void bump_version(const char* by) {
    version_.fetch_add(1, std::memory_order_relaxed);
    last_writer_.store(by, std::memory_order_relaxed);
    if (const WriteHook hook = write_hook.load(std::memory_order_relaxed)) hook(*this);
  }
  const char* last_writer() const { return last_writer_.load(std::memory_order_relaxed); }

  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
  void drop() {
    // Whoever holds the only reference can be raced by nobody: that case needs no locked instruction.
    if (references_.load(std::memory_order_acquire) == 1 ||
        references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      release_(this);
    }
  }
  std::int64_t references() const { return references_.load(std::memory_order_relaxed); }

 private:
  std::byte* data_;
  std::size_t nbytes_;
  Release release_;
  void* owner_;
  std::atomic<std::int64_t> references_{1};
  std::atomic<std::uint64_t> version_{0};
  std::atomic<const char*> last_writer_{""};
  bool writable_;
};

// An owning pointer to a Storage.
class StorageRef {
 public:
  StorageRef() = default;
  // Takes over one reference.
  explicit StorageRef(Storage* storage) : storage_(storage) {}
  StorageRef(const StorageRef& other) : storage_(other.storage_) { if (storage_) storage_->retain(); }
  StorageRef(StorageRef&& other) noexcept : storage_(std::exchange(other.storage_, nullptr)) {}
  StorageRef& operator=(StorageRef other) noexcept {
    std::swap(storage_, other.storage_);
    return *this;
  }
  ~StorageRef() { if (storage_) storage_->drop(); }

  Storage* operator->() const { return storage_; }
  Storage* get() const { return storage_; }
  explicit operator bool() const { return storage_ != nullptr; }
  bool operator==(const StorageRef& other) const { return storage_ == other.storage_; }

 private:
  Storage* storage_ = nullptr;
};

}  // namespace strided
