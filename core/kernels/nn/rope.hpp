// Rotary position embedding: pairs of elements rotated by an angle of their position (J. Su et al.,
// "RoFormer: enhanced transformer with rotary position embedding", 2021).
#pragma once

#include "plan/operand.hpp"

namespace strided::kernels::nn {

// Rotates the first 2 h elements of each row of x, with h cosines and sines each; the rest passes through.
// Pairs are (i, i + h), or neighbours if `interleaved`. All operands have the same lengths on all axes but
// the last (stride 0 where cosines repeat); out's first may be longer: row i goes to its row places[i], unless
// `places` is null. Computed in `compute`. out overlaps no input, unless it is x element for element.
void rope(const Operand& out, const Operand& x, const Operand& cosine, const Operand& sine, bool interleaved,
          const Index* places, DType compute);

}  // namespace strided::kernels::nn
