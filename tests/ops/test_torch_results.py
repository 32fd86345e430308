"""strided agrees with PyTorch on every view operation both have: with what PyTorch 2.13.0 answered
(tests/golden/torch_views.json) always, and with an installed PyTorch under the marker ``peers``.
"""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from support import record_torch
from support.torch_answers import Row, answer, dtype_answer, dtype_questions, operation_of, rows
from support.torch_table import DIFFERENT

import strided

RECORDED = json.loads(record_torch.RECORD.read_text())
# What PyTorch rounds differently: it sums in another order, and has its own exp.
TOLERANCE = {"float16": 2e-3, "bfloat16": 1.6e-2, "float64": 1e-6}


def _close(mine: Any, theirs: Any, tolerance: float) -> bool:
    if isinstance(mine, float) and isinstance(theirs, float):
        if math.isnan(theirs) or math.isinf(theirs):
            return str(mine) == str(theirs)
        return abs(mine - theirs) <= tolerance * max(1.0, abs(theirs))
    return type(mine) is type(theirs) and mine == theirs


def agrees(mine: Any, theirs: Any) -> bool:
    """Whether two answers are the same, strides of copies on axes longer than 1 only."""
    if isinstance(theirs, list) and isinstance(mine, list):
        return len(mine) == len(theirs) and all(map(agrees, mine, theirs))
    if not isinstance(theirs, dict) or not isinstance(mine, dict):
        return type(mine) is type(theirs) and mine == theirs
    if "error" in theirs:
        return theirs["error"][0] in mine.get("error", ())
    if theirs.keys() != mine.keys():
        return False
    loose = theirs.get("copied") or 0 in theirs["shape"]
    for key, value in theirs.items():
        if key == "values":
            tolerance = TOLERANCE.get(theirs["dtype"], 2e-6)
            same = len(value) == len(mine[key]) and all(
                _close(a, b, tolerance) for a, b in zip(mine[key], value, strict=True)
            )
        elif key == "stride" and loose:
            pairs = zip(mine[key], value, theirs["shape"], strict=True)
            same = 0 in theirs["shape"] or all(a == b for a, b, n in pairs if n > 1)
        else:
            same = mine[key] == value
        if not same:
            return False
    return True


def _check_row(row: Row, theirs: Any) -> None:
    mine = answer(strided, row)
    assert agrees(mine, theirs) != (row.name in DIFFERENT), f"strided {mine}\n  PyTorch {theirs}"


DTYPE_QUESTIONS: dict[str, list[tuple[str, str]]] = {}
for name, question in dtype_questions():
    DTYPE_QUESTIONS.setdefault(operation_of(name), []).append((name, question))


@pytest.mark.parametrize("row", list(rows()), ids=lambda row: row.name)
def test_rows_agree_with_the_recording(row: Row) -> None:
    _check_row(row, RECORDED["rows"][row.name])


@pytest.mark.parametrize("operation", DTYPE_QUESTIONS)
def test_dtypes_agree_with_the_recording(operation: str) -> None:
    for name, question in DTYPE_QUESTIONS[operation]:
        theirs = RECORDED["dtypes"].get(name)
        if theirs is not None:
            assert (dtype_answer(strided, question) == theirs) != (name in DIFFERENT), name


def test_known_differences_are_in_the_tables() -> None:
    assert set(DIFFERENT) <= {row.name for row in rows()} | {name for name, _ in dtype_questions()}


# ---- the installed PyTorch ----


@pytest.fixture(scope="module")
def now() -> Any:
    """What the installed PyTorch answers, as it would be recorded."""
    torch = pytest.importorskip("torch")
    return json.loads(record_torch.text_of(record_torch.record(torch)))


@pytest.mark.peers
@pytest.mark.parametrize("row", list(rows()), ids=lambda row: row.name)
def test_rows_agree_with_torch(row: Row, now: Any) -> None:
    _check_row(row, now["rows"][row.name])


@pytest.mark.peers
def test_recording_is_up_to_date(now: Any) -> None:
    assert now["version"] == RECORDED["version"], "make golden with the version that is pinned"
    assert now["rows"].keys() == RECORDED["rows"].keys()
    assert now["dtypes"] == RECORDED["dtypes"]
    for name, theirs in RECORDED["rows"].items():
        assert agrees(now["rows"][name], theirs), name
