"""How a tensor shows itself: its layout, its storage, its text, a drawing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strided import _native
from strided._native import Layout, Tensor
from strided.memory import Storage

if TYPE_CHECKING:
    from strided.copies.forecast import CopyForecast
    from strided.inspect.drawing import Drawing
    from strided.inspect.storage_picture import Limits


def _layout(self: Tensor) -> Layout:
    """Shape, strides and offset as a value that can be used without the data.

    >>> import strided
    >>> strided.zeros(3, 4)[1:, ::2].layout
    Layout((2, 2):(4, 2)+4)
    """
    return _native.layout_of(self)


def storage(self: Tensor) -> Storage:
    """Return the flat storage that this tensor is a view of. Shares memory.

    >>> import strided
    >>> x = strided.arange(6).reshape(2, 3)
    >>> x.storage()[5], x.storage().data_ptr() == x[1].storage().data_ptr()
    (5, True)
    """
    return Storage(self)


def debug(self: Tensor) -> None:
    """Print everything about this tensor's memory on a few lines.

    >>> import strided
    >>> strided.zeros(2, 3).T.debug()
    Tensor (3, 2):(1, 3)+0
      dtype       float32, 4 bytes each
      elements    6 (24 bytes)
      contiguous  no: axis 1 steps 3, row-major needs 1
      storage     24 bytes, writable, shared with its base
    """
    why = self.layout.why_not_contiguous()
    shared = "shared with its base" if self.is_view else "own"
    writable = "writable" if self.writable else "read-only"
    print(
        f"Tensor {self.layout}\n"
        f"  dtype       {self.dtype.name}, {self.itemsize} bytes each\n"
        f"  elements    {self.size} ({self.nbytes} bytes)\n"
        f"  contiguous  {'yes' if why is None else f'no: {why}'}\n"
        f"  storage     {self.bytes_kept_alive} bytes, {writable}, {shared}"
    )


def explain_reshape(self: Tensor, *shape: Any) -> CopyForecast:
    """Say whether ``reshape`` would be a view or a copy, why, and what would be cheaper.

    Nothing is copied or computed by asking; the answer is true when it would copy.

    >>> import strided
    >>> print(strided.zeros(3, 4)[:, :2].explain_reshape(6))
    .reshape(6) of (3, 2):(4, 1)+0 float32 copies 24 bytes
      axes 0 and 1 do not step together: stride[0] = 4, length[1] * stride[1] = 2
    >>> bool(strided.zeros(3, 4)[:, :2].explain_reshape(3, 2, 1))
    False
    """
    from strided.copies.forecast import reshape_forecast

    given = shape[0] if len(shape) == 1 and not hasattr(shape[0], "__index__") else shape
    return reshape_forecast(self.layout, self.dtype, tuple(given))


def __format__(self: Tensor, spec: str) -> str:
    """Format a rank-0 tensor as the number it holds, any other as ``str`` does.

    >>> import strided
    >>> f"{strided.tensor(2.5):.2f}"
    '2.50'
    """
    if self.ndim == 0:
        return format(self.item(), spec)
    return format(str(self), spec)


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


METHODS: dict[str, Any] = {
    "layout": property(_layout),
    "storage": storage,
    "debug": debug,
    "explain_reshape": explain_reshape,
    "draw": draw,
    "_repr_html_": _repr_html_,
    "__format__": __format__,
}
