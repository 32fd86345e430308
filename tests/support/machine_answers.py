"""Checksums of what every family of kernels computes, as JSON: test_cache_sizes.py.

Run in ``tests``: ``STRIDED_MACHINE=l1=1024 python -m support.machine_answers``. Sizes are chosen so
that chunks, tiles and blocks of the machines of the test end in the middle of operands. Values that
NumPy has are compared with it; others are compared between machines, and elsewhere with references.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
from support.compare import as_numpy, dtype_of

import strided as st
from strided import nn, quantized

F = nn.functional
RANDOM = np.random.default_rng(7)
# By folder of core/kernels.
FAMILIES: dict[str, Callable[[], None]] = {}
bits = 0  # of all results of a family


def family(run: Callable[[], None]) -> Callable[[], None]:
    FAMILIES[run.__name__] = run
    return run


def seen(*results: Any) -> None:
    """Keep the bits of results."""
    global bits
    for one in results:
        if isinstance(one, (tuple, list)):
            seen(*one)
        else:
            bits = zlib.crc32(np.ascontiguousarray(as_numpy(one.detach())).tobytes(), bits)


def same(ours: Any, theirs: Any, exact: bool = True) -> None:
    """Keep the bits of a result, which must be NumPy's."""
    seen(ours)
    got = ours.numpy()
    assert got.shape == np.shape(theirs), (got.shape, np.shape(theirs))
    if exact:
        np.testing.assert_array_equal(got, theirs)
    else:
        np.testing.assert_allclose(got, theirs, rtol=2e-4, atol=1e-4)


def both(*shape: int, dtype: str = "float32") -> tuple[Any, Any]:
    a = RANDOM.integers(-50, 50, shape).astype(dtype)
    return a, st.from_numpy(a)


def floats(*shape: int, dtype: str = "float32") -> tuple[Any, Any]:
    a = RANDOM.random(shape).astype(dtype)
    return a, st.from_numpy(a)


def trained(run: Callable[..., Any], *operands: Any) -> None:
    """Keep a result and its gradients."""
    inputs = [x.detach().requires_grad_() for x in operands]
    made = run(*inputs)
    (made * made).sum().backward()
    seen(made, [x.grad for x in inputs])


@family
def elementwise() -> None:
    """Packed, transposed, permuted, strided, reversed, repeated, in place, converted; fused."""
    (a, x), (b, y) = both(150, 130), both(130, 150)
    same(x + y.T, a + b.T)
    same(x * y.T[:, ::-1] - x[::-1], a * b.T[:, ::-1] - a[::-1])
    same(x[::2, ::3] + y.T[::2, ::3], a[::2, ::3] + b.T[::2, ::3])
    same(x + x[:, :1] + x[:1], a + a[:, :1] + a[:1])
    same(st.where(x > 0, y.T, x), np.where(a > 0, b.T, a))
    for dtype in ("int8", "int16", "float64", "complex128"):
        c, z = both(37, 45, 6, dtype=dtype)
        same(z.permute(2, 0, 1) + z.permute(2, 0, 1), c.transpose(2, 0, 1) * 2)
        same(z + z[:, ::-1], c + c[:, ::-1])
        small, cube = c[:6, :6, :6], z[:6, :6, :6]
        same(cube + cube.permute(1, 2, 0), small + small.transpose(1, 2, 0))
    c, z = both(300, 5, 7)
    turned = c[:, :5, :5].transpose(0, 2, 1)
    same(z[:, :5, :5] + z[:, :5, :5].permute(0, 2, 1), c[:, :5, :5] + turned)
    d = a.copy()
    w = st.from_numpy(d)
    w += y.T
    same(w, a + b.T)
    same(st.maximum(x.double(), y.T), np.maximum(a.astype("float64"), b.T))
    same(st.arange(10000).to(st.float32), np.arange(10000, dtype="float32"))
    (p, u), (q, v), (r, w) = floats(60, 70), floats(60, 70), floats(70, 60)

    def function(p: Any, q: Any, r: Any) -> Any:
        return (p * q + r).exp() - p, (p - q).sum(-1, keepdim=True), p * 2

    made = st.fuse(function)(u, v, w.T)
    wanted = np.exp(p * q + r.T) - p, (p - q).sum(-1, keepdims=True), p * 2
    for ours, theirs in zip(made, wanted, strict=True):
        same(ours, theirs, exact=False)
    rows = RANDOM.random((9, 3001))
    variance = st.fuse(lambda t: (t * 2 + 1).var(1, keepdim=True))(st.from_numpy(rows))
    same(variance, (rows * 2 + 1).var(1, keepdims=True, ddof=1), exact=False)


@family
def convert() -> None:
    """Every dtype to every other, packed and strided."""
    names = ("bool", "uint8", "int16", "int64", "float16", "bfloat16", "float32", "complex64")
    for name in names:
        x = st.from_numpy(RANDOM.integers(0, 100, (70, 33))).to(dtype_of(name))
        for other in names:
            seen(x.to(dtype_of(other)), x.T[::2].to(dtype_of(other)))
    e, v = both(200, 90, dtype="int32")
    same(v.T.to(st.float64) + 1, e.T.astype("float64") + 1)


@family
def copy() -> None:
    """Planes, tiles, runs, fills, overlapping."""
    for dtype in ("uint8", "int16", "float32", "int64", "complex128"):
        for shape in ((3, 700), (700, 3), (129, 65), (17, 30, 9), (5, 6, 7, 8)):
            c, z = both(*shape, dtype=dtype)
            axes = [*range(len(shape))]
            for order in (axes[::-1], axes[1:] + axes[:1], axes[-1:] + axes[:-1]):
                same(z.permute(*order).contiguous(), np.ascontiguousarray(c.transpose(*order)))
            same(z[::-1, 1::2].contiguous(), c[::-1, 1::2])
        full = st.full((31, 77), 3, dtype=dtype_of(dtype))
        same(full.T.contiguous(), np.full((77, 31), 3, dtype))
    a, x = both(150, 130)
    expected = a.copy()
    expected[1:, 2:] = a[:-1, :-2]
    x[1:, 2:] = x[:-1, :-2]
    same(x, expected)


@family
def reduce() -> None:
    """Along each axis, of all, over transposed and repeated operands."""
    g, h = floats(70, 80, 9)
    for axis in (0, 1, 2, (0, 2), None):
        same(h.sum(axis), g.sum(axis, dtype="float64"), exact=False)
        same(
            h.permute(2, 0, 1).amax(axis if axis is not None else (0, 1, 2)),
            g.transpose(2, 0, 1).max(axis),
        )
        same(h.var(axis, correction=0), g.astype("float64").var(axis), exact=False)
        seen(h.logsumexp(axis), h.norm(3, dim=axis), st.nansum(h, axis=axis), h.prod(axis))
        same(h.count_nonzero(axis), np.count_nonzero(g, axis))
    for axis in (0, 1, 2):
        same(h.argmax(axis), g.argmax(axis))
        same(h.permute(1, 2, 0).argmin(axis), g.transpose(1, 2, 0).argmin(axis))
    for dtype in ("uint8", "int32", "bool", "complex64"):
        c, z = both(90, 200, dtype=dtype)
        same(z.sum(0), c.sum(0), exact=False)
        same(z.T.any(0), c.T.any(0))
    same(h[:, :1].expand(70, 80, 9).sum(1), g[:, 0] * np.float32(80), exact=False)


@family
def scan() -> None:
    """Sums, products and extremes so far."""
    (g, h), (a, x) = floats(70, 80, 9), both(150, 130)
    same(h.cumsum(1), g.astype("float64").cumsum(1), exact=False)
    same(x.T.cumsum(0), a.T.cumsum(0))
    same(x.reshape(-1).cumsum(0), a.reshape(-1).cumsum())
    for axis in (0, 1, 2):
        seen(h.cumprod(axis), h.cummax(axis), h.permute(2, 0, 1).cummin(axis))


@family
def sort() -> None:
    """Sorts, the first few, single ranks, distinct elements and rows."""
    k, s = both(40, 501, dtype="int32")
    same(s.sort(-1)[0], np.sort(k, -1))
    same(s.T.sort(0)[0], np.sort(k.T, 0))
    same(s.argsort(-1), np.argsort(k, -1, kind="stable"))
    same(s.reshape(-1).sort(0)[0], np.sort(k.reshape(-1)))
    same(st.unique_values(s), np.unique(k))
    same(s[:, :2].unique(dim=0), np.unique(k[:, :2], axis=0))
    _, long = floats(50_001)
    seen(long.sort(), long.topk(7), long.topk(20_000), long.kthvalue(30_000), long.argsort())
    _, half = both(3, 9000, dtype="int16")
    seen(half.sort(1), half.T.sort(0), half.T.topk(5, 0), half.median(1))


@family
def index() -> None:
    """Rows picked and written, masks, searches, counts."""
    k, s = both(40, 501, dtype="int32")
    i = RANDOM.integers(0, 40, 600)
    at = st.from_numpy(i)
    same(s[at], k[i])
    same(s.T[:, at], k.T[:, i])
    same(s[s > 3], k[k > 3])
    same(st.stack(st.nonzero(s > 3)), np.stack(np.nonzero(k > 3)))
    wide = st.from_numpy(RANDOM.integers(0, 40, (600, 501)))
    seen(s.gather(0, wide), s.index_select(1, at), s.take(wide))
    updates = st.from_numpy(RANDOM.integers(-9, 9, (600, 501)).astype("int32"))
    seen(s.scatter_add(0, wide, updates), s.index_add(0, at, updates))
    seen(s.index_put((at,), updates, accumulate=True), s.masked_fill(s > 3, 7))
    same(st.bincount(at), np.bincount(i))
    edges = np.sort(RANDOM.random(333))
    values = RANDOM.random((70, 41))
    places = st.searchsorted(st.from_numpy(edges), st.from_numpy(values).T)
    same(places, np.searchsorted(edges, values.T))


@family
def matmul() -> None:
    """Matrices and vectors of all dtypes, transposed, strided, in stacks."""
    (m, x), (n, y) = floats(90, 110), floats(110, 75)
    product = m.astype("float64") @ n
    same(x @ y, product, exact=False)
    same(y.T @ x.T, product.T, exact=False)
    same(st.einsum("ij,jk->ki", x, y), product.T, exact=False)
    same(x @ y[:, 0], product[:, 0], exact=False)
    same(x[0] @ y, product[0], exact=False)
    for dtype in ("bfloat16", "float16", "float64", "complex64", "int8", "int64"):
        _, a = both(67, 130, dtype="float32")
        _, b = both(130, 51, dtype="float32")
        a, b = (t.to(dtype_of(dtype)) for t in (a, b))
        seen(a @ b, b.T @ a.T, a[::2] @ b, a @ b[:, 0], a[0] @ b[:, 0])
        if a.dtype.kind == "f":
            seen(F.linear(a[:3], b.T), F.linear(a, b.T))
    _, stack = floats(7, 20, 90)
    seen(stack @ y[:90], stack @ stack.mT, st.einsum("bij,bkj->bk", stack, stack))
    _, image = floats(2, 3, 20, 17)
    _, kernel = floats(5, 3, 3, 3)
    seen(F.conv2d(image, kernel, padding=1), F.conv2d(image, kernel, stride=2))


@family
def linalg() -> None:
    """Stacks of small matrices, on threads."""
    m, x = floats(600, 8, 8, dtype="float64")
    own, y = m + 8 * np.eye(8), x + 8 * st.eye(8, dtype=st.float64)
    same(st.linalg.inv(y), np.linalg.inv(own), exact=False)
    same(st.linalg.det(y), np.linalg.det(own), exact=False)
    same(st.linalg.solve(y.mT, x), np.linalg.solve(own.swapaxes(1, 2), m), exact=False)


@family
def quantized_products() -> None:
    """Products with rows of blocks, for one row, few and many."""
    seen(quantized.quantize(floats(70, 512)[1] - 0.5, "Q5_0").blocks)
    for kind in ("Q4_0", "Q8_0", "Q4_K", "Q6_K"):
        weight = quantized.random_blocks(kind, 70, 512, scale=0.1, seed=3)
        for rows in (1, 5, 40):
            x = floats(rows, 512)[1] - 0.5
            seen(F.linear(x, weight))
            with quantized.exact_quantized():
                seen(F.linear(x, weight))
        seen(weight.dequantize())


@family
def optim() -> None:
    """Steps of Adam and SGD over parameters of many sizes."""
    makers = [
        lambda p: st.optim.Adam(p, lr=0.1),
        lambda p: st.optim.AdamW(p, lr=0.1, weight_decay=0.1),
        lambda p: st.optim.SGD(p, lr=0.1, momentum=0.9),
        lambda p: st.optim.SGD(p, lr=0.1),
    ]
    for make in makers:
        parameters = [nn.Parameter(floats(n)[1]) for n in (1, 77, 5000, 30_001)]
        optimizer = make(parameters)
        for _ in range(3):
            for p in parameters:
                p.grad = p.detach() * 3 - 1
            optimizer.step()
        seen(parameters)


@family
def layers() -> None:
    """Rows, channels, attention and pooling, and all that goes backward through them."""
    t = RANDOM.random((33, 257))
    x = st.from_numpy(t)
    soft = np.exp(t - t.max(-1, keepdims=True))
    same(F.softmax(x, -1), soft / soft.sum(-1, keepdims=True), exact=False)
    soft = np.exp(t - t.max(0))
    same(F.softmax(x, 0), soft / soft.sum(0), exact=False)
    centred = t - t.mean(-1, keepdims=True)
    spread = t.var(-1, keepdims=True)
    same(F.layer_norm(x, (257,)), centred / np.sqrt(spread + 1e-5), exact=False)
    small = x.float()
    for x in (small, small.T.contiguous().T, small.to(st.bfloat16)):
        trained(lambda x: F.softmax(x, 0), x)
        trained(lambda x: F.log_softmax(x, 1), x)
        trained(lambda x, w: F.rms_norm(x, x.shape[-1], w, 1e-6), x, x[0])
        trained(lambda x, w, b: F.layer_norm(x, (257,), w, b), x, x[0], x[1])
        trained(lambda x: F.batch_norm(x, None, None, training=True), x)
        seen(nn.swiglu(x, x))
    images = floats(4, 6, 11, 13)[1]
    trained(lambda x: F.batch_norm(x, None, None, training=True), images)
    trained(lambda x: F.group_norm(x, 3), images)
    trained(lambda x: F.max_pool2d(x, 3, stride=2), images)
    trained(lambda x: F.avg_pool2d(x, 2), images)
    targets = st.from_numpy(RANDOM.integers(0, 257, 33))
    trained(lambda x: F.cross_entropy(x, targets), small)
    trained(lambda w: F.embedding(targets[:30] % 33, w), small)
    heads = floats(2, 3, 40, 32)[1]
    trained(lambda q, k, v: F.scaled_dot_product_attention(q, k, v), heads, heads, heads)
    trained(lambda q, k: F.scaled_dot_product_attention(q, k, k, is_causal=True), heads, heads)
    seen(F.scaled_dot_product_attention(heads[:, :, :1], heads, heads))
    angles = floats(40, 16)[1]
    seen(nn.rope(heads, angles.cos(), angles.sin()))


@family
def special() -> None:
    """Functions of one or two numbers, in chunks for threads."""
    x = st.linspace(0.1, 9.0, 5000, dtype=st.float64)
    seen(st.special.i0(x))
    seen(st.special.erfinv(x / 10))
    seen(st.special.gammainc(x, x.flip(0)))


found = {}
for name, run in FAMILIES.items():
    bits = 0
    run()
    found[name] = bits
print(json.dumps(found))
