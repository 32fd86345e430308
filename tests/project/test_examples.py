"""The training examples run, learn, draw their losses, and agree with PyTorch."""

from __future__ import annotations

import importlib
import io
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support.paths import ROOT

EXAMPLES = ROOT / "examples"


@pytest.fixture(scope="module")
def examples() -> Iterator[Any]:
    """Import a file of examples/ by its name."""
    before = set(sys.modules)
    sys.path.insert(0, str(EXAMPLES))
    yield importlib.import_module
    sys.path.remove(str(EXAMPLES))
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(EXAMPLES)):
            del sys.modules[name]


def curves_in(path: Path) -> list[int]:
    """Return how many points each line of a plot has."""
    drawn = ElementTree.parse(path)
    lines = drawn.findall(".//{http://www.w3.org/2000/svg}polyline")
    return [len(line.get("points", "").split()) for line in lines]


def test_drawn_digits_are_learnt(examples: Any, tmp_path: Path) -> None:
    plot = tmp_path / "plots" / "digits.svg"
    share = examples("train_digits").main(["--drawn", "--epochs", "4", "--plot", str(plot)])
    assert share > 0.9
    steps = 4 * ((1800 - 360) // 64)
    assert curves_in(plot) == [steps, steps]


@pytest.mark.peers
def test_handwritten_digits_are_learnt(examples: Any, tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason="the pictures come with scikit-learn")
    assert examples("train_digits").main(["--plot", str(tmp_path / "digits.svg")]) >= 0.97


SHORT = ["--width", "32", "--layers", "1", "--batch", "8"]


def test_characters_are_learnt(examples: Any, tmp_path: Path) -> None:
    plot = tmp_path / "characters.svg"
    given = ["--steps", "40", *SHORT, "--plot", str(plot)]
    module = examples("train_characters")
    letters = len(set(module.text_of_topics()))
    assert module.main(given)["strided"] < 0.9 * math.log(letters)
    assert curves_in(plot) == [40, 40]


@pytest.mark.peers
def test_characters_as_in_pytorch(examples: Any, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    plot = tmp_path / "characters.svg"
    given = ["--steps", "60", *SHORT, "--peer", "torch", "--plot", str(plot)]
    found = examples("train_characters").main(given)
    assert found["strided"] == pytest.approx(found["torch"], rel=1e-3)
    assert curves_in(plot) == [60] * 4


@pytest.mark.peers
def test_components_are_found_on_a_cluster(
    examples: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("distributed", reason="the example runs on a cluster of dask")
    given = ["--rows", "8192", "--columns", "32", "--step", "1024", "--quiet"]
    assert 0.7 < examples("cluster_pca").main(given) < 0.85
    assert "cosine at least 0.99" in capsys.readouterr().out


class Terminal(io.StringIO):
    """Takes what is written for a screen."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_progress(examples: Any, stream: io.StringIO) -> None:
    progress = examples("show_training").Progress(10, "training", stream)
    progress.update(5, "loss 2.0")
    progress.update(6, "unseen")
    progress.update(10, "loss 1.0")
    text = stream.getvalue()
    assert "training ████████████░░░░░░░░░░░░ 5/10  loss 2.0" in text
    assert "10/10  loss 1.0" in text
    assert "unseen" not in text
    assert ("\x1b" in text) == stream.isatty()


@pytest.mark.parametrize("losses", [[1.0], [2.0, 2.0, 2.0], [3.0, 1e-9, 2.0]])
def test_plots_of_few_losses(examples: Any, tmp_path: Path, losses: list[float]) -> None:
    path = tmp_path / "plot.svg"
    examples("show_training").save_plot(path, {"a < b": losses}, "T & C")
    assert curves_in(path) == [len(losses)] * 2
