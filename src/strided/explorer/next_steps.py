"""Suggested next steps: operations that make sense on a tensor, with arguments that work.

Each proposal can be written down as it stands; ``view`` alone may still be refused, because seeing
why is the point of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from strided import Tensor
from strided.explorer.operations import MAX_ELEMENTS, MAX_RANK


@dataclass(frozen=True)
class Field:
    """One argument of a proposal: its name, a value that works, and what may stand there."""

    name: str
    value: str
    hint: str = ""


@dataclass(frozen=True)
class NextStep:
    """An operation to go on with; ``before`` and ``after`` are the text around its arguments."""

    group: str
    label: str
    before: str
    fields: tuple[Field, ...] = ()
    after: str = ""

    @property
    def text(self) -> str:
        """The step as it is written, with its proposed arguments.

        >>> NextStep("Axes", "flip", ".flip(", (Field("dim", "1"),), ")").text
        '.flip(1)'
        """
        return self.before + ", ".join(field.value for field in self.fields) + self.after


def next_steps(x: Tensor) -> Iterator[NextStep]:
    """Yield proposals for the next step of a chain, in the order of their groups.

    >>> import strided
    >>> [step.text for step in next_steps(strided.arange(6))][:4]
    ['.flip(0)', '.unsqueeze(0)', '[::2]', '.narrow(0, 0, 3)']
    """
    yield from _axes(x)
    yield from _parts(x)
    yield from _shapes(x)
    yield from _repeats(x)
    yield _call("Memory", "contiguous")
    yield _call("Memory", "clone")
    if x.ndim:
        yield _call("Memory", "roll", Field("shifts", "1"), _dim(x, "dims", 0))
    size, stride = _tuple(x.shape), _tuple(x.stride())
    offset = Field("offset", str(x.storage_offset()))
    yield _call("Memory", "as_strided", Field("size", size), Field("stride", stride), offset)


def _call(group: str, name: str, *fields: Field) -> NextStep:
    return NextStep(group, name, f".{name}(", fields, ")")


def _dim(x: Tensor, name: str, value: int) -> Field:
    return Field(name, str(value % x.ndim), f"0 to {x.ndim - 1}")


def _tuple(values: tuple[int, ...]) -> str:
    return str(tuple(values))


def _list(values: list[int]) -> str:
    return ", ".join(map(str, values))


def _axes(x: Tensor) -> Iterator[NextStep]:
    if x.ndim == 2:
        yield NextStep("Axes", "T", ".T")
    if x.ndim >= 2:
        yield _call("Axes", "transpose", _dim(x, "dim0", 0), _dim(x, "dim1", -1))
    if x.ndim >= 3:
        order = _list([*range(1, x.ndim), 0])
        yield _call("Axes", "permute", Field("dims", order, "each axis once"))
        yield _call("Axes", "movedim", _dim(x, "source", 0), _dim(x, "destination", -1))
    if x.ndim:
        yield _call("Axes", "flip", _dim(x, "dims", -1))
    if x.ndim < MAX_RANK:
        yield _call("Axes", "unsqueeze", Field("dim", "0", f"0 to {x.ndim}"))
    if 1 in x.shape:
        yield _call("Axes", "squeeze")


def _parts(x: Tensor) -> Iterator[NextStep]:
    if not x.ndim:
        return
    first = ":, " * (x.ndim - 1)
    hint = "1:, ::2, ::-1, ..., None, [0, 2]"
    yield NextStep("Parts", "[ ]", "[", (Field("index", f"{first}::2", hint),), "]")
    length = x.shape[-1]
    half = Field("length", str(max(length // 2, min(length, 1))), f"0 to {length}")
    yield _call("Parts", "narrow", _dim(x, "dim", -1), Field("start", "0"), half)
    if x.shape[0]:
        place = Field("index", "0", f"0 to {x.shape[0] - 1}")
        yield _call("Parts", "select", _dim(x, "dim", 0), place)
    if x.ndim >= 2:
        yield _call("Parts", "diagonal", Field("offset", "0", "1 is above, -1 below"))


def _shapes(x: Tensor) -> Iterator[NextStep]:
    # An empty tensor has no single length for -1 to stand for.
    size = str(x.size) if x.ndim != 1 else _list(_factors(x.size))
    hint = f"lengths that multiply to {x.size}"
    yield _call("Shape", "reshape", Field("size", size, hint))
    yield _call("Shape", "view", Field("size", size, hint))
    if x.ndim >= 2:
        yield _call("Shape", "flatten", _dim(x, "start_dim", 0), _dim(x, "end_dim", -1))
    splits = [axis for axis, n in enumerate(x.shape) if _factors(n)[0] > 1]
    if splits and x.ndim < MAX_RANK:
        sizes = _tuple(tuple(_factors(x.shape[splits[-1]])))
        yield _call("Shape", "unflatten", _dim(x, "dim", splits[-1]), Field("sizes", sizes))


def _repeats(x: Tensor) -> Iterator[NextStep]:
    if 3 * x.size > MAX_ELEMENTS:
        return
    if 1 in x.shape:
        sizes = _list([3 if n == 1 else n for n in x.shape])
        if 3 ** x.shape.count(1) * x.size <= MAX_ELEMENTS:
            yield _call("Repeat", "expand", Field("size", sizes, "axes of length 1 can grow"))
    elif x.ndim < MAX_RANK:
        yield _call("Repeat", "expand", Field("size", _list([2, *x.shape])))
    if x.ndim and x.shape[-1] >= 2 and x.ndim < MAX_RANK:
        window = Field("size", "2", f"0 to {x.shape[-1]}")
        yield _call("Repeat", "unfold", _dim(x, "dim", -1), window, Field("step", "1"))


def _factors(n: int) -> list[int]:
    """Return two factors of n that are as close to each other as can be, the smaller first."""
    for small in range(math.isqrt(max(n, 0)), 1, -1):
        if n % small == 0:
            return [small, n // small]
    return [1, n]
