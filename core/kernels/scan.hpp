// Running sums and products along one axis.
#pragma once

#include "operand.hpp"

namespace strided {

enum class Scan : std::uint8_t { Sum, Prod };

// Same shapes; accumulates in out.dtype (half types in float32).
void scan(Scan op, const Operand& out, const Operand& in, int axis);

}  // namespace strided
