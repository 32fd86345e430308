""".npy and .npz files: opened as views, written as NumPy reads them, refused when broken."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from support.compare import ALL_DTYPES, dtype_of
from support.file_bytes import EDITS, mutated

import strided

DTYPES = [name for name in ALL_DTYPES if name != "bfloat16"]
LAYOUTS: dict[str, Any] = {
    "row-major": lambda a: a,
    "column-major": lambda a: a.T,
    "three axes": lambda a: a.reshape(2, 2, 6).transpose(2, 1, 0),
    "stepped": lambda a: a[::2, 1::2],
    "flipped": lambda a: a[::-1],
    "repeated": lambda a: np.broadcast_to(a[1], (3, 6)),
    "rank 0": lambda a: a[2, 3].reshape(()),
    "empty": lambda a: a[:, 3:3],
}


def grid(dtype: str = "float64") -> np.ndarray:
    return (np.arange(24) % 23).astype(dtype_of(dtype).dtype).reshape(4, 6)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_numpy_and_strided_read_each_other(dtype: str, layout: str, tmp_path: Path) -> None:
    a = LAYOUTS[layout](grid(dtype))
    np.save(tmp_path / "theirs.npy", a)
    with strided.no_copies(implicit_only=False):
        x = strided.open_npy(tmp_path / "theirs.npy")
    assert (x.shape, x.dtype.name, x.writable) == (a.shape, dtype, False)
    assert np.array_equal(x.numpy(), a)
    strided.save_npy(strided.from_numpy(a), tmp_path / "ours.npy")
    b = np.load(tmp_path / "ours.npy")
    assert (b.dtype, b.shape) == (a.dtype, a.shape)
    assert np.array_equal(b, a)
    assert sorted(os.listdir(tmp_path)) == ["ours.npy", "theirs.npy"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_has_an_order_is_written_without_a_copy(layout: str, tmp_path: Path) -> None:
    x = strided.from_numpy(LAYOUTS[layout](grid()))
    in_order = x.is_contiguous() or strided._native.layout_of(x).is_column_major()
    with strided.trace_copies() as report:
        strided.save_npy(x, tmp_path / "x.npy")
    assert len(report.events) == (0 if in_order else 1)
    assert strided.open_npy(tmp_path / "x.npy").shape == x.shape


def test_modes(tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    np.save(path, np.zeros(3))
    with pytest.raises(strided.ReadOnlyTensor):
        strided.open_npy(path)[0] = 1
    strided.open_npy(path, mode="c")[0] = 1
    assert np.load(path).tolist() == [0, 0, 0]
    strided.open_npy(path, mode="r+")[0] = 1
    assert np.load(path).tolist() == [1, 0, 0]
    with pytest.raises(strided.InvalidArgument):
        strided.open_npy(path, mode="w")


def test_archives(tmp_path: Path) -> None:
    arrays = {name: grid(name) for name in DTYPES}
    arrays["by column"] = np.asfortranarray(grid())
    arrays["none"] = np.zeros((0, 3))
    strided.save_npz(arrays, tmp_path / "ours.npz")
    theirs = np.load(tmp_path / "ours.npz")
    assert list(theirs) == list(arrays)
    with strided.no_copies(implicit_only=False):
        ours = strided.open_npz(tmp_path / "ours.npz")
    assert len({x.storage().data_ptr() for x in ours.values()}) == 1
    for name, a in arrays.items():
        assert np.array_equal(theirs[name], a)
        assert np.array_equal(ours[name].numpy(), a)
        assert not ours[name].writable
    assert ours["by column"].stride() == (1, 4)
    with zipfile.ZipFile(tmp_path / "ours.npz") as archive:
        assert archive.testzip() is None


@pytest.mark.parametrize("write", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("mode", ["r", "c"])
def test_archives_of_numpy(write: Any, mode: str, tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    write(path, a=grid(), b=np.asfortranarray(grid("int16")), flag=np.array([True, False]))
    x = strided.open_npz(path, mode=mode)
    assert np.array_equal(x["a"].numpy(), grid())
    assert np.array_equal(x["b"].numpy(), grid("int16"))
    assert x["flag"].tolist() == [True, False]
    assert {t.writable for t in x.values()} == {mode == "c"}
    if mode == "c":
        x["a"][0, 0] = -1
        assert np.load(path)["a"][0, 0] == 0
    with pytest.raises(strided.InvalidArgument) as caught:
        strided.open_npz(path, mode="r+")
    assert caught.value.argument == "mode"


REFUSED = {
    "byte-swapped": np.zeros(3, ">f8"),
    "texts": np.zeros(3, "U2"),
    "dates": np.zeros(3, "M8[s]"),
    "fields": np.zeros(3, [("a", "i4")]),
    "objects": np.array([{}], dtype=object),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_dtypes_that_no_tensor_has(kind: str, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", REFUSED[kind], allow_pickle=True)
    np.savez(tmp_path / "x.npz", a=REFUSED[kind])
    for open_, name in ((strided.open_npy, "x.npy"), (strided.open_npz, "x.npz")):
        with pytest.raises(strided.DTypeMismatch) as caught:
            open_(tmp_path / name)
        assert "astype" in caught.value.hint


def test_bfloat16_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    x = strided.zeros(2, dtype=strided.bfloat16)
    for save in (strided.save_npy, lambda x, path: strided.save_npz({"x": x}, path)):
        with pytest.raises(strided.DTypeMismatch) as caught:
            save(x, tmp_path / "x")
        assert "save_safetensors" in caught.value.hint
    assert os.listdir(tmp_path) == []


def test_files_that_are_cut_short(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", grid())
    np.savez(tmp_path / "x.npz", a=grid())
    for name, open_ in (("x.npy", strided.open_npy), ("x.npz", strided.open_npz)):
        whole = (tmp_path / name).read_bytes()
        for length in (0, 5, 11, 40, len(whole) - 1):
            path = tmp_path / f"{length}{name}"
            path.write_bytes(whole[:length])
            with pytest.raises(strided.FileMalformed):
                open_(path)
    with pytest.raises(strided.FileUnusable):
        strided.open_npy(tmp_path / "none.npy")
    with pytest.raises(strided.FileUnusable):
        strided.save_npy(strided.zeros(2), tmp_path / "none" / "x.npy")


def test_a_file_that_changes_while_it_is_opened(tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "x.npy"
    np.save(path, grid())
    from strided.formats import tensor_files

    def cut(*args: Any, **options: Any) -> Any:
        os.truncate(path, 200)
        return strided.memory_map(*args, **options)

    monkeypatch.setattr(tensor_files, "memory_map", cut)
    with pytest.raises(strided.FileUnusable, match="changed"):
        strided.open_npy(path)


@pytest.mark.parametrize("write", [np.savez, np.savez_compressed])
def test_mutated_archives_open_or_are_refused(write: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    write(path, a=np.arange(4.0), m=np.array([True, False]))
    seed = path.read_bytes()

    @given(EDITS)
    def run(edits: list[tuple[int, bytes, str]]) -> None:
        path.unlink()
        path.write_bytes(mutated(seed, edits))
        try:
            for x in strided.open_npz(path).values():
                x.tolist()
        except (strided.FileMalformed, strided.DTypeMismatch):
            return

    run()


def test_safetensors_modes(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    strided.save_safetensors({"x": strided.zeros(2, 3)}, path)
    strided.open_safetensors(path, mode="c")["x"].fill_(1)
    assert strided.open_safetensors(path)["x"].sum().item() == 0
    strided.open_safetensors(path, mode="r+")["x"].fill_(1)
    assert strided.open_safetensors(path)["x"].sum().item() == 6
