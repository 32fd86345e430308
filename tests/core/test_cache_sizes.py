"""Results do not depend on the machine: kernels run with caches that nobody would build."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

# name: STRIDED_MACHINE, STRIDED_NUM_THREADS
MACHINES = {
    "this one": ("", "2"),
    "tiny first cache": ("l1=1024,l2=4096,l3=65536", "1"),
    "no caches": ("line=1,l1=1,l2=1,l3=1,stream=1", "2"),
    "everything streams": ("stream=1", "2"),
    "one thread": ("l1=300", "1"),
    "64 threads, small chunks": ("chunk=512", "64"),
    "64 threads, many chunks": ("l1=1024,l2=65536,stream=4096,chunk=64,chunks=50", "64"),
    "huge caches": (
        "line=4096,l1=1073741824,l2=1073741824,l3=1099511627776,stream=1099511627776",
        "5",
    ),
}

# Checks values against NumPy, then prints a digest of all bits that it has seen.
PROGRAM = r"""
import hashlib
import numpy as np
import strided as st
from strided import nn

bits = hashlib.sha1()
rng = np.random.default_rng(7)


def same(ours, theirs, exact=True):
    ours = np.asarray(ours.numpy())
    bits.update(np.ascontiguousarray(ours).tobytes())
    assert ours.shape == np.shape(theirs), (ours.shape, np.shape(theirs))
    if exact:
        np.testing.assert_array_equal(ours, theirs)
    else:
        np.testing.assert_allclose(ours, theirs, rtol=2e-4, atol=1e-4)


def both(*shape, dtype="float32"):
    a = rng.integers(-50, 50, shape).astype(dtype)
    return a, st.from_numpy(a)


# Elementwise: packed, transposed, permuted, strided, reversed, repeated, in place, converted.
a, x = both(150, 130)
b, y = both(130, 150)
same(x + y.T, a + b.T)
same(x * y.T[:, ::-1] - x[::-1], a * b.T[:, ::-1] - a[::-1])
same(x[::2, ::3] + y.T[::2, ::3], a[::2, ::3] + b.T[::2, ::3])
same(x + x[:, :1] + x[:1], a + a[:, :1] + a[:1])
same(st.where(x > 0, y.T, x), np.where(a > 0, b.T, a))
for dtype in ("int8", "int16", "float64", "complex128"):
    c, z = both(37, 45, 6, dtype=dtype)
    same(z.permute(2, 0, 1) + z.permute(2, 0, 1), c.transpose(2, 0, 1) * 2)
    same(z + z.permute(0, 1, 2)[:, ::-1], c + c[:, ::-1])
    small, cube = c[:6, :6, :6], z[:6, :6, :6]
    same(cube + cube.permute(1, 2, 0), small + small.transpose(1, 2, 0))
c, z = both(300, 5, 7)
same(z + z.permute(0, 1, 2), c + c)
same(z[:, :5, :5] + z[:, :5, :5].permute(0, 2, 1), c[:, :5, :5] + c[:, :5, :5].transpose(0, 2, 1))
d = a.copy()
w = st.from_numpy(d)
w += y.T
same(w, a + b.T)
e, v = both(200, 90, dtype="int32")
same(v.T.to(st.float64) + 1, e.T.astype("float64") + 1)
same(st.maximum(x.to(st.float64), y.T), np.maximum(a.astype("float64"), b.T))

# Copies: planes, tiles, runs, fills, conversions, overlapping.
for dtype in ("uint8", "int16", "float32", "int64", "complex128"):
    for shape in ((3, 700), (700, 3), (129, 65), (17, 30, 9), (5, 6, 7, 8)):
        c, z = both(*shape, dtype=dtype)
        axes = [*range(len(shape))]
        for order in (axes[::-1], axes[1:] + axes[:1], axes[-1:] + axes[:-1]):
            same(z.permute(*order).contiguous(), np.ascontiguousarray(c.transpose(*order)))
        same(z[::-1, 1::2].contiguous(), c[::-1, 1::2])
    same(st.full((31, 77), 3, dtype=getattr(st, dtype)).T.contiguous(), np.full((77, 31), 3, dtype))
d = a.copy()
w = st.from_numpy(d)
w[1:, 2:] = w[:-1, :-2]
f = a.copy()
f[1:, 2:] = a[:-1, :-2]
same(w, f)
same(st.arange(10000).to(st.float32), np.arange(10000, dtype="float32"))


# Fused.
@st.fuse
def function(p, q, r):
    return (p * q + r).exp() - p, (p - q).sum(-1, keepdim=True), p * 2


with np.errstate(all="ignore"):
    p, q, r = (rng.random((60, 70)).astype("float32") for _ in range(3))
    transposed = st.from_numpy(np.ascontiguousarray(r.T)).T
    made = function(st.from_numpy(p), st.from_numpy(q), transposed)
    wanted = np.exp(p * q + r) - p, (p - q).sum(-1, keepdims=True), p * 2
    for ours, theirs in zip(made, wanted, strict=True):
        same(ours, theirs, exact=False)

# Reductions: along each axis, of all, over transposed and repeated operands.
g = rng.random((70, 80, 9)).astype("float32")
h = st.from_numpy(g)
for axis in (0, 1, 2, (0, 2), None):
    same(h.sum(axis), g.sum(axis, dtype="float64"), exact=False)
    same(h.permute(2, 0, 1).amax(axis if axis is not None else (0, 1, 2)),
         g.transpose(2, 0, 1).max(axis))
    same(h.var(axis, correction=0), g.astype("float64").var(axis), exact=False)
same(h.sum((0, 1)), g.sum((0, 1), dtype="float64"), exact=False)
same(h.argmax(1), g.argmax(1))
same(h.cumsum(1), g.astype("float64").cumsum(1), exact=False)
same(x.T.cumsum(0), a.T.cumsum(0))

# Sorts, searches, picks.
k, s = both(40, 501, dtype="int32")
same(s.sort(-1)[0], np.sort(k, -1))
same(s.T.sort(0)[0], np.sort(k.T, 0))
same(s.argsort(-1, stable=True), np.argsort(k, -1, kind="stable"))
same(st.unique_values(s), np.unique(k))
same(s.reshape(-1).sort(0)[0], np.sort(k.reshape(-1)))
i = rng.integers(0, 40, 600)
same(s[st.from_numpy(i)], k[i])
same(s[s > 3], k[k > 3])
same(s.T[:, st.from_numpy(i)], k.T[:, i])

# Products and layers.
m, n = rng.random((90, 110)).astype("float32"), rng.random((110, 75)).astype("float32")
same(st.from_numpy(m) @ st.from_numpy(n), m.astype("float64") @ n, exact=False)
same(st.from_numpy(n).T @ st.from_numpy(m).T, n.T.astype("float64") @ m.T, exact=False)
product = st.einsum("ij,jk->ki", st.from_numpy(m), st.from_numpy(n))
same(product, (m.astype("float64") @ n).T, exact=False)
same(st.from_numpy(m) @ st.from_numpy(n)[:, 0], m.astype("float64") @ n[:, 0], exact=False)
t = rng.random((33, 257)).astype("float64")
soft = np.exp(t - t.max(-1, keepdims=True))
same(nn.softmax(st.from_numpy(t), -1), soft / soft.sum(-1, keepdims=True), exact=False)
soft = np.exp(t - t.max(0))
same(nn.softmax(st.from_numpy(t), 0), soft / soft.sum(0), exact=False)
centred, spread = t - t.mean(-1, keepdims=True), t.var(-1, keepdims=True)
same(nn.layer_norm(st.from_numpy(t), (257,)), centred / np.sqrt(spread + 1e-5), exact=False)
print(bits.hexdigest())
"""


def _digest(name: str) -> str:
    machine, threads = MACHINES[name]
    environment = os.environ | {"STRIDED_MACHINE": machine, "STRIDED_NUM_THREADS": threads}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def here() -> str:
    return _digest("this one")


@pytest.mark.parametrize("name", [name for name in MACHINES if name != "this one"])
def test_values_are_numpys_and_bits_the_same(name: str, here: str) -> None:
    assert _digest(name) == here


def _plan(machine: str) -> str:
    program = "import strided as st; print(st.plan(lambda x: x + x.T, st.ones(300, 300)))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"STRIDED_MACHINE": machine, "STRIDED_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_the_environment_says_which_machine() -> None:
    assert "streaming stores" in _plan("stream=1000")
    assert "streaming stores" not in _plan("stream=1000000000")
    assert _plan("l2=65536") != _plan("l2=8192")
    assert "8 chunks" in _plan("chunk=4096")
    assert "chunks" not in _plan("chunk=1000000000")


def test_entries_that_say_nothing_are_ignored() -> None:
    assert _plan("l2=0,garbage,l2=x,=,stream=-1,l2") == _plan("")
    assert _plan("garbage,stream=1000,l2=") == _plan("stream=1000")
