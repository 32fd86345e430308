"""What code written for PyTorch stumbled over: each once, with what it gives now."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import strided as st


def test_size_is_a_number_and_a_method() -> None:
    x = st.zeros(2, 3)
    assert (x.size, x.size(), x.size(0), x.size(-1)) == (6, (2, 3), 2, 3)
    assert isinstance(x.size, int)
    assert type(pickle.loads(pickle.dumps(x.size))) is int
    with pytest.raises(IndexError):
        x.size(2)


@pytest.mark.parametrize("dtype", [st.float16, st.bfloat16])
def test_half_precision_sums_do_not_saturate(dtype: st.DType) -> None:
    count = 3000
    ones, at = st.ones(count, dtype=dtype), st.zeros(count, dtype=st.int64)
    expected = st.tensor(float(count)).to(dtype).item()

    def zero() -> st.Tensor:
        return st.zeros(1, dtype=dtype)

    assert zero().scatter_add(0, at, ones).item() == expected
    assert zero().index_add(0, at, ones).item() == expected
    assert zero().index_put((at,), ones, accumulate=True).item() == expected
    assert zero().put(at, ones, accumulate=True).item() == expected
    assert zero().scatter_reduce(0, at, ones, "sum").item() == expected
    for pick in (
        lambda w: w[at],
        lambda w: w.gather(0, at),
        lambda w: w.index_select(0, at),
        lambda w: w.take(at),
        lambda w: st.nn.functional.embedding(at, w.unsqueeze(1)).squeeze(1),
    ):
        weight = zero().requires_grad_()
        pick(weight).backward(ones)
        assert weight.grad is not None
        assert weight.grad.item() == expected


def test_complex_nan_is_left_out() -> None:
    x = st.tensor([1 + 1j, complex("nan"), complex(0, float("nan"))])
    assert st.nansum(x).item() == 1 + 1j
    assert st.nanmean(x).item() == 1 + 1j


@pytest.mark.parametrize(
    "name",
    [
        *("sum", "mean", "prod", "amax", "amin", "argmax", "cumsum", "cumprod", "max", "min"),
        *("logsumexp", "all", "any", "count_nonzero"),
    ],
)
def test_rank_0_has_an_axis_to_reduce(name: str) -> None:
    x = st.tensor(2.0)
    for dim in (0, -1):
        got = getattr(x, name)(dim)
        assert (got[0] if isinstance(got, tuple) else got).shape == ()
    with pytest.raises(st.InvalidDimension):
        getattr(x, name)(1)


def test_overlapping_elements_are_lent_read_only() -> None:
    for x in (st.zeros(3).expand(3, 3), st.arange(6).as_strided((3, 3), (1, 1))):
        assert memoryview(x).readonly
        assert not x.numpy().flags.writeable
        assert not np.asarray(x).flags.writeable
    assert st.zeros(3, 3).T.numpy().flags.writeable


def test_attributes_can_be_assigned() -> None:
    z = st.tensor([1 + 2j, 3 + 4j])
    z.real = 5
    z.imag = st.tensor([7.0, 8.0])
    assert z.tolist() == [5 + 7j, 5 + 8j]
    x, other = st.zeros(2, requires_grad=True), st.ones(3)
    x.data = other
    assert (x.shape, x.requires_grad, x.shares_storage(other)) == ((3,), True, True)
    with pytest.raises(TypeError, match="data must be"):
        x.data = 3  # type: ignore[assignment]


def test_a_list_of_positions_names_axes() -> None:
    x = st.zeros(3, 3)
    x.index_put_([st.tensor([0, 1]), st.tensor([1, 2])], st.tensor([5.0, 6.0]))
    assert x.tolist() == [[0, 5, 0], [0, 0, 6], [0, 0, 0]]


def test_dtypes_of_python_and_pytorch() -> None:
    assert st.zeros(1, dtype=float).dtype is st.float64
    assert st.zeros(1, dtype=complex).dtype is st.complex128
    assert (st.float, st.double, st.half) == (st.float32, st.float64, st.float16)
    assert (st.int, st.long, st.short) == (st.int32, st.int64, st.int16)
    assert (st.cfloat, st.cdouble) == (st.complex64, st.complex128)


def test_ravel_has_no_gaps() -> None:
    x = st.arange(10)[::2].ravel()
    assert (x.is_contiguous(), x.tolist()) == (True, [0, 2, 4, 6, 8])
    y = st.arange(6).reshape(2, 3)
    assert y.ravel().shares_storage(y)


REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "broadcast_to -1": (lambda: st.broadcast_to(st.zeros(3), (-1,)), ValueError, "lengths"),
    "x.broadcast_to": (lambda: st.zeros(3).broadcast_to(-1), ValueError, "lengths"),
    "bool length": (lambda: st.zeros(3).reshape(True, -1), TypeError, "bool"),
    "seed": (lambda: st.manual_seed("a"), ValueError, "integer"),
    "device": (lambda: st.zeros(1).to("cuda"), ValueError, "there is no other"),
    "name": (lambda: st.zeros(1)["a"], IndexError, "axes have no names"),
    "float": (lambda: st.zeros(3)[1.0], IndexError, "positions are integers"),
    "arrays": (lambda: st.zeros(3, 3)[[0, 1], [0, 1, 2]], IndexError, "could not be broadcast"),
    "wide": (lambda: st.tensor(2**65), OverflowError, "64 bits"),
    "threads": (lambda: st.set_num_threads(2**31), ValueError, "number of threads"),
    "text": (lambda: st.permute("a", (0,)), TypeError, r"permute\(\) takes a tensor, got str"),
    "zero_": (lambda: st.zeros(3).expand(3, 3).zero_(), Exception, "zero_ would write"),
    "sparse": (lambda: st.zeros(1).to_sparse(), AttributeError, "dense"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals_say_why(case: str) -> None:
    call, error, words = REFUSED[case]
    with pytest.raises(error, match=words):
        call()


def test_norm_of_nothing() -> None:
    assert st.vector_norm(st.zeros(3, 0), axis=1, ord=float("inf")).tolist() == [0, 0, 0]


def test_printing() -> None:
    assert str(st.tensor([1.5, -100.25], dtype=st.bfloat16)) == (
        "tensor([   1.5, -100. ], dtype=bfloat16)"
    )
    assert str(st.zeros(0, 3)) == "tensor([], shape=(0, 3))"
    assert str(st.zeros(1, requires_grad=True)) == "tensor([0.], requires_grad=True)"
    assert "..." in str(st.arange(5000).to(st.bfloat16))
    st.set_printoptions(precision=2, sci_mode=True)
    try:
        assert str(st.tensor([1234.5])) == "tensor([1.23e+03])"
    finally:
        st.set_printoptions(profile="default")
    with pytest.raises(st.InvalidArgument):
        st.set_printoptions(profile="wide")


def test_random_fills_stay_in_their_range() -> None:
    st.manual_seed(0)
    x = st.empty(2000).uniform_(2, 3)
    assert 2 <= x.min().item() <= x.max().item() < 3
    assert abs(st.empty(20000).normal_(1, 2).mean().item() - 1) < 0.1
    assert abs(st.empty(20000).exponential_(2).mean().item() - 0.5) < 0.05
    assert abs(st.empty(20000).bernoulli_(0.25).mean().item() - 0.25) < 0.02
    whole = st.empty(1000, dtype=st.int64).random_(5)
    assert sorted(whole.unique().tolist()) == [0, 1, 2, 3, 4]
    drawn = st.multinomial(st.tensor([0.0, 1.0, 3.0]), 8000, replacement=True)
    assert drawn.min().item() == 1
    assert abs((drawn == 2).float().mean().item() - 0.75) < 0.03
    rows = st.multinomial(st.ones(4, 6), 6)
    assert rows.sort(1).values.tolist() == [[0, 1, 2, 3, 4, 5]] * 4
    state = st.get_rng_state()
    first = st.rand(3)
    st.set_rng_state(state)
    assert st.array_equal(first, st.rand(3))


def test_division_is_rounded_as_asked() -> None:
    x, y = st.tensor([7, -7, 7, -7, 6]), st.tensor([2, 2, -2, -2, -3])
    assert st.div(x, y, rounding_mode="trunc").tolist() == [3, -3, -3, 3, -2]
    assert st.div(x, y, rounding_mode="floor").tolist() == [3, -4, -4, 3, -2]
    assert x.div(2, rounding_mode="trunc").dtype is st.int64
    assert st.div(st.tensor([-7.0]), 2, rounding_mode="trunc").tolist() == [-3.0]
