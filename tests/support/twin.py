"""Random view-and-write programs, run on a strided tensor and a NumPy array in lockstep.

A program is a shape, a dtype and a list of steps (see steps.py). After each step both sides must
agree in shape, strides, elements, contiguity and sharing, and the two storages must hold the same
bytes. A failing program is made smaller and reported as one line of code.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

import strided

from .steps import (
    ATTRIBUTES,
    CHANGING,
    OPERATORS,
    PICKED,
    WRITES,
    Array,
    Inapplicable,
    Mismatch,
    Step,
    is_view_of,
    overlaps_itself,
    view_numpy,
    view_strided,
    write_numpy,
    write_strided,
)
from .view_proposals import propose_view
from .write_proposals import propose_write, random_shape

DTYPES = ("float32", "int64", "int16", "bool", "complex64", "uint8")


class Program(NamedTuple):
    """Where to start, and what to do."""

    shape: tuple[int, ...]
    dtype: str
    steps: list[Step]


class Twins:
    """A tensor and an array that must stay alike."""

    def __init__(self, shape: tuple[int, ...], dtype: str) -> None:
        count = math.prod(shape)
        if dtype == "bool":
            self.x = (strided.arange(count) % 3 == 0).reshape(shape)
            flat = np.arange(count) % 3 == 0
        else:
            self.x = strided.arange(count, dtype=getattr(strided, dtype)).reshape(shape)
            flat = np.arange(count).astype(dtype)
        self.a = flat.reshape(shape)
        self._start_storage(flat)
        self.exact = True  # no bytes were read as another dtype: floats hold small whole numbers
        self.compare()

    def _start_storage(self, root: Array) -> None:
        self.root = root
        self.storage = self.x.storage().tensor()
        self.bytes = np.asarray(self.storage)
        self.seen: list[tuple[Any, Array]] = []

    def do(self, step: Step) -> None:
        if step.op in WRITES:
            self._write(step)
        else:
            self._view(step)

    def _write(self, step: Step) -> None:
        target = write_numpy(self.a, self.root, step)
        refused = step.op != "put" and overlaps_itself(target)
        if step.op == "put" and overlaps_itself(self.a):
            raise Inapplicable
        try:
            write_strided(self.x, step)
        except strided.WriteThroughOverlap:
            if not refused:
                raise
        else:
            if refused:
                raise Mismatch("wrote through a layout that overlaps itself")
        self.compare()

    def _view(self, step: Step) -> None:
        a = view_numpy(self.a, self.root, step)
        shared = is_view_of(a, self.root)
        if step.op == "view" and a.size and not shared:
            try:
                self.x.view(*step.args)
            except strided.ViewNotPossible:
                return
            raise Mismatch("view() returned a tensor where NumPy has to copy")
        x = view_strided(self.x, step)
        if a.size:
            if strided.shares_memory(x, self.storage) != shared:
                raise Mismatch(f"sharing: NumPy says {shared}")
        else:
            shared = x.storage() == self.x.storage()
        self.seen.append((self.x, self.a))
        self.x, self.a = x, a
        if step.op == "view_dtype":
            self.exact = a.dtype.kind in "iu"
        if not shared:
            self._start_storage(a.ravel(order="K") if a.size else a.reshape(-1))
        self.compare()

    def compare(self) -> None:
        x, a = self.x, self.a
        if x.shape != a.shape:
            raise Mismatch(f"shape {x.shape}, NumPy has {a.shape}")
        if x.byte_strides != a.strides and a.size:
            for mine, theirs, length in zip(x.byte_strides, a.strides, a.shape, strict=True):
                if length > 1 and mine != theirs:
                    raise Mismatch(f"byte strides {x.byte_strides}, NumPy has {a.strides}")
        if x.is_contiguous() != a.flags.c_contiguous:
            raise Mismatch(f"is_contiguous() is {x.is_contiguous()}")
        seen = np.asarray(x)
        if seen.dtype != a.dtype:
            raise Mismatch(f"dtype {seen.dtype}, NumPy has {a.dtype}")
        if seen.tobytes() != a.tobytes() or (self.exact and x.tolist() != a.tolist()):
            raise Mismatch(f"elements {x.tolist()}, NumPy has {a.tolist()}")
        if self.bytes.tobytes() != self.root.tobytes():
            raise Mismatch(f"storage {self.bytes.tolist()}, NumPy has {self.root.tolist()}")
        for other_x, other_a in self.seen[-2:]:
            try:
                shared = np.shares_memory(a, other_a, max_work=100_000)
            except np.exceptions.TooHardError:
                continue
            if strided.shares_memory(x, other_x) != shared:
                raise Mismatch(f"sharing with {other_x.layout}: NumPy says {shared}")


def run_random(rng: random.Random, depth: int = 10) -> Program:
    """Make up a program while running it; raise Mismatch with a line of code at the first fault."""
    program = Program(random_shape(rng), rng.choice(DTYPES), [])
    twins = Twins(program.shape, program.dtype)
    wanted = rng.randint(1, depth)
    for _ in range(3 * depth):
        if len(program.steps) == wanted:
            break
        if rng.random() < 0.3:
            step = propose_write(rng, twins.a, twins.root, twins.exact)
        else:
            step = propose_view(rng, twins.a, twins.root)
        if step is None:
            continue
        program.steps.append(step)
        try:
            twins.do(step)
        except Inapplicable:
            program.steps.pop()
        except Exception as error:
            raise Mismatch(report(program, error)) from error
    return program


def failure_of(program: Program) -> Exception | None:
    """Run a program; return what went wrong, None when nothing did or a step made no sense."""
    try:
        twins = Twins(program.shape, program.dtype)
        for step in program.steps:
            twins.do(step)
    except Inapplicable:
        return None
    except Exception as error:
        return error
    return None


def _smaller(program: Program) -> Iterator[Program]:
    for i in range(len(program.steps)):
        yield program._replace(steps=program.steps[:i] + program.steps[i + 1 :])
    for i, length in enumerate(program.shape):
        if length > 1:
            shape = (*program.shape[:i], length - 1, *program.shape[i + 1 :])
            yield program._replace(shape=shape)
        if length == 1:
            yield program._replace(shape=program.shape[:i] + program.shape[i + 1 :])
    if program.dtype != "int64":
        yield program._replace(dtype="int64")


def shrink(program: Program, failure: Exception) -> Program:
    """Drop steps and shorten axes as long as the program still fails in the same way."""
    while True:
        for smaller in _smaller(program):
            if type(failure_of(smaller)) is type(failure):
                program = smaller
                break
        else:
            return program


def report(program: Program, error: Exception) -> str:
    """Return the smallest failing program as one line of code, and what is wrong after it."""
    small = shrink(program, error)
    error = failure_of(small) or error
    return f"{code_of(small)}  # {type(error).__name__}: {error}"


# ---- programs as code ----


def _bound(value: int | None) -> str:
    return "" if value is None else str(value)


def _item(item: Any) -> str:
    if isinstance(item, slice):
        step = "" if item.step is None else f":{item.step}"
        return f"{_bound(item.start)}:{_bound(item.stop)}{step}"
    if item is Ellipsis:
        return "..."
    if isinstance(item, np.ndarray):
        return f"np.array({item.tolist()}, dtype={item.dtype.name!r}).reshape({item.shape})"
    return repr(item)


def _key(key: Any) -> str:
    if not isinstance(key, tuple):
        return _item(key)
    return ", ".join(map(_item, key)) + ("," if len(key) == 1 else "") if key else "()"


def _expression(step: Step) -> str:
    op, args = step.op, step.args
    if op in ATTRIBUTES:
        return f"x.{op}"
    if op in ("getitem", "take"):
        return f"x[{_key(args[0])}]"
    if op == "view_dtype":
        return f"x.view(strided.{args[0]})"
    if op == "clone_row_major":
        return "x.clone(memory_format=strided.row_major)"
    if op in CHANGING:
        return f"x.detach().{op}({', '.join(map(repr, args))})"
    if op in PICKED:
        return f"x.{op}({', '.join(map(repr, args[:-1]))})[{args[-1]}]"
    return f"x.{op}({', '.join(map(repr, args))})"


def _statement(step: Step) -> str:
    op, args = step.op, step.args
    if op not in WRITES:
        return f"x = {_expression(step)}"
    value = _expression(step.source) if step.source else _item(args[-1]) if args else ""
    if op in ("setitem", "put"):
        return f"x[{_key(args[0])}] = {value}"
    return f"x {op} {value}" if op in OPERATORS else f"x.{op}({value})"


def code_of(program: Program) -> str:
    """Return a program as one line of Python that needs ``strided`` and ``np``."""
    count = math.prod(program.shape)
    if program.dtype == "bool":
        start = f"x = (strided.arange({count}) % 3 == 0).reshape({program.shape})"
    else:
        start = (
            f"x = strided.arange({count}, dtype=strided.{program.dtype}).reshape({program.shape})"
        )
    return "; ".join([start, *map(_statement, program.steps)])
