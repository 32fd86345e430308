"""print_layout: the values of arrays, and below them shape, offset and strides on one line.

The lines are those of the printer in "torch internal: decoupling view from underlying storage":
PyTorch's end with the address of the storage, NumPy's with the dtype. Tensors of this library,
which have storages too, are printed as PyTorch's are.
"""

from __future__ import annotations

from typing import Any

from strided.inspect.facts import LayoutFacts
from strided.inspect.sources import facts_of


def print_layout(*arrays: Any, file: Any = None) -> None:
    """Print the values of arrays, and shape, offset and stride (in elements) below each.

    >>> import numpy, strided
    >>> x = numpy.arange(12).reshape(3, 4)
    >>> strided.print_layout(x, numpy.flip(x, axis=0))
    [[ 0  1  2  3]
     [ 4  5  6  7]
     [ 8  9 10 11]]
      shape (3, 4) offset 0 stride: [4, 1], dtype: int64
    [[ 8  9 10 11]
     [ 4  5  6  7]
     [ 0  1  2  3]]
      shape (3, 4) offset 8 stride: [-4, 1], dtype: int64
    >>> strided.print_layout(strided.arange(4)[::2])  # doctest: +ELLIPSIS
    tensor([0, 2])
      shape (2,) offset 0 stride: (2,), data_ptr=...
    """
    for x in arrays:
        print(f"{x}\n{_line(x, facts_of(x, operation='print_layout'))}", file=file)


def _line(x: Any, facts: LayoutFacts) -> str:
    layout = facts.layout
    unit = "" if layout is not None else " bytes"
    offset = facts.byte_offset if layout is None else layout.offset
    strides = facts.byte_strides if layout is None else layout.strides
    shape = x.shape if facts.library == "torch" else facts.shape
    if facts.library in ("strided", "torch"):
        end = f"{strides}{unit}, data_ptr={facts.storage_ptr}"
    else:
        end = f"{list(strides)}{unit}, dtype: {facts.dtype}"
    return f"  shape {shape} offset {offset}{unit} stride: {end}"
