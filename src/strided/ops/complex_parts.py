"""Conjugates and angles of complex numbers, elementwise."""

from __future__ import annotations

from strided.ops import derivatives as d
from strided.ops.elementwise import unary

conj = unary(
    "conj",
    "Complex conjugate.",
    "[1 + 2j]",
    "[(1-2j)]",
    aliases=("conjugate",),
    numpy="conj",
    gradient=lambda g: d.conj(g),
)

angle = unary(
    "angle",
    "The angle of a complex number, in radians.",
    "[1.0]",
    "[0.0]",
    numpy="angle",
    gradient=0,
    complex_gradient=lambda g, x: d.angle_gradient(g, x),
    in_place=False,
)
