"""Gradient rules, one file per family of operations. Importing this room fills the table."""

from strided.autograd.rules import (
    combine,
    picking,
    scattering,
)

__all__ = [
    "combine",
    "picking",
    "scattering",
]
