"""Tensors from numbers, nested lists, and lists of arrays: shape, dtype, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from support.compare import as_numpy

import strided

NUMBERS: list[tuple[Any, tuple[int, ...], str]] = [
    (5, (), "int64"),
    (True, (), "bool"),
    (2.5, (), "float32"),
    (1j, (), "complex64"),
    ([], (0,), "float32"),
    ((), (0,), "float32"),
    ([[], []], (2, 0), "float32"),
    ([[[]], [[]]], (2, 1, 0), "float32"),
    ([True, False], (2,), "bool"),
    ([True, 2], (2,), "int64"),
    ([1, 2.5], (2,), "float32"),
    ([1, 2.5, 3j], (3,), "complex64"),
    ([2**63], (1,), "uint64"),
    ([-(2**63)], (1,), "int64"),
    ([(1, 2), [3, 4]], (2, 2), "int64"),
    ([[[1], [2]], [[3], [4]]], (2, 2, 1), "int64"),
    ([strided.tensor(1), 2], (2,), "int64"),
    ([np.arange(2), [5, 6]], (2, 2), "int64"),
    ([strided.ones(2), strided.arange(2)], (2, 2), "float32"),
    ([[strided.ones(2)], [np.zeros(2)]], (2, 1, 2), "float64"),
    ([b"ab", bytearray(b"cd")], (2, 2), "uint8"),
    ([np.int8(1), np.int16(2)], (2,), "int16"),
    ([np.array(1, "int8"), np.array(2, "int8")], (2,), "int8"),
    ([np.float64(0.1), 1], (2,), "float64"),
    ([strided.tensor(0.1, dtype=strided.float64)], (1,), "float64"),
]


def test_a_dtype_that_is_given_is_not_looked_for() -> None:
    numbers = [2**63, 0, np.int8(5), strided.tensor(7)]  # no integer dtype is common to all
    assert strided.asarray(numbers, dtype=strided.uint64).tolist() == [2**63, 0, 5, 7]
    assert strided.asarray([[2**63], [1]], dtype="float64").tolist() == [[2.0**63], [1.0]]
    with pytest.raises(strided.DTypeMismatch):
        strided.asarray(numbers)


@pytest.mark.parametrize("number", range(len(NUMBERS)))
def test_nested(number: int) -> None:
    data, shape, dtype = NUMBERS[number]
    for make in (strided.tensor, strided.asarray):
        x = make(data)
        assert (x.shape, x.dtype.name) == (shape, dtype)
        wanted = np.array(data, dtype=dtype) if "ab" not in str(data) else [[97, 98], [99, 100]]
        assert as_numpy(x).tolist() == np.asarray(wanted).tolist()
        assert make(data, dtype=strided.complex128).dtype is strided.complex128


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ([[1, 2], [3]], strided.ShapeMismatch),
        ([[1], 2], strided.ShapeMismatch),
        ([1, [2]], strided.ShapeMismatch),
        ([[], [1]], strided.ShapeMismatch),
        ([strided.zeros(2), strided.zeros(3)], strided.ShapeMismatch),
        ([strided.zeros(2), 1], strided.ShapeMismatch),
        ([1, 2**63], strided.DTypeMismatch),
        ([2**64], OverflowError),
        (-(2**63) - 1, OverflowError),
        ([None], TypeError),
        ("text", TypeError),
        (["text"], TypeError),
        ({1: 2}, TypeError),
        ([[1, 2], "ab"], TypeError),
        (object(), TypeError),
    ],
)
def test_refused_data(data: Any, error: type[Exception]) -> None:
    for make in (strided.tensor, strided.asarray):
        with pytest.raises(error):
            make(data)


def test_nesting_ends_somewhere() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(strided.InvalidArgument):
        strided.tensor(endless)
    deep: Any = 1
    for _ in range(64):
        deep = [deep]
    assert strided.tensor(deep).shape == (1,) * 64


def test_lists_that_change_while_they_are_read() -> None:
    # In a process of its own: this is where memory would be overrun.
    program = """
import strided

class Growing:
    dtype = "int64"

    def item(self):
        data.extend([1] * 1_000_000)
        return 1

data = [Growing(), 2, 3]
try:
    assert strided.tensor(data).shape == (3,)
except (strided.ShapeMismatch, RuntimeError):
    pass
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
