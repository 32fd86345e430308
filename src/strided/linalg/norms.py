"""How large is a matrix?"""

from __future__ import annotations

import math
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.functions.reduce import vector_norm
from strided.linalg.decompositions import svdvals
from strided.linalg.lapack import matrices, real_dtype


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: float | str | None = "fro") -> Tensor:
    """Return a norm of matrices. A new tensor.

    ``ord``: "fro" (also None), "nuc", or 1, -1, 2, -2, inf, -inf: the largest (smallest) sum of a
    column, singular value, sum of a row.

    >>> import strided
    >>> x = strided.tensor([[3.0, 0.0], [0.0, -4.0]])
    >>> strided.linalg.matrix_norm(x).item(), strided.linalg.matrix_norm(x, ord=1).item()
    (5.0, 4.0)
    """
    x = matrices("matrix_norm", x)
    if ord in (None, "fro"):
        return vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    found = _norm(x, ord)
    return found.unsqueeze(-1).unsqueeze(-1) if keepdims else found


def _norm(x: Tensor, ord: Any) -> Tensor:
    if ord == "nuc":
        return svdvals(x).sum(-1)
    if ord not in (1, -1, 2, -2, math.inf, -math.inf):
        raise InvalidArgument(
            argument="ord",
            got=repr(ord),
            requirement="must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf",
        )
    values = svdvals(x) if abs(ord) == 2 else x.abs().sum(-2 if abs(ord) == 1 else -1)
    if values.shape[-1] == 0:  # nothing to be the largest of
        return _native.zeros(values.shape[:-1], dtype=real_dtype(x.dtype))
    return values.amax(-1) if ord > 0 else values.amin(-1)
