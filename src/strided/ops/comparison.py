"""Comparisons, questions about floats, logic and bits, elementwise; whether numbers are close."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.ops import gradients as d
from strided.ops.deferred import Deferred, evaluate
from strided.ops.define import operation
from strided.ops.elementwise import Operand, binary, run_op, unary
from strided.ops.fused import MANY
from strided.ops.gradients import OP_GRADIENTS, same_for_complex

isnan = unary(
    "isnan",
    "Whether the element is NaN.",
    "[1.0]",
    "[False]",
    numpy="isnan",
    in_place=False,
)

isinf = unary(
    "isinf",
    "Whether the element is infinite.",
    "[1.0]",
    "[False]",
    numpy="isinf",
    in_place=False,
)

isposinf = unary(
    "isposinf",
    "Whether the element is positive infinity.",
    "[1.0]",
    "[False]",
    numpy="isposinf",
    in_place=False,
)

isneginf = unary(
    "isneginf",
    "Whether the element is negative infinity.",
    "[1.0]",
    "[False]",
    numpy="isneginf",
    in_place=False,
)

isfinite = unary(
    "isfinite",
    "Whether the element is neither infinite nor NaN.",
    "[1.0]",
    "[True]",
    numpy="isfinite",
    in_place=False,
)

signbit = unary(
    "signbit",
    "Whether the sign bit is set, also for -0.0.",
    "[-0.0, 1.0]",
    "[True, False]",
    numpy="signbit",
    in_place=False,
)

equal = binary(
    "equal",
    "Whether both are equal.",
    "[1, 2], 2",
    "[False, True]",
    aliases=("eq",),
    numpy="equal",
)

not_equal = binary(
    "not_equal",
    "Whether they differ.",
    "[1, 2], 2",
    "[True, False]",
    aliases=("ne",),
    numpy="not_equal",
)

less = binary(
    "less",
    "Whether the first is smaller.",
    "[1, 2], 2",
    "[True, False]",
    aliases=("lt",),
    numpy="less",
)

less_equal = binary(
    "less_equal",
    "Whether the first is not larger.",
    "[1, 2, 3], 2",
    "[True, True, False]",
    aliases=("le",),
    numpy="less_equal",
)

greater = binary(
    "greater",
    "Whether the first is larger.",
    "[1, 3], 2",
    "[False, True]",
    aliases=("gt",),
    numpy="greater",
)

greater_equal = binary(
    "greater_equal",
    "Whether the first is not smaller.",
    "[1, 2, 3], 2",
    "[False, True, True]",
    aliases=("ge",),
    numpy="greater_equal",
)

# ---- logic and bits ----

logical_not = unary(
    "logical_not",
    "Whether the element is zero.",
    "[0, 2]",
    "[True, False]",
    numpy="logical_not",
)

logical_and = binary(
    "logical_and",
    "Whether both are nonzero.",
    "[0, 1], 2",
    "[False, True]",
    numpy="logical_and",
)

logical_or = binary(
    "logical_or",
    "Whether one is nonzero.",
    "[0, 1], 0",
    "[False, True]",
    numpy="logical_or",
)

logical_xor = binary(
    "logical_xor",
    "Whether exactly one is nonzero.",
    "[0, 1], 2",
    "[True, False]",
    numpy="logical_xor",
)

bitwise_not = unary(
    "bitwise_not",
    "Every bit flipped; logical not for bool.",
    "[0, 5]",
    "[-1, -6]",
    aliases=("bitwise_invert", "invert"),
    numpy="invert",
)

bitwise_and = binary(
    "bitwise_and",
    "The bits that both have.",
    "[6, 3], 2",
    "[2, 2]",
    numpy="bitwise_and",
)

bitwise_or = binary(
    "bitwise_or",
    "The bits that either has.",
    "[4, 1], 2",
    "[6, 3]",
    numpy="bitwise_or",
)

bitwise_xor = binary(
    "bitwise_xor",
    "The bits that exactly one has.",
    "[6, 1], 2",
    "[4, 3]",
    numpy="bitwise_xor",
)

bitwise_left_shift = binary(
    "bitwise_left_shift",
    "Bits moved up; 0 when all are moved out.",
    "[1, 2], 3",
    "[8, 16]",
    aliases=("left_shift",),
    numpy="left_shift",
)

bitwise_right_shift = binary(
    "bitwise_right_shift",
    "Bits moved down, keeping the sign.",
    "[8, -8], 1",
    "[4, -4]",
    aliases=("right_shift",),
    numpy="right_shift",
)


# ---- the smaller and the larger of two ----

minimum = binary(
    "minimum",
    "The smaller one; NaN wins.",
    "[1, 5], 3",
    "[1, 3]",
    numpy="minimum",
    gradient=(
        lambda g, a, b: d.where(a > b, 0, d.where(a == b, g / 2, g)),
        lambda g, a, b: d.where(b > a, 0, d.where(a == b, g / 2, g)),
    ),
)

maximum = binary(
    "maximum",
    "The larger one; NaN wins.",
    "[1, 5], 3",
    "[3, 5]",
    numpy="maximum",
    gradient=(
        lambda g, a, b: d.where(a < b, 0, d.where(a == b, g / 2, g)),
        lambda g, a, b: d.where(b < a, 0, d.where(a == b, g / 2, g)),
    ),
)

fmin = binary(
    "fmin",
    "The smaller one; NaN loses.",
    "[1, 5], 3",
    "[1, 3]",
    numpy="fmin",
    gradient=(
        lambda g, a, b: d.where((a <= b) | d.isnan(b), g, 0),
        lambda g, a, b: d.where((a <= b) | d.isnan(b), 0, g),
    ),
)

fmax = binary(
    "fmax",
    "The larger one; NaN loses.",
    "[1, 5], 3",
    "[3, 5]",
    numpy="fmax",
    gradient=(
        lambda g, a, b: d.where((a >= b) | d.isnan(b), g, 0),
        lambda g, a, b: d.where((a >= b) | d.isnan(b), 0, g),
    ),
)


# ---- limits ----

_INF = float("inf")
OP_GRADIENTS["clamp"] = same_for_complex(
    lambda g, a, b, c: d.where((a >= b) & (a <= c), g, 0),
    lambda g, a, b, c: d.where((a < b) & (b < c), g, 0),
    lambda g, a, b, c: d.where((a > c) | (c < b), g, 0),
)


@operation(aliases=("clamp",), in_place=True, fuse="body")
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
    return run_op(name, out, *operands)


# ---- closeness, and whether all elements agree ----


def are_close(x1: Any, x2: Any, rtol: float, atol: float, equal_nan: bool) -> Any:
    """Return what isclose does, of tensors or of values inside a fused function."""
    same = run_op("equal", None, x1, x2)
    if equal_nan:
        both = run_op("logical_and", None, run_op("isnan", None, x1), run_op("isnan", None, x2))
        same = run_op("logical_or", None, same, both)
    # In floats: integers wrap, and bool has no difference.
    a, b = run_op("divide", None, x1, 1), run_op("divide", None, x2, 1)
    room = run_op("add", None, run_op("multiply", None, run_op("absolute", None, b), rtol), atol)
    apart = run_op("absolute", None, run_op("subtract", None, a, b))
    finite = run_op("isfinite", None, b)
    near = run_op("logical_and", None, run_op("less_equal", None, apart, room), finite)
    return run_op("logical_or", None, same, near)


@operation(fuse="body")
def isclose(
    x: Operand,
    other: Operand,
    /,
    rtol: float = 1e-5,
    atol: float = 1e-8,
    equal_nan: bool = False,
) -> Tensor:
    """Return whether elements agree within atol + rtol * abs(other). A new tensor.

    >>> import strided
    >>> strided.isclose(strided.tensor([1.0, 2.0]), strided.tensor([1.0 + 1e-7, 2.1])).tolist()
    [True, False]
    """
    tensors = [one for one in (x, other) if isinstance(one, Tensor)]
    if sum(one.numel() for one in tensors) < MANY:
        small: Tensor = are_close(x, other, rtol, atol, equal_nan)
        return small
    a, b = (Deferred.of(one) if isinstance(one, Tensor) else one for one in (x, other))
    return evaluate([are_close(a, b, rtol, atol, equal_nan)], ())[0]


@operation(converts=True, numpy="allclose: a b rtol atol equal_nan")
def allclose(
    a: Tensor, b: Tensor, /, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Return whether all elements agree within atol + rtol * abs(b).

    >>> import strided
    >>> strided.allclose(strided.ones(2), strided.ones(2) + 1e-7)
    True
    """

    def close(a: Any, b: Any) -> Any:
        return are_close(a, b, rtol, atol, equal_nan).all()

    return _holds(close, a, b)


@operation(method=None, converts=True, numpy="array_equal: a1 a2")
def array_equal(a: Tensor, b: Tensor, /) -> bool:
    """Return whether two tensors have the same shape and elements.

    >>> import strided
    >>> strided.array_equal(strided.arange(3), strided.tensor([0, 1, 2]))
    True
    """
    return a.shape == b.shape and _holds(lambda a, b: (a == b).all(), a, b)


def _holds(function: Callable[[Any, Any], Any], a: Tensor, b: Tensor) -> bool:
    """Ask whether something is true of all elements; of many, without temporaries."""
    if a.numel() + b.numel() <= MANY or _native.any_tracked((a, b)):
        return bool(function(a, b))
    return bool(evaluate([function(Deferred.of(a), Deferred.of(b))])[0])
