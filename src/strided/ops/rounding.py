"""Rounding, elementwise."""

from __future__ import annotations

from strided.ops.elementwise import unary

floor = unary(
    "floor",
    "The largest integer not above the element.",
    "[1.5, -1.5]",
    "[1.0, -2.0]",
    numpy="floor",
    gradient=0,
)

ceil = unary(
    "ceil",
    "The smallest integer not below the element.",
    "[1.5, -1.5]",
    "[2.0, -1.0]",
    numpy="ceil",
    gradient=0,
)

trunc = unary(
    "trunc",
    "The element without its fraction.",
    "[1.5, -1.5]",
    "[1.0, -1.0]",
    aliases=("fix",),
    numpy="trunc",
    gradient=0,
)

round = unary(
    "round",
    "The nearest integer; halves go to the even one.",
    "[0.5, 1.5, -2.5]",
    "[0.0, 2.0, -2.0]",
    numpy="round",
    gradient=0,
)

frac = unary(
    "frac",
    "The fraction: x - trunc(x).",
    "[1.5, -1.5]",
    "[0.5, -0.5]",
    gradient=lambda g: g,
)
