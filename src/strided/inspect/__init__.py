"""Look at the memory of any array: ``strided.inspect(x)``, and the questions around it.

The module can be called. It takes arrays of strided, NumPy and PyTorch, and whatever else shows its
memory, reads no element and copies nothing.

>>> import numpy, strided
>>> strided.inspect(numpy.zeros((3, 4))[:, 1:3]).why_not_contiguous
'axis 0 steps 4, row-major needs 2'
>>> strided.inspect.relate(strided.zeros(2), strided.zeros(2)).same_storage
False
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from strided.formats import TensorEntry, tensors_in
from strided.functions.plan import Plan, plan
from strided.inspect.drawing import Drawing, draw
from strided.inspect.facts import LayoutFacts
from strided.inspect.limits import Limits
from strided.inspect.printer import print_layout
from strided.inspect.relation import Relation, relate
from strided.inspect.shared import IndexSet
from strided.inspect.sources import facts_of
from strided.inspect.watch_torch import trace_torch

__all__ = [
    "Drawing",
    "IndexSet",
    "LayoutFacts",
    "Limits",
    "Plan",
    "Relation",
    "TensorEntry",
    "draw",
    "plan",
    "print_layout",
    "relate",
    "tensors_in",
    "trace_torch",
]


class InspectRoom(ModuleType):
    """The type of ``strided.inspect``: a module that can be called."""

    draw = staticmethod(draw)
    plan = staticmethod(plan)
    print_layout = staticmethod(print_layout)
    relate = staticmethod(relate)
    tensors_in = staticmethod(tensors_in)
    trace_torch = staticmethod(trace_torch)

    def __call__(self, x: Any, /) -> LayoutFacts:
        """Return the facts about an array's memory; they print themselves."""
        return facts_of(x)


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]


sys.modules[__name__].__class__ = InspectRoom
