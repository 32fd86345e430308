// Integer division that rounds up.
#pragma once

#include "layout/dims.hpp"

namespace strided {

// n >= 0, step > 0.
constexpr Index ceil_div(Index n, Index step) { return (n + step - 1) / step; }
constexpr Index round_up(Index n, Index step) { return ceil_div(n, step) * step; }

}  // namespace strided
