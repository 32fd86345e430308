// Lengths in parts: how many there are, and rounded up to whole ones.
#pragma once

#include "layout/dims.hpp"

namespace strided {

// n >= 0, part > 0.
constexpr Index ceil_div(Index n, Index part) { return (n + part - 1) / part; }
constexpr Index round_up(Index n, Index step) { return ceil_div(n, step) * step; }

}  // namespace strided
