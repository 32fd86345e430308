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

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from strided.copies.report import CopyReport
    from strided.formats import TensorEntry, tensors_in
    from strided.inspect.array_facts import print_layout
    from strided.inspect.drawing import Drawing, draw
    from strided.inspect.facts import LayoutFacts
    from strided.inspect.passes import Plan, plan
    from strided.inspect.relation import IndexSet, Relation, relate
    from strided.inspect.storage_picture import Limits
    from strided.inspect.torch_trace import trace_torch

# Name: the module it is loaded from when it is first used.
_HOMES = {
    "Drawing": "strided.inspect.drawing",
    "IndexSet": "strided.inspect.relation",
    "LayoutFacts": "strided.inspect.facts",
    "Limits": "strided.inspect.storage_picture",
    "Plan": "strided.inspect.passes",
    "Relation": "strided.inspect.relation",
    "TensorEntry": "strided.formats",
    "draw": "strided.inspect.drawing",
    "plan": "strided.inspect.passes",
    "print_layout": "strided.inspect.array_facts",
    "relate": "strided.inspect.relation",
    "tensors_in": "strided.formats",
    "trace_torch": "strided.inspect.torch_trace",
}
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


class InspectModule(ModuleType):
    """The type of ``strided.inspect``: a module that can be called."""

    if TYPE_CHECKING:
        draw = staticmethod(draw)
        plan = staticmethod(plan)
        print_layout = staticmethod(print_layout)
        relate = staticmethod(relate)
        tensors_in = staticmethod(tensors_in)

        @staticmethod
        def trace_torch(  # its own type is known to mypy only after this class
            report: CopyReport | None = None,
            *,
            user: bool = False,
            within: str | None = None,
            wait: bool = False,
        ) -> AbstractContextManager[CopyReport]: ...

    def __call__(self, x: Any, /) -> LayoutFacts:
        """Return the facts about an array's memory; they print themselves."""
        from strided.inspect.array_facts import facts_of

        return facts_of(x)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'strided.inspect' has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]


sys.modules[__name__].__class__ = InspectModule
