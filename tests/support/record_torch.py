"""Writes tests/golden/torch_views.json from the installed PyTorch: ``make golden``."""

from __future__ import annotations

import json
import warnings
from typing import Any

from .paths import GOLDEN
from .torch_answers import answer, dtype_answer, dtype_questions, rows

RECORD = GOLDEN / "torch_views.json"


def record(lib: Any) -> dict[str, Any]:
    """Return the answers of a library to every question in the tables."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dtypes = {name: dtype_answer(lib, question) for name, question in dtype_questions()}
        return {
            "version": lib.__version__.split("+")[0],
            "rows": {row.name: answer(lib, row) for row in rows()},
            "dtypes": {name: dtype for name, dtype in dtypes.items() if dtype is not None},
        }


def text_of(recorded: dict[str, Any]) -> str:
    """One question a line, so that a change shows as one line."""
    lines = [f' "version": {json.dumps(recorded["version"])},']
    for part in ("rows", "dtypes"):
        inside = [f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in recorded[part].items()]
        lines.append(
            f' "{part}": {{\n' + ",\n".join(inside) + "\n }" + ("," if part == "rows" else "")
        )
    return "{\n" + "\n".join(lines) + "\n}\n"


def main() -> None:
    import torch

    RECORD.write_text(text_of(record(torch)))
    print(f"{RECORD}: {RECORD.stat().st_size} bytes")


if __name__ == "__main__":
    main()
