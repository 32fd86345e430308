"""Writes the tables of README from benchmarks/results/*.json, so that no figure is typed by hand.

python benchmarks/update_readme.py
"""

from __future__ import annotations

import json
from pathlib import Path

from side_by_side import RESULTS
from views import table_of

README = Path(__file__).parent.parent / "README.md"


def main() -> None:
    """Replace what stands between the markers."""
    result = json.loads((RESULTS / "views.json").read_text())
    text = README.read_text(encoding="utf-8")
    begin, end = "<!-- views table -->", "<!-- end of views table -->"
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    table = table_of(result["rows"])
    README.write_text(f"{before}{begin}\n{table}\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
