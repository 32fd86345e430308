"""Operands that all libraries share: the same bytes at the same address, seen three times.

So no library has better pages or a luckier address than another. Bytes are random, because writing
zeros is faster than writing anything else.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

import strided

try:
    import torch
except ImportError:
    torch = None

DTYPES = {1: "uint8", 2: "int16", 4: "float32", 8: "float64"}
SLACK = 64
BLOCK = 1 << 24


class Buffer:
    """Random bytes, made larger when asked for more."""

    def __init__(self, seed: int):
        self._seed = seed
        self._bytes = np.empty(0, np.uint8)

    def bytes(self, count: int) -> np.ndarray:
        """Return ``count`` of them. A view."""
        if count > self._bytes.size:
            self._bytes = np.empty(0, np.uint8)
            self._bytes = np.asarray(strided.empty(count + SLACK, dtype=strided.uint8))
            rng = np.random.default_rng(self._seed)
            for begin in range(0, self._bytes.size, BLOCK):
                part = self._bytes[begin : begin + BLOCK]
                part[:] = np.frombuffer(rng.bytes(part.size), np.uint8)
        return self._bytes[:count]

    def array(self, shape: Sequence[int], dtype: str) -> np.ndarray:
        """Return an array of arbitrary bits. A view."""
        count = math.prod(shape) * np.dtype(dtype).itemsize
        return self.bytes(count).view(dtype).reshape(shape)


SOURCE, TARGET = Buffer(1), Buffer(2)


def numbers(shape: Sequence[int], dtype: str, seed: int = 0) -> np.ndarray:
    """Return numbers between 0.5 and 1.5 (floats) or 1 and 99 (integers). A new array."""
    out = np.asarray(strided.empty(tuple(shape), dtype=getattr(strided, dtype)))
    rng = np.random.default_rng(seed)
    flat = out.reshape(-1)
    for begin in range(0, flat.size, BLOCK):
        part = flat[begin : begin + BLOCK]
        if part.dtype.kind == "f":
            part[:] = rng.random(part.size, np.float32) + np.float32(0.5)
        else:
            part[:] = rng.integers(1, 100, part.size, np.int8)
    return out


def libraries() -> dict[str, Any]:
    """Return the modules that are compared."""
    known = {"strided": strided, "numpy": np}
    return known if torch is None else {**known, "torch": torch}


def seen_by(array: np.ndarray, library: str) -> Any:
    """Return a library's own view of an array."""
    if library == "strided":
        return strided.from_numpy(array)
    return array if library == "numpy" else torch.from_numpy(array)


def limit(nbytes: int) -> tuple[str, Mapping[str, Any]]:
    """Return the statement of the limit: strided's copy of as many bytes as work reads and writes.

    ``nbytes`` is half of what is read and written together. From 8 MB on the copy uses streaming
    stores; below, the copy stays in the cache.
    """
    source, target = (strided.from_numpy(b.bytes(nbytes)) for b in (SOURCE, TARGET))
    return "target.copy_(source)", {"source": source, "target": target}


class Reader:
    """Reads bytes as fast as the C library can: it compares two equal halves of them."""

    halves = np.empty((2, 0), np.uint8)
    compare = ctypes.CDLL(None).memcmp  # other threads run meanwhile
    compare.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
    pool = ThreadPoolExecutor()

    def __init__(self, nbytes: int):
        self.count = nbytes // 2
        if self.count > Reader.halves.shape[1]:
            Reader.halves = np.empty((2, 0), np.uint8)
            made = strided.empty(2, self.count, dtype=strided.uint8)
            made.copy_(strided.from_numpy(SOURCE.bytes(self.count)).expand(2, self.count))
            Reader.halves = np.asarray(made)
        self.at = [half.ctypes.data for half in Reader.halves]

    def part(self, number: int, parts: int) -> None:
        """Read one of several parts."""
        begin, end = (self.count * n // parts for n in (number, number + 1))
        if Reader.compare(self.at[0] + begin, self.at[1] + begin, end - begin):
            raise AssertionError("the halves differ")

    def read(self) -> None:
        """Read everything, with as many threads as strided may use."""
        threads = strided.get_num_threads()
        if threads == 1 or self.count < 1 << 20:
            return self.part(0, 1)
        others = [self.pool.submit(self.part, n, threads) for n in range(1, threads)]
        self.part(0, threads)
        return [other.result() for other in others][-1]


def read_limit(nbytes: int) -> tuple[str, Mapping[str, Any]]:
    """Return the statement of the limit of work that reads ``nbytes`` and writes hardly any."""
    return "read()", {"read": Reader(nbytes).read}
