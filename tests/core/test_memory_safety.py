"""Inputs that once wrote past an array, read freed memory, overflowed or killed the process."""

from __future__ import annotations

import gc
import math
import pickle
import struct
import weakref
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import strided
from strided import nn

HUGE = 2**62


# ---- ranks ----


def test_embedding_of_64_axes() -> None:
    """nn.embedding(zeros((1,) * 64)): its result would have an axis too many."""
    with pytest.raises(strided.InvalidArgument) as caught:
        nn.embedding(strided.zeros((1,) * 64, dtype=strided.int64), strided.ones(3, 4))
    assert "65" in str(caught.value)


@pytest.mark.parametrize("dtype", [strided.complex64, strided.complex128])
@pytest.mark.parametrize("name", ["var", "std"])
def test_variance_of_complex_numbers_with_64_axes(name: str, dtype: Any) -> None:
    """zeros((1,) * 64, dtype=complex64).var(): the two parts are an axis more."""
    x = strided.arange(2).to(dtype).reshape((1,) * 63 + (2,))
    assert getattr(x, name)().item() == pytest.approx({"var": 0.5, "std": 0.5**0.5}[name])
    assert getattr(x, name)(-1).shape == (1,) * 63
    assert np.isnan(getattr(strided.zeros((1,) * 64, dtype=dtype), name)().item())


AXES_ADDED: dict[str, Callable[[Any], Any]] = {
    "unsqueeze": lambda x: x.unsqueeze(0),
    "x[None]": lambda x: x[None],
    "stack": lambda x: strided.stack([x, x]),
    "unfold": lambda x: x.unfold(0, 1, 1),
    "expand": lambda x: x.expand((2,) + (1,) * 64),
    "reshape": lambda x: x.reshape((1,) * 65),
    "zeros": lambda x: strided.zeros((1,) * 65),
    "sliding windows": lambda x: x[[0]][None],
}


@pytest.mark.parametrize("way", AXES_ADDED)
def test_one_axis_too_many_is_refused(way: str) -> None:
    with pytest.raises(strided.StridedError):
        AXES_ADDED[way](strided.zeros((1,) * 64))


# ---- buffers that outlive the tensor's place ----


class Box:
    """Keeps what NumPy sees of its tensor from the moment in which it is unpickled."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def __getstate__(self) -> Any:
        return self.x

    def __setstate__(self, x: Any) -> None:
        self.x = x
        self.array = x.numpy()
        self.view = memoryview(x)


def test_buffers_hold_their_storage() -> None:
    """A pickle whose __setstate__ keeps x.numpy(): its tensor moves to another storage later on."""
    x = strided.arange(20_000, dtype=strided.int64)  # of a size that goes back to malloc
    wanted = np.arange(10_000)
    box, whole = pickle.loads(pickle.dumps([Box(x[:10_000]), x]))
    assert box.x.data_ptr() == whole.data_ptr()  # it has moved
    gc.collect()
    others = [strided.full((10_000,), -1, dtype=strided.int64) for _ in range(8)]
    assert (box.array == wanted).all()
    assert (np.asarray(box.view) == wanted).all()
    assert len(others) == 8


# ---- depth ----


def test_a_fused_chain_of_200_000_operations() -> None:
    """200,000 fused operations: no step of the way recurses."""

    def negated(x: Any) -> Any:
        for _ in range(200_000):
            x = -x
        return x

    def mixed(x: Any) -> Any:
        for _ in range(10_000):
            x = x.sin().to(strided.float64).to(strided.float32)
        return x

    assert strided.fuse(negated)(strided.ones(3)).tolist() == [1, 1, 1]
    assert strided.fuse(mixed)(strided.ones(3)).tolist() == pytest.approx([0.0173] * 3, abs=1e-3)


def test_a_fused_tree_of_200_000_operations_is_refused() -> None:
    numbers = iter(range(10**9))

    def grown(x: Any) -> Any:
        for _ in range(100_000):
            x = x * 2 + float(next(numbers))
        return x

    with pytest.raises(strided.InvalidArgument, match="operands"):
        strided.fuse(grown)(strided.ones(3))


def test_a_recorded_chain_of_100_000_operations() -> None:
    x = strided.ones(2).requires_grad_()
    y = x
    for _ in range(100_000):
        y = -y
    y.sum().backward()
    assert x.grad.tolist() == [1, 1]
    del y
    gc.collect()


@pytest.mark.parametrize("depth", [65, 10_000])
def test_deep_lists_are_refused(depth: int) -> None:
    nested: list[Any] = []
    for _ in range(depth):
        nested = [nested]
    with pytest.raises(strided.StridedError):
        strided.tensor(nested)
    circle: list[Any] = []
    circle.append(circle)
    with pytest.raises(strided.StridedError):
        strided.tensor(circle)


# ---- sizes and strides that do not fit ----

EMPTY: dict[str, Callable[[Any], Any]] = {
    "sort": lambda x: x.sort(),
    "sort descending": lambda x: x.sort(1, descending=True),
    "sort 0": lambda x: x.sort(0),
    "argsort": lambda x: x.argsort(),
    "topk(0)": lambda x: x.topk(0),
    "topk(3)": lambda x: x.topk(3),
    "kthvalue": lambda x: x.kthvalue(2),
    "median": lambda x: x.median(1),
    "cummax": lambda x: x.cummax(1),
    "cumsum": lambda x: x.cumsum(1),
    "cumprod": lambda x: x.cumprod(0),
    "max": lambda x: x.max(1),
    "argmax": lambda x: x.argmax(1),
    "sum": lambda x: x.sum(1),
    "var": lambda x: x.var(1),
    "logsumexp": lambda x: x.logsumexp(1),
    "norm": lambda x: x.norm(),
    "diff": strided.diff,
    "diff often": lambda x: strided.diff(x, n=2**40, axis=0),
    "triu": lambda x: strided.triu(x.T),
    "roll": lambda x: strided.roll(x, (1, 1), axis=(0, 1)),
    "unique": strided.unique_values,
    "searchsorted": lambda x: strided.searchsorted(strided.ones(3), x),
    "histogram": strided.histogram,
    "nonzero": strided.nonzero,
    "masked": lambda x: x[x > 0],
    "softmax": lambda x: nn.softmax(x, -1),
    "matmul": lambda x: x @ x.T,
    "contiguous": lambda x: x.T.contiguous(),
    "fused": lambda x: strided.fuse(lambda y: (y * 2).sum(1))(x),
    "tolist": lambda x: x.tolist(),
    "repr": repr,
    "bytes": bytes,
}


@pytest.mark.parametrize("way", EMPTY)
@pytest.mark.parametrize("dtype", [strided.float32, strided.int64, strided.uint8])
def test_an_empty_tensor_may_have_a_huge_axis(way: str, dtype: Any) -> None:
    """empty((0, 2**62)).sort() and .topk(0) divided by a size that had wrapped around to 0."""
    if way in ("softmax", "norm", "logsumexp", "var"):
        dtype = strided.float32 if dtype is strided.float32 else strided.float64
    result = EMPTY[way](strided.empty((0, HUGE), dtype=dtype))
    first = result[0] if isinstance(result, tuple) else result
    if way == "histogram":
        assert not bool(first.any())
    elif way == "norm":
        assert first.item() == 0
    elif way == "repr":
        assert result.startswith("tensor([]")
    elif isinstance(first, strided.Tensor):
        assert 0 in first.shape
    else:
        assert len(first) == 0


def test_numpy_has_no_such_array() -> None:
    with pytest.raises(strided.UnsupportedOperation, match="too big"):
        strided.empty(0, HUGE).numpy()
    with pytest.raises(strided.UnsupportedOperation, match="too big"):
        strided.fft.fft(strided.ones(3), n=HUGE)
    with pytest.raises(strided.LinearAlgebraError, match="many"):
        strided.linalg.svd(strided.zeros((1,) * 64))


def test_many_axes_are_rolled_one_by_one() -> None:
    """roll() over 64 axes: each of length 1 made twice as many parts."""
    x = strided.arange(6).reshape((1,) * 62 + (2, 3))
    assert strided.roll(x, 1, axis=tuple(range(64))).flatten().tolist() == [5, 3, 4, 2, 0, 1]
    assert strided.fft.fftshift(x).flatten().tolist() == [5, 3, 4, 2, 0, 1]


def test_text_of_more_elements_than_memory() -> None:
    """repr(x.expand(2**62)): NumPy cannot count the bytes of what it is asked to print."""
    x = strided.ones(1).expand(HUGE)
    assert repr(x) == f"tensor([1., 1., 1., ..., 1., 1., 1.], shape=({HUGE},), dtype=float32)"
    rows = strided.arange(2).reshape(2, 1).expand(2, HUGE // 2)
    assert str(rows) == "tensor([[0, 0, 0, ..., 0, 0, 0],\n        [1, 1, 1, ..., 1, 1, 1]])"
    windows = strided.ones(2**17, dtype=strided.float64).as_strided((2**15,) * 4, (1,) * 4)
    assert str(windows) == "tensor([...], dtype=float64)"


def test_lists_too_long_to_sort() -> None:
    with pytest.raises(strided.OutOfMemory):
        strided.zeros(1).expand(HUGE).sort()
    with pytest.raises(strided.OutOfMemory):
        strided.zeros(1).expand(HUGE).topk(3)


@pytest.mark.parametrize("nbytes", [2**63 - 1, 2**63 - 2**21, 2**62])
def test_no_block_that_waits_is_taken_for_more_than_memory(nbytes: int) -> None:
    """empty(2**63 - 1) after any tensor of some MB: its size was negative in a comparison."""
    strided.ones(1 << 22)
    for make in (strided.empty, strided.zeros):
        with pytest.raises(strided.OutOfMemory):
            make(nbytes, dtype=strided.uint8)
    assert strided.memory.heap_facts().kept_bytes < 2**50


# A stride of 2**62 along an axis of length 1: no element is reached by it.
LONG_STEPS: dict[str, Callable[[Any], Any]] = {
    "softmax": lambda x: nn.softmax(x, -1),
    "softmax across": lambda x: nn.softmax(x, 0),
    "log_softmax": lambda x: nn.log_softmax(x, -1),
    "rms_norm": lambda x: nn.rms_norm(x, x.shape[-1:], strided.ones(1)),
    "layer_norm": lambda x: nn.layer_norm(x, strided.ones(1), strided.ones(1)),
    "matmul": lambda x: x @ x.T,
    "matmul transposed": lambda x: x.T @ x,
    "matvec": lambda x: x.T @ strided.ones(4),
    "linear": lambda x: nn.linear(x, strided.ones(3, 1)),
    "as weight": lambda x: nn.linear(strided.ones(2, 1), x),
    "sort": lambda x: x.sort()[0],
    "sort 0": lambda x: x.sort(0)[0],
    "cumsum": lambda x: x.cumsum(0),
    "sum": lambda x: x.sum(0),
    "var": lambda x: x.var(0),
    "argmax": lambda x: x.argmax(0),
    "exp": lambda x: x.exp(),
    "clone": lambda x: x.clone(),
    "masked": lambda x: x[x > 0.5],
    "picked": lambda x: x[[0, 2]],
    "tolist": lambda x: strided.tensor(x.tolist()),
    "embedding": lambda x: nn.embedding(strided.tensor([0, 3]), x),
    "searchsorted": lambda x: strided.searchsorted(x[0], strided.ones(2)),
}


@pytest.mark.parametrize("way", LONG_STEPS)
@pytest.mark.parametrize("step", [HUGE, -HUGE, 2**63 - 1])
def test_strides_that_nothing_steps_along(way: str, step: int) -> None:
    """nn.softmax(rand(4, 8)[:, ::2**62], -1): the stride in bytes does not fit (seen by UBSan)."""
    x = strided.from_numpy(np.random.default_rng(0).random((4, 8), dtype=np.float32))
    thin = x[:, ::step] if step > 0 else x.flip(1)[:, ::-step]
    plain = strided.tensor(thin.tolist(), dtype=strided.float32)
    assert thin.shape == (4, 1)
    assert LONG_STEPS[way](thin).tolist() == LONG_STEPS[way](plain).tolist()


def test_buffers_larger_than_memory_are_refused() -> None:
    class Interface:
        """Says that its memory is far larger than it is."""

        def __init__(self) -> None:
            self.data = np.zeros(4)
            self.__array_interface__ = {
                "shape": (3,),
                "strides": (2**62,),
                "typestr": "<f8",
                "data": (self.data.ctypes.data, False),
                "version": 3,
            }

    array = np.asarray(Interface())
    with pytest.raises((strided.StridedError, BufferError, ValueError)):
        strided.asarray(memoryview(array))


# ---- one rounding ----


def half_bits(value: float | int, digits: int, lowest: int) -> int:
    """Return the bits of the half type nearest to an exact number, ties to even."""
    exponent_bits = 16 - digits
    highest = 2 ** (exponent_bits - 1) - 1
    sign = 0x8000 if math.copysign(1, value) < 0 else 0
    exact = abs(Fraction(value))
    exponent = max(lowest, exact.numerator.bit_length() - exact.denominator.bit_length() - 1)
    if exact >= Fraction(2) ** (exponent + 1):
        exponent += 1
    units = round(exact / Fraction(2) ** (exponent - digits + 1))  # ties go to even
    if units == 2**digits:
        units, exponent = units // 2, exponent + 1
    if exponent > highest:
        return sign | (2**exponent_bits - 1) << (digits - 1)
    if units < 2 ** (digits - 1):
        return sign | units
    return sign | (exponent + highest) << (digits - 1) | units - 2 ** (digits - 1)


HALVES = {"float16": (11, -14), "bfloat16": (8, -126)}


def hard_floats(name: str) -> np.ndarray:
    """Return numbers around the ties of a half type, some nearer to them than a float32 can say."""
    random = np.random.default_rng(3)
    last = 0x7C00 if name == "float16" else 0x7F80
    bits = np.unique(np.concatenate([random.integers(0, last, 400), [0, 1, 2, last - 1]]))
    if name == "float16":
        exact = bits.astype(np.uint16).view(np.float16).astype(np.float64)
        above = np.append(exact[1:], 65536.0)
        following = (bits + 1).astype(np.uint16).view(np.float16).astype(np.float64)
        ties = (exact + np.where(np.isfinite(following), following, above)) / 2
    else:
        exact = (bits << 16).astype(np.uint32).view(np.float32).astype(np.float64)
        ties = ((bits << 16) + 0x8000).astype(np.uint32).view(np.float32).astype(np.float64)
    near = [ties, exact]
    for distance in (2.0**-52, 2.0**-30, 2.0**-25, 2.0**-23):
        near += [ties * (1 + distance), ties * (1 - distance)]
    near.append(random.standard_normal(400) * 10.0 ** random.integers(-320, 300, 400))
    near.append(np.array([5e-324, 2.0**-150, 2.0**-134, 2.0**-25, 65519.99, 65520, 3.4e38, 1e39]))
    values = np.concatenate(near)
    return np.concatenate([values, -values])


def hard_integers(dtype: Any) -> np.ndarray:
    """Return integers around the ties of bfloat16, and the ends of the range."""
    ends = np.iinfo(dtype)
    found = {ends.min, ends.max}
    for shift in range(1, ends.bits - 8):
        for digits in range(128, 256, 9):
            tie = (2 * digits + 1) << (shift - 1)
            for value in (tie - 1, tie, tie + 1, -tie - 1, -tie, -tie + 1):
                if ends.min <= value <= ends.max:
                    found.add(value)
    return np.array(sorted(found), dtype=dtype)


def bits_of(x: Any) -> list[int]:
    return [int(b) for b in x.view(strided.uint16).tolist()]


@pytest.mark.parametrize("half", HALVES)
def test_float64_becomes_half_by_one_rounding(half: str) -> None:
    values = hard_floats(half)
    wanted = [half_bits(v, *HALVES[half]) for v in values.tolist()]
    dtype = getattr(strided, half)
    x = strided.from_numpy(values)
    assert bits_of(x.to(dtype)) == wanted
    assert bits_of(strided.stack([x, x], axis=1)[:, 1].to(dtype)) == wanted
    assert bits_of(strided.from_numpy(values.astype(np.complex128)).real.to(dtype)) == wanted
    assert bits_of(strided.empty(len(values), dtype=dtype).copy_(x)) == wanted
    assert bits_of(strided.tensor(values.tolist(), dtype=dtype)) == wanted
    assert bits_of(strided.fuse(lambda t: (t + 0.0).to(dtype))(x)) == [
        half_bits(v + 0.0, *HALVES[half]) for v in values.tolist()
    ]
    some = slice(None, None, 37)
    filled = [bits_of(strided.full((1,), v, dtype=dtype))[0] for v in values.tolist()[some]]
    assert filled == wanted[some]
    if half == "float16":
        with np.errstate(over="ignore"):
            assert values.astype(np.float16).view(np.uint16).tolist() == wanted


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("dtype", [np.int64, np.uint64, np.int32, np.uint32, np.int16, np.uint8])
def test_integers_become_half_by_one_rounding(dtype: Any, half: str) -> None:
    values = hard_integers(dtype)
    wanted = [half_bits(v, *HALVES[half]) for v in values.tolist()]
    x = strided.from_numpy(values)
    assert bits_of(x.to(getattr(strided, half))) == wanted
    assert bits_of(x.flip().to(getattr(strided, half))) == wanted[::-1]
    if dtype in (np.int64, np.uint64):
        numbers = values.tolist()
        assert bits_of(strided.tensor(numbers, dtype=getattr(strided, half))) == wanted


@pytest.mark.parametrize("half", HALVES)
def test_what_is_no_number_stays_so(half: str) -> None:
    values = np.array([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0])
    x = strided.from_numpy(values).to(getattr(strided, half)).to(strided.float64)
    assert np.array_equal(x.numpy(), values, equal_nan=True)
    assert np.array_equal(np.signbit(x.numpy()[2:]), np.signbit(values[2:]))
    assert struct.pack("d", x[4].item()) == struct.pack("d", 0.0)


# ---- more elements than an array of NumPy can have ----


def test_computing_by_numpy_is_refused() -> None:
    endless = strided.ones(1, 1).expand(2**31, 2**30)
    with pytest.raises(strided.UnsupportedOperation, match="repeats its elements"):
        strided.linalg.svdvals(endless)
    with pytest.raises(strided.UnsupportedOperation, match="repeats its elements"):
        endless.numpy()
    with pytest.raises(strided.OutOfMemory):
        nn.dropout(endless.double())


# ---- order of what is said and done ----


def test_a_refused_copy_in_a_fused_function_does_not_count_as_a_write() -> None:
    x = strided.arange(12, dtype=strided.float32).reshape(3, 4)
    other = strided.zeros(4, 3, dtype=strided.float64)
    before = (x._version, other._version)
    twice = strided.fuse(lambda a: a * 2)
    with strided.no_copies(), pytest.raises(strided.CopyForbidden):
        twice(x.view(4, 3), out=x.view(4, 3).flip(0))
    wide = strided.fuse(lambda a: a.to(strided.float64))
    with strided.no_copies(implicit_only=False), pytest.raises(strided.CopyForbidden):
        wide(x.view(4, 3), out=other)
    # The first of two outputs could be written, the second one lies across the input.
    both = strided.fuse(lambda a: (a * 2, a + 1))
    fresh = strided.zeros(4, 3)
    with strided.no_copies(), pytest.raises(strided.CopyForbidden):
        both(x.view(4, 3), out=(fresh, x.view(4, 3).flip(0)))
    assert fresh._version == 0
    assert (x._version, other._version) == before
    assert x.flatten().tolist() == list(range(12))
    wide(x.view(4, 3), out=other)
    assert other._version == before[1] + 1


def test_iterators_are_seen_by_the_collector() -> None:
    class Named(strided.Tensor):
        """A tensor with attributes."""

    x: Any = Named(strided.ones(3))
    x.iterator = iter(x)  # a circle
    next(x.iterator)
    end = weakref.ref(x)
    assert gc.is_tracked(x.iterator)
    del x
    gc.collect()
    assert end() is None
