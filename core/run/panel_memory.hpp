// Memory that a thread keeps for the panels of its products: taken once, used again, given back when the
// thread ends. Whoever asks bounds the size.
#pragma once

#include <cstddef>

namespace strided {

// What it holds; each kind has a block of its own. Products of quantised matrices hold theirs around an
// ordinary product, which takes the first three.
enum class PanelOf { Left, Right, Result, Activations, Numbers, Sums };

// At least `bytes`, aligned to a cache line, until the next call of this thread for the same kind; null
// when the system has none.
std::byte* panel_memory(PanelOf kind, std::size_t bytes);

}  // namespace strided
