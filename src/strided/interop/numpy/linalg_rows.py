"""Rows of ``np.linalg`` and ``np.fft`` that differ from ours in more than names and defaults.

The others have their rows from their definitions. What differs in its defaults or its results
(``eig``, ``pinv``, ``lstsq``) has no row and runs as NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strided._native import Tensor
from strided.errors import UnsupportedOperation
from strided.ops.arrays import asarray

Row = Callable[..., Any]


def _left_to_numpy(operation: str) -> UnsupportedOperation:
    return UnsupportedOperation(
        operation=operation, reason="only NumPy has it so", hint="NumPy's runs in its place"
    )


# ---- linalg ----


def _qr(a: Any, mode: str = "reduced") -> Any:
    from strided import linalg

    if mode not in ("reduced", "complete"):
        raise _left_to_numpy(f"qr of mode {mode!r}")
    return linalg.qr(asarray(a), mode=mode)


def _svd(a: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    from strided import linalg

    x = asarray(a)
    return linalg.svd(x, full_matrices=full_matrices) if compute_uv else linalg.svdvals(x)


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor:
    from strided import linalg

    array = asarray(x)
    # Without an order all axes are one vector; with one, two axes are a matrix.
    of_vectors = ord is None or hasattr(axis, "__index__") or (axis is None and array.ndim == 1)
    if of_vectors and not isinstance(ord, str):
        order = 2 if ord is None else ord
        return linalg.vector_norm(array, axis=axis, keepdims=keepdims, ord=order)
    if axis is None and array.ndim == 2:
        return linalg.matrix_norm(array, keepdims=keepdims, ord=ord)
    raise _left_to_numpy(f"a norm of order {ord!r} along {axis}")


# ---- fft ----


def _along_two_axes(name: str) -> Row:
    def row(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
        from strided import fft

        run = getattr(fft, name)
        result: Tensor = run(asarray(a), s=s, axes=axes, norm=norm or "backward")
        return result

    return row


_BY_AXES = ("fftn", "ifftn", "rfftn", "irfftn")

ROWS: dict[str, Row] = {
    "linalg.qr": _qr,
    "linalg.svd": _svd,
    "linalg.norm": _norm,
    **{f"fft.{name[:-1]}2": _along_two_axes(name) for name in _BY_AXES},
}
