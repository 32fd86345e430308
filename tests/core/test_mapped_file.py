"""Files as tensors: modes, offsets, shapes, and files that are not as they should be."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strided


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "numbers"
    path.write_bytes(np.arange(3000, dtype="<i2").tobytes())
    return path


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, np.arange(3000)),
        ({"offset": 4100}, np.arange(2050, 3000)),
        ({"offset": 6000}, np.arange(0)),
        ({"shape": 4}, np.arange(4)),
        ({"shape": (), "offset": 10}, np.array(5)),
        ({"shape": (-1, 100)}, np.arange(3000).reshape(30, 100)),
        ({"shape": (2, 3), "offset": 2}, np.arange(1, 7).reshape(2, 3)),
        ({"shape": (0, 3)}, np.zeros((0, 3))),
        ({"shape": [np.int64(2), 1]}, np.arange(2).reshape(2, 1)),
    ],
)
@pytest.mark.parametrize("mode", ["r", "c", "r+"])
def test_mapped_elements(
    file: Path, mode: str, options: dict[str, Any], expected: np.ndarray
) -> None:
    for path in (file, str(file), os.fsencode(file)):
        x = strided.memory_map(path, dtype="int16", mode=mode, **options)
        assert (x.shape, x.writable) == (expected.shape, mode != "r")
        assert np.array_equal(x.numpy(), expected)
        assert x.bytes_kept_alive == 2 * expected.size


def test_modes(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(strided.ReadOnlyTensor):
        strided.memory_map(file, dtype="int16")[0] = 1
    private = strided.memory_map(file, dtype="int16", mode="c", offset=4096)
    private.fill_(-1)
    assert (file.read_bytes(), private[5].item()) == (before, -1)
    shared = strided.memory_map(file, dtype="int16", mode="r+", offset=4098, shape=2)
    shared.fill_(-1)
    assert file.read_bytes() == before[:4098] + b"\xff" * 4 + before[4102:]
    file.unlink()
    assert shared[1].item() == -1  # the mapping outlives the name


FILE_REFUSALS: dict[str, tuple[dict[str, Any], type[Exception]]] = {
    "longer than the file": ({"shape": (3001,)}, strided.FileUnusable),
    "longer from the offset": ({"shape": (2999,), "offset": 4}, strided.FileUnusable),
    "longer than any file": ({"shape": (1 << 62, 4)}, strided.FileUnusable),
    "offset behind the end": ({"offset": 6002}, strided.FileUnusable),
    "negative offset": ({"offset": -2}, strided.FileUnusable),
    "misaligned": ({"offset": 1}, strided.FileUnusable),
    "half an element left": ({"dtype": "int32", "offset": 4}, strided.FileUnusable),
    "-1 without a length": ({"shape": (-1, 7)}, strided.ShapeMismatch),
    "-1 twice": ({"shape": (-1, -1)}, strided.InvalidArgument),
    "negative length": ({"shape": (-3,)}, strided.InvalidArgument),
    "no such mode": ({"mode": "w"}, strided.InvalidArgument),
    "no such dtype": ({"dtype": "int17"}, TypeError),
}


@pytest.mark.parametrize("case", FILE_REFUSALS)
def test_file_refusals(file: Path, case: str) -> None:
    options, error = FILE_REFUSALS[case]
    if case == "half an element left":
        file.write_bytes(b"12345678 ")
    with pytest.raises(error) as caught:
        strided.memory_map(file, **{"dtype": "int16", **options})
    if error is strided.FileUnusable:
        assert caught.value.path == str(file)
        assert isinstance(caught.value, OSError)


def test_paths_that_are_no_files(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing", tmp_path / "missing" / "too"):
        with pytest.raises(strided.FileUnusable) as caught:
            strided.memory_map(path)
        assert caught.value.path == str(path)
    empty = tmp_path / "empty"
    empty.touch()
    for shape in (None, 0, (0, 2), (-1, 2)):
        assert strided.memory_map(empty, shape=shape).numpy().size == 0
    with pytest.raises(strided.FileUnusable):
        strided.memory_map(empty, shape=1)
    if not os.access("/proc/version", os.W_OK) and Path("/proc/version").exists():
        with pytest.raises(strided.FileUnusable):
            strided.memory_map("/proc/version", mode="r+")
