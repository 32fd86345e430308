"""Writes tables of README and docs from benchmarks/results/*.json: no figure is typed by hand.

python benchmarks/update_readme.py
"""

from __future__ import annotations

import json
from pathlib import Path

from chunked import table_of as dask_table
from llm import summary_of
from side_by_side import RESULTS
from views import table_of

ROOT = Path(__file__).parent.parent
# result file: the page that shows it, and how
TABLES = {
    "views": ("README.md", table_of),
    "llm": ("README.md", summary_of),
    "chunked": ("docs/chunked.md", dask_table),
}


def main() -> None:
    """Replace what stands between the markers."""
    for name, (page, table) in TABLES.items():
        path = ROOT / page
        text = path.read_text(encoding="utf-8")
        result = json.loads((RESULTS / f"{name}.json").read_text())
        begin, end = f"<!-- {name} table -->", f"<!-- end of {name} table -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}\n{table(result['rows'])}\n{end}{after}"
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
