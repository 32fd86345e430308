"""dask arrays from tensors in memory, .npy files and zarr arrays.

A tensor is sliced at once, so that each chunk is a view which travels alone. Files are named in the
graph and opened where a chunk is needed: no element is read before, and none of them travels.
"""

from __future__ import annotations

import os
from itertools import product
from typing import TYPE_CHECKING, Any

from strided import _native
from strided._native import Tensor
from strided.errors import FileUnusable, MissingExtra
from strided.formats.npy import open_npy
from strided.interop.dask import register
from strided.ops.arrays import asarray

if TYPE_CHECKING:
    from dask.array import Array


def _dask_array(operation: str) -> Any:
    try:
        import dask.array
    except ImportError as error:
        raise MissingExtra(operation=operation, package="dask", extra="dask") from error
    register()
    return dask.array


def from_array(x: Any, chunks: Any = "auto", *, name: str | None = None) -> Array:
    """Return a dask array whose chunks are slices of a tensor. Views of it.

    ``x`` is whatever ``asarray`` takes, or a dask array, whose chunks become tensors when they are
    computed: views of NumPy's.

    >>> import strided
    >>> try:
    ...     import dask.array
    ... except ImportError:
    ...     pass
    ... else:
    ...     x = strided.arange(12.0).reshape(3, 4)
    ...     y = strided.chunked.from_array(x, chunks=(3, 2))
    ...     assert (y.T @ y).compute().tolist() == (x.T @ x).tolist()
    ...     assert y.to_delayed()[0, 1].compute().shares_storage(x)
    """
    da = _dask_array("from_array")
    if isinstance(x, da.Array):
        same = x if chunks == "auto" else x.rechunk(chunks)
        return same.map_blocks(asarray, dtype=x.dtype, meta=_meta(x), name=name)
    from dask.array.core import slices_from_chunks
    from dask.base import tokenize

    tensor = asarray(x)
    lengths = da.core.normalize_chunks(chunks, tensor.shape, dtype=tensor.dtype.dtype)
    named = name or f"tensor-{tokenize(tensor, lengths)}"
    keys = product([named], *(range(len(axis)) for axis in lengths))
    parts = (tensor[index] for index in slices_from_chunks(lengths))
    return da.Array(dict(zip(keys, parts, strict=True)), named, lengths, meta=_meta(tensor))


def _meta(x: Any) -> Tensor:
    return _native.empty((0,) * len(x.shape), dtype=_native.as_dtype(x.dtype))


class NpyFile:
    """A .npy file that is mapped anew for every part of it, wherever that is asked for."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._state = self._now()
        whole = open_npy(path)
        self.shape, self.dtype, self.ndim = whole.shape, whole.dtype.dtype, whole.ndim

    def _now(self) -> tuple[int, int]:
        found = os.stat(self.path)
        return found.st_size, found.st_mtime_ns

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return type(self).__name__, self.path, self._state

    def __getitem__(self, index: Any) -> Tensor:
        if self._now() != self._state:
            raise FileUnusable(path=self.path, reason="it changed since it was named in a graph")
        return open_npy(self.path)[index]


class ZarrArray:
    """A zarr array whose parts are tensors."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.shape, self.dtype, self.ndim = array.shape, array.dtype, array.ndim

    def __dask_tokenize__(self) -> Any:
        from dask.tokenize import normalize_token

        return type(self).__name__, normalize_token(self.array)

    def __getitem__(self, index: Any) -> Tensor:
        return asarray(self.array[index])


def from_npy(path: str | os.PathLike[str], chunks: Any = "auto") -> Array:
    """Return a dask array over a .npy file. Chunks are read-only views of the mapped file.

    Whoever computes a chunk maps the file under the same path; no element travels to it.

    >>> import os, strided, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "x.npy")
    >>> strided.save_npy(strided.arange(6.0), path)
    >>> try:
    ...     import dask.array
    ... except ImportError:
    ...     pass
    ... else:
    ...     assert strided.chunked.from_npy(path, chunks=3).sum().compute().item() == 15
    """
    da = _dask_array("from_npy")
    source = NpyFile(os.path.abspath(os.fsdecode(path)))
    return da.from_array(source, chunks, asarray=False, inline_array=True, meta=_meta(source))


def from_zarr(source: Any, chunks: Any = None) -> Array:
    """Return a dask array over a zarr array, or the path of one. Chunks are read when computed.

    ``chunks`` are those of the zarr array unless they are given. Each chunk is a new tensor.
    dask writes one, by views: ``x.to_backend("numpy").to_zarr(path)``.

    >>> import os, strided, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "x.zarr")
    >>> try:
    ...     import dask.array, zarr
    ... except ImportError:
    ...     pass
    ... else:
    ...     z = zarr.create_array(path, shape=(6,), chunks=(3,), dtype="float32")
    ...     z[:] = 2
    ...     assert strided.chunked.from_zarr(path).sum().compute().item() == 12
    """
    da = _dask_array("from_zarr")
    try:
        import zarr
    except ImportError as error:
        raise MissingExtra(operation="from_zarr", package="zarr", extra="dask") from error
    opened = source if isinstance(source, zarr.Array) else zarr.open_array(source, mode="r")
    wanted = opened.chunks if chunks is None else chunks
    array = ZarrArray(opened)
    return da.from_array(array, wanted, asarray=False, inline_array=True, meta=_meta(array))
