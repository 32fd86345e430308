"""Tensors of another shape over the same elements, views where one exists; complex ones as real."""

from __future__ import annotations

from collections.abc import Sequence

from strided import _native
from strided._native import Tensor
from strided.errors import ShapeMismatch, UnsupportedOperation
from strided.ops.define import operation
from strided.ops.manipulation import normal_axis


@operation(
    kind="either",
    native=("reshape",),
    overloads=(
        "(self, *size: int, copy: bool | None = None) -> Tensor",
        "(self, size: Sequence[int], *, copy: bool | None = None) -> Tensor",
    ),
    numpy="reshape: a shape * copy",
    also={"shape": "newshape"},
    forecast=lambda of: of.reshape,
    effect="merge",
)
def reshape(x: Tensor, /, shape: int | Sequence[int], *, copy: bool | None = None) -> Tensor:
    """Return the elements, in row-major order, in another shape; one length may be -1.

    A view where one exists, else one logged copy; ``copy=False`` raises instead, ``copy=True``
    always copies.

    >>> import strided
    >>> x = strided.arange(6).reshape(2, 3)
    >>> x.reshape(3, -1).is_view, x.T.reshape(6).is_view
    (True, False)
    """
    return x.reshape(shape, copy=copy)


@operation(
    kind="either",
    native=("flatten",),
    overloads=("(self, start_dim: int = 0, end_dim: int = -1) -> Tensor",),
    forecast=lambda of: of.flatten,
    effect="merge",
)
def flatten(x: Tensor, /, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Return a run of axes as one. A view where one exists, else one logged copy.

    >>> import strided
    >>> strided.zeros(2, 3, 4).flatten(1).shape
    (2, 12)
    """
    return x.flatten(start_dim, end_dim)


@operation(kind="either", forecast=lambda of: of.ravel, effect="merge")
def ravel(x: Tensor, /) -> Tensor:
    """Return all elements in one axis, without gaps. A view where it can be, else one logged copy.

    >>> import strided
    >>> strided.arange(6).reshape(2, 3).ravel().shape
    (6,)
    """
    return x.reshape(-1).contiguous()


@operation(kind="either", function=None, forecast=lambda of: of.reshape_as)
def reshape_as(x: Tensor, /, other: Tensor) -> Tensor:
    """Return this tensor in the shape of another. A view where one exists, else one logged copy.

    >>> import strided
    >>> strided.arange(6).reshape_as(strided.zeros(2, 3)).shape
    (2, 3)
    """
    return x.reshape(other.shape)


@operation(
    kind="view",
    native=("view",),
    overloads=(
        "(self, *size: int) -> Tensor",
        "(self, size: Sequence[int], /) -> Tensor",
        "(self, dtype: DTypeLike) -> Tensor",
    ),
    function=None,
    forecast=lambda of: of.view,
    effect="merge",
)
def view(x: Tensor, size: Sequence[int], /) -> Tensor:
    """Return the tensor in another shape, or its bytes as another dtype. A view or an error.

    >>> import strided
    >>> x = strided.arange(6)
    >>> x.view(2, -1).shape, x.view(strided.int32).shape
    ((2, 3), (12,))
    """
    ...


@operation(kind="view", function=None)
def view_as(x: Tensor, /, other: Tensor) -> Tensor:
    """Return this tensor in the shape of another. A view or an error.

    >>> import strided
    >>> strided.arange(6).view_as(strided.zeros(2, 3)).shape
    (2, 3)
    """
    return x.view(other.shape)


@operation(kind="view", effect="split")
def unflatten(x: Tensor, /, dim: int, sizes: Sequence[int]) -> Tensor:
    """Return one axis split into several; one size may be -1. A view, always.

    >>> import strided
    >>> strided.zeros(2, 12).unflatten(1, (3, -1)).shape
    (2, 3, 4)
    """
    axis = normal_axis(dim, x.ndim)
    parts, known = list(sizes), 1
    for part in parts:
        known *= part if part != -1 else 1
    if parts.count(-1) == 1 and known:
        parts[parts.index(-1)] = x.shape[axis] // known
    product = 1
    for part in parts:
        product *= part
    if product != x.shape[axis]:
        raise ShapeMismatch(
            operation="unflatten",
            expected=(x.shape[axis],),
            got=tuple(sizes),
            hint=f"the sizes must multiply to {x.shape[axis]}",
        )
    return x.view((*x.shape[:axis], *parts, *x.shape[axis + 1 :]))


@operation(
    kind="view",
    native=("as_strided",),
    overloads=(
        "(self, size: Sequence[int], stride: Sequence[int],"
        " storage_offset: int | None = None) -> Tensor",
    ),
    effect="free",
)
def as_strided(
    x: Tensor,
    /,
    size: Sequence[int],
    stride: Sequence[int],
    storage_offset: int | None = None,
) -> Tensor:
    """Return any layout over the storage, checked to stay inside it. A view.

    >>> import strided
    >>> strided.arange(6).as_strided((2, 2), (1, 2)).tolist()
    [[0, 2], [1, 3]]
    """
    return x.as_strided(size, stride, storage_offset)


@operation(kind="view", native=("detach",), overloads=("(self) -> Tensor",), effect="same")
def detach(x: Tensor, /) -> Tensor:
    """Return a view of everything (PyTorch's name; there is no gradient to leave behind).

    >>> import strided
    >>> x = strided.zeros(2)
    >>> x.detach() is x, x.detach().shares_storage(x)
    (False, True)
    """
    ...


# ---- complex numbers as pairs of real ones ----


@operation(kind="view", attribute=True, settable=True, numpy="real: val")
def real(x: Tensor, /) -> Tensor:
    """The real parts. A view; the tensor itself when it is real.

    >>> import strided
    >>> strided.tensor([1 + 2j, 3 + 4j]).real.tolist()
    [1.0, 3.0]
    """
    return x.view_as_real().select(-1, 0) if x.dtype.is_complex else x


@operation(kind="view", attribute=True, settable=True, numpy="imag: val")
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


@operation(kind="view", native=("view_as_real",), overloads=("(self) -> Tensor",))
def view_as_real(x: Tensor, /) -> Tensor:
    """Return real and imaginary parts along a new last axis of length 2. A view.

    >>> import strided
    >>> strided.tensor([1 + 2j]).view_as_real().tolist()
    [[1.0, 2.0]]
    """
    ...


@operation(kind="view")
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
