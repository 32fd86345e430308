"""Adjoints and diagonals of matrices, of which gradients are made."""

from __future__ import annotations

from functools import reduce
from operator import add

from strided import _native
from strided._native import Tensor
from strided.errors import GradientNotPossible
from strided.ops.creation import eye
from strided.ops.elementwise import where


def adjoint(x: Tensor) -> Tensor:
    """Return the transposed matrices, conjugate if they are complex."""
    return conjugate(x).mT


def conjugate(x: Tensor) -> Tensor:
    """Return the conjugates of complex numbers, and real ones as they are."""
    return x.conj() if x.dtype.is_complex else x


def total(*terms: Tensor | None) -> Tensor | None:
    """Return the sum of the terms that are given, None where there is none."""
    given = [term for term in terms if term is not None]
    return reduce(add, given) if given else None


def with_diagonal(values: Tensor, matrices: Tensor) -> Tensor:
    """Return matrices with these values instead of those on the diagonal."""
    side = matrices.shape[-1]
    return where(eye(side, dtype=_native.bool), values.unsqueeze(-1), matrices)


def gaps(values: Tensor) -> Tensor:
    """Return the differences ``values[j] - values[i]`` as matrices, with 1 on the diagonal."""
    between = values.unsqueeze(-2) - values.unsqueeze(-1)
    return with_diagonal(values * 0 + 1, between)


def diagonal_of(x: Tensor) -> Tensor:
    """Return the main diagonals of matrices. A view."""
    return x.diagonal(0, -2, -1)


_PHASE = 1e-2  # a dependence on phases that is no rounding


def check_phase(operation: str, along_phase: Tensor) -> None:
    """Refuse a gradient along the phase of vectors: it has none."""
    if along_phase.size and float(along_phase.detach().imag.abs().amax()) > _PHASE:
        raise GradientNotPossible(
            operation=f"a gradient of {operation}",
            reason="it depends on the phase of complex vectors, which is arbitrary",
            hint="use what does not change with it: sizes, or products of a vector and its adjoint",
        )
