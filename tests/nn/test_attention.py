"""Attention over pasts in any layout and dtype, one query or many, against NumPy in float64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.arrangements import assert_close, readable, writable
from support.matrices import made

import strided
from strided import nn

FLOATS = ("float16", "bfloat16", "float32", "float64")


def attended(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    window: int | None = None,
    scale: float | None = None,
) -> np.ndarray:
    """Return causal attention of (L, heads, d) to (n, key_heads, d)."""
    q, k, v = (x.astype("float64") for x in (q, k, v))
    group = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, group, 1), np.repeat(v, group, 1)
    scores = np.einsum("ihd,jhd->hij", q, k) * (q.shape[-1] ** -0.5 if scale is None else scale)
    last = np.arange(len(k) - len(q), len(k))[:, None]
    place = np.arange(len(k))[None]
    seen = place <= last
    if window is not None:
        seen &= place > last - window
    scores = np.where(seen, scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return np.einsum("hij,jhd->ihd", weights / weights.sum(-1, keepdims=True), v)


def some(
    shape: tuple[int, ...], dtype: str, seed: int, name: str = "row-major"
) -> tuple[Any, np.ndarray]:
    return made(readable(shape)[name], dtype, seed)


# count, keys, heads, key heads, d
SIZES = [
    (1, 1, 1, 1, 1),
    (1, 9, 4, 2, 8),
    (1, 700, 8, 2, 33),
    (3, 130, 6, 3, 16),
    (20, 20, 4, 4, 5),
    (70, 270, 4, 1, 40),
    (150, 450, 2, 2, 64),
]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("size", SIZES)
def test_layouts_and_dtypes(size: tuple[int, ...], dtype: str) -> None:
    count, n, heads, key_heads, d = size
    names = list(readable((1, 1, 1)))
    for i, name in enumerate(names):
        q, a = some((count, heads, d), dtype, 1, name)
        k, b = some((n, key_heads, d), dtype, 2, names[(i + 3) % len(names)])
        v, c = some((n, key_heads, d), dtype, 3, names[(2 * i + 1) % len(names)])
        with strided.no_copies(implicit_only=False):
            got = nn.attention(q, [(count, [(k, v)])])
        assert_close(got, attended(a, b, c), dtype, (size, name), by=4)


@pytest.mark.parametrize("key_dtype", FLOATS)
@pytest.mark.parametrize("count", [1, 40])
def test_dtypes_meet(count: int, key_dtype: str) -> None:
    q, a = some((count, 4, 24), "float32", 1)
    k, b = some((300, 2, 24), key_dtype, 2)
    v, c = some((300, 2, 24), "bfloat16", 3)
    got = nn.attention(q, [(count, [(k, v)])])
    assert_close(got, attended(a, b, c), "float32", by=4)
    got = nn.attention(q, [(count, [(k, v)])], dtype=strided.float16)
    assert_close(got, attended(a, b, c), "float16", by=4)


@pytest.mark.parametrize("count", [1, 4, 33])
def test_segments_and_sequences(count: int) -> None:
    cache, c = some((400, 2, 20), "bfloat16", 2)
    values, w = some((400, 2, 20), "bfloat16", 3)
    # Two sequences share the beginning of the cache; one is empty.
    pasts = [[(0, 100), (200, 237)], [(0, 100), (300, 301), (301, 350)], [], [(350, 390)]]
    counts = [count, 2, 0, count]
    q, a = some((sum(counts), 4, 20), "float32", 1)
    sequences, expected, first = [], [], 0
    for own, past in zip(counts, pasts, strict=True):
        sequences.append((own, [(cache[i:j], values[i:j]) for i, j in past]))
        if own:
            keys, held = (np.concatenate([x[i:j] for i, j in past]) for x in (c, w))
            expected.append(attended(a[first : first + own], keys, held))
        first += own
    got = nn.attention(q, sequences)
    assert_close(got, np.concatenate(expected), "float32", by=4)


@pytest.mark.parametrize("window", [1, 3, 64, 100, 500])
@pytest.mark.parametrize("count", [1, 3, 60, 290])
def test_windows(count: int, window: int) -> None:
    q, a = some((count, 2, 8), "float32", 1)
    (k, b), (v, c) = some((300, 1, 8), "float32", 2), some((300, 1, 8), "float32", 3)
    got = nn.attention(q, [(count, [(k, v)])], window=window, scale=0.3)
    assert_close(got, attended(a, b, c, window, 0.3), "float32", by=4)


def test_queries_one_by_one_are_the_same() -> None:
    q, (k, v) = strided.randn(50, 4, 16), (strided.randn(50, 2, 16), strided.randn(50, 2, 16))
    whole = nn.attention(q, [(50, [(k, v)])]).numpy()
    for i in range(50):
        one = nn.attention(q[i : i + 1], [(1, [(k[: i + 1], v[: i + 1])])]).numpy()
        assert np.abs(one[0] - whole[i]).max() < 1e-5


def test_values_of_another_length() -> None:
    for count in (1, 30):
        q, a = some((count, 4, 6), "float32", 1)
        (k, b), (v, c) = some((30, 2, 6), "float32", 2), some((30, 2, 50), "float32", 3)
        assert_close(nn.attention(q, [(count, [(k, v)])]), attended(a, b, c), "float32", by=4)


# ---- where results go ----


@pytest.mark.parametrize("count", [1, 40])
def test_outs(count: int) -> None:
    q, a = some((count, 4, 24), "float32", 1)
    (k, b), (v, c) = some((60, 2, 24), "float32", 2), some((60, 2, 24), "float32", 3)
    expected = attended(a, b, c)
    for dtype in FLOATS:
        for name, at in writable((count, 4, 24)).items():
            out, _ = made(at, dtype, 4)
            assert nn.attention(q, [(count, [(k, v)])], out=out) is out
            assert_close(out, expected, dtype, name, by=4, computed="float32")
    with strided.trace_copies() as report:
        assert nn.attention(q, [(count, [(k, v)])], out=q) is q
    assert_close(q, expected, "float32", by=4)
    assert [event.reason for event in report.events] == ["overlap"]


def test_refusals() -> None:
    q, k = strided.ones(2, 4, 8), strided.ones(5, 2, 8)
    for sequences in [
        [(1, [(k, k)])],
        [(2, [(k[:, :, :7], k)])],
        [(2, [(k, k[:4])])],
        [(2, [(k, k), (k, k[:, :, :5])])],
        [(2, [(k[:, :1].expand(5, 3, 8), k[:, :1].expand(5, 3, 8))])],
        [(2, [(k[0], k[0])])],
        [],
    ]:
        with pytest.raises(strided.ShapeMismatch):
            nn.attention(q, sequences)
    for sequences in [[(-1, []), (3, [(k, k)])], [(2, [(k[:1], k[:1])])]]:
        with pytest.raises(strided.InvalidArgument):
            nn.attention(q, sequences)
    for sequences in [3, [(2, 3)], [(2, [k])], [(2.0, [(k, k)])], [(2, [(k, None)])], [2]]:
        with pytest.raises(TypeError):
            nn.attention(q, sequences)  # type: ignore[arg-type]
    with pytest.raises(strided.InvalidArgument):
        nn.attention(q, [(2, [(k, k)])], window=0)
    with pytest.raises(strided.DTypeMismatch):
        nn.attention(q, [(2, [(k.to(strided.int32), k)])])
    with pytest.raises(strided.ShapeMismatch):
        nn.attention(q[0], [(2, [(k, k)])])
    assert nn.attention(q[:0], []).shape == (0, 4, 8)


@pytest.mark.parametrize("count", [1, 40])
def test_infinities_and_nan(count: int) -> None:
    q, k, v = strided.ones(count, 1, 4), strided.ones(60, 1, 4), strided.ones(60, 1, 4)
    k[0] = -strided.inf
    assert np.isfinite(nn.attention(q, [(count, [(k, v)])]).numpy()).all()
    k[1] = strided.nan
    assert np.isnan(nn.attention(q, [(count, [(k, v)])]).numpy()).all()


def test_threads_give_the_same_bits() -> None:
    k, v = strided.randn(3000, 2, 64), strided.randn(3000, 2, 64)
    before = strided.get_num_threads()
    try:
        for count in (1, 200):
            q = strided.randn(count, 8, 64)
            strided.set_num_threads(1)
            alone = nn.attention(q, [(count, [(k, v)])]).numpy()
            for threads in (2, 3, 8):
                strided.set_num_threads(threads)
                assert np.array_equal(nn.attention(q, [(count, [(k, v)])]).numpy(), alone)
    finally:
        strided.set_num_threads(before)


# ---- PyTorch's form ----


def dotted(q: Any, k: Any, v: Any, mask: Any = None, causal: bool = False) -> np.ndarray:
    """Return attention of (..., heads, L, d), with as many heads of keys."""
    q, k, v = (x.astype("float64") for x in (q, k, v))
    scores = np.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    if causal:
        scores = np.where(np.tril(np.ones(scores.shape[-2:], bool)), scores, -np.inf)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
    with np.errstate(invalid="ignore"):
        weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights[~np.isfinite(scores).any(-1)] = 0
    total = weights.sum(-1, keepdims=True)
    return np.einsum("...ij,...jd->...id", weights / np.where(total == 0, 1, total), v)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("causal", [False, True])
def test_dot_product_attention(dtype: str, causal: bool) -> None:
    names = list(readable((1, 1, 1, 1)))
    for batch in [(), (2,), (2, 3)]:
        for positions, keys in [(1, 30), (40, 40), (7, 3), (3, 90)]:
            for i, name in enumerate(names):
                q, a = some((*batch, 2, positions, 12), dtype, 1, name)
                k, b = some((*batch, 2, keys, 12), dtype, 2, names[(i + 3) % len(names)])
                v, c = some((*batch, 2, keys, 12), dtype, 3, names[(2 * i + 1) % len(names)])
                got = nn.scaled_dot_product_attention(q, k, v, is_causal=causal)
                assert_close(got, dotted(a, b, c, causal=causal), dtype, (batch, name), by=4)


@pytest.mark.parametrize("positions", [1, 40])
def test_masks(positions: int) -> None:
    q, a = some((2, 4, positions, 12), "float32", 1)
    (k, b), (v, c) = some((2, 4, 300, 12), "float32", 2), some((2, 4, 300, 12), "float32", 3)
    for shape in [(positions, 300), (2, 1, positions, 300), (4, 1, 300), (300,), (1,)]:
        for dtype in ("bool", "float32", "float16"):
            for name in ("row-major", "transposed", "flipped"):
                mask, m = some(shape, dtype, 4, name)
                got = nn.scaled_dot_product_attention(q, k, v, mask)
                assert_close(got, dotted(a, b, c, m), "float32", (shape, dtype, name), by=4)


def test_heads_are_shared() -> None:
    q, a = some((2, 6, 5, 8), "float32", 1)
    (k, b), (v, c) = some((2, 2, 9, 8), "float32", 2), some((2, 2, 9, 8), "float32", 3)
    expected = dotted(a, np.repeat(b, 3, 1), np.repeat(c, 3, 1))
    got = nn.scaled_dot_product_attention(q, k, v, enable_gqa=True)
    assert_close(got, expected, "float32", by=4)
    with pytest.raises(strided.ShapeMismatch, match="enable_gqa"):
        nn.scaled_dot_product_attention(q, k, v)
    one = nn.scaled_dot_product_attention(q, k[:, :1], v[:, :1])
    assert_close(one, dotted(a, b[:, :1], c[:, :1]), "float32", by=4)
    flat = nn.scaled_dot_product_attention(q[0, 0], k[0, 0], v[0, 0])
    assert_close(flat, dotted(a[0, 0], b[0, 0], c[0, 0]), "float32", by=4)


def test_refusals_of_the_other_form() -> None:
    q, k = strided.ones(2, 3, 4), strided.ones(2, 5, 4)
    for bad in [
        (q, k[..., :3], k),
        (q, k, k[:, :4]),
        (q[0, 0], k, k),
        (q, k, k, strided.ones(2, 3, 4)),
        (q, strided.ones(3, 5, 4), strided.ones(3, 5, 4)),
    ]:
        with pytest.raises(strided.ShapeMismatch):
            nn.scaled_dot_product_attention(*bad)
    with pytest.raises(strided.InvalidArgument):
        nn.scaled_dot_product_attention(q, k, k, strided.ones(3, 5), is_causal=True)
    with pytest.raises(strided.DTypeMismatch):
        nn.scaled_dot_product_attention(q, k, k, strided.ones(3, 5, dtype=strided.int32))
    assert nn.scaled_dot_product_attention(q, k[:, :0], k[:, :0]).tolist() == [[[0.0] * 4] * 3] * 2


def test_dropout_of_operands_without_heads() -> None:
    q, k = strided.rand(3, 4), strided.rand(5, 4)
    for operands in [(q, k, k), (q, k.unsqueeze(0), k), (q.expand(2, 3, 4), k, k)]:
        wanted = nn.scaled_dot_product_attention(*operands)
        some = nn.scaled_dot_product_attention(*operands, dropout_p=1e-9)
        assert some.shape == wanted.shape
        assert strided.allclose(some, wanted)
    with pytest.raises(strided.ShapeMismatch):
        nn.scaled_dot_product_attention(q, k[0], k, dropout_p=0.5)


@pytest.mark.peers
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_torch_agrees(dtype: str) -> None:
    torch = pytest.importorskip("torch", reason="make test-peers installs it")
    functional = torch.nn.functional
    torch.manual_seed(0)
    kind = getattr(torch, dtype)
    close = 2e-5 if dtype == "float32" else 2e-2

    def compare(mine: Any, theirs: Any) -> None:
        difference = (torch.from_dlpack(mine).float() - theirs.float()).abs().max().item()
        assert difference < close

    def twin(*shape: int) -> tuple[Any, Any]:
        x = torch.randn(*shape).to(kind)
        return strided.from_dlpack(x), x

    (q, tq), (k, tk), (v, tv) = twin(2, 8, 70, 64), twin(2, 2, 70, 64), twin(2, 2, 70, 64)
    mine = nn.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
    theirs = functional.scaled_dot_product_attention(tq, tk, tv, is_causal=True, enable_gqa=True)
    compare(mine, theirs)
    for positions in (1, 3, 70):
        flat = q[0].transpose(0, 1)[-positions:]
        past = k[0].transpose(0, 1), v[0].transpose(0, 1)
        got = nn.attention(flat, [(positions, [past])])
        compare(got, theirs[0].transpose(0, 1)[-positions:])
    (x, tx), (w, tw), (b, tb) = twin(20, 300), twin(90, 300), twin(90)
    compare(nn.linear(x, w, b) / 20, functional.linear(tx, tw, tb) / 20)
    (s, ts) = twin(300)
    compare(nn.rms_norm(x, (300,), s, 1e-5), functional.rms_norm(tx, (300,), ts, 1e-5))
    compare(nn.softmax(x, 0), torch.softmax(tx, 0))
    compare(nn.swiglu(x, x) / 8, functional.silu(tx) * tx / 8)
