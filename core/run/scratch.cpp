#include "scratch.hpp"

#include <memory>
#include <new>

namespace strided {
namespace {

struct Release {
  void operator()(std::byte* block) const { ::operator delete(block, std::align_val_t{64}); }
};

}  // namespace

std::byte* scratch() {
  thread_local std::unique_ptr<std::byte, Release> block;
  if (!block) block.reset(static_cast<std::byte*>(::operator new(kScratchBytes, std::align_val_t{64})));
  return block.get();
}

}  // namespace strided
