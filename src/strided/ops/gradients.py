"""Gradients: what a rule is, the table of all rules, and what gradients are made of.

A rule is called once, after its operation ran, with the operation's arguments; it saves what it
needs, as little as possible, and returns the function that turns gradients of the results into
gradients of the arguments.

What gradients of elementwise ops are made of takes tensors, values inside a fused function, or
Python numbers, and is made of differentiable operations, so derivatives of derivatives follow.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

from strided import _native
from strided._native import Tensor, apply, op_table

if TYPE_CHECKING:
    pass


# ---- rules ----


class AddInto(NamedTuple):
    """A gradient that adds itself into a buffer of the argument's shape: few of many elements."""

    add: Callable[[Tensor], Any]


Gradient: TypeAlias = Tensor | AddInto | None
Gradients: TypeAlias = Sequence[Gradient]
# Takes one gradient per differentiable result, returns one per tensor argument.
Backward: TypeAlias = Callable[..., Gradients]


class Call(Protocol):
    """One recorded call, as its rule sees it."""

    @property
    def output(self) -> Any:
        """What the operation returned."""

    @property
    def tensors(self) -> Sequence[Tensor]:
        """The tensor arguments in the order in which they appear, lists and tuples opened."""

    @property
    def edges(self) -> tuple[Any, ...]:
        """Where the gradient of each tensor argument goes, None where none is wanted."""

    def needs(self, index: int) -> bool:
        """Return whether a gradient of this tensor argument is wanted."""

    def save(self, *tensors: Tensor | None) -> Callable[[], tuple[Any, ...]]:
        """Keep tensors for backward; the result gives them back, or raises StaleGradient."""


# Known of an operation, or asked for each call: of its target, its arguments, and which of the
# tensors among them take part.
ReadsSelf: TypeAlias = bool | Callable[[Tensor, Sequence[Any], Sequence[bool]], bool]


class Rule(NamedTuple):
    """How gradients pass one operation."""

    name: str
    prepare: Callable[..., Backward]
    reads_self: ReadsSelf  # the value that an in-place form overwrites

    def reads(self, target: Tensor, args: Sequence[Any], needs: Sequence[bool]) -> bool:
        """Return whether a call needs what it overwrites; ``needs`` is one per tensor argument."""
        answer = self.reads_self
        return answer if isinstance(answer, bool) else answer(target, args, needs)


RULES: dict[str, Rule] = {}


def gradient_of(
    *names: str, reads_self: ReadsSelf = False
) -> Callable[[Callable[..., Backward]], Callable[..., Backward]]:
    """Enter a rule into the table, for each operation named."""

    def enter(prepare: Callable[..., Backward]) -> Callable[..., Backward]:
        for name in names:
            assert name not in RULES, name
            RULES[name] = Rule(name, prepare, reads_self)
        return prepare

    return enter


# What a gradient of an op is computed by: ``ops/elementwise.py`` says how it is written.
OpGradient: TypeAlias = Callable[..., Any] | Literal[0]
OpGradients: TypeAlias = tuple[OpGradient, ...]
# By the name of the op: one for each operand, for real numbers and for complex ones.
OP_GRADIENTS: dict[str, tuple[OpGradients, OpGradients]] = {}


def same_for_complex(*gradients: OpGradient) -> tuple[OpGradients, OpGradients]:
    """Return an entry of the table of gradients."""
    return gradients, gradients


# ---- what gradients of elementwise ops are made of ----

_NUMBERS = (bool, int, float, complex)
# Elementwise ops of the native library: their numbers, and how many operands they have.
IDS: dict[str, tuple[int, int]] = op_table()


def _op(name: str) -> Callable[..., Any]:
    """Return an op as a function; of Python numbers alone it is a Python number, in full width."""
    number = IDS[name][0]

    def function(*operands: Any) -> Any:
        if not all(isinstance(one, _NUMBERS) for one in operands):
            return apply(number, *operands)
        wide = _native.float64
        return apply(number, *(_native.empty((), dtype=wide).fill_(one) for one in operands)).item()

    return function


cos = _op("cos")
cosh = _op("cosh")
digamma = _op("digamma")
erf = _op("erf")
exp = _op("exp")
expm1 = _op("expm1")
floor_divide = _op("floor_divide")
isfinite = _op("isfinite")
isnan = _op("isnan")
ldexp = _op("ldexp")
log = _op("log")
rsqrt = _op("rsqrt")
sigmoid = _op("sigmoid")
sign = _op("sign")
sin = _op("sin")
sinh = _op("sinh")
tanh = _op("tanh")
trunc = _op("trunc")
where = _op("where")
xlogy = _op("xlogy")

pi = math.pi
nan = math.nan
LN2 = math.log(2)
LN10 = math.log(10)
SQRT_HALF = math.sqrt(0.5)
TWO_BY_SQRT_PI = 2 / math.sqrt(math.pi)
NORMAL = 1 / math.sqrt(2 * math.pi)  # the normal density at 0
GELU = math.sqrt(2 / math.pi)
CUBIC = 0.044715


def conj(x: Any) -> Any:
    """Return the conjugate of complex numbers, and real ones as they are."""
    if isinstance(x, Tensor):
        return x.conj() if x.dtype.is_complex else x
    return x.conjugate() if isinstance(x, complex) else x


def sign_gradient(g: Tensor, x: Tensor) -> Tensor:
    """Return what of g points along the circle on which z / |z| moves."""
    size = x.absolute()
    unit = x / size
    moved = g / size
    along = moved - (moved * unit.conj()).real * unit
    made: Tensor = where(size == 0, 0, along)
    return made


def angle_gradient(g: Tensor, x: Tensor) -> Tensor:
    """Return the gradient of the angle of complex numbers; zero has none."""
    size = x.absolute()
    made: Tensor = where(size == 0, 0, g * (x * 1j) / (size * size))
    return made


def base_gradient(g: Any, a: Any, b: Any) -> Any:
    """Return the gradient of ``a ** b`` for a: zero where b is, also at a = 0."""
    if isinstance(b, _NUMBERS):
        if b == 0:
            return where(False, g, 0)  # also where g is not finite
        if b == 1:
            return g
        if b == 2:
            return g * (2 * conj(a))
        return g * conj(b * a ** (b - 1))
    return where(b == 0, 0, g * conj(b * a ** (b - 1)))


def exponent_gradient(g: Any, a: Any, b: Any, y: Any) -> Any:
    """Return the gradient of ``a ** b`` for b: zero where a is and the result is finite."""
    if not isinstance(a, _NUMBERS):
        return g * conj(where((a == 0) & (_real(b) >= 0), 0, y * log(a)))
    if a == 0:
        return g * conj(where(_real(b) >= 0, 0, y * -math.inf))
    if isinstance(a, complex) or _is_complex(y):
        return g * conj(y * cmath.log(a))
    return g * (y * (math.log(a) if a > 0 else math.nan))


def _is_complex(x: Any) -> bool:
    return isinstance(x, complex) or (isinstance(x, Tensor) and x.dtype.is_complex)


def _real(x: Any) -> Any:
    return x.real if _is_complex(x) else x


# Coefficients of 1 / x**3, 1 / x**5, ...: the Bernoulli numbers B2, B4, ... (Abramowitz and Stegun
# 6.4.12).
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)
_STEPS = 10  # x + 10 is large enough for the series to be exact to the last bits


def trigamma(x: Any) -> Any:
    """Return the derivative of digamma: recurrence, then the series for large numbers.

    Left of 1/2 by reflection: trigamma(x) + trigamma(1 - x) = (pi / sin(pi x))**2.
    """
    left = x < 0.5
    t = where(left, 1 - x, x)
    total = 1 / (t * t)
    for step in range(1, _STEPS):
        total = total + 1 / ((t + step) * (t + step))
    u = 1 / (t + _STEPS)
    square = u * u
    series = _BERNOULLI[-1] * square
    for coefficient in reversed(_BERNOULLI[:-1]):
        series = (series + coefficient) * square
    right = total + u + 0.5 * square + series * u
    s = math.pi / sin(math.pi * x)
    return where(left, s * s - right, right)


# ---- gradients of products: g times the other operand, read through transposed views ----


def save_others(call: Call, a: Tensor, b: Tensor) -> Any:
    """Keep each operand only if the gradient of the other one is wanted."""
    return call.save(a if call.needs(1) else None, b if call.needs(0) else None)


def gradient_of_left(g: Tensor, b: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return the gradient of ``a @ b`` for a, of which only the shape is needed."""
    b = conj(b)
    if b.ndim == 1:
        return g.unsqueeze(-1) * b  # an outer product for each row
    if len(shape) == 1:
        # A row: what g lacks of a matrix product is that axis.
        return _summed_product(g.unsqueeze(-2), b.mT, (1, *shape)).reshape(shape)
    return _summed_product(g, b.mT, shape)


def gradient_of_right(g: Tensor, a: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return the gradient of ``a @ b`` for b, of which only the shape is needed."""
    a = conj(a)
    if a.ndim == 1 and len(shape) == 1:
        return g * a
    if a.ndim == 1:
        return a.unsqueeze(-1) * g.unsqueeze(-2)
    if len(shape) == 1:
        return _summed_product(a.mT, g.unsqueeze(-1), (*shape, 1)).reshape(shape)
    return _summed_product(a.mT, g, shape)


def _summed_product(left: Tensor, right: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return ``left @ right``, summed over the batch axes that the shape does not have.

    They are summed together with the inner axis, so no product larger than the result is made.
    """
    if left.ndim == right.ndim == len(shape) == 2:
        return left @ right
    batch = tuple(_native.broadcast_shape(left.shape[:-2], right.shape[:-2]))
    lead = len(batch) - (len(shape) - 2)
    gone = [i for i, n in enumerate(batch) if i < lead or (shape[i - lead] == 1 and n != 1)]
    if not gone:
        return left @ right
    kept = [i for i in range(len(batch)) if i not in gone]
    left = left.expand(*batch, *left.shape[-2:])
    right = right.expand(*batch, *right.shape[-2:])
    row, column = len(batch), len(batch) + 1
    made = _native.contract(
        left.permute(*kept, row, *gone, column),
        right.permute(*kept, *gone, row, column),
        len(kept),
        len(gone) + 1,
    )
    return made.reshape(shape)
