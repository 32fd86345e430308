"""Histograms of one and more dimensions, and their edges. NumPy counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided._native import Tensor
from strided.numpy_names.calls import numpys, tensors
from strided.ops.arguments import as_operand

Range = tuple[float, float] | None


def _optional(value: Any) -> Any:
    return None if value is None else as_operand(value)


def histogram_bin_edges(a: Any, bins: Any = 10, range: Range = None, weights: Any = None) -> Tensor:
    """Return the edges of the bins that ``histogram`` counts in. A new tensor.

    ``bins`` may also be the name of a rule, such as "auto".

    >>> import strided
    >>> strided.histogram_bin_edges([0.0, 4.0], bins=2).tolist()
    [0.0, 2.0, 4.0]
    """
    made: Tensor = numpys("histogram_bin_edges", as_operand(a), bins, range, _optional(weights))
    return made


def histogram2d(
    x: Any,
    y: Any,
    bins: Any = 10,
    range: Sequence[Range] | None = None,
    density: bool | None = None,
    weights: Any = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return how many pairs lie in each cell, and the edges along both axes. New tensors.

    >>> import strided
    >>> counts, _, _ = strided.histogram2d([0.0, 1.0], [0.0, 1.0], bins=2)
    >>> counts.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    pair = (as_operand(x), as_operand(y))
    found: Any = numpys("histogram2d", *pair, bins, range, density, _optional(weights))
    return found[0], found[1], found[2]


def histogramdd(
    sample: Any,
    bins: Any = 10,
    range: Sequence[Range] | None = None,
    density: bool | None = None,
    weights: Any = None,
) -> tuple[Tensor, tuple[Tensor, ...]]:
    """Return how many rows lie in each cell of a grid, and the edges of each axis. New tensors.

    >>> import strided
    >>> counts, edges = strided.histogramdd(strided.tensor([[0.0, 0.0], [1.0, 1.0]]), bins=2)
    >>> counts.tolist(), len(edges)
    ([[1.0, 0.0], [0.0, 1.0]], 2)
    """
    points = sample if isinstance(sample, Tensor) else tensors(sample)
    if not isinstance(sample, (Tensor, list, tuple)):
        points = as_operand(sample)
    counts, edges = numpys("histogramdd", points, bins, range, density, _optional(weights))
    return counts, tuple(edges)


def digitize(x: Any, bins: Any, right: bool = False) -> Tensor:
    """Return which bin each element lies in: how many edges lie before it. A new tensor.

    Edges ascend or descend; with ``right`` they belong to the bin before them.

    >>> import strided
    >>> strided.digitize([0.5, 1.0, 9.0], [1.0, 2.0]).tolist()
    [0, 1, 2]
    """
    made: Tensor = numpys("digitize", as_operand(x), as_operand(bins), right)
    return as_operand(made)
