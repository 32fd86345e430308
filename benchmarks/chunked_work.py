"""What is done with chunks: a table of work on random numbers, and files larger than a worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import strided


@dataclass(frozen=True)
class Work:
    """What is done with an array of float32: ``run`` is given the array and returns another one.

    ``first`` is done beforehand and its chunks are kept, as by a program that goes on with them.
    """

    name: str
    shape: tuple[int, ...]
    chunks: tuple[int, ...]
    run: Callable[[Any], Any]
    first: Callable[[Any], Any] = lambda x: x


def _windows(x: Any, length: int) -> Any:
    from dask.array.lib.stride_tricks import sliding_window_view

    return sliding_window_view(x, length, axis=-1)


def _joined(x: Any, columns: int) -> Any:
    """Return chunks of all rows and some columns, by tasks, whatever dask would choose."""
    return x.rechunk((x.shape[0], columns), method="tasks")


def _neighbours(block: Any) -> Any:
    return block[2:, 1:-1] + block[:-2, 1:-1] + block[1:-1, 2:] + block[1:-1, :-2]


def _stencil(x: Any) -> Any:
    from dask.array.overlap import overlap

    wide = overlap(x, depth=1, boundary="reflect")
    return wide.map_blocks(_neighbours, dtype=x.dtype, chunks=x.chunks)


def _principal(x: Any) -> Any:
    from dask.array.linalg import svd

    _, values, axes = svd(x - x.mean(axis=0))
    return values[:, None] * abs(axes)


def _standardised(x: Any) -> Any:
    return (x - x.mean(axis=0)) / x.std(axis=0)


def _chain(x: Any) -> Any:
    return np.exp(-x * x / 2) * np.sqrt(x + 1) - np.tanh(x)


def _channels(x: Any) -> Any:
    planes = x.transpose(0, 3, 1, 2)
    return (planes - planes.mean(axis=(0, 2, 3), keepdims=True)).std(axis=(2, 3))


def works(quick: bool) -> list[Work]:
    """Return the table of what is done."""
    n = 512 if quick else 3072
    part = n // 4
    square = ((n, n), (part, part))
    bands = ((2 * n, n), (part, n))
    images = (32, 32, 32, 8) if quick else (96, 128, 128, 16)
    tall = (64 * n, 64)
    series = (256, 4 * n)
    grid = (n // 4, n // 4)
    return [
        Work("x @ x.T", *square, lambda x: x @ x.T),
        Work("(x - mean) / std, by columns", *bands, _standardised),
        Work("PCA by a tall, narrow SVD", tall, (8 * n, 64), _principal),
        Work("(x + x.T).sum(0)", *square, lambda x: (x + x.T).sum(axis=0)),
        Work("x[::-1, ::2].max(0)", *bands, lambda x: x[::-1, ::2].max(axis=0)),
        Work("mean of windows of 32", series, (64, 4 * n), lambda x: _windows(x, 32).mean(axis=-1)),
        Work(
            "windows of 32 times those 64 rows on",
            series,
            (64, n),
            lambda w: (w[64:] * w[:-64]).sum(axis=-1),
            lambda x: _windows(x, 32),
        ),
        Work("sum of four neighbours", *square, _stencil),
        Work("rechunk from rows to columns", *bands, lambda x: _joined(x, part // 2)),
        Work(
            "32 columns of wide chunks, in one chunk",
            *bands,
            lambda x: _joined(x[:, 64:96], 32).cumsum(axis=0),
        ),
        Work(
            "most columns of wide chunks, in one chunk",
            *bands,
            lambda x: _joined(x[:, : n - 64], n).cumsum(axis=0),
        ),
        Work("images NHWC to NCHW, std by plane", images, (8, *images[1:]), _channels),
        Work("exp(-x * x / 2) * sqrt(x + 1) - tanh(x)", *bands, _chain),
        Work("((x + 1) * 2).sum() of 256 small chunks", grid, (grid[0] // 16,) * 2, _small),
    ]


def _small(x: Any) -> Any:
    return ((x + 1) * 2).sum()


def source(work: Work, library: str) -> Any:
    """Return random numbers, made chunk by chunk where they are used."""
    import dask.array as da

    x = da.random.default_rng(0).random(work.shape, np.float32, chunks=work.chunks)
    if library == "strided":
        meta = strided.empty((0,) * x.ndim)
        x = x.map_blocks(strided.asarray, dtype=x.dtype, meta=meta)
    return x


# ---- files larger than a worker ----


class _Mapped:
    """A .npy file as NumPy maps it, opened where a part is needed: the file stays out of graphs."""

    def __init__(self, path: Path) -> None:
        self.path, whole = path, np.load(path, mmap_mode="r")
        self.shape, self.dtype, self.ndim = whole.shape, whole.dtype, whole.ndim

    def __getitem__(self, index: Any) -> Any:
        return np.asarray(np.load(self.path, mmap_mode="r")[index])


@dataclass(frozen=True)
class File:
    """A file that is reduced by workers which could not hold it."""

    kind: str
    path: Path
    rows: int

    def opened(self, library: str) -> Any:
        """Return the dask array over it."""
        import dask.array as da

        if library == "strided":
            from strided import chunked

            if self.kind == "zarr":
                return chunked.from_zarr(self.path)
            return chunked.from_npy(self.path, (self.rows, -1))
        if self.kind == "zarr":
            return da.from_zarr(str(self.path))
        return da.from_array(_Mapped(self.path), (self.rows, -1), asarray=False)


def written(folder: Path, kind: str, shape: tuple[int, int], rows: int) -> File:
    """Write a file of random numbers, some rows at a time, which are its chunks."""
    rng, path = np.random.default_rng(0), folder / f"x.{kind}"
    if kind == "zarr":
        import zarr

        target: Any = zarr.create_array(
            path, shape=shape, chunks=(rows, shape[1]), dtype="float32", compressors=None
        )
    else:
        target = np.lib.format.open_memmap(path, "w+", np.dtype("float32"), shape)
    for begin in range(0, shape[0], rows):
        target[begin : begin + rows] = rng.random((rows, shape[1]), np.float32)
    return File(kind, path, rows)
