"""Derivatives by differences of function values, on float64 arrays of real and imaginary parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from strided._native import Tensor

Array: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]


def parts_of(x: Tensor) -> Array:
    """Return the elements as a flat array of reals, complex ones as two."""
    import strided

    plain = x.detach()
    if plain.dtype.kind == "c":
        plain = plain.contiguous().view_as_real()
    flat: Array = np.asarray(plain.to(strided.float64)).reshape(-1)
    return flat


def from_parts(parts: Array, like: Tensor) -> Tensor:
    """Return a contiguous tensor of the shape and dtype of another one, from such an array."""
    import strided

    made = strided.from_numpy(parts.astype(np.float64)).to(strided.float64)
    if like.dtype.kind == "c":
        made = made.reshape(*like.shape, 2).view_as_complex()
    return made.reshape(tuple(like.shape)).to(like.dtype)


def unit(like: Tensor, part: int) -> Tensor:
    """Return the weight under which backward gives the gradient of one part: 1 or 1j at it."""
    parts = np.zeros_like(parts_of(like))
    parts[part] = 1.0
    return from_parts(parts, like)


def columns_of(gradient: Tensor | None, x: Tensor) -> Array:
    """Return a gradient as parts, zeros when there is none."""
    return np.zeros_like(parts_of(x)) if gradient is None else parts_of(gradient)


def directional(
    value: Callable[[Sequence[Any]], Array],
    given: Sequence[Any],
    place: int,
    direction: Array,
    eps: float,
) -> Array:
    """Return the slope of every part of a result along a direction of one input.

    Central differences: the error falls with the square of ``eps``.
    """
    x = given[place]
    start = parts_of(x).copy()
    args = list(given)
    sides = []
    for step in (eps, -eps):
        args[place] = from_parts(start + step * direction.reshape(-1), x).requires_grad_()
        sides.append(value(args).copy())
    slope: Array = (sides[0] - sides[1]) / (2 * eps)
    return slope


def differences(
    value: Callable[[Sequence[Any]], Array], given: Sequence[Any], place: int, eps: float
) -> Array:
    """Return the Jacobian of a result by one input: rows are its parts, columns the input's."""
    count = parts_of(given[place]).size
    columns = [directional(value, given, place, one, eps) for one in np.eye(count)]
    if not columns:
        return np.zeros((value(given).size, 0))
    return np.stack(columns, axis=1)
