// Whether the instruction set that this file is compiled for rounds a product and a sum once.
#pragma once

namespace strided {

// Not inline: every file has its own, since files are compiled for different instruction sets.
#if defined(__FMA__) || defined(__FP_FAST_FMAF) || defined(__ARM_FEATURE_FMA)
static constexpr bool kFusesProducts = true;
#else
static constexpr bool kFusesProducts = false;
#endif

}  // namespace strided
