"""Registration of tensors with dask, by its own functions.

Tensors are registered with the parts of dask that are imported, and with others as soon as one
meets a tensor: when it asks for a size (the entry point ``dask.sizeof``) or a name
(``__dask_tokenize__``), when ``strided.chunked`` is used, and when strided is imported after them,
as in a worker that receives its first tensor. Nothing of dask is imported or replaced by that.
"""

from __future__ import annotations

import sys
from contextlib import suppress

from strided._native import Tensor
from strided.interop.dask import dispatch, measures, serialization


def _with_sizes() -> None:
    from dask.sizeof import sizeof

    sizeof.register(Tensor, measures.reached_bytes)


def _with_arrays() -> None:
    """Tensors as chunks, and the functions that dask looks up by the type of a chunk."""
    import numpy as np
    from dask.array import dispatch as lookups
    from dask.array import register_chunk_type

    register_chunk_type(Tensor)
    for name, function in dispatch.FUNCTIONS.items():
        getattr(lookups, name).register(Tensor, function)
    by_numpy = lookups.percentile_lookup.dispatch(np.ndarray)
    lookups.percentile_lookup.register(Tensor, by_numpy)


def _with_workers() -> None:
    """The way of a tensor from one worker to another."""
    from distributed.protocol import dask_deserialize, dask_serialize

    dask_serialize.register(Tensor, serialization.serialize)
    dask_deserialize.register(Tensor, serialization.deserialize)


# module of dask: how tensors are registered with it
_PARTS = {
    "dask.sizeof": _with_sizes,
    "dask.array": _with_arrays,
    "distributed.protocol": _with_workers,
}
_registered: set[str] = set()


def register() -> None:
    """Register tensors with the parts of dask that are imported and do not know them."""
    for module, add in _PARTS.items():
        if module in _registered or module not in sys.modules:
            continue
        # It may be half imported, or a version with other names: neither is a reason for importing
        # strided to fail.
        with suppress(Exception):
            add()
            _registered.add(module)


def enable() -> None:
    """Import the parts of dask that take tensors, and register with them."""
    import dask.array  # noqa: F401

    with suppress(ImportError):
        import distributed.protocol  # noqa: F401
    register()
