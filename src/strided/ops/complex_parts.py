"""Conjugates and angles of complex numbers, elementwise."""

from __future__ import annotations

from strided import _native
from strided._native import Tensor
from strided.copies import forecast as forecasts
from strided.errors import UnsupportedOperation
from strided.ops import derivatives as d
from strided.ops.define import operation
from strided.ops.elementwise import unary

conj = unary(
    "conj",
    "Complex conjugate.",
    "[1 + 2j]",
    "[(1-2j)]",
    aliases=("conjugate",),
    numpy="conj",
    gradient=lambda g: d.conj(g),
)

angle = unary(
    "angle",
    "The angle of a complex number, in radians.",
    "[1.0]",
    "[0.0]",
    numpy="angle",
    gradient=0,
    complex_gradient=lambda g, x: d.angle_gradient(g, x),
    in_place=False,
)


# ---- views of the parts ----


@operation(kind="view", attribute=True, numpy="real: val")
def real(x: Tensor, /) -> Tensor:
    """The real parts. A view; the tensor itself when it is real.

    >>> import strided
    >>> strided.tensor([1 + 2j, 3 + 4j]).real.tolist()
    [1.0, 3.0]
    """
    return x.view_as_real().select(-1, 0) if x.dtype.is_complex else x


@operation(kind="view", attribute=True, numpy="imag: val")
def imag(x: Tensor, /) -> Tensor:
    """The imaginary parts of a complex tensor, a view; of others, one zero repeated, also a view.

    >>> import strided
    >>> strided.tensor([1 + 2j, 3 + 4j]).imag.tolist()
    [2.0, 4.0]
    """
    # Never an error: whoever asks whether an array has the attribute must get an answer.
    if not x.dtype.is_complex:
        return _native.zeros((), dtype=x.dtype).expand(x.shape)
    return x.view_as_real().select(-1, 1)


@operation(kind="view", native=("view_as_real",), overloads=("(self) -> Tensor",), function=None)
def view_as_real(x: Tensor, /) -> Tensor:
    """Return real and imaginary parts along a new last axis of length 2. A view.

    >>> import strided
    >>> strided.tensor([1 + 2j]).view_as_real().tolist()
    [[1.0, 2.0]]
    """
    ...


@operation(kind="view", function=None)
def view_as_complex(x: Tensor, /) -> Tensor:
    """Return pairs along the last axis as complex numbers. A view.

    >>> import strided
    >>> strided.tensor([[1.0, 2.0]]).view_as_complex().tolist()
    [(1+2j)]
    """
    pairs = {_native.float32: _native.complex64, _native.float64: _native.complex128}
    if x.dtype not in pairs or x.ndim == 0 or x.shape[-1] != 2:
        raise UnsupportedOperation(
            operation="view_as_complex",
            reason=f"needs float32 or float64 with a last axis of 2, got {x.dtype} {x.shape}",
            hint="stack real and imaginary parts along a new last axis first",
        )
    return x.view(pairs[x.dtype]).select(-1, 0)


@operation(kind="either", function=None, attribute=True, forecast=forecasts.conjugate_transpose)
def H(x: Tensor, /) -> Tensor:
    """The conjugate transpose of a matrix. A view for real dtypes, a new tensor for complex ones.

    >>> import strided
    >>> strided.tensor([[1 + 2j]]).H.tolist()
    [[(1-2j)]]
    """
    return x.T.conj() if x.dtype.is_complex else x.T
