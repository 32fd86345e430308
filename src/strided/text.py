"""Text: printing of tensors, and tables and sizes as reports show them.

Tensors print by NumPy's formatting of the values, then shape and dtype.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument

_SUMMARISED = 1 << 12  # elements of which NumPy shows the first and the last few

# ---- tensors ----


class _PrintOptions(NamedTuple):
    """How tensors are printed; None: as NumPy's settings say."""

    precision: int | None = None
    threshold: int | None = None
    edgeitems: int | None = None
    linewidth: int | None = None
    sci_mode: bool | None = None


_PROFILES = {
    "default": _PrintOptions(),
    "short": _PrintOptions(precision=2, threshold=1000, edgeitems=2),
    "full": _PrintOptions(threshold=sys.maxsize),
}
_options = _PrintOptions()


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
    suppress: bool | None = None,
) -> None:
    """Say how tensors are printed; what is not said stays. ``profile`` starts from settings.

    ``suppress`` is NumPy's word for ``sci_mode=False``.

    >>> import strided
    >>> strided.set_printoptions(precision=2)
    >>> print(strided.tensor([3.14159]))
    tensor([3.14])
    >>> strided.set_printoptions(profile="default")
    """
    global _options
    if profile is not None and profile not in _PROFILES:
        raise InvalidArgument(
            argument="profile", got=repr(profile), requirement=f"is one of {', '.join(_PROFILES)}"
        )
    start = _options if profile is None else _PROFILES[profile]
    if suppress is not None and sci_mode is None:
        sci_mode = False if suppress else None
    most = None if threshold is None else int(min(threshold, sys.maxsize))
    given = _PrintOptions(precision, most, edgeitems, linewidth, sci_mode)
    said = {name: one for name, one in given._asdict().items() if one is not None}
    _options = start._replace(**said)


def get_printoptions() -> dict[str, Any]:
    """Return how tensors are printed; None: as NumPy's settings say.

    >>> import strided
    >>> strided.get_printoptions()["precision"] is None
    True
    """
    return _options._asdict()


def _layout_options() -> dict[str, Any]:
    """Return the settings as ``numpy.array2string`` takes them."""
    names = {"linewidth": "max_line_width"}
    made = {
        names.get(name, name): value
        for name, value in _options._asdict().items()
        if value is not None and name != "sci_mode"
    }
    if _options.sci_mode is False:
        made["suppress_small"] = True
    elif _options.sci_mode:
        digits = 4 if _options.precision is None else _options.precision
        made["formatter"] = {"float_kind": lambda value: f"{value:.{digits}e}"}
    return made


def _values(x: Tensor, **layout: Any) -> str:
    import numpy as np

    # NumPy's answer too, but it refuses arrays with a huge axis beside an empty one.
    if 0 in x.shape:
        return "[]"
    # So many elements can only be repeated ones, and of those some look like all.
    for axis in range(x.ndim):
        if x.numel() * x.dtype.itemsize > sys.maxsize and x.strides[axis] == 0:
            x = x.narrow(axis, 0, min(x.shape[axis], _SUMMARISED))
    if x.numel() * x.dtype.itemsize > sys.maxsize:  # of windows over windows
        return "[...]"
    layout |= _layout_options()
    if x.dtype is _native.bfloat16:
        # NumPy cannot print it; only the elements that are shown are converted.
        settings = np.get_printoptions()
        bits = x.view(_native.uint16).numpy()
        if x.numel() > layout.get("threshold", settings["threshold"]):
            edge = layout.get("edgeitems", settings["edgeitems"])
            for axis, length in enumerate(x.shape):
                if length > 2 * edge + 1:
                    ends = [*range(edge + 1), *range(length - edge, length)]
                    bits = bits.take(ends, axis)
            layout["threshold"] = 0
        # The bits are the upper half of a float32.
        wide = np.left_shift(bits, 16, dtype=np.uint32).view(np.float32)
        layout.setdefault("precision", 4)
        return np.array2string(wide, **layout)
    return np.array2string(x.numpy(), **layout)


# Dtypes that values show by themselves.
_PLAIN = (_native.float32, _native.int64, _native.bool, _native.complex64)


def text_of(x: Tensor, is_repr: bool) -> str:
    """Return ``tensor([...])``, as ``repr`` with shape and dtype (the native type asks this).

    As ``str`` with the shape where it is empty, the dtype where it is not the usual one, and a word
    of the graph where it takes part in one: what PyTorch shows.
    """
    # What is printed of the graph; a plain tensor has no word about it.
    facts = []
    graph = ""
    if x._track is not None and x.requires_grad:
        graph = f"grad_fn={x.grad_fn}" if x.grad_fn is not None else "requires_grad=True"
        x = x.detach()
    if is_repr or (0 in x.shape and x.ndim != 1):
        facts.append(f"shape={x.shape}")
    if is_repr or x.dtype not in _PLAIN:
        facts.append(f"dtype={x.dtype.name}")
    if graph:
        facts.append(graph)
    prefix = "tensor("
    values = _values(x, separator=", ", prefix=prefix, suffix="," if facts else ")")
    if not facts:
        return f"{prefix}{values})"
    said = ", ".join(facts)
    last_line = len(values) - values.rfind("\n") - 1
    gap = " " if last_line + len(said) <= 75 else "\n" + " " * len(prefix)
    return f"{prefix}{values},{gap}{said})"


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
