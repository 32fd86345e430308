"""Singular value decomposition and its gradient.

Source: F. Wan and S. Zhang, "Automatic differentiation for complex valued SVD" (2019).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from strided._native import Tensor
from strided.linalg.adjoint import adjoint, check_phase, diagonal_of, gaps, total, with_diagonal
from strided.linalg.lapack import array_of, called, is_recorded, matrices, real_dtype, tensor_of
from strided.ops.define import operation
from strided.ops.gradients import Backward, Call, Gradients


class SVDResult(NamedTuple):
    """What ``svd`` returns.

    >>> import strided
    >>> strided.linalg.svd(strided.eye(2)).S.tolist()
    [1.0, 1.0]
    """

    U: Tensor
    S: Tensor
    Vh: Tensor


def _svd_gradient(call: Call, x: Tensor, full_matrices: bool) -> Backward:
    saved = call.save(*call.output)
    least = min(x.shape[-2:])

    def backward(to_u: Tensor | None, to_s: Tensor | None, to_vh: Tensor | None) -> Gradients:
        # Vectors without a singular value are not determined by the matrix.
        u, s, vh = saved()
        u, vh = u[..., :least], vh[..., :least, :]
        if to_u is None and to_vh is None:
            assert to_s is not None
            return ((u * to_s.unsqueeze(-2)) @ vh,)
        to_u = None if to_u is None else to_u[..., :least]
        to_v = None if to_vh is None else adjoint(to_vh[..., :least, :])
        return (_of_factors(u, s, adjoint(vh), to_u, to_s, to_v),)

    return backward


@operation(gradient=_svd_gradient, namespace="linalg", converts=True)
def svd(x: Any, /, *, full_matrices: bool = True) -> SVDResult:
    """Return the singular value decomposition U, S (descending) and Vh. New tensors.

    ``full_matrices=False`` keeps only the vectors that belong to a value: x is then
    ``(U * S) @ Vh``.

    >>> import strided
    >>> strided.linalg.svd(strided.tensor([[0.0, 2.0], [1.0, 0.0]])).S.tolist()
    [2.0, 1.0]
    """
    import numpy as np

    x = matrices("svd", x)
    u, s, vh = called("svd", np.linalg.svd, array_of(x), full_matrices=full_matrices)
    return SVDResult(
        tensor_of(u, x.dtype), tensor_of(s, real_dtype(x.dtype)), tensor_of(vh, x.dtype)
    )


def _of_factors(
    u: Tensor, s: Tensor, v: Tensor, to_u: Any, to_s: Tensor | None, to_v: Any
) -> Tensor:
    """Return the gradient of ``(u * s) @ v.mH``."""
    inner_u: Any = None if to_u is None else adjoint(u) @ to_u
    inner_v: Any = None if to_v is None else adjoint(v) @ to_v
    between = gaps(s * s)
    core = total(
        None if inner_u is None else (inner_u - adjoint(inner_u)) / between * s.unsqueeze(-2),
        None if inner_v is None else s.unsqueeze(-1) * ((inner_v - adjoint(inner_v)) / between),
    )
    assert core is not None
    along: Tensor = s * 0 if to_s is None else to_s
    if u.dtype.is_complex:
        along_phase = total(*(None if x is None else diagonal_of(x) for x in (inner_u, inner_v)))
        assert along_phase is not None
        check_phase("svd", along_phase)
        if inner_u is not None:
            along = along + diagonal_of(inner_u).imag * 1j / s
    made = u @ with_diagonal(along, core) @ adjoint(v)
    if to_u is not None and u.shape[-2] > u.shape[-1]:
        outside = (to_u - u @ inner_u) / s.unsqueeze(-2)
        made = made + outside @ adjoint(v)
    if to_v is not None and v.shape[-2] > v.shape[-1]:
        outside = (to_v - v @ inner_v) / s.unsqueeze(-2)
        made = made + u @ adjoint(outside)
    return made


@operation(numpy="linalg.svdvals: x", namespace="linalg", converts=True)
def svdvals(x: Any, /) -> Tensor:
    """Return the singular values, descending. A new tensor.

    >>> import strided
    >>> strided.linalg.svdvals(strided.tensor([[0.0, 2.0], [1.0, 0.0]])).tolist()
    [2.0, 1.0]
    """
    import numpy as np

    x = matrices("svdvals", x)
    if is_recorded(x):  # the gradient needs the vectors
        return svd(x, full_matrices=False).S
    values = called("svdvals", np.linalg.svd, array_of(x), compute_uv=False)
    return tensor_of(values, real_dtype(x.dtype))
