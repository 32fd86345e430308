"""Methods that return views: arguments in, another layout over the same storage out."""

from __future__ import annotations

VIEWS: dict[str, tuple[str, ...]] = {
    "transpose": (
        "(*dims: int) -> Tensor",
        "(dim0: int, dim1: int) -> Tensor",
        "(dims: Sequence[int], /) -> Tensor",
        """Return the tensor with two axes swapped, all reversed, or all in the given order. A view.

        >>> import strided
        >>> x = strided.zeros(2, 3, 4)
        >>> x.transpose(0, 2).shape, x.transpose().shape, x.transpose(1, 2, 0).shape
        ((4, 3, 2), (4, 3, 2), (3, 4, 2))
        """,
    ),
    "swapaxes": (
        "(dim0: int, dim1: int) -> Tensor",
        """Return the tensor with two axes swapped. A view.

        >>> import strided
        >>> strided.zeros(2, 3, 4).swapaxes(0, -1).stride()
        (1, 4, 12)
        """,
    ),
    "swapdims": (
        "(dim0: int, dim1: int) -> Tensor",
        """Return the tensor with two axes swapped. A view (PyTorch's name for ``swapaxes``).

        >>> import strided
        >>> strided.zeros(2, 3, 4).swapdims(0, 1).shape
        (3, 2, 4)
        """,
    ),
    "t": (
        "() -> Tensor",
        """Return the transpose of a tensor of rank 0, 1 or 2. A view.

        >>> import strided
        >>> strided.zeros(2, 3).t().shape, strided.zeros(3).t().shape
        ((3, 2), (3,))
        """,
    ),
    "permute": (
        "(*dims: int) -> Tensor",
        "(dims: Sequence[int]) -> Tensor",
        """Return the tensor with its axes in another order. A view.

        >>> import strided
        >>> x = strided.zeros(2, 3, 4).permute(2, 0, 1)
        >>> x.shape, x.stride()
        ((4, 2, 3), (1, 12, 4))
        """,
    ),
    "movedim": (
        "(source: int | Sequence[int], destination: int | Sequence[int]) -> Tensor",
        """Return the tensor with some axes at new places, the others in order around them. A view.

        >>> import strided
        >>> strided.zeros(2, 3, 4).movedim(0, -1).shape
        (3, 4, 2)
        """,
    ),
    "moveaxis": (
        "(source: int | Sequence[int], destination: int | Sequence[int]) -> Tensor",
        """Return the tensor with some axes at new places. A view (NumPy's name for ``movedim``).

        >>> import strided
        >>> strided.zeros(2, 3, 4).moveaxis((0, 1), (1, 2)).shape
        (4, 2, 3)
        """,
    ),
    "flip": (
        "(*dims: int) -> Tensor",
        "(dims: Sequence[int]) -> Tensor",
        """Return the tensor with axes reversed, all by default. A view with negative strides.

        >>> import strided
        >>> x = strided.arange(4).flip(0)
        >>> x.tolist(), x.stride(), x.storage_offset()
        ([3, 2, 1, 0], (-1,), 3)
        """,
    ),
    "squeeze": (
        "(dim: int | Sequence[int] | None = None, *, axis: int | Sequence[int] | None = None)"
        " -> Tensor",
        """Return the tensor without its axes of length 1, or those of them that are named. A view.

        >>> import strided
        >>> x = strided.zeros(1, 3, 1)
        >>> x.squeeze().shape, x.squeeze(0).shape, x.squeeze(1).shape
        ((3,), (3, 1), (1, 3, 1))
        """,
    ),
    "unsqueeze": (
        "(dim: int) -> Tensor",
        """Return the tensor with a new axis of length 1. A view.

        >>> import strided
        >>> strided.zeros(3, 4).unsqueeze(-1).shape
        (3, 4, 1)
        """,
    ),
    "expand_dims": (
        "(dim: int) -> Tensor",
        """Return the tensor with a new axis of length 1. A view (NumPy's name for ``unsqueeze``).

        >>> import strided
        >>> strided.zeros(3, 4).expand_dims(0).stride()
        (12, 4, 1)
        """,
    ),
    "expand": (
        "(*size: int) -> Tensor",
        "(size: Sequence[int]) -> Tensor",
        """Return axes of length 1, and new ones in front, repeated by stride 0; -1 keeps. A view.

        >>> import strided
        >>> x = strided.arange(3).unsqueeze(1).expand(2, -1, 4)
        >>> x.shape, x.stride(), x.bytes_kept_alive
        ((2, 3, 4), (0, 1, 0), 24)
        """,
    ),
    "broadcast_to": (
        "(*size: int) -> Tensor",
        "(size: Sequence[int]) -> Tensor",
        """Return the tensor repeated to a shape by stride 0. A view (NumPy's name for ``expand``).

        >>> import strided
        >>> strided.arange(3).broadcast_to((2, 3)).tolist()
        [[0, 1, 2], [0, 1, 2]]
        """,
    ),
    "narrow": (
        "(dim: int, start: int, length: int) -> Tensor",
        """Return ``length`` neighbours of one axis, from ``start`` on. A view.

        >>> import strided
        >>> strided.arange(12).reshape(3, 4).narrow(1, 1, 2).tolist()
        [[1, 2], [5, 6], [9, 10]]
        """,
    ),
    "select": (
        "(dim: int, index: int) -> Tensor",
        """Return one place of an axis, without that axis. A view.

        >>> import strided
        >>> strided.arange(6).reshape(2, 3).select(1, -1).tolist()
        [2, 5]
        """,
    ),
    "diagonal": (
        "(offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor",
        """Return a diagonal of two axes as a new last axis; offset 1 is the one above. A view.

        >>> import strided
        >>> x = strided.arange(9).reshape(3, 3)
        >>> x.diagonal().tolist(), x.diagonal(1).tolist()
        ([0, 4, 8], [1, 5])
        """,
    ),
    "unfold": (
        "(dim: int, size: int, step: int = 1) -> Tensor",
        """Return all windows along an axis, ``step`` apart, each along a new last axis. A view.

        >>> import strided
        >>> x = strided.arange(5).unfold(0, 3, 2)
        >>> x.tolist(), x.stride()
        ([[0, 1, 2], [2, 3, 4]], (2, 1))
        """,
    ),
    "as_strided": (
        "(size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None) -> Tensor",
        """Return any layout over the storage, checked to stay inside it. A view.

        >>> import strided
        >>> strided.arange(6).as_strided((2, 2), (1, 2)).tolist()
        [[0, 2], [1, 3]]
        """,
    ),
    "split": (
        "(split_size: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]",
        """Return pieces of ``split_size`` (the last may be shorter), or of the listed sizes. Views.

        >>> import strided
        >>> [p.tolist() for p in strided.arange(5).split(2)]
        [[0, 1], [2, 3], [4]]
        >>> [p.tolist() for p in strided.arange(5).split([1, 4])]
        [[0], [1, 2, 3, 4]]
        """,
    ),
    "unbind": (
        "(dim: int = 0) -> tuple[Tensor, ...]",
        """Return the slices along one axis, without that axis. Views.

        >>> import strided
        >>> [p.tolist() for p in strided.arange(4).reshape(2, 2).unbind(1)]
        [[0, 2], [1, 3]]
        """,
    ),
    "detach": (
        "() -> Tensor",
        """Return a view of everything (PyTorch's name; there is no gradient to leave behind).

        >>> import strided
        >>> x = strided.zeros(2)
        >>> x.detach() is x, x.detach().shares_storage(x)
        (False, True)
        """,
    ),
}

SHAPES: dict[str, tuple[str, ...]] = {
    "reshape": (
        "(*size: int, copy: bool | None = None) -> Tensor",
        "(size: Sequence[int], *, copy: bool | None = None) -> Tensor",
        """Return the elements, in row-major order, in another shape; one length may be -1.

        A view where one exists, else one logged copy; ``copy=False`` raises instead, ``copy=True``
        always copies.

        >>> import strided
        >>> x = strided.arange(6).reshape(2, 3)
        >>> x.reshape(3, -1).is_view, x.T.reshape(6).is_view
        (True, False)
        """,
    ),
    "view": (
        "(*size: int) -> Tensor",
        "(size: Sequence[int], /) -> Tensor",
        "(dtype: DTypeLike) -> Tensor",
        """Return the tensor in another shape, or its bytes as another dtype. A view or an error.

        >>> import strided
        >>> x = strided.arange(6)
        >>> x.view(2, -1).shape, x.view(strided.int32).shape
        ((2, 3), (12,))
        """,
    ),
    "flatten": (
        "(start_dim: int = 0, end_dim: int = -1) -> Tensor",
        """Return a run of axes as one. A view where one exists, else one logged copy.

        >>> import strided
        >>> strided.zeros(2, 3, 4).flatten(1).shape
        (2, 12)
        """,
    ),
    "view_as_real": (
        "() -> Tensor",
        """Return real and imaginary parts along a new last axis of length 2. A view.

        >>> import strided
        >>> strided.tensor([1 + 2j]).view_as_real().tolist()
        [[1.0, 2.0]]
        """,
    ),
}
