"""Comparisons and questions about floats, elementwise."""

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
