"""The instruction sets that STRIDED_ISA chooses among (core/simd/dispatch.hpp)."""

LEVELS = ["baseline", "avx2", "avx512"]

# Every level, the last one with and without each of its features.
WISHES = [
    *LEVELS[:2],
    "avx512,no-vnni,no-bf16",
    "avx512,no-vnni",
    "avx512,no-bf16",
    "avx512",
]
