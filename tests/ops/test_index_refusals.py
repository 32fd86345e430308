"""Positions, masks and shapes that are refused leave everything as it was."""

from __future__ import annotations

import numpy as np
import pytest
from support.compare import as_numpy, assert_same
from support.ordering import threads

import strided

REFUSED = {
    "index": lambda x, i: x.__setitem__(i, 7.0),
    "scatter_": lambda x, i: x.scatter_(0, i, 7),
    "scatter_add_": lambda x, i: x.scatter_add_(0, i, strided.ones(*i.shape)),
    "scatter_reduce_": lambda x, i: x.scatter_reduce_(0, i, strided.ones(*i.shape), "amax"),
    "index_add_": lambda x, i: x.index_add_(0, i, strided.ones(*i.shape)),
    "index_copy_": lambda x, i: x.index_copy_(0, i, strided.ones(*i.shape)),
    "index_fill_": lambda x, i: x.index_fill_(0, i, 7),
    "put_": lambda x, i: x.put_(i, strided.ones(*i.shape)),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("bad", [600, -601])
@pytest.mark.parametrize("workers", [1, 3])
def test_out_of_bounds_writes_nothing(name: str, bad: int, workers: int) -> None:
    with threads(workers):
        x = strided.zeros(600)
        before = x._version
        i = np.arange(600)
        i[577] = bad  # behind the first block, and behind what other threads write
        with pytest.raises(strided.IndexOutOfBounds) as caught:
            REFUSED[name](x, strided.tensor(i))
        assert (caught.value.index, caught.value.length, caught.value.axis) == (bad, 600, 0)
        assert not as_numpy(x).any()
        assert x._version == before


def test_out_of_bounds_reading_names_the_axis() -> None:
    x = strided.zeros(3, 4)
    cases = (
        (lambda: x[strided.tensor([0, 3])], 3, 0),
        (lambda: x[:, strided.tensor([0, -5])], -5, 1),
        (lambda: x[..., [4]], 4, 1),
        (lambda: strided.take(x, [9], axis=1), 9, 1),
        (lambda: x.gather(1, strided.tensor([[4]])), 4, 1),
        (lambda: x.take(strided.tensor([12])), 12, 0),
        (lambda: x[[0], [7]], 7, 1),
        (lambda: strided.zeros(0, 4)[[0]], 0, 0),
        # A number beside what selects nothing.
        (lambda: x[False, 5], 5, 0),
        (lambda: x[[], -6], -6, 1),
        (lambda: x.__setitem__((False, 5), 1.0), 5, 0),
        (lambda: x.__setitem__(([], 4), 1.0), 4, 1),
    )
    for call, index, axis in cases:
        with pytest.raises(strided.IndexOutOfBounds) as caught:
            call()
        assert (caught.value.index, caught.value.axis) == (index, axis)


def test_positions_are_integers() -> None:
    x = strided.zeros(3)
    for i in (strided.tensor([0.0]), strided.tensor([0j]), strided.tensor([True, False, True])):
        for call in (
            lambda i=i: x.gather(0, i),
            lambda i=i: x.take(i),
            lambda i=i: strided.take(x, i),
            lambda i=i: x.scatter_(0, i, 1),
            lambda i=i: x.index_fill_(0, i, 1),
        ):
            with pytest.raises(strided.DTypeMismatch):
                call()
    assert x[[]].shape == (0,)
    assert strided.take(x, []).shape == (0,)


def test_masks_are_bool() -> None:
    x = strided.zeros(3)
    for mask in (strided.tensor([0, 1, 2]), strided.ones(3)):
        for call in (
            lambda mask=mask: x.masked_select(mask),
            lambda mask=mask: x.masked_fill(mask, 1),
            lambda mask=mask: x.masked_fill_(mask, 1),
            lambda mask=mask: x.masked_scatter_(mask, strided.ones(3)),
        ):
            with pytest.raises(strided.DTypeMismatch):
                call()
    assert x.tolist() == [0.0, 0.0, 0.0]


def test_shape_refusals() -> None:
    x, i = strided.zeros(3, 4), strided.zeros(4, 4, dtype=strided.int64)
    for call in (
        lambda: x.gather(1, i),
        lambda: x.gather(0, i[0]),
        lambda: x.scatter_(0, i, strided.zeros(2, 4)),
        lambda: x.scatter_(1, i, 1),
        lambda: x.index_select(0, i),
        lambda: x.index_add_(0, i[0], strided.zeros(3, 4)),
        lambda: x.index_copy_(1, i[0], strided.zeros(4)),
        lambda: x.index_reduce_(0, i[0], strided.zeros(3, 4), "amax"),
        lambda: x.put_(i, strided.zeros(3)),
        lambda: x.take_along_dim(i[0], 0),
        lambda: x.masked_select(strided.zeros(3, dtype=strided.bool)),
        lambda: x.masked_scatter_(x == 0, strided.zeros(11)),
        lambda: x.__setitem__(x == 0, strided.zeros(11)),
    ):
        with pytest.raises(strided.ShapeMismatch):
            call()
    wrong = strided.zeros(3, 4, dtype=strided.int64)
    for call in (
        lambda: x.scatter_(0, i[:3], wrong),
        lambda: x.scatter_add_(0, i[:3], wrong),
        lambda: x.scatter_reduce_(0, i[:3], wrong, "amax"),
        lambda: x.index_add_(0, i[0, :3], wrong),
        lambda: x.index_copy_(0, i[0, :3], wrong),
        lambda: x.put_(i[:3], wrong),
        lambda: x.masked_scatter_(x == 0, wrong),
    ):
        with pytest.raises(strided.DTypeMismatch):
            call()
    with pytest.raises(strided.InvalidArgument):
        x.scatter_(0, i[:3], 1, reduce="mean")
    with pytest.raises(strided.InvalidArgument):
        x.scatter_reduce_(0, i[:3], x, "add")
    with pytest.raises(strided.DTypeMismatch):
        strided.zeros(2, dtype=strided.complex64).scatter_reduce_(
            0, i[0, :2], strided.zeros(2, dtype=strided.complex64), "amax"
        )


def test_axes_that_do_not_exist_are_refused() -> None:
    x, i = strided.zeros(3, 4), strided.tensor([0])
    for call in (
        lambda: x.gather(2, strided.tensor([[0]])),
        lambda: x.take_along_dim(strided.tensor([[0]]), -3),
        lambda: x.take(i, 2),
        lambda: x.index_select(2, i),
        lambda: x.scatter_(2, strided.tensor([[0]]), 1),
        lambda: x.index_add_(2, i, x[:1]),
        lambda: x.index_copy_(-3, i, x[:1]),
        lambda: x.index_fill_(2, i, 1),
        lambda: strided.put_along_axis(x, strided.tensor([[0]]), 1, axis=2),
    ):
        with pytest.raises(strided.InvalidDimension) as caught:
            call()
        assert caught.value.rank == 2


def test_results_go_into_out() -> None:
    a, i = np.arange(12.0).reshape(3, 4), np.array([2, 0])
    x, index = strided.tensor(a), strided.tensor(i)
    room = strided.zeros(8, 3, dtype=strided.float64).T[:, ::2]  # any layout
    wide = strided.tensor(np.array([[2, 0, 1, 1]]))
    for call, expected in (
        (lambda out: x.take(index, 0, out=out), a.take(i, 0)),
        (lambda out: strided.take(x, index, axis=0, out=out), a.take(i, 0)),
        (lambda out: x.index_select(0, index, out=out), a.take(i, 0)),
        (lambda out: strided.index_select(x, 0, index, out=out), a.take(i, 0)),
        (lambda out: x.gather(0, wide, out=out), np.take_along_axis(a, as_numpy(wide), 0)),
        (lambda out: strided.gather(x, 0, wide, out=out), np.take_along_axis(a, as_numpy(wide), 0)),
        (
            lambda out: strided.take_along_axis(x, wide, axis=0, out=out),
            np.take_along_axis(a, as_numpy(wide), 0),
        ),
    ):
        out = room[: expected.shape[0]]
        assert call(out) is out
        assert_same(out, expected)
        with pytest.raises(strided.ShapeMismatch):
            call(strided.zeros(3, 4, dtype=strided.float64))
        with pytest.raises(strided.DTypeMismatch):
            call(strided.zeros(*expected.shape))
    out = strided.arange(4)
    out.take(strided.tensor([3, 2, 1, 0]), out=out)  # what is read may be what is written
    assert out.tolist() == [3, 2, 1, 0]
    with pytest.raises(strided.IndexOutOfBounds):
        out.take(strided.tensor([0, 0, 0, 4]), out=out)
    assert out.tolist() == [3, 2, 1, 0]


def test_only_writable_memory_is_written() -> None:
    i = strided.tensor([0])
    with pytest.raises(strided.WriteThroughOverlap):
        strided.zeros(1).expand(3).scatter_(0, i, 1)
    with pytest.raises(strided.ReadOnlyTensor):
        strided.frombuffer(b"abcd", dtype=strided.uint8).index_fill_(0, i, 1)
    repeated = strided.zeros(1).expand(3)
    with pytest.raises(strided.WriteThroughOverlap):
        repeated.masked_scatter_(repeated == 0, strided.ones(3))
