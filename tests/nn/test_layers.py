"""Norms, rotations, gates and softmax over every layout class and dtype, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.arrangements import assert_close, bits, readable, untouched, writable
from support.matrices import made

import strided
from strided import nn

FLOATS = ("float16", "bfloat16", "float32", "float64")
# Below and above vectors, blocks and buffers.
SHAPES = [(3, 4), (1, 1), (2, 3, 33), (5, 128), (2, 9000)]


def _rms(x: np.ndarray, weight: np.ndarray | None, eps: float = 1e-6) -> np.ndarray:
    y = x / np.sqrt((x * x).mean(-1, keepdims=True) + eps)
    return y if weight is None else y * weight


def _silu(x: np.ndarray) -> np.ndarray:
    return x / (1 + np.exp(-x))


def _softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def wide(a: np.ndarray) -> np.ndarray:
    return a.astype("float64")


# ---- layouts and dtypes ----


@pytest.mark.parametrize("dtype", FLOATS)
def test_rms_norm_over_layouts(dtype: str) -> None:
    for shape in SHAPES:
        weight, w = made(readable(shape[-1:])["stepped"], dtype, 2)
        for name, at in readable(shape).items():
            x, a = made(at, dtype, 1)
            assert_close(
                nn.rms_norm(x, x.shape[-1], weight, 1e-6),
                _rms(wide(a), wide(w)),
                dtype,
                (shape, name),
            )
            assert_close(
                nn.rms_norm(x, x.shape[-1], eps=0.5), _rms(wide(a), None, 0.5), dtype, (shape, name)
            )


@pytest.mark.parametrize("dtype", FLOATS)
def test_swiglu_over_layouts(dtype: str) -> None:
    for shape in SHAPES:
        ups = list(readable(shape).values())
        for i, (name, at) in enumerate(readable(shape).items()):
            gate, g = made(at, dtype, 1)
            up, u = made(ups[(3 * i + 1) % len(ups)], dtype, 2)
            assert_close(nn.swiglu(gate, up), _silu(wide(g)) * wide(u), dtype, (shape, name), by=4)


@pytest.mark.parametrize("dtype", FLOATS)
def test_softmax_over_layouts_and_axes(dtype: str) -> None:
    for shape in [*SHAPES, (0, 3), (2, 0), (20, 30, 3)]:
        for name, at in readable(shape).items():
            x, a = made(at, dtype, 1)
            for axis in range(-len(shape), len(shape)):
                if shape[axis] == 0:
                    assert nn.softmax(x, axis).shape == shape
                    continue
                expected = _softmax(wide(a), axis)
                assert_close(nn.softmax(x, axis), expected, dtype, (shape, name, axis), by=2)
                got = nn.log_softmax(x, axis)
                assert_close(got, np.log(expected), dtype, (shape, name, axis), by=2)


def _angles(positions: int, half: int) -> tuple[np.ndarray, np.ndarray]:
    angle = np.arange(positions)[:, None] * 0.7 ** np.arange(half)
    return np.cos(angle), np.sin(angle)


def _rope(x: np.ndarray, cos: np.ndarray, sin: np.ndarray, interleaved: bool) -> np.ndarray:
    half, y = cos.shape[-1], x.copy()
    first = slice(0, 2 * half, 2) if interleaved else slice(0, half)
    second = slice(1, 2 * half, 2) if interleaved else slice(half, 2 * half)
    a, b, c, s = x[..., first], x[..., second], cos[:, None], sin[:, None]
    y[..., first] = a * c - b * s
    y[..., second] = b * c + a * s
    return y


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("dtype", FLOATS)
def test_rope_over_layouts(dtype: str, interleaved: bool) -> None:
    for shape, half in [((3, 2, 4), 2), ((5, 3, 37), 9), ((2, 1, 128), 64), ((1, 2, 3), 0)]:
        c, s = _angles(shape[0], half)
        cos, sin = (
            strided.from_numpy(angle).to(dtype if dtype == "float64" else "float32")
            for angle in (c, s)
        )
        for name, at in readable(shape).items():
            x, a = made(at, dtype, 1)
            expected = _rope(wide(a), c, s, interleaved)
            got = nn.rope(x, cos, sin, interleaved=interleaved)
            assert_close(got, expected, dtype, (shape, half, name))
            # Turned, flipped and per-head angles.
            cos_of, sin_of = (t.T.contiguous().T.unsqueeze(1) for t in (cos, sin))
            got = nn.rope(x, cos_of, sin_of.expand(*shape[:2], half), interleaved=interleaved)
            assert_close(got, expected, dtype, (shape, half, name))


# ---- where results go ----

# name: a call of (x, out), the expected array, of x with shape (4, 3, 6)
_COS, _SIN = _angles(4, 3)
CALLS: dict[str, tuple[Callable[..., Any], Callable[[np.ndarray], np.ndarray]]] = {
    "rms_norm": (
        lambda x, **to: nn.rms_norm(x, x.shape[-1], eps=1e-6, **to),
        lambda a: _rms(a, None),
    ),
    "swiglu": (lambda x, **to: nn.swiglu(x, x, **to), lambda a: _silu(a) * a),
    "softmax": (lambda x, **to: nn.softmax(x, 1, **to), lambda a: _softmax(a, 1)),
    "log_softmax": (lambda x, **to: nn.log_softmax(x, **to), lambda a: np.log(_softmax(a))),
    "rope": (
        lambda x, **to: nn.rope(x, strided.from_numpy(_COS), strided.from_numpy(_SIN), **to),
        lambda a: _rope(a, _COS, _SIN, False),
    ),
    "linear": (
        lambda x, **to: nn.linear(x, strided.eye(6), strided.ones(6), **to),
        lambda a: a + 1,
    ),
}
SHAPE = (4, 3, 6)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("call", CALLS)
def test_out_of_any_layout_and_dtype(call: str, dtype: str) -> None:
    run, expected = CALLS[call]
    x, a = made(readable(SHAPE)["swapped"], "float32", 1)
    for name, at in writable(SHAPE).items():
        out, _ = made(at, dtype, 3)
        before = bits(out, at)
        assert run(x, out=out) is out
        assert_close(out, expected(wide(a)), dtype, name, by=2, computed="float32")
        assert untouched(out, at, before), (call, name)


@pytest.mark.parametrize("call", CALLS)
def test_out_in_the_place_of_an_input(call: str) -> None:
    run, expected = CALLS[call]
    for dtype in FLOATS:
        for name, at in writable(SHAPE).items():
            x, a = made(at, dtype, 1)
            with strided.trace_copies() as report:
                run(x, out=x)
            assert_close(x, expected(wide(a)), dtype, (dtype, name), by=4)
            # A product needs all of a row before it can write the first number.
            assert len(report.events) == (call == "linear"), (name, report)


@pytest.mark.parametrize("call", CALLS)
def test_out_that_overlaps_an_input(call: str) -> None:
    run, expected = CALLS[call]
    size = int(np.prod(SHAPE))
    flat = strided.randn(size + 7)
    for shift in (1, 7):
        whole = flat.clone()
        x, out = whole[:size].view(SHAPE), whole[shift : size + shift].view(SHAPE)
        a = wide(x.clone().numpy())
        with strided.trace_copies() as report:
            run(x, out=out)
        assert_close(out, expected(a), "float32", (call, shift), by=4)
        assert {event.reason for event in report.events} == {"overlap"}


@pytest.mark.parametrize("call", CALLS)
def test_no_copies_of_views(call: str) -> None:
    run, _ = CALLS[call]
    for at in readable(SHAPE).values():
        x, _ = made(at, "bfloat16", 1)
        with strided.no_copies(implicit_only=False):
            run(x)


@pytest.mark.parametrize("call", [name for name in CALLS if name != "rope"])
def test_dtype_of_the_result(call: str) -> None:
    run, expected = CALLS[call]
    x, a = made(readable(SHAPE)["row-major"], "bfloat16", 1)
    got = run(x, dtype=strided.float32)
    assert_close(got, expected(wide(a)), "float32", by=4)
    assert_close(run(x, dtype="float64"), expected(wide(a)), "float64", by=4)
    with pytest.raises(strided.DTypeMismatch):
        run(x, dtype=strided.int32)
    with pytest.raises(strided.DTypeMismatch):
        run(x, out=strided.empty(*SHAPE), dtype=strided.float16)


@pytest.mark.parametrize("call", CALLS)
def test_refused_outs(call: str) -> None:
    run, _ = CALLS[call]
    x = strided.ones(*SHAPE)
    with pytest.raises(strided.ShapeMismatch):
        run(x, out=strided.empty(4, 3, 5))
    with pytest.raises(strided.WriteThroughOverlap):
        run(x, out=strided.empty(1, 3, 6).expand(*SHAPE))
    with pytest.raises(strided.DTypeMismatch):
        run(x, out=strided.empty(*SHAPE, dtype=strided.int64))
    frozen = np.zeros(SHAPE, "float32")
    frozen.flags.writeable = False
    with pytest.raises(strided.ReadOnlyTensor):
        run(x, out=strided.from_numpy(frozen))
    with pytest.raises(strided.DTypeMismatch):
        run(x.to(strided.int64))
    with pytest.raises(TypeError):
        nn.softmax("ones", -1)  # type: ignore[arg-type]


@pytest.mark.parametrize("call", CALLS)
def test_arrays_of_numpy_are_taken(call: str) -> None:
    run, _ = CALLS[call]
    assert run(np.ones(SHAPE, "float32")).tolist() == run(strided.ones(*SHAPE)).tolist()


# ---- rows ----


def test_rope_writes_rows() -> None:
    c, s = _angles(4, 3)
    cos, sin = strided.from_numpy(c), strided.from_numpy(s)
    for dtype in FLOATS:
        x, a = made(readable((4, 2, 6))["swapped"], "float32", 1)
        for name, at in writable((9, 2, 6)).items():
            out, b = made(at, dtype, 3)
            assert nn.rope(x, cos, sin, out=out, rows=strided.tensor([7, 0, -1, 3])) is out
            b = wide(b).copy()
            b[[7, 0, 8, 3]] = _rope(wide(a), c, s, False)
            assert_close(out, b, dtype, (dtype, name), computed="float32")
    with pytest.raises(strided.IndexOutOfBounds):
        nn.rope(x, cos, sin, out=out, rows=strided.tensor([7, 0, 9, 3]))
    with pytest.raises(strided.ShapeMismatch):
        nn.rope(x, cos, sin, out=out, rows=strided.tensor([7, 0]))
    with pytest.raises(strided.DTypeMismatch):
        nn.rope(x, cos, sin, out=out, rows=strided.ones(4))
    with pytest.raises(strided.InvalidArgument):
        nn.rope(x, cos, sin, rows=strided.arange(4))


def test_rope_takes_angles_of_some_shapes() -> None:
    x = strided.ones(4, 2, 6)
    for shape in [(3, 3), (4, 4), (4, 2, 2, 3), ()]:
        with pytest.raises(strided.ShapeMismatch):
            nn.rope(x, strided.ones(*shape), strided.ones(*shape))
    with pytest.raises(strided.ShapeMismatch):
        nn.rope(x, strided.ones(4, 3), strided.ones(4, 2))
    one_for_all = nn.rope(x, strided.zeros(3), strided.ones(3))
    assert one_for_all.tolist() == [[[-1.0] * 3 + [1.0] * 3] * 2] * 4


def test_swiglu_broadcasts() -> None:
    gate, g = made(readable((4, 1, 6))["stepped"], "float32", 1)
    up, u = made(readable((3, 1))["flipped"], "float32", 2)
    assert_close(nn.swiglu(gate, up), _silu(wide(g)) * wide(u), "float32", by=4)
    with pytest.raises(strided.ShapeMismatch):
        nn.swiglu(gate, strided.ones(5))
    whole = strided.randn(4, 6)
    row, expected = whole[1], _silu(wide(whole.numpy())) * wide(whole.numpy()[1])
    assert_close(nn.swiglu(whole, row, out=whole), expected, "float32", by=4)


# ---- numbers that are none ----


def test_softmax_of_infinities() -> None:
    inf, nan = strided.inf, strided.nan
    for row, expected in [
        ([0.0, -inf], [1.0, 0.0]),
        ([-inf, -inf], [nan, nan]),
        ([inf, 0.0], [nan, nan]),
        ([nan, 0.0], [nan, nan]),
        ([-1000.0, 0.0], [0.0, 1.0]),
    ]:
        x = strided.tensor([row] * 20)
        assert_close(nn.softmax(x), np.array([expected] * 20), "float32", row)
    assert nn.log_softmax(strided.tensor([0.0, -inf])).tolist() == [0.0, -inf]
    assert nn.softmax(strided.tensor(3.0)).item() == 1


def test_norms_of_infinities() -> None:
    assert np.isnan(nn.rms_norm(strided.tensor([strided.nan, 1.0]), 2).numpy()).all()
    assert nn.rms_norm(strided.zeros(3), 3).tolist() == [0, 0, 0]
    assert nn.rms_norm(strided.ones(2, 0), 0).shape == (2, 0)
    with pytest.raises(strided.ShapeMismatch):
        nn.rms_norm(strided.ones(2, 3), 3, strided.ones(2))
    with pytest.raises(strided.ShapeMismatch):
        nn.rms_norm(strided.tensor(1.0), ())


# ---- threads ----


@pytest.mark.parametrize("call", ["rms_norm", "swiglu", "softmax", "log_softmax"])
def test_threads_give_the_same_bits(call: str) -> None:
    x = strided.randn(700, 1000)[:, ::-1]
    own = {"swiglu": lambda x: nn.swiglu(x, x.flip(0)), "rms_norm": lambda x: nn.rms_norm(x, 1000)}
    run = own.get(call, getattr(nn, call))
    before = strided.get_num_threads()
    try:
        strided.set_num_threads(1)
        alone = run(x).numpy()
        for count in (2, 3, 8):
            strided.set_num_threads(count)
            assert np.array_equal(run(x).numpy(), alone)
    finally:
        strided.set_num_threads(before)


def test_lines_of_one_element_have_any_stride():
    # The stride of an axis of length 1 may be too large to count in bytes.
    x = strided.rand(4, 8)[:, :: 2**62]
    assert nn.softmax(x, -1).tolist() == [[1.0]] * 4
    assert nn.log_softmax(x, -1).tolist() == [[0.0]] * 4
    assert nn.rms_norm(x, 1).shape == nn.layer_norm(x, (1,)).shape == (4, 1)
    assert x.cumsum(1).tolist() == x.tolist()


def test_rope_into_rows_needs_rows():
    x, cos = strided.rand(8), strided.rand(4)
    with pytest.raises(strided.ShapeMismatch, match="rope"):
        nn.rope(x, cos, cos, out=strided.zeros(8), rows=strided.arange(8).flip(0))
