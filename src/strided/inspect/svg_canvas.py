"""The page that pictures are drawn on: elements with a style for light and for dark.

Colours are those of Okabe and Ito, told apart by colour-blind eyes too; dark follows the viewer's
setting. The rules reach nothing outside, so that many pictures may stand on one page.
"""

from __future__ import annotations

from html import escape

MARGIN = 16
LETTER = 7.4  # width of a letter at 12 pixels
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#b8a900")
_DARK = ("#4aa8e0", "#f0b429", "#2cc69b", "#ff7f3f", "#e39ac4", "#8fd3ff", "#f0e442")


class Canvas:
    """Collects elements, and knows how far they reach.

    >>> from strided.inspect.svg_canvas import Canvas
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
        """Make room up to here."""
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

    def document(self) -> str:
        """Return everything with a page around it."""
        wide, high = self.right + MARGIN, self.y + MARGIN
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="sd" width="{wide:g}" '
            f'height="{high:g}" viewBox="0 0 {wide:g} {high:g}" role="img" '
            f'aria-label="tensors and their storage"><style>{_STYLE}</style>'
            f'<rect class="sd-page" x="0.5" y="0.5" width="{wide - 1:g}" height="{high - 1:g}" '
            f'rx="8"/>{"".join(self.parts)}</svg>'
        )


def safe(text: str) -> str:
    """Return a text as XML may hold it; what cannot be printed becomes a question mark.

    >>> from strided.inspect.svg_canvas import safe
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
    "@media (prefers-color-scheme:dark){"
    ".sd text{fill:#e6edf3}.sd text.sd-quiet,.sd text.sd-index{fill:#9198a1}"
    ".sd .sd-page{fill:#0d1117;stroke:#3d444d}.sd .sd-gap{stroke:#59636e}"
    ".sd .sd-both{stroke:#9198a1}" + _rules(_DARK) + ".sd .sd-arrow{fill:none}"
    ".sd .sd-dot{stroke:none}}"
)
