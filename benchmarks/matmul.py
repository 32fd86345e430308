"""Matrix products of every layout, batched products, matrices times vectors.

    python benchmarks/matmul.py [--quick] [--only EXPRESSION]

Claim: as fast as NumPy's OpenBLAS from any strides, attention on views faster than PyTorch, and
matrix times vector at the speed at which memory can be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from bars import Bar
from operands import libraries, numbers, read_limit, seen_by, torch
from side_by_side import Benchmark, Case, main

SQUARE, BATCHED, SCORES, SMALL = "1024^3", "batched", "scores", "small"
VECTOR, BFLOAT16 = "matrix times vector", "bfloat16"

BARS = [
    Bar("1024^3: within 5 % of NumPy", "numpy", (SQUARE,), 0.95),
    Bar("batched products: no slower than PyTorch", "torch", (BATCHED,), 1.0),
    Bar("QK^T of [B,S,H,D] views: 1.5x PyTorch", "torch", (SCORES,), 1.5),
    Bar("small products: no slower than NumPy", "numpy", (SMALL,), 1.0),
    Bar("matrix times vector: 80 % of reading", "limit", (VECTOR,), 0.80),
    Bar("bfloat16 matrix times vector: 2x PyTorch", "torch", (VECTOR, BFLOAT16), 2.0),
    Bar("never slower than PyTorch", "torch", (), 1.0),
]

Arrays = dict[str, Any]


def _arrays(*shape: int, dtype: str = "float32", seed: int = 0) -> Arrays:
    """Return numbers around 0 as every library sees them; NumPy has no bfloat16."""
    wide = numbers(shape, "float64" if dtype == "float64" else "float32", seed)
    wide -= 1
    seen = {library: seen_by(wide, library) for library in libraries()}
    if dtype in ("float32", "float64"):
        return seen
    made: Arrays = {"strided": seen["strided"].to(dtype)}
    if torch is not None:
        made["torch"] = seen["torch"].to(getattr(torch, dtype))
    return made


def _case(
    group: str, name: str, ours: str, numpys: str = "", *tags: str, **operands: Arrays
) -> Case:
    spelled = {"strided": ours, "numpy": numpys or ours, "torch": ours}
    known = set.intersection(*(set(arrays) for arrays in operands.values()))
    statements: dict[str, Any] = {
        library: (spelled[library], {name: arrays[library] for name, arrays in operands.items()})
        for library in libraries()
        if library in known
    }
    return Case(name, statements, group=group, tags=tags, numpy_threads=True)


def _square(side: int) -> Iterator[Case]:
    """Make products of matrices that lie in every way."""
    group = f"{side} x {side} x {side}"
    a, b = _arrays(side, side), _arrays(side, side, seed=1)
    c = _arrays(2 * side + 52, 2 * side + 52, seed=2)
    turned = {library: _flipped(arrays) for library, arrays in b.items() if library != "torch"}
    for name, statement, operands in (
        ("A @ B", "a @ b", {"a": a, "b": b}),
        ("A @ B.T", "a @ b.T", {"a": a, "b": b}),
        ("A.T @ B", "a.T @ b", {"a": a, "b": b}),
        ("A.T @ B.T", "a.T @ b.T", {"a": a, "b": b}),
        ("sliced", f"a @ c[3:{side + 3}, 5:{side + 5}]", {"a": a, "c": c}),
        ("padded rows", f"c[:{side}, :{side}] @ b", {"b": b, "c": c}),
        ("every other row and column", f"a @ c[:{2 * side}:2, :{2 * side}:2]", {"a": a, "c": c}),
        ("flipped (a view)", "a @ b", {"a": a, "b": turned}),
    ):
        yield _case(group, name, statement, "", SQUARE, **operands)
    for dtype in ("float64", "bfloat16", "float16"):
        x, y = (_arrays(side, side, dtype=dtype, seed=seed) for seed in (3, 4))
        yield _case(group, f"{dtype} A @ B.T", "x @ y.T", "", SQUARE, x=x, y=y)


def _flipped(array: Any) -> Any:
    return array[::-1, ::-1]


SCORED = (
    "q.permute(0, 2, 1, 3) @ k.permute(0, 2, 3, 1)",
    "q.transpose(0, 2, 1, 3) @ k.transpose(0, 2, 3, 1)",
)
VALUED = ("p @ v.permute(0, 2, 1, 3)", "p @ v.transpose(0, 2, 1, 3)")


def _batched(sequence: int) -> Iterator[Case]:
    """Make attention on [batch, sequence, heads, width] views, and one matrix for a batch."""
    group = "batched"
    for heads, width in ((12, 64), (32, 128)):
        q, k, v = (_arrays(2, sequence, heads, width, seed=i) for i in range(3))
        p = _arrays(2, heads, sequence, sequence)
        q1, p1 = _arrays(2, 1, heads, width), _arrays(2, heads, 1, sequence)
        what = f"2 x {heads} heads of {sequence} x {width}"
        yield _case(group, f"QK^T, {what}", *SCORED, BATCHED, SCORES, q=q, k=k)
        yield _case(group, f"PV, {what}", *VALUED, BATCHED, p=p, v=v)
        yield _case(group, f"QK^T of one token, {what}", *SCORED, BATCHED, q=q1, k=k)
        yield _case(group, f"PV of one token, {what}", *VALUED, BATCHED, p=p1, v=v)
    x, w = _arrays(16, 128, 256), _arrays(256, 512, seed=1)
    yield _case(group, "16 matrices @ one", "x @ w", "", BATCHED, x=x, w=w)
    yield _case(group, "one @ 16 matrices", "w.T @ x.mT", "", BATCHED, x=x, w=w)


def _small() -> Iterator[Case]:
    group = "small"
    for n in (2, 4, 8, 16, 32, 64, 128, 256):
        yield _case(group, f"{n} x {n}", "a @ a", "", SMALL, a=_arrays(n, n))
    for n, count in ((4, 10_000), (8, 10_000), (16, 2000), (32, 500)):
        yield _case(group, f"{count} of {n} x {n}", "a @ a", "", SMALL, a=_arrays(count, n, n))


def _vectors(sizes: Sequence[int], width: int) -> Iterator[Case]:
    """Make matrices times vectors; the limit is reading the matrix once."""
    for rows in sizes:
        for dtype in ("float32", "bfloat16", "float16"):
            w, x = _arrays(rows, width, dtype=dtype), _arrays(width, dtype=dtype, seed=1)
            columns = {library: _by_columns(array) for library, array in w.items()}
            tags = (VECTOR, BFLOAT16) if dtype == "bfloat16" else (VECTOR,)
            limit = read_limit(w["strided"].nbytes)
            for name, statement, matrix in (
                (f"{dtype} {rows} x {width} @ x", "w @ x", w),
                (f"{dtype} {rows} x {width} @ x, by columns", "w @ x", columns),
                (f"x @ W.T, {dtype} {rows} x {width}", "x[None] @ w.T", w),
            ):
                case = _case("matrix times vector", name, statement, "", *tags, w=matrix, x=x)
                yield Case(**{**vars(case), "statements": {**case.statements, "limit": limit}})


def _by_columns(array: Any) -> Any:
    """Return the same matrix, column by column in memory."""
    if isinstance(array, np.ndarray):
        return np.asfortranarray(array)
    return array.T.contiguous().T


def cases(quick: bool) -> Iterator[Case]:
    """Make every row, one after the other."""
    yield from _square(256 if quick else 1024)
    yield from _batched(128 if quick else 512)
    yield from _small()
    yield from _vectors((512,) if quick else (4096, 12288), 512 if quick else 4096)


BENCHMARK = Benchmark(
    "matmul",
    "Matrix products",
    "Products of float32 matrices (unless said otherwise) from any strides, against NumPy's "
    "OpenBLAS and PyTorch on the same number of threads; matrix times vector against reading the "
    "matrix once.",
    BARS,
    cases,
    notes="NumPy uses as many threads as the others here; it has no bfloat16, and its "
    "float16 product takes seconds and is left out. PyTorch has no negative strides.",
)

if __name__ == "__main__":
    main(BENCHMARK)
