"""Dictionaries, lists and numbers as JSON, with the tensors between them taken out by number.

A container is an object with one key that names it: {"list": [...]}, {"dict": [[key, value], ...]};
a tensor is {"tensor": number}. Nothing that a file says is ever run.
"""

from __future__ import annotations

import base64
import math
from typing import Any, NamedTuple

from strided import _native
from strided._native import DType, Tensor
from strided.errors import InvalidArgument
from strided.functions.arrays import asarray

_PLAIN = (type(None), bool, int, str)


class Collected(NamedTuple):
    """A value as JSON, its tensors in the order of their numbers, and what each is called."""

    node: Any
    tensors: list[Tensor]
    names: list[str]


def collect(value: Any) -> Collected:
    """Return a value as JSON and the tensors in it; one that occurs twice has one number.

    >>> import strided
    >>> from strided.exchange.structure import collect
    >>> x = strided.zeros(2)
    >>> collect({"a": [x, 1.5]}).node
    {'dict': [['a', {'list': [{'tensor': 0}, 1.5]}]]}
    """
    walk = _Walk()
    return Collected(walk.node(value, ()), walk.tensors, walk.names)


class _Walk:
    def __init__(self) -> None:
        self.tensors: list[Tensor] = []
        self.names: list[str] = []
        self._numbers: dict[int, int] = {}
        self._within: set[int] = set()
        self._kept: list[Any] = []  # arrays whose ids must not be used again

    def node(self, value: Any, path: tuple[Any, ...]) -> Any:
        """Return the JSON of one value at a path of keys."""
        if isinstance(value, Tensor) or type(value).__module__ == "numpy":
            return {"tensor": self._number(value, path)}
        if type(value) in _PLAIN:
            return value
        if type(value) is float:
            return value if math.isfinite(value) else {"float": repr(value)}
        if type(value) is complex:
            return {"complex": [repr(value.real), repr(value.imag)]}
        if type(value) is bytes:
            return {"bytes": base64.b64encode(value).decode()}
        if isinstance(value, DType):
            return {"dtype": value.name}
        if isinstance(value, (list, dict)) or type(value) is tuple:
            return self._container(value, path)
        raise InvalidArgument(
            argument=_shown(path),
            got=f"a {type(value).__name__}",
            requirement="must be a tensor, array, number, text, bytes, None, list, tuple or dict; "
            "pickle takes other objects",
        )

    def _container(self, value: Any, path: tuple[Any, ...]) -> Any:
        if id(value) in self._within:
            raise InvalidArgument(
                argument=_shown(path), got="a container of itself", requirement="must end somewhere"
            )
        self._within.add(id(value))
        try:
            if isinstance(value, dict):
                pairs = [[self._key(k, path), self.node(v, (*path, k))] for k, v in value.items()]
                return {"dict": pairs}
            kind = "list" if isinstance(value, list) else "tuple"
            return {kind: [self.node(one, (*path, i)) for i, one in enumerate(value)]}
        finally:
            self._within.discard(id(value))

    def _key(self, key: Any, path: tuple[Any, ...]) -> Any:
        if type(key) not in _PLAIN and type(key) not in (float, tuple):
            raise InvalidArgument(
                argument=f"a key of {_shown(path)}",
                got=f"a {type(key).__name__}",
                requirement="must be a text, a number, None or a tuple of those",
            )
        return self.node(key, path)

    def _number(self, value: Any, path: tuple[Any, ...]) -> int:
        if id(value) not in self._numbers:
            self._kept.append(value)
            self._numbers[id(value)] = len(self.tensors)
            self.tensors.append(asarray(value).detach())
            self.names.append(".".join(map(str, path)) or "tensor")
        return self._numbers[id(value)]


def _shown(path: tuple[Any, ...]) -> str:
    return "value" + "".join(f"[{key!r}]" for key in path)


def restore(node: Any, tensors: list[Tensor]) -> Any:
    """Return the value that was collected; raises ValueError or KeyError for any other JSON."""
    if not isinstance(node, dict):
        if type(node) in (*_PLAIN, float):
            return node
        raise ValueError(f"a {type(node).__name__} stands where a value should")
    ((kind, inner),) = node.items()
    if kind == "tensor":
        if type(inner) is not int or not 0 <= inner < len(tensors):
            raise ValueError(f"there is no tensor {inner!r}"[:60])
        return tensors[inner]
    if kind == "float":
        return float(inner)
    if kind == "complex":
        real, imaginary = inner
        return complex(float(real), float(imaginary))
    if kind == "bytes":
        return base64.b64decode(inner, validate=True)
    if kind == "dtype":
        return _native.as_dtype(str(inner))
    if kind == "dict":
        return {restore(key, tensors): restore(one, tensors) for key, one in inner}
    if kind in ("list", "tuple"):
        made = [restore(one, tensors) for one in inner]
        return made if kind == "list" else tuple(made)
    raise ValueError(f"{kind!r} is unknown"[:60])
