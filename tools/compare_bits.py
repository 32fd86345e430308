"""Compares the results of two builds of strided, bit by bit.

    python tools/compare_bits.py OLD NEW

OLD and NEW are checkouts in which ``make`` has built the package. Both compute every case with 1, 2
and 5 threads; rows that differ are printed. For changes that must not change results.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent.parent / "tests"
FLOATS = ("float32", "float64", "float16", "bfloat16")
THREADS = (1, 2, 5)

Case = tuple[str, Callable[[], Any]]


# ---- in a build's own process ----


def products() -> Iterator[Case]:
    """Matrix products of every shape class, layout and dtype."""
    import numpy as np

    import strided as st

    random = np.random.default_rng(5)
    sizes = ((1, 1, 1), (4, 4, 4), (1, 300, 70), (300, 70, 1), (33, 65, 130), (17, 3, 900),
             (200, 512, 300), (2, 40_000, 3))  # fmt: skip
    for dtype in (*FLOATS, "int64", "int32", "int8", "complex64", "complex128"):
        for n, k, m in sizes:
            a, b = random.normal(0, 3, (n, k)), random.normal(0, 3, (k, m))
            x, y = (st.from_numpy(each).to(getattr(st, dtype)) for each in (a, b))
            if dtype.startswith("complex"):
                x, y = x * (1 + 2j), y * (2 - 1j)
            name = f"{dtype} {n}x{k}x{m}"
            yield f"matmul {name}", lambda x=x, y=y: x @ y
            yield f"matmul {name}, transposed", lambda x=x, y=y: y.T @ x.T
            columns = y.T.contiguous().T
            yield f"matmul {name}, columns", lambda x=x, y=columns: x @ y
            yield f"matmul {name}, flipped", lambda x=x, y=y: x[:, ::-1] @ y[::-1]
            yield f"einsum {name}", lambda x=x, y=y: st.einsum("ij,jk->ki", x, y)
            yield f"dot {name}", lambda x=x, y=y: st.vecdot(x[0].contiguous(), y[:, 0])
            yield f"outer {name}", lambda x=x, y=y: st.outer(x[:, 0], y[0])
    x = st.from_numpy(random.normal(0, 1, (3, 5, 64, 48))).to(st.float32)
    y = st.from_numpy(random.normal(0, 1, (3, 5, 48, 32))).to(st.float32)
    yield "batches", lambda: x @ y
    yield (
        "batches, permuted",
        lambda: x.permute(1, 0, 3, 2) @ y.permute(1, 0, 3, 2).mT[..., :64, :48],
    )
    yield "einsum bhqd,bhkd", lambda: st.einsum("bhqd,bhkd->bhqk", x, x)


def layers() -> Iterator[Case]:
    """Layers forward and backward, over rows of several lengths and of every layout class."""
    import numpy as np

    import strided as st
    from strided import nn

    random = np.random.default_rng(6)
    for dtype in FLOATS:
        kind = getattr(st, dtype)
        for rows, width in ((1, 8), (4, 8), (7, 65), (20, 512), (3, 5000), (600, 128)):
            x = st.from_numpy(random.normal(0, 2, (rows, width))).to(kind)
            w = st.from_numpy(random.normal(1, 0.2, (width,))).to(kind)
            across = x.T.contiguous().T
            for where, a in (("", x), (" across", across), (" stepped", x[:, ::2])):
                v = w[: a.shape[1]]
                name = f"{dtype} {rows}x{width}{where}"
                calls = {
                    "softmax": lambda a, v: nn.softmax(a, -1),
                    "log_softmax": lambda a, v: nn.log_softmax(a, -1),
                    "rms_norm": lambda a, v: nn.rms_norm(a, a.shape[-1], v, 1e-6),
                    "layer_norm": lambda a, v: nn.layer_norm(a, v.shape, v, v),
                }
                for layer, call in calls.items():
                    yield f"{layer} {name}", lambda call=call, a=a, v=v: call(a, v)
                    if dtype in ("float32", "float64"):
                        yield (
                            f"{layer} gradients {name}",
                            lambda call=call, a=a, v=v: _gradients(call, a, v),
                        )
        q = st.from_numpy(random.normal(0, 1, (2, 4, 37, 32))).to(kind)
        for causal in (False, True):
            yield (
                f"attention {dtype} {causal}",
                lambda q=q, causal=causal: nn.scaled_dot_product_attention(
                    q, q, q, is_causal=causal
                ),
            )
        image = st.from_numpy(random.normal(0, 1, (2, 3, 12, 14))).to(kind)
        kernel = st.from_numpy(random.normal(0, 1, (4, 3, 3, 3))).to(kind)
        yield f"conv2d {dtype}", lambda i=image, k=kernel: nn.conv2d(i, k)
        yield f"max_pool2d {dtype}", lambda i=image: nn.max_pool2d(i, 2)
        big = st.from_numpy(random.normal(0, 1, (70, 96))).to(kind)
        yield f"linear {dtype}", lambda b=big: nn.linear(b[:5], b[:64])
        yield f"linear wide {dtype}", lambda b=big: nn.linear(b, b)


def _gradients(call: Callable[[Any, Any], Any], a: Any, v: Any) -> Any:
    import strided as st

    leaves = [each.detach().requires_grad_() for each in (a, v)]
    made = call(*leaves)
    (made * made).sum().backward()
    return st.concat([each.grad.reshape(-1) for each in leaves if each.grad is not None])


def serve() -> None:
    """Print name and checksum of every case as JSON."""
    from support import isa_answers

    import strided as st

    found: dict[str, str] = {}
    for threads in THREADS:
        st.set_num_threads(threads)
        found |= {f"{name} [{threads}]": value for name, value in isa_answers.answers().items()}
        for name, call in (*products(), *layers()):
            try:
                value = isa_answers.checksum(call())
            except (TypeError, ValueError) as error:
                value = f"{type(error).__name__}"
            found[f"{name} [{threads}]"] = value
    print(json.dumps(found))


# ---- both of them ----


def answers_of(checkout: Path) -> dict[str, str]:
    """Return what the build of a checkout computes; the cases are those of this folder."""
    program = (
        f"import sys; sys.path[:0] = [{str(TESTS)!r}, {str(Path(__file__).parent)!r}];"
        "import compare_bits; compare_bits.serve()"
    )
    command = [checkout / ".venv" / "bin" / "python", "-W", "ignore", "-c", program]
    return dict(json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    asked = parser.parse_args()
    old, new = (answers_of(package.resolve()) for package in (asked.old, asked.new))
    differing = [name for name in old if old[name] != new.get(name)]
    for name in differing:
        print(f"{name}: {old[name]} -> {new.get(name)}")
    print(f"{len(old)} results, {len(differing)} differ")
    return bool(differing)


if __name__ == "__main__":
    sys.exit(main())
