"""Writes what README and docs say of results: no figure is typed by hand.

python benchmarks/update_readme.py
"""

from __future__ import annotations

import json
from pathlib import Path

from chunked import table_of as dask_table
from experiment import table_of as experiment_table
from experiment import three_rows_of
from llm import summary_of
from side_by_side import RESULTS
from views import spans_of

ROOT = Path(__file__).parent.parent
# What stands between two markers of a page: its result file, the page, what it is called there, and
# how it is shown.
TABLES = (
    ("views", "README.md", "views in a sentence", spans_of),
    ("views", "docs/index.md", "views in a sentence", spans_of),
    ("experiment", "README.md", "experiment table", three_rows_of),
    ("experiment", "docs/llm.md", "experiment table", experiment_table),
    ("llm", "docs/llm.md", "llm table", summary_of),
    ("chunked", "docs/chunked.md", "chunked table", dask_table),
)


def main() -> None:
    """Replace what stands between the markers."""
    for name, page, what, shown in TABLES:
        path = ROOT / page
        text = path.read_text(encoding="utf-8")
        result = json.loads((RESULTS / f"{name}.json").read_text())
        begin, end = f"<!-- {what} -->", f"<!-- end of {what} -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}\n{shown(result['rows'])}\n{end}{after}"
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
