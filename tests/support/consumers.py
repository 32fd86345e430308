"""What well-known libraries do with tensors: one row per program, which raises or says its result.

``python -m support.consumers PACKAGE`` runs the rows of one package, in a process of its own since
some libraries decide when they are imported, and prints a line of JSON for each.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np

import strided

Program = Callable[[], Any]


class Row(NamedTuple):
    """A program that uses a package: what it runs in words, and what it must give."""

    package: str
    ran: str
    result: str
    program: Program


ROWS: list[Row] = []


def row(package: str, ran: str, result: str = "as with NumPy") -> Callable[[Program], Program]:
    """Add a program to the table; it raises unless the result is what is said."""

    def add(program: Program) -> Program:
        ROWS.append(Row(package, ran, result, program))
        return program

    return add


def cube() -> strided.Tensor:
    return strided.arange(24.0, dtype=strided.float64).reshape(2, 3, 4)


def same(got: Any, wanted: Any) -> None:
    """Raise unless a tensor came back with the elements of an array."""
    assert isinstance(got, strided.Tensor), type(got)
    np.testing.assert_allclose(np.asarray(got), wanted, rtol=1e-9, atol=1e-12)


def is_view(got: strided.Tensor, wanted: Any, of: strided.Tensor) -> None:
    same(got, wanted)
    assert got.shares_storage(of)


def rows() -> list[Row]:
    """Return the whole table."""
    for part in ("arrays", "data", "science"):
        importlib.import_module(f"support.consumers_{part}")
    # Not this module's own list when it runs as a program: then there are two of it.
    found: list[Row] = importlib.import_module("support.consumers").ROWS
    return found


def packages() -> list[str]:
    return list(dict.fromkeys(one.package for one in rows()))


def main() -> None:
    package = sys.argv[1]
    for one in rows():
        if one.package == package:
            with strided.trace_copies() as report:
                one.program()
            said = {"ran": one.ran, "result": one.result, "version": version(package)}
            print(json.dumps({**said, "copies": len(report.events)}), flush=True)


if __name__ == "__main__":
    main()
