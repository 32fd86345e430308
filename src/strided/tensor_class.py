"""class Tensor: the native type and all members that it has in Python, set in one step.

The class is native, since a subclass in Python would cost each view its latency. Its operations are
methods of definitions (``strided/ops``); what is no operation stands in modules with a table
``METHODS`` of their own. No name may stand in two places.
"""

from __future__ import annotations

from typing import Any

from strided._native import Tensor
from strided.autograd import tensor_members
from strided.inspect import tensor_methods as showing
from strided.interop import array_api, exchange, pickling, protocols
from strided.methods import (
    arithmetic,
    in_place,
    inspect,
    picking,
    scattering,
)
from strided.native_docs import describe
from strided.ops import chapters, deferred, define  # noqa: F401  (chapters fill the registry)

CHAPTERS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("definitions", define.methods()),
    *(
        (module.__name__, module.METHODS)
        for module in (
            arithmetic, exchange, pickling, in_place, inspect, array_api,
            picking, scattering, tensor_members, showing, protocols,
        )
    ),
)  # fmt: skip


def members() -> dict[str, Any]:
    """Return all members that Python gives to the class, chapter by chapter."""
    made: dict[str, Any] = {}
    for chapter, table in CHAPTERS:
        twice = made.keys() & table.keys()
        if twice:
            raise RuntimeError(f"Tensor has two definitions of {sorted(twice)}, one in {chapter}")
        made.update(table)
    return made


def attach() -> None:
    """Give the class its members."""
    native = vars(Tensor).copy()
    for name, member in members().items():
        if native.get(name) is member:  # a definition says what the type has itself
            continue
        if name in native:
            raise RuntimeError(f"Tensor has a native {name} besides the one in Python")
        setattr(Tensor, name, member)
    for definition in define.DEFINITIONS.values():
        for name in definition.native:
            signature = definition.overloads[0].replace("(self, ", "(").replace("(self)", "()")
            text = definition.python.__doc__ or ""
            describe(Tensor, {name: (signature, text)}, "$self")
    deferred.take_methods(define.DEFINITIONS.values())
