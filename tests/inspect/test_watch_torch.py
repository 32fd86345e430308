"""Copies of PyTorch tensors: what is counted, how many bytes, which line, and what is left out."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from support.command import script, strided_command

import strided
from strided.inspect.torch_copies import KINDS, Places
from strided.inspect.torch_trace import when_imported

peers = pytest.mark.peers


@pytest.fixture
def torch() -> Any:
    return pytest.importorskip("torch")


# expression of x (4 x 6, float32, requires no gradient): reason, bytes, asked for
COPIES = {
    "x.clone()": ("clone", 96, True),
    "torch.tensor(a)": ("clone", 16, True),
    "x.T.contiguous()": ("contiguous", 96, True),
    "x.T.reshape(24)": ("reshape", 96, False),
    "x.T.flatten()": ("reshape", 96, False),
    "x.T.ravel()": ("reshape", 96, False),
    "x.to(torch.float64)": ("convert", 192, True),
    "x.half()": ("convert", 48, True),
    "x.bool()": ("convert", 24, True),
    "x.to(x.dtype, copy=True)": ("clone", 96, True),
    "torch.cat([x, x])": ("join", 192, True),
    "torch.stack([x, x, x])": ("join", 288, True),
    "torch.hstack([x, x])": ("join", 192, True),
    "x.repeat(2, 1)": ("repeat", 192, True),
    "x.repeat_interleave(3, 0)": ("repeat", 288, True),
    "x[[0, 2]]": ("gather", 48, False),
    "x[x > 2]": ("gather", 4 * 21, False),
    "x.index_select(1, i)": ("gather", 32, True),
    "x.gather(0, torch.zeros(1, 6, dtype=torch.int64))": ("gather", 24, True),
    "F.embedding(i, x)": ("gather", 48, True),
    "x.flip(0)": ("flip", 96, True),
    "x.roll(1)": ("flip", 96, True),
    "n.to(memory_format=torch.channels_last)": ("contiguous", 96, True),
    "F.pad(x, (1, 1))": ("pad", 128, True),
    "F.unfold(x[None, None], 2)": ("windows", 4 * 4 * 15, True),
    "x.copy_(x.T.view(6, 4).T)": ("assign", 96, True),
    "x.__setitem__(0, x[1])": ("assign", 24, True),
    "x.__setitem__([0, 1], torch.ones(2, 6))": ("assign", 48, True),
    "torch._foreach_copy_([x, x], [x.T.view(6, 4).T, x + 1])": ("assign", 192, True),
    "x.index_copy(0, i, torch.ones(2, 6))": ("scatter", 96, True),
    "q.transpose(1, 2) @ w": ("operand", 240, False),
    "F.linear(q.transpose(1, 2), w.T)": ("operand", 240, False),
}
VIEWS = [
    "x.T",
    "x.view(24)",
    "x.reshape(24)",
    "x.contiguous()",
    "x.to(torch.float32)",
    "x.float()",
    "x.cpu()",
    "x[1:, ::2]",
    "x.expand(2, 4, 6)",
    "x.T @ x",
    "x + x",
    "x.sum()",
    "x.detach()",
    "torch.from_numpy(a)",
    "torch.tensor([1, 2])",
    "x.__setitem__(0, 1.0)",
    "x.copy_(torch.tensor(1.0))",
    "x.copy_(x)",
    "x[:0].clone()",
    "F.dropout(x, 0.5, training=False)",
    "torch.zeros(3, 4, device='meta').clone()",
]


def names(torch: Any) -> dict[str, Any]:
    import numpy

    return {
        "torch": torch,
        "F": torch.nn.functional,
        "x": torch.arange(24.0).reshape(4, 6) - 0.5,
        "i": torch.tensor([0, 2]),
        "a": numpy.zeros(4, "f4"),
        "n": torch.ones(1, 2, 3, 4),
        "q": torch.ones(2, 3, 2, 5),
        "w": torch.ones(5, 4),
    }


@peers
@pytest.mark.parametrize("mode", ["enable_grad", "no_grad", "inference_mode"])
@pytest.mark.parametrize("expression", COPIES)
def test_copies_are_counted_with_reason_and_bytes(torch, expression, mode):
    known = names(torch)
    code = compile(expression, "program.py", "eval")
    with getattr(torch, mode)(), strided.inspect.trace_torch() as report:
        eval(code, known)
    assert report.count == 1, report
    event = report.events[0]
    assert (event.reason, event.nbytes, event.asked_for) == COPIES[expression]
    assert (event.filename, event.lineno, event.library) == ("program.py", 1, "torch")
    assert event.hint


@peers
@pytest.mark.parametrize("mode", ["enable_grad", "no_grad", "inference_mode"])
@pytest.mark.parametrize("expression", VIEWS)
def test_views_and_results_are_not_counted(torch, expression, mode):
    known = names(torch)
    with getattr(torch, mode)(), strided.inspect.trace_torch() as report:
        eval(expression, known)
    assert report.count == 0, report


@peers
@pytest.mark.parametrize("expression", [*COPIES, *VIEWS])
def test_results_are_the_same_under_the_watch(torch, expression):
    """Same values and sharing, also in inference mode, where composite operations are opened."""
    with torch.inference_mode():
        plain_names, traced_names = names(torch), names(torch)
        plain = eval(expression, plain_names)
        with strided.inspect.trace_torch():
            traced = eval(expression, traced_names)
    if not isinstance(plain, torch.Tensor):  # in place, or a list
        plain, traced = plain_names["x"], traced_names["x"]
    if plain.device.type != "meta":
        assert torch.equal(plain, traced)
    assert plain.stride() == traced.stride()

    def shares(result: Any, known: dict[str, Any]) -> bool:
        return result.untyped_storage().data_ptr() == known["x"].untyped_storage().data_ptr()

    assert shares(plain, plain_names) == shares(traced, traced_names)


@peers
def test_layouts_are_told(torch):
    with strided.inspect.trace_torch() as report:
        torch.zeros(4, 6).T.contiguous()
    event = report.events[0]
    assert event.source == (strided.Layout((6, 4), (1, 6)), "float32", "cpu")
    assert str(event.target) == "(6, 4):(4, 1)+0 float32"


@peers
def test_lines_are_those_outside_torch(torch):
    x = torch.zeros(4, 6)
    layer = torch.nn.Flatten(0)
    with strided.inspect.trace_torch() as report:
        layer(x.T)
    first = test_lines_are_those_outside_torch.__code__.co_firstlineno
    assert report.events[0].lineno == first + 5
    assert report.events[0].filename == __file__
    assert report.events[0].module == "Flatten"


@peers
def test_modules_are_named_by_their_path(torch):
    class Block(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm = torch.nn.LayerNorm(4)

        def forward(self, x: Any) -> Any:
            return self.norm(x).T.contiguous()

    model = torch.nn.Sequential(Block(), torch.nn.Flatten(0), Block())
    model[1] = torch.nn.Sequential(torch.nn.Linear(4, 4), Block())
    with strided.inspect.trace_torch() as report:
        model(torch.zeros(4, 4))
    assert [event.module for event in report.events] == ["0", "1.1", "2"]


@peers
def test_user_lines_pass_over_packages(torch, tmp_path):
    package = script(tmp_path, "def flat(x):\n    return x.T.reshape(-1)\n", "site-packages/p.py")
    known: dict[str, Any] = {}
    exec(compile(package.read_text(), str(package), "exec"), known)
    x = torch.zeros(4, 6)
    with strided.inspect.trace_torch() as inner, strided.inspect.trace_torch(user=True) as user:
        known["flat"](x)
    assert (inner.events[0].filename, inner.events[0].lineno) == (str(package), 2)
    assert inner.events[0].line == "p.py:2"
    assert user.events[0].filename == __file__
    assert (inner.count, user.count) == (1, 1)


@peers
def test_only_within_a_function(torch):
    x = torch.zeros(4, 6)

    def decode() -> None:
        helper()

    def helper() -> None:
        x.clone()

    with strided.inspect.trace_torch(within="decode") as report:
        helper()
        assert report.count == 0
        decode()
    assert report.count == 1


@peers
def test_threads_are_watched_and_named(torch):
    x = torch.zeros(4, 6)
    before = threading.getprofile()
    with strided.inspect.trace_torch() as report:
        worker = threading.Thread(target=x.clone, name="worker")
        worker.start()
        worker.join()
    assert [(event.reason, event.thread) for event in report.events] == [("clone", "worker")]
    assert threading.getprofile() is before


@peers
def test_the_backward_pass_is_watched(torch):
    x = torch.zeros(4, 6, requires_grad=True)
    y = x.T.reshape(24).reshape(2, 12).T
    with strided.inspect.trace_torch() as report:
        (y * torch.ones(12, 2)).sum().backward()
    assert report.count >= 1
    assert {event.filename for event in report.events} == {__file__}
    assert all(not event.asked_for for event in report.events)


@peers
def test_nothing_is_seen_after_the_end(torch):
    x = torch.zeros(4, 6)
    with strided.inspect.trace_torch() as report:
        x.clone()
    x.clone()
    assert report.count == 1


@peers
def test_an_error_inside_passes_and_ends_the_watch(torch):
    x = torch.zeros(4, 6)
    with pytest.raises(RuntimeError), strided.inspect.trace_torch() as report:
        x.view(5)
    x.clone()
    assert report.count == 0


@peers
def test_every_name_in_the_table_is_an_operation(torch):
    unknown = [name for name in KINDS if not hasattr(torch.ops.aten, name.removeprefix("aten::"))]
    assert unknown == []


@peers
def test_programs_are_watched_once_they_import_torch(torch, tmp_path):
    path = script(
        tmp_path,
        """
        import torch
        def work():
            return torch.zeros(4, 6).T.reshape(24)
        work()
        print(torch.__name__)
        """,
    )
    done = strided_command("trace", "--json", str(path))
    assert (done.returncode, done.stdout) == (0, "torch\n")
    events = json.loads(done.stderr)["events"]
    assert [(e["reason"], e["lineno"], e["function"], e["library"]) for e in events] == [
        ("reshape", 4, "work", "torch")
    ]


@peers
def test_names_of_functions_of_the_command_do_not_count(torch, tmp_path):
    text = "import torch\ndef main():\n    torch.zeros(3).clone()\ntorch.ones(3).clone()\nmain()\n"
    path = script(tmp_path, text)
    done = strided_command("trace", "--json", "--within", "main", str(path))
    assert [event["lineno"] for event in json.loads(done.stderr)["events"]] == [3]


@peers
def test_user_lines_of_an_installed_program_are_its_own(torch, tmp_path):
    text = "import torch\ntorch.zeros(3).clone()\n"
    path = script(tmp_path, text, "site-packages/program.py")
    done = strided_command("trace", "--json", "--user", str(path))
    events = json.loads(done.stderr)["events"]
    assert [(event["filename"], event["lineno"]) for event in events] == [(str(path), 2)]


def test_when_imported_acts_once_and_cleans_up(tmp_path: Path, monkeypatch: Any) -> None:
    script(tmp_path, "value = 1", "imported_late.py")
    monkeypatch.syspath_prepend(tmp_path)
    seen: list[bool] = []
    finders = list(sys.meta_path)

    def act() -> None:
        seen.append("value" in vars(sys.modules["imported_late"]))

    try:
        with when_imported("imported_late", act):
            assert seen == []
            import imported_late  # noqa: F401
        assert seen == [True]
        assert sys.meta_path == finders
        with when_imported("imported_late", act):
            assert seen == [True, True]
    finally:
        sys.modules.pop("imported_late", None)


def test_threads_of_torch_itself_have_no_line() -> None:
    """The backward pass of a device runs where no Python code is."""
    place = Places(user=False, within=None).of(None)
    assert place is not None
    name = threading.current_thread().name
    assert (place.filename, place.lineno, place.thread) == (f"<thread {name}>", 0, name)


def test_absence_of_torch_names_the_extra(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    watch = strided.inspect.trace_torch()
    with pytest.raises(strided.MissingExtra, match=r"strided\[torch\]"):
        watch.__enter__()
