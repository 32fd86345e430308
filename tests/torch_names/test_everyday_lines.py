"""Lines that people write for PyTorch run as they are, and give what PyTorch gives."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest
from support.everyday_torch import DIFFERENT, LINES
from support.paths import ROOT

pytestmark = pytest.mark.peers


def _names(library: Any, functional: Any) -> dict[str, Any]:
    draw = np.random.default_rng(11)
    x, y = (draw.standard_normal((3, 4)).astype("float32") for _ in range(2))
    arrays = {
        "x": x,
        "y": y,
        "p": np.abs(x) + np.float32(0.5),
        "v": draw.standard_normal(4).astype("float32"),
        "r": draw.standard_normal(3).astype("float32"),
        "m": (draw.standard_normal((4, 4)) + 3 * np.eye(4)).astype("float32"),
        "k": draw.standard_normal((2, 3, 4)).astype("float32"),
        "n": draw.integers(0, 9, (3, 4)),
        "b": draw.random((3, 4)) < 0.5,
        "i": np.array([0, 2]),
        "z": (draw.standard_normal((2, 3)) + 1j * draw.standard_normal((2, 3))).astype("complex64"),
    }
    made = {name: library.tensor(array.tolist()) for name, array in arrays.items()}
    return {"t": library, "F": functional, **made}


def _run(line: str, names: dict[str, Any]) -> Any:
    tree = ast.parse(line)
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    exec(compile(tree, "<line>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<line>", "eval"), names)


def _plain(value: Any) -> Any:
    if hasattr(value, "detach"):
        value = value.detach()
        value = value.resolve_conj() if hasattr(value, "resolve_conj") else value
        return np.asarray(value.tolist()), tuple(value.shape), str(value.dtype).partition(".")[2]
    if isinstance(value, (tuple, list)):
        return [_plain(one) for one in value]
    return value


def _same(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, list):
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            _same(one, other)
    elif isinstance(theirs, tuple) and len(theirs) == 3 and isinstance(theirs[0], np.ndarray):
        assert ours[1] == theirs[1]
        assert ours[2].removeprefix("strided.") in ("", theirs[2])
        np.testing.assert_allclose(ours[0], theirs[0], rtol=2e-4, atol=2e-5)
    elif isinstance(theirs, float):
        assert ours == pytest.approx(theirs, rel=1e-5)
    else:
        assert ours == theirs


@pytest.mark.parametrize("line", [line for line in LINES if line not in DIFFERENT])
def test_a_line_gives_what_pytorch_gives(line: str) -> None:
    torch = pytest.importorskip("torch")
    import strided as st

    theirs = _plain(_run(line, _names(torch, torch.nn.functional)))
    ours = _plain(_run(line, _names(st, st.nn.functional)))
    _same(ours, theirs)


def test_enough_lines_are_the_same() -> None:
    assert len(LINES) == len(set(LINES)) >= 300
    assert set(DIFFERENT) <= set(LINES)
    assert len(DIFFERENT) <= 0.03 * len(LINES)


def test_differences_are_on_their_page() -> None:
    page = (ROOT / "docs" / "from-pytorch.md").read_text(encoding="utf-8")
    for why in DIFFERENT.values():
        assert why.partition(",")[0] in page, why
