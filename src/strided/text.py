"""Text: printing of tensors, and tables and sizes as reports show them.

Tensors print by NumPy's formatting of the values, then shape and dtype.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor

# ---- tensors ----


def _bfloat16_text(bits: Any) -> str:
    """Format one bfloat16 by its bits: they are the upper half of a float32."""
    value: float = struct.unpack("<f", struct.pack("<I", int(bits) << 16))[0]
    return f"{value:.4g}"


def _values(x: Tensor, **layout: Any) -> str:
    import numpy as np

    # NumPy's answer too, but it refuses arrays with a huge axis beside an empty one.
    if 0 in x.shape:
        return "[]"
    if x.dtype is _native.bfloat16:
        # NumPy cannot print it; only the elements that are shown are converted.
        bits = x.view(_native.uint16).numpy()
        return np.array2string(bits, formatter={"int_kind": _bfloat16_text}, **layout)
    return np.array2string(x.numpy(), **layout)


def text_of(x: Tensor, is_repr: bool) -> str:
    """Return ``tensor([...])``, as ``repr`` with shape and dtype (the native type asks this)."""
    # What is printed of the graph; a plain tensor has no word about it.
    graph = ""
    if x._track is not None and x.requires_grad:
        graph = f", grad_fn={x.grad_fn}" if x.grad_fn is not None else ", requires_grad=True"
        x = x.detach()
    prefix = "tensor("
    values = _values(x, separator=", ", prefix=prefix, suffix="," if is_repr else ")")
    if not is_repr:
        return f"{prefix}{values})"
    facts = f"shape={x.shape}, dtype={x.dtype.name}{graph}"
    last_line = len(values) - values.rfind("\n") - 1
    gap = " " if last_line + len(facts) <= 75 else "\n" + " " * len(prefix)
    return f"{prefix}{values},{gap}{facts})"


# ---- tables and sizes: aligned columns, tables of rich, bytes as people read them ----


def shown_bytes(count: int) -> str:
    """Return a number of bytes as people read it.

    >>> shown_bytes(96), shown_bytes(2048), shown_bytes(5 << 20)
    ('96 B', '2.0 KiB', '5.0 MiB')
    """
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{count} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"


def plain_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    numbers: Sequence[str] = (),
    indent: str = "",
) -> str:
    """Return a table as text with one line per row, however wide; ``numbers`` stand right.

    >>> print(plain_table(["name", "bytes"], [["a", "4"], ["bc", "128"]], ["bytes"]))
    name  bytes
    a         4
    bc      128
    """
    lines = [columns, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]

    def aligned(line: Sequence[str]) -> str:
        cells = (
            cell.rjust(width) if column in numbers else cell.ljust(width)
            for cell, column, width in zip(line, columns, widths, strict=True)
        )
        return (indent + "  ".join(cells)).rstrip()

    return "\n".join(map(aligned, lines))


def rich_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[str] = ()
) -> Any:
    """Return a table for a console of rich; ``numbers`` stand right."""
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for column in columns:
        table.add_column(column, justify="right" if column in numbers else "left")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table
