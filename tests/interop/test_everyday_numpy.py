"""Everyday NumPy code runs with ``import strided as np``, and gives the same values."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy
import pytest
from support.difference_pages import rows
from support.everyday_numpy import SETUP, lines
from support.paths import ROOT

import strided

LINES = lines()
# Those that do not run unchanged. Each stands on the page for people who come from NumPy.
DIFFERENT = [row[0] for row in rows(ROOT / "docs" / "from-numpy.md", "everyday: numpy")]


def value(line: str, library: Any) -> Any:
    """Return what the last expression of a line gives."""
    names: dict[str, Any] = {"np": library}
    exec(SETUP, names)
    tree = ast.parse(line)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, line, "exec"), names)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), line, "eval"), names)


def differs(there: Any, here: Any) -> str:
    """Return in what two values differ; empty when they are equal."""
    if isinstance(there, list) and isinstance(here, strided.Tensor):
        there = numpy.asarray(there)
    if isinstance(there, (tuple, list)):
        if not isinstance(here, (tuple, list)) or len(there) != len(here):
            return f"{there!r} / {here!r}"
        return "".join(differs(*pair) for pair in zip(there, here, strict=True))
    if isinstance(there, (str, dict, type(None), bool)):
        return "" if there == here else f"{there!r} / {here!r}"
    theirs, ours = numpy.asarray(there), numpy.asarray(here)
    if theirs.shape != ours.shape or theirs.dtype.kind != ours.dtype.kind:
        return f"{theirs.dtype} {theirs.shape} / {ours.dtype} {ours.shape}"
    close = numpy.allclose(theirs, ours, rtol=1e-4, atol=1e-5, equal_nan=True)
    return "" if close else f"{there!r} / {here!r}"


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Files lie in a folder of their own, and printing is as it was."""
    monkeypatch.chdir(tmp_path)
    with numpy.printoptions(), strided.printoptions(), numpy.errstate(all="ignore"):
        yield


@pytest.mark.parametrize("line", [line for line in LINES if line not in DIFFERENT])
def test_runs_unchanged(line: str) -> None:
    assert not differs(value(line, numpy), value(line, strided))


@pytest.mark.parametrize("line", DIFFERENT)
def test_is_different(line: str) -> None:
    assert line in LINES
    there = value(line, numpy)
    try:
        here = value(line, strided)
    except Exception:
        return
    assert differs(there, here), "runs unchanged: take it off the page"


def test_most_lines_run_unchanged() -> None:
    assert len(LINES) == len(set(LINES))
    assert len(LINES) >= 300
    assert len(DIFFERENT) <= 0.03 * len(LINES)
