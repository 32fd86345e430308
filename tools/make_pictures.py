"""Write the drawings of README and docs (``make pictures``); ``--check`` only compares.

They need nothing but the package; tools/screenshots.py takes what a browser shows.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import strided as st

HOME = Path(__file__).resolve().parents[1] / "docs" / "images"


def _views() -> st.Drawing:
    x = st.arange(24).reshape(2, 3, 4)
    return x[:, ::2].flip(2).draw()


def _together() -> st.Drawing:
    x = st.arange(12).reshape(3, 4)
    return st.draw(x.T, x[1:, ::2], x[0].expand(2, 4), names=["x.T", "x[1:, ::2]", "repeated"])


def _windows() -> st.Drawing:
    return st.arange(8).unfold(0, 3, 1).draw()


def _large() -> st.Drawing:
    return st.zeros(1000, 1000)[:, ::2].draw()


def _fields() -> st.Drawing:
    packets = np.zeros(3, dtype=[("flag", "u1"), ("value", "f4")])
    return st.draw(packets["value"], packets["flag"], names=["value", "flag"])


PICTURES: dict[str, Callable[[], st.Drawing]] = {
    "views": _views,
    "together": _together,
    "windows": _windows,
    "large": _large,
    "fields": _fields,
}


def main() -> int:
    """Write the pictures, or say which of them are out of date."""
    stale = 0
    for name, make in PICTURES.items():
        path, svg = HOME / f"{name}.svg", make().svg() + "\n"
        if "--check" not in sys.argv:
            path.write_text(svg, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != svg:
            stale += 1
            print(f"{path} is out of date: run tools/make_pictures.py (make pictures)")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
