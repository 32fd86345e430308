"""dask.array over tensors: slices of chunks are views, and chunks travel as their own bytes."""

from __future__ import annotations

from strided.interop.dask_arrays import from_array, from_npy, from_zarr

__all__ = ["from_array", "from_npy", "from_zarr"]


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
