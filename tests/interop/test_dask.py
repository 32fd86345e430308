"""Tensors as chunks of dask arrays: names, sizes, frames, sources, and a machine without dask."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strided
from strided import chunked

# ---- without dask ----


@pytest.mark.parametrize("call", ["from_array(strided.ones(2))", "from_npy('x')", "from_zarr('x')"])
def test_without_dask_the_extra_is_named(call: str) -> None:
    program = f"""
import sys, strided
sys.modules["dask"] = None
try:
    strided.chunked.{call}
except strided.MissingExtra as error:
    print(error.package, error.extra)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["dask", "dask"], done.stderr


def test_importing_the_package_imports_no_dask() -> None:
    program = "import sys, strided.chunked; print('dask' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr


# ---- registration ----


@pytest.mark.peers
@pytest.mark.parametrize(
    "imports",
    [
        "import dask.array, distributed, strided",
        "import strided, dask.array, distributed; dask.sizeof.sizeof(strided.zeros(1))",
        "import strided, dask.array, distributed; dask.tokenize.tokenize(strided.zeros(1))",
        "import strided, dask.array, distributed; strided.chunked.from_array(strided.zeros(1))",
        "import dask.array, strided, distributed; dask.array.from_array(strided.zeros(1))",
        "import strided; strided.enable('dask')",
    ],
)
def test_either_may_be_imported_first(imports: str) -> None:
    pytest.importorskip("distributed")
    program = f"""
{imports}
from dask.array.chunk_types import is_valid_chunk_type
from dask.sizeof import sizeof
from distributed.protocol import serialize
x = strided.zeros(100, 10)
print(is_valid_chunk_type(strided.Tensor), sizeof(x[::2]), serialize(x)[0]["serializer"])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["True", "2000", "dask"], done.stderr


# ---- names and sizes ----

MATRIX = strided.arange(24.0).reshape(4, 6)


@pytest.mark.peers
@pytest.mark.parametrize(
    ("x", "nbytes"),
    [
        (MATRIX, 96),
        (MATRIX[:, ::2], 48),
        (MATRIX[0].expand(100, 6), 24),
        (MATRIX.flip(0), 96),
        (strided.arange(10.0).unfold(0, 3, 1), 40),
        (strided.zeros(0, 3), 0),
        (strided.zeros(()), 4),
    ],
)
def test_the_size_is_what_is_reached(x: Any, nbytes: int) -> None:
    sizeof = pytest.importorskip("dask.sizeof").sizeof
    assert sizeof(x) == nbytes


@pytest.mark.peers
def test_equal_tensors_have_one_name_and_others_another() -> None:
    tokenize = pytest.importorskip("dask.tokenize").tokenize
    same = [MATRIX[:, ::2], MATRIX[:, ::2].clone(), strided.tensor(MATRIX[:, ::2].tolist())]
    assert len({tokenize(x, ensure_deterministic=True) for x in same}) == 1
    column = MATRIX.T.contiguous().T
    others = [
        MATRIX,
        MATRIX.T,
        column,  # a function of a chunk may ask for the order
        MATRIX.flip(0),
        MATRIX.reshape(6, 4),
        MATRIX.to(strided.float64),
        MATRIX.view(strided.int32),
        MATRIX + 1,
        MATRIX[0],
        MATRIX[0].expand(4, 6),
        MATRIX.clone().requires_grad_(),
        strided.nn.Parameter(MATRIX),
        strided.zeros(0, 3),
        strided.zeros(3, 0),
    ]
    assert len({tokenize(x, ensure_deterministic=True) for x in others}) == len(others)


@pytest.mark.peers
def test_naming_packs_little_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenize = pytest.importorskip("dask.tokenize").tokenize
    from strided.interop import dask as own

    x = strided.rand(64, 64)
    monkeypatch.setattr(own, "_PIECE", 1024)
    with strided.trace_copies() as report:
        tokenize(x.T)
    assert not report.events
    with strided.trace_copies() as report:
        assert tokenize(x[:, :32]) == tokenize(x[:, :32].clone()[:, :32])
    assert max(event.nbytes for event in report.events if event.reason == "export") <= 1024


# ---- frames ----

WIDE = strided.arange(1000.0).reshape(20, 50)
# tensor, bytes that travel, whether they are its own
FRAMES = {
    "whole": (WIDE, 4000, True),
    "rows": (WIDE[3:7], 800, True),
    "transposed": (WIDE.T, 4000, True),
    "flipped": (WIDE.flip(0, 1), 4000, True),
    "expanded": (WIDE[0].expand(300, 50), 200, True),
    "windows": (strided.arange(100.0).unfold(0, 10, 1), 400, True),
    "most of each row": (WIDE[:, 5:], 4000 - 20, True),
    "every other column": (WIDE[:, ::2], 4000 - 4, True),
    "a third of each row": (WIDE[:, :16], 1280, False),
    "one column": (WIDE[:, 3], 80, False),
    "empty": (WIDE[:0], 0, True),
    "rank 0": (WIDE[2, 3], 4, True),
    "complex": (WIDE.to(strided.complex128), 16000, True),
    "bfloat16": (WIDE.to(strided.bfloat16).T, 2000, True),
    "bool": (WIDE > 3, 1000, True),
}


def near(address: int, x: Any) -> bool:
    """Whether an address is within the storage of a tensor."""
    whole = x.storage()
    return whole.data_ptr() <= address <= whole.data_ptr() + whole.nbytes


@pytest.fixture
def protocol() -> Any:
    """The serialization of distributed, which knows tensors whatever ran before."""
    module = pytest.importorskip("distributed.protocol")
    strided.enable("dask")
    return module


@pytest.mark.peers
@pytest.mark.parametrize("case", FRAMES)
def test_frames_are_the_own_bytes(protocol: Any, case: str) -> None:
    x, nbytes, is_own = FRAMES[case]
    with strided.trace_copies() as report:
        header, (_, data) = protocol.serialize(x)
    assert header["serializer"] == "dask"
    assert data.nbytes == nbytes
    assert sum(event.nbytes for event in report.events) == (0 if is_own else nbytes)
    if nbytes:
        assert near(np.frombuffer(data, "u1").ctypes.data, x) == is_own


@pytest.mark.peers
@pytest.mark.parametrize("received", ["aligned", "behind a header", "read-only", "apart"])
@pytest.mark.parametrize("case", FRAMES)
def test_frames_come_back(protocol: Any, case: str, received: str) -> None:
    x, nbytes, _ = FRAMES[case]
    header, (_, data) = protocol.serialize(x)
    ahead = {"aligned": 8, "behind a header": 3, "read-only": 3, "apart": 5}[received]
    memory = np.zeros(ahead + 8 + nbytes, "u1")
    memory[ahead + 8 :] = np.frombuffer(data, "u1")
    whole = memoryview(bytes(memory)) if received == "read-only" else memory.data
    first = bytearray(8) if received == "apart" else whole[ahead : ahead + 8]
    with strided.trace_copies() as report:
        y = protocol.deserialize(header, [first, whole[ahead + 8 :]])
    assert (y.dtype, y.shape) == (x.dtype, x.shape)
    assert strided.array_equal(y, x)
    assert y.writable
    copied = sum(event.nbytes for event in report.events)
    if received == "aligned":
        assert copied == 0
    assert copied <= nbytes
    if received in ("aligned", "behind a header") and nbytes:
        inside = memory.ctypes.data <= y.storage().data_ptr() < memory.ctypes.data + memory.nbytes
        assert inside, "moved within what was received, at most"


@pytest.mark.peers
def test_what_is_read_only_stays_so(protocol: Any) -> None:
    x = strided.frombuffer(b"abcdefgh")
    y = protocol.deserialize(*protocol.serialize(x))
    assert not y.writable
    with pytest.raises(strided.ReadOnlyTensor):
        y[0] = 1


@pytest.mark.peers
def test_parameters_arrive_as_parameters(protocol: Any) -> None:
    x = protocol.deserialize(*protocol.serialize(strided.nn.Parameter(strided.ones(2))))
    assert type(x) is strided.nn.Parameter
    assert x.requires_grad


# ---- sources ----


@pytest.mark.peers
def test_chunks_are_views() -> None:
    dask = pytest.importorskip("dask")
    x = strided.rand(12, 8)
    y = chunked.from_array(x, (5, 3))
    blocks = dask.compute(*y[1:, ::2].T.to_delayed().ravel(), scheduler="sync")
    assert all(block.shares_storage(x) for block in blocks)
    assert chunked.from_array(x, (5, 3)).name == y.name


@pytest.mark.peers
def test_merging_is_one_join() -> None:
    pytest.importorskip("dask.array")
    x = strided.rand(12, 8)
    y = chunked.from_array(x, (5, 8)).rechunk((12, 8))
    with strided.trace_copies() as report:
        y.to_delayed()[0, 0].compute(scheduler="sync")
    assert {event.reason for event in report.events} == {"join"}
    assert sum(event.nbytes for event in report.events) == 12 * 8 * 4


@pytest.mark.peers
def test_dask_itself_takes_tensors() -> None:
    da = pytest.importorskip("dask.array")
    x = strided.rand(12, 8)
    y = da.from_array(x, (5, 3))
    assert type(y._meta) is strided.Tensor
    assert strided.array_equal(y.compute(), x)
    assert type((da.from_array(x.numpy(), (5, 3)) + y).compute()) is strided.Tensor


@pytest.mark.peers
def test_npy_is_mapped_and_slices_reach_the_file(tmp_path: Path) -> None:
    pytest.importorskip("dask.array")
    x = np.asfortranarray(np.random.default_rng(0).normal(size=(30, 8)))
    np.save(tmp_path / "x.npy", x)
    y = chunked.from_npy(tmp_path / "x.npy", (10, 8))
    assert (y.shape, y.chunks, y.dtype) == (x.shape, ((10, 10, 10), (8,)), x.dtype)
    block = y.to_delayed()[1, 0].compute(scheduler="sync")
    assert type(block) is strided.Tensor
    assert not block.writable
    assert block.stride() == (1, 30)
    with strided.trace_copies() as report:
        part = y[12:14, ::2].to_delayed()[0, 0].compute(scheduler="sync")
    assert not report.events
    assert np.array_equal(part.numpy(), x[12:14, ::2])


@pytest.mark.peers
def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("dask.array")
    path = tmp_path / "x.npy"
    np.save(path, np.zeros(100))
    y = chunked.from_npy(path, 50)
    np.save(path, np.zeros(10))
    with pytest.raises(strided.FileUnusable) as caught:
        y.compute(scheduler="sync")
    assert caught.value.path == str(path)
    assert chunked.from_npy(path, 50).name != y.name


@pytest.mark.peers
@pytest.mark.parametrize("give", [str, Path, "array"])
def test_zarr(tmp_path: Path, give: Any) -> None:
    zarr = pytest.importorskip("zarr")
    pytest.importorskip("dask.array")
    x = np.random.default_rng(0).normal(size=(30, 8)).astype("float32")
    z = zarr.create_array(tmp_path / "x.zarr", shape=x.shape, chunks=(10, 4), dtype=x.dtype)
    z[:] = x
    y = chunked.from_zarr(z if give == "array" else give(tmp_path / "x.zarr"))
    assert y.chunks == ((10, 10, 10), (4, 4))
    assert type(y._meta) is type(y.blocks[0, 0].compute(scheduler="sync")) is strided.Tensor
    assert np.array_equal(y.compute(scheduler="sync").numpy(), x)
    assert chunked.from_zarr(z, chunks=(30, 8)).numblocks == (1, 1)
    (y * 2).to_backend("numpy").to_zarr(str(tmp_path / "y.zarr"))
    assert np.array_equal(zarr.open_array(tmp_path / "y.zarr")[:], x * 2)


# ---- diagnostics ----


@pytest.mark.peers
def test_a_progress_bar_counts_chunks() -> None:
    diagnostics = pytest.importorskip("dask.diagnostics")
    shown = io.StringIO()
    with diagnostics.ProgressBar(out=shown):
        chunked.from_array(strided.rand(12, 8), (5, 3)).sum().compute()
    assert "100% Completed" in shown.getvalue()


@pytest.mark.peers
@pytest.mark.parametrize("shape", [(), (0, 3), (1,)])
def test_small_ones(shape: tuple[int, ...]) -> None:
    pytest.importorskip("dask.array")
    y = chunked.from_array(strided.ones(shape))
    assert (y._meta.ndim, type(y._meta)) == (len(shape), strided.Tensor)
    assert (y + 1).compute(scheduler="sync").tolist() == (strided.ones(shape) + 1).tolist()
