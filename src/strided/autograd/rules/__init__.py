"""Gradient rules, one file per family of operations. Importing this room fills the table."""

from strided.autograd.rules import (
    combine,
    picking,
    products,
    scattering,
)

__all__ = [
    "combine",
    "picking",
    "products",
    "scattering",
]
