"""Drawing: a picture of memory that terminals print and notebooks show.

What draws is imported when something is drawn: importing the package stays quick.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from strided.errors import InvalidArgument, MissingExtra
from strided.inspect.array_facts import facts_of
from strided.inspect.storage_picture import Limits

if TYPE_CHECKING:
    from strided.inspect.storage_picture import Strip


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
        from strided.inspect.storage_picture import picture_of

        return picture_of(self._tensors, self._limits)

    def text(self, colour: bool = False) -> str:
        """Return the picture as text, in colour with ANSI codes when asked.

        >>> import strided
        >>> strided.draw(strided.arange(3)).text().splitlines()[0]
        'storage of 3 int64 of 8 bytes, 24 bytes'
        """
        from strided.inspect.draw_text import text_of

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
