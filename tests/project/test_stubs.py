"""The type stubs on disk are the ones that the signatures give."""

from __future__ import annotations

import importlib.util
import sys

import pytest
from support.paths import ROOT

TOOL = ROOT / "tools" / "make_stubs.py"


@pytest.fixture(scope="module")
def make_stubs():
    sys.path.insert(0, str(TOOL.parent))
    try:
        spec = importlib.util.spec_from_file_location("make_stubs", TOOL)
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module
    finally:
        sys.path.remove(str(TOOL.parent))


def test_stubs_are_up_to_date(make_stubs, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["make_stubs.py", "--check"])
    assert make_stubs.main() == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        ("(dim: int) -> bool", "def f(dim: builtins.int) -> builtins.bool: ..."),
        ("(*dims: str, out: Tensor | None = None) -> Any", None),
    ],
)
def test_shadowed_builtins_are_qualified(make_stubs, signature, expected):
    text = make_stubs.written("f", signature, {"int", "bool", "Tensor"}, "")
    assert text == (expected or f"def f{signature}: ...")


def test_long_signatures_are_broken_into_lines(make_stubs):
    arguments = ", ".join(f"argument_{i}: Sequence[int]" for i in range(4))
    text = make_stubs.written("f", f"({arguments}) -> Tensor", set(), "")
    assert text.splitlines()[1:3] == [
        "    argument_0: Sequence[int],",
        "    argument_1: Sequence[int],",
    ]
