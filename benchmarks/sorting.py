"""Sorting, selecting, searching and picking by position.

    python benchmarks/sorting.py [--quick] [--only EXPRESSION]

Claim: never slower than NumPy or PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from bars import Bar
from side_by_side import Benchmark, Case, main

import strided as st

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]

MILLION = 1 << 20
BARS = [
    Bar("never slower than NumPy", "numpy", (), 1.0),
    Bar("never slower than PyTorch", "torch", (), 1.0),
]


def _case(name: str, arrays: dict[str, np.ndarray], ours: str, numpys: str, torchs: str) -> Case:
    """Make a case over named arrays; a spelling of "-" leaves a library out."""
    statements = {
        "strided": (ours, {"m": st, **{k: st.tensor(a) for k, a in arrays.items()}}),
        "numpy": (numpys, {"m": np, **arrays}),
    }
    if torch is not None:
        tensors = {k: torch.from_numpy(a.copy()) for k, a in arrays.items()}
        statements["torch"] = (torchs, {"m": torch, **tensors})
    return Case(name, {k: v for k, v in statements.items() if v[0] != "-"})


def _numbers(dtype: str, *shape: int) -> np.ndarray:
    random = np.random.default_rng(0)
    if dtype.startswith("float"):
        return random.standard_normal(shape).astype(dtype)
    if dtype == "bool":
        return random.random(shape) < 0.3
    limits = np.iinfo(dtype)
    return random.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)


def _positions(length: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, length, shape)


def _sorting(largest: int) -> list[Case]:
    cases = []
    for dtype in ("float32", "int32", "int64", "float64", "float16", "uint8"):
        for size, words in ((1000, "1K"), (MILLION, "1M"), (largest, "largest")):
            x = {"x": _numbers(dtype, size)}
            cases.append(_case(f"sort, {dtype}, {words}", x, "m.sort(x)", "m.sort(x)", "-"))
            stable = "m.argsort(x, kind='stable')"
            cases.append(
                _case(f"argsort, {dtype}, {words}", x, "m.argsort(x)", stable, "m.argsort(x)")
            )
            if size < 16 * MILLION:
                cases.append(
                    _case(f"values and indices, {dtype}, {words}", x, "x.sort()", "-", "x.sort()")
                )
    for shape in ((100000, 16), (10000, 100), (1000, 1000)):
        x = {"x": _numbers("float32", *shape)}
        for axis in (1, 0):
            name = f"{shape} along {axis}"
            spelled = f"m.sort(x, axis={axis})"
            cases.append(_case(f"sort {name}", x, spelled, spelled, "-"))
            ours = f"m.argsort(x, axis={axis})"
            theirs = f"m.argsort(x, axis={axis}, kind='stable')"
            cases.append(_case(f"argsort {name}", x, ours, theirs, f"m.argsort(x, dim={axis})"))
    return cases


def _selecting() -> list[Case]:
    logits, long = {"x": _numbers("float32", 8, 151936)}, {"x": _numbers("float32", MILLION)}
    few, dims = "x.topk(50)", {"x": _numbers("float32", 2000, 512)}
    return [
        _case("topk(50), (8, 151936)", logits, few, "m.argpartition(x, -50)[:, -50:]", few),
        _case("topk(50), 1M", long, few, "m.argpartition(x, -50)[-50:]", few),
        _case("topk(10) along 0", dims, "x.topk(10, 0)", "-", "x.topk(10, 0)"),
        _case("median, 1M", long, "x.median()", "m.partition(x, x.size // 2)[0]", "x.median()"),
        _case(
            "kthvalue along 1", dims, "x.kthvalue(100)", "m.argpartition(x, 99)", "x.kthvalue(100)"
        ),
        _case(
            "unique, 1M int64 below 1000",
            {"x": _positions(1000, MILLION)},
            "m.unique_values(x)",
            "m.unique(x)",
            "m.unique(x)",
        ),
        _case(
            "unique with counts, 1M float32",
            {"x": np.round(_numbers("float32", MILLION), 3)},
            "m.unique_counts(x)",
            "m.unique(x, return_counts=True)",
            "m.unique(x, return_counts=True)",
        ),
        _case(
            "unique with inverse, 1M int64",
            {"x": _positions(MILLION, MILLION)},
            "m.unique_inverse(x)",
            "m.unique(x, return_inverse=True)",
            "m.unique(x, return_inverse=True)",
        ),
    ]


def _searching() -> list[Case]:
    cases = []
    for size, words in ((100, "100"), (MILLION, "1M")):
        names = {"s": np.sort(_numbers("float32", size)), "v": _numbers("float32", MILLION)}
        spelled = "m.searchsorted(s, v)"
        cases.append(_case(f"searchsorted, 1M in {words}", names, spelled, spelled, spelled))
    bins = {"x": _positions(256, MILLION)}
    many = {"x": _positions(100000, MILLION)}
    mask = {"x": _numbers("bool", 1024, 1024)}
    return [
        *cases,
        _case("bincount, 1M in 256", bins, "m.bincount(x)", "m.bincount(x)", "m.bincount(x)"),
        _case("bincount, 1M in 100K", many, "m.bincount(x)", "m.bincount(x)", "m.bincount(x)"),
        _case(
            "histogram, 1M in 50",
            {"x": _numbers("float32", MILLION)},
            "m.histogram(x, 50)",
            "m.histogram(x, 50)",
            "m.histogram(x, 50)",
        ),
        _case("nonzero, 1M bool", mask, "x.nonzero()", "m.argwhere(x)", "x.nonzero()"),
        _case(
            "isin, 1M in 1000",
            {"x": _positions(100000, MILLION), "y": _positions(100000, 1000)},
            "m.isin(x, y)",
            "m.isin(x, y)",
            "m.isin(x, y)",
        ),
    ]


def _picking() -> list[Case]:
    rows = {"x": _numbers("float32", 50000, 256), "i": _positions(50000, 8192)}
    line = {"x": _numbers("float32", MILLION), "i": _positions(MILLION, MILLION)}
    line["y"] = np.zeros(MILLION, np.float32)
    grid = {"x": _numbers("float32", 1024, 1024), "i": _positions(1024, 1024, 1024)}
    mask = {"x": _numbers("float32", 1024, 1024), "k": _numbers("bool", 1024, 1024)}
    wide = {"x": _numbers("float32", 1024, 1024), "i": _positions(1024, 512)}
    add = {
        "x": np.zeros((5000, 256), np.float32),
        "i": _positions(5000, 8192),
        "v": _numbers("float32", 8192, 256),
    }
    put = {
        "x": np.zeros((1024, 1024), np.float32),
        "i": _positions(1024, 1024, 1024),
        "v": _numbers("float32", 1024, 1024),
    }
    along = "m.take_along_axis(x, i, axis={})"
    return [
        _case(
            "rows by position", rows, "m.take(x, i, axis=0)", "x.take(i, 0)", "x.index_select(0, i)"
        ),
        _case("x[rows]", rows, "x[i]", "x[i]", "x[i]"),
        _case(
            "columns by position",
            wide,
            "m.take(x, i, axis=1)",
            "x.take(i, 1)",
            "x.index_select(1, i)",
        ),
        _case("1M of 1M elements", line, "x[i]", "x[i]", "x[i]"),
        _case("gather along 1", grid, along.format(1), along.format(1), "x.gather(1, i)"),
        _case("gather along 0", grid, along.format(0), along.format(0), "x.gather(0, i)"),
        _case("x[mask]", mask, "x[k]", "x[k]", "x[k]"),
        _case("x[mask] = 0", mask, "x[k] = 0", "x[k] = 0", "x[k] = 0"),
        _case(
            "index_add_", add, "x.index_add_(0, i, v)", "m.add.at(x, i, v)", "x.index_add_(0, i, v)"
        ),
        _case(
            "scatter_ along 1",
            put,
            "x.scatter_(1, i, v)",
            "m.put_along_axis(x, i, v, 1)",
            "x.scatter_(1, i, v)",
        ),
        _case(
            "scatter_add_ along 0", put, "x.scatter_add_(0, i, v)", "-", "x.scatter_add_(0, i, v)"
        ),
        _case(
            "scatter_add_ of 1M", line, "y.scatter_add_(0, i, x)", "-", "y.scatter_add_(0, i, x)"
        ),
    ]


def cases(quick: bool) -> Iterator[Case]:
    """Make every row, one after the other."""
    for group, made in (
        ("sorting", _sorting(MILLION if quick else 16 * MILLION)),
        ("selecting", _selecting()),
        ("searching", _searching()),
        ("picking", _picking()),
    ):
        for case in made:
            case.group = group
            yield case


BENCHMARK = Benchmark(
    "sorting",
    "Sorting and picking",
    "Sorting, selecting, searching and index operations against NumPy and PyTorch.",
    BARS,
    cases,
    notes="NumPy's argsort is asked to be stable, as strided's is.",
)

if __name__ == "__main__":
    main(BENCHMARK)
