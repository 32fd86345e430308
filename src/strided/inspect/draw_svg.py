"""Drawings as SVG: strips with marks and arrows above, grids below.

Every cell carries what it stands for (``data-cell``, ``data-tensor``, ``data-index``) and says it
when pointed at. No label is placed where another may be: each has its own line.
"""

from __future__ import annotations

import base64
import re
from html import escape

from strided.inspect.drawing import axes_text, item_text, times_text, title_of
from strided.inspect.storage_picture import MANY, UNKNOWN, Arrow, Gap, Panel, Shown, Strip

MARGIN = 16
LETTER = 7.4  # width of a letter at 12 pixels
# Those of Okabe and Ito, told apart by colour-blind eyes too.
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#b8a900")
_DARK = ("#4aa8e0", "#f0b429", "#2cc69b", "#ff7f3f", "#e39ac4", "#8fd3ff", "#f0e442")


_HIGH, _LANE, _BAR = 26, 20, 13
_WIDEST = 820


def svg_of(strips: tuple[Strip, ...], said: str = "", theme: str = "auto") -> str:
    """Return a complete SVG document; ``said`` is what it shows, for those who do not see it.

    ``theme`` is light, dark, or auto: the viewer's setting.

    >>> import strided
    >>> from strided.inspect.storage_picture import picture_of
    >>> svg_of(picture_of([("", strided.inspect(strided.zeros(3)))])).count('class="sd-item')
    3
    """
    canvas = Canvas()
    number = 0
    for place, strip in enumerate(strips):
        if place:
            canvas.down(14)
        _draw_strip(canvas, strip, number)
        number += len(strip.tensors)
    return canvas.document(said, theme)


_UNSEEN = re.compile(r'<title>.*?</title>| data-\w+="[^"]*"', re.DOTALL)


def image_of(svg: str, said: str) -> str:
    """Return an SVG as an image element, which stays where inline SVG is taken out.

    Notebooks that are not trusted keep images with their data. What only an inline picture shows
    (names under the pointer) is left out.

    >>> image_of("<svg/>", "nothing")
    '<img alt="nothing" src="data:image/svg+xml;base64,PHN2Zy8+"/>'
    """
    data = base64.b64encode(_UNSEEN.sub("", svg).encode()).decode()
    return f'<img alt="{safe(said)}" src="data:image/svg+xml;base64,{data}"/>'


# ---- the strip ----


def _draw_strip(canvas: Canvas, strip: Strip, number: int) -> None:
    canvas.down(12)
    canvas.text(MARGIN, canvas.y, strip.heading, "sd-quiet")
    canvas.down(10)
    names = max(LETTER * len(t.name) + 14 for t in strip.tensors)
    left = MARGIN + (names if len(strip.tensors) > 1 else 0)
    for line in _lines(strip, _WIDEST - left) if strip.cells else ():
        _draw_line(canvas, strip, line, left, number)
        canvas.down(10)
    _draw_tensors(canvas, strip, number)


def _cell_width(strip: Strip) -> float:
    digits = max(2, len(str(max(strip.total - 1, 0))))
    return max(30.0, digits * 7.5 + 10)


def _gap_width(gap: Gap) -> float:
    return len(f"⋯ {gap.count} ⋯") * 7.5 + 8


def _lines(strip: Strip, room: float) -> list[list[tuple[float, int | Gap]]]:
    """Return the cells with their distance from the left, broken into lines that fit.

    Strips that are shown whole break at even lengths, so that columns can be compared.
    """
    width = _cell_width(strip)
    most = max(4, int(room // width))
    whole = not any(isinstance(cell, Gap) for cell in strip.cells)
    if whole and len(strip.cells) > most:
        most = next((n for n in (24, 20, 16, 12, 8) if n <= most), most)
    lines: list[list[tuple[float, int | Gap]]] = [[]]
    x = 0.0
    for cell in strip.cells:
        wide = _gap_width(cell) if isinstance(cell, Gap) else width
        if lines[-1] and (x + wide > room or (whole and len(lines[-1]) == most)):
            lines.append([])
            x = 0.0
        lines[-1].append((x, cell))
        x += wide
    return lines


def _draw_line(
    canvas: Canvas, strip: Strip, line: list[tuple[float, int | Gap]], left: float, number: int
) -> None:
    width = _cell_width(strip)
    middles = {cell: left + x + width / 2 for x, cell in line if isinstance(cell, int)}
    for i, tensor in enumerate(strip.tensors):
        for arrow in tensor.arrows:
            if arrow.start in middles:
                _draw_arrow(canvas, tensor, arrow, middles, colour_of(number + i))
    canvas.down(4)
    top = canvas.y
    for x, cell in line:
        if isinstance(cell, Gap):
            canvas.text(left + x + 6, top + 17, f"⋯ {cell.count} ⋯", "sd-quiet")
            canvas.reach(left + x + _gap_width(cell))
        else:
            _draw_cell(canvas, strip, cell, left + x, top, number)
    canvas.down(_HIGH)
    _draw_uses(canvas, strip, middles, number)


def _draw_cell(canvas: Canvas, strip: Strip, cell: int, x: float, top: float, number: int) -> None:
    width = _cell_width(strip)
    users = [i for i, tensor in enumerate(strip.tensors) if cell in tensor.uses]
    kind = "sd-gap" if not users else "sd-both"
    if len(users) == 1:
        kind = f"sd-used {colour_of(number + users[0])}"
    said = ", ".join(
        f"{strip.tensors[i].name or 'tensor'} {_times(strip.tensors[i].uses[cell])}" for i in users
    )
    canvas.add(
        f'<g class="sd-cell" data-cell="{cell}"><title>cell {cell}: '
        f"{safe(said or 'not used')}</title>"
        f'<rect x="{x + 1:g}" y="{top:g}" width="{width - 2:g}" height="{_HIGH}" rx="3" '
        f'class="{kind}"/>'
    )
    canvas.text(x + width / 2, top + 17, str(cell), "" if users else "sd-quiet", "middle")
    canvas.add("</g>")
    canvas.reach(x + width)


def _times(count: int) -> str:
    return {MANY: "some times", UNKNOWN: "perhaps", 1: "once"}.get(count, f"{count} times")


def _draw_uses(canvas: Canvas, strip: Strip, middles: dict[int, float], number: int) -> None:
    """Draw a bar per tensor below its cells, or only the repeats where there is one tensor."""
    width = _cell_width(strip)
    several = len(strip.tensors) > 1
    for i, tensor in enumerate(strip.tensors):
        shown = {cell: tensor.uses[cell] for cell in middles if cell in tensor.uses}
        if not several and all(count == 1 for count in shown.values()):
            continue
        canvas.down(3)
        if several:
            canvas.text(MARGIN, canvas.y + 10.5, tensor.name, "sd-name")
        for cell, count in shown.items():
            x = middles[cell]
            if several:
                canvas.add(
                    f'<rect x="{x - width / 2 + 1:g}" y="{canvas.y:g}" width="{width - 2:g}" '
                    f'height="{_BAR}" rx="2" class="sd-used {colour_of(number + i)}"/>'
                )
            if count != 1:
                canvas.text(x, canvas.y + 10.5, times_text(count), "sd-small", "middle")
        canvas.down(_BAR)


def _draw_arrow(
    canvas: Canvas, tensor: Shown, arrow: Arrow, middles: dict[int, float], colour: str
) -> None:
    """Draw one step on a line of its own, with its label behind it."""
    y = canvas.y + _LANE / 2
    start = middles[arrow.start]
    name = f"{tensor.name} axis {arrow.axis}: {arrow.step}".strip()
    if arrow.end == arrow.start:
        canvas.add(
            f'<path class="sd-arrow {colour}" d="M{start - 4:g} {y + 6:g} '
            f'C{start - 14:g} {y - 10:g} {start + 14:g} {y - 10:g} {start + 4:g} {y + 4:g}"/>'
        )
        head, behind = _head(start + 4, y + 6, 0), start + 14
    else:
        way = 1 if arrow.end > arrow.start else -1
        edge = max(middles.values()) + 12 if way > 0 else min(middles.values()) - 12
        tip = middles.get(arrow.end, edge)
        if arrow.end not in middles:
            name += f", to cell {arrow.end}"
        canvas.add(
            f'<path class="sd-arrow {colour}" d="M{start:g} {y:g}H{tip - 5 * way:g}"/>'
            f'<circle class="sd-dot {colour}" cx="{start:g}" cy="{y:g}" r="3"/>'
        )
        head, behind = _head(tip, y, way), max(start, tip)
    canvas.add(f'<path class="sd-dot {colour}" d="{head}"/>')
    canvas.text(behind + 10, y + 4, name, "sd-label")
    canvas.down(_LANE)


def _head(x: float, y: float, way: int) -> str:
    """Return an arrow head with its tip at (x, y), pointing along the strip, or down for 0."""
    if way == 0:
        return f"M{x:g} {y + 2:g}L{x - 4:g} {y - 5:g}H{x + 4:g}Z"
    return f"M{x:g} {y:g}L{x - 8 * way:g} {y - 4:g}V{y + 4:g}Z"


# ---- the grids ----


def _draw_tensors(canvas: Canvas, strip: Strip, number: int) -> None:
    """Draw the grids of all tensors, side by side where they fit."""
    x, top, bottom = float(MARGIN), canvas.y, canvas.y
    for i, tensor in enumerate(strip.tensors):
        wide = _tensor_width(tensor)
        if x > MARGIN and x + wide > _WIDEST:
            x, top = float(MARGIN), bottom
        canvas.y = top
        _draw_tensor(canvas, tensor, x, colour_of(number + i))
        bottom = max(bottom, canvas.y)
        x += wide + 28
    canvas.y = bottom


def _tensor_width(tensor: Shown) -> float:
    texts = max(len(title_of(tensor)), len(axes_text(tensor)))
    panels = sum(_panel_size(panel, tensor)[0] + 18 for panel in tensor.panels) - 18
    return max(18 + texts * LETTER, panels)


def _draw_tensor(canvas: Canvas, tensor: Shown, left: float, colour: str) -> None:
    canvas.down(22)
    canvas.add(
        f'<rect class="sd-dot {colour}" x="{left:g}" y="{canvas.y - 10:g}" width="11" '
        f'height="11" rx="2"/>'
    )
    canvas.text(left + 18, canvas.y, title_of(tensor), "sd-name")
    axes = axes_text(tensor) if tensor.panels else "no elements"
    if axes:
        canvas.down(17)
        canvas.text(left + 18, canvas.y, axes, "sd-quiet")
    canvas.down(6)
    x, bottom, high = left, canvas.y, 0.0
    for panel in tensor.panels:
        wide, tall = _panel_size(panel, tensor)
        if x > left and x + wide > _WIDEST:
            x, canvas.y = left, bottom + 4
        if panel is None:
            canvas.text(x + 6, canvas.y + max(high, 40) / 2, "⋯", "sd-quiet")
        else:
            _draw_panel(canvas, panel, tensor, x, colour)
            high = tall
        bottom = max(bottom, canvas.y + tall)
        x += wide + 18
    canvas.y = bottom


def _item_width(panel: Panel) -> float:
    longest = max((len(item_text(item)) for row in panel.items for item in row), default=1)
    return max(30.0, longest * 7.5 + 10)


def _panel_size(panel: Panel | None, tensor: Shown) -> tuple[float, float]:
    if panel is None:  # left out: space for an ellipsis
        return 20, 30
    wide = 34 + _item_width(panel) * len(panel.columns)
    if panel.prefix:
        wide = max(wide, 34 + LETTER * (len(_prefix_text(panel)) + 1))
    heads = (18 if panel.prefix else 0) + (18 if tensor.facts.shape else 4)
    return wide, heads + _HIGH * len(panel.rows) + 2


def _prefix_text(panel: Panel) -> str:
    return f"[{', '.join(map(str, panel.prefix))}, :, :]"


def _draw_panel(canvas: Canvas, panel: Panel, tensor: Shown, x: float, colour: str) -> None:
    rank = len(tensor.facts.shape)
    width, left, top = _item_width(panel), x + 34, canvas.y
    if panel.prefix:
        canvas.text(left + 2, top + 14, _prefix_text(panel), "sd-label")
        top += 18
    if rank:
        for place, j in enumerate(panel.columns):
            middle = left + width * (place + 0.5)
            canvas.text(middle, top + 13, "⋯" if j is None else str(j), "sd-index", "middle")
    top += 18 if rank else 4
    for line, (i, row) in enumerate(zip(panel.rows, panel.items, strict=True)):
        y = top + _HIGH * line
        if rank > 1:
            canvas.text(left - 8, y + 17, "⋮" if i is None else str(i), "sd-index", "end")
        for place, item in enumerate(row):
            middle = left + width * (place + 0.5)
            if item is None:
                canvas.text(middle, y + 17, "⋮" if i is None else "⋯", "sd-quiet", "middle")
                continue
            index = ",".join(map(str, item.index))
            said = f"{tensor.name or 'tensor'}[{index or '()'}] is cell {item_text(item)}"
            canvas.add(
                f'<g class="sd-item" data-tensor="{safe(tensor.name)}" data-index="{index}" '
                f'data-cell="{item.first}"><title>{safe(said)}</title>'
                f'<rect x="{middle - width / 2 + 1:g}" y="{y + 1:g}" width="{width - 2:g}" '
                f'height="{_HIGH - 2}" rx="3" class="sd-used {colour}"/>'
            )
            canvas.text(middle, y + 17, item_text(item), "", "middle")
            canvas.add("</g>")
    canvas.reach(left + width * len(panel.columns))


# ---- the page ----
# Elements with a style for light and for dark. Its rules reach nothing outside, so that many
# pictures may stand on one page.


class Canvas:
    """Collects elements, and knows how far they reach.

    >>> from strided.inspect.draw_svg import Canvas
    >>> canvas = Canvas()
    >>> canvas.text(16, 20, "hello")
    >>> canvas.document().count("hello")
    1
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.y = float(MARGIN)
        self.right = 0.0

    def down(self, distance: float) -> None:
        """Go on below."""
        self.y += distance

    def reach(self, x: float) -> None:
        """Make space up to here."""
        self.right = max(self.right, x)

    def add(self, part: str) -> None:
        """Add an element as it is written."""
        self.parts.append(part)

    def text(self, x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> None:
        """Add a text; ``kind`` is its class."""
        if anchor == "start":
            self.reach(x + LETTER * len(text))
        where = "" if anchor == "start" else f' text-anchor="{anchor}"'
        look = f' class="{kind}"' if kind else ""
        self.add(f'<text x="{x:g}" y="{y:g}"{look}{where}>{safe(text)}</text>')

    def document(self, said: str = "", theme: str = "auto") -> str:
        """Return everything with a page around it."""
        wide, high = self.right + MARGIN, self.y + MARGIN
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="sd" width="{wide:g}" '
            f'height="{high:g}" viewBox="0 0 {wide:g} {high:g}" role="img" '
            f'aria-label="{safe(said or "tensors and their storage")}">'
            f"<style>{_STYLE}{THEMES[theme]}</style>"
            f'<rect class="sd-page" x="0.5" y="0.5" width="{wide - 1:g}" height="{high - 1:g}" '
            f'rx="8"/>{"".join(self.parts)}</svg>'
        )


def safe(text: str) -> str:
    """Return a text as XML may hold it; what cannot be printed becomes a question mark.

    >>> from strided.inspect.draw_svg import safe
    >>> safe("<a\\0b>")
    '&lt;a\ufffdb&gt;'
    """
    return escape("".join(letter if letter.isprintable() else "\ufffd" for letter in text))


# ---- colours ----


def colour_of(number: int) -> str:
    """Return the class of the colour of a tensor."""
    return f"sd-c{number % len(_COLOURS)}"


def _rules(colours: tuple[str, ...]) -> str:
    return "".join(f".sd .sd-c{i}{{fill:{c};stroke:{c}}}" for i, c in enumerate(colours))


_STYLE = (
    ".sd text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
    "fill:#1f2328}"
    ".sd text.sd-quiet{fill:#59636e}.sd text.sd-index{fill:#59636e;font-size:11px}"
    ".sd text.sd-name{font-weight:600}.sd text.sd-small{font-size:10px}"
    ".sd .sd-page{fill:#ffffff;stroke:#d1d9e0}"
    ".sd .sd-gap{fill:none;stroke:#9aa4ae;stroke-dasharray:3 3}"
    ".sd .sd-both{fill:#8c959f;fill-opacity:.35;stroke:#59636e}"
    + _rules(_COLOURS)
    + ".sd .sd-used{fill-opacity:.22;stroke-width:1.3}"
    ".sd .sd-arrow{fill:none;stroke-width:1.8}.sd .sd-dot{stroke:none}"
)
_DARK_STYLE = (
    ".sd text{fill:#e6edf3}.sd text.sd-quiet,.sd text.sd-index{fill:#9198a1}"
    ".sd .sd-page{fill:#0d1117;stroke:#3d444d}.sd .sd-gap{stroke:#59636e}"
    ".sd .sd-both{stroke:#9198a1}" + _rules(_DARK) + ".sd .sd-arrow{fill:none}"
    ".sd .sd-dot{stroke:none}"
)
THEMES = {
    "auto": f"@media (prefers-color-scheme:dark){{{_DARK_STYLE}}}",
    "light": "",
    "dark": _DARK_STYLE,
}
