"""Ops of the table with parameters that have defaults, and ops made of several.

Methods are these same functions; the in-place family (``elu_``) is made from them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from strided import _native
from strided._native import Tensor, apply, apply_into
from strided.errors import InvalidArgument
from strided.ops.deferred import Deferred, evaluate
from strided.ops.elementwise import Operand, clip, lerp, op_id, where
from strided.ops.results import moved

_LARGEST = {
    "float16": 65504.0,
    "bfloat16": float.fromhex("0x1.fep127"),
    "float32": float.fromhex("0x1.fffffep127"),
    "float64": float.fromhex("0x1.fffffffffffffp1023"),
}


def _call(name: str, out: Tensor | None, *operands: Operand) -> Tensor:
    op = op_id(name)
    return apply(op, *operands) if out is None else apply_into(op, out, *operands)


# ---- activations ----


def elu(x: Operand, /, alpha: Operand = 1.0, *, out: Tensor | None = None) -> Tensor:
    """Return the element, or alpha * (exp(x) - 1) when it is negative. A new tensor, or ``out``.

    >>> import strided
    >>> strided.elu(strided.tensor([2.0, -800.0]), alpha=0.5).tolist()
    [2.0, -0.5]
    """
    return _call("elu", out, x, alpha)


def leaky_relu(
    x: Operand, /, negative_slope: Operand = 0.01, *, out: Tensor | None = None
) -> Tensor:
    """Return the element, or a fraction of it when it is negative. A new tensor, or ``out``.

    >>> import strided
    >>> strided.leaky_relu(strided.tensor([2.0, -4.0]), 0.25).tolist()
    [2.0, -1.0]
    """
    return _call("leaky_relu", out, x, negative_slope)


def hardtanh(
    x: Operand,
    /,
    min_val: Operand = -1.0,
    max_val: Operand = 1.0,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Limit elements to [min_val, max_val]. A new tensor, or ``out``.

    >>> import strided
    >>> strided.hardtanh(strided.tensor([-2.0, 0.5, 9.0])).tolist()
    [-1.0, 0.5, 1.0]
    """
    if out is None and isinstance(x, Tensor) and _native.any_tracked((x,)):
        # No gradient on the limits themselves, where clip has one.
        above, below = _call("greater", None, x, min_val), _call("less", None, x, max_val)
        inside = _call("logical_and", None, above, below)
        return where(inside, x, clip(x.detach(), min_val, max_val))
    return clip(x, min_val, max_val, out=out)


def gelu(x: Operand, /, approximate: str = "none", *, out: Tensor | None = None) -> Tensor:
    """Return x times the normal distribution function at x. A new tensor, or ``out``.

    ``approximate="tanh"`` takes the approximation by tanh instead of erf.

    >>> import strided
    >>> strided.gelu(strided.tensor([0.0, 20.0])).tolist()
    [0.0, 20.0]
    """
    if approximate not in ("none", "tanh"):
        raise InvalidArgument(
            argument="approximate", got=repr(approximate), requirement="must be 'none' or 'tanh'"
        )
    return _call("gelu_tanh" if approximate == "tanh" else "gelu", out, x)


def softplus(x: Operand, /, beta: float = 1.0, *, out: Tensor | None = None) -> Tensor:
    """Return log(1 + exp(beta * x)) / beta, without overflow. A new tensor, or ``out``.

    >>> import strided
    >>> strided.softplus(strided.tensor([-200.0, 200.0])).tolist()
    [0.0, 200.0]
    """
    if beta == 1:
        return _call("softplus", out, x)
    grown = _call("softplus", None, _call("multiply", None, x, beta))
    return _call("divide", out, grown, beta)


def logit(x: Operand, /, eps: float | None = None, *, out: Tensor | None = None) -> Tensor:
    """Return log(x / (1 - x)); ``eps`` limits x to [eps, 1 - eps]. A new tensor, or ``out``.

    >>> import strided
    >>> strided.logit(strided.tensor([0.5])).tolist()
    [0.0]
    """
    return _call("logit", out, x if eps is None else clip(x, eps, 1 - eps))


# ---- sums of products ----


def addcmul(
    x: Operand, a: Operand, b: Operand, /, *, value: complex = 1, out: Tensor | None = None
) -> Tensor:
    """Return x + value * a * b. A new tensor, or ``out``.

    >>> import strided
    >>> strided.addcmul(strided.tensor([1, 2]), strided.tensor([3, 4]), 5).tolist()
    [16, 22]
    """
    return _call("addcmul", out, x, a if value == 1 else _call("multiply", None, a, value), b)


def addcdiv(
    x: Operand, a: Operand, b: Operand, /, *, value: complex = 1, out: Tensor | None = None
) -> Tensor:
    """Return x + value * a / b. A new tensor, or ``out``.

    >>> import strided
    >>> strided.addcdiv(strided.tensor([1.0, 2.0]), strided.tensor([3.0, 4.0]), 2).tolist()
    [2.5, 4.0]
    """
    return _call("addcdiv", out, x, a if value == 1 else _call("multiply", None, a, value), b)


# ---- floats that are no numbers ----


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
    missing = _call("isnan", None, x) if nan != 0 else None
    made = _call("nan_to_num", out, x, low, high)
    return made if missing is None else made.masked_fill_(missing, nan)


_MANY = 1 << 15  # elements from which one pass over memory repays its preparation


def are_close(x1: Any, x2: Any, rtol: float, atol: float, equal_nan: bool) -> Any:
    """Return what isclose does, of tensors or of values inside a fused function."""
    same = _call("equal", None, x1, x2)
    if equal_nan:
        both = _call("logical_and", None, _call("isnan", None, x1), _call("isnan", None, x2))
        same = _call("logical_or", None, same, both)
    # In floats: integers wrap, and bool has no difference.
    a, b = _call("divide", None, x1, 1), _call("divide", None, x2, 1)
    room = _call("add", None, _call("multiply", None, _call("absolute", None, b), rtol), atol)
    apart = _call("absolute", None, _call("subtract", None, a, b))
    finite = _call("isfinite", None, b)
    near = _call("logical_and", None, _call("less_equal", None, apart, room), finite)
    return _call("logical_or", None, same, near)


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
    if sum(one.numel() for one in tensors) < _MANY:
        small: Tensor = are_close(x, other, rtol, atol, equal_nan)
        return small
    a, b = (Deferred.of(one) if isinstance(one, Tensor) else one for one in (x, other))
    return evaluate([are_close(a, b, rtol, atol, equal_nan)], ())[0]


# ---- what is public ----

_FUNCTIONS: tuple[Callable[..., Tensor], ...] = (
    elu, leaky_relu, hardtanh, gelu, softplus, logit, addcmul, addcdiv, nan_to_num, isclose,
)  # fmt: skip

_OF_SEVERAL = (hardtanh, softplus, logit)  # ops, with some parameters


def _in_place(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Return the method that writes a function's result into its first operand."""

    def method(self: Tensor, /, *operands: Operand, **named: Operand) -> Tensor:
        if function in _OF_SEVERAL and _native.any_tracked((self,)):
            # Ops in between read what this one overwrites.
            return self.copy_(function(self.clone(), *operands, **named))
        return function(self, *operands, out=self, **named)

    described = inspect.signature(function)
    kept = [p for name, p in described.parameters.items() if name != "out"]
    method.__signature__ = described.replace(parameters=kept)  # type: ignore[attr-defined]
    name = function.__name__ + "_"
    says, _, example = (function.__doc__ or "").partition("A new tensor, or ``out``.")
    method.__doc__ = (
        f"{says}In place.\n\n    Overwrites this tensor (and whatever shares its storage), and "
        "returns it." + example.replace(f"strided.{function.__name__}(", f"strided.Tensor.{name}(")
    )
    method.__name__ = method.__qualname__ = name
    method.__module__ = "strided"
    return method


def functions() -> dict[str, Callable[..., Tensor]]:
    """Return the functions of this module by name."""
    return {function.__name__: function for function in _FUNCTIONS}


def methods() -> dict[str, Callable[..., Tensor]]:
    """Return the methods: the functions, lerp, and what writes in place."""
    made = {**functions(), "lerp": lerp}
    overwriting = [function for name, function in made.items() if name != "isclose"]
    return {**made, **{f"{f.__name__}_": _in_place(f) for f in overwriting}}
