"""The six flows of docs/architecture.md: the files and functions it names are those that run."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import numpy as np
import pytest
from support.file_bytes import gguf
from support.paths import ROOT
from support.tiny_models import gguf_tensors, metadata
from support.vocabularies import as_gguf, trained_tokenizer

import strided

PACKAGE = ROOT / "src" / "strided"
INSTALLED = Path(strided.__file__).parent
SECTION = (ROOT / "docs" / "architecture.md").read_text().split("\n## Six flows\n")[1]
SECTION = SECTION.split("\n## ")[0]


class Flow(NamedTuple):
    """A flow as the page has it: files with the functions named of them, and how many it says."""

    python: dict[str, set[str]]
    native: dict[str, set[str]]
    now: int


def _flow(text: str) -> Flow:
    python: dict[str, set[str]] = {}
    native: dict[str, set[str]] = {}
    for path, functions in re.findall(r"`([\w/]+\.\w+)`: ((?:`\w+`(?:, )?)+)", text):
        table = python if path.endswith(".py") else native
        table.setdefault(path, set()).update(re.findall(r"\w+", functions))
    (now,) = re.findall(r"files before, (\d+) now", text)
    return Flow(python, native, int(now))


FLOWS = {
    title: _flow(text)
    for title, text in re.findall(r"^### (.+?)\n(.*?)(?=^### |\Z)", SECTION, re.M | re.S)
}


def _model(folder: Path) -> Path:
    tokens = as_gguf(trained_tokenizer(), eos_token_id=0)
    tensors = gguf_tensors("llama", kind="Q8_0")
    count = len(tokens["tokenizer.ggml.tokens"])
    for name in ("token_embd.weight", "output.weight"):
        tensors[name] = ("Q8_0", (count, 64), bytes(count * 2 * 34))
    template = "{% for message in messages %}{{ message.content }}{% endfor %}"
    said = {**metadata("llama"), **tokens, "tokenizer.chat_template": template}
    path = folder / "model.gguf"
    path.write_bytes(gguf(said, tensors))
    return path


def _generate(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    for package in ("typer", "jinja2", "tokenizers"):
        pytest.importorskip(package)
    from strided.cli import main

    command = ["strided", "generate", str(_model(folder)), "hi", "-n", "2", "--seed", "1"]

    def run() -> None:
        monkeypatch.setattr(sys, "argv", command)
        assert main() == 0

    return run


def _open(folder: Path) -> Callable[[], Any]:
    path = folder / "x.safetensors"
    strided.save_safetensors({"w": strided.ones(3, 4)}, path)
    return lambda: strided.open_safetensors(path)["w"][1:]


def _program(title: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    x, tracked = strided.ones(3, 4), strided.ones(3, 4, requires_grad=True)
    programs: dict[str, Callable[[], Any]] = {
        "`x + y`": lambda: x + x,
        "`x.T.reshape(12)` under `trace_copies()`": lambda: x.T.reshape(12),
        "`strided.mean(x, axis=1)` with a gradient": lambda: strided.mean(tracked, axis=1),
        "`np.mean(x)`": lambda: np.mean(x),
    }
    if title in programs:
        return programs[title]
    if "generate" in title:
        return _generate(folder, monkeypatch)
    assert "open_safetensors" in title
    return _open(folder)


def _ran(program: Callable[[], Any]) -> dict[str, set[str]]:
    """Return the files of the package, and their functions, that a program runs."""
    found: dict[str, set[str]] = {}

    def seen(frame: FrameType, event: str, _: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and INSTALLED in path.parents:
            name = path.relative_to(INSTALLED).as_posix()
            found.setdefault(name, set()).add(frame.f_code.co_name)

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        program()
    finally:
        sys.setprofile(before)
    return found


@pytest.mark.parametrize("title", FLOWS)
def test_what_runs_is_on_the_page(title, tmp_path, monkeypatch, capsys) -> None:
    flow = FLOWS[title]
    program = _program(title, tmp_path, monkeypatch)
    with strided.trace_copies() if "trace_copies" in title else nullcontext():
        program()  # modules are imported now
        program()
        ran = _ran(program)
    assert ran.keys() == flow.python.keys()
    for file, functions in flow.python.items():
        assert functions <= ran[file], file


@pytest.mark.parametrize("title", FLOWS)
def test_named_code_exists(title) -> None:
    for file, functions in FLOWS[title].native.items():
        text = (ROOT / file).read_text()
        for function in functions:
            assert re.search(rf"\b{function}\b", text), (file, function)


def test_files_are_counted() -> None:
    """Where Python does the work only its files are counted; no flow passes none."""
    assert len(FLOWS) == 6
    for title, flow in FLOWS.items():
        in_python = len(flow.python)
        of_both = in_python + len(flow.native)
        assert flow.now == (in_python if "Python files" in _closing(title) else of_both), title


def _closing(title: str) -> str:
    text = SECTION.split(f"### {title}\n")[1]
    return re.findall(r"^\d+ .*files before", text, re.M)[0]
