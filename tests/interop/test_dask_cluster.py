"""Tensors on a cluster of processes: results, transfers, a lost worker, what can be watched."""

from __future__ import annotations

import os
import signal
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strided
from strided import chunked

pytestmark = [
    pytest.mark.peers,
    # Of distributed itself, when it starts and ends processes.
    pytest.mark.filterwarnings("default"),
]
distributed = pytest.importorskip("distributed")
da = pytest.importorskip("dask.array")

MEMORY = 384 << 20  # of a worker, of which Python and dask take a part
ROWS, COLUMNS, PART = 1_600_000, 64, 20_000  # float32: more than a worker may hold


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    options = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": MEMORY}
    with (
        distributed.LocalCluster(dashboard_address="127.0.0.1:0", **options) as cluster,
        distributed.Client(cluster) as connected,
    ):
        yield connected


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A .npy file that is larger than a worker's memory."""
    path = tmp_path_factory.mktemp("large") / "x.npy"
    file = np.lib.format.open_memmap(path, "w+", "float32", (ROWS, COLUMNS))
    random = np.random.default_rng(0)
    pattern = random.normal(size=(ROWS // 100, COLUMNS)).astype("float32")
    for begin in range(0, ROWS, len(pattern)):
        file[begin : begin + len(pattern)] = pattern * (1 + begin / ROWS)
    file.flush()
    assert path.stat().st_size > MEMORY
    return path


def workers(client: Any) -> dict[str, int]:
    return dict(client.run(os.getpid))


def test_matmul_and_normalisation(client: Any) -> None:
    x, w = (np.random.default_rng(i).normal(size=(600, 600)) for i in range(2))
    y = chunked.from_array(x, (200, 300))
    got = (y @ chunked.from_array(w, (300, 200))).compute()
    assert type(got) is strided.Tensor
    np.testing.assert_allclose(got.numpy(), x @ w)
    z = ((y - y.mean(axis=0)) / y.std(axis=0)).compute()
    assert type(z) is strided.Tensor
    np.testing.assert_allclose(z.numpy(), (x - x.mean(0)) / x.std(0), rtol=1e-9)


def test_svd_and_principal_components(client: Any) -> None:
    x = np.random.default_rng(0).normal(size=(5000, 20)) @ np.diag(np.linspace(1, 9, 20))
    y = chunked.from_array(x, (1000, 20))
    u, s, v = (part.compute() for part in da.linalg.svd(y))
    assert {type(u), type(s), type(v)} == {strided.Tensor}
    np.testing.assert_allclose(((u * s) @ v).numpy(), x, atol=1e-9)
    centred = y - y.mean(axis=0)
    _, spread, axes = da.linalg.svd(centred)
    variances, axes = (part.compute().numpy() for part in (spread**2 / (len(x) - 1), axes))
    expected, _ = np.linalg.eigh(np.cov(x.T))
    np.testing.assert_allclose(variances, expected[::-1], rtol=1e-9)
    np.testing.assert_allclose(axes @ axes.T, np.eye(20), atol=1e-9)


@pytest.mark.parametrize("method", ["tasks", "p2p"])
def test_other_chunks(client: Any, method: str) -> None:
    x = np.random.default_rng(0).normal(size=(60, 40))
    y = chunked.from_array(strided.from_numpy(x)[::-1], (10, 40)).rechunk((60, 5), method=method)
    assert {type(one) for one in client.gather(client.compute(list(y.blocks)))} == {strided.Tensor}
    np.testing.assert_array_equal(y.compute().numpy(), x[::-1])


@pytest.mark.parametrize("format", ["npy", "zarr"])
def test_more_than_a_worker_can_hold(client: Any, large: Path, format: str) -> None:
    mapped = np.load(large, mmap_mode="r")
    if format == "npy":
        y = chunked.from_npy(large, (PART, COLUMNS))
    else:
        zarr = pytest.importorskip("zarr")
        place = large.with_suffix(".zarr")
        z = zarr.create_array(
            place, shape=mapped.shape, chunks=(PART, COLUMNS), dtype="float32", compressors=None
        )
        z[:] = mapped
        y = chunked.from_zarr(place)
    before = workers(client)
    mean, gram = client.compute([y.mean(axis=0, dtype="float64"), y.T @ y])
    assert type(gram.result()) is strided.Tensor
    np.testing.assert_allclose(mean.result().numpy(), mapped.mean(0, dtype="f8"), rtol=1e-6)
    exact = sum(part.T.astype("f8") @ part for part in np.array_split(mapped, 40))
    np.testing.assert_allclose(gram.result().numpy(), exact, rtol=1e-3, atol=20)
    assert workers(client) == before, "no worker was ended for its memory"


def test_a_lost_worker_loses_nothing(client: Any) -> None:
    def slow(block: Any) -> Any:
        time.sleep(0.05)
        return block * 2

    x = strided.rand(4000, 50)
    blocks = chunked.from_array(x, (100, 50)).map_blocks(slow, dtype="float32").persist()
    while sum(len(keys) for keys in client.has_what().values()) < 10:
        time.sleep(0.02)
    first = workers(client)
    os.kill(min(first.values()), signal.SIGKILL)
    got = (blocks + 1).compute()
    assert strided.array_equal(got, x * 2 + 1)
    client.wait_for_workers(2, timeout=30)
    assert workers(client) != first


def test_tensors_travel_without_being_copied(client: Any) -> None:
    def make(shape: tuple[int, ...], ends: int) -> Any:
        return strided.ones(*shape)[:, :ends]

    def seen(x: Any) -> tuple[Any, ...]:
        return type(x).__name__, x.writable, x.data_ptr() % 8, x.sum().item(), x.stride()

    def copies(names: tuple[str, ...]) -> int:
        return sum(strided.copy_totals()[name].nbytes for name in names)

    client.wait_for_workers(2, timeout=30)
    one, two = workers(client)
    # shape, columns that are sent, strides that arrive, bytes packed to be sent
    cases = [
        ((1000, 1000), 1000, (1000, 1), 0),
        ((1000, 1000), 900, (1000, 1), 0),
        ((1000, 1000), 100, (100, 1), 400_000),
    ]
    for shape, ends, strides, packed in cases:
        x = client.submit(make, shape, ends, workers=[one], pure=False)
        distributed.wait(x)
        before = client.run(copies, ("export", "align"))
        said = client.submit(seen, x, workers=[two], pure=False).result()
        after = client.run(copies, ("export", "align"))
        assert said == ("Tensor", True, 0, shape[0] * ends, strides)
        assert after[one] - before[one] == packed
        assert after[two] == before[two]


def test_a_long_tensor_is_moved_within_what_was_received(client: Any) -> None:
    def make() -> Any:
        return strided.ones(20 << 20)  # 80 MiB: cut into shards on its way

    def seen(x: Any) -> tuple[Any, ...]:
        return x.data_ptr() % 4, x[-10:].sum().item(), x.writable

    client.wait_for_workers(2, timeout=30)
    one, two = workers(client)
    x = client.submit(make, workers=[one], pure=False)
    distributed.wait(x)
    assert client.submit(seen, x, workers=[two], pure=False).result() == (0, 10, True)


def test_what_can_be_watched(
    client: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("bokeh")
    page = urllib.request.urlopen(client.dashboard_link, timeout=20)
    assert page.status == 200
    assert b"Dask" in page.read()
    y = chunked.from_array(strided.rand(400, 400), (100, 100))
    with distributed.performance_report(filename=str(tmp_path / "report.html")):
        total = (y @ y).sum().persist()
        distributed.progress(total, notebook=False)
        distributed.wait(total)
    assert "100% Completed" in capsys.readouterr().out
    assert "sum" in (tmp_path / "report.html").read_text()
    kept = client.run(lambda dask_worker: [type(x).__name__ for x in dask_worker.data.values()])
    assert "Tensor" in str(kept)
