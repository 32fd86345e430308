"""What dask is told about tensors, part by part, when that part of dask has been imported.

A process that never named ``strided.chunked`` is told as well: a worker that receives its first
tensor imports the package, which registers with all of dask that is there already.
"""

from __future__ import annotations

from strided._native import Tensor
from strided.chunked import frames, lookups, measures


def _with_dask() -> None:
    """Names and sizes of tensors."""
    from dask.sizeof import sizeof
    from dask.tokenize import normalize_token

    sizeof.register(Tensor, measures.reached_bytes)
    normalize_token.register(Tensor, measures.token)


def _with_dask_array() -> None:
    """Tensors as chunks, and the functions that dask looks up by the type of a chunk."""
    import numpy as np
    from dask.array import dispatch, register_chunk_type

    register_chunk_type(Tensor)
    for name, function in lookups.FUNCTIONS.items():
        getattr(dispatch, name).register(Tensor, function)
    by_numpy = dispatch.percentile_lookup.dispatch(np.ndarray)
    dispatch.percentile_lookup.register(Tensor, by_numpy)


def _with_distributed() -> None:
    """The way of a tensor from one worker to another."""
    from distributed.protocol import dask_deserialize, dask_serialize

    dask_serialize.register(Tensor, frames.taken_apart)
    dask_deserialize.register(Tensor, frames.put_together)


# module of dask: what is done once it has been imported
_PARTS = {
    "dask": _with_dask,
    "dask.array": _with_dask_array,
    "distributed.protocol": _with_distributed,
}


def with_part(module: str) -> None:
    """Tell one part of dask."""
    _PARTS[module]()
