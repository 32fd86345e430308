"""LayoutFacts: where the elements of an array lie, as a value that prints itself.

Everything is kept in bytes, which every library can say; strides and offset in elements follow from
them, and are None where NumPy steps by no whole number of elements. Nothing here reads an element.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from strided._native import Layout
from strided.errors import OverlapTooHard
from strided.inspect.reach import distinct_positions, reached_range


@dataclass(frozen=True)
class LayoutFacts:
    """What an array of any library says about its memory; made by ``strided.inspect(x)``.

    >>> import strided
    >>> facts = strided.inspect(strided.zeros(3, 4).T)
    >>> facts.shape, facts.strides, facts.byte_strides, facts.contiguous, facts.order
    ((4, 3), (1, 4), (4, 16), False, 'column-major')
    """

    library: str
    shape: tuple[int, ...]
    byte_strides: tuple[int, ...]
    byte_offset: int
    dtype: str
    itemsize: int
    storage_ptr: int
    storage_nbytes: int
    block_ptr: int
    bytes_kept_alive: int
    writable: bool
    owner: str
    device: str = "cpu"

    # ---- in elements ----

    @property
    def strides(self) -> tuple[int, ...] | None:
        """The distance between neighbours in elements; None where it is no whole number.

        >>> import numpy, strided
        >>> strided.inspect(numpy.zeros((2, 3))).strides
        (3, 1)
        >>> packets = numpy.zeros(4, dtype=[("flag", "u1"), ("value", "f8")])
        >>> facts = strided.inspect(packets["value"])
        >>> facts.strides, facts.byte_strides
        (None, (9,))
        """
        item = self.itemsize or 1  # NumPy has dtypes without bytes
        if any(step % item for step in self.byte_strides):
            return None
        return tuple(step // item for step in self.byte_strides)

    @property
    def offset(self) -> int | None:
        """The storage position of the first element; None where it is no whole number.

        >>> import strided
        >>> strided.inspect(strided.zeros(3, 4)[1, 2:]).offset
        6
        """
        whole, rest = divmod(self.byte_offset, self.itemsize or 1)
        return None if rest else whole

    @property
    def layout(self) -> Layout | None:
        """The layout in elements; None where strides or offset are no whole number of them.

        >>> import numpy, strided
        >>> strided.inspect(numpy.zeros((3, 4))[::-1]).layout
        Layout((3, 4):(-4, 1)+8)
        """
        strides, offset = self.strides, self.offset
        return None if strides is None or offset is None else Layout(self.shape, strides, offset)

    @property
    def byte_layout(self) -> Layout:
        """The layout of the single bytes: one more axis, as long as an element.

        >>> import strided
        >>> strided.inspect(strided.zeros(2, 3)[1]).byte_layout
        Layout((3, 4):(4, 1)+12)
        """
        return Layout((*self.shape, self.itemsize), (*self.byte_strides, 1), self.byte_offset)

    @property
    def _elements(self) -> Layout:
        """The layout in elements where they lie on multiples of their size, else that in bytes:
        elements then meet whole or not at all, and questions are easier.
        """
        strides = self.strides
        if strides is None or not self.itemsize:
            return self.byte_layout
        return Layout(self.shape, strides)

    @property
    def size(self) -> int:
        """The number of elements, repeated ones counted as often as they are seen.

        >>> import strided
        >>> strided.inspect(strided.zeros(3).expand(2, 3)).size
        6
        """
        return prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Size times itemsize: what a copy would take.

        >>> import strided
        >>> strided.inspect(strided.zeros(3).expand(2, 3)).nbytes
        24
        """
        return self.size * self.itemsize

    @property
    def storage_size(self) -> int:
        """The whole number of elements that the storage has room for.

        >>> import strided
        >>> strided.inspect(strided.zeros(3, 4)[0]).storage_size
        12
        """
        return self.storage_nbytes // (self.itemsize or 1)

    @property
    def data_ptr(self) -> int:
        """The address of the first element.

        >>> import strided
        >>> x = strided.zeros(4)[2:]
        >>> strided.inspect(x).data_ptr == x.data_ptr()
        True
        """
        return self.storage_ptr + self.byte_offset

    # ---- how it lies ----

    @property
    def contiguous(self) -> bool:
        """Whether the elements lie in row-major order without gaps.

        >>> import strided
        >>> strided.inspect(strided.zeros(2, 3)[:, :1]).contiguous
        False
        """
        return self.why_not_contiguous is None

    @cached_property
    def why_not_contiguous(self) -> str | None:
        """The first axis from the right that spoils row-major order, in words, or None.

        >>> import strided
        >>> strided.inspect(strided.zeros(3, 4)[:, :2]).why_not_contiguous
        'axis 0 steps 4, row-major needs 2'
        """
        strides = self.strides
        if strides is not None:
            return Layout(self.shape, strides).why_not_contiguous()
        said = self.byte_layout.why_not_contiguous()
        return None if said is None else f"{said} bytes"

    @cached_property
    def order(self) -> str:
        """The order of the elements in memory, in words.

        >>> import strided
        >>> x = strided.zeros(2, 3, 4, 5)
        >>> [strided.inspect(v).order for v in (x, x.permute(0, 3, 1, 2), x[..., ::2])]
        ['row-major', 'packed in order (0, 2, 3, 1), channels last', 'row-major with gaps']
        """
        if self.contiguous:
            return "row-major"
        if self.overlaps_itself:
            return "with repeated elements"
        return order_text(self.byte_layout)

    @cached_property
    def overlaps_itself(self) -> bool | None:
        """Whether two elements share a byte; None where that is too hard to decide exactly.

        >>> import strided
        >>> strided.inspect(strided.zeros(5).unfold(0, 3, 1)).overlaps_itself
        True
        """
        try:
            return self._elements.overlaps_itself()
        except OverlapTooHard:
            return None

    @cached_property
    def bytes_used(self) -> int | None:
        """How many different bytes the elements take; None where that is too hard to count.

        >>> import strided
        >>> x = strided.zeros(1000)
        >>> strided.inspect(x[:10]).bytes_used, strided.inspect(x[:10].expand(4, 10)).bytes_used
        (40, 40)
        """
        cells = distinct_positions(self._elements)
        whole = self.strides is not None
        return None if cells is None else cells * self.itemsize if whole else cells

    @property
    def byte_range(self) -> tuple[int, int]:
        """The addresses from the lowest byte reached up to behind the highest; equal when empty.

        >>> import strided
        >>> low, high = strided.inspect(strided.zeros(3, 4)[:, 1]).byte_range
        >>> high - low
        36
        """
        low, high = reached_range(self.byte_layout)
        return self.storage_ptr + low, self.storage_ptr + high

    def shares_block(self, other: LayoutFacts) -> bool:
        """Whether both lie in one block of memory; they may still reach different bytes of it.

        Blocks that have a byte in common are one: no two allocations do.

        >>> import strided
        >>> x = strided.zeros(4)
        >>> strided.inspect(x[:2]).shares_block(strided.inspect(x[2:]))
        True
        """
        if self.device != other.device:
            return False
        if self.bytes_kept_alive == 0 or other.bytes_kept_alive == 0:
            return (self.block_ptr, self.bytes_kept_alive) == (
                other.block_ptr,
                other.bytes_kept_alive,
            )
        ends = (facts.block_ptr + facts.bytes_kept_alive for facts in (self, other))
        return max(self.block_ptr, other.block_ptr) < min(ends)

    # ---- shown ----

    def to_dict(self) -> dict[str, Any]:
        """Return all facts by name, as numbers, texts and lists that JSON can hold.

        >>> import strided
        >>> strided.inspect(strided.zeros(2, 3)).to_dict()["strides"]
        [3, 1]
        """
        made = {name: getattr(self, name) for name in _SHOWN}
        return {name: list(v) if isinstance(v, tuple) else v for name, v in made.items()}

    @property
    def heading(self) -> str:
        """Library, layout and dtype on one line.

        >>> import strided
        >>> strided.inspect(strided.zeros(2, 3)).heading
        'strided (2, 3):(3, 1)+0 float32'
        """
        layout = self.layout
        where = f"{self.shape}:{self.byte_strides}+{self.byte_offset} in bytes,"
        return f"{self.library} {where if layout is None else layout} {self.dtype}".rstrip()

    def rows(self) -> list[tuple[str, str]]:
        """Return what the printed block says, as pairs of a word and a text.

        >>> import strided
        >>> strided.inspect(strided.zeros(2, 3).T).rows()[2]
        ('contiguous', 'no: axis 1 steps 3, row-major needs 1')
        """
        why, used = self.why_not_contiguous, self.bytes_used
        repeats = {True: "elements share memory", False: "none", None: "too hard to decide"}
        offset = "" if self.offset is None else f"{self.offset} elements, "
        return [
            ("strides", _strides_text(self)),
            ("offset", f"{offset}{self.byte_offset} bytes"),
            ("contiguous", "yes" if why is None else f"no: {why}"),
            ("order", self.order),
            ("overlap", repeats[self.overlaps_itself]),
            ("elements", f"{self.size} of {self.itemsize} bytes, {self.nbytes} bytes"),
            (
                "storage",
                f"{self.storage_size} elements, {self.storage_nbytes} bytes at "
                f"0x{self.storage_ptr:x}" + (f" on {self.device}" if self.device != "cpu" else ""),
            ),
            (
                "memory",
                f"uses {'an unknown part' if used is None else used} of "
                f"{self.bytes_kept_alive} bytes kept alive",
            ),
            ("access", "writable" if self.writable else "read-only"),
            ("owner", self.owner),
        ]

    def __str__(self) -> str:
        lines = [f"  {word:<11} {text}" for word, text in self.rows()]
        return "\n".join([self.heading, *lines])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        cell = '<td style="text-align:left;padding:2px 8px">{}</td>'
        body = "".join(
            f"<tr>{cell.format(f'<b>{word}</b>')}{cell.format(html.escape(text))}</tr>"
            for word, text in self.rows()
        )
        return f"<div><code>{html.escape(self.heading)}</code><table>{body}</table></div>"


_SHOWN = (
    "library",
    "shape",
    "strides",
    "byte_strides",
    "offset",
    "byte_offset",
    "dtype",
    "itemsize",
    "size",
    "nbytes",
    "storage_ptr",
    "storage_size",
    "storage_nbytes",
    "data_ptr",
    "contiguous",
    "why_not_contiguous",
    "order",
    "overlaps_itself",
    "bytes_used",
    "bytes_kept_alive",
    "writable",
    "owner",
    "device",
)


def _strides_text(facts: LayoutFacts) -> str:
    if facts.strides is None:
        return f"{facts.byte_strides} bytes, no whole number of {facts.itemsize}-byte elements"
    return f"{facts.strides} elements, {facts.byte_strides} bytes"


# ---- in words ----


def order_text(layout: Layout) -> str:
    """Return the order of a layout of bytes, whose last axis runs through one element.

    The layout is neither contiguous nor self-overlapping: those are asked before.

    >>> import strided
    >>> from strided.inspect.facts import order_text
    >>> order_text(strided.Layout((2, 3, 4), (-4, 24, 1), 4))
    'column-major with gaps, axis 0 reversed'
    """
    rank = layout.rank - 1
    axes = tuple(axis for axis in layout.memory_order() if axis < rank)
    stepped = [axis for axis in axes if layout.shape[axis] > 1]
    packed = layout.is_packed()
    if stepped == sorted(stepped):
        said = "row-major"
    elif stepped == sorted(stepped, reverse=True):
        said = "column-major"
    else:
        said = f"packed in order {axes}" if packed else f"in order {axes}"
    if not packed:
        said += " with gaps"
    elif axes == (0, 2, 3, 1):
        said += ", channels last"
    backwards = [f"axis {axis} reversed" for axis in sorted(stepped) if layout.strides[axis] < 0]
    return ", ".join([said, *backwards])
