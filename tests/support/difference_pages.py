"""The tables of docs/from-numpy.md and docs/from-pytorch.md, and whether two results agree."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

import strided as st


def rows(page: Path, mark: str) -> list[list[str]]:
    """Return the cells of the table below ``<!-- mark -->``; code without its backticks."""
    table = page.read_text(encoding="utf-8").partition(f"<!-- {mark} -->\n")[2]
    lines = table.split("\n\n")[0].split("\n")[2:]
    return [
        [cell.strip().strip("`") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines
    ]


def evaluate(code: str, names: dict[str, Any]) -> Any:
    """Return the value of an expression, or the exception that it raises."""
    try:
        return eval(code, dict(names))
    except Exception as error:
        return error


def differs(peer: Any, ours: Any, peer_operand: Any, operand: st.Tensor) -> str:
    """Return in what two results differ, empty when they agree.

    Values, dtype, shape, and whether the memory of the operand is shared.
    """
    if isinstance(peer, Exception) or isinstance(ours, Exception):
        return f"{type(peer).__name__}: {peer} / {type(ours).__name__}: {ours}"
    if isinstance(peer, list | tuple):
        if not isinstance(ours, list | tuple) or len(peer) != len(ours):
            return f"{peer!r} / {ours!r}"
        pairs = zip(peer, ours, strict=True)
        return "; ".join(filter(None, (differs(*pair, peer_operand, operand) for pair in pairs)))
    if not isinstance(ours, st.Tensor):
        same = isinstance(ours, type(peer)) and peer == ours
        return "" if same else f"{peer!r} / {ours!r}"
    there, here = np.asarray(peer), np.asarray(ours)
    if there.dtype != here.dtype or there.shape != here.shape:
        return f"{there.dtype} {there.shape} / {here.dtype} {here.shape}"
    if not np.allclose(there, here, rtol=1e-5, equal_nan=True):
        return f"{there} / {here}"
    sharing = [np.may_share_memory(r, o) for r, o in ((peer, peer_operand), (ours, operand))]
    return "" if sharing[0] == sharing[1] else f"shares memory: {sharing[0]} / {sharing[1]}"
