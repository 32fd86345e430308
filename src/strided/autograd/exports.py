"""Tensors of a graph do not leave it unnoticed: another library would write past the records."""

from __future__ import annotations

from strided._native import Tensor
from strided.autograd.history import track_of
from strided.errors import GradientNotPossible


def refuse_export(x: Tensor) -> None:
    """Refuse to hand the memory of a tensor that requires a gradient to another library."""
    track = track_of(x)
    if track is not None and track.requires_grad:
        raise GradientNotPossible(
            operation="sharing the memory of a tensor that requires a gradient",
            reason="what another library computes or writes there is not recorded",
            hint="say that this is meant: x.detach().numpy()",
        )
