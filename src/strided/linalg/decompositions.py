"""Matrices as products of simpler ones: Cholesky, QR, eigenvalues, singular values (LAPACK)."""

from __future__ import annotations

from typing import Any, NamedTuple

from strided._native import Tensor, grad_mode
from strided.autograd.differentiable import differentiable
from strided.errors import InvalidArgument
from strided.linalg.lapack import array_of, called, complex_dtype, matrices, real_dtype, tensor_of


class QRResult(NamedTuple):
    """What ``qr`` returns.

    >>> import strided
    >>> strided.linalg.qr(strided.eye(2)).R.shape
    (2, 2)
    """

    Q: Tensor
    R: Tensor


class EigenResult(NamedTuple):
    """What ``eigh`` and ``eig`` return.

    >>> import strided
    >>> strided.linalg.eigh(strided.eye(2)).eigenvalues.tolist()
    [1.0, 1.0]
    """

    eigenvalues: Tensor
    eigenvectors: Tensor


class SVDResult(NamedTuple):
    """What ``svd`` returns.

    >>> import strided
    >>> strided.linalg.svd(strided.eye(2)).S.tolist()
    [1.0, 1.0]
    """

    U: Tensor
    S: Tensor
    Vh: Tensor


def _is_recorded(x: Tensor) -> bool:
    return x.requires_grad and grad_mode()


@differentiable
def cholesky(x: Any, /, *, upper: bool = False) -> Tensor:
    """Return the triangle whose product with its own transpose is x. A new tensor.

    Only one triangle of x is read. ``upper`` asks for the upper factor. Of complex matrices the
    transpose is the conjugate one.

    >>> import strided
    >>> strided.linalg.cholesky(strided.tensor([[4.0, 2.0], [2.0, 2.0]])).tolist()
    [[2.0, 0.0], [1.0, 1.0]]
    """
    import numpy as np

    x = matrices("cholesky", x, square=True)
    lower = tensor_of(called("cholesky", np.linalg.cholesky, array_of(x)), x.dtype)
    if not upper:
        return lower
    return lower.mT.conj() if x.dtype.kind == "c" else lower.mT


@differentiable
def qr(x: Any, /, *, mode: str = "reduced") -> QRResult:
    """Return x as the product of orthonormal columns Q and an upper triangle R. New tensors.

    ``mode="complete"`` gives a square Q.

    >>> import strided
    >>> q, r = strided.linalg.qr(strided.tensor([[3.0, 1.0], [4.0, 2.0]]))
    >>> strided.allclose(q @ r, strided.tensor([[3.0, 1.0], [4.0, 2.0]]))
    True
    """
    import numpy as np

    if mode not in ("reduced", "complete"):
        raise InvalidArgument(
            argument="mode", got=repr(mode), requirement="must be 'reduced' or 'complete'"
        )
    x = matrices("qr", x)
    q, r = called("qr", np.linalg.qr, array_of(x), mode=mode)
    return QRResult(tensor_of(q, x.dtype), tensor_of(r, x.dtype))


@differentiable
def eigh(x: Any, /) -> EigenResult:
    """Return the eigenvalues of symmetric (Hermitian) matrices, rising, and their vectors.

    New tensors. Only the lower triangle is read; the vectors are columns.

    >>> import strided
    >>> strided.linalg.eigh(strided.tensor([[2.0, 0.0], [0.0, 1.0]])).eigenvalues.tolist()
    [1.0, 2.0]
    """
    import numpy as np

    x = matrices("eigh", x, square=True)
    values, vectors = called("eigh", np.linalg.eigh, array_of(x))
    return EigenResult(tensor_of(values, real_dtype(x.dtype)), tensor_of(vectors, x.dtype))


def eigvalsh(x: Any, /) -> Tensor:
    """Return the eigenvalues of symmetric (Hermitian) matrices, rising. A new tensor.

    >>> import strided
    >>> strided.linalg.eigvalsh(strided.tensor([[2.0, 0.0], [0.0, 1.0]])).tolist()
    [1.0, 2.0]
    """
    import numpy as np

    x = matrices("eigvalsh", x, square=True)
    if _is_recorded(x):  # the gradient needs the vectors
        return eigh(x).eigenvalues
    values = called("eigvalsh", np.linalg.eigvalsh, array_of(x))
    return tensor_of(values, real_dtype(x.dtype))


@differentiable
def eig(x: Any, /) -> EigenResult:
    """Return the eigenvalues of any square matrices and their vectors, as complex numbers.

    New tensors; the vectors are columns.

    >>> import strided
    >>> strided.linalg.eig(strided.tensor([[0.0, -1.0], [1.0, 0.0]])).eigenvalues.tolist()
    [1j, -1j]
    """
    import numpy as np

    x = matrices("eig", x, square=True)
    values, vectors = called("eig", np.linalg.eig, array_of(x))
    dtype = complex_dtype(x.dtype)
    return EigenResult(tensor_of(values, dtype), tensor_of(vectors, dtype))


def eigvals(x: Any, /) -> Tensor:
    """Return the eigenvalues of any square matrices, as complex numbers. A new tensor.

    >>> import strided
    >>> strided.linalg.eigvals(strided.tensor([[3.0, 0.0], [0.0, 2.0]])).tolist()
    [(3+0j), (2+0j)]
    """
    import numpy as np

    x = matrices("eigvals", x, square=True)
    if _is_recorded(x):  # the gradient needs the vectors
        return eig(x).eigenvalues
    values = called("eigvals", np.linalg.eigvals, array_of(x))
    return tensor_of(values, complex_dtype(x.dtype))


@differentiable
def svd(x: Any, /, *, full_matrices: bool = True) -> SVDResult:
    """Return x as U, the singular values S from the largest down, and Vh. New tensors.

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


def svdvals(x: Any, /) -> Tensor:
    """Return the singular values from the largest down. A new tensor.

    >>> import strided
    >>> strided.linalg.svdvals(strided.tensor([[0.0, 2.0], [1.0, 0.0]])).tolist()
    [2.0, 1.0]
    """
    import numpy as np

    x = matrices("svdvals", x)
    if _is_recorded(x):  # the gradient needs the vectors
        return svd(x, full_matrices=False).S
    values = called("svdvals", np.linalg.svd, array_of(x), compute_uv=False)
    return tensor_of(values, real_dtype(x.dtype))
