"""The long tail of Tensor methods, in Python, attached to the native type at import."""

from __future__ import annotations

from typing import Any

from strided._native import Tensor
from strided.copies.baseline import use_view_methods
from strided.methods import (
    arithmetic,
    convert,
    gradients,
    in_place,
    inspect,
    namespace,
    picking,
    pickling,
    products,
    scattering,
    sorting,
    views,
)
from strided.ops import deferred, define, extremes, scans, statistics  # noqa: F401  (they fill the registry)
from strided.ops.elementwise import in_place_methods, new_methods
from strided.ops.with_parameters import methods as methods_with_parameters


def members() -> dict[str, Any]:
    """Return all methods and properties: those of the op table, then each module's ``METHODS``."""
    made: dict[str, Any] = {**new_methods(), **in_place_methods(), **methods_with_parameters()}
    attached = (arithmetic, views, convert, pickling, in_place, inspect, products)
    for module in (*attached, namespace, sorting, picking, scattering, gradients):
        made.update(module.METHODS)
    return made | define.methods()


def attach() -> None:
    """Give the native type its Python methods."""
    for name, member in members().items():
        setattr(Tensor, name, member)
    use_view_methods(views.METHODS)
    deferred.take_methods(define.methods())
