"""strided.open_safetensors and save_safetensors: views of the file, whole files, typed refusals."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from support.file_bytes import EDITS, mutated, safetensors, tensor

import strided

DTYPES = {
    "F64": strided.float64,
    "F32": strided.float32,
    "F16": strided.float16,
    "BF16": strided.bfloat16,
    "C64": strided.complex64,
    "I64": strided.int64,
    "I32": strided.int32,
    "I16": strided.int16,
    "I8": strided.int8,
    "U64": strided.uint64,
    "U32": strided.uint32,
    "U16": strided.uint16,
    "U8": strided.uint8,
    "BOOL": strided.bool,
}


def written(path: Path, header: dict[str, Any], data: bytes, padded: bool = True) -> Path:
    text = json.dumps(header).encode()
    if padded:
        text += b" " * (-len(text) % 8)
    path.write_bytes(safetensors(text, data))
    return path


# ---- opening ----


@pytest.mark.parametrize("name", DTYPES)
def test_elements_are_views_of_the_file(name: str, tmp_path: Path) -> None:
    dtype = DTYPES[name]
    raw = bytes([0, 1] * 24)
    count = len(raw) // dtype.itemsize
    header = {"x": tensor(name, [2, count // 2], 0, 48)}
    path = written(tmp_path / "x.safetensors", header, raw)
    with strided.no_copies(implicit_only=False):
        file = strided.open_safetensors(path)
    x = file["x"]
    assert (x.dtype, x.shape, x.writable) == (dtype, (2, count // 2), False)
    assert bytes(x.view(strided.uint8).view(-1)) == raw
    assert x.storage().nbytes == path.stat().st_size
    with pytest.raises(strided.ReadOnlyTensor):
        x.fill_(0)


def test_tensors_share_one_storage(tmp_path: Path) -> None:
    header = {
        "a": tensor("F32", [3], 0, 12),
        "b": tensor("F32", [], 12, 16),
        "none": tensor("F64", [0, 2], 16, 16),
        "bytes": tensor("U8", [5], 16, 21),
    }
    file = strided.open_safetensors(written(tmp_path / "x.safetensors", header, bytes(21)))
    assert list(file) == ["a", "b", "none", "bytes"]
    assert len({x.storage().data_ptr() for x in file.values()}) == 1
    assert {name: x.shape for name, x in file.items()} == {
        "a": (3,),
        "b": (),
        "none": (0, 2),
        "bytes": (5,),
    }


def test_a_misaligned_tensor_is_copied_and_said_so(tmp_path: Path) -> None:
    values = np.arange(4, dtype="<f4")
    header = {"odd": tensor("U8", [1], 0, 1), "x": tensor("F32", [4], 1, 17)}
    path = written(tmp_path / "x.safetensors", header, b"\x07" + values.tobytes())
    with strided.trace_copies() as report:
        file = strided.open_safetensors(path)
    assert [(event.reason, event.nbytes) for event in report.events] == [("align", 16)]
    assert file["x"].tolist() == values.tolist()
    assert not file["x"].writable
    with strided.no_copies(), pytest.raises(strided.CopyForbidden):
        strided.open_safetensors(path)


def test_nothing_is_read_of_a_file_with_holes_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    nbytes = 1 << 40
    text = json.dumps({"x": tensor("BF16", [nbytes // 2], 0, nbytes)}).encode()
    with path.open("wb") as file:
        file.write(safetensors(text + b" " * (-len(text) % 8)))
        try:
            file.truncate(file.tell() + nbytes)
        except OSError:
            pytest.skip("this file system has no files of a terabyte")
    assert strided.open_safetensors(path)["x"].nbytes == nbytes


def test_bools_are_checked(tmp_path: Path) -> None:
    path = written(tmp_path / "x.safetensors", {"m": tensor("BOOL", [3], 0, 3)}, b"\0\1\2")
    with pytest.raises(strided.FileMalformed) as caught:
        strided.open_safetensors(path)
    assert caught.value.position == path.stat().st_size - 3


@pytest.mark.parametrize("name", ["F8_E4M3", "F8_E5M2", "F4"])
def test_types_without_a_dtype_are_refused_by_name(name: str, tmp_path: Path) -> None:
    count = 8 if name == "F4" else 4
    path = written(tmp_path / "x.safetensors", {"scale": tensor(name, [count], 0, 4)}, bytes(4))
    with pytest.raises(strided.DTypeMismatch) as caught:
        strided.open_safetensors(path)
    assert caught.value.got == name
    assert "'scale'" in caught.value.reason
    assert strided.inspect.tensors_in(path)[0].dtype == name


@pytest.mark.parametrize("metadata", [3, {"a": 1}, {"a": None}, ["a"]])
def test_metadata_must_be_texts(metadata: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "x.safetensors", {"__metadata__": metadata}, b"")
    with pytest.raises(strided.FileMalformed):
        strided.open_safetensors(path)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    for bad in (tmp_path, tmp_path / "none.safetensors", "a\0b"):
        with pytest.raises(strided.FileUnusable):
            strided.open_safetensors(bad)


# ---- saving ----

VIEWS = {
    "contiguous": lambda x: x,
    "transposed": lambda x: x.T,
    "stepped": lambda x: x[::2, 1::2],
    "flipped": lambda x: x.flip(1),
    "expanded": lambda x: x[0].expand(5, 6),
    "one": lambda x: x[1, 2],
    "empty": lambda x: x[:0],
}


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("view", VIEWS)
def test_saved_views_come_back(name: str, view: str, tmp_path: Path) -> None:
    x = VIEWS[view](strided.arange(24).reshape(4, 6).to(DTYPES[name]))
    path = tmp_path / "x.safetensors"
    with strided.trace_copies() as report:
        strided.save_safetensors({"x": x}, path)
    expected = [] if x.is_contiguous() else [("contiguous", x.nbytes, True)]
    assert [(e.reason, e.nbytes, e.asked_for) for e in report.events] == expected
    back = strided.open_safetensors(path)["x"]
    assert (back.dtype, back.shape) == (x.dtype, x.shape)
    assert strided.array_equal(back, x)
    assert os.listdir(tmp_path) == ["x.safetensors"]


def test_all_tensors_of_a_saved_file_are_aligned(tmp_path: Path) -> None:
    tensors = {f"{name} tensor": strided.ones(3, dtype=dtype) for name, dtype in DTYPES.items()}
    tensors["numpy"] = np.arange(5, dtype="i2")[::-1]
    strided.save_safetensors(tensors, tmp_path / "x.safetensors")
    with strided.no_copies(implicit_only=False):
        file = strided.open_safetensors(tmp_path / "x.safetensors")
    assert file.keys() == tensors.keys()
    assert file["numpy"].tolist() == [4, 3, 2, 1, 0]


def test_metadata_is_kept(tmp_path: Path) -> None:
    first, second = tmp_path / "a.safetensors", tmp_path / "b.safetensors"
    strided.save_safetensors({"x": strided.ones(2)}, first, metadata={"format": "pt", "ä": "ö"})
    file = strided.open_safetensors(first)
    assert (file.path, file.metadata) == (str(first), {"format": "pt", "ä": "ö"})
    strided.save_safetensors(file, second)
    assert strided.open_safetensors(second).metadata == file.metadata
    strided.save_safetensors(file, second, metadata={})
    assert strided.open_safetensors(second).metadata == {}


def test_a_file_can_be_saved_over_itself(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    strided.save_safetensors({"x": strided.arange(6).reshape(2, 3)}, path)
    file = strided.open_safetensors(path)
    strided.save_safetensors({"x": file["x"].T}, path)
    assert file["x"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert strided.open_safetensors(path)["x"].tolist() == [[0, 3], [1, 4], [2, 5]]


@pytest.mark.parametrize(
    ("tensors", "options", "error"),
    [
        ({"x": strided.zeros(2, dtype=strided.complex128)}, {}, strided.DTypeMismatch),
        ({"__metadata__": strided.zeros(2)}, {}, strided.InvalidArgument),
        ({"x": strided.zeros(2)}, {"metadata": {"a": 1}}, strided.InvalidArgument),
    ],
)
def test_what_cannot_be_saved(
    tensors: Any, options: Any, error: type[Exception], tmp_path: Path
) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(b"before")
    with pytest.raises(error):
        strided.save_safetensors(tensors, path, **options)
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["x.safetensors"]


def test_a_failed_save_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(b"before")
    with pytest.raises(strided.CopyForbidden), strided.no_copies(implicit_only=False):
        strided.save_safetensors({"x": strided.ones(2, 3).T}, path)
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["x.safetensors"]
    with pytest.raises(strided.FileUnusable):
        strided.save_safetensors({"x": strided.ones(2)}, tmp_path / "none" / "x.safetensors")


# ---- damage, and the other implementation ----


def test_mutated_files_open_or_are_refused(tmp_path: Path) -> None:
    header = {
        "a": tensor("F32", [2, 2], 0, 16),
        "b": tensor("F16", [3], 16, 22),
        "c": tensor("BOOL", [2], 22, 24),
    }
    path = written(tmp_path / "x.safetensors", header, bytes(24))
    seed = path.read_bytes()
    assert len(strided.open_safetensors(path)) == 3

    @given(EDITS)
    def run(edits: list[tuple[int, bytes, str]]) -> None:
        # A new name each time: a file that is mapped must not be cut.
        path.unlink()
        path.write_bytes(mutated(seed, edits))
        try:
            file = strided.open_safetensors(path)
        except (strided.FileMalformed, strided.DTypeMismatch):
            return
        for x in file.values():
            assert len(x.tolist() if x.ndim else [0]) >= 0

    run()


@pytest.mark.peers
def test_files_go_both_ways(tmp_path: Path) -> None:
    theirs = pytest.importorskip("safetensors.numpy")
    rng = np.random.default_rng(0)
    arrays = {"w": rng.random((5, 3), dtype=np.float32), "h": rng.random(7).astype(np.float16)}
    theirs.save_file(arrays, tmp_path / "theirs.safetensors", {"format": "np"})
    file = strided.open_safetensors(tmp_path / "theirs.safetensors")
    assert file.metadata == {"format": "np"}
    for name, array in arrays.items():
        assert np.array_equal(file[name].numpy(), array)
    strided.save_safetensors(file, tmp_path / "ours.safetensors")
    back = theirs.load_file(tmp_path / "ours.safetensors")
    for name, array in arrays.items():
        assert np.array_equal(back[name], array)
