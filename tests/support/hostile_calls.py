"""Calls of every definition with operands that no test of values has, and arguments beyond them.

``empty``: operands with 64 axes or with huge empty ones. ``endless``: elements that are repeated
more often than any machine could count to, so that an operation ends by being interrupted.

A program of its own (tests/core/test_hostile_operands.py starts it), since a call may end the
process. It prints each call that broke a promise; the last call that it wrote to the error stream
is the one that it did not survive.
"""

from __future__ import annotations

import inspect
import random
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from support.sanitizers import SLOWDOWN

import strided
import strided.fft
import strided.linalg
import strided.nn.functional
from strided.ops.define import DEFINITIONS, Definition

HUGE = 2**62
# Of processor time: empty operands have no elements, and endless ones are interrupted.
SECONDS = {"empty": 10.0, "endless": 0.25}
LATE = 1.0 * SLOWDOWN  # seconds of processor time from the signal to the end of an operation
# They make as many views as they are asked for.
ENDLESS = {"chunk", "split", "tensor_split", "hsplit", "vsplit", "dsplit", "unbind", "unstack"}
SHAPES: list[tuple[int, ...]] = [
    (1,) * 64,
    (1,) * 63 + (2,),
    (2,) + (1,) * 63,
    (1,) * 62 + (2, 3),
    (1,) * 63,
    (0,) + (2,) * 60,
    (2,) * 60 + (0,),
    (1,) * 62 + (0, HUGE),
    (0, HUGE),
    (HUGE, 0),
    (1, 0, HUGE),
    (2**40, 2**20, 0),
    (0, 2**63 - 1),
    (0, 3),
    (),
    (3, 4),
    (2, 3, 4, 5),
]
# Of one element.
ENDLESS_SHAPES: list[tuple[int, ...]] = [
    (2**61,),
    (1, 2**61),
    (2**61, 1),
    (2, 2**60),
    (2**60, 2),
    (2**40, 1, 2**20),
    (2**20, 2**40),
    (2**31, 2**30),
    (2, 3, 2**59),
    (2**57, 2, 2, 2),
    (2, 2, 2**29, 2**29),
    (4, 4),
    (2**20,),
    (),
]
NUMBERS = [0, 1, -1, 2, 3, 63, 64, -64, -65, HUGE, -HUGE, 2**63 - 1, -(2**63), 2**64]
FLOATS = [0, 1, -1, 0.5, 1e308, float("nan"), float("inf"), 2**63, -(2**70), HUGE]
AXES = [None, 0, -1, 63, -64, 64, -65, HUGE, -(2**63), (), (0,), (0, -1), (0, 0)]
AXES += [tuple(range(64)), tuple(range(63)), tuple(range(65))]
SIZES = [(), (1,) * 64, (1,) * 65, (0, HUGE), (HUGE, HUGE), (-1,), (-1, HUGE), (2, 3), (HUGE,), 3]
DTYPES = ["float32", "float64", "int64", "bool", "complex64", "uint8", "bfloat16"]
WORDS = {
    "reduce": ["sum", "prod", "amax", "mean", "nothing"],
    "reduction": ["mean", "sum", "none"],
    "norm": ["backward", "ortho", "forward"],
    "mode": ["constant", "reflect", "replicate", "nearest", "bilinear", "reduced"],
    "indexing": ["ij", "xy"],
    "side": ["left", "right"],
    "memory_format": ["row_major", "column_major", "channels_last"],
}
# Typed refusals; wrong types; numbers that are no int64, as Python and NumPy say it.
REFUSED = (strided.StridedError, TypeError, OverflowError, MemoryError)


mode = "empty"


class Stopped(BaseException):
    """What the handler raises when a call has had its time."""


def endless(pick: random.Random, dtype: str = "") -> strided.Tensor:
    """Return one element, repeated."""
    made = strided.full((), pick.choice([0, 1, 3]), dtype=dtype or pick.choice(DTYPES))
    if pick.randrange(6) == 0 and made.dtype.kind == "f":
        made = made.requires_grad_()
    return made.expand(pick.choice(ENDLESS_SHAPES))


def tensor(pick: random.Random, dtype: str = "") -> strided.Tensor:
    """Return a tensor of few or no elements, whose axes and strides are as large as may be."""
    if mode == "endless":
        return endless(pick, dtype)
    shape = pick.choice(SHAPES)
    made = strided.zeros(shape, dtype=dtype or pick.choice(DTYPES))
    way = pick.randrange(6)
    if way == 0 and made.numel() == 0:
        steps = [pick.choice([0, 1, HUGE, -HUGE, 2**63 - 1, -(2**63)]) for _ in shape]
        try:
            made = strided.zeros(1, dtype=made.dtype).as_strided(shape, steps)
        except strided.StridedError:  # where the element would lie
            return made
    elif way == 1:
        made = strided.ones(4, 8, dtype=made.dtype)[:, :: pick.choice([HUGE, 2**63 - 1, 3])]
    elif way == 2:
        made = made.permute(*pick.sample(range(made.ndim), made.ndim)) if made.ndim else made
    elif way == 3 and made.dtype.kind == "f":
        made = made.requires_grad_()
    return made


def index(pick: random.Random) -> Any:
    """Return a key for x[key]."""
    parts: list[Any] = [0, -1, HUGE, None, ..., True, [0], [], slice(None, None, -HUGE)]
    parts += [slice(HUGE, None, HUGE), strided.zeros((1,) * 64, dtype="int64")]
    parts += [strided.zeros(0, HUGE, dtype="int64"), strided.ones((1,) * 64, dtype="bool")]
    count = pick.choice([1, 1, 2, 3, 64, 65])
    return pick.choice(parts) if count == 1 else tuple(pick.choice(parts) for _ in range(count))


def argument(pick: random.Random, name: str, kind: str) -> Any:
    """Return a value for a parameter, by its name and annotation."""
    if name in WORDS:
        return pick.choice(WORDS[name])
    if name in ("index", "indices", "key", "rows", "tokens") and (name, kind) != ("key", "Tensor"):
        return pick.choice([index, lambda p: tensor(p, "int64"), lambda p: tensor(p, "bool")])(pick)
    if name in ("mask", "condition"):
        return tensor(pick, "bool")
    if name in ("arrays", "tensors", "operands", "arrays_and_dtypes", "sequences"):
        return [tensor(pick) for _ in range(pick.choice([0, 1, 2, 65]))]
    if name in ("axis", "axes", "dim", "dims"):
        return pick.choice(AXES)
    if kind.startswith("bool"):
        return pick.choice([True, False])
    if kind == "DType":
        return strided._native.as_dtype(pick.choice(DTYPES))
    if "DType" in kind or name == "dtype":
        return pick.choice([None, *DTYPES])
    if name == "out":
        return (tensor(pick), tensor(pick)) if kind.startswith("Pair") else tensor(pick)
    if "Operand" in kind:
        return tensor(pick) if pick.random() < 0.8 else pick.choice(FLOATS)
    if "Tensor" in kind:
        return tensor(pick)
    if "Sequence" in kind or "Sizes" in kind or "Pair" in kind or name == "size":
        return pick.choice(SIZES)
    if kind.startswith("int"):
        return pick.choice(NUMBERS)
    return pick.choice(FLOATS) if kind.startswith(("float", "complex")) else tensor(pick)


def arguments(pick: random.Random, one: Definition) -> tuple[list[Any], dict[str, Any]]:
    """Return arguments for one call: the operands, some of the rest."""
    kinds = one.python.__annotations__
    defaults = inspect.signature(one.python).parameters
    placed: list[Any] = []
    named: dict[str, Any] = {}
    for i, name in enumerate(one.parameters):
        if name in ("device", "generator"):
            continue
        optional = defaults[name].default is not inspect.Parameter.empty
        if optional and pick.random() < (0.85 if name == "out" else 0.5):
            continue
        kind = "Tensor" if name == "x" else str(kinds.get(name, ""))
        given = argument(pick, name, kind)
        if optional is False and defaults[name].kind is inspect.Parameter.VAR_POSITIONAL:
            placed += given if isinstance(given, (list, tuple)) else [given]
        elif i < one.operands or (i < one.placed and len(placed) == i):
            placed.append(given)
        else:
            named[name] = given
    return placed, named


def text(value: Any) -> str:
    """Return what a report says of an argument."""
    if isinstance(value, strided.Tensor):
        last = str(value.shape[-3:])
        return f"{value.dtype.name} of {value.ndim} axes, the last {last}, {value.strides[-3:]}"
    if isinstance(value, (list, tuple)) and len(value) > 4:
        return f"{len(value)} of [{text(value[0])}, ...]"
    return repr(value)


def look_at(result: Any) -> None:
    """Use a result: its text, a copy, its gradient."""
    for one in result if isinstance(result, (tuple, list)) else [result]:
        if not isinstance(one, strided.Tensor):
            continue
        repr(one)
        if one.numel() < 1000:
            one.clone()
            if one.requires_grad and one.dtype.kind == "f":
                one.sum().backward()


def calls(share: int, shares: int, rounds: int) -> Iterator[tuple[Definition, random.Random]]:
    """Yield this share of all definitions, each with random numbers of its own per round."""
    known = [one for one in DEFINITIONS.values() if one.operation is not None]
    for number, one in enumerate(known):
        if number % shares == share:
            for turn in range(rounds):
                yield one, random.Random(f"{one.namespace}.{one.name} {turn}")


def run(share: int, shares: int, rounds: int, threads: int) -> None:
    """Call, and print what is no result, no refusal and no interruption in time."""

    def stop(_: int, frame: FrameType | None) -> None:
        while frame is not None:
            if "importlib" in frame.f_code.co_filename:  # half a module cannot be imported again
                signal.setitimer(signal.ITIMER_PROF, 0.05)
                return
            frame = frame.f_back
        raise Stopped

    signal.signal(signal.SIGPROF, stop)
    warnings.simplefilter("ignore")
    strided.set_num_threads(threads)
    count = 0
    for one, pick in calls(share, shares, rounds):
        placed, named = arguments(pick, one)
        said = ", ".join([*map(text, placed), *(f"{k}={text(v)}" for k, v in named.items())])
        print(f"{one.name}({said})", file=sys.stderr, flush=True)
        public = bool(one.functions or one.methods)  # others check nothing for themselves
        start = time.process_time()
        broken = call(one.operation, placed, named, SECONDS[mode] * threads)
        taken = time.process_time() - start
        count += 1
        if taken > (SECONDS[mode] + LATE) * threads:
            broken = f"took {taken:.1f} seconds {broken}"
        elif "Stopped" in broken and (mode == "endless" or one.name in ENDLESS):
            broken = ""
        if broken and public:
            print(f"{one.name}({said}): {broken}")
    print("calls:", count)


def call(
    operation: Callable[..., Any], placed: list[Any], named: dict[str, Any], seconds: float
) -> str:
    """Return what was wrong with a call; empty where nothing was."""
    try:
        try:
            signal.setitimer(signal.ITIMER_PROF, seconds)
            look_at(operation(*placed, **named))
        except REFUSED:
            pass
        finally:  # a signal that comes while the timer is stopped is heard here, too
            signal.setitimer(signal.ITIMER_PROF, 0)
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    return ""


if __name__ == "__main__":
    mode, *numbers = sys.argv[1:]
    run(*map(int, numbers))
