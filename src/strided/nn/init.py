"""Initialization of parameters in place; formulas and defaults are PyTorch's.

Kaiming (He et al. 2015, arXiv:1502.01852) and Xavier (Glorot and Bengio 2010) keep the variance of
what flows through a layer; a fan is the number of elements that meet in one.
"""

from __future__ import annotations

import math
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.autograd import no_grad
from strided.errors import InvalidArgument
from strided.nn.left_out_of_nn import missing
from strided.ops.random_tensors import Generator, rand, randn

__all__ = [
    "calculate_gain",
    "constant_",
    "dirac_",
    "eye_",
    "kaiming_normal_",
    "kaiming_uniform_",
    "normal_",
    "ones_",
    "orthogonal_",
    "sparse_",
    "trunc_normal_",
    "uniform_",
    "xavier_normal_",
    "xavier_uniform_",
    "zeros_",
]


def __getattr__(name: str) -> Any:
    return missing("nn.init", name)


_GAINS = {
    **dict.fromkeys(("linear", "sigmoid", "conv1d", "conv2d"), 1.0),
    "tanh": 5.0 / 3,
    "relu": math.sqrt(2.0),
    "selu": 0.75,
}


def _fill(tensor: Tensor, values: Tensor) -> Tensor:
    with no_grad():
        tensor.copy_(values)
    return tensor


def uniform_(
    tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Generator | None = None
) -> Tensor:
    """Fill a tensor in place from the uniform distribution on [a, b).

    >>> import strided
    >>> x = strided.nn.init.uniform_(strided.empty(100), -1.0, 1.0)
    >>> bool((x.abs() <= 1).all())
    True
    """
    drawn = rand(*tensor.shape, dtype=_drawn(tensor), generator=generator)
    return _fill(tensor, drawn.mul_(b - a).add_(a))


def normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None
) -> Tensor:
    """Fill a tensor in place from a normal distribution.

    >>> import strided
    >>> strided.nn.init.normal_(strided.empty(2, 3), std=0.02).shape
    (2, 3)
    """
    drawn = randn(*tensor.shape, dtype=_drawn(tensor), generator=generator)
    return _fill(tensor, drawn.mul_(std).add_(mean))


def _drawn(tensor: Tensor) -> Any:
    return _native.float64 if tensor.dtype is _native.float64 else _native.float32


def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Generator | None = None,
) -> Tensor:
    """Fill a tensor in place from a normal distribution truncated to [a, b].

    Numbers outside are drawn again.

    >>> import strided
    >>> x = strided.nn.init.trunc_normal_(strided.empty(100))
    >>> bool((x.abs() <= 2).all())
    True
    """
    import numpy as np

    if not a < b:
        raise InvalidArgument(argument="a", got=str(a), requirement=f"must be below b = {b}")
    values = randn(tensor.numel(), dtype=_native.float64, generator=generator).mul_(std).add_(mean)
    array = values.numpy()
    low, high = (a - mean) / std, (b - mean) / std
    if 0.5 * (math.erf(high / math.sqrt(2)) - math.erf(low / math.sqrt(2))) < 0.01:
        raise InvalidArgument(
            argument="a, b",
            got=f"{a}, {b}",
            requirement="must leave more than 1 % of the distribution: use uniform_ for less",
        )
    while (outside := np.flatnonzero((array < a) | (array > b))).size:
        again = randn(outside.size, dtype=_native.float64, generator=generator)
        array[outside] = again.mul_(std).add_(mean).numpy()
    return _fill(tensor, values.view(tensor.shape))


def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fill a tensor in place with a constant.

    >>> import strided
    >>> strided.nn.init.constant_(strided.empty(2), 0.5).tolist()
    [0.5, 0.5]
    """
    with no_grad():
        tensor.fill_(val)
    return tensor


def zeros_(tensor: Tensor) -> Tensor:
    """Fill a tensor in place with zeros.

    >>> import strided
    >>> strided.nn.init.zeros_(strided.empty(2)).tolist()
    [0.0, 0.0]
    """
    return constant_(tensor, 0)


def ones_(tensor: Tensor) -> Tensor:
    """Fill a tensor in place with ones.

    >>> import strided
    >>> strided.nn.init.ones_(strided.empty(2)).tolist()
    [1.0, 1.0]
    """
    return constant_(tensor, 1)


def eye_(tensor: Tensor) -> Tensor:
    """Fill a matrix in place with the identity.

    >>> import strided
    >>> strided.nn.init.eye_(strided.empty(2, 2)).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    if tensor.ndim != 2:
        raise InvalidArgument(
            argument="tensor", got=f"of rank {tensor.ndim}", requirement="must be a matrix"
        )
    with no_grad():
        tensor.zero_()
        tensor.diagonal().fill_(1)
    return tensor


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Fill the weight of a convolution in place, so that channels pass unchanged.

    >>> import strided
    >>> strided.nn.init.dirac_(strided.empty(1, 1, 3)).tolist()
    [[[0.0, 1.0, 0.0]]]
    """
    if tensor.ndim not in (3, 4, 5) or groups < 1 or tensor.shape[0] % groups:
        raise InvalidArgument(
            argument="tensor",
            got=f"of shape {tuple(tensor.shape)}",
            requirement=f"must have rank 3 to 5, and channels that {groups} groups divide",
        )
    each = tensor.shape[0] // groups
    middle = tuple(n // 2 for n in tensor.shape[2:])
    with no_grad():
        tensor.zero_()
        for group in range(groups):
            for channel in range(min(each, tensor.shape[1])):
                place = (group * each + channel, channel, *middle)
                tensor[place] = 1
    return tensor


def sparse_(
    tensor: Tensor, sparsity: float, std: float = 0.01, generator: Generator | None = None
) -> Tensor:
    """Fill a matrix in place from a normal distribution, a share of each column with zeros.

    >>> import strided
    >>> x = strided.nn.init.sparse_(strided.empty(10, 2), sparsity=0.3)
    >>> (x == 0).sum(0).tolist()
    [3, 3]
    """
    if tensor.ndim != 2:
        raise InvalidArgument(
            argument="tensor", got=f"of rank {tensor.ndim}", requirement="must be a matrix"
        )
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    order = rand(rows, columns, generator=generator).argsort(0).argsort(0)
    drawn = randn(rows, columns, dtype=_drawn(tensor), generator=generator).mul_(std)
    return _fill(tensor, drawn * (order >= zeros).to(drawn.dtype))


def orthogonal_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Fill a tensor in place with an orthogonal matrix times a gain (its shorter side orthonormal).

    Axes behind the first count as one. The matrix is the Q of a random one, with the signs of R's
    diagonal (Saxe et al. 2013, arXiv:1312.6120).

    >>> import strided
    >>> q = strided.nn.init.orthogonal_(strided.empty(2, 3))
    >>> strided.allclose(q @ q.T, strided.eye(2), atol=1e-6)
    True
    """
    import numpy as np

    rows = tensor.shape[0]
    columns = math.prod(tensor.shape[1:])
    long, short = max(rows, columns), min(rows, columns)
    drawn = randn(long, short, dtype=_native.float64, generator=generator)
    q, r = np.linalg.qr(drawn.numpy())
    q = q * np.sign(np.diagonal(r)) * gain
    made = _native._from_buffer(q if rows >= columns else q.T)
    return _fill(tensor, made.reshape(tensor.shape))


# ---- scaled by fan-in and fan-out ----


def _fans(tensor: Tensor) -> tuple[int, int]:
    if tensor.ndim < 2:
        raise InvalidArgument(
            argument="tensor",
            got=f"of rank {tensor.ndim}",
            requirement="must have an axis of outputs and one of inputs",
        )
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """Return the recommended gain of a nonlinearity.

    >>> import strided
    >>> strided.nn.init.calculate_gain("relu")
    1.4142135623730951
    """
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    if nonlinearity not in _GAINS:
        raise InvalidArgument(
            argument="nonlinearity",
            got=repr(nonlinearity),
            requirement=f"must be leaky_relu or one of {', '.join(_GAINS)}",
        )
    return _GAINS[nonlinearity]


def _kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    if mode not in ("fan_in", "fan_out"):
        raise InvalidArgument(
            argument="mode", got=repr(mode), requirement="must be 'fan_in' or 'fan_out'"
        )
    fan = _fans(tensor)[mode == "fan_out"]
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0.0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Kaiming (He) initialization in place, uniform: keeps the variance through rectifiers.

    >>> import strided
    >>> x = strided.nn.init.kaiming_uniform_(strided.empty(3, 6))
    >>> bool((x.abs() <= 1).all())
    True
    """
    if tensor.numel() == 0:
        return tensor
    bound = math.sqrt(3.0) * _kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0.0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Kaiming (He) initialization in place, normal: keeps the variance through rectifiers.

    >>> import strided
    >>> strided.nn.init.kaiming_normal_(strided.empty(3, 6)).shape
    (3, 6)
    """
    if tensor.numel() == 0:
        return tensor
    return normal_(tensor, 0.0, _kaiming_std(tensor, a, mode, nonlinearity), generator)


def xavier_uniform_(
    tensor: Tensor, gain: float = 1.0, generator: Generator | None = None
) -> Tensor:
    """Xavier (Glorot) initialization in place, uniform: keeps the variance forward and backward.

    >>> import strided
    >>> x = strided.nn.init.xavier_uniform_(strided.empty(3, 3))
    >>> bool((x.abs() <= 1).all())
    True
    """
    bound = gain * math.sqrt(6.0 / sum(_fans(tensor)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Xavier (Glorot) initialization in place, normal: keeps the variance forward and backward.

    >>> import strided
    >>> strided.nn.init.xavier_normal_(strided.empty(3, 3)).shape
    (3, 3)
    """
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / sum(_fans(tensor))), generator)
