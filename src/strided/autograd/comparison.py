"""Compares gradients with differences of function values, at one point, result by result.

Complex numbers count as two real ones: each real or imaginary part of a result is one row, each of
an input one column, and the gradient of a row is what backward must give for the weight 1 or 1j.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from strided._native import Tensor
from strided.autograd.numerical import (
    Array,
    columns_of,
    differences,
    directional,
    from_parts,
    parts_of,
    unit,
)
from strided.errors import GradientMismatch

Function = Callable[..., Any]


class Limits(NamedTuple):
    """How far numbers may be apart."""

    eps: float
    atol: float
    rtol: float
    nondet_tol: float

    def agree(self, a: Any, b: Any) -> Any:
        """Return where two arrays are close enough."""
        return np.isclose(a, b, rtol=self.rtol, atol=self.atol, equal_nan=True)


def results(func: Function, given: Sequence[Any]) -> list[Tensor]:
    """Return the results of a function that have gradients or might."""
    made = func(*given)
    listed = [made] if isinstance(made, Tensor) else list(made)
    return [y for y in listed if isinstance(y, Tensor) and y.dtype.kind in "fc"]


def _operation(func: Function, output: Tensor) -> str:
    name = getattr(func, "__name__", type(func).__name__)
    return name if output.grad_fn is None else f"{name} ({output.grad_fn.name()})"


def _walk(
    func: Function, given: Sequence[Any], taking: list[int], which: int
) -> tuple[Callable[[Tensor], Sequence[Tensor | None]], Tensor]:
    """Return the function from weights of one result to gradients, and that result."""
    import strided

    with strided.enable_grad():
        output = [y for y in results(func, given) if y.requires_grad][which]

    def pull(weight: Tensor) -> Sequence[Tensor | None]:
        inputs = [given[i] for i in taking]
        return strided.autograd.grad(output, inputs, weight, retain_graph=True, allow_unused=True)

    return pull, output


def check_elements(
    func: Function,
    given: Sequence[Any],
    taking: list[int],
    which: int,
    limits: Limits,
    dtypes: bool,
) -> None:
    """Compare every element of one result's Jacobian."""
    pull, output = _walk(func, given, taking, which)
    rows = parts_of(output).size
    expected = [differences(_at(func, which), given, i, limits.eps) for i in taking]
    for row in range(rows):
        weight = unit(output, row)
        found = pull(weight)
        again = pull(weight)
        for slot, place in enumerate(taking):
            x, gradient = given[place], found[slot]
            analytical = columns_of(gradient, x)
            _expect_same(func, output, place, row, analytical, columns_of(again[slot], x), limits)
            if dtypes and gradient is not None and gradient.dtype != x.dtype:
                raise GradientMismatch(
                    operation=_operation(func, output),
                    output=which,
                    input=place,
                    place=None,
                    analytical=gradient.dtype.name,
                    numerical=x.dtype.name,
                )
            numerical = expected[slot][row]
            wrong = ~limits.agree(analytical, numerical)
            if wrong.any():
                column = int(np.argmax(wrong))
                raise GradientMismatch(
                    operation=_operation(func, output),
                    output=which,
                    input=place,
                    place=(_index(output, row), _index(x, column)),
                    analytical=float(analytical[column]),
                    numerical=float(numerical[column]),
                )


def _at(func: Function, which: int) -> Callable[[Sequence[Any]], Array]:
    """Return the parts of one result as a function of all inputs, plain tensors."""

    def value(given: Sequence[Any]) -> Array:
        import strided

        # Values may hang on what requires a gradient (gradgradcheck walks inside), so it stays.
        with strided.enable_grad():
            made = [y for y in results(func, given) if y.requires_grad]
        return parts_of(made[which])

    return value


def _expect_same(
    func: Function,
    output: Tensor,
    place: int,
    row: int,
    first: Array,
    second: Array,
    limits: Limits,
) -> None:
    apart = np.abs(first - second)
    if apart.size and np.nanmax(apart) > limits.nondet_tol:
        column = int(np.nanargmax(apart))
        raise GradientMismatch(
            operation=f"{_operation(func, output)}, walked twice",
            output=0,
            input=place,
            place=(_index(output, row), (column,)),
            analytical=float(first[column]),
            numerical=float(second[column]),
        )


def _index(x: Tensor, part: int) -> tuple[int, ...]:
    element = part // 2 if x.dtype.kind == "c" else part
    return tuple(int(i) for i in np.unravel_index(element, tuple(x.shape) or (1,)))[: x.ndim]


def check_direction(
    func: Function, given: Sequence[Any], taking: list[int], which: int, limits: Limits
) -> None:
    """Compare the slope of one random direction, weighted at random over the result."""
    rng = np.random.default_rng(0)
    pull, output = _walk(func, given, taking, which)
    weight = np.asarray(rng.standard_normal(parts_of(output).shape))
    found = pull(from_parts(weight, output))
    for slot, place in enumerate(taking):
        x = given[place]
        direction = np.asarray(rng.standard_normal(parts_of(x).shape))
        slopes = directional(_at(func, which), given, place, direction, limits.eps)
        numerical = float((slopes * weight).sum())
        analytical = float((columns_of(found[slot], x) * direction).sum())
        if not limits.agree(np.float64(analytical), np.float64(numerical)):
            raise GradientMismatch(
                operation=_operation(func, output),
                output=which,
                input=place,
                place=None,
                analytical=analytical,
                numerical=numerical,
            )


def check_unused(func: Function, given: Sequence[Any], taking: list[int], limits: Limits) -> None:
    """Compare the walk from one result with the walk from all, the others weighted by zero."""
    import strided

    with strided.enable_grad():
        outputs = [y for y in results(func, given) if y.requires_grad]
    inputs = [given[i] for i in taking]
    for which, output in enumerate(outputs):
        ones = [strided.ones_like(y) if y is output else strided.zeros_like(y) for y in outputs]
        options: dict[str, bool] = {"retain_graph": True, "allow_unused": True}
        alone = strided.autograd.grad(output, inputs, ones[which], **options)
        together = strided.autograd.grad(outputs, inputs, ones, **options)
        for place, x, one, all_ in zip(taking, inputs, alone, together, strict=True):
            first, second = columns_of(one, x), columns_of(all_, x)
            wrong = ~limits.agree(first, second)
            if wrong.any():
                column = int(np.argmax(wrong))
                raise GradientMismatch(
                    operation=f"{_operation(func, output)}, other results unused",
                    output=which,
                    input=place,
                    place=((), _index(x, column)),
                    analytical=float(first[column]),
                    numerical=float(second[column]),
                )


def expect_flat(func: Function, given: Sequence[Any], taking: list[int], limits: Limits) -> None:
    """A function without a graph may not depend on its inputs."""
    for which, output in enumerate(results(func, given)):

        def value(args: Sequence[Any], which: int = which) -> Array:
            return parts_of(results(func, args)[which])

        for place in taking:
            slopes = differences(value, given, place, limits.eps)
            wrong = ~limits.agree(slopes, np.zeros_like(slopes))
            if wrong.any():
                row, column = (int(i) for i in np.argwhere(wrong)[0])
                raise GradientMismatch(
                    operation=f"{_operation(func, output)}, which has no graph",
                    output=which,
                    input=place,
                    place=(_index(output, row), _index(given[place], column)),
                    analytical=0.0,
                    numerical=float(slopes[row, column]),
                )
