"""A checksum of every op's answer on one instruction set, as JSON: test_instruction_sets.py.

Run in ``tests``: ``STRIDED_ISA=avx2 python -m support.isa_answers``.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from support.compare import ALL_DTYPES, as_numpy, dtype_of, kind_of

import strided
from strided.ops.elementwise import definitions

SPECIAL = [0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, 1e-40, 0.5]
ORDERING: dict[str, Callable[[Any], Any]] = {
    "sort": lambda a: strided.sort(a, axis=0),
    "sort falling": lambda a: a.sort(0, True).values,
    "argsort": lambda a: a.argsort(0),
    "topk": lambda a: a.topk(2, 0).indices,
    "kthvalue": lambda a: a.kthvalue(2, 0).indices,
    "cummax": lambda a: a.cummax(0).indices,
    "unique": lambda a: strided.unique_all(a).inverse_indices,
    "searchsorted": lambda a: strided.searchsorted(strided.sort(a, axis=None), a),
}
PICKING: dict[str, Callable[[Any], Any]] = {
    "take": lambda a: a[strided.tensor([2, -1, 0])],
    "take flat": lambda a: a.take(strided.arange(a.size).flip()),
    "gather": lambda a: a.gather(0, (strided.arange(a.size) % a.shape[0]).reshape(*a.shape)),
    "masked": lambda a: a[a != 0],
    "nonzero": lambda a: a.nonzero(),
    "scatter_add": lambda a: a.scatter_add(0, a.not_equal(0).to(strided.uint8), a),
    "index_copy": lambda a: a.index_copy(0, strided.tensor([0, 2, 0]), a[:3]),
}
REDUCTIONS = (
    *("sum", "prod", "mean", "amin", "amax", "argmin", "argmax", "any", "all", "count_nonzero"),
    *("var", "std", "logsumexp", "nansum", "nanmin", "nanmax", "nanmean"),
)
ALONG_AN_AXIS = ("sum", "amax", "argmin", "var", "all", "nansum", "logsumexp", "cumsum", "cumprod")


def numbers(dtype: str, seed: int) -> Any:
    """Return 600 elements, small for integers, wide and with every special value for floats."""
    random, kind = np.random.default_rng(seed), kind_of(dtype)
    if kind in "biu":
        a = random.integers(*{"b": (0, 2), "i": (-50, 50), "u": (0, 100)}[kind], 600)
    else:
        a = random.normal(0, 1, 600) * np.repeat([0.1, 1.0, 30.0], 200)
        a[seed::17] = np.resize(SPECIAL, len(a[seed::17]))
        a = a + 1j * random.normal(0, 2, 600) if kind == "c" else a
    return strided.from_numpy(a).to(dtype_of(dtype))


def layouts(x: Any) -> Iterator[tuple[str, Any]]:
    yield "long", x[:277]
    yield "short", x[:3]
    yield "stepped", x[1:500:2]
    yield "flipped", x[:141].flip()
    yield "matrix", x[:510].view(17, 30).T


def checksum(x: Any) -> str:
    a = np.ascontiguousarray(as_numpy(x)).reshape(-1)
    if a.dtype.kind in "fc":
        a = a.view(a.real.dtype).copy()
        a[np.isnan(a)] = np.nan  # which NaN comes out is nobody's promise
    return f"{x.dtype} {x.shape} {zlib.crc32(a.tobytes()):08x}"


def calls(dtype: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    for (where, a), (_, b) in zip(
        layouts(numbers(dtype, 0)), layouts(numbers(dtype, 1)), strict=True
    ):
        for row in definitions(1):
            yield f"{row.name} {where}", lambda a=a, name=row.name: getattr(strided, name)(a)
        for row in definitions(2):
            op = getattr(strided, row.name)
            right = b % 7 if "shift" in row.name and kind_of(dtype) in "iu" else b
            yield f"{row.name} {where}", lambda op=op, a=a, b=right: op(a, b)
            if dtype != "bool":
                yield f"{row.name} {where}, number", lambda op=op, a=a: op(a, 3)
        for to in ALL_DTYPES:
            if kind_of(dtype) != "c" or kind_of(to) == "c":
                kept = a[a.isfinite()] if kind_of(dtype) in "fc" else a
                yield f"to {to} {where}", lambda kept=kept, to=to: kept.to(dtype_of(to))
        for name in REDUCTIONS:
            yield f"{name} {where}", lambda a=a, name=name: getattr(a, name)()
            yield f"{name} {where}, first axis", lambda a=a, name=name: getattr(a, name)(dim=0)
        for order in (0, 1, 2, 3, np.inf):
            yield f"norm {order} {where}", lambda a=a, order=order: a.norm(order, 0)
        for name in ("cumsum", "cumprod"):
            yield f"{name} {where}", lambda a=a, name=name: getattr(a, name)(0)
        for name, call in {**ORDERING, **PICKING}.items():
            yield f"{name} {where}", lambda a=a, call=call: call(a)
        yield f"where {where}", lambda a=a, b=b: strided.where(a == b, a, b)


def rows(x: Any) -> Iterator[tuple[str, Any]]:
    """Rows of lengths that networks take in different ways."""
    for length in (4, 17, 71, 128, 300):
        yield f"rows of {length}", x[strided.arange(20 * length) * 7 % 600].reshape(20, length)


def large_reductions() -> Iterator[tuple[str, Any]]:
    """Rows so wide that several are taken at once, short ones, and runs that are cut."""
    random = np.random.default_rng(3)
    for dtype in ("float32", "float64", "float16", "uint8", "int32", "int64"):
        for shape in ((40, 9000), (5000, 3), (2, 70_001)):
            a = random.normal(0, 30, shape)
            x = strided.from_numpy(a if dtype[0] == "f" else np.abs(a)).to(dtype_of(dtype))
            for name in ALONG_AN_AXIS:
                for axis in (0, 1):
                    yield f"{name} {dtype} {shape} {axis}", getattr(x, name)(axis)
                    yield f"{name} {dtype} {shape}.T {axis}", getattr(x.T[::-1], name)(axis)


def copies() -> Iterator[tuple[str, Any]]:
    """Views whose copies take every way: tiles, planes, runs, steps, past the caches and not."""
    for size in (1, 2, 4, 8, 16):
        dtype = {1: "uint8", 2: "uint16", 4: "int32", 8: "int64", 16: "complex128"}[size]
        for rows, columns in ((70, 150), (300, 3), (1 << 20, 9 // size + 2), (1100, 8200 // size)):
            x = strided.arange(rows * columns).remainder(251).to(dtype_of(dtype))
            x = x.reshape(rows, columns)
            yield f"{dtype} {rows} transposed", x.T
            yield f"{dtype} {rows} flipped", x[::-1, ::-1]
            yield f"{dtype} {rows} stepped", x[:, ::2]
            yield f"{dtype} {rows} repeated", x[:, :1].expand(rows, columns)


def answers() -> dict[str, str]:
    found = {}
    for dtype in ALL_DTYPES:
        for name, call in calls(dtype):
            try:
                found[f"{dtype} {name}"] = checksum(call())
            except strided.DTypeMismatch:
                continue
    found.update((f"large {name}", checksum(made)) for name, made in large_reductions())
    found.update((f"copy {name}", checksum(view.contiguous())) for name, view in copies())
    for dtype in ("float32", "int64", "uint8"):
        for name, x in rows(numbers(dtype, 0)):
            found[f"sort {dtype} {name}"] = checksum(strided.sort(x))
            found[f"argsort {dtype} {name}"] = checksum(strided.argsort(x, descending=True))
    x = numbers("float32", 0)
    chain = strided.fuse(lambda x: strided.maximum(-(x * 2 + 1).abs(), -9) / 3 - x)
    found.update((f"fused {name}", checksum(chain(view))) for name, view in layouts(x))
    return found


if __name__ == "__main__":
    print(json.dumps({"isa": strided._native.active_isa(), "answers": answers()}))
