"""Drawing: a picture of memory that terminals print and notebooks show; pictures as text.

The SVG is made by ``draw_svg``, which is imported when one is wanted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

from strided.errors import InvalidArgument, MissingExtra
from strided.inspect.array_facts import facts_of
from strided.inspect.storage_picture import (
    MANY,
    UNKNOWN,
    Arrow,
    Gap,
    Item,
    Limits,
    Panel,
    Shown,
    Strip,
    picture_of,
)

_LINE = 72  # columns of a strip, its labels not counted
# 256-colour numbers near the colours of the SVG.
_CODES = (32, 214, 36, 166, 175, 74, 227)


class Drawing:
    """A picture of tensors and the storages they look at; made by ``strided.draw``.

    Prints as text, shows itself as SVG in notebooks, and saves itself as either.

    >>> import strided
    >>> print(strided.zeros(2, 3).T.draw())
    storage of 6 float32 of 4 bytes, 24 bytes
    <BLANKLINE>
                0  1  2  3  4  5
                ■  ■  ■  ■  ■  ■
      axis 0    o──→              +1
      axis 1    o────────→        +3
    <BLANKLINE>
    strided (3, 2):(1, 3)+0 float32
      ↓ axis 0: +1 · → axis 1: +3
                 0  1
            0 │  0  3
            1 │  1  4
            2 │  2  5
    """

    def __init__(self, arrays: Sequence[Any], names: Sequence[str], limits: Limits) -> None:
        self._tensors = [
            (name, facts_of(x, operation="draw")) for name, x in zip(names, arrays, strict=True)
        ]
        self._limits = limits

    @cached_property
    def strips(self) -> tuple[Strip, ...]:
        """What is drawn, as values: one strip a storage, with its cells, tensors and grids.

        >>> import strided
        >>> strip = strided.draw(strided.arange(6)[::2]).strips[0]
        >>> strip.cells, strip.tensors[0].uses
        ((0, 1, 2, 3, 4, 5), {0: 1, 2: 1, 4: 1})
        """
        return picture_of(self._tensors, self._limits)

    def text(self, colour: bool = False) -> str:
        """Return the picture as text, in colour with ANSI codes when asked.

        >>> import strided
        >>> strided.draw(strided.arange(3)).text().splitlines()[0]
        'storage of 3 int64 of 8 bytes, 24 bytes'
        """
        return text_of(self.strips, colour)

    def svg(self) -> str:
        """Return the picture as SVG, which follows the viewer's light or dark setting.

        >>> import strided
        >>> strided.draw(strided.arange(3)).svg()[:4]
        '<svg'
        """
        from strided.inspect.draw_svg import svg_of

        return svg_of(self.strips)

    def png(self, scale: float = 2.0) -> bytes:
        """Return the picture as PNG, in light colours; needs ``pip install "strided[pictures]"``.

        >>> import strided
        >>> try:
        ...     start = strided.draw(strided.arange(3)).png()[1:4]
        ... except strided.MissingExtra as error:
        ...     assert error.extra == "pictures"
        """
        try:
            import cairosvg  # type: ignore[import-not-found, import-untyped, unused-ignore]
        except ImportError as error:
            raise MissingExtra(
                operation="a drawing as PNG", package="cairosvg", extra="pictures"
            ) from error
        made: bytes = cairosvg.svg2png(bytestring=self.svg().encode(), scale=scale)
        return made

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a .svg, .txt or .png file.

        >>> import pathlib, strided, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "x.svg"
        >>> strided.draw(strided.arange(3)).save(path)
        >>> path.read_text(encoding="utf-8")[:4]
        '<svg'
        """
        makers: dict[str, Callable[[], bytes]] = {
            ".svg": lambda: self.svg().encode(),
            ".txt": lambda: f"{self.text()}\n".encode(),
            ".png": self.png,
        }
        ending = os.path.splitext(os.fspath(path))[1].lower()
        if ending not in makers:
            raise InvalidArgument(
                argument="path",
                got=repr(os.fspath(path)),
                requirement=f"must end in one of {', '.join(makers)}",
            )
        content = makers[ending]()
        with open(path, "wb") as file:
            file.write(content)

    def show(self, colour: bool | None = None) -> None:
        """Print the picture, in colour on a terminal or when asked; NO_COLOR is heeded.

        >>> import strided
        >>> strided.draw(strided.tensor(5)).show(colour=False)
        storage of 1 int64 of 8 bytes, 8 bytes
        <BLANKLINE>
                    0
                    ■
        <BLANKLINE>
        strided ():()+0 int64
                  │  0
        """
        if colour is None:
            colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        print(self.text(colour))

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Drawing of {', '.join(facts.heading for _, facts in self._tensors)}"


def draw(*arrays: Any, names: Sequence[str] | None = None, limits: Limits | None = None) -> Drawing:
    """Return a picture of arrays of any library: their storage cells, and which element is which.

    Arrays over one storage are drawn together, each in a colour of its own. Long ones leave out
    their middle; ``limits`` says from where on. Reads no element, copies nothing.

    >>> import strided
    >>> x = strided.arange(6)
    >>> print(strided.draw(x[:4], x[2:], names=["head", "tail"]))
    storage of 6 int64 of 8 bytes, 48 bytes
    <BLANKLINE>
                   0  1  2  3  4  5
      head         ■  ■  ■  ■  ·  ·
      tail         ·  ·  ■  ■  ■  ■
      head axis 0  o──→              +1
      tail axis 0        o──→        +1
    <BLANKLINE>
    head: strided (4,):(1,)+0 int64
      → axis 0: +1
                 0  1  2  3
              │  0  1  2  3
    <BLANKLINE>
    tail: strided (4,):(1,)+2 int64
      → axis 0: +1
                 0  1  2  3
              │  2  3  4  5
    """
    if not arrays:
        raise InvalidArgument(argument="arrays", got="nothing", requirement="must be one or more")
    if names is None:
        names = [""] if len(arrays) == 1 else [_letter(i) for i in range(len(arrays))]
    if len(names) != len(arrays):
        raise InvalidArgument(
            argument="names", got=f"{len(names)} names", requirement=f"must be {len(arrays)}"
        )
    return Drawing(arrays, [str(name) for name in names], limits or Limits())


def _letter(i: int) -> str:
    letter = chr(ord("a") + i % 26)
    return letter if i < 26 else f"{letter}{i // 26}"


# ---- drawings as text: the strip with its marks and arrows, then the grids ----


def text_of(strips: tuple[Strip, ...], colour: bool = False) -> str:
    """Return the picture as lines of text, in colour with ANSI codes when asked.

    >>> import strided
    >>> from strided.inspect.drawing import text_of
    >>> from strided.inspect.storage_picture import picture_of
    >>> print(text_of(picture_of([("", strided.inspect(strided.Layout((2, 2), (1, 3))))])))
    storage of 5 elements
    <BLANKLINE>
                0  1  2  3  4
                ■  ■  ·  ■  ■
      axis 0    o──→           +1
      axis 1    o────────→     +3
    <BLANKLINE>
    layout (2, 2):(1, 3)+0
      ↓ axis 0: +1 · → axis 1: +3
                 0  1
            0 │  0  3
            1 │  1  4
    """
    blocks: list[str] = []
    number = 0
    for strip in strips:
        paints = [_Paint(number + i if colour else None) for i in range(len(strip.tensors))]
        number += len(strip.tensors)
        blocks.append("\n".join([strip.heading, "", *_strip_lines(strip, paints)]))
        for tensor, paint in zip(strip.tensors, paints, strict=True):
            blocks.append("\n".join(_tensor_lines(tensor, paint)))
    return "\n\n".join(blocks)


class _Paint:
    """Puts a tensor's colour around a text; without a number it changes nothing."""

    def __init__(self, number: int | None) -> None:
        self.code = None if number is None else _CODES[number % len(_CODES)]

    def __call__(self, text: str) -> str:
        return text if self.code is None else f"\x1b[38;5;{self.code}m{text}\x1b[0m"


# ---- the strip ----


def _strip_lines(strip: Strip, paints: list[_Paint]) -> Iterator[str]:
    """Yield the cells in lines that fit, below each the marks and arrows of the tensors."""
    marks = [_mark(n) for tensor in strip.tensors for n in tensor.uses.values()]
    width = max(2, len(str(strip.total - 1)), *map(len, marks), 0) + 1
    label = max(len(_arrow_label(t, arrow)) for t in strip.tensors for arrow in (None, *t.arrows))
    label = max(label, 8)
    for n, line in enumerate(_broken(strip.cells, width)):
        if n:
            yield ""
        yield _joined("", [_cell_text(cell) for cell, _ in line], line, label)
        cells = {cell: end for cell, end in line if isinstance(cell, int)}
        for tensor, paint in zip(strip.tensors, paints, strict=True):
            row = [_mark(tensor.uses.get(c, 0)) if isinstance(c, int) else "" for c, _ in line]
            yield _joined(tensor.name, row, line, label, paint)
        for tensor, paint in zip(strip.tensors, paints, strict=True):
            for arrow in tensor.arrows:
                if arrow.start in cells:
                    drawn = _arrow_line(arrow, cells, line[-1][1])
                    yield f"  {_arrow_label(tensor, arrow):<{label}}{paint(drawn)}".rstrip()


_Line = list[tuple[int | Gap, int]]  # cells, and the column of the last letter of each


def _broken(cells: tuple[int | Gap, ...], width: int) -> Iterator[_Line]:
    line: _Line = []
    for cell in cells:
        wide = len(_cell_text(cell)) + 2 if isinstance(cell, Gap) else width
        end = (line[-1][1] if line else -1) + wide
        if line and end >= _LINE:
            yield line
            line, end = [], wide - 1
        line.append((cell, end))
    if line:
        yield line


def _cell_text(cell: int | Gap) -> str:
    return f"⋯{cell.count}⋯" if isinstance(cell, Gap) else str(cell)


def _mark(count: int) -> str:
    return {0: "·", 1: "■"}.get(count) or times_text(count)


def _joined(
    name: str, parts: list[str], line: _Line, label: int, paint: _Paint | None = None
) -> str:
    ends = [-1, *(end for _, end in line)]
    row = "".join(f"{part:>{ends[i + 1] - ends[i]}}" for i, part in enumerate(parts))
    return f"  {name:<{label}}{paint(row) if paint else row}".rstrip()


def _arrow_label(tensor: Shown, arrow: Arrow | None) -> str:
    if arrow is None:
        return tensor.name
    return f"{tensor.name} axis {arrow.axis}".strip()


def _arrow_line(arrow: Arrow, cells: dict[int, int], last: int) -> str:
    """Return the arrow from the last column of one cell to that of the other, then its step."""
    start = cells[arrow.start]
    line = [" "] * (last + 1)
    step = arrow.step
    if arrow.end == arrow.start:
        line[start] = "↺"
    else:
        forward = arrow.end > arrow.start
        if arrow.end in cells:
            stop = cells[arrow.end]
        else:
            stop = last if forward else 0
            step += f", to cell {arrow.end}"
        for k in range(min(start, stop), max(start, stop) + 1):
            line[k] = "─"
        line[stop] = "→" if forward else "←"
        line[start] = "o"
    return f"{''.join(line)}  {step}"


# ---- the grids ----


def _tensor_lines(tensor: Shown, paint: _Paint) -> Iterator[str]:
    yield paint(title_of(tensor))
    axes = axes_text(tensor)
    if axes:
        yield f"  {axes}"
    if not tensor.panels:
        yield "  no elements"
    for panel in tensor.panels:
        if panel is None:
            yield "  ⋯"
            continue
        if panel.prefix:
            yield f"  [{', '.join(map(str, panel.prefix))}, :, :]"
        yield from _panel_lines(panel, len(tensor.facts.shape), paint)


def _panel_lines(panel: Panel, rank: int, paint: _Paint) -> Iterator[str]:
    heads = ["⋯" if j is None else str(j) for j in panel.columns]
    grid = [[item_text(item) for item in row] for row in panel.items]
    width = max([1, *(len(t) for t in heads), *(len(t) for row in grid for t in row)]) + 2
    if rank:
        yield " " * 11 + "".join(f"{t:>{width}}" for t in heads)
    for i, row in zip(panel.rows, grid, strict=True):
        side = "" if rank < 2 else "⋮" if i is None else str(i)
        yield f"{side:>9} │" + paint("".join(f"{t:>{width}}" for t in row))


def item_text(item: Item | None) -> str:
    """Return the cells of an element as a picture names them."""
    if item is None:
        return "⋯"
    return str(item.first) if item.first == item.last else f"{item.first}-{item.last}"


def times_text(count: int) -> str:
    """Return how often a cell is used, where that is not once."""
    return {MANY: "×n", UNKNOWN: "?"}.get(count, f"×{count}")


def title_of(tensor: Shown) -> str:
    """Return the name of a tensor in front of its layout."""
    return f"{tensor.name}: {tensor.facts.heading}" if tensor.name else tensor.facts.heading


def axes_text(tensor: Shown) -> str:
    """Return the axes of a tensor with the steps they take, those of the grid with an arrow."""
    rank = len(tensor.facts.shape)
    signs = {rank - 1: "→ ", rank - 2: "↓ "}
    steps = {arrow.axis: arrow.step for arrow in tensor.arrows}
    said = [
        f"{signs.get(axis, '')}axis {axis}: {steps.get(axis, f'length {length}')}"
        for axis, length in enumerate(tensor.facts.shape)
    ]
    return " · ".join(said)
