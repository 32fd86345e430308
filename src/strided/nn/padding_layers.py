"""Modules that pad the last axes of their input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from strided._native import Tensor
from strided.nn.module import Module
from strided.nn.padding import pad


class _Pad(Module):
    _shown: tuple[str, ...] = ("padding",)
    _axes: ClassVar[int]
    _mode: ClassVar[str]

    def __init__(self, padding: int | Sequence[int]) -> None:
        given = (padding,) * (2 * self._axes) if isinstance(padding, int) else tuple(padding)
        self.padding = given

    def forward(self, input: Tensor) -> Tensor:
        return pad(input, self.padding, mode=self._mode)


class _ConstantPad(_Pad):
    _shown = ("padding", "value")
    _mode = "constant"

    def __init__(self, padding: int | Sequence[int], value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        return pad(input, self.padding, value=self.value)


class _ZeroPad(_Pad):
    _mode = "constant"


class _ReflectionPad(_Pad):
    _mode = "reflect"


class _ReplicationPad(_Pad):
    _mode = "replicate"


class _CircularPad(_Pad):
    _mode = "circular"


class ConstantPad1d(_ConstantPad):
    """Pads signals (..., length) with a constant.

    >>> import strided
    >>> x = strided.tensor([[1.0, 2.0]])
    >>> strided.nn.ConstantPad1d((1, 0), 9.0)(x).flatten().tolist()
    [9.0, 1.0, 2.0]
    """

    _axes = 1


class ConstantPad2d(_ConstantPad):
    """Pads images (..., height, width) with a constant.

    >>> import strided
    >>> x = strided.tensor([[[1.0, 2.0]]])
    >>> strided.nn.ConstantPad2d((1, 0, 0, 0), 9.0)(x).flatten().tolist()
    [9.0, 1.0, 2.0]
    """

    _axes = 2


class ConstantPad3d(_ConstantPad):
    """Pads volumes (..., depth, height, width) with a constant.

    >>> import strided
    >>> x = strided.tensor([[[[1.0, 2.0]]]])
    >>> strided.nn.ConstantPad3d((1, 0, 0, 0, 0, 0), 9.0)(x).flatten().tolist()
    [9.0, 1.0, 2.0]
    """

    _axes = 3


class ZeroPad1d(_ZeroPad):
    """Pads signals (..., length) with zeros.

    >>> import strided
    >>> x = strided.tensor([[1.0, 2.0]])
    >>> strided.nn.ZeroPad1d((1, 0))(x).flatten().tolist()
    [0.0, 1.0, 2.0]
    """

    _axes = 1


class ZeroPad2d(_ZeroPad):
    """Pads images (..., height, width) with zeros.

    >>> import strided
    >>> x = strided.tensor([[[1.0, 2.0]]])
    >>> strided.nn.ZeroPad2d((1, 0, 0, 0))(x).flatten().tolist()
    [0.0, 1.0, 2.0]
    """

    _axes = 2


class ZeroPad3d(_ZeroPad):
    """Pads volumes (..., depth, height, width) with zeros.

    >>> import strided
    >>> x = strided.tensor([[[[1.0, 2.0]]]])
    >>> strided.nn.ZeroPad3d((1, 0, 0, 0, 0, 0))(x).flatten().tolist()
    [0.0, 1.0, 2.0]
    """

    _axes = 3


class ReflectionPad1d(_ReflectionPad):
    """Pads signals (..., length) with mirrored elements.

    >>> import strided
    >>> x = strided.tensor([[1.0, 2.0]])
    >>> strided.nn.ReflectionPad1d((1, 0))(x).flatten().tolist()
    [2.0, 1.0, 2.0]
    """

    _axes = 1


class ReflectionPad2d(_ReflectionPad):
    """Pads images (..., height, width) with mirrored elements.

    >>> import strided
    >>> x = strided.tensor([[[1.0, 2.0]]])
    >>> strided.nn.ReflectionPad2d((1, 0, 0, 0))(x).flatten().tolist()
    [2.0, 1.0, 2.0]
    """

    _axes = 2


class ReflectionPad3d(_ReflectionPad):
    """Pads volumes (..., depth, height, width) with mirrored elements.

    >>> import strided
    >>> x = strided.tensor([[[[1.0, 2.0]]]])
    >>> strided.nn.ReflectionPad3d((1, 0, 0, 0, 0, 0))(x).flatten().tolist()
    [2.0, 1.0, 2.0]
    """

    _axes = 3


class ReplicationPad1d(_ReplicationPad):
    """Pads signals (..., length) with copies of the outermost elements.

    >>> import strided
    >>> x = strided.tensor([[1.0, 2.0]])
    >>> strided.nn.ReplicationPad1d((1, 0))(x).flatten().tolist()
    [1.0, 1.0, 2.0]
    """

    _axes = 1


class ReplicationPad2d(_ReplicationPad):
    """Pads images (..., height, width) with copies of the outermost elements.

    >>> import strided
    >>> x = strided.tensor([[[1.0, 2.0]]])
    >>> strided.nn.ReplicationPad2d((1, 0, 0, 0))(x).flatten().tolist()
    [1.0, 1.0, 2.0]
    """

    _axes = 2


class ReplicationPad3d(_ReplicationPad):
    """Pads volumes (..., depth, height, width) with copies of the outermost elements.

    >>> import strided
    >>> x = strided.tensor([[[[1.0, 2.0]]]])
    >>> strided.nn.ReplicationPad3d((1, 0, 0, 0, 0, 0))(x).flatten().tolist()
    [1.0, 1.0, 2.0]
    """

    _axes = 3


class CircularPad1d(_CircularPad):
    """Pads signals (..., length) with elements of the other end.

    >>> import strided
    >>> x = strided.tensor([[1.0, 2.0]])
    >>> strided.nn.CircularPad1d((1, 0))(x).flatten().tolist()
    [2.0, 1.0, 2.0]
    """

    _axes = 1


class CircularPad2d(_CircularPad):
    """Pads images (..., height, width) with elements of the other end.

    >>> import strided
    >>> x = strided.tensor([[[1.0, 2.0]]])
    >>> strided.nn.CircularPad2d((1, 0, 0, 0))(x).flatten().tolist()
    [2.0, 1.0, 2.0]
    """

    _axes = 2


class CircularPad3d(_CircularPad):
    """Pads volumes (..., depth, height, width) with elements of the other end.

    >>> import strided
    >>> x = strided.tensor([[[[1.0, 2.0]]]])
    >>> strided.nn.CircularPad3d((1, 0, 0, 0, 0, 0))(x).flatten().tolist()
    [2.0, 1.0, 2.0]
    """

    _axes = 3
