"""Nothing behind the last element is read or written: it lies where memory ends, at each level."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from support.instruction_sets import WISHES

GUARDED = """
import ctypes, mmap
import numpy as np
import strided

page = mmap.PAGESIZE
memory = mmap.mmap(-1, 9 * page)
start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.mprotect(ctypes.c_void_p(start + 8 * page), page, 0) == 0
whole = strided.frombuffer(memory, dtype=strided.uint8)[: 8 * page]
whole[:] = strided.tensor(np.arange(8 * page) % 101)
for name in ("uint8", "int16", "float32", "float64", "complex128"):
    elements = whole.view(strided.complex128 if name == "complex128" else getattr(strided, name))
    for step in (1, 2, 3, 4, 5, 7):
        for count in (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127):
            if (count - 1) * step >= elements.numel():
                continue
            x = elements[elements.numel() - 1 - (count - 1) * step :: step]
            array = x.numpy()
            assert x.shape == (count,)
            where = (name, step, count)
            assert np.array_equal(x.clone().numpy(), array), where
            assert np.array_equal(x.flip(0).clone().numpy(), array[::-1]), where
            assert np.array_equal(strided.cat([x, x]).numpy(), np.tile(array, 2)), where
            assert np.array_equal((x + x).numpy(), array + array), where
            assert np.array_equal((x == x).numpy(), array == array), where
            assert np.allclose(x.to(strided.complex128).numpy(), array), where
            assert np.allclose(x.sum().item(), array.sum()), where
            assert np.array_equal(x.view(-1, 1).clone().numpy()[:, 0], array), where
            if step == 1:
                kept = array.copy()
                x.copy_(strided.tensor(kept[::-1].copy()))
                assert np.array_equal(array, kept[::-1]), where
                x.copy_(strided.tensor(kept))
print("done")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="protects a page by mprotect")
@pytest.mark.parametrize("level", WISHES)
def test_memory_ends_with_the_last_element(level: str) -> None:
    env = {**os.environ, "STRIDED_ISA": level}
    run = subprocess.run([sys.executable, "-c", GUARDED], env=env, capture_output=True, text=True)
    assert (run.returncode, run.stdout.strip()) == (0, "done"), (run.returncode, run.stderr)
