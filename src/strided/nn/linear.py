"""Linear layer: product with a weight, its gradient and module."""

from __future__ import annotations

import math
from typing import Any

from strided import _native
from strided._native import DType, Tensor, empty
from strided.errors import GradientNotPossible, InvalidArgument, ShapeMismatch, ViewNotPossible
from strided.nn import init
from strided.nn.members import Parameter
from strided.nn.module import Module
from strided.ops.data_types import check_device
from strided.ops.define import operation
from strided.ops.einsum import tensordot
from strided.ops.gradients import Backward, Call, Gradients
from strided.quantized import QuantizedMatrix, product_into

# Up to FEW_ROWS rows, linear gives every row the bits that it gets alone; from MANY_ROWS on, rows
# go by other kernels, here and in attention.
FEW_ROWS, MANY_ROWS = _native.FEW_ROWS, _native.MANY_ROWS


def _rows(x: Tensor) -> Tensor | None:
    """Return all axes but the last as one: a view, or None where there is none."""
    try:
        return x.view(-1, x.shape[-1])
    except ViewNotPossible:
        return None


def _linear_gradient(
    call: Call, x: Tensor, weight: Any, bias: Tensor | None, out: None, rows: None, dtype: Any
) -> Backward:
    if not isinstance(weight, Tensor):
        raise GradientNotPossible(
            operation="linear",
            reason="the weight is quantised: products with it round their operands",
            hint="multiply with weight.dequantize()",
        )
    saved = call.save(x if call.needs(1) else None, weight if call.needs(0) else None)
    wants_bias = bias is not None and call.needs(2)

    def backward(g: Tensor) -> Gradients:
        x, weight = saved()
        lead = tuple(range(g.ndim - 1))
        to_x = None if weight is None else g @ weight
        to_weight = None
        if x is not None:
            rows, inputs = _rows(g), _rows(x)
            if rows is None or inputs is None:
                to_weight = tensordot(g, x, axes=(lead, lead))
            else:
                to_weight = rows.mT @ inputs
        if bias is None:
            return to_x, to_weight
        return to_x, to_weight, (g.sum(lead) if lead else g) if wants_bias else None

    return backward


@operation(gradient=_linear_gradient, operands=3, namespace="nn")
def linear(
    x: Tensor,
    weight: Any,
    bias: Tensor | None = None,
    *,
    out: Tensor | None = None,
    rows: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """Return ``x @ weight.T + bias`` for x (..., k) and weight (n, k). A new tensor, or ``out``.

    The weight is a tensor or a QuantizedMatrix, read as it is stored. ``out`` has the axes of x
    before the last, then axes of n elements in all. With ``rows``, integers (T,) that are all
    different, row t of the result is written to row ``rows[t]`` of ``out``: a cache
    (slots, heads, d), say.

    >>> import strided
    >>> x, weight = strided.ones(2, 3), strided.arange(6.0).reshape(2, 3)
    >>> strided.nn.linear(x, weight).tolist()
    [[3.0, 12.0], [3.0, 12.0]]
    >>> cache = strided.zeros(3, 2)
    >>> strided.nn.linear(x, weight, out=cache, rows=strided.tensor([2, 0])).tolist()
    [[3.0, 12.0], [0.0, 0.0], [3.0, 12.0]]
    """
    if isinstance(weight, Tensor):
        return _native.linear(x, weight, bias, out, rows, dtype)
    expect_quantized(weight)
    if out is None:
        if rows is not None:
            raise InvalidArgument(
                argument="rows", got="no out", requirement="say which rows of out= are written"
            )
        shape = (*x.shape[:-1], weight.shape[0])
        out = _native.empty(shape, dtype=_native.float32 if dtype is None else dtype)
    _multiply(out, x, weight, rows, bias)
    return out


def expect_quantized(weight: Any) -> None:
    """Raise TypeError for a weight that is no QuantizedMatrix."""
    if not isinstance(weight, QuantizedMatrix):
        kind = type(weight).__name__
        raise TypeError(f"weight must be a strided.Tensor or a QuantizedMatrix, got {kind}")


def _multiply(
    out: Tensor, x: Tensor, weight: QuantizedMatrix, rows: Tensor | None, bias: Tensor | None
) -> None:
    """Write a product with quantised rows, as few calls as the axes of ``out`` allow."""
    lead = 1 if rows is not None else x.ndim - 1  # axes of out before those that hold a result
    if out.ndim <= lead + 1:
        product_into(out, x, weight, rows, bias)
        return
    n = weight.shape[0]
    if math.prod(out.shape[lead:]) != n:
        raise ShapeMismatch(
            operation="linear",
            expected=(*out.shape[:lead], n),
            got=out.shape,
            hint="the axes of out behind its rows hold one row of the result",
        )
    try:
        flat = out.view(*out.shape[:lead], n)
    except ViewNotPossible:
        # Heads are not adjacent: each is a product with its own rows of the weight.
        each = n // out.shape[lead]
        for head in range(out.shape[lead]):
            part = slice(head * each, (head + 1) * each)
            own = None if bias is None else bias[part]
            _multiply(out.select(lead, head), x, weight[part], rows, own)
    else:
        product_into(flat, x, weight, rows, bias)


def activation_dtype(weight: Any, rows: int) -> DType:
    """Return the fastest dtype of activations for a product with this weight.

    bfloat16 where the weight is bfloat16, there are more than 8 rows, and the processor multiplies
    pairs of bfloat16; otherwise float32 (float64 for float64). Quantised products round to 8 bits
    themselves. Copies nothing.

    >>> import strided
    >>> strided.nn.activation_dtype(strided.empty(2, 2), 100)
    strided.float32
    """
    dtype = weight.dtype if isinstance(weight, Tensor) else _native.float32
    return _native.activation_dtype(dtype, rows)


def initialize(weight: Parameter, bias: Parameter | None) -> None:
    """Initialize a weight and a bias as PyTorch does: uniform within 1 / sqrt(fan in)."""
    init.kaiming_uniform_(weight, a=math.sqrt(5))
    fan = math.prod(weight.shape[1:])
    if bias is not None and fan:
        bound = 1.0 / math.sqrt(fan)
        init.uniform_(bias, -bound, bound)


class Linear(Module):
    """Linear layer, ``x @ weight.T + bias``.

    >>> import strided
    >>> layer = strided.nn.Linear(4, 3)
    >>> layer, layer(strided.ones(2, 4)).shape
    (Linear(in_features=4, out_features=3, bias=True), (2, 3))
    """

    _shown = ("in_features", "out_features", "bias")
    bias: Parameter | None

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        check_device(device)
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(empty(out_features, in_features, dtype=dtype))
        own = Parameter(empty(out_features, dtype=dtype)) if bias else None
        self.register_parameter("bias", own)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize parameters in place.

        >>> import strided
        >>> layer = strided.nn.Linear(4, 3)
        >>> layer.reset_parameters()
        >>> bool((layer.weight.detach().abs() <= 0.5).all())
        True
        """
        initialize(self.weight, self.bias)

    def forward(self, x: Tensor) -> Tensor:
        return linear(x, self.weight, self.bias)
