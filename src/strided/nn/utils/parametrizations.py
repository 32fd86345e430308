"""Weight norm, spectral norm and orthogonal weights, as parametrizations."""

from __future__ import annotations

from typing import Any

from strided._native import Tensor
from strided.autograd.grad_mode import no_grad
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn.module import Module
from strided.nn.utils.parametrize import register_parametrization
from strided.ops.random_tensors import randn

__all__ = ["spectral_norm", "weight_norm"]


def norm_except(v: Tensor, dim: int | None) -> Tensor:
    """Return the norms over all axes but one, with axes of length 1; over all for None."""
    if dim is None or dim == -1:
        return v.square().sum().sqrt()
    axes = tuple(i for i in range(v.ndim) if i != dim % v.ndim)
    return v.square().sum(axes, keepdim=True).sqrt() if axes else v.abs()


class _WeightNorm(Module):
    """A weight as a length times a direction (Salimans and Kingma 2016, arXiv:1602.07868)."""

    def __init__(self, dim: int | None) -> None:
        self.dim = dim

    def forward(self, length: Tensor, direction: Tensor) -> Tensor:
        return direction * (length / norm_except(direction, self.dim))

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        return norm_except(weight, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Compute a weight as a length times a direction from now on; returns the module itself.

    >>> import strided
    >>> layer = strided.nn.utils.parametrizations.weight_norm(strided.nn.Linear(2, 3))
    >>> [tuple(p.shape) for p in layer.parametrizations.parameters()]
    [(3, 1), (3, 2)]
    """
    return register_parametrization(module, name, _WeightNorm(dim), unsafe=True)


class SpectralNorm(Module):
    """A weight divided by its largest singular value (Miyato et al. 2018, arXiv:1802.05957)."""

    u: Tensor
    v: Tensor

    def __init__(self, weight: Tensor, n_power_iterations: int, dim: int, eps: float) -> None:
        if n_power_iterations < 1:
            raise InvalidArgument(
                argument="n_power_iterations",
                got=str(n_power_iterations),
                requirement="must be at least 1",
            )
        self.n_power_iterations, self.dim, self.eps = n_power_iterations, dim, eps
        matrix = self._matrix(weight.detach())
        rows, columns = matrix.shape
        self.register_buffer("u", _unit(randn(rows, dtype=matrix.dtype), eps))
        self.register_buffer("v", _unit(randn(columns, dtype=matrix.dtype), eps))
        self._improve(matrix, 15)

    def _matrix(self, weight: Tensor) -> Tensor:
        return weight.movedim(self.dim, 0).flatten(1) if weight.ndim > 1 else weight.unsqueeze(1)

    def _improve(self, matrix: Tensor, count: int) -> None:
        with no_grad():
            for _ in range(count):
                self.u.copy_(_unit(matrix @ self.v, self.eps))
                self.v.copy_(_unit(matrix.mT @ self.u, self.eps))

    def forward(self, weight: Tensor) -> Tensor:
        matrix = self._matrix(weight)
        if self.training:
            self._improve(matrix.detach(), self.n_power_iterations)
        largest = self.u.clone().dot(matrix @ self.v.clone())
        return weight / largest

    def right_inverse(self, value: Tensor) -> Tensor:
        return value


def _unit(x: Tensor, eps: float) -> Tensor:
    return x / x.norm().clamp(eps)


def spectral_norm(
    module: Module,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Module:
    """Divide a weight by its largest singular value from now on; returns the module itself.

    The value is followed by power iterations, one for each call in training.

    >>> import strided
    >>> layer = strided.nn.utils.parametrizations.spectral_norm(
    ...     strided.nn.Linear(4, 3), n_power_iterations=100
    ... )
    >>> round(strided.linalg.svdvals(layer.weight.detach())[0].item(), 2)
    1.0
    """
    weight: Any = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise InvalidArgument(
            argument="name",
            got=repr(name),
            requirement=f"must name a weight of {type(module).__name__}",
        )
    if dim is None:
        dim = 1 if type(module).__name__.startswith("ConvTranspose") else 0
    if not -weight.ndim <= dim < weight.ndim:
        raise ShapeMismatch(
            operation="spectral_norm",
            expected=(-1,) * (dim + 1),
            got=tuple(weight.shape),
            hint="dim is an axis of the weight",
        )
    made = SpectralNorm(weight, n_power_iterations, dim, eps)
    return register_parametrization(module, name, made)
