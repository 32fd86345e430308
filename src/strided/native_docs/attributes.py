"""What tensors say about themselves. Nothing here touches an element."""

from __future__ import annotations

TENSOR = """Elements of one dtype in a storage that views share: a Layout over bytes.

    Made by ``strided.tensor``, ``zeros``, ``from_numpy`` and other functions; ``Tensor(x)`` is a
    view of x. Indexing with integers, slices, None and Ellipsis gives views, with masks and integer
    arrays a new tensor. Operators broadcast and give new tensors; ``+=`` and its like write in
    place. Most methods take NumPy's ``axis``, ``axes`` and ``keepdims`` for PyTorch's ``dim``,
    ``dims`` and ``keepdim``.

    >>> import strided
    >>> x = strided.zeros(2, 3)
    >>> x[:, 1] += 7
    >>> x.T
    tensor([[0., 0.],
            [7., 7.],
            [0., 0.]], shape=(3, 2), dtype=float32)
    """

ATTRIBUTES: dict[str, tuple[str, str]] = {
    "shape": (
        "tuple[int, ...]",
        """The length of each axis.

        >>> import strided
        >>> strided.zeros(2, 3).shape
        (2, 3)
        """,
    ),
    "ndim": (
        "int",
        """The number of axes.

        >>> import strided
        >>> strided.zeros(2, 3).ndim
        2
        """,
    ),
    "size": (
        "int",
        """The number of elements.

        >>> import strided
        >>> strided.zeros(2, 3).size
        6
        """,
    ),
    "dtype": (
        "DType",
        """The type of the elements.

        >>> import strided
        >>> strided.zeros(2).dtype, strided.arange(2).dtype
        (strided.float32, strided.int64)
        """,
    ),
    "itemsize": (
        "int",
        """Bytes per element.

        >>> import strided
        >>> strided.zeros(2).itemsize
        4
        """,
    ),
    "nbytes": (
        "int",
        """Bytes of all elements: size times itemsize, also where views repeat or skip some.

        >>> import strided
        >>> strided.zeros(3).expand(2, 3).nbytes
        24
        """,
    ),
    "device": (
        "str",
        """Where the elements are: always the CPU.

        >>> import strided
        >>> strided.zeros(1).device
        'cpu'
        """,
    ),
    "strides": (
        "Strides",
        """The distance between neighbours along each axis, in elements.

        >>> import strided
        >>> strided.zeros(2, 3).T.strides
        Strides(1, 3)
        """,
    ),
    "byte_strides": (
        "tuple[int, ...]",
        """The distance between neighbours along each axis, in bytes, as NumPy has it.

        >>> import strided
        >>> strided.zeros(2, 3).byte_strides
        (12, 4)
        """,
    ),
    "byte_offset": (
        "int",
        """The distance of the first element from the start of the storage, in bytes.

        >>> import strided
        >>> strided.zeros(2, 3)[1].byte_offset
        12
        """,
    ),
    "is_view": (
        "bool",
        """Whether this tensor was made as a view of another one.

        >>> import strided
        >>> x = strided.zeros(2, 3)
        >>> x.is_view, x[0].is_view
        (False, True)
        """,
    ),
    "base": (
        "Tensor | None",
        """The tensor that this view shares its storage with; None when it is no view.

        >>> import strided
        >>> x = strided.zeros(2, 3)
        >>> x.base, x.T[0].base is x
        (None, True)
        """,
    ),
    "bytes_kept_alive": (
        "int",
        """The size of the whole storage, which lives as long as any view of it.

        >>> import strided
        >>> strided.zeros(1000)[:1].bytes_kept_alive
        4000
        """,
    ),
    "writable": (
        "bool",
        """Whether elements may be changed.

        >>> import strided
        >>> strided.zeros(1).writable, strided.frombuffer(b"abcd").writable
        (True, False)
        """,
    ),
}

QUESTIONS: dict[str, tuple[str, ...]] = {
    "stride": (
        "(dim: None = None) -> tuple[int, ...]",
        "(dim: int) -> int",
        """Return the stride of one axis in elements, or of all of them.

        >>> import strided
        >>> x = strided.zeros(2, 3)
        >>> x.stride(), x.stride(0), x.flip(1).stride(-1)
        ((3, 1), 3, -1)
        """,
    ),
    "storage_offset": (
        "() -> int",
        """Return the position of the first element in the storage, in elements.

        >>> import strided
        >>> strided.zeros(3, 4)[1, 2:].storage_offset()
        6
        """,
    ),
    "data_ptr": (
        "() -> int",
        """Return the address of the first element.

        >>> import strided
        >>> x = strided.zeros(3, 4)
        >>> x[1].data_ptr() - x.data_ptr()
        16
        """,
    ),
    "numel": (
        "() -> int",
        """Return the number of elements (PyTorch's name for ``size``).

        >>> import strided
        >>> strided.zeros(2, 3).numel()
        6
        """,
    ),
    "dim": (
        "() -> int",
        """Return the number of axes (PyTorch's name for ``ndim``).

        >>> import strided
        >>> strided.zeros(2, 3).dim()
        2
        """,
    ),
    "element_size": (
        "() -> int",
        """Return the bytes per element (PyTorch's name for ``itemsize``).

        >>> import strided
        >>> strided.zeros(2).element_size()
        4
        """,
    ),
    "is_contiguous": (
        "(memory_format: MemoryFormat | None = None) -> bool",
        """Return whether the elements lie without gaps, in row-major or the given order.

        >>> import strided
        >>> x = strided.zeros(2, 3).T
        >>> x.is_contiguous(), x.is_contiguous(strided.column_major)
        (False, True)
        """,
    ),
}
