"""Chapters that are loaded when one of their names is first used, and names that are left out.

An import of ``strided`` loads what most programs need. What few of them do stands in chapters whose
names the table ``later_names`` lists; ``tools/make_stubs.py`` writes it from the definitions. A
member of Tensor that is not loaded yet, or that there is on purpose not, is a small descriptor.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NoReturn

from strided._native import Tensor
from strided.ops import deferred
from strided.ops.define import DEFINITIONS
from strided.ops.later_names import FUNCTIONS, LEFT_OUT_OF_TENSOR, METHODS


class LaterMember:
    """A member of Tensor whose chapter is loaded when somebody asks for it."""

    __slots__ = ("module", "name")

    def __init__(self, name: str, module: str) -> None:
        self.name, self.module = name, module

    def __get__(self, tensor: Any, owner: Any = None) -> Any:
        load(self.module)
        return getattr(owner if tensor is None else tensor, self.name)


class LeftOutMember:
    """A member that PyTorch's Tensor has and this one has not: the error says what there is."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, tensor: Any, owner: Any = None) -> NoReturn:
        from strided.ops.left_out import TENSOR, refusal

        raise refusal("'Tensor' object", self.name, TENSOR)


def load(module: str) -> None:
    """Load a chapter, and give the class the members that it defines."""
    import_module(module)
    here = [one for one in DEFINITIONS.values() if one.python.__module__ == module]
    for definition in here:
        for name, member in definition.methods.items():
            setattr(Tensor, name, member)
    deferred.take_methods(here)


def load_all() -> None:
    """Load every chapter, for tools that list what there is."""
    for module in dict.fromkeys([*FUNCTIONS, *METHODS]):
        load(module)


def function(name: str) -> Any:
    """Return a function of the namespace from its chapter; None where there is none."""
    for module, names in FUNCTIONS.items():
        if name in names.split():
            load(module)
            return next(
                one.functions[name]
                for one in DEFINITIONS.values()
                if one.python.__module__ == module and not one.namespace and name in one.functions
            )
    return None


def function_names() -> list[str]:
    """Return the names of all functions that chapters have."""
    return [name for names in FUNCTIONS.values() for name in names.split()]


def attach() -> None:
    """Give Tensor a descriptor for every member that is loaded later or left out."""
    for module, names in METHODS.items():
        for name in names.split():
            if name not in vars(Tensor):
                setattr(Tensor, name, LaterMember(name, module))
    for name in LEFT_OUT_OF_TENSOR.split():
        setattr(Tensor, name, LeftOutMember(name))
