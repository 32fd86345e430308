"""Write the drawings of README and docs (``make pictures``); ``--check`` only compares.

They need nothing but the package; tools/screenshots.py takes what a browser shows.
"""

from __future__ import annotations

import doctest
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import strided as st

DOCS = Path(__file__).resolve().parents[1] / "docs"
HOME = DOCS / "images"


def _views() -> st.Drawing:
    x = st.arange(24).reshape(2, 3, 4)
    return x[:, ::2].flip(2).draw()


def _together() -> st.Drawing:
    x = st.arange(12).reshape(3, 4)
    return st.draw(x.T, x[1:, ::2], x[0].expand(2, 4), names=["x.T", "x[1:, ::2]", "repeated"])


def _fields() -> st.Drawing:
    packets = np.zeros(3, dtype=[("flag", "u1"), ("value", "f4")])
    return st.draw(packets["value"], packets["flag"], names=["value", "flag"])


PICTURES: dict[str, Callable[[], st.Drawing]] = {
    "views": _views,
    "together": _together,
    "fields": _fields,
}


def _gallery() -> dict[str, st.Drawing]:
    """Run docs/gallery.md and return the drawings that it names."""
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    names: dict[str, object] = {}
    for example in doctest.DocTestParser().get_examples(page.replace("```", "")):
        exec(example.source, names)
    return {name: value for name, value in names.items() if isinstance(value, st.Drawing)}


def main() -> int:
    """Write the pictures, or say which of them are out of date."""
    pictures = {name: make() for name, make in PICTURES.items()}
    pictures |= {f"gallery/{name}": drawing for name, drawing in _gallery().items()}
    stale = 0
    for name, drawing in pictures.items():
        path, svg = HOME / f"{name}.svg", drawing.svg() + "\n"
        if "--check" not in sys.argv:
            path.parent.mkdir(exist_ok=True)
            path.write_text(svg, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != svg:
            stale += 1
            print(f"{path} is out of date: run tools/make_pictures.py (make pictures)")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
