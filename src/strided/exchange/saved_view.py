"""Which view of which piece is a saved tensor? Checked as what a stranger says."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Layout, Tensor


def view_of(pieces: dict[str, Tensor], said: dict[str, Any]) -> Tensor:
    """Return the tensor that a file describes; raises ValueError where it cannot be. A view."""
    piece, dtype = pieces[said["piece"]], _native.as_dtype(str(said["dtype"]))
    for name in ("shape", "strides"):
        if not isinstance(said[name], list) or not all(type(n) is int for n in said[name]):
            raise ValueError(f"{name} must be a list of whole numbers")
    layout = Layout(said["shape"], said["strides"], said["offset"])
    room = piece.nbytes // dtype.itemsize
    bounds = layout.bounds
    if bounds is None:
        return _native.empty(layout.shape, dtype=dtype)
    if bounds[0] < 0 or bounds[1] >= room:
        reach = f"elements {bounds[0]} to {bounds[1]}"
        raise ValueError(f"{said['piece']!r} has {room} {dtype.name}, not {reach}"[:150])
    raw = piece.reshape(-1).view(_native.uint8)
    flat = raw[: room * dtype.itemsize].view(dtype)
    begin = flat.storage_offset()
    x = flat.as_strided(layout.shape, layout.strides, layout.offset + begin)
    # Any byte can be said to be a bool, and only 0 and 1 are.
    if dtype is _native.bool and piece.dtype is not dtype and x.view(_native.uint8).amax() > 1:
        raise ValueError(f"{said['piece']!r} has bools other than 0 and 1")
    return x
