#include "mapped_file.hpp"

#include <cerrno>
#include <cstring>
#include <memory>

#include "errors.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace strided {
namespace {

// mmap wants page-aligned offsets, so a mapping may begin before the bytes that were asked for.
struct Mapping {
  void* begin;
  std::size_t nbytes;
  std::string path;
};

void unmap(Storage* storage) noexcept {
  auto* mapping = static_cast<Mapping*>(storage->owner());
  if (mapping->nbytes != 0) munmap(mapping->begin, mapping->nbytes);
  delete mapping;
  delete storage;
}

class OpenFile {
 public:
  OpenFile(const std::string& path, bool write)
      : descriptor_(open(path.c_str(), (write ? O_RDWR : O_RDONLY) | O_CLOEXEC)) {
    if (descriptor_ < 0) throw errors::file_unusable(path, std::strerror(errno));
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { close(descriptor_); }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

StorageRef map_file(const std::string& path, MapMode mode, std::int64_t offset,
                    std::int64_t nbytes) {
  const OpenFile file(path, mode == MapMode::ReadWrite);
  struct stat facts{};
  if (fstat(file.descriptor(), &facts) != 0) throw errors::file_unusable(path, std::strerror(errno));
  if (!S_ISREG(facts.st_mode)) throw errors::file_unusable(path, "not a regular file");
  const std::int64_t file_size = facts.st_size;
  if (offset < 0 || offset > file_size) {
    throw errors::file_unusable(path, "offset " + std::to_string(offset) + " lies outside its " +
                                          std::to_string(file_size) + " bytes");
  }
  if (nbytes < 0) nbytes = file_size - offset;
  if (nbytes > file_size - offset) {
    throw errors::file_unusable(path, "needs " + std::to_string(nbytes) + " bytes from offset " +
                                          std::to_string(offset) + ", the file has " +
                                          std::to_string(file_size));
  }
  const bool writable = mode != MapMode::ReadOnly;
  if (nbytes == 0) {
    return StorageRef(new Storage(nullptr, 0, writable, unmap, new Mapping{nullptr, 0, path}));
  }
  auto mapping = std::make_unique<Mapping>(Mapping{nullptr, 0, path});
  const std::int64_t page = sysconf(_SC_PAGESIZE);
  const std::int64_t lead = offset % page;
  const auto length = static_cast<std::size_t>(nbytes + lead);
  const int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  const int sharing = mode == MapMode::ReadWrite ? MAP_SHARED : MAP_PRIVATE;
  void* begin = mmap(nullptr, length, protection, sharing, file.descriptor(), offset - lead);
  if (begin == MAP_FAILED) throw errors::file_unusable(path, std::strerror(errno));
  mapping->begin = begin;
  mapping->nbytes = length;
  auto* data = static_cast<std::byte*>(begin) + lead;
  auto* storage = new (std::nothrow) Storage(data, static_cast<std::size_t>(nbytes), writable, unmap,
                                             mapping.get());
  if (storage == nullptr) {
    munmap(begin, length);
    throw errors::out_of_memory(nbytes);
  }
  mapping.release();
  return StorageRef(storage);
}

const std::string* mapped_path(const Storage& storage) {
  if (!storage.is_released_by(unmap)) return nullptr;
  return &static_cast<const Mapping*>(storage.owner())->path;
}

}  // namespace strided

#else

namespace strided {

StorageRef map_file(const std::string& path, MapMode, std::int64_t, std::int64_t) {
  throw errors::file_unusable(path, "files cannot be mapped on this system");
}

const std::string* mapped_path(const Storage&) { return nullptr; }

}  // namespace strided

#endif
