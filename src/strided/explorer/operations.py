"""Operations that a chain can name, and what each does to a layout.

ONE ROW PER OPERATION: its name, how many arguments it takes, the names they may have, how it is
written, why it is a view, and the reason in the copy log when it has to copy. A name that is not in
these tables cannot be reached from an expression.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import strided
from strided import InvalidArgument, Tensor

MAX_ELEMENTS = 10**6  # of any tensor in a chain
MAX_RANK = 8

_MANY = 64


@dataclass(frozen=True)
class Operation:
    """What an expression may say about one operation."""

    name: str
    least: int
    most: int
    keywords: tuple[str, ...]
    use: str
    says: str
    reason: str = ""  # in the copy log; empty for what is always a view

    @property
    def is_property(self) -> bool:
        """Whether it is written without brackets.

        >>> STEPS["T"].is_property, STEPS["flip"].is_property
        (True, False)
        """
        return "(" not in self.use


def _table(*rows: Operation) -> dict[str, Operation]:
    return {row.name: row for row in rows}


_NEW = "Row-major: the last axis steps 1, each axis before it steps over all of the next."

MAKERS = _table(
    Operation("arange", 1, 3, (), "arange(stop) or arange(start, stop, step)", _NEW),
    Operation("zeros", 0, _MANY, (), "zeros(*size)", _NEW),
    Operation("ones", 0, _MANY, (), "ones(*size)", _NEW),
    Operation("full", 2, 2, (), "full((2, 3), value)", _NEW),
    Operation("eye", 1, 2, (), "eye(rows) or eye(rows, columns)", _NEW),
    Operation("linspace", 3, 3, (), "linspace(start, stop, count)", _NEW),
    Operation("tensor", 1, 1, (), "tensor([[1, 2], [3, 4]])", _NEW),
)

_SWAP = "Two axes change places and take their strides along."
_ORDER = "The axes come in another order and take their strides along."
_PART = "A part of the elements: the start moves the offset, a step multiplies the stride."
_BACK = "The stride changes its sign and the offset moves to the last element: read backwards."
_ONE = "An axis of length 1 comes or goes; no element is reached differently."
_REPEAT = "The repeated axis gets stride 0: every step along it stays at the same element."
_MERGE = "Strides exist for the new shape: every axis that is merged steps over all of the next."
_DIAGONAL = "One step along the diagonal is one along both axes: their strides are added."
_WINDOW = (
    "Windows overlap: the new axis steps like the old one, the old one steps from window to window."
)
_SPLIT = (
    "One axis becomes several: the last keeps the stride, each other steps over all of the next."
)
_FREE = "The layout is laid over the same storage as asked, after a check that it stays inside."
_SAME = "The same elements in the same order."
_ALREADY = "It is row-major and without gaps already, so nothing has to be done."

STEPS = _table(
    Operation("T", 0, 0, (), ".T", _SWAP),
    Operation("mT", 0, 0, (), ".mT", _SWAP),
    Operation("t", 0, 0, (), "t()", _SWAP),
    Operation("transpose", 0, _MANY, ("dim0", "dim1"), "transpose(dim0, dim1)", _SWAP),
    Operation("swapaxes", 2, 2, ("dim0", "dim1"), "swapaxes(dim0, dim1)", _SWAP),
    Operation("swapdims", 2, 2, ("dim0", "dim1"), "swapdims(dim0, dim1)", _SWAP),
    Operation("permute", 0, _MANY, ("dims",), "permute(*dims)", _ORDER),
    Operation("movedim", 2, 2, ("source", "destination"), "movedim(source, destination)", _ORDER),
    Operation("moveaxis", 2, 2, ("source", "destination"), "moveaxis(source, destination)", _ORDER),
    Operation("narrow", 3, 3, ("dim", "start", "length"), "narrow(dim, start, length)", _PART),
    Operation("select", 2, 2, ("dim", "index"), "select(dim, index)", _PART),
    Operation("flip", 0, _MANY, ("dims",), "flip(*dims)", _BACK),
    Operation("fliplr", 0, 0, (), "fliplr()", _BACK),
    Operation("flipud", 0, 0, (), "flipud()", _BACK),
    Operation("rot90", 0, 2, ("k", "dims"), "rot90(k, dims)", _ORDER + " One of them is reversed."),
    Operation("squeeze", 0, 1, ("dim",), "squeeze() or squeeze(dim)", _ONE),
    Operation("unsqueeze", 1, 1, ("dim",), "unsqueeze(dim)", _ONE),
    Operation("expand_dims", 1, 1, ("dim",), "expand_dims(dim)", _ONE),
    Operation("expand", 1, _MANY, ("size",), "expand(*size)", _REPEAT),
    Operation("broadcast_to", 1, _MANY, ("size",), "broadcast_to(*size)", _REPEAT),
    Operation(
        "diagonal", 0, 3, ("offset", "dim1", "dim2"), "diagonal(offset, dim1, dim2)", _DIAGONAL
    ),
    Operation("unfold", 2, 3, ("dim", "size", "step"), "unfold(dim, size, step)", _WINDOW),
    Operation(
        "sliding_window_view", 1, 2, ("dim",), "sliding_window_view(window_shape, dim)", _WINDOW
    ),
    Operation("unflatten", 2, 2, ("dim", "sizes"), "unflatten(dim, sizes)", _SPLIT),
    Operation("view", 0, _MANY, (), "view(*size)", _MERGE),
    Operation("reshape", 0, _MANY, ("size",), "reshape(*size)", _MERGE, "reshape"),
    Operation(
        "flatten", 0, 2, ("start_dim", "end_dim"), "flatten(start_dim, end_dim)", _MERGE, "reshape"
    ),
    Operation("ravel", 0, 0, (), "ravel()", _MERGE, "reshape"),
    Operation(
        "as_strided",
        2,
        3,
        ("size", "stride", "storage_offset"),
        "as_strided(size, stride, storage_offset)",
        _FREE,
    ),
    Operation("detach", 0, 0, (), "detach()", _SAME),
    Operation("contiguous", 0, 0, (), "contiguous()", _ALREADY, "contiguous"),
    Operation("clone", 0, 0, (), "clone()", _SAME, "clone"),
    Operation("roll", 2, 2, (), "roll(shifts, dims)", _SAME, "join"),
)

INDEX = Operation("[]", 1, _MANY, (), "[1:, ::2]", _PART, "gather")


def nearest(name: str) -> str:
    """Return what to write instead of a name that is not in the table.

    >>> nearest("transposed")
    'did you mean transpose(dim0, dim1)?'
    """
    close = difflib.get_close_matches(name, STEPS, 1, 0.6)
    if close:
        return f"did you mean {STEPS[close[0]].use}?"
    return f"use one of {', '.join(STEPS)}"


def _bounded(lengths: Iterable[int]) -> None:
    size = math.prod(lengths)
    if size > MAX_ELEMENTS:
        raise InvalidArgument(
            argument="the number of elements",
            got=str(size),
            requirement=f"must be at most {MAX_ELEMENTS} in the explorer",
        )


def _flat(values: Sequence[Any]) -> list[int]:
    """Return lengths given one by one or in brackets, as plain numbers."""
    nested = len(values) == 1 and isinstance(values[0], (list, tuple))
    return [v for v in (values[0] if nested else values) if isinstance(v, int)]


def make(name: str, args: tuple[Any, ...]) -> Tensor:
    """Return a new tensor, its size checked before any memory is asked for.

    >>> make("full", ((2, 2), 7)).tolist()
    [[7, 7], [7, 7]]
    """
    if name == "arange" and all(isinstance(arg, int) for arg in args):
        _bounded([len(range(*args)) if len(args) < 3 or args[2] else 0])
    elif name == "linspace":
        _bounded(_flat(args[2:]))
    elif name == "full":
        _bounded(_flat(args[:1]))
    elif name == "eye":
        _bounded(_flat(args if len(args) == 2 else args * 2))
    elif name != "tensor":
        _bounded(_flat(args))
    made: Tensor = getattr(strided, name)(*args)
    return _checked(made)


def step(x: Tensor, name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> Tensor:
    """Return the result of one operation of the table. A view or a copy, as the operation is.

    >>> step(strided.zeros(2, 3), "flip", (1,), {}).stride()
    (3, -1)
    """
    row = STEPS[name]
    if row.is_property:
        result: Tensor = getattr(x, name)
    elif name == "roll":
        shifts, dims = args  # a function of strided, written as PyTorch's method
        result = strided.roll(x, shifts, axis=dims)
    else:
        result = getattr(x, name)(*args, **keywords)
    return _checked(result)


def index(x: Tensor, key: tuple[Any, ...]) -> Tensor:
    """Return ``x[key]``: a view, or a gathered copy where the key has lists.

    >>> index(strided.arange(6), (slice(None, None, 2),)).tolist()
    [0, 2, 4]
    """
    lists = [item for item in key if isinstance(item, list)]
    if lists:
        # What a gather makes is known beforehand: the places of the lists times the rest.
        rest = x[tuple(slice(0, 1) if isinstance(item, list) else item for item in key)]
        _bounded([rest.size, math.prod(_leaves(item) for item in lists)])
    return _checked(x[key])


def _leaves(item: Any) -> int:
    return sum(map(_leaves, item)) if isinstance(item, list) else 1


def _checked(x: Tensor) -> Tensor:
    _bounded(x.shape)
    if x.ndim > MAX_RANK:
        raise InvalidArgument(
            argument="the rank",
            got=str(x.ndim),
            requirement=f"must be at most {MAX_RANK} in the explorer",
        )
    return x
