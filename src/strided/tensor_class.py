"""class Tensor: the native type and all members that it has in Python, set in one step.

The class is native, since a subclass in Python would cost each view its latency. Its operations are
methods of definitions (``strided/ops``); what is no operation stands in modules with a table
``METHODS`` of their own. No name may stand in two places.
"""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.autograd import tensor_members
from strided.inspect import tensor_methods as showing
from strided.interop import numpy_functions, numpy_ufuncs, pickling, protocols, torch
from strided.native_members import TensorMembers, describe, text_signature
from strided.numpy_names import array_members as arrays_members
from strided.ops import deferred, define, later

CHAPTERS: tuple[tuple[str, dict[str, Any]], ...] = tuple(
    (module.__name__, module.METHODS)
    for module in (
        *(tensor_members, pickling, showing),
        *(protocols, numpy_functions, numpy_ufuncs, torch, arrays_members),
    )
)


def members() -> dict[str, Any]:
    """Return all members that Python gives to the class, chapter by chapter."""
    made = define.methods()
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
        text = definition.python.__doc__ or ""
        for name in definition.native:
            if name in vars(TensorMembers):
                raise RuntimeError(f"Tensor.{name} is declared as native and defined")
            if definition.overloads:
                describe(Tensor, name, text_signature(name, definition.overloads[0]), text)
            else:  # an attribute
                _native.set_doc(native[name], text)
        if definition.native_function:
            name = definition.name
            describe(_native, name, text_signature(name, definition.overloads[0]), text)
    numpy_ufuncs.give_ufunc_methods()
    deferred.take_methods(define.DEFINITIONS.values())
    later.attach()
