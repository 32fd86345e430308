"""Matrix products of every layout: strided, NumPy (OpenBLAS) and PyTorch, with one and two threads.

    python benchmarks/matmul.py

Each number of threads has a process of its own, because OpenBLAS reads it once. Limits: 1024^3 no
more than 5 % slower than NumPy from any strides; QK^T of attention views 1.5 times as fast as
PyTorch; matrix times vector at 80 % of the speed at which memory can be read, bfloat16 twice as
fast as PyTorch.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any, NamedTuple

import numpy as np
from side_by_side import Case, markdown, measure, write_json

import strided as st

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]


class Row(NamedTuple):
    """One line: seconds by library, and how many times faster than a peer strided should be."""

    name: str
    seconds: dict[str, float]
    limit: dict[str, float]


def _arrays(*shape: int, dtype: str = "float32", seed: int = 0) -> dict[str, Any]:
    data = np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)
    arrays: dict[str, Any] = {"strided": st.tensor(data).to(dtype)}
    if dtype != "bfloat16":
        arrays["numpy"] = data.astype(dtype)
    if torch is not None:
        arrays["torch"] = torch.from_numpy(data).to(getattr(torch, dtype))
    return arrays


def _case(
    name: str, statement: str, numpys: str = "", torchs: str = "", **operands: dict[str, Any]
) -> Case:
    """Make a case of one statement on operands of each library; other spellings default to ours."""
    spelled = {"strided": statement, "numpy": numpys or statement, "torch": torchs or statement}
    libraries = set.intersection(*(set(arrays) for arrays in operands.values()))
    return Case(
        name,
        {
            library: (
                spelled[library],
                {name: arrays[library] for name, arrays in operands.items()},
            )
            for library in ("strided", "numpy", "torch")
            if library in libraries and spelled[library] != "-"
        },
    )


# ---- the products ----


def square() -> list[tuple[Case, dict[str, float]]]:
    """Return products of 1024 x 1024 matrices that lie in every way."""
    a, b = _arrays(1024, 1024), _arrays(1024, 1024, seed=1)
    large = _arrays(2100, 2100, seed=2)
    bar = {"numpy": 0.95}
    flipped = ("a.flip(0) @ b.flip(1)", "a[::-1] @ b[:, ::-1]")
    stepped = "a @ c[:2048:2, :2048:2]"
    wide = {kind: _arrays(1024, 1024, dtype=kind) for kind in ("float64", "bfloat16")}
    return [
        (_case("1024^3 A @ B", "a @ b", a=a, b=b), bar),
        (_case("1024^3 A @ B.T", "a @ b.T", a=a, b=b), bar),
        (_case("1024^3 A.T @ B", "a.T @ b", a=a, b=b), bar),
        (_case("1024^3 A.T @ B.T", "a.T @ b.T", a=a, b=b), bar),
        (_case("1024^3 sliced", "a @ c[3:1027, 5:1029]", a=a, c=large), bar),
        (_case("1024^3 padded rows", "c[:1024, :1024] @ a", a=a, c=large), bar),
        (_case("1024^3 stepped", stepped, a=a, c=large), bar),
        (_case("1024^3 flipped", *flipped, a=a, b=b), bar),
        (_case("1024^3 float64", "a @ a", a=wide["float64"]), bar),
        (_case("1024^3 bfloat16", "a @ a", a=wide["bfloat16"]), {}),
    ]


def batched() -> list[tuple[Case, dict[str, float]]]:
    """Return attention on [batch, sequence, heads, width] views, and broadcast batches."""
    q, k, v = (_arrays(2, 512, 12, 64, seed=i) for i in range(3))
    p, q1, p1 = _arrays(2, 12, 512, 512), _arrays(2, 1, 12, 64), _arrays(2, 12, 1, 512)
    x, w = _arrays(16, 128, 256), _arrays(256, 512, seed=1)
    scores = (
        "q.permute(0, 2, 1, 3) @ k.permute(0, 2, 3, 1)",
        "q.transpose(0, 2, 1, 3) @ k.transpose(0, 2, 3, 1)",
    )
    values = ("p @ v.permute(0, 2, 1, 3)", "p @ v.transpose(0, 2, 1, 3)")
    same = {"torch": 1.0}
    return [
        (_case("QK^T, 2 x 12 heads, 512 x 64", *scores, q=q, k=k), {"torch": 1.5}),
        (_case("PV, 2 x 12 heads, 512 x 64", *values, p=p, v=v), same),
        (_case("QK^T, one token", *scores, q=q1, k=k), same),
        (_case("PV, one token", *values, p=p1, v=v), same),
        (_case("16 matrices, one on the right", "x @ w", x=x, w=w), same),
        (_case("one on the left, 16 matrices", "w.T @ x.mT", "w.T @ x.mT", x=x, w=w), same),
    ]


def small() -> list[tuple[Case, dict[str, float]]]:
    """Return single small products, and many of them."""
    bar = {"numpy": 1.0}
    cases = [_case(f"{n} x {n}", "a @ a", a=_arrays(n, n)) for n in (2, 4, 8, 16, 32, 64)]
    for n, count in ((4, 10_000), (8, 10_000), (16, 2000), (32, 500)):
        cases.append(_case(f"{count} of {n} x {n}", "a @ a", a=_arrays(count, n, n)))
    return [(case, bar) for case in cases]


def vectors() -> list[tuple[Case, dict[str, float], int]]:
    """Return matrices times vectors, each with the bytes that are read."""
    made = []
    for rows in (4096, 12288):
        for dtype in ("float32", "bfloat16", "float16"):
            w, x = _arrays(rows, 4096, dtype=dtype), _arrays(4096, dtype=dtype, seed=1)
            if dtype == "float16":
                w.pop("numpy")  # it takes seconds
            columns = {
                name: (a.T.copy() if name == "numpy" else a.T.contiguous()).T
                for name, a in w.items()
            }
            nbytes = w["strided"].nbytes
            bar = {"memory": 0.8, **({"torch": 2.0} if dtype == "bfloat16" else {})}
            name = f"{dtype} {rows} x 4096"
            made.append((_case(f"{name} @ x", "w @ x", w=w, x=x), bar, nbytes))
            made.append((_case(f"{name} @ x, column-major", "w @ x", w=columns, x=x), bar, nbytes))
            if rows == 4096:
                case = _case(f"x @ W.T, {name}", "x[None] @ w.T", w=w, x=x)
                made.append((case, bar, nbytes))
    return made


def seconds_per_byte() -> float:
    """Return how long the fastest reader of a large array takes for a byte."""
    a, x = _arrays(12288, 4096), _arrays(4096)
    readers = [_case("read", "a @ x", "-", "-", a=a, x=x), _case("read", "a.sum()", a=a)]
    measure(readers)
    return min(min(case.seconds.values()) for case in readers) / a["strided"].nbytes


def rows(threads: int) -> list[Row]:
    """Return every row, measured with so many threads; NumPy takes them from the environment."""
    st.set_num_threads(threads)
    if torch is not None:
        torch.set_num_threads(threads)
    made = []
    for case, limit in (*square(), *batched(), *small()):
        measure([case])
        made.append(Row(case.name, case.seconds, limit))
    per_byte = seconds_per_byte()
    for case, limit, nbytes in vectors():
        measure([case])
        made.append(Row(case.name, {**case.seconds, "memory": nbytes * per_byte}, limit))
    return made


# ---- the table ----


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-4 else f"{seconds * 1e6:.2f} us"


def _ratio(row: Row, peer: str) -> str:
    """Say how many times faster than a peer; bold below the limit."""
    if peer not in row.seconds:
        return "-"
    ratio = row.seconds[peer] / row.seconds["strided"]
    return f"**{ratio:.2f}x**" if ratio < row.limit.get(peer, 0) else f"{ratio:.2f}x"


def table_of(measured: list[Row]) -> str:
    """Return the markdown table of measured rows."""
    header = ["product", "strided", "NumPy", "PyTorch", "vs NumPy", "vs PyTorch", "vs memory"]
    lines = []
    for row in measured:
        times = [_time(row.seconds.get(name)) for name in ("strided", "numpy", "torch")]
        lines.append([row.name, *times, *(_ratio(row, p) for p in ("numpy", "torch", "memory"))])
    return markdown(header, lines)


def main() -> None:
    """Measure with one and two threads, print the tables, write benchmarks/results/matmul.json."""
    if len(sys.argv) > 1:
        print(json.dumps(rows(int(sys.argv[1]))))
        return
    results = {}
    for threads in (1, 2):
        count = str(threads)
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": count, "OMP_NUM_THREADS": count}
        command = [sys.executable, __file__, count]
        measured = json.loads(subprocess.check_output(command, env=environment))
        results[count] = [dict(zip(Row._fields, row, strict=True)) for row in measured]
        print(f"\n{threads} thread{'s' if threads > 1 else ''}\n")
        print(table_of([Row(*row) for row in measured]))
    print("\n(bold: below the limit)")
    write_json("matmul", {"rows": results})


if __name__ == "__main__":
    main()
