"""strided.save and strided.load: values come back, and memory is shared as before."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.compare import ALL_DTYPES, as_numpy, dtype_of
from support.file_bytes import EDITS, mutated
from support.shared_views import SHARED, grid

import strided


def kept(value: Any, path: Path, mode: str = "c") -> Any:
    strided.save(value, path)
    return strided.load(path, mode=mode)


@pytest.mark.parametrize("case", SHARED)
def test_memory_is_shared_as_before(case: str, tmp_path: Path) -> None:
    before = SHARED[case](grid())
    after = kept(before, tmp_path / "x")
    assert isinstance(after, list)
    for old, new in zip(before, after, strict=True):
        assert (new.shape, new.dtype, new.tolist()) == (old.shape, old.dtype, old.tolist())
    for i, j in np.ndindex(len(before), len(before)):
        wanted = strided.shares_memory(before[i], before[j])
        assert strided.shares_memory(after[i], after[j]) == wanted, (i, j)
    for old, new in zip(before, after, strict=True):
        for index in np.ndindex(*old.shape):
            old[index] = new[index] = 100 - old[index].item()
            assert [one.tolist() for one in after] == [one.tolist() for one in before]


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_dtypes(dtype: str, tmp_path: Path) -> None:
    x = (strided.arange(12) % 2 if dtype == "bool" else strided.arange(12)).to(dtype_of(dtype))
    x = x.reshape(3, 4)
    back = kept([x, x.T, x[1], strided.zeros(0, 2, dtype=dtype_of(dtype))], tmp_path / "x", "r")
    alone = kept(x[1, 1].clone(), tmp_path / "one", "r")
    assert (alone.shape, alone.dtype, alone.item()) == ((), dtype_of(dtype), x[1, 1].item())
    assert {one.dtype for one in back} == {dtype_of(dtype)}
    assert np.array_equal(as_numpy(back[1]), as_numpy(x.T))
    assert back[3].shape == (0, 2)
    assert not back[0].writable


VALUES = [
    None,
    True,
    -(1 << 80),
    1.5,
    math.inf,
    -math.inf,
    complex(1, -0.0),
    "text ä \0 \ud800",
    b"\x00\xff",
    [],
    (),
    {},
    [1, (2, [3]), {"a": {"b": ()}}],
    {1: "int", "1": "text", None: 0, (1, "x"): 2, 2.5: 3},
    strided.float32,
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_without_tensors(value: Any, tmp_path: Path) -> None:
    back = kept(value, tmp_path / "x")
    assert type(back) is type(value)
    assert repr(back) == repr(value)


def test_nan_comes_back(tmp_path: Path) -> None:
    assert math.isnan(kept({"x": math.nan}, tmp_path / "x")["x"])


def test_a_state_of_training(tmp_path: Path) -> None:
    w = strided.randn(8, 4)
    state = {
        "step": 7,
        "layers": [{"weight": w, "tied": w, "bias": strided.zeros(4)}, (w[2:4], np.arange(3))],
    }
    back = kept(state, tmp_path / "state")
    first, second = back["layers"]
    assert first["weight"] is first["tied"]
    assert strided.array_equal(first["weight"], w)
    assert strided.shares_memory(second[0], first["weight"])
    assert second[1].tolist() == [0, 1, 2]
    # To others it is a .safetensors file with the tensors by their names.
    file = strided.open_safetensors(tmp_path / "state")
    assert sorted(file) == ["layers.0.bias", "layers.0.weight", "layers.1.1"]
    assert os.listdir(tmp_path) == ["state"]


def test_unreached_bytes_are_not_written(tmp_path: Path) -> None:
    big = strided.full((1000, 1000), 7, dtype=strided.uint8)
    apart = [big[3, 10:], big[5, ::10], big[:, 2], big[6, 3:].expand(50, 997)]
    strided.save(apart, tmp_path / "x")
    assert (tmp_path / "x").stat().st_size < 990 + 100 + 1000 + 997 + 1500
    # Between views that overlap stand zeros: nothing of what no tensor reaches is in the file.
    strided.save([big[:3, :2], big[:3, 1:3]], tmp_path / "y")
    assert (tmp_path / "y").read_bytes().count(b"\x07") == 9


def test_packed_tensors_are_written_without_a_copy(tmp_path: Path) -> None:
    x = grid()
    with strided.no_copies(implicit_only=False):
        strided.save([x, x.T, x.flip(0), x[1], strided.zeros(2)], tmp_path / "x")
        back = strided.load(tmp_path / "x")
    assert [one.stride() for one in back[:3]] == [(6, 1), (1, 6), (-6, 1)]
    assert len({one.storage().data_ptr() for one in back}) == 1


def test_modes(tmp_path: Path) -> None:
    path = tmp_path / "x"
    strided.save(strided.zeros(2), path)
    with pytest.raises(strided.ReadOnlyTensor):
        strided.load(path).fill_(1)
    strided.load(path, mode="r+").fill_(1)
    assert strided.load(path).tolist() == [1, 1]


# ---- refusals ----


class Something:
    pass


def _circle() -> list[Any]:
    made: list[Any] = []
    made.append(made)
    return made


@pytest.mark.parametrize(
    ("value", "argument"),
    [
        (Something(), "value"),
        ({"a": [1, {2}]}, "value['a'][1]"),
        ({Something(): 1}, "a key of value"),
        (_circle(), "value[0]"),
    ],
)
def test_what_cannot_be_saved(value: Any, argument: str, tmp_path: Path) -> None:
    with pytest.raises(strided.InvalidArgument) as caught:
        strided.save(value, tmp_path / "x")
    assert caught.value.argument == argument
    assert os.listdir(tmp_path) == []


def test_files_of_others_and_of_later_versions(tmp_path: Path) -> None:
    path = tmp_path / "x"
    strided.save_safetensors({"x": strided.zeros(2)}, path)
    with pytest.raises(strided.FileUnusable, match="open_safetensors"):
        strided.load(path)
    metadata = {"strided.format": "2", "strided.content": "{}"}
    strided.save_safetensors({"x": strided.zeros(2)}, path, metadata=metadata)
    with pytest.raises(strided.FileUnusable, match="version 2"):
        strided.load(path)


GOOD = {"piece": "x", "dtype": "float32", "shape": [2], "strides": [1], "offset": 0}
WRONG: dict[str, Any] = {
    "another piece": {"piece": "y"},
    "no dtype": {"dtype": "int17"},
    "too long": {"shape": [4]},
    "before the start": {"offset": -1},
    "behind the end": {"offset": 2},
    "strides too large": {"strides": [1 << 62]},
    "negative length": {"shape": [-1]},
    "ranks differ": {"strides": [1, 1]},
    "no numbers": {"shape": ["2"]},
    "no list": {"shape": 2},
    "a float": {"offset": 0.5},
    "bools of other bytes": {"dtype": "bool", "shape": [8]},
}


@pytest.mark.parametrize("case", WRONG)
def test_views_that_cannot_be(case: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    content = {"views": [{**GOOD, **WRONG[case]}], "value": {"tensor": 0}}
    metadata = {"strided.format": "1", "strided.content": json.dumps(content)}
    x = {"x": strided.full((3,), 3.0), "z": strided.zeros(50)}
    strided.save_safetensors(x, path, metadata=metadata)
    with pytest.raises(strided.FileMalformed):
        strided.load(path)


@pytest.mark.parametrize(
    "value", [{"tensor": 1}, {"tensor": True}, {"what": 1}, {}, [1], {"dict": [1]}, {"bytes": "*"}]
)
def test_values_that_cannot_be(value: Any, tmp_path: Path) -> None:
    content = json.dumps({"views": [GOOD], "value": value})
    metadata = {"strided.format": "1", "strided.content": content}
    strided.save_safetensors({"x": strided.zeros(3)}, tmp_path / "x", metadata=metadata)
    with pytest.raises(strided.FileMalformed):
        strided.load(tmp_path / "x")


def test_mutated_files_load_or_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    x = strided.arange(6.0).reshape(2, 3)
    strided.save({"a": [x, x.T], "b": strided.tensor([True, False]), "c": None}, path)
    seed = path.read_bytes()

    @given(EDITS)
    def run(edits: list[tuple[int, bytes, str]]) -> None:
        path.unlink()
        path.write_bytes(mutated(seed, edits))
        try:
            repr(strided.load(path))
        except (strided.FileMalformed, strided.FileUnusable, strided.DTypeMismatch):
            return

    run()


LEAVES = st.none() | st.booleans() | st.integers() | st.text() | st.binary() | st.floats()
NESTED = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner)
)


@given(NESTED)
def test_nested_values(value: Any) -> None:
    from strided.formats.save import collect, restore

    node = json.loads(json.dumps(collect(value).node))
    assert repr(restore(node, [])) == repr(value)
