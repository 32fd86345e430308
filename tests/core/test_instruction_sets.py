"""Every instruction set gives the same bits: all ops, casts and reductions. Loops have names.

Functions that are computed by fused products have other bits on baseline, which has none;
test_math_accuracy.py holds them to their bounds there.
"""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from support.instruction_sets import LEVELS, WISHES
from support.math_bounds import BOUNDS
from support.paths import ROOT, TESTS

import strided

PROGRAM = f"""
import runpy, sys
sys.path.insert(0, {str(TESTS)!r})
runpy.run_module("support.isa_answers", run_name="__main__")
"""


def start(level: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "STRIDED_ISA": level},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


# Answers of ops do not depend on features, whose loops are those of products.
ANSWERED = [*LEVELS[:2], "avx512,no-vnni,no-bf16", "avx512", "unheard of"]


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    running = {wish: start(wish) for wish in ANSWERED}
    found = {}
    for level, process in running.items():
        out, errors = process.communicate(timeout=240)
        assert process.returncode == 0, errors
        found[level] = json.loads(out)
    return found


ASK = "from strided import _native as n; print(n.active_isa(), *{x[1] for x in n.loop_names()})"


def granted(wish: str) -> tuple[str, set[str]]:
    """What STRIDED_ISA=wish makes active_isa(), and the levels of the loops then."""
    env = {**os.environ, "STRIDED_ISA": wish}
    done = subprocess.run(
        [sys.executable, "-c", ASK], env=env, capture_output=True, text=True, check=True
    )
    isa, *levels = done.stdout.split()
    return isa, set(levels)


@pytest.fixture(scope="module")
def best() -> tuple[str, set[str]]:
    return granted("unheard of")


@pytest.mark.parametrize("wish", WISHES)
def test_the_wish_is_granted_up_to_what_the_processor_has(
    wish: str, best: tuple[str, set[str]]
) -> None:
    isa, levels = granted(wish)
    level, *without = wish.split(",")
    lower = LEVELS[: LEVELS.index(level) + 1]
    features = {feature for feature in best[1] if feature not in LEVELS}
    dropped = {f"avx512_{word.removeprefix('no-')}" for word in without}
    wanted = {one for one in best[1] if one in lower}
    if best[0] == level == "avx512":
        wanted |= features - dropped
    assert levels == wanted
    shown = [f"no-{one.removeprefix('avx512_')}" for one in features & dropped]
    assert set(isa.split(",")) == {LEVELS[min(len(lower), len(best[1] & set(LEVELS))) - 1], *shown}


FUSED = {*BOUNDS, "float_power", "elu", "ldexp"} - {"sqrt", "rsqrt", "fmod", "remainder"}


def is_fused(name: str) -> bool:
    """Whether an answer, named by dtype and op, may have other bits without fused products."""
    dtype, op = name.split()[:2]
    return op in FUSED and not (op == "pow" and "int" in dtype)


@pytest.mark.parametrize("level", ANSWERED[:3])
def test_same_bits(found: dict[str, Any], level: str) -> None:
    plain, other = found[level]["answers"], found["avx512"]["answers"]
    assert len(plain) > 5000
    assert plain.keys() == other.keys()
    differing = [name for name in plain if plain[name] != other[name]]
    if level == "baseline":
        differing = [name for name in differing if not is_fused(name)]
    assert not differing, f"{len(differing)} of {len(plain)}: {differing[:20]}"


# ---- loops and their names ----

CORE = ROOT / "core"


@functools.cache
def with_headers(path: Path) -> str:
    """The text of a file and of all files of core/ that it includes."""
    seen, todo, texts = set(), [path], []
    while todo:
        file = todo.pop()
        if file in seen or not file.exists():
            continue
        seen.add(file)
        texts.append(file.read_text())
        for name in re.findall(r'^#include "([^"]+)"', texts[-1], re.M):
            todo += [file.parent / name, CORE / name]
    return "\n".join(texts)


def test_every_loop_has_a_name() -> None:
    names = strided._native.loop_names()
    assert len({cell for cell, *_ in names}) == len(names) > 1000
    for cell, level, file, function in names:
        assert re.fullmatch(r"[a-z]\w*[\w.\[\]]*", cell), cell
        assert level in (*LEVELS, "avx512_vnni", "avx512_bf16"), cell
        text = with_headers(CORE / file)
        for identifier in function.split("::"):
            assert re.search(rf"\b{identifier}\b", text), f"{cell}: {file} has no {function}"


def test_every_file_of_loops_is_listed() -> None:
    listed = re.findall(
        r"X\(level, (\w+), ?([\w/]*), (\w+)\)", (CORE / "kernels/fill_loops.hpp").read_text()
    )
    there = {str(path.relative_to(CORE)) for path in CORE.rglob("*.isa.cpp")}
    assert {f"kernels/{family}/{sub}{name}.isa.cpp" for family, sub, name in listed} == there


@pytest.mark.parametrize(
    ("cell", "file", "function"),
    [
        ("elementwise[add][float32]", "elementwise/real.isa.cpp", "binary_loop"),
        ("elementwise[clamp][float32]", "elementwise/register_chain.isa.cpp", "clamp_loop"),
        ("elementwise[floor][float64]", "elementwise/double_math.isa.cpp", "MathLoop::run"),
        ("elementwise[floor][int32]", "elementwise/real.isa.cpp", "unary_loop"),
        ("elementwise[lgamma][float32]", "elementwise/libm.cpp", "single_loop"),
        ("elementwise[add][complex64]", "elementwise/complex.cpp", "binary_loop"),
        ("cast[float64][float16]", "convert/cast.isa.cpp", "cast_to_half"),
        ("copy.cross[4][cached]", "copy/transpose.isa.cpp", "copy_cross"),
        ("reduce[sum][float32].along", "reduce/fold.isa.cpp", "fold_along"),
        ("products.tiles[float32].tile[4][2]", "matmul/tile.isa.cpp", "tile"),
        ("quantized[Q4_0].product", "quantized/quantized_product.isa.cpp", "rows"),
    ],
)
def test_names(cell: str, file: str, function: str) -> None:
    found = {name[0]: name[2:] for name in strided._native.loop_names()}
    assert found[cell] == (f"kernels/{file}", function)


# ---- what the linker could merge ----


def leaks(symbols: Iterable[str]) -> list[str]:
    """Of lines of nm, those that an object of another level could define too.

    The linker keeps one of several equal weak symbols. If that is the one of AVX-512, an older
    processor runs it. So every symbol that other objects see carries the namespace of its level.
    """
    found = []
    for line in symbols:
        file, _, rest = line.partition(".o:")
        level = re.search(r"loops_(\w+)\.dir", file)
        assert level, line
        # Objects that end scopes when an exception passes (those of scratch memory) have one weak
        # pointer to the C++ library's unwinder. It is data: which copy the linker keeps does not
        # matter, as none holds an instruction, and all point to the same function outside of ours.
        if rest.endswith("DW.ref.__gxx_personality_v0"):
            continue
        if not re.search(rf"strided::(\w+::)*{level[1]}::", rest):
            found.append(line)
    return found


def test_leaks_are_found() -> None:
    there = "x/loops_avx512.dir/core/a.isa.cpp.o:0000000000000000"
    for kept in (
        "T strided::avx512::fill(int)",
        "T strided::kernels::sort::avx512::fill_sort_loops(strided::LoopFiller&)",
        "W void strided::loop<strided::kernels::sort::avx512::Op<0>>()",
    ):
        assert not leaks([f"{there} {kept}"])
    for merged in (
        "W void std::__introsort_loop<int*, long>(int*, int*, long)",
        "W strided::Layout::rank() const",
        "W void strided::avx512_vnni::rows<int>()",
        "V typeinfo name for strided::Plan",
        "V DW.ref._ZTIN7strided5ErrorE",  # a type that is caught: ours, which has functions
    ):
        assert leaks([f"{there} {merged}"])
    assert not leaks([f"{there} V DW.ref.__gxx_personality_v0"])


def test_no_symbol_of_one_level_leaks_into_another() -> None:
    objects = sorted(ROOT.glob("build/cp*/CMakeFiles/loops_*.dir/**/*.o"))
    if not objects and not Path(strided.__file__).is_relative_to(ROOT / "src"):
        pytest.skip("strided is installed without its build tree")
    assert len(objects) > 28, "build/ has no objects of loops: make .venv/build.stamp"
    nm = subprocess.run(
        ["nm", "-A", "-C", "-g", "--defined-only", *map(str, objects)],
        capture_output=True,
        text=True,
        check=True,
    )
    symbols = nm.stdout.splitlines()
    assert len(symbols) > 1000
    assert not leaks(symbols)
