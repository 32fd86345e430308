"""Tensors, and numbers, as text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from strided import text
from strided._native import Tensor
from strided.numpy_names.calls import numpys
from strided.ops.arguments import as_operand


@contextmanager
def printoptions(**options: Any) -> Iterator[None]:
    """Say how tensors are printed inside a ``with`` block; options are of ``set_printoptions``.

    Nothing is copied.

    >>> import strided
    >>> with strided.printoptions(precision=2):
    ...     print(strided.tensor([3.14159]))
    tensor([3.14])
    """
    before = text._options
    text.set_printoptions(**options)
    try:
        yield
    finally:
        text._options = before


def array2string(a: Any, *args: Any, **options: Any) -> str:
    """Return the elements as text, with the options of NumPy's function. The text is a copy.

    >>> import strided
    >>> strided.array2string(strided.arange(3), separator=", ")
    '[0, 1, 2]'
    """
    made: str = numpys("array2string", as_operand(a), *args, **options)
    return made


def array_repr(arr: Tensor) -> str:
    """Return the text that ``repr`` gives. The text is a copy.

    >>> import strided
    >>> strided.array_repr(strided.arange(2))
    'tensor([0, 1], shape=(2,), dtype=int64)'
    """
    return text.text_of(arr, True)


def array_str(a: Tensor) -> str:
    """Return the text that ``str`` gives. The text is a copy.

    >>> import strided
    >>> strided.array_str(strided.arange(2))
    'tensor([0, 1])'
    """
    return text.text_of(a, False)


def format_float_positional(x: Any, *args: Any, **options: Any) -> str:
    """Return a number as text without an exponent, as NumPy does. The text is a copy.

    >>> import strided
    >>> strided.format_float_positional(1e-5)
    '0.00001'
    """
    import numpy as np

    return np.format_float_positional(_number(x), *args, **options)


def format_float_scientific(x: Any, *args: Any, **options: Any) -> str:
    """Return a number as text with an exponent, as NumPy does. The text is a copy.

    >>> import strided
    >>> strided.format_float_scientific(1000.0)
    '1.e+03'
    """
    import numpy as np

    return np.format_float_scientific(_number(x), *args, **options)


def _number(x: Any) -> Any:
    return x.item() if isinstance(x, Tensor) else x


def binary_repr(num: int, width: int | None = None) -> str:
    """Return the binary digits of an integer as text. The text is a copy.

    >>> import strided
    >>> strided.binary_repr(5, width=4)
    '0101'
    """
    import numpy as np

    return np.binary_repr(_number(num), width)


def base_repr(number: int, base: int = 2, padding: int = 0) -> str:
    """Return the digits of an integer in a base as text. The text is a copy.

    >>> import strided
    >>> strided.base_repr(10, base=3)
    '101'
    """
    import numpy as np

    return np.base_repr(_number(number), base, padding)
