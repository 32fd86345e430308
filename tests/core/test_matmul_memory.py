"""What products do to memory, on any number of threads and any instruction set."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support.compare import assert_same
from support.instruction_sets import WISHES
from support.layouts import Placed
from support.matrices import assert_product, layouts, made, over

import strided

o = strided.ones

# ---- memory ----


def test_out_that_shares_memory_with_the_operands() -> None:
    for dtype in ("float32", "bfloat16", "int32"):
        for size in (3, 60):
            x, a = made(layouts(size, size)["row-major"], dtype, 1)
            cases: list[Callable[[Any], tuple[Any, Any, Any]]] = [
                lambda z: (z, z, z),
                lambda z: (z, z.T, z),
                lambda z: (z.T, z, z),
                lambda z: (z[:1], z[1:2], z),
                lambda z: (z[:, 0], z, z[0]),
                lambda z: (z[1:, 1:], z[:-1, :-1], z[1:, :-1]),
            ]
            for case in cases:
                own, b = x.clone(), a.copy()
                out, left, right = case(own)
                _, before_left, before_right = case(b)
                total = strided.copy_totals()["overlap"].count
                strided.matmul(left, right, out=out)
                assert_product(out, before_left, before_right, dtype)
                assert strided.copy_totals()["overlap"].count > total


def test_out_beside_the_operands_copies_nothing() -> None:
    x = strided.rand(20, 20)
    expected = x[:10, :10].clone() @ x[:10, 10:].clone()
    before = strided.copy_totals()
    strided.matmul(x[:10, :10], x[:10, 10:], out=x[10:, :10])
    assert strided.copy_totals() == before
    assert_same(x[10:, :10], expected.numpy())


def test_products_are_counted_as_writes() -> None:
    out = strided.empty(2, 2)
    version = out._version
    strided.matmul(o(2, 2), o(2, 2), out=out)
    assert out._version == version + 1


def test_no_operand_is_copied() -> None:
    for dtype in ("float32", "float16", "int16", "complex64", "bool"):
        left = [x for _, x, _ in over(40, 50, dtype, 1)]
        right = [y for _, y, _ in over(50, 60, dtype, 2)]
        before = strided.copy_totals()
        for x in left:
            for y in right:
                x @ y
                x @ y[:, 0]
        assert strided.copy_totals() == before


PEAK = """
import resource, sys
import numpy as np
import strided

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

dtype = sys.argv[1]
x = strided.ones(3000, 3000, dtype=dtype)
out = strided.ones(1500, 1500, dtype=dtype)
strided.matmul(o := strided.ones(9, 9, dtype=dtype), o)
before = peak()
strided.matmul(x[::-2, ::-2], x[::2, ::2].T, out=out)
wide = strided.ones(1, 300, 300, dtype=dtype).expand(40, 300, 300)
small = strided.ones(40, 300, 4, dtype=dtype)
into = strided.ones(40, 300, 4, dtype=dtype)
strided.matmul(wide, small, out=into)
grown = peak() - before - small.nbytes - into.nbytes - 300 * 300 * 16
assert grown < 17 << 20, grown
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of the process")
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "complex128", "int8"])
def test_panels_are_bounded(dtype: str) -> None:
    done = subprocess.run([sys.executable, "-c", PEAK, dtype], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# ---- threads and instruction sets ----


@pytest.fixture
def threads() -> Iterator[None]:
    before = strided.get_num_threads()
    yield
    strided.set_num_threads(before)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "complex64", "int32"])
def test_the_number_of_threads_does_not_change_the_result(threads: None, dtype: str) -> None:
    shapes = [(200, 300, 100), (1000, 2000, 1), (1, 2000, 1000), (3, 40000, 2), (5, 700, 900)]
    products = [
        (made(Placed((m, k), (k, 1)), dtype, 1)[0], made(Placed((k, n), (n, 1)), dtype, 2)[0])
        for m, k, n in shapes
    ]
    products.append(
        (
            made(Placed((50, 33, 40), (1320, 40, 1)), dtype, 1)[0],
            made(Placed((50, 40, 30), (1200, 30, 1)), dtype, 2)[0],
        )
    )
    products += [(y.mT, x.mT) for x, y in products]
    strided.set_num_threads(1)
    alone = [(x @ y).view(strided.uint8) for x, y in products]
    for count in (2, 3, 8):
        strided.set_num_threads(count)
        for (x, y), expected in zip(products, alone, strict=True):
            got = (x @ y).view(strided.uint8)
            assert strided.array_equal(got, expected), (count, x.shape, y.shape)


LEVELS = """
import numpy as np, strided
random = np.random.default_rng(0)
for m, k, n in [(2, 2, 2), (9, 17, 49), (70, 500, 60), (1, 9000, 40), (40, 900, 3), (5, 33, 1)]:
    for dtype, off in zip(("float64", "float32", "float16", "bfloat16"), (1e-12, 1e-4, 0.02, 0.15)):
        for turn in range(4):
            a, b = random.normal(0, 1, (m, k)), random.normal(0, 1, (k, n))
            x, y = (strided.from_numpy(z).to(dtype) for z in (a, b))
            a, b = (z.to("float64").numpy() for z in (x, y))
            x = x.T.contiguous().T if turn & 1 else x
            y = y.T.contiguous().T if turn & 2 else y
            error = np.abs((x @ y).to("float64").numpy() - a @ b).max()
            assert error < off * np.sqrt(k), (m, k, n, dtype, turn, error)
    for dtype in ("int8", "uint16", "int32", "int64"):
        a, b = (random.integers(0, 1 << 20, s).astype(dtype) for s in ((m, k), (k, n)))
        assert np.array_equal((strided.from_numpy(a) @ strided.from_numpy(b)).numpy(), a @ b)
"""


@pytest.mark.parametrize("level", WISHES)
def test_every_instruction_set(level: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LEVELS],
        env={**os.environ, "STRIDED_ISA": level},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
