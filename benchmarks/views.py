"""Latency of view operations, element access and tiny arithmetic: strided, NumPy and PyTorch.

    python benchmarks/views.py

Claim in README: faster than NumPy on every one, at least 8 times faster than PyTorch.
"""

from __future__ import annotations

import statistics
from typing import Any

import numpy as np
from side_by_side import Case, markdown, measure, write_json

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


def _row(case: Case) -> list[str]:
    to_numpy, to_torch = case.ratio("strided", "numpy"), case.ratio("strided", "torch")
    shown_numpy = f"{to_numpy:.1f}x" if to_numpy else "-"
    if to_numpy and to_numpy < 1.0:
        shown_numpy = f"**{to_numpy:.2f}x**"
    shown_torch = f"{to_torch:.0f}x" if to_torch else "-"
    if to_torch and to_torch < 8.0:
        shown_torch = f"**{to_torch:.1f}x**"
    times = [_figure(case.seconds.get(name)) for name in ("strided", "numpy", "torch")]
    return [case.name, *times, shown_numpy, shown_torch]


def main() -> None:
    """Print the table and write benchmarks/results/views.json."""
    if torch is not None:
        torch.set_num_threads(1)
    table = cases()
    measure(table)
    header = ["operation", "strided ns", "NumPy ns", "PyTorch ns", "vs NumPy", "vs PyTorch"]
    print(markdown(header, [_row(case) for case in table]))
    ratios = [1 / r for c in table if (r := c.ratio("strided", "numpy"))]
    print(
        f"\ntime relative to NumPy: median {statistics.median(ratios):.2f}, worst {max(ratios):.2f}"
    )
    peers = [r for c in table if (r := c.ratio("strided", "torch"))]
    if peers:
        print(
            f"times faster than PyTorch: median {statistics.median(peers):.0f}, least {min(peers):.1f}"
        )
    print("(bold: slower than NumPy, or less than 8 times faster than PyTorch)")
    rows = [{"name": c.name, "seconds": c.seconds} for c in table]
    write_json("views", {"rows": rows})


if __name__ == "__main__":
    main()
