"""Gradient rules, one file per family of operations. Importing this room fills the table."""

from strided.autograd.rules import (
    combine,
    elementwise,
    picking,
    products,
    scattering,
)

__all__ = [
    "combine",
    "elementwise",
    "picking",
    "products",
    "scattering",
]
