"""Comparisons, questions about floats, logic and bits, elementwise."""

from __future__ import annotations

from strided.ops.elementwise import binary, unary

isnan = unary(
    "isnan",
    "Whether the element is NaN.",
    "[1.0]",
    "[False]",
    numpy="isnan",
    in_place=False,
)

isinf = unary(
    "isinf",
    "Whether the element is infinite.",
    "[1.0]",
    "[False]",
    numpy="isinf",
    in_place=False,
)

isposinf = unary(
    "isposinf",
    "Whether the element is positive infinity.",
    "[1.0]",
    "[False]",
    numpy="isposinf",
    in_place=False,
)

isneginf = unary(
    "isneginf",
    "Whether the element is negative infinity.",
    "[1.0]",
    "[False]",
    numpy="isneginf",
    in_place=False,
)

isfinite = unary(
    "isfinite",
    "Whether the element is neither infinite nor NaN.",
    "[1.0]",
    "[True]",
    numpy="isfinite",
    in_place=False,
)

signbit = unary(
    "signbit",
    "Whether the sign bit is set, also for -0.0.",
    "[-0.0, 1.0]",
    "[True, False]",
    numpy="signbit",
    in_place=False,
)

equal = binary(
    "equal",
    "Whether both are equal.",
    "[1, 2], 2",
    "[False, True]",
    aliases=("eq",),
    numpy="equal",
)

not_equal = binary(
    "not_equal",
    "Whether they differ.",
    "[1, 2], 2",
    "[True, False]",
    aliases=("ne",),
    numpy="not_equal",
)

less = binary(
    "less",
    "Whether the first is smaller.",
    "[1, 2], 2",
    "[True, False]",
    aliases=("lt",),
    numpy="less",
)

less_equal = binary(
    "less_equal",
    "Whether the first is not larger.",
    "[1, 2, 3], 2",
    "[True, True, False]",
    aliases=("le",),
    numpy="less_equal",
)

greater = binary(
    "greater",
    "Whether the first is larger.",
    "[1, 3], 2",
    "[False, True]",
    aliases=("gt",),
    numpy="greater",
)

greater_equal = binary(
    "greater_equal",
    "Whether the first is not smaller.",
    "[1, 2, 3], 2",
    "[False, True, True]",
    aliases=("ge",),
    numpy="greater_equal",
)

# ---- logic and bits ----

logical_not = unary(
    "logical_not",
    "Whether the element is zero.",
    "[0, 2]",
    "[True, False]",
    numpy="logical_not",
)

logical_and = binary(
    "logical_and",
    "Whether both are nonzero.",
    "[0, 1], 2",
    "[False, True]",
    numpy="logical_and",
)

logical_or = binary(
    "logical_or",
    "Whether one is nonzero.",
    "[0, 1], 0",
    "[False, True]",
    numpy="logical_or",
)

logical_xor = binary(
    "logical_xor",
    "Whether exactly one is nonzero.",
    "[0, 1], 2",
    "[True, False]",
    numpy="logical_xor",
)

bitwise_not = unary(
    "bitwise_not",
    "Every bit flipped; logical not for bool.",
    "[0, 5]",
    "[-1, -6]",
    aliases=("bitwise_invert", "invert"),
    numpy="invert",
)

bitwise_and = binary(
    "bitwise_and",
    "The bits that both have.",
    "[6, 3], 2",
    "[2, 2]",
    numpy="bitwise_and",
)

bitwise_or = binary(
    "bitwise_or",
    "The bits that either has.",
    "[4, 1], 2",
    "[6, 3]",
    numpy="bitwise_or",
)

bitwise_xor = binary(
    "bitwise_xor",
    "The bits that exactly one has.",
    "[6, 1], 2",
    "[4, 3]",
    numpy="bitwise_xor",
)

bitwise_left_shift = binary(
    "bitwise_left_shift",
    "Bits moved up; 0 when all are moved out.",
    "[1, 2], 3",
    "[8, 16]",
    aliases=("left_shift",),
    numpy="left_shift",
)

bitwise_right_shift = binary(
    "bitwise_right_shift",
    "Bits moved down, keeping the sign.",
    "[8, -8], 1",
    "[4, -4]",
    aliases=("right_shift",),
    numpy="right_shift",
)
