"""A trace sees each copy of its threads once, and agrees with the totals."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import strided


def made() -> strided.Tensor:
    return strided.arange(12).reshape(3, 4)


def test_fields_of_an_event() -> None:
    x = strided.zeros(6, 4)
    with strided.trace_copies() as report:
        x.T.reshape(24)
    (event,) = report.events
    assert (event.reason, event.nbytes, event.asked_for) == ("reshape", 96, False)
    assert (event.source.layout, event.source.dtype) == (strided.Layout((4, 6), (1, 4)), "float32")
    assert (event.target.layout, event.target.dtype) == (strided.Layout((4, 6)), "float32")
    assert str(event.source) == "(4, 6):(1, 4)+0 float32"
    assert event.filename == __file__
    assert event.function == "test_fields_of_an_event"
    assert event.thread == threading.current_thread().name
    with pytest.raises(AttributeError):
        event.nbytes = 0


def test_traces_nest() -> None:
    with strided.trace_copies() as outer:
        made().clone()
        with strided.trace_copies() as inner:
            made().T.contiguous()
        made().clone()
    made().clone()
    assert [event.reason for event in inner.events] == ["contiguous"]
    assert [event.reason for event in outer.events] == ["clone", "contiguous", "clone"]
    assert inner.events[0] == outer.events[1]


def test_a_trace_ends_when_its_block_raises() -> None:
    with pytest.raises(strided.ShapeMismatch), strided.trace_copies() as report:
        made().clone().view(7)
    made().clone()
    assert report.count == 1


def test_a_trace_is_entered_once() -> None:
    trace = strided.trace_copies()
    with trace:
        pass
    with pytest.raises(strided.UnsupportedOperation), trace:
        pass
    with pytest.raises(strided.InvalidArgument):
        strided.trace_copies("mine")


def in_thread(name: str, function: Any) -> None:
    thread = threading.Thread(target=function, name=name)
    thread.start()
    thread.join()


def test_all_threads_or_this_one() -> None:
    with strided.trace_copies() as every, strided.trace_copies(threads="current") as own:
        made().clone()
        in_thread("other", lambda: made().T.contiguous())
    assert [(e.reason, e.thread) for e in every.events] == [
        ("clone", threading.current_thread().name),
        ("contiguous", "other"),
    ]
    assert [event.reason for event in own.events] == ["clone"]


def test_many_threads_lose_nothing() -> None:
    # Large enough for the interpreter to be let go of, and for the pool to be used.
    x = strided.zeros(300, 400)

    def copy() -> None:
        for _ in range(20):
            x.T.contiguous()

    threads = [threading.Thread(target=copy, name=f"worker {i}") for i in range(4)]
    with strided.trace_copies() as report:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert report.count == 80
    assert {event.thread for event in report.events} == {thread.name for thread in threads}
    assert {event.function for event in report.events} == {"copy"}


def test_what_a_kernel_does_belongs_to_its_caller() -> None:
    x = strided.ones(600, 700)
    whole = strided.fuse(lambda x: (x - x.mean(-1, keepdim=True)).square().sum())
    with strided.trace_copies() as report:
        whole(x.T)
        x.T.reshape(-1)
    (event,) = report.events
    assert (event.thread, event.nbytes) == (threading.current_thread().name, x.nbytes)


STEPS = (
    "x.T",
    "x[::-1]",
    "x[:, ::2]",
    "x.flip(1)",
    "x.reshape(-1, 2)",
    "x.reshape(2, -1)",
    "x.contiguous()",
    "x.clone()",
    "x.to(st.float32)",
    "x[[0, 0, 1]]",
    "x[x > 2].reshape(-1, 1)",
    "st.concat([x, x])",
    "st.sort(x, out=st.empty(x.shape, dtype=x.dtype))",
    "x.unsqueeze(0).expand(2, -1, -1).reshape(-1, x.shape[1])",
    "x.add_(x.flip(0))",
    "st.from_numpy(x.__array__(copy=True))",
    "x.reshape(-1).cumsum(0).view(x.shape)",
)


@given(some.lists(some.sampled_from(STEPS), min_size=1, max_size=8))
def test_random_programs_agree_with_the_totals(steps: list[str]) -> None:
    names: dict[str, Any] = {"st": strided, "np": np, "x": made()}
    before = strided.copy_totals()
    with strided.trace_copies() as report:
        for number, step in enumerate(steps, 1):
            try:
                names["x"] = eval(compile("\n" * number + step, "random", "eval"), names)
            except (strided.StridedError, TypeError):
                continue  # shapes that do not fit
    for reason, total in strided.copy_totals().items():
        events = [event for event in report.events if event.reason == reason]
        assert len(events) == total.count - before[reason].count
        assert sum(event.nbytes for event in events) == total.nbytes - before[reason].nbytes
        assert all(event.filename == "random" and event.lineno > 1 for event in events)
