"""Gradients agree with PyTorch: with what PyTorch 2.13.0 answered, always (it is recorded in
tests/golden/torch_gradients.json), and with an installed PyTorch under the marker ``peers``.
"""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from support import record_gradients
from support.gradient_answers import Row, answer, rows
from support.gradient_programs import programs
from support.gradient_runs import expected_error, run
from support.gradient_table import DIFFERENT

import strided

RECORDED = json.loads(record_gradients.RECORD.read_text())
TOLERANCE = 1e-10
# Narrower numbers were rounded on the way.
NARROW = {"float32": 2e-6, "float16": 2e-3, "bfloat16": 1.6e-2}


def close(mine: Any, theirs: Any, tolerance: float = TOLERANCE) -> bool:
    """Whether two answers are the same but for rounding; [dtype, shape, elements] by its dtype."""
    if isinstance(theirs, list) and isinstance(mine, list):
        if len(theirs) == 3 and isinstance(theirs[0], str):
            tolerance = max(tolerance, NARROW.get(theirs[0], 0.0))
        return len(mine) == len(theirs) and all(
            close(a, b, tolerance) for a, b in zip(mine, theirs, strict=True)
        )
    if isinstance(theirs, dict) and isinstance(mine, dict):
        return mine.keys() == theirs.keys() and all(
            close(mine[key], theirs[key], tolerance) for key in theirs
        )
    if isinstance(theirs, float) and isinstance(mine, float):
        if math.isnan(theirs) or math.isinf(theirs):
            return str(mine) == str(theirs)
        return abs(mine - theirs) <= tolerance * max(1.0, abs(theirs))
    return type(mine) is type(theirs) and mine == theirs


def _zeros(told: Any) -> Any:
    """Drop gradients that are none or zero: a second derivative may say so in either way."""
    return {name: grad for name, grad in told.items() if grad is not None and any(grad)}


def row_agrees(mine: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Whether values, gradients and second derivatives agree where PyTorch has them."""
    if "error" in theirs or "error" in mine:
        return theirs.get("error") is not None and mine.get("error") is not None
    narrow = [NARROW[dtype] for dtype, _, _ in theirs["value"] if dtype in NARROW]
    tolerance = max([TOLERANCE, *narrow])
    if not close(mine["value"], theirs["value"], tolerance):
        return False
    expected = theirs.get("gradient")
    if expected is None:
        return "gradient" not in mine
    if "error" in expected:  # PyTorch has no such derivative
        return True
    if any(
        not close(mine.get(key), expected, tolerance) for key in ("gradient", "gradient with graph")
    ):
        return False
    second = theirs.get("second")
    if second is None or "error" in second:
        return True
    return close(_zeros(mine.get("second", {})), _zeros(second), 10 * tolerance)


def _check_row(row: Row, recorded: dict[str, Any]) -> None:
    for kind in row.classes:
        name = f"{row.name}, expanded" if kind == "expanded" else row.name
        theirs = recorded["rows"][name]
        mine = answer(strided, row, kind)
        if mine.get("class") == "ViewNotPossible" and "error" not in theirs:
            continue  # not in this layout; that reshape copies there is another row
        if row.name in DIFFERENT and kind != "contiguous":
            continue
        agree = row_agrees(mine, theirs)
        assert agree != (row.name in DIFFERENT), f"{kind}\n  strided {mine}\n  PyTorch {theirs}"


def _check_program(program: str, recorded: dict[str, Any]) -> None:
    theirs, mine = recorded["programs"][program], run(strided, program)
    wanted = expected_error(program)
    if "error" in theirs:
        agree = mine.get("class") == wanted and theirs["error"][0] in mine["error"]
    else:
        agree = wanted is None and close(mine.get("seen"), theirs["seen"])
    assert agree != (program in DIFFERENT), f"strided {mine}\n  PyTorch {theirs}"


each_row = pytest.mark.parametrize("row", list(rows()), ids=lambda row: row.name)
each_program = pytest.mark.parametrize(
    "program",
    [program for _, program in programs()],
    ids=[f"{group}: {program}".replace("\n", "; ") for group, program in programs()],
)


@each_row
def test_rows_agree_with_the_recording(row: Row) -> None:
    _check_row(row, RECORDED)


@each_program
def test_programs_agree_with_the_recording(program: str) -> None:
    _check_program(program, RECORDED)


def test_known_differences_are_in_the_tables() -> None:
    assert set(DIFFERENT) <= {row.name for row in rows()} | {text for _, text in programs()}


def test_the_tables_are_large() -> None:
    assert len(list(rows())) > 700
    assert len(list(programs())) > 400


# ---- the installed PyTorch ----


@pytest.fixture(scope="module")
def now() -> Any:
    """What the installed PyTorch answers, as it would be recorded."""
    torch = pytest.importorskip("torch")
    return json.loads(record_gradients.text_of(record_gradients.record(torch)))


@pytest.mark.peers
@each_row
def test_rows_agree_with_torch(row: Row, now: Any) -> None:
    _check_row(row, now)


@pytest.mark.peers
@each_program
def test_programs_agree_with_torch(program: str, now: Any) -> None:
    _check_program(program, now)


@pytest.mark.peers
def test_recording_is_up_to_date(now: Any) -> None:
    assert now["version"] == RECORDED["version"], "make golden with the version that is pinned"
    for part in ("rows", "programs"):
        assert now[part].keys() == RECORDED[part].keys()
        for name, theirs in RECORDED[part].items():
            assert close(now[part][name], theirs), name
