"""Reductions and running sums over every axis of every permutation, and of few elements.

    python benchmarks/reductions.py [--quick] [--only EXPRESSION]

Claim: at least 70 % of what memory can be read at, over any axis of any permutation, and never
slower than NumPy or PyTorch; a reduction of a thousand elements costs no more than NumPy's.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from bars import Bar
from operands import libraries, limit, numbers, read_limit, seen_by, torch
from side_by_side import Benchmark, Case, main

LARGE, STEADY, SMALL = "large", "steady", "small"

BARS = [
    Bar("over any axis of any permutation: 70 % of the read limit", "limit", (LARGE,), 0.70),
    Bar("var over the last axis: 85 % of the read limit", "limit", (STEADY,), 0.85),
    Bar("never slower than NumPy", "numpy", (LARGE,), 1.0),
    Bar("never slower than PyTorch", "torch", (LARGE,), 1.0),
    Bar("few elements: no slower than NumPy", "numpy", (SMALL,), 1.0),
    Bar("few elements: no slower than PyTorch", "torch", (SMALL,), 1.0),
]

Axis = int | tuple[int, ...] | None

# How strided, NumPy and PyTorch spell an operation on x over axes d; "-" where there is none.
SPELLED: dict[str, tuple[str, str, str]] = {
    "sum": ("x.sum(d)", "x.sum(d)", "x.sum(d)"),
    "prod": ("x.prod(d)", "x.prod(d)", "x.prod(d)"),
    "mean": ("x.mean(d)", "x.mean(d)", "x.mean(d)"),
    "max": ("x.amax(d)", "x.max(d)", "x.amax(d)"),
    "min": ("x.amin(d)", "x.min(d)", "x.amin(d)"),
    "argmax": ("x.argmax(d)", "x.argmax(d)", "x.argmax(d)"),
    "max and where": ("x.max(d)", "-", "x.max(d)"),
    "var": ("x.var(d)", "x.var(d, ddof=1)", "x.var(d)"),
    "std": ("x.std(d)", "x.std(d, ddof=1)", "x.std(d)"),
    "norm": ("x.norm(2, d)", "m.linalg.norm(x, axis=d)", "x.norm(2, d)"),
    "logsumexp": ("x.logsumexp(d)", "-", "x.logsumexp(d)"),
    "any": ("x.any(d)", "x.any(d)", "x.any(d)"),
    "all": ("x.all(d)", "x.all(d)", "x.all(d)"),
    "count_nonzero": ("x.count_nonzero(d)", "m.count_nonzero(x, d)", "x.count_nonzero(d)"),
    "nansum": ("x.nansum(d)", "m.nansum(x, d)", "x.nansum(d)"),
    "cumsum": ("x.cumsum(d)", "x.cumsum(d)", "x.cumsum(d)"),
    "cumprod": ("x.cumprod(d)", "x.cumprod(d)", "x.cumprod(d)"),
}


def _seen(array: np.ndarray, order: tuple[int, ...], library: str) -> Any:
    view = seen_by(array, library)
    return view.transpose(order) if library == "numpy" else view.permute(order)


def _case(
    group: str, operation: str, array: np.ndarray, order: tuple[int, ...], axis: Axis, *tags: str
) -> Case:
    statements = {}
    for library, spelled in zip(("strided", "numpy", "torch"), SPELLED[operation], strict=True):
        if library not in libraries() or spelled == "-":
            continue
        # PyTorch takes no None in most of these.
        spelled = spelled.replace("(d)", "()") if axis is None else spelled
        names = {"x": _seen(array, order, library), "d": axis, "m": libraries()[library]}
        statements[library] = (spelled, names)
    running = operation.startswith("cum")
    if LARGE in tags:
        statements["limit"] = limit(array.nbytes) if running else read_limit(array.nbytes)
    place = "all" if axis is None else f"axis {axis}" if isinstance(axis, int) else f"axes {axis}"
    permuted = "" if order == tuple(sorted(order)) else f" permuted {order}"
    shape = "x".join(str(array.shape[i]) for i in range(array.ndim))
    name = f"{operation} {array.dtype} {shape}{permuted}, {place}"
    return Case(name, statements, group=group, tags=tags, facts={"nbytes": array.nbytes})


def _permuted(quick: bool) -> Iterator[Case]:
    """Every axis of every permutation; axes and permutations are the same thing in memory."""
    for shape in ((64, 128, 128) if quick else (256, 512, 512), (1 << 18 if quick else 1 << 22, 8)):
        array = numbers(shape, "float32")
        for order in itertools.permutations(range(len(shape))):
            for axis in range(len(shape)):
                for operation in ("sum", "max", "argmax", "var"):
                    last = operation == "var" and order[axis] == len(shape) - 1 and len(shape) == 3
                    tags = (LARGE, STEADY) if last else (LARGE,)
                    yield _case("permutations", operation, array, order, axis, *tags)
    deep = numbers((32,) * 4 if quick else (64,) * 4, "float32")
    for count in (1, 2, 3):
        for axes in itertools.combinations(range(4), count):
            one = axes[0] if count == 1 else axes
            yield _case("several axes", "sum", deep, (0, 1, 2, 3), one, LARGE)


def _operations(quick: bool) -> Iterator[Case]:
    square = numbers((1024, 1024) if quick else (4096, 4096), "float32")
    for operation in SPELLED:
        for axis in (0, 1):
            steady = (STEADY,) if operation == "var" and axis == 1 else ()
            yield _case("operations", operation, square, (0, 1), axis, LARGE, *steady)
    for operation in ("sum", "mean", "max", "argmax", "var", "any", "count_nonzero"):
        yield _case("operations", operation, square, (0, 1), None, LARGE)
    for dtype in ("float64", "int32", "int64", "uint8", "float16"):
        array = numbers(square.shape, dtype)
        for operation in ("sum", "max", "argmax", "any"):
            for axis in (0, 1):
                yield _case("dtypes", operation, array, (0, 1), axis, LARGE)


def _few() -> Iterator[Case]:
    for shape in ((4,), (1000,), (32, 32), (65536,)):
        array, order = numbers(shape, "float32"), tuple(range(len(shape)))
        for operation in ("sum", "mean", "max", "argmax", "var", "any", "cumsum"):
            for axis in (None, *((0, 1) if len(shape) == 2 else ())):
                if axis is None and operation == "cumsum":
                    axis = 0
                tags = (SMALL,) if math.prod(shape) <= 1024 else ()
                yield _case("few elements", operation, array, order, axis, *tags)


def cases(quick: bool) -> Iterator[Case]:
    """Make every row, one after the other."""
    yield from _operations(quick)
    yield from _permuted(quick)
    yield from _few()


BENCHMARK = Benchmark(
    "reductions",
    "Reductions",
    "At least 70 % of what memory can be read at, over any axis of any permutation.",
    BARS,
    cases=cases,
    notes="The limit reads as many bytes with the C library's `memcmp`, with as many threads; for "
    "running sums it is a copy. PyTorch "
    + (torch.__version__ if torch else "was not installed")
    + ".",
)

if __name__ == "__main__":
    main(BENCHMARK)
