"""Latency of view operations, element access and tiny arithmetic: strided, NumPy and PyTorch.

    python benchmarks/views.py

Claim: faster than NumPy on every one, at least 8 times faster than PyTorch.
"""

from __future__ import annotations

import statistics
from typing import Any

import numpy as np
from side_by_side import Case, markdown, measure, options, write_json

import strided as st

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]


def _arrays(*shape: int) -> dict[str, Any]:
    data = np.random.default_rng(0).random(shape, dtype=np.float32)
    arrays: dict[str, Any] = {"strided": st.tensor(data), "numpy": data}
    if torch is not None:
        arrays["torch"] = torch.from_numpy(data.copy())
    return arrays


def _case(name: str, shape: tuple[int, ...], ours: str, numpys: str = "", torchs: str = "") -> Case:
    """Make a case on one array ``x`` per library; the other spellings default to ours."""
    spelled = {"strided": ours, "numpy": numpys or ours, "torch": torchs or ours}
    modules = {"strided": st, "numpy": np, "torch": torch}
    arrays = _arrays(*shape)
    return Case(
        name,
        {
            library: (spelled[library], {"x": array, "m": modules[library]})
            for library, array in arrays.items()
            if spelled[library] != "-"
        },
    )


def cases() -> list[Case]:
    """Return every row of the table."""
    return [
        _case(".T", (4, 6), "x.T"),
        _case("x[0]", (4, 6), "x[0]"),
        _case("x[1:3, 2:5]", (4, 6), "x[1:3, 2:5]"),
        _case("x[..., None]", (4, 6), "x[..., None]"),
        _case("x[::-1]", (4, 6), "x[::-1]", torchs="-"),
        _case("x[1, 2]", (4, 6), "x[1, 2]"),
        _case("permute, rank 4", (2, 3, 4, 5), "x.permute(0, 2, 1, 3)", "x.transpose(0, 2, 1, 3)"),
        _case("swap two axes", (2, 3, 4, 5), "x.swapaxes(1, 2)"),
        _case("reshape", (4, 6), "x.reshape(3, 8)"),
        _case("reshape(-1)", (4, 6), "x.reshape(-1)"),
        _case("unsqueeze", (4, 6), "x.unsqueeze(0)", "m.expand_dims(x, 0)"),
        _case("squeeze", (1, 6), "x.squeeze()"),
        _case("expand", (1, 6), "x.expand(4, 6)", "m.broadcast_to(x, (4, 6))"),
        _case("flip", (4, 6), "x.flip(0)", "m.flip(x, 0)"),
        _case("diagonal", (4, 6), "x.diagonal()"),
        _case("unfold", (8,), "x.unfold(0, 3, 1)", "m.lib.stride_tricks.sliding_window_view(x, 3)"),
        _case(
            "as_strided",
            (24,),
            "x.as_strided((3, 4), (4, 1))",
            "m.lib.stride_tricks.as_strided(x, (3, 4), (16, 4))",
        ),
        _case("split in 3", (6, 4), "x.split(2)", "m.split(x, 3)"),
        _case("empty(4)", (1,), "m.empty(4)"),
        _case("x + x, 4 elements", (4,), "x + x"),
        _case("x + 1.0, 4 elements", (4,), "x + 1.0"),
        _case("x *= 1.0, 4 elements", (4,), "x.__imul__(1.0)"),
        _case("x == x, 4 elements", (4,), "x == x"),
        _case("exp, 4 elements", (4,), "m.exp(x)"),
        _case("sum, 4 elements", (4,), "x.sum()"),
        _case("x[1, 2].item()", (4, 6), "x[1, 2].item()"),
        _case("x[1, 2] = 3.0", (4, 6), "x[1, 2] = 3.0"),
        _case("shape", (4, 6), "x.shape"),
        _case("is contiguous", (4, 6), "x.is_contiguous()", "x.flags.c_contiguous"),
    ]


def _figure(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds * 1e9:.0f}"


def _ratio(seconds: dict[str, float], peer: str, bar: float) -> str:
    """Say how many times faster than a peer; bold below the bar."""
    if peer not in seconds:
        return "-"
    ratio = seconds[peer] / seconds["strided"]
    shown = f"{ratio:.1f}x" if ratio < 10 else f"{ratio:.0f}x"
    return f"**{shown}**" if ratio < bar else shown


def table_of(rows: list[dict[str, Any]]) -> str:
    """Return the markdown table of measured rows."""
    header = ["operation", "strided ns", "NumPy ns", "PyTorch ns", "vs NumPy", "vs PyTorch"]
    lines = []
    for row in rows:
        seconds = row["seconds"]
        times = [_figure(seconds.get(name)) for name in ("strided", "numpy", "torch")]
        ratios = [_ratio(seconds, "numpy", 1.0), _ratio(seconds, "torch", 8.0)]
        lines.append([row["name"], *times, *ratios])
    return markdown(header, lines)


# Rows that make a view; the others compute, or ask.
VIEWS = (
    *(".T", "x[0]", "x[1:3, 2:5]", "x[..., None]", "x[::-1]", "x[1, 2]", "permute, rank 4"),
    *("swap two axes", "reshape", "reshape(-1)", "unsqueeze", "squeeze", "expand", "flip"),
    *("diagonal", "unfold", "as_strided", "split in 3"),
)


def spans_of(rows: list[dict[str, Any]]) -> str:
    """Return one sentence on what views cost in each library."""
    said = []
    for library, name in (("strided", ""), ("numpy", " in NumPy"), ("torch", " in PyTorch")):
        times = [row["seconds"].get(library) for row in rows if row["name"] in VIEWS]
        known = [seconds for seconds in times if seconds is not None]
        least, middle, most = map(_time, (min(known), statistics.median(known), max(known)))
        said.append(f"{middle}{name} ({least} to {most})")
    return f"The median of {len(VIEWS)} view operations is {said[0]}; {said[1]}, {said[2]}."


def _time(seconds: float) -> str:
    return f"{seconds * 1e9:.0f} ns" if seconds < 9.995e-7 else f"{seconds * 1e6:.1f} µs"


def main() -> None:
    """Print the table and write benchmarks/results/views.json."""
    asked = options(__doc__)
    if torch is not None:
        torch.set_num_threads(1)
    table = cases()
    measure(table, rounds=3 if asked.quick else 15)
    rows = [{"name": case.name, "seconds": case.seconds} for case in table]
    print(table_of(rows))
    ours = [1 / r for c in table if (r := c.ratio("strided", "numpy"))]
    print(f"\ntime relative to NumPy: median {statistics.median(ours):.2f}, worst {max(ours):.2f}")
    peers = [r for c in table if (r := c.ratio("strided", "torch"))]
    if peers:
        median, least = statistics.median(peers), min(peers)
        print(f"times faster than PyTorch: median {median:.0f}, least {least:.1f}")
    print("(bold: slower than NumPy, or less than 8 times faster than PyTorch)")
    write_json("views", {"rows": rows}, asked.to)


if __name__ == "__main__":
    main()
