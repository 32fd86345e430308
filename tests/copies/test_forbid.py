"""no_copies(): which copies are refused, in which code, and that nothing was done by then."""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import strided


def test_fields_of_the_refusal() -> None:
    x = strided.zeros(6, 4).T
    with pytest.raises(strided.CopyForbidden) as caught, strided.no_copies():
        x.reshape(24)
    error = caught.value
    assert isinstance(error, RuntimeError)
    assert (error.reason, error.nbytes, error.filename) == ("reshape", 96, __file__)
    assert error.where.startswith("test_forbid.py:")
    assert error.what.startswith("reshape would copy 96 bytes: (4, 6):(1, 4)+0 float32 to ")
    assert error.hint == strided.copy_totals()["reshape"].hint
    assert str(error).splitlines() == [
        error.what,
        f"  {error.why} ({error.where})",
        f"  {error.hint}",
    ]
    again = pickle.loads(pickle.dumps(error))
    assert (again.reason, str(again)) == (error.reason, str(error))


def test_asked_for_or_not() -> None:
    x = strided.arange(6).reshape(2, 3)
    with strided.no_copies():
        x.clone()
        x[:] = x + 1
        with pytest.raises(strided.CopyForbidden):
            x[[0, 1]]
    with strided.no_copies(implicit_only=False), pytest.raises(strided.CopyForbidden):
        x.clone()
    x[[0, 1]]


def test_a_refused_copy_is_not_counted() -> None:
    x = strided.arange(6).reshape(2, 3)
    before = strided.copy_totals()
    with strided.trace_copies() as report, strided.no_copies(), pytest.raises(RuntimeError):
        x.T.reshape(6)
    assert report.count == 0
    assert strided.copy_totals() == before


def test_large_copies_are_refused_too() -> None:
    """There the interpreter is let go of before the copy begins."""
    x = strided.zeros(400, 500)
    with strided.no_copies(implicit_only=False):
        for copy in (x.T.reshape, x.clone, x.T.contiguous):
            with pytest.raises(strided.CopyForbidden):
                copy(*((-1,) if copy.__name__ == "reshape" else ()))
    assert x.T.clone().shape == (500, 400)


WRITES = {
    "overlapping sum": lambda x: x.add_(x.T),
    "overlapping assignment": lambda x: x.__setitem__(slice(None), x.T),
    "product": lambda x: strided.matmul(x, x, out=x),
    "scatter": lambda x: x.__setitem__(strided.tensor([0, 1]), x[1:]),
    "scatter of ints": lambda x: x.__setitem__([0, 1], strided.ones(2, 3, dtype=strided.int32)),
    "mask": lambda x: x.__setitem__(x > 2, x.reshape(-1)[x.reshape(-1) > 2]),
    "sort": lambda x: strided.sort(x, axis=0, out=x),
    "running sum": lambda x: x.T.cumsum(None, out=x.reshape(-1)),
}


@pytest.mark.parametrize("name", WRITES)
def test_the_target_stays_as_it_was(name: str) -> None:
    x = strided.arange(9.0).reshape(3, 3)
    before, version = x.tolist(), x._version
    with pytest.raises(strided.CopyForbidden), strided.no_copies():
        WRITES[name](x)
    assert x.tolist() == before
    assert x._version == version


def test_bans_nest_and_are_never_lifted_inside() -> None:
    x = strided.zeros(2, 3)
    with strided.no_copies(implicit_only=False):
        with strided.no_copies(), pytest.raises(strided.CopyForbidden):
            x.clone()
        with pytest.raises(strided.CopyForbidden):
            x.clone()
    ban = strided.no_copies()
    with ban, ban, pytest.raises(strided.CopyForbidden):
        x.T.reshape(6)
    x.T.reshape(6)


def test_one_thread_does_not_forbid_another() -> None:
    failures: list[BaseException] = []
    start, done = threading.Event(), threading.Event()

    def other() -> None:
        try:
            start.wait(60)
            strided.zeros(2, 3).T.reshape(6)
        except BaseException as error:
            failures.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=other)
    thread.start()
    with strided.no_copies():
        start.set()
        assert done.wait(60)
    thread.join()
    assert not failures


# ---- decorators ----


def test_decorated_functions() -> None:
    @strided.no_copies()
    def flat(x: strided.Tensor, depth: int) -> Any:
        """Say what it does."""
        return flat(x, depth - 1) if depth else x.reshape(6)

    assert flat.__doc__ == "Say what it does."
    assert flat(strided.zeros(2, 3), 2).shape == (6,)
    with pytest.raises(strided.CopyForbidden):
        flat(strided.zeros(2, 3).T, 2)
    strided.zeros(2, 3).T.reshape(6)


def test_decorated_coroutines_leave_other_tasks_alone() -> None:
    async def main() -> list[Any]:
        entered, left = asyncio.Event(), asyncio.Event()

        @strided.no_copies()
        async def strict() -> bool:
            entered.set()
            await left.wait()
            with pytest.raises(strided.CopyForbidden):
                strided.zeros(2, 3).T.reshape(6)
            return True

        async def free() -> Any:
            await entered.wait()
            left.set()
            return strided.zeros(2, 3).T.reshape(6).shape

        return await asyncio.gather(strict(), free())

    assert asyncio.run(main()) == [True, (6,)]


def test_generator_functions_are_refused() -> None:
    def numbers() -> Iterator[int]:
        yield 1

    with pytest.raises(strided.UnsupportedOperation) as caught:
        strided.no_copies()(numbers)
    assert "with strided.no_copies()" in caught.value.hint
    with pytest.raises(strided.InvalidArgument):
        strided.no_copies(numbers)  # type: ignore[arg-type]
