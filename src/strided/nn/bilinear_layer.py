"""Bilinear layer: products of two inputs with a matrix per feature, and its module."""

from __future__ import annotations

import math
from typing import Any

from strided._native import Tensor, empty
from strided.errors import ShapeMismatch
from strided.nn import init
from strided.nn.members import Parameter
from strided.nn.module import Module
from strided.ops.data_types import check_device
from strided.ops.define import operation
from strided.ops.einsum import einsum


@operation(namespace="nn")
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return ``x1 @ weight[k] @ x2 + bias[k]`` for each feature k of (n, i, j). A new tensor.

    >>> import strided
    >>> x, y = strided.tensor([1.0, 2.0]), strided.tensor([3.0])
    >>> strided.nn.bilinear(x, y, strided.ones(1, 2, 1)).tolist()
    [9.0]
    """
    lead = tuple(input1.shape[:-1])
    expected = (*lead, weight.shape[2]) if weight.ndim == 3 else (-1, -1, -1)
    if weight.ndim != 3 or tuple(input2.shape) != expected or input1.shape[-1] != weight.shape[1]:
        raise ShapeMismatch(
            operation="bilinear",
            expected=expected,
            got=tuple(input2.shape),
            hint=f"a weight {tuple(weight.shape)} is (features, i, j) of inputs (..., i), (..., j)",
        )
    made: Tensor = einsum("...i,kij,...j->...k", input1, weight, input2)
    return made if bias is None else made + bias


class Bilinear(Module):
    """Bilinear layer, ``x1 @ weight[k] @ x2 + bias[k]`` for each feature k.

    >>> import strided
    >>> strided.nn.Bilinear(2, 3, 4)(strided.ones(5, 2), strided.ones(5, 3)).shape
    (5, 4)
    """

    _shown = ("in1_features", "in2_features", "out_features", "bias")
    bias: Parameter | None

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        check_device(device)
        self.in1_features, self.in2_features = in1_features, in2_features
        self.out_features = out_features
        self.weight = Parameter(empty(out_features, in1_features, in2_features, dtype=dtype))
        own = Parameter(empty(out_features, dtype=dtype)) if bias else None
        self.register_parameter("bias", own)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize parameters in place: uniform within 1 / sqrt(in1_features).

        >>> import strided
        >>> layer = strided.nn.Bilinear(4, 3, 2)
        >>> layer.reset_parameters()
        >>> bool((layer.weight.detach().abs() <= 0.5).all())
        True
        """
        bound = 1.0 / math.sqrt(self.in1_features)
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        return bilinear(input1, input2, self.weight, self.bias)
