"""Gradient rules, one file per family of operations. Importing this room fills the table."""

from strided.autograd.rules import (
    combine,
    elementwise,
    extremes,
    picking,
    products,
    scattering,
)

__all__ = [
    "combine",
    "elementwise",
    "extremes",
    "picking",
    "products",
    "scattering",
]
