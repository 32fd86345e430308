"""Operations that a chain can name, and what each does to a layout.

One row per operation: its name, how many arguments it takes, the names they may have, how it is
written, why it is a view, and the reason in the copy log when it has to copy. Rows of methods are
made from the definitions that have an effect on the strides. A name that is not in these tables
cannot be reached from an expression.
"""

from __future__ import annotations

import ast
import difflib
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import strided
from strided import InvalidArgument, Tensor, copy_totals
from strided.ops.define import DEFINITIONS

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

_PART = "A part of the elements: the start moves the offset, a step multiplies the stride."
_ORDER = "The axes come in another order and take their strides along."
# What the effect of a definition means for the layout.
_SAYS = {
    "swap": "Two axes change places and take their strides along.",
    "order": _ORDER,
    "rotate": f"{_ORDER} One of them is reversed.",
    "part": _PART,
    "reverse": (
        "The stride changes its sign and the offset moves to the last element: read backwards."
    ),
    "one": "An axis of length 1 comes or goes; no element is reached differently.",
    "repeat": "The repeated axis gets stride 0: every step along it stays at the same element.",
    "merge": (
        "Strides exist for the new shape: every axis that is merged steps over all of the next."
    ),
    "split": (
        "One axis becomes several: the last keeps the stride, each other steps over all "
        "of the next."
    ),
    "diagonal": "One step along the diagonal is one along both axes: their strides are added.",
    "window": (
        "Windows overlap: the new axis steps like the old one, the old one steps from "
        "window to window."
    ),
    "free": (
        "The layout is laid over the same storage as asked, after a check that it stays inside."
    ),
    "same": "The same elements in the same order.",
    "pack": "It is row-major and without gaps already, so nothing has to be done.",
}


def _steps() -> Iterator[Operation]:
    """Yield the methods that definitions give an effect, as they are written with whole numbers."""
    reasons = copy_totals()
    for definition in DEFINITIONS.values():
        if definition.effect is None:
            continue
        says = _SAYS[definition.effect]
        for name in definition.methods:
            reason = "" if definition.kind == "view" else name if name in reasons else "reshape"
            if definition.attribute:
                yield Operation(name, 0, 0, (), f".{name}", says, reason)
                continue
            texts = definition.overloads
            if not texts:
                method = definition.methods[name]
                texts = (str(definition.signature_of(method)).replace("'", ""),)
            forms = [_Form(text) for text in texts]
            several = [form for form in forms if len(form.names) > 1 and not form.star]
            shown = (several or forms)[0].names
            yield Operation(
                name,
                min(form.least for form in forms),
                max(_MANY if form.star else len(form.names) for form in forms),
                tuple(dict.fromkeys(one for form in forms for one in form.keywords)),
                f"{name}({', '.join(shown)})",
                says,
                reason,
            )


class _Form:
    """What one signature takes: its parameters that are whole numbers, or several of them."""

    def __init__(self, signature: str) -> None:
        function = ast.parse(f"def form{signature}: ...").body[0]
        assert isinstance(function, ast.FunctionDef)
        args = function.args
        placed = [*args.posonlyargs, *args.args][1:]
        whole = [one for one in placed if one.annotation and "int" in ast.unparse(one.annotation)]
        self.star = args.vararg is not None
        self.names = [one.arg for one in whole]
        self.keywords = [one.arg for one in whole if one in args.args]
        self.least = len(self.names) - min(len(args.defaults), len(self.names))
        if args.vararg is not None:
            self.names.append(f"*{args.vararg.arg}")


STEPS = _table(
    *_steps(),
    # A function of strided, written as PyTorch's method.
    Operation("roll", 2, 2, (), "roll(shifts, dims)", _SAYS["same"], "join"),
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
        shifts, dims = args
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
