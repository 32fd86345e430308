"""Writes tests/golden/torch_training.json from the installed PyTorch: ``make golden``."""

from __future__ import annotations

import json
import warnings
from typing import Any

from .paths import GOLDEN
from .training_table import answers

RECORD = GOLDEN / "torch_training.json"


def record(torch: Any) -> dict[str, Any]:
    """Return PyTorch's answers and its version."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {"version": torch.__version__.split("+")[0], **answers(torch)}


def text_of(recorded: dict[str, Any]) -> str:
    """One question a line, so that a change shows as one line; 13 digits are what is asked."""
    lines = [f' "version": {json.dumps(recorded["version"])}']
    for part, rows in recorded.items():
        if part != "version":
            inside = [f"  {json.dumps(k)}: {json.dumps(_short(v))}" for k, v in rows.items()]
            lines.append(f' "{part}": {{\n' + ",\n".join(inside) + "\n }")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _short(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.13g}")
    if isinstance(value, list):
        return [_short(item) for item in value]
    if isinstance(value, dict):
        return {key: _short(item) for key, item in value.items()}
    return value


def main() -> None:
    """Ask and write."""
    import torch

    RECORD.write_text(text_of(record(torch)))
    print(f"{RECORD}: {RECORD.stat().st_size} bytes")


if __name__ == "__main__":
    main()
