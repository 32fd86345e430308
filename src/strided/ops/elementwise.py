"""Definitions of elementwise operations: one call each, in the files of their chapters.

``unary`` and ``binary`` define an op of the native table with nothing but its operands and ``out``.
Its function, method, in-place method and docstrings are made from a sentence and an example. One
that has more parameters is defined by ``@operation(op=...)`` like every other operation.

A gradient is a function, usually a lambda, that names what it needs: the incoming gradient g, the
operands (x; a, b; a, b, c) and the result y. Only what it names is kept for the backward pass. It
may call Python's operators and what stands in ``ops/gradients.py``. 0: the gradient is zero
wherever there is one. None: the result is no function to be differentiated. What complex numbers
need instead is ``complex_gradient``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeAlias, cast

from strided._native import Operation, Tensor, apply, apply_into
from strided.ops.define import DEFINITIONS, Definition, operation
from strided.ops.gradients import IDS, OP_GRADIENTS, OpGradient, OpGradients
from strided.ops.searching import argwhere

Function: TypeAlias = Callable[..., Tensor]
Operand: TypeAlias = Tensor | complex


def op_id(name: str) -> int:
    """Return the number by which the native library knows an op."""
    return IDS[name][0]


def run_op(name: str, out: Tensor | None, *operands: Operand) -> Tensor:
    """Return the result of an op, or ``out`` with the result in it."""
    op = IDS[name][0]
    return apply(op, *operands) if out is None else apply_into(op, out, *operands)


# ---- the signatures of all that unary() and binary() define ----


def _one(x: Operand, /, *, out: Tensor | None = None) -> Tensor: ...
def _two(x1: Operand, x2: Operand, /, *, out: Tensor | None = None) -> Tensor: ...
def _one_method(x: Tensor, /, *, out: Tensor | None = None) -> Tensor: ...
def _two_method(x1: Tensor, x2: Operand, /, *, out: Tensor | None = None) -> Tensor: ...
def _one_in_place(x: Tensor, /) -> Tensor: ...
def _two_in_place(x1: Tensor, x2: Operand, /) -> Tensor: ...


_SHAPES = {
    1: (_one, _one_method, _one_in_place),
    2: (_two, _two_method, _two_in_place),
}
_KEYWORDS: dict[int, tuple[tuple[str, ...], ...]] = {
    1: (("x", "input"), ("out",)),
    2: (("x1", "input"), ("x2", "other"), ("out",)),
}
_DEFAULTS = {1: (..., None), 2: (..., ..., None)}


class Elementwise(Definition):
    """What is known of an elementwise operation that has no parameters but its operands."""

    __slots__ = ("example", "says")

    def __init__(self, name: str, arity: int, says: str, example: tuple[str, str]) -> None:
        super().__init__(name, _SHAPES[arity][0], "new")
        self.takes_lists = True
        self.says, self.example, self.op = says, example, name

    @property
    def is_primitive(self) -> bool:
        return True

    def spell(self, names: tuple[str, ...], in_place: bool) -> None:
        """Make the functions and methods of all names."""
        first, *rest = self.operands_shown()
        shown = f"strided.tensor({first})"
        call = ", ".join([shown, *rest])
        for name in names:
            made = self._operation(name, 0)
            self._describe(made, f"strided.{name}({call})")
            self.functions[name] = made
            made = self._operation(name, 1)
            self._describe(made, f"{shown}.{name}({', '.join(rest)})")
            self.methods[name] = made
            if in_place:
                made = self._operation(name + "_", 2)
                self._describe_in_place(made, name + "_", first, ", ".join(rest))
                self.methods[name + "_"] = made
        self.operation = self.functions[names[0]]

    def operands_shown(self) -> list[str]:
        """Split the example's operands at the comma between them."""
        first, _, second = self.example[0].partition("], ")
        return [self.example[0]] if not second else [first + "]", second]

    def _operation(self, name: str, shape: int) -> Operation:
        op, arity = IDS[self.name]
        in_place = shape == 2
        count = arity if in_place else arity + 1
        keywords, defaults = _KEYWORDS[arity][:count], _DEFAULTS[arity][:count]
        made = Operation(
            self, name, keywords, defaults, arity, arity, shape > 0, False, in_place, None, None, op
        )
        made.__dict__.update(
            __name__=name,
            __qualname__=f"Tensor.{name}" if shape else name,
            __module__="strided._native" if shape else "strided",
            __wrapped__=_SHAPES[arity][shape],
        )
        return made

    def _describe(self, made: Operation, call: str) -> None:
        made.__doc__ = (
            f"{self.says}\n\n    Elementwise; returns a new tensor, or writes into ``out``.\n\n"
            f"    >>> import strided\n    >>> {call}.tolist()\n    {self.example[1]}\n    "
        )

    def _describe_in_place(self, made: Operation, name: str, first: str, rest: str) -> None:
        # Integers cannot take a float result, so the example checks identity, not values.
        shown = f"x.{name}({rest}) is x"
        if self.name == "divide":
            shown = f"x.to(strided.float32).{name}({rest}).dtype is strided.float32"
        made.__doc__ = (
            f"{self.says}\n\n"
            "    Overwrites this tensor (and whatever shares its storage), and returns it.\n\n"
            f"    >>> import strided\n    >>> x = strided.tensor({first})\n"
            f"    >>> {shown}\n    True\n    "
        )


def _define(
    name: str,
    arity: int,
    says: str,
    example: tuple[str, str],
    aliases: tuple[str, ...],
    numpy: str,
    gradients: OpGradients | None,
    complex_gradients: OpGradients | None,
    in_place: bool,
) -> Function:
    made = Elementwise(name, arity, says, example)
    caller = sys._getframe(2)  # of unary() or binary()
    made.place = (caller.f_code.co_filename, caller.f_lineno)
    assert name not in DEFINITIONS, f"{name} is defined twice"
    DEFINITIONS[name] = made
    made.aliases, made.ufunc = aliases, numpy
    if gradients is not None:
        OP_GRADIENTS[name] = (gradients, complex_gradients or gradients)
    made.spell((name, *aliases), in_place)
    return cast(Function, made.operation)


def unary(
    name: str,
    says: str,
    operand: str,
    result: str,
    *,
    aliases: tuple[str, ...] = (),
    numpy: str = "",
    gradient: OpGradient | None = None,
    complex_gradient: OpGradient | None = None,
    in_place: bool = True,
) -> Function:
    """Define an op of one operand; ``numpy`` is NumPy's function, ``in_place``: it has a form."""
    gradients = None if gradient is None else (gradient,)
    other = None if complex_gradient is None else (complex_gradient,)
    return _define(name, 1, says, (operand, result), aliases, numpy, gradients, other, in_place)


def binary(
    name: str,
    says: str,
    operands: str,
    result: str,
    *,
    aliases: tuple[str, ...] = (),
    numpy: str = "",
    gradient: tuple[OpGradient, OpGradient] | None = None,
) -> Function:
    """Define an op of two operands; it has a gradient for each, or none."""
    return _define(name, 2, says, (operands, result), aliases, numpy, gradient, None, True)


def definitions(arity: int) -> list[Definition]:
    """Return the definitions whose op has so many operands."""
    return [one for one in DEFINITIONS.values() if one.op is not None and IDS[one.op][1] == arity]


# ---- three operands ----

_INF = float("inf")


@operation(
    op="where",
    method=None,
    gradients=(0, lambda g, a: _where(a, g, 0), lambda g, a: _where(a, 0, g)),
    also={"x1": "x self", "x2": "y"},
    overloads=(
        "(condition: Operand, x1: Operand, x2: Operand, /, *, out: Tensor | None = None) -> Tensor",
        "(condition: Operand, /) -> tuple[Tensor, ...]",
    ),
)
def where(
    condition: Operand,
    x1: Operand | None = None,
    x2: Operand | None = None,
    /,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Take from ``x1`` where the condition holds, else from ``x2``. A new tensor, or ``out``.

    With a condition alone: the positions where it holds, as ``nonzero`` does.

    >>> import strided
    >>> strided.where(strided.tensor([True, False]), 1, strided.tensor([8, 9])).tolist()
    [1, 9]
    """
    if x1 is None or x2 is None:
        if x1 is not None or x2 is not None:
            raise TypeError("where() takes a condition alone, or with both values")
        return cast(Tensor, argwhere(cast(Tensor, condition)).unbind(1))
    return run_op("where", out, condition, x1, x2)


@operation(name="where of a tensor", function=None, method="where", operands=1)
def where_method(x: Tensor, /, condition: Operand, other: Operand) -> Tensor:
    """Keep elements where the condition holds, take the others from ``other``. A new tensor.

    >>> import strided
    >>> x = strided.tensor([-1, 2])
    >>> x.where(x > 0, 0).tolist()
    [0, 2]
    """
    return where(condition, x, other)


def _where(*operands: Any) -> Any:
    return apply(IDS["where"][0], *operands)
