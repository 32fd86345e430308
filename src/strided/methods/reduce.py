"""Reductions and running sums. ``dim`` is also called ``axis``, and ``keepdim`` ``keepdims``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from strided import _native
from strided._native import DType, Tensor
from strided.ops.elementwise import where

Dims = int | Sequence[int] | None


class Extreme(NamedTuple):
    """What ``max(dim)`` and ``min(dim)`` return: the values and where they stand."""

    values: Tensor
    indices: Tensor


def _one(first: Any, second: Any, names: str) -> Any:
    """Return whichever of two spellings was used."""
    if first is not None and second is not None:
        raise TypeError(f"{names} are the same argument: give one of them")
    return first if second is None else second


def _kept(keepdim: bool, keepdims: bool | None) -> bool:
    return keepdim if keepdims is None else bool(keepdims)


def _into(out: Tensor | None, result: Tensor) -> Tensor:
    return result if out is None else out.copy_(result)


def _reduction(name: str, says: str, example: str, expected: str) -> Any:
    def method(
        self: Tensor,
        dim: Dims = None,
        keepdim: bool = False,
        *,
        dtype: DType | None = None,
        axis: Dims = None,
        keepdims: bool | None = None,
        out: Tensor | None = None,
    ) -> Tensor:
        dims = _one(dim, axis, "dim and axis")
        return _into(out, _native.reduce(name, self, dims, _kept(keepdim, keepdims), dtype))

    method.__name__ = method.__qualname__ = name
    method.__doc__ = (
        f"{says} A new tensor.\n\n    >>> import strided\n    >>> {example}\n    {expected}\n    "
    )
    return method


_X = "strided.tensor([[1, 2], [3, 4]])"
sum = _reduction(
    "sum",
    "Add up elements along the given axes, or all of them; small integers add up in int64.",
    f"{_X}.sum(0).tolist()",
    "[4, 6]",
)
prod = _reduction(
    "prod",
    "Multiply elements along axes, or all of them; small integers multiply in int64.",
    f"{_X}.prod(1).tolist()",
    "[2, 12]",
)
any = _reduction(
    "any",
    "Whether at least one element is nonzero.",
    "strided.tensor([[0, 0], [0, 4]]).any(dim=1).tolist()",
    "[False, True]",
)
all = _reduction(
    "all",
    "Whether all elements are nonzero; true for none.",
    "strided.tensor([[0, 1], [3, 4]]).all(dim=1).tolist()",
    "[False, True]",
)
amin = _reduction("min", "The smallest element; NaN wins.", f"{_X}.amin(dim=1).tolist()", "[1, 3]")
amax = _reduction("max", "The largest element; NaN wins.", f"{_X}.amax(dim=1).tolist()", "[2, 4]")
amin.__name__ = amin.__qualname__ = "amin"
amax.__name__ = amax.__qualname__ = "amax"


def _extreme(name: str, largest: bool) -> Any:
    def method(
        self: Tensor,
        dim: int | Tensor | None = None,
        keepdim: bool = False,
        *,
        axis: Dims = None,
        keepdims: bool | None = None,
        out: Tensor | None = None,
    ) -> Tensor | Extreme:
        if isinstance(dim, Tensor):
            return (self.maximum if largest else self.minimum)(dim, out=out)
        kept = _kept(keepdim, keepdims)
        if dim is None:
            return _into(out, _native.reduce(name, self, axis, kept, None))
        if axis is not None or out is not None:
            raise TypeError(
                f"{name}(dim) gives values and indices: use axis=... alone, or with out"
            )
        return Extreme(
            _native.reduce(name, self, dim, kept, None),
            _native.arg_reduce(largest, self, dim, kept),
        )

    word = "largest" if largest else "smallest"
    values, where = ([4, 5], [0, 0]) if largest else ([1, 3], [1, 1])
    method.__name__ = method.__qualname__ = name
    method.__doc__ = (
        f"The {word} element, of all or along an axis. A new tensor.\n\n"
        f"    ``{name}(dim)`` also says where it stands, as PyTorch does; ``{name}(axis=...)``\n"
        f"    gives only the values, as NumPy does; ``{name}(other)`` works elementwise.\n\n"
        f"    >>> import strided\n    >>> x = strided.tensor([[4, 1], [5, 3]])\n"
        f"    >>> values, indices = x.{name}(1)\n    >>> values.tolist(), indices.tolist()\n"
        f"    ({values}, {where})\n    "
    )
    return method


min = _extreme("min", largest=False)
max = _extreme("max", largest=True)


def argmax(
    self: Tensor,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    axis: int | None = None,
    keepdims: bool | None = None,
) -> Tensor:
    """Return the position of the first largest element along an axis, or of all. A new tensor.

    >>> import strided
    >>> strided.tensor([[1, 9], [7, 2]]).argmax(1).tolist()
    [1, 0]
    """
    dim = _one(dim, axis, "dim and axis")
    return _native.arg_reduce(True, self, dim, _kept(keepdim, keepdims))


def argmin(
    self: Tensor,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    axis: int | None = None,
    keepdims: bool | None = None,
) -> Tensor:
    """Return the position of the first smallest element along an axis, or of all. A new tensor.

    >>> import strided
    >>> strided.tensor([[1, 9], [7, 2]]).argmin(1).tolist()
    [0, 1]
    """
    dim = _one(dim, axis, "dim and axis")
    return _native.arg_reduce(False, self, dim, _kept(keepdim, keepdims))


def mean(
    self: Tensor,
    dim: Dims = None,
    keepdim: bool = False,
    *,
    dtype: DType | None = None,
    axis: Dims = None,
    keepdims: bool | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the mean along axes, or of all elements; integers give float32. A new tensor.

    >>> import strided
    >>> strided.tensor([[1, 2], [3, 4]]).mean(0).tolist()
    [2.0, 3.0]
    """
    dims = _one(dim, axis, "dim and axis")
    return _into(out, _native.mean(self, dims, _kept(keepdim, keepdims), dtype))


def var(
    self: Tensor,
    dim: Dims = None,
    *,
    correction: float = 1,
    keepdim: bool = False,
    axis: Dims = None,
    keepdims: bool | None = None,
    ddof: float | None = None,
    dtype: DType | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the variance along axes, or of all elements. A new tensor.

    The sum of squares is divided by n - correction: 1, as in PyTorch; ddof is NumPy's name for it.

    >>> import strided
    >>> strided.tensor([1.0, 3.0]).var().item(), strided.tensor([1.0, 3.0]).var(correction=0).item()
    (2.0, 1.0)
    """
    dims = _one(dim, axis, "dim and axis")
    x = self if dtype is None else self.to(dtype)
    taken_off = correction if ddof is None else ddof
    return _into(out, _native.variance(x, dims, float(taken_off), _kept(keepdim, keepdims)))


def std(
    self: Tensor,
    dim: Dims = None,
    *,
    correction: float = 1,
    keepdim: bool = False,
    axis: Dims = None,
    keepdims: bool | None = None,
    ddof: float | None = None,
    dtype: DType | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the standard deviation; like ``var``, with correction 1 by default. A new tensor.

    >>> import strided
    >>> strided.tensor([1.0, 3.0]).std(correction=0).item()
    1.0
    """
    result = var(
        self,
        _one(dim, axis, "dim and axis"),
        correction=correction,
        keepdim=_kept(keepdim, keepdims),
        ddof=ddof,
        dtype=dtype,
    )
    return _into(out, result.sqrt_())


def cumsum(
    self: Tensor, dim: int | None = None, *, dtype: DType | None = None, axis: int | None = None
) -> Tensor:
    """Return running sums along an axis (flattened when none is given). A new tensor.

    >>> import strided
    >>> strided.tensor([1, 2, 3]).cumsum(0).tolist()
    [1, 3, 6]
    """
    return _scan(False, self, _one(dim, axis, "dim and axis"), dtype)


def cumprod(
    self: Tensor, dim: int | None = None, *, dtype: DType | None = None, axis: int | None = None
) -> Tensor:
    """Return running products along an axis (flattened when none is given). A new tensor.

    >>> import strided
    >>> strided.tensor([1, 2, 3]).cumprod(0).tolist()
    [1, 2, 6]
    """
    return _scan(True, self, _one(dim, axis, "dim and axis"), dtype)


def _scan(product: bool, x: Tensor, dim: int | None, dtype: DType | None) -> Tensor:
    if dim is None:
        x, dim = x.reshape(-1), 0
    return _native.scan(product, x, dim, dtype)


def count_nonzero(self: Tensor, dim: Dims = None, *, axis: Dims = None) -> Tensor:
    """Count the elements that are not zero. A new tensor of int64.

    >>> import strided
    >>> strided.tensor([[0, 1], [2, 3]]).count_nonzero(1).tolist()
    [1, 2]
    """
    return self.not_equal(0).sum(_one(dim, axis, "dim and axis"))


def logsumexp(self: Tensor, dim: int | Sequence[int], keepdim: bool = False) -> Tensor:
    """Return log(sum(exp(x))) along axes, without overflow. A new tensor.

    >>> import strided
    >>> strided.tensor([0.0, -1000.0]).logsumexp(0).item()
    0.0
    """
    top = self.amax(dim, True)
    # An infinite maximum would turn the difference into NaN.
    top = where(top.isfinite(), top, 0)
    result = (self - top).exp_().sum(dim, True).log_().add_(top)
    return result if keepdim else result.squeeze(dim)


def norm(self: Tensor, p: float = 2, dim: Dims = None, keepdim: bool = False) -> Tensor:
    """Return the p-norm of elements along axes (2 by default; inf is the largest). A new tensor.

    >>> import strided
    >>> strided.tensor([3.0, 4.0]).norm().item()
    5.0
    """
    size = self.absolute()
    if p == float("inf"):
        return size.amax(dim, keepdim)
    if p == 2:
        return size.square().sum(dim, keepdim).sqrt()
    return size.pow(p).sum(dim, keepdim).pow(1.0 / p)


METHODS: dict[str, Any] = {
    "sum": sum,
    "prod": prod,
    "any": any,
    "all": all,
    "amin": amin,
    "amax": amax,
    "min": min,
    "max": max,
    "argmax": argmax,
    "argmin": argmin,
    "mean": mean,
    "var": var,
    "std": std,
    "cumsum": cumsum,
    "cumprod": cumprod,
    "count_nonzero": count_nonzero,
    "logsumexp": logsumexp,
    "norm": norm,
}
