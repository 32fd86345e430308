"""An operation needs the memory of its result and at most 16 MB more, whatever its operands are.

Operands are 72 MB, so that a temporary of even one byte an element is too much. The heap's own
count says what tensors took; the process is watched once for what is allocated beside the heap.
"""

from __future__ import annotations

import functools
import gc
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.paths import TESTS

import strided
from strided import memory

MIB = 1 << 20
ROWS, COLUMNS = 4608, 4096
ROOM = 16 * MIB
# Beside the heap: pages are handed out in pieces of 2 MB, and threads have stacks.
SLACK = 8 * MIB


class Operands:
    """Tensors of 72 MB (8-byte ones: the same number of bytes), made when first asked for."""

    @functools.cached_property
    def a(self) -> Any:
        return strided.rand(ROWS, COLUMNS)

    @functools.cached_property
    def b(self) -> Any:
        return strided.rand(ROWS, COLUMNS)

    @functools.cached_property
    def t(self) -> Any:
        """Shaped like a, column by column in memory."""
        return strided.rand(COLUMNS, ROWS).T

    @functools.cached_property
    def square(self) -> Any:
        return strided.rand(4352, 4352)

    @functools.cached_property
    def five(self) -> Any:
        return strided.rand(18, 16, 32, 64, 32)

    @functools.cached_property
    def i(self) -> Any:
        return strided.randint(0, 99, (ROWS, COLUMNS), dtype=strided.int32)

    @functools.cached_property
    def u(self) -> Any:
        return strided.randint(0, 99, (ROWS, COLUMNS), dtype=strided.uint8)

    @functools.cached_property
    def h(self) -> Any:
        return self.a.to(strided.float16)

    @functools.cached_property
    def z(self) -> Any:
        return self.a.view(-1, 2).view_as_complex()

    @functools.cached_property
    def mask(self) -> Any:
        return self.b < 0.5

    @functools.cached_property
    def row(self) -> Any:
        return strided.rand(COLUMNS)

    @functools.cached_property
    def rows(self) -> Any:
        return strided.randperm(ROWS)

    @functools.cached_property
    def places(self) -> Any:
        """Where to look in a flattened a."""
        return strided.randint(0, ROWS * COLUMNS, (ROWS * COLUMNS // 2,))

    @functools.cached_property
    def columns(self) -> Any:
        """Where to look in every row of a."""
        return strided.randint(0, COLUMNS, (ROWS, COLUMNS // 2))


def _normalise(x: Any) -> Any:
    return (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)


def _softmax(x: Any) -> Any:
    powers = strided.exp(x - x.amax(-1, keepdim=True))
    return powers / powers.sum(-1, keepdim=True)


fuse = strided.fuse
Call = Callable[[Operands], Any]

COPIES: dict[str, Call] = {
    "contiguous() of a transpose": lambda o: o.a.T.contiguous(),
    "contiguous() of five axes reversed": lambda o: o.five.permute(4, 3, 2, 1, 0).contiguous(),
    "contiguous() of five axes mixed": lambda o: o.five.permute(2, 4, 0, 3, 1).contiguous(),
    "contiguous() of a reversal": lambda o: o.a.flip(0, 1).contiguous(),
    "contiguous() of every other": lambda o: o.a[:, ::2].contiguous(),
    "contiguous() of an expanded row": lambda o: o.row.expand(ROWS, COLUMNS).contiguous(),
    "contiguous() of windows": lambda o: o.row.unfold(0, 3000, 1)[:900].contiguous(),
    "contiguous() of interleaved": lambda o: o.a.view(-1, 3).T.contiguous(),
    "clone": lambda o: o.a.clone(),
    "reshape that copies": lambda o: o.a.T.reshape(-1),
    "to a wider dtype": lambda o: o.a.to(strided.float64),
    "to a narrower dtype, transposed": lambda o: o.a.T.to(strided.float16),
    "copy_ of its own rows": lambda o: o.b[1:].copy_(o.b[:-1]),
    "tensor of a NumPy array": lambda o: strided.tensor(o.a.numpy().T),
}
ELEMENTWISE: dict[str, Call] = {
    "a + b": lambda o: o.a + o.b,
    "a + transposed": lambda o: o.a + o.t,
    "a + reversed": lambda o: o.a + o.b.flip(1),
    "a + row": lambda o: o.a + o.row,
    "column * row": lambda o: o.row[:, None] * o.row,
    "float32 + int32": lambda o: o.a + o.i,
    "float32 + uint8": lambda o: o.a + o.u,
    "float16 + float32": lambda o: o.h + o.a,
    "uint8 + transposed int32": lambda o: o.u + o.i.T.reshape(COLUMNS, ROWS).T,
    "int / int": lambda o: o.i / o.i,
    "complex": lambda o: o.z * o.z,
    "abs of complex": lambda o: strided.abs(o.z),
    "compare": lambda o: o.a < o.b,
    "exp": lambda o: o.a.exp(),
    "pow": lambda o: o.a**2,
    "where": lambda o: strided.where(o.mask, o.a, o.b),
    "where with a number": lambda o: strided.where(o.mask, o.a, 0),
    "clip": lambda o: o.a.clip(0.2, 0.8),
    "in place": lambda o: o.b.add_(o.a),
    "out=": lambda o: strided.add(o.a, o.t, out=o.b),
    "masked_fill_": lambda o: o.b.masked_fill_(o.mask, 0.5),
    "isclose": lambda o: strided.isclose(o.a, o.b),
    "allclose": lambda o: strided.allclose(o.a, o.a),
    "array_equal": lambda o: strided.array_equal(o.a, o.a),
}
FUSED: dict[str, Call] = {
    "five steps": lambda o: fuse(lambda x, y: abs(x * 2 + y - 0.5) / 3)(o.a, o.b),
    "five steps, transposed": lambda o: fuse(lambda x, y: abs(x * 2 + y - 0.5) / 3)(o.a, o.t),
    "normalised rows": lambda o: fuse(_normalise)(o.a),
    "softmax of rows": lambda o: fuse(_softmax)(o.a),
    "normalised columns": lambda o: fuse(lambda x: x - x.mean(0, keepdim=True))(o.a),
    "by the sum of all": lambda o: fuse(lambda x: x / x.sum(keepdim=True))(o.a),
    "sum at the end": lambda o: fuse(lambda x, y: ((x - y) * (x - y)).sum())(o.a, o.b),
    "several results": lambda o: fuse(lambda x: (x + 1, x.square()))(o.a),
}
REDUCTIONS: dict[str, Call] = {
    **{
        f"{name} over axis {axis}": functools.partial(
            lambda o, name, axis: getattr(o.a, name)(axis), name=name, axis=axis
        )
        for name in ("sum", "mean", "var", "std", "amax", "prod", "argmax", "logsumexp")
        for axis in (0, 1)
    },
    "norm": lambda o: o.a.norm(),
    "norm over rows": lambda o: o.a.norm(dim=1),
    "sum of all": lambda o: o.a.sum(),
    "sum, transposed": lambda o: o.t.sum(0),
    "sum of float16": lambda o: o.h.sum(),
    "sum over two of five axes": lambda o: o.five.sum((1, 3)),
    "largest and where": lambda o: o.a.max(0),
    "argmax of all, transposed": lambda o: o.t.argmax(),
    "any": lambda o: o.mask.any(0),
    "all of numbers": lambda o: o.a.all(),
    "count_nonzero": lambda o: o.a.count_nonzero(),
    "cumsum over columns": lambda o: o.a.cumsum(0),
    "cumsum over rows": lambda o: o.a.cumsum(1),
    "cumsum, transposed": lambda o: o.t.cumsum(0),
    "cumsum of int32": lambda o: o.i.cumsum(1),
    "cumprod": lambda o: o.a.cumprod(0),
}
PRODUCTS: dict[str, Call] = {
    "matmul": lambda o: o.square @ o.square[:, :64],
    "matmul of transposes": lambda o: o.square.T @ o.square[:64].T,
    "matmul with gaps": lambda o: o.a[:, ::2] @ o.b[:2048, :64],
    "matrix times vector": lambda o: o.a @ o.row,
    "vector times transpose": lambda o: o.row @ o.a.T,
    "batch": lambda o: o.five.view(-1, 64, 32)[:, :, ::2] @ o.five.view(-1, 32, 64)[:, :16],
    "einsum": lambda o: strided.einsum("ij,kj->ik", o.a[:64], o.b),
    "einsum, no product": lambda o: strided.einsum("abcde->edcba", o.five),
}
PICKS: dict[str, Call] = {
    "rows by number": lambda o: o.a[o.rows],
    "columns by number": lambda o: o.a[:, o.rows[:3000] % COLUMNS],
    "elements by number": lambda o: o.a.view(-1)[o.places],
    "elements by mask": lambda o: o.a[o.mask],
    "nonzero": lambda o: strided.nonzero(o.mask),
    "assign rows": lambda o: o.b.__setitem__(o.rows, o.a),
    "assign by mask": lambda o: o.b.__setitem__(o.mask, 0.5),
    "take": lambda o: strided.take(o.a, o.rows, axis=0),
    "take_along_axis": lambda o: strided.take_along_axis(o.a, o.columns, axis=1),
    "sort": lambda o: strided.sort(o.a),
    "sort over columns": lambda o: strided.sort(o.a, axis=0),
    "argsort": lambda o: strided.argsort(o.a),
    "topk": lambda o: strided.topk(o.a, 16),
}
JOINS: dict[str, Call] = {
    "concat": lambda o: strided.concat([o.a, o.b]),
    "concat, transposed": lambda o: strided.concat([o.a, o.t], axis=1),
    "stack": lambda o: strided.stack([o.a, o.b], axis=-1),
    "tile": lambda o: strided.tile(o.a, (2, 1)),
    "repeat": lambda o: strided.repeat(o.a, 2, axis=0),
    "roll": lambda o: strided.roll(o.a, 5, axis=0),
    "roll over two axes": lambda o: strided.roll(o.a, (5, 7), axis=(0, 1)),
    "tril": lambda o: strided.tril(o.a),
    "triu": lambda o: strided.triu(o.a, k=2),
    "eye": lambda o: strided.eye(ROWS, COLUMNS),
    "linspace": lambda o: strided.linspace(0, 1, ROWS * COLUMNS),
    "rand": lambda o: strided.rand(ROWS, COLUMNS),
    "randint": lambda o: strided.randint(0, 9, (ROWS, COLUMNS)),
}
CALLS = {**COPIES, **ELEMENTWISE, **FUSED, **REDUCTIONS, **PRODUCTS, **PICKS, **JOINS}

# What is written lies under what is read, and no order of travel is safe for every element: the
# operand is copied first.
OVERLAPS: dict[str, Call] = {
    "copy_ of its own transpose": lambda o: o.square.copy_(o.square.T),
    "add_ of its own transpose": lambda o: o.square.add_(o.square.T),
    "add_ of its own rows": lambda o: o.b[1:].add_(o.b[:-1]),
}

TEMPORARY = "a temporary"


@pytest.fixture(scope="module")
def operands() -> Iterator[Operands]:
    made = Operands()
    yield made
    vars(made).clear()
    memory.release_kept_blocks()


def peak_above_result(call: Call, operands: Operands) -> int:
    """Return how many bytes of tensors a call needed at its peak, beyond what it left behind."""
    call(operands)  # makes the operands
    gc.collect()
    memory.reset_peak()
    result = call(operands)
    facts = memory.heap_facts()
    del result
    return facts.peak_bytes - facts.live_bytes


@pytest.mark.parametrize("name", CALLS)
def test_result_and_little_more(name: str, operands: Operands) -> None:
    assert peak_above_result(CALLS[name], operands) <= ROOM


@pytest.mark.parametrize("name", OVERLAPS)
def test_overlap_costs_one_copy(name: str, operands: Operands) -> None:
    one_copy = max(operands.square.nbytes, operands.b.nbytes)
    assert peak_above_result(OVERLAPS[name], operands) <= one_copy + ROOM


def test_a_temporary_is_seen(operands: Operands) -> None:
    size = operands.a.nbytes
    assert peak_above_result(lambda o: (o.a + 1) * 2, operands) == size
    assert peak_above_result(lambda o: bool((o.a < 2).all()), operands) == size // 4 > ROOM


# ---- what is allocated beside the heap ----


def _kilobytes(field: str) -> int:
    found = re.search(rf"^{field}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.M)
    assert found is not None
    return int(found.group(1))


def watch_process() -> None:
    """Print for every call how many bytes the process had at its peak and no longer has after."""
    operands, over = Operands(), {}
    memory.set_keep_limit(0)  # what is freed goes back to the system at once
    for name, call in {**CALLS, TEMPORARY: lambda o: (o.a + 1) * 2}.items():
        call(operands)
        gc.collect()
        Path("/proc/self/clear_refs").write_text("5")  # the peak starts from here
        result = call(operands)
        over[name] = 1024 * (_kilobytes("VmHWM") - _kilobytes("VmRSS"))
        del result
    print(json.dumps(over))


def _can_watch() -> bool:
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return True


@pytest.mark.skipif(not _can_watch(), reason="asks Linux for the peak of resident pages")
def test_the_process_grows_no_more() -> None:
    paths = filter(None, [os.environ.get("PYTHONPATH")])
    done = subprocess.run(
        [sys.executable, __file__],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *paths])},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    over = json.loads(done.stdout)
    assert len(over) > 80
    assert over.pop(TEMPORARY) > ROOM + SLACK  # what is too much is seen here too
    found = {name: size // MIB for name, size in over.items() if size > ROOM + SLACK}
    assert not found


if __name__ == "__main__":
    watch_process()
