"""Write the pictures of README and docs (``make pictures``); ``--check`` only compares.

The SVGs need nothing but the package. The picture of a notebook is a photograph by a browser
(Chromium, without a window); where there is none it is left as it is.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
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


def notebook_page() -> str:
    """Return two cells of a notebook, as it would show them."""
    code = "font:13px monospace;background:#f5f5f5;border:1px solid #ddd;padding:6px 10px"
    x = st.arange(12).reshape(3, 4)
    shown = [("x.flip(1)", x.flip(1)), ("strided.inspect(x.T)", st.inspect(x.T))]
    cells = "".join(
        f'<div style="{code}">{text}</div><div style="margin:8px 12px">{value._repr_html_()}</div>'
        for text, value in shown
    )
    style = "font:14px sans-serif;margin:16px"
    return f'<!doctype html><meta charset="utf-8"><body style="{style}">{cells}</body>'


def photograph(page: str, path: Path, width: int, height: int) -> bool:
    """Save what a browser shows of a page; False when there is no browser."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if browser is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "page.html"
        source.write_text(page, encoding="utf-8")
        flags = ["--headless", "--no-sandbox", "--hide-scrollbars", "--force-device-scale-factor=1"]
        size = [f"--window-size={width},{height}", f"--screenshot={path}"]
        command = [browser, *flags, *size, source.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
    return True


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
    if "--check" not in sys.argv and not photograph(
        notebook_page(), HOME / "notebook.png", 640, 740
    ):
        print("no Chromium here: docs/images/notebook.png is left as it is")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
