"""Writes the tables of README from benchmarks/results/*.json, so that no figure is typed by hand.

python benchmarks/update_readme.py
"""

from __future__ import annotations

import json
from pathlib import Path

from llm import summary_of
from side_by_side import RESULTS
from views import table_of

README = Path(__file__).parent.parent / "README.md"
TABLES = {"views": table_of, "llm": summary_of}


def main() -> None:
    """Replace what stands between the markers."""
    text = README.read_text(encoding="utf-8")
    for name, table in TABLES.items():
        result = json.loads((RESULTS / f"{name}.json").read_text())
        begin, end = f"<!-- {name} table -->", f"<!-- end of {name} table -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}\n{table(result['rows'])}\n{end}{after}"
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
