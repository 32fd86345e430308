"""Print requirements of pyproject.toml, a line each: ``requirements.py requires test``.

The names are those of lists there: ``requires`` (to build), ``dependencies``, or an extra.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"


def requirements(*names: str) -> list[str]:
    """Return what the lists of these names ask for; Python 3.10 has no reader of TOML."""
    text, found = PROJECT.read_text(), []
    for name in names:
        group = re.search(rf"^{name} = \[(.*?)\]$", text, re.S | re.M)
        if group is None:
            raise SystemExit(f"{PROJECT} has no list {name!r}")
        found += re.findall(r'"([^"]+)"', group[1])
    return found


if __name__ == "__main__":
    print("\n".join(requirements(*sys.argv[1:])))
