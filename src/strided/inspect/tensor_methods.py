"""Drawings as methods of the native type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strided._native import Tensor

if TYPE_CHECKING:
    from strided.inspect.drawing import Drawing
    from strided.inspect.storage_picture import Limits


def draw(self: Tensor, *, limits: Limits | None = None) -> Drawing:
    """Return a picture of this tensor's storage, and of which element is which cell of it.

    Nothing is read or copied. ``limits`` says how much is shown before the middle is left out;
    ``strided.draw(a, b)`` draws several tensors together.

    >>> import strided
    >>> print(strided.arange(6)[4::-2].draw())
    storage of 6 int64 of 8 bytes, 48 bytes
    <BLANKLINE>
                0  1  2  3  4  5
                ■  ·  ■  ·  ■  ·
      axis 0          ←─────o     -2
    <BLANKLINE>
    strided (3,):(-2,)+4 int64
      → axis 0: -2
                 0  1  2
              │  4  2  0
    """
    from strided.inspect.drawing import draw as draw_arrays

    return draw_arrays(self, limits=limits)


def _repr_html_(self: Tensor) -> str:
    """Return what notebooks show: the values, the layout and a small picture.

    >>> import strided
    >>> "(3,):(1,)+0" in strided.arange(3)._repr_html_()
    True
    """
    import html

    from strided.inspect.array_facts import facts_of
    from strided.inspect.drawing import draw as draw_arrays
    from strided.inspect.storage_picture import Limits

    facts = facts_of(self)
    why = facts.why_not_contiguous
    said = "contiguous" if why is None else f"not contiguous: {why}"
    small = Limits(cells=24, rows=4, columns=8, panels=3)
    picture = draw_arrays(self, limits=small).svg()
    return (
        f"<div><pre>{html.escape(repr(self))}</pre>"
        f"<div><code>{html.escape(facts.heading)}</code> {html.escape(said)}</div>{picture}</div>"
    )


METHODS: dict[str, Any] = {"draw": draw, "_repr_html_": _repr_html_}
