"""Write ``docs/numpy-names.md``: which of NumPy's names there are, which are left out on purpose.

``--check`` compares. A name that is neither is missing, and listed as such.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import strided
from strided import random
from strided.lib import stride_tricks
from strided.ops import left_out_of_numpy

FILE = Path(__file__).resolve().parents[1] / "docs" / "numpy-names.md"
HEAD = """# NumPy's names

Every public name of NumPy {version}: whether it is here under the same name, or left out on
purpose, and what to write then. Written by `tools/surface.py`; a test compares.
[From NumPy](from-numpy.md) says what differs.
"""


class Namespace(NamedTuple):
    """A namespace of NumPy beside ours."""

    title: str
    theirs: Any
    ours: Any
    left_out: dict[str, str]


_ABOUT_NUMPY = {"test": "it is about NumPy itself"}
NAMESPACES = (
    Namespace("numpy", np, strided, left_out_of_numpy.LEFT_OUT),
    Namespace("numpy.ndarray", np.ndarray, strided.Tensor, left_out_of_numpy.LEFT_OUT_OF_TENSOR),
    Namespace("numpy.linalg", np.linalg, strided.linalg, _ABOUT_NUMPY),
    Namespace("numpy.fft", np.fft, strided.fft, _ABOUT_NUMPY),
    Namespace("numpy.random", np.random, random, random.LEFT_OUT),
    Namespace("numpy.random.Generator", np.random.Generator, random.Generator, {}),
    Namespace("numpy.lib.stride_tricks", np.lib.stride_tricks, stride_tricks, {}),
)


def public(owner: Any) -> list[str]:
    """Return the public names of a namespace, in order."""
    if owner is np.lib.stride_tricks:
        # The documented ones; NumPy's module has others that it imports for itself.
        names = "as_strided broadcast_arrays broadcast_shapes broadcast_to sliding_window_view"
        return [name for name in names.split() if hasattr(owner, name)]
    return sorted(name for name in dir(owner) if not name.startswith("_"))


def sorted_out(one: Namespace) -> tuple[list[str], list[str], list[str]]:
    """Return the names that are here, those left out, those missing."""
    names = public(one.theirs)
    have = [name for name in names if hasattr(one.ours, name)]
    rest = [name for name in names if name not in have]
    left_out = [name for name in rest if name in one.left_out]
    return have, left_out, [name for name in rest if name not in one.left_out]


def listed(names: list[str]) -> str:
    """Return names as lines of code, none longer than a hundred characters."""
    lines, line = [], ""
    for name in names:
        if len(line) + len(name) > 95:
            lines.append(line.rstrip())
            line = ""
        line += f"`{name}` "
    return "\n".join([*lines, line.rstrip()])


def written() -> str:
    """Return the page."""
    parts = [HEAD.format(version=".".join(np.__version__.split(".")[:2]))]
    rows = ["| | names | here | left out | missing |", "|---|---|---|---|---|"]
    sections = []
    for one in NAMESPACES:
        have, left_out, missing = sorted_out(one)
        counts = (len(have) + len(left_out) + len(missing), len(have), len(left_out), len(missing))
        rows.append(
            f"| [`{one.title}`](#{anchor(one.title)}) | " + " | ".join(map(str, counts)) + " |"
        )
        section = [f"## {one.title}", "", listed(have)]
        if left_out:
            by_hint: dict[str, list[str]] = {}
            for name in left_out:
                by_hint.setdefault(one.left_out[name], []).append(f"`{name}`")
            section += ["", "| left out | instead |", "|---|---|"]
            section += [f"| {', '.join(names)} | {hint} |" for hint, names in by_hint.items()]
        if missing:
            section += ["", "Missing: " + ", ".join(f"`{name}`" for name in missing)]
        sections.append("\n".join(section) + "\n")
    return "\n".join([*parts, "\n".join(rows) + "\n", *sections])


def anchor(title: str) -> str:
    """Return where a heading stands on its page."""
    return title.lower().replace(".", "").replace(" ", "-")


def main() -> int:
    """Write the page, or say whether it is what it would be."""
    text = written()
    if "--check" in sys.argv:
        return int(FILE.read_text(encoding="utf-8") != text)
    FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
