"""What dtypes say about themselves."""

from __future__ import annotations

DTYPE = """The type of a tensor's elements; one object per dtype, compare with ``is`` or ``==``.

    Names, NumPy's dtypes and types, and Python's ``bool`` are equal to the dtype they stand for.

    >>> import strided
    >>> strided.zeros(2).dtype is strided.float32, strided.float32 == "float32"
    (True, True)
    """

DTYPE_ATTRIBUTES: dict[str, tuple[str, str]] = {
    "name": (
        "str",
        """The name, as in NumPy.

        >>> import strided
        >>> strided.float32.name
        'float32'
        """,
    ),
    "itemsize": (
        "int",
        """Bytes per element.

        >>> import strided
        >>> strided.float32.itemsize
        4
        """,
    ),
    "kind": (
        "str",
        """One letter, as in NumPy: b, i, u, f or c.

        >>> import strided
        >>> strided.bool.kind, strided.uint8.kind
        ('b', 'u')
        """,
    ),
    "is_floating_point": (
        "bool",
        """True for real floating-point dtypes.

        >>> import strided
        >>> strided.bfloat16.is_floating_point, strided.complex64.is_floating_point
        (True, False)
        """,
    ),
    "is_complex": (
        "bool",
        """True for complex64 and complex128.

        >>> import strided
        >>> strided.complex64.is_complex
        True
        """,
    ),
    "is_signed": (
        "bool",
        """True when negative values exist.

        >>> import strided
        >>> strided.int8.is_signed, strided.uint8.is_signed
        (True, False)
        """,
    ),
    "dtype": (
        "np.dtype[Any]",
        """The NumPy dtype; bfloat16 needs the package ml_dtypes.

        >>> import strided
        >>> strided.float32.dtype
        dtype('float32')
        """,
    ),
    "hasobject": (
        "bool",
        """False: elements are never Python objects. Who moves bytes of arrays asks a dtype for it.

        >>> import strided
        >>> strided.float32.hasobject
        False
        """,
    ),
    "type": (
        "type[np.generic]",
        """NumPy's type of one element; bfloat16 needs the package ml_dtypes.

        >>> import strided
        >>> strided.float32.type.__name__
        'float32'
        """,
    ),
}
