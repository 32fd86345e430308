"""The pages for people who come from NumPy and PyTorch are true, row by row.

A row of "the same" gives the same values, dtype and sharing of memory. A row of "different"
differs as it stands, so that it is taken away when it no longer does, and agrees as it should be
written.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.difference_pages import differs, evaluate, rows
from support.paths import ROOT

import strided as st

NUMPY, PYTORCH = ROOT / "docs" / "from-numpy.md", ROOT / "docs" / "from-pytorch.md"


def numpy_names() -> dict[str, Any]:
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    return {"np": np, "st": st, "a": a, "x": st.tensor(a), "n": np.arange(6), "i": st.arange(6)}


def torch_names() -> dict[str, Any]:
    import torch

    t = torch.arange(6.0).reshape(2, 3)
    libraries = {"torch": torch, "F": torch.nn.functional, "st": st, "nn": st.nn, "np": np}
    x, i = st.tensor(t.numpy()), st.arange(6)
    return {**libraries, "t": t, "x": x, "n": torch.arange(6), "i": i}


def compare(names: dict[str, Any], peer: str, ours: str, theirs: str) -> str:
    return differs(evaluate(peer, names), evaluate(ours, names), names[theirs], names["x"])


@pytest.mark.parametrize("row", rows(NUMPY, "same: numpy"), ids=lambda row: row[0])
def test_numpy_same(row: list[str]) -> None:
    assert not compare(numpy_names(), row[0], row[1], "a")


@pytest.mark.parametrize("row", rows(NUMPY, "different: numpy"), ids=lambda row: row[0])
def test_numpy_different(row: list[str]) -> None:
    peer, ours, _, instead = row
    assert compare(numpy_names(), peer, ours, "a"), "no longer different: take the row away"
    assert not compare(numpy_names(), peer, instead, "a")


@pytest.mark.peers
@pytest.mark.parametrize("row", rows(PYTORCH, "same: torch"), ids=lambda row: row[0])
def test_torch_same(row: list[str]) -> None:
    assert not compare(torch_names(), row[0], row[1], "t")


@pytest.mark.peers
@pytest.mark.parametrize("row", rows(PYTORCH, "different: torch"), ids=lambda row: row[0])
def test_torch_different(row: list[str]) -> None:
    peer, ours, _, instead = row
    assert compare(torch_names(), peer, ours, "t"), "no longer different: take the row away"
    assert not compare(torch_names(), peer, instead, "t")


def test_pages_have_rows() -> None:
    marks = {
        NUMPY: ("same: numpy", "different: numpy"),
        PYTORCH: ("same: torch", "different: torch"),
    }
    assert all(len(list(rows(page, mark))) > 10 for page in marks for mark in marks[page])
