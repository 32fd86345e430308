"""The long tail of Tensor methods, in Python, attached to the native type at import."""

from __future__ import annotations

from strided._native import Tensor
from strided.methods import convert, in_place, inspect, reduce, views
from strided.ops.elementwise import functions, in_place_methods


def attach() -> None:
    """Give the native type its Python methods: whatever a module lists in ``METHODS``."""
    for table in (functions(), in_place_methods()):
        for name, function in table.items():
            setattr(Tensor, name, function)
    for module in (views, convert, in_place, inspect, reduce):
        for name, member in module.METHODS.items():
            setattr(Tensor, name, member)
