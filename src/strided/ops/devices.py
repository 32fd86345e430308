"""Devices: there is one, the CPU."""

from __future__ import annotations

from typing import Any

from strided._native import Tensor
from strided.copies import forecast as forecasts
from strided.errors import InvalidArgument
from strided.ops.define import operation


def check_device(device: Any) -> None:
    """Refuse every device but the CPU, the only one there is."""
    if device is not None and str(device) != "cpu":
        raise InvalidArgument(argument="device", got=repr(device), requirement="must be 'cpu'")


@operation(function=None, kind="either", forecast=forecasts.itself)
def cpu(x: Tensor, /) -> Tensor:
    """Return this tensor itself: it is on the CPU already.

    >>> import strided
    >>> strided.zeros(1).cpu().device
    'cpu'
    """
    return x


@operation(function=None, kind="either", forecast=forecasts.itself)
def to_device(x: Tensor, /, device: Any, *, stream: Any = None) -> Tensor:
    """Return this tensor itself on a device; only ``"cpu"`` exists.

    >>> import strided
    >>> strided.zeros(1).to_device("cpu").device
    'cpu'
    """
    check_device(device)
    return x
