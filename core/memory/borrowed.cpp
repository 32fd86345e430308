#include "borrowed.hpp"

#include <memory>

namespace strided {
namespace {

struct Loan {
  void* owner;
  void (*done)(void*);
};

void give_back(Storage* storage) noexcept {
  auto* loan = static_cast<Loan*>(storage->owner());
  if (loan->done != nullptr) loan->done(loan->owner);
  delete loan;
  delete storage;
}

}  // namespace

StorageRef borrow(std::byte* data, std::size_t nbytes, bool writable, void* owner,
                  void (*done)(void* owner)) {
  auto loan = std::make_unique<Loan>(Loan{owner, done});
  StorageRef storage(new Storage(data, nbytes, writable, give_back, loan.get()));
  loan.release();
  return storage;
}

void* lender_of(const Storage& storage, void (*done)(void* owner)) {
  if (!storage.is_released_by(give_back)) return nullptr;
  const auto* loan = static_cast<const Loan*>(storage.owner());
  return loan->done == done ? loan->owner : nullptr;
}

}  // namespace strided
