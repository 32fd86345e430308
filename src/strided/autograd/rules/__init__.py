"""Gradient rules, one file per family of operations. Importing this room fills the table."""

from strided.autograd.rules import (
    picking,
    scattering,
)

__all__ = [
    "picking",
    "scattering",
]
