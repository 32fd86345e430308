"""Each reason to copy occurs in a minimal program, on the right line, and goes with its hint."""

from __future__ import annotations

import io
import pickle
from typing import NamedTuple

import numpy as np
import pytest

import strided

PACKED = np.dtype([("a", "u1"), ("b", "<f8")])
NAMES = {"st": strided, "np": np, "pickle": pickle, "io": io, "PACKED": PACKED}


class Program(NamedTuple):
    """A program whose line ``# here`` copies, and the same program after the hint."""

    reason: str
    code: str
    followed: str
    prepare: str = "x = st.arange(6).reshape(2, 3)"


PROGRAMS = {
    "clone": Program("clone", "y = x.clone()  # here", "y = x"),
    "tensor of a tensor": Program("clone", "y = st.tensor(x)  # here", "y = st.asarray(x)"),
    "astype": Program("clone", "y = x.astype(st.int64)  # here", "y = x.to(st.int64)"),
    "plus": Program("clone", "y = +x  # here", "y = x"),
    "conjugate of real numbers": Program("clone", "y = x.conj()  # here", "y = x"),
    "fused": Program("clone", "y = st.fuse(lambda x: x.T)(x)  # here", "y = x.T"),
    "contiguous": Program(
        "contiguous", "y = x.T.contiguous()  # here\ns = y.sum()", "y = x.T\ns = y.sum()"
    ),
    "memory order": Program(
        "contiguous", "y = x.to(memory_format='column_major')  # here", "y = x"
    ),
    "convert": Program(
        "convert",
        "y = st.ones(3)\ny = y.to(st.float64)  # here",
        "y = st.ones(3, dtype=st.float64)",
    ),
    "fused to another dtype": Program(
        "convert",
        "y = st.fuse(lambda x: x.to(st.float32))(x)  # here",
        "y = st.fuse(lambda x: x.to(st.float32) + 1)(x)",
    ),
    "assign": Program(
        "assign",
        "y = st.zeros(2, 3)\ny[:] = x + 1.0  # here",
        "y = x.add(1.0, out=y)",
        "x = st.arange(6).reshape(2, 3)\ny = st.zeros(2, 3)",
    ),
    "scatter": Program("assign", "x[st.tensor([0, 1])] = x + 1  # here", "x.add_(1)"),
    "reshape": Program("reshape", "y = x.permute(1, 0).reshape(6)  # here", "y = x.reshape(6)"),
    "flatten in a call": Program(
        "reshape", "def f(x):\n    return x.flatten()  # here\ny = f(x.T)", "y = x.flatten()"
    ),
    "cumsum of all": Program("reshape", "y = x.T.cumsum(None)  # here", "y = x.cumsum(None)"),
    "gather by list": Program("gather", "y = x[:, [0, 2]]  # here", "y = x[:, ::2]"),
    "take": Program(
        "gather", "y = st.take(x, st.tensor([0, 1]), axis=1)  # here", "y = x.narrow(1, 0, 2)"
    ),
    "mask": Program("gather", "y = x[x > 2]  # here", "y = x[1:]"),
    "overlap": Program(
        "overlap",
        "x = st.arange(9).reshape(3, 3)\nx += x.T  # here",
        "x = st.arange(9).reshape(3, 3)\nx = x + x.T",
    ),
    "overlap in a product": Program(
        "overlap",
        "x = st.ones(3, 3)\nst.matmul(x, x, out=x)  # here",
        "x = st.ones(3, 3)\nx = st.matmul(x, x)",
    ),
    "join": Program(
        "join",
        "y = st.concat([x + 1, x + 2])  # here\n",
        "y = st.empty(4, 3, dtype=st.int64)\nst.add(x, 1, out=y[:2])\nst.add(x, 2, out=y[2:])",
    ),
    "promote": Program(
        "promote",
        "places = st.searchsorted(st.tensor([1.0, 2.0]), x)  # here",
        "places = st.searchsorted(st.tensor([1, 2]), x)",
    ),
    "promote before a write": Program(
        "promote",
        "x[[0, 1]] = st.ones(2, 3, dtype=st.int32)  # here",
        "x[[0, 1]] = st.ones(2, 3, dtype=st.int64)",
    ),
    "promote random numbers": Program(
        "promote", "y = st.rand(2, dtype=st.float16)  # here", "y = st.rand(2)"
    ),
    "pack": Program(
        "pack",
        "y = st.tensor([[1, 1], [2, 2]]).T.unique_consecutive(dim=0)  # here",
        "y = st.tensor([[1, 2], [1, 2]]).unique_consecutive(dim=0)",
    ),
    "out": Program(
        "out", "y = st.empty(2, 3, dtype=st.int64)\nst.sort(x, out=y)  # here", "y = st.sort(x)"
    ),
    "out of a reduction": Program(
        "out",
        "y = st.empty(3, dtype=st.float64)\nx.sum(0, out=y)  # here",
        "y = x.sum(0)",
    ),
    "export": Program("export", "y = x.__array__(copy=True)  # here", "y = x.numpy()"),
    "export in another dtype": Program("export", "y = x.__array__('f4')  # here", "y = x.numpy()"),
    "DLPack": Program("export", "y = x.__dlpack__(copy=True)  # here", "y = x.__dlpack__()"),
    "pickle": Program("export", "y = pickle.dumps(x, 4)  # here", "y = x.numpy()"),
    "align": Program(
        "align",
        "y = st.asarray(np.zeros(3, PACKED)['b'])  # here",
        "y = st.asarray(np.zeros(3, '<f8'))",
    ),
    "baseline": Program("baseline", "with st.copy_everything():\n    y = x.T  # here", "y = x.T"),
}


def run(prepare: str, code: str) -> strided.CopyReport:
    """Run a program under a trace; preparations are not traced."""
    names = dict(NAMES)
    exec(prepare, names)
    with strided.trace_copies() as report:
        exec(compile(code, "the program", "exec"), names)
    return report


def test_every_reason_has_a_program() -> None:
    assert {program.reason for program in PROGRAMS.values()} == set(strided.copy_totals())


@pytest.mark.parametrize("name", PROGRAMS)
def test_reason_and_line(name: str) -> None:
    program = PROGRAMS[name]
    line = next(i for i, text in enumerate(program.code.splitlines(), 1) if "# here" in text)
    found = [event for event in run(program.prepare, program.code).events if event.lineno == line]
    assert program.reason in [event.reason for event in found]
    total = strided.copy_totals()[program.reason]
    for event in found:
        assert event.filename == "the program"
        assert event.function in ("<module>", "f")
        assert event.library == "strided"
        if event.reason == program.reason:
            assert (event.asked_for, event.hint) == (total.asked_for, total.hint)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_hint_helps(name: str) -> None:
    program = PROGRAMS[name]
    reasons = [event.reason for event in run(program.prepare, program.followed).events]
    assert program.reason not in reasons


@pytest.mark.parametrize("name", PROGRAMS)
def test_forbidden_before_anything_is_written(name: str) -> None:
    program = PROGRAMS[name]
    names = dict(NAMES)
    exec(program.prepare, names)
    before = names["x"].tolist()
    with pytest.raises(strided.CopyForbidden) as caught, strided.no_copies(implicit_only=False):
        exec(compile(program.code, "the program", "exec"), names)
    assert caught.value.hint
    if names["x"].tolist() != before:  # the program's own x, made on the line before
        assert "x = " in program.code
        assert names["x"].tolist() in (strided.arange(9).reshape(3, 3).tolist(), [[1.0] * 3] * 3)


def test_what_is_no_copy() -> None:
    """Making tensors from lists, computing, reading values and sharing memory duplicate nothing."""
    a = np.arange(6.0).reshape(2, 3)
    with strided.no_copies(implicit_only=False), strided.trace_copies() as report:
        x = strided.asarray([[1, 2], [3, 4]])
        y = strided.from_numpy(a)
        assert (y.T @ y)[1:].flip(0).sum(0).shape == (3,)
        assert x.T.tolist() == [[1, 3], [2, 4]]
        assert repr(x.T)
        assert y.numpy().base is not None
        x[0, 1] = 7
        x.copy_(x)
        strided.positive(x, out=x)
        x[1:] += 1
    assert report.count == 0
