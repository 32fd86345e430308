"""PyTorch: from_torch and to_torch over the same memory, or a refusal that says why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strided._native import Tensor
from strided.errors import MissingExtra, UnsupportedOperation
from strided.interop.protocols import runs_backwards
from strided.ops.arrays import from_dlpack

if TYPE_CHECKING:
    import torch


def _refusal(x: Any) -> tuple[str, str] | None:
    """Return what stands in the way of sharing a tensor of PyTorch, and the call that helps."""
    if str(x.layout) != "torch.strided":
        return f"it has no strides: its layout is {x.layout}", "x.to_dense()"
    if x.device.type != "cpu":
        return f"it is on {x.device}", "x.cpu()"
    if x.requires_grad:
        return "it records gradients, which would not see what is written here", "x.detach()"
    if x.is_conj():
        return "its elements are conjugated when they are read", "x.resolve_conj()"
    if x.is_neg():
        return "its elements change their sign when they are read", "x.resolve_neg()"
    return None


def from_torch(x: torch.Tensor, /) -> Tensor:
    """Return a tensor over the memory of a PyTorch tensor, with its strides. A view.

    >>> import strided
    >>> try:
    ...     strided.from_torch([1, 2])
    ... except TypeError as error:
    ...     print(error)
    list is no torch.Tensor; use strided.asarray
    """
    if type(x).__module__.partition(".")[0] != "torch" and not hasattr(x, "untyped_storage"):
        raise TypeError(f"{type(x).__name__} is no torch.Tensor; use strided.asarray")
    refused = _refusal(x)
    if refused is not None:
        reason, call = refused
        raise UnsupportedOperation(
            operation="from_torch", reason=reason, hint=f"use strided.from_torch({call})"
        )
    return from_dlpack(x)


def to_torch(self: Tensor) -> Any:
    """Return a PyTorch tensor over the same memory, strides kept. A view, never a copy.

    PyTorch has no negative strides and no read-only memory: those raise, naming the call that
    copies.

    >>> import strided
    >>> try:
    ...     strided.arange(3).flip(0).to_torch()
    ... except (strided.UnsupportedOperation, strided.MissingExtra) as error:
    ...     print(str(error).splitlines()[0])
    to_torch is not possible here
    """
    try:
        import torch
    except ImportError as error:
        raise MissingExtra(operation="to_torch", package="torch", extra="torch") from error
    if runs_backwards(self):
        raise UnsupportedOperation(
            operation="to_torch",
            reason=f"PyTorch cannot hold negative strides, and these are {self.stride()}",
            hint="use .contiguous().to_torch(), which copies",
        )
    if not self.writable:
        raise UnsupportedOperation(
            operation="to_torch",
            reason="its memory is read-only, and PyTorch would write to it",
            hint="use .clone().to_torch(), which copies",
        )
    return torch.from_dlpack(self)


METHODS: dict[str, Any] = {"to_torch": to_torch}
