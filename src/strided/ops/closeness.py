"""Floats that are no numbers replaced, and floats that agree within a tolerance."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.ops import derivatives as d
from strided.ops.axes import MANY
from strided.ops.deferred import Deferred, evaluate
from strided.ops.define import OP_GRADIENTS, operation, same_for_complex
from strided.ops.elementwise import Operand, run_op
from strided.ops.results import moved

_LARGEST = {
    "float16": 65504.0,
    "bfloat16": float.fromhex("0x1.fep127"),
    "float32": float.fromhex("0x1.fffffep127"),
    "float64": float.fromhex("0x1.fffffffffffffp1023"),
}


OP_GRADIENTS["nan_to_num"] = same_for_complex(lambda g, a: d.where(d.isfinite(a), g, 0), 0, 0)


@operation(in_place=True)
def nan_to_num(
    x: Tensor,
    /,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Replace NaN, and infinities by the largest numbers unless said. A new tensor, or ``out``.

    >>> import strided
    >>> strided.nan_to_num(strided.tensor([strided.nan, -strided.inf, 2.0]), neginf=-1.0).tolist()
    [0.0, -1.0, 2.0]
    """
    if x.dtype.is_complex:
        if out is None and _native.any_tracked((x,)):
            return nan_to_num(x.view_as_real(), nan, posinf, neginf).view_as_complex()
        made = _native.empty(x.shape, dtype=x.dtype) if out is None else out
        nan_to_num(x.view_as_real(), nan, posinf, neginf, out=made.view_as_real())
        return made
    if x.dtype.name not in _LARGEST:
        return x.clone() if out is None else moved(out, x)
    largest = _LARGEST[x.dtype.name]
    low = -largest if neginf is None else neginf
    high = largest if posinf is None else posinf
    missing = run_op("isnan", None, x) if nan != 0 else None
    made = run_op("nan_to_num", out, x, low, high)
    return made if missing is None else made.masked_fill_(missing, nan)


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
