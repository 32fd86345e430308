"""Linear algebra by the array API, on stacks of matrices with any strides.

Products, and the elimination of small matrices, are computed by this library's own kernels; the
rest is LAPACK's, by NumPy, over the tensor's own memory: nothing is copied on the way there. Half
precision is computed in float32.
"""

from typing import NoReturn

from strided.linalg.decompositions import cholesky, eig, eigh, eigvals, eigvalsh, qr, svd, svdvals
from strided.linalg.factors import (
    LinAlgError,
    cholesky_ex,
    cond,
    householder_product,
    inv_ex,
    lstsq,
    lu,
    lu_factor,
    lu_factor_ex,
    lu_solve,
    matrix_exp,
    multi_dot,
    norm,
    solve_ex,
    solve_triangular,
    tensorinv,
    tensorsolve,
    vander,
)
from strided.linalg.matrix_functions import (
    cross,
    det,
    diagonal,
    matrix_norm,
    matrix_power,
    matrix_rank,
    pinv,
    slogdet,
    trace,
)
from strided.linalg.solving import inv, solve
from strided.ops.einsum import tensordot
from strided.ops.linear_algebra import matmul, outer, vecdot
from strided.ops.manipulation import matrix_transpose
from strided.ops.statistics import vector_norm

__all__ = [
    "LinAlgError",
    "cholesky",
    "cholesky_ex",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "householder_product",
    "inv",
    "inv_ex",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_factor_ex",
    "lu_solve",
    "matmul",
    "matrix_exp",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_ex",
    "solve_triangular",
    "svd",
    "svdvals",
    "tensordot",
    "tensorinv",
    "tensorsolve",
    "trace",
    "vander",
    "vecdot",
    "vector_norm",
]


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]


def __getattr__(name: str) -> NoReturn:
    from strided.ops.left_out import LINALG, refusal

    raise refusal("module 'strided.linalg'", name, LINALG)
