"""Logic and bits, elementwise."""

from __future__ import annotations

from strided.ops.elementwise import binary, unary

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
