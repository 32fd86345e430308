"""Which loops elementwise operations, conversions, copies and fused functions name in plans."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import strided
from strided import float16, float32, float64, int32, int64

ELEMENTWISE = "kernels/elementwise/"
CAST = "kernels/convert/cast.isa.cpp"
ROWS = "kernels/copy/copy_rows.isa.cpp: copy_rows"
TILES = "kernels/copy/transpose.isa.cpp: copy_cross"
LARGE = 16 << 20  # elements: not in any cache when they are read again


def moved() -> None:
    x = strided.arange(100)
    x[1:] = x[:-1]


# What runs, the operation, and how its loops begin, in their order.
CASES: dict[str, tuple[Callable[[], Any], str, list[str]]] = {
    "small": (lambda: strided.ones(4) + 1, "add", [ELEMENTWISE + "real.isa.cpp: binary_loop"]),
    "math": (lambda: strided.ones(9).exp(), "exp", [ELEMENTWISE]),
    "complex": (
        lambda: strided.ones(9, dtype=strided.complex64) * 2,
        "multiply",
        [ELEMENTWISE + "complex.cpp: binary_loop"],
    ),
    "converted": (
        lambda: strided.ones(9, dtype=int32) + strided.ones(9),
        "add",
        [CAST, ELEMENTWISE + "real.isa.cpp: binary_loop"],
    ),
    "converted in blocks": (
        lambda: strided.ones(99999, dtype=int32) + strided.ones(99999),
        "add",
        [CAST, ELEMENTWISE + "real.isa.cpp: binary_loop"],
    ),
    "half": (
        lambda: strided.ones(9, dtype=float16).exp(),
        "exp",
        [CAST, ELEMENTWISE, CAST],
    ),
    "streamed": (
        lambda: strided.zeros(LARGE) + 1,
        "add",
        [ELEMENTWISE + "register_chain.isa.cpp: streamed_loop"],
    ),
    "transposed": (
        lambda: strided.ones(64, 96) + strided.ones(96, 64).T,
        "add",
        [TILES, ELEMENTWISE + "real.isa.cpp: binary_loop"],
    ),
    "packed": (
        lambda: strided.ones(99998)[::2].exp(),
        "exp",
        [ROWS, ELEMENTWISE],
    ),
    "cast": (lambda: strided.arange(9).to(float32), "cast", [CAST]),
    "cast of wide numbers": (
        lambda: strided.ones(9, dtype=float64).to(float16),
        "cast",
        [CAST + ": cast_to_half"],
    ),
    "cast, transposed": (
        lambda: strided.ones(64, 96).T.to(float64, copy=True).contiguous(),
        "cast",
        [CAST],
    ),
    "copy": (lambda: strided.ones(9).clone(), "copy", ["kernels/copy/copy.cpp: copy"]),
    "runs": (lambda: strided.ones(9, 9)[:, :5].contiguous(), "copy", [ROWS]),
    "tiles": (lambda: strided.ones(99, 98).T.contiguous(), "copy", [TILES]),
    "planes": (
        lambda: strided.ones(99, 3).T.contiguous(),
        "copy",
        ["kernels/copy/interleave.isa.cpp: deinterleave"],
    ),
    "groups": (
        lambda: strided.ones(3, 99).T.contiguous(),
        "copy",
        ["kernels/copy/interleave.isa.cpp: interleave"],
    ),
    "move": (moved, "move", ["kernels/copy/copy.cpp: copy_in_order"]),
    "fill": (lambda: strided.empty(9).fill_(3), "fill", [ROWS]),
    "fill, strided": (lambda: strided.empty(9, 9)[:, ::2].fill_(3), "fill", [ROWS]),
    "arange": (
        lambda: strided.arange(9, dtype=int64),
        "arange",
        [ELEMENTWISE + "range.cpp: fill_blocks", CAST],
    ),
    "fused": (
        lambda: strided.fuse(lambda x: (x * 2 + 1).exp())(strided.ones(99)),
        "fused",
        [ELEMENTWISE + "register_chain.isa.cpp: run_quick", ELEMENTWISE],
    ),
    "fused reduction": (
        lambda: strided.fuse(lambda x: x - x.sum(-1, keepdim=True))(strided.ones(9, 99)),
        "fused",
        ["kernels/reduce/fold.isa.cpp: fold_along", ELEMENTWISE],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_loops_are_named(name: str) -> None:
    run, operation, wanted = CASES[name]
    passes = [one for one in strided.plan(run).passes if one.operation == operation]
    assert len(passes) == 1
    loops = passes[0].loops
    assert len(loops) == len(wanted)
    for loop, beginning in zip(loops, wanted, strict=True):
        assert loop.startswith(beginning)


def test_a_loop_is_named_once() -> None:
    function = strided.fuse(lambda x, y: (x.exp() + y.exp()).exp())
    loops = strided.plan(function, strided.ones(9), strided.ones(9)).passes[0].loops
    assert len(loops) == len(set(loops)) == 2


def test_what_streams_is_named_as_it_streams() -> None:
    x = strided.zeros(LARGE)
    one = strided.plan(lambda: x.copy_(strided.zeros(LARGE))).passes[0]
    assert one.streams
    assert "[streamed]" in one.loops[0]


def test_reductions_inside_a_fused_function_make_no_pass_of_their_own() -> None:
    function = strided.fuse(lambda x: x / x.sum(-1, keepdim=True))
    assert len(strided.plan(function, strided.ones(9, 9)).passes) == 1
    after = strided.plan(lambda: strided.ones(9).sum()).passes
    assert [one.operation for one in after] == ["fill", "sum"]
