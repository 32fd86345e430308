"""Writes tests/golden/torch_gradients.json from the installed PyTorch: ``make golden``."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from typing import Any

from .gradient_answers import Row, answer, rows
from .gradient_programs import programs
from .gradient_runs import run
from .paths import GOLDEN

RECORD = GOLDEN / "torch_gradients.json"


def questions(row: Row) -> Iterator[tuple[str, str]]:
    """Yield the layout classes that have answers of their own, and what they are recorded as."""
    yield "contiguous", row.name
    if "expanded" in row.classes:
        yield "expanded", f"{row.name}, expanded"


def record(lib: Any) -> dict[str, Any]:
    """Return the answers of a library to every expression and program of the tables."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answers = {name: answer(lib, row, kind) for row in rows() for kind, name in questions(row)}
        runs = {program: run(lib, program) for _, program in programs()}
    for name, told in answers.items():
        if name.endswith(", expanded"):  # asked of the other classes already
            told.pop("second", None)
    for told in (*answers.values(), *runs.values()):
        told.pop("class", None)
        told.pop("text", None)
    return {"version": lib.__version__.split("+")[0], "rows": answers, "programs": runs}


def text_of(recorded: dict[str, Any]) -> str:
    """One question a line, so that a change shows as one line."""
    lines = [f' "version": {json.dumps(recorded["version"])}']
    for part in ("rows", "programs"):
        inside = [
            f"  {json.dumps(k)}: {json.dumps(v, separators=(',', ':'))}"
            for k, v in recorded[part].items()
        ]
        lines.append(f' "{part}": {{\n' + ",\n".join(inside) + "\n }")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    import torch

    RECORD.write_text(text_of(record(torch)))
    print(f"{RECORD}: {RECORD.stat().st_size} bytes")


if __name__ == "__main__":
    main()
