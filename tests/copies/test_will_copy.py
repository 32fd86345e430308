"""What will_copy and explain_reshape foresee is what happens, and asking does nothing."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import strided
from strided.ops.define import DEFINITIONS

# All have an axis 0 of even length, for unflatten.
LAYOUTS = {
    "row-major": lambda: strided.arange(24).reshape(2, 3, 4),
    "permuted": lambda: strided.arange(24).reshape(2, 3, 4).permute(0, 2, 1),
    "axes reversed": lambda: strided.arange(24).reshape(4, 3, 2).permute(2, 1, 0),
    "with gaps": lambda: strided.arange(48).reshape(2, 3, 8)[:, :, ::2],
    "flipped": lambda: strided.arange(24).reshape(2, 3, 4).flip(2),
    "repeated": lambda: strided.arange(12).reshape(4, 3).T.expand(2, 3, 4),
}
REQUESTS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("reshape", (24,), {}),
    ("reshape", ((6, 4),), {}),
    ("reshape", (2, -1), {}),
    ("reshape", (-1, 4), {"copy": True}),
    ("flatten", (), {}),
    ("flatten", (1,), {}),
    ("ravel", (), {}),
    ("reshape_as", (strided.zeros(4, 6),), {}),
    ("contiguous", (), {}),
    ("contiguous", (), {"memory_format": "column_major"}),
    ("clone", (), {}),
    ("to", (strided.int64,), {}),
    ("to", (strided.float32,), {}),
    ("to", (strided.int64,), {"copy": True}),
    ("to", (), {"memory_format": "column_major"}),
    ("astype", (strided.int64,), {}),
    ("astype", (strided.int64,), {"copy": False}),
    ("permute", (2, 0, 1), {}),
    ("transpose", (0, 1), {}),
    ("mT", (), {}),
    ("flip", (0,), {}),
    ("unfold", (2, 2, 1), {}),
    ("split", (1,), {}),
    ("chunk", (2,), {"dim": 1}),
    ("unflatten", (0, (2, -1)), {}),
    ("sliding_window_view", ((2, 2, 2),), {}),
    ("real", (), {}),
    ("[]", (0,), {}),
    ("[]", ((slice(None), None, 1),), {}),
    ("[]", ([0, 1, 1],), {}),
    ("[]", ((slice(None), [2, 0]),), {}),
    ("[]", ((strided.tensor([0]), slice(None), strided.tensor([1])),), {}),
]


def perform(x: strided.Tensor, operation: str, args: Any, options: Any) -> Any:
    if operation == "[]":
        return x[args[0]]
    member = getattr(x, operation)
    return member if isinstance(member, strided.Tensor) else member(*args, **options)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("request_", REQUESTS, ids=lambda r: f"{r[0]}{r[1]}{r[2] or ''}")
def test_foreseen_and_done(layout: str, request_: Any) -> None:
    x = LAYOUTS[layout]()
    with strided.no_copies(implicit_only=False):
        forecast = strided.will_copy(x, request_[0], *request_[1], **request_[2])
    with strided.trace_copies() as report:
        perform(x, *request_)
    assert forecast.allowed
    assert bool(forecast) == (report.count > 0)
    assert forecast.nbytes == report.bytes
    assert forecast.source == f"{x.layout} int64"
    assert ("copies" in str(forecast)) == bool(forecast)


@given(some.sampled_from(sorted(LAYOUTS)), some.permutations([2, 2, 2, 3]), some.integers(1, 4))
def test_reshapes_are_foreseen(layout: str, factors: list[int], rank: int) -> None:
    x = LAYOUTS[layout]()
    shape = (*factors[: rank - 1], int(np.prod(factors[rank - 1 :])))
    forecast = x.explain_reshape(shape)
    assert forecast == strided.will_copy(x, "reshape", shape)
    assert bool(forecast) != x.reshape(shape).shares_storage(x)
    result = x.reshape(shape)
    for other in forecast.alternatives:
        with strided.trace_copies() as report:
            made = eval(f"x{other.code}")
        assert report.bytes == other.nbytes < forecast.nbytes
        if other.same_result:
            assert made.tolist() == result.tolist()
        elif "order" in other.note:
            assert made.shape == shape
            assert sorted(made.ravel().tolist()) == sorted(result.ravel().tolist())
        else:
            assert made.ravel().tolist() == result.ravel().tolist()


def test_the_pair_of_axes_and_the_numbers() -> None:
    forecast = strided.zeros(6, 4).T.explain_reshape(24)
    assert "axes 0 and 1" in forecast.why
    assert "stride[0] = 1, length[1] * stride[1] = 24" in forecast.why
    assert forecast.nbytes == 96
    assert forecast.target == "(24,):(1,)+0 float32"
    with pytest.raises(dataclasses.FrozenInstanceError):
        forecast.nbytes = 0


def test_heads_are_put_back_before_they_are_joined() -> None:
    """[batch, heads, sequence, width] to [batch, sequence, heads x width]: transpose first."""
    x = strided.zeros(2, 5, 3, 4).transpose(1, 2)
    best = x.explain_reshape(2, 5, 12).alternatives[0]
    assert best.code == ".permute(0, 2, 1, 3).view(2, 5, 12)"
    assert best.nbytes == 0


def test_copying_before_repeating_is_cheaper() -> None:
    x = strided.arange(6).reshape(2, 3).T.expand(100, 3, 2)
    forecast = x.explain_reshape(100, 6)
    best = forecast.alternatives[0]
    assert (forecast.nbytes, best.nbytes, best.same_result) == (4800, 48, True)
    assert best.code == "[0].reshape(6).expand(100, 6)"


def test_every_method_that_may_copy_has_a_forecast() -> None:
    either = {name for one in DEFINITIONS.values() if one.kind == "either" for name in one.methods}
    assert {"reshape", "contiguous", "to", "H"} <= either
    x = strided.zeros(2, 3).T
    for name in either | {"clone"}:
        args = {"reshape": (-1,), "reshape_as": (x,), "type_as": (x,), "to_device": ("cpu",)}
        given = args.get(name, (strided.int64,) if name == "astype" else ())
        assert strided.will_copy(x, name, *given).source == f"{x.layout} float32", name
    assert not strided.will_copy(x, "H")
    assert strided.will_copy(x.to(strided.complex64), "H").nbytes == 48


def test_views_that_are_refused() -> None:
    x = strided.zeros(6, 4).T
    forecast = strided.will_copy(x, "view", 24)
    assert (bool(forecast), forecast.allowed) == (False, False)
    assert "is refused" in str(forecast)
    assert not strided.will_copy(x, "reshape", 24, copy=False).allowed
    assert strided.will_copy(x, "view", (4, 2, 3)).allowed
    assert not strided.will_copy(strided.zeros(4), "view", strided.uint8)


def test_masks_are_not_counted() -> None:
    x = strided.arange(24).reshape(4, 6)
    for key in (x > 3, (x > 3).numpy(), [True, False, True, False]):
        forecast = strided.will_copy(x, "[]", key)
        assert forecast
        assert forecast.nbytes == x.nbytes
        assert "at most" in forecast.why


def test_other_arrays_and_export() -> None:
    a = np.zeros((3, 4))[:, ::2]
    assert not strided.will_copy(a, "asarray")
    assert strided.will_copy(a, "asarray", strided.float32).nbytes == 24
    assert strided.will_copy(a.T, "reshape", -1)
    x = strided.from_numpy(a)
    assert not strided.will_copy(x, "numpy")
    assert strided.will_copy(x, "numpy", copy=True).nbytes == 48
    with pytest.raises(strided.InvalidArgument):
        strided.will_copy([1, 2], "reshape", -1)  # has no layout yet


def test_bad_questions() -> None:
    x = strided.zeros(2, 3)
    with pytest.raises(strided.InvalidArgument) as caught:
        strided.will_copy(x, "exp")
    assert "reshape" in caught.value.requirement
    for bad in itertools.product(["reshape", "view"], [7, (-1, -1), (5, -1)]):
        with pytest.raises(strided.StridedError):
            strided.will_copy(x, *bad)
    with pytest.raises(strided.InvalidDimension):
        strided.will_copy(x, "flip", 2)


def test_under_copy_everything_views_copy() -> None:
    x = strided.zeros(2, 3)
    with strided.copy_everything():
        for question in (("permute", 1, 0), ("reshape", 6), ("[]", 0), ("ravel",), ("split", 1)):
            forecast = strided.will_copy(x, *question)
            assert "copy_everything()" in forecast.why
            with strided.trace_copies() as report:
                perform(x, question[0], question[1:], {})
            assert (bool(forecast), forecast.nbytes) == (True, report.bytes)
        assert x.explain_reshape(6)
        assert not strided.will_copy(x, "real")  # itself


def test_no_pieces_are_no_copies() -> None:
    forecast = strided.will_copy(strided.zeros(0, 3), "unbind")
    assert (bool(forecast), forecast.target) == (False, "")
