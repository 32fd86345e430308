"""Functions and methods made from the rows of ``ops/table.py``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from strided._native import Tensor, apply, apply_into, op_table
from strided.ops.table import BINARY, UNARY, OpRow

Function = Callable[..., Tensor]
Operand: TypeAlias = Tensor | complex
_IDS: dict[str, tuple[int, int]] = op_table()


def op_id(name: str) -> int:
    """Return the number by which the native library knows an op."""
    return _IDS[name][0]


def _unary(op: int) -> Function:
    def function(x: Operand, /, *, out: Tensor | None = None) -> Tensor:
        return apply(op, x) if out is None else apply_into(op, out, x)

    return function


def _binary(op: int) -> Function:
    def function(x1: Operand, x2: Operand, /, *, out: Tensor | None = None) -> Tensor:
        return apply(op, x1, x2) if out is None else apply_into(op, out, x1, x2)

    return function


def _unary_method(op: int) -> Function:
    def method(self: Tensor, /, *, out: Tensor | None = None) -> Tensor:
        return apply(op, self) if out is None else apply_into(op, out, self)

    return method


def _binary_method(op: int) -> Function:
    def method(self: Tensor, other: Operand, /, *, out: Tensor | None = None) -> Tensor:
        return apply(op, self, other) if out is None else apply_into(op, out, self, other)

    return method


def _unary_in_place(op: int) -> Function:
    def method(self: Tensor, /) -> Tensor:
        return apply_into(op, self, self)

    return method


def _binary_in_place(op: int) -> Function:
    def method(self: Tensor, other: Operand, /) -> Tensor:
        return apply_into(op, self, self, other)

    return method


def _operands(row: OpRow) -> list[str]:
    """Split the example's operands at the comma between them."""
    first, _, second = row.example[0].partition("], ")
    return [row.example[0]] if not second else [first + "]", second]


def _document(function: Function, name: str, row: OpRow, call: str) -> Function:
    """Describe a function; ``call`` has places for its name and one or two operands."""
    first, *rest = _operands(row)
    call = call.format(name=name, first=f"strided.tensor({first})", rest=", ".join(rest))
    function.__doc__ = (
        f"{row.says}\n\n    Elementwise; returns a new tensor, or writes into ``out``.\n\n"
        f"    >>> import strided\n    >>> {call}.tolist()\n    {row.example[1]}\n    "
    )
    return _named(function, name)


def _document_in_place(function: Function, name: str, row: OpRow, shown: str) -> Function:
    operands = _operands(row)
    rest = operands[1] if len(operands) > 1 else ""
    function.__doc__ = (
        f"{row.says}\n\n"
        "    Overwrites this tensor (and whatever shares its storage), and returns it.\n\n"
        f"    >>> import strided\n    >>> x = strided.tensor({operands[0]})\n"
        f"    >>> {shown.format(name=name, rest=rest)}\n    True\n    "
    )
    return _named(function, name)


def _named(function: Function, name: str) -> Function:
    function.__name__ = function.__qualname__ = name
    function.__module__ = "strided"
    return function


# Their methods have more parameters: methods/arithmetic.py, ops/with_parameters.py.
_WITH_ALPHA = {"add", "subtract"}
_WITH_PARAMETERS = {"elu", "gelu", "leaky_relu", "logit", "softplus"}


def _rows(left_out: set[str]) -> Iterator[tuple[OpRow, int, int]]:
    for row in (*UNARY, *BINARY):
        if row.name in left_out:
            continue
        number, arity = _IDS[row.name]
        yield row, number, arity


def functions() -> dict[str, Function]:
    """Return every elementwise function by name, aliases included."""
    made: dict[str, Function] = {}
    for row, number, arity in _rows(set()):
        make = _unary if arity == 1 else _binary
        call = "strided.{name}({first})" if arity == 1 else "strided.{name}({first}, {rest})"
        for name in (row.name, *row.aliases):
            made[name] = _document(make(number), name, row, call)
    return made


def new_methods() -> dict[str, Function]:
    """Return every elementwise method that makes a new tensor, aliases included."""
    made: dict[str, Function] = {}
    for row, number, arity in _rows(_WITH_ALPHA | _WITH_PARAMETERS):
        make = _unary_method if arity == 1 else _binary_method
        for name in (row.name, *row.aliases):
            made[name] = _document(make(number), name, row, "{first}.{name}({rest})")
    return made


# Ops whose result is bool (or real) cannot overwrite their operand.
_NEW_DTYPE = {"isnan", "isinf", "isposinf", "isneginf", "isfinite", "signbit", "angle"}


def in_place_methods() -> dict[str, Function]:
    """Return ``exp_``, ``add_`` and so on for every op whose result fits its first operand."""
    made: dict[str, Function] = {}
    for row, number, arity in _rows(_WITH_ALPHA | _WITH_PARAMETERS):
        if row.name in _NEW_DTYPE:
            continue
        make = _unary_in_place if arity == 1 else _binary_in_place
        # Integers cannot take a float result in place, so the example checks identity, not values.
        shown = "x.{name}({rest}) is x"
        if row.name in ("divide",):
            shown = "x.to(strided.float32).{name}({rest}).dtype is strided.float32"
        for name in (row.name, *row.aliases):
            method = make(number)
            made[name + "_"] = _document_in_place(method, name + "_", row, shown)
    return made


# ---- three operands ----

_INF = float("inf")


def where(condition: Operand, x1: Operand, x2: Operand, /, *, out: Tensor | None = None) -> Tensor:
    """Take from ``x1`` where the condition holds, else from ``x2``. A new tensor, or ``out``.

    >>> import strided
    >>> strided.where(strided.tensor([True, False]), 1, strided.tensor([8, 9])).tolist()
    [1, 9]
    """
    op = op_id("where")
    if out is None:
        return apply(op, condition, x1, x2)
    return apply_into(op, out, condition, x1, x2)


def clip(
    x: Operand,
    /,
    min: Operand | None = None,
    max: Operand | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Limit elements to [min, max]; either may be missing, NaN stays. A new tensor, or ``out``.

    >>> import strided
    >>> strided.clip(strided.tensor([-2, 0, 9]), -1, 5).tolist()
    [-1, 0, 5]
    """
    operands: tuple[Operand, ...]
    if isinstance(x, Tensor) and x.dtype.kind == "f" and (min is None) != (max is None):
        # At a limit gradients pass whole; maximum and minimum would share them.
        min, max = -_INF if min is None else min, _INF if max is None else max
    if min is not None and max is not None:
        name, operands = "clamp", (x, min, max)
    elif min is not None:
        name, operands = "maximum", (x, min)
    elif max is not None:
        name, operands = "minimum", (x, max)
    else:
        name, operands = "positive", (x,)
    op = op_id(name)
    return apply(op, *operands) if out is None else apply_into(op, out, *operands)


def lerp(x: Operand, end: Operand, weight: Operand, /, *, out: Tensor | None = None) -> Tensor:
    """Walk the fraction ``weight`` of the way from x to end. A new tensor, or ``out``.

    >>> import strided
    >>> strided.lerp(strided.tensor([0.0, 10.0]), strided.tensor([4.0, 20.0]), 0.5).tolist()
    [2.0, 15.0]
    """
    op = op_id("lerp")
    if out is None:
        return apply(op, x, end, weight)
    return apply_into(op, out, x, end, weight)
