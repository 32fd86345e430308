"""dask.array over tensors gives what it gives over NumPy's arrays, and its chunks are tensors."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.dask_table import (
    BY_SCIPY,
    CHUNKS_OF_NUMPY,
    META_OF_NUMPY,
    OWN_DTYPE,
    TABLES,
    inputs,
)

import strided
from strided import chunked

pytestmark = [pytest.mark.peers, pytest.mark.filterwarnings("ignore::RuntimeWarning")]
dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")


def blocks_of(result: Any) -> list[Any]:
    """Return the computed chunks of one dask array."""
    flat = result.to_delayed().ravel() if result.ndim else [result.to_delayed()[()]]
    return list(dask.compute(*flat, scheduler="sync"))


def over_numpy() -> SimpleNamespace:
    return SimpleNamespace(**{n: da.from_array(x, c) for n, (x, c) in inputs().items()})


def over_tensors() -> SimpleNamespace:
    return SimpleNamespace(**{n: chunked.from_array(x, c) for n, (x, c) in inputs().items()})


@pytest.mark.filterwarnings("ignore::dask.array.PerformanceWarning")
@pytest.mark.parametrize(
    ("table", "name"), [(table, name) for table, rows in TABLES.items() for name in rows]
)
def test_program(table: str, name: str) -> None:
    if name in BY_SCIPY:
        pytest.importorskip("scipy")
    program = TABLES[table][name]
    expected, got = program(da, over_numpy()), program(da, over_tensors())
    if not isinstance(expected, (tuple, list)):
        expected, got = [expected], [got]
    assert len(got) == len(expected)
    for theirs, ours in zip(expected, got, strict=True):
        if name in CHUNKS_OF_NUMPY:
            ours = chunked.from_array(ours)
        meta = np.ndarray if name in META_OF_NUMPY else strided.Tensor
        assert type(ours._meta) is meta
        assert {type(block) for block in blocks_of(ours)} == {strided.Tensor}
        value, answer = ours.compute(scheduler="sync"), theirs.compute(scheduler="sync")
        assert type(value) is strided.Tensor
        assert value.shape == answer.shape
        assert ours.dtype == theirs.dtype
        assert value.dtype == OWN_DTYPE.get(name, answer.dtype)
        np.testing.assert_allclose(value.numpy(), answer, rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda x: (x + x).sum(axis=0), id="sum"),
        pytest.param(lambda x: x @ x.T, id="matmul"),
        pytest.param(lambda x: x[1:, ::2].rechunk((7, 4)), id="slices"),
        pytest.param(lambda x: da.concatenate([x, x]), id="concatenate"),
        pytest.param(lambda x: da.maximum(x, 0), id="maximum"),
        pytest.param(lambda x: x.max(axis=1), id="max"),
    ],
)
def test_bfloat16_chunks(function: Any) -> None:
    pytest.importorskip("ml_dtypes")
    x = strided.arange(96).reshape(12, 8).remainder(7).to(strided.bfloat16)
    got = function(chunked.from_array(x, (5, 3)))
    value = got.compute(scheduler="sync")
    assert type(value) is strided.Tensor
    assert value.dtype is strided.bfloat16
    answer = function(da.from_array(x.to(strided.float32).numpy(), (5, 3))).compute()
    np.testing.assert_allclose(value.to(strided.float32).numpy(), answer, rtol=0.02)


def test_functions_of_this_library_are_mapped() -> None:
    x = strided.rand(12, 8)
    y = chunked.from_array(x, (5, 8))
    got = y.map_blocks(strided.nn.functional.softmax, dim=-1, dtype="float32").compute()
    assert strided.allclose(got, strided.nn.functional.softmax(x, dim=-1))
    assert strided.allclose(y.map_blocks(strided.exp).compute(), x.exp())


def test_random_tensors_are_made_by_blocks() -> None:
    def block(block_info: Any = None) -> Any:
        shape = block_info[None]["chunk-shape"]
        return strided.rand(*shape, generator=strided.Generator().manual_seed(3))

    x = da.map_blocks(block, chunks=((4, 4), (3,)), dtype="float32", meta=strided.empty(0, 0))
    assert type(x.compute()) is strided.Tensor
    assert strided.array_equal(x.compute(), x.compute())
