"""Adaptive softmax: an approximation for many classes of very different frequency."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn.activation import log_softmax
from strided.nn.containers import ModuleList, Sequential
from strided.nn.linear import Linear
from strided.nn.module import Module
from strided.ops.creation import zeros
from strided.ops.elementwise import where
from strided.ops.joining import cat


class ASMoutput(NamedTuple):
    """Log-probabilities of the targets, and their negative mean.

    >>> import strided
    >>> strided.nn.ASMoutput(strided.zeros(1), strided.zeros(())).loss.item()
    0.0
    """

    output: Tensor
    loss: Tensor


class AdaptiveLogSoftmaxWithLoss(Module):
    """Adaptive softmax (arXiv:1609.04309): frequent classes in the head, others in clusters.

    >>> import strided
    >>> layer = strided.nn.AdaptiveLogSoftmaxWithLoss(8, 10, cutoffs=[4, 7])
    >>> layer(strided.ones(3, 8), strided.tensor([0, 5, 9])).output.shape
    (3,)
    """

    _shown = ("in_features", "n_classes", "cutoffs")

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        given = list(cutoffs)
        if not given or given != sorted({*given}) or given[0] < 1 or given[-1] > n_classes - 1:
            raise InvalidArgument(
                argument="cutoffs",
                got=str(given),
                requirement=f"must rise from at least 1 to at most {n_classes - 1}",
            )
        self.in_features, self.n_classes = in_features, n_classes
        self.cutoffs, self.div_value, self.head_bias = [*given, n_classes], div_value, head_bias
        self.shortlist_size, self.n_clusters = given[0], len(given)
        self.head_size = self.shortlist_size + self.n_clusters
        made_as = {"device": device, "dtype": dtype}
        self.head = Linear(in_features, self.head_size, bias=head_bias, **made_as)
        self.tail = ModuleList()
        for i in range(self.n_clusters):
            inner = int(in_features // (div_value ** (i + 1)))
            size = self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(
                Sequential(
                    Linear(in_features, inner, bias=False, **made_as),
                    Linear(inner, size, bias=False, **made_as),
                )
            )

    def reset_parameters(self) -> None:
        """Initialize parameters in place.

        >>> import strided
        >>> strided.nn.AdaptiveLogSoftmaxWithLoss(8, 10, [4]).reset_parameters()
        """
        for module in self.modules():
            if isinstance(module, Linear):
                module.reset_parameters()

    def forward(self, input: Tensor, target: Tensor) -> ASMoutput:
        x = input.unsqueeze(0) if input.ndim == 1 else input
        classes = target.reshape(-1).to(_native.int64)
        if x.ndim != 2 or len(x) != len(classes):
            raise ShapeMismatch(
                operation="AdaptiveLogSoftmaxWithLoss",
                expected=(len(classes), self.in_features),
                got=tuple(input.shape),
                hint="give one row per target",
            )
        lowest, highest = classes.amin().item(), classes.amax().item()
        if lowest < 0 or highest >= self.n_classes:
            raise InvalidArgument(
                argument="target",
                got=f"classes {lowest} to {highest}",
                requirement=f"must lie in 0 to {self.n_classes - 1}",
            )
        head = log_softmax(self.head(x), 1)
        place = where(classes < self.shortlist_size, classes, 0)
        made = zeros(len(x), dtype=head.dtype)
        for i, (low, high) in enumerate(zip(self.cutoffs, self.cutoffs[1:], strict=False)):
            inside = (classes >= low) & (classes < high)
            place = where(inside, self.shortlist_size + i, place)
            rows = inside.nonzero().flatten()
            if len(rows):
                own = log_softmax(self.tail[i](x.index_select(0, rows)), 1)
                picked = own.gather(1, (classes.index_select(0, rows) - low).unsqueeze(1))
                made = made.index_add(0, rows, picked.squeeze(1))
        made = made + head.gather(1, place.unsqueeze(1)).squeeze(1)
        return ASMoutput(made.squeeze(0) if input.ndim == 1 else made, -made.mean())

    def log_prob(self, input: Tensor) -> Tensor:
        """Return the log-probabilities (n, classes) of all classes. A new tensor.

        >>> import strided
        >>> layer = strided.nn.AdaptiveLogSoftmaxWithLoss(8, 10, [4])
        >>> round(layer.log_prob(strided.ones(1, 8)).exp().sum().item(), 3)
        1.0
        """
        head = log_softmax(self.head(input), 1)
        parts = [head[:, : self.shortlist_size]]
        for i in range(self.n_clusters):
            own = log_softmax(self.tail[i](input), 1)
            parts.append(own + head[:, self.shortlist_size + i].unsqueeze(1))
        return cat(parts, axis=1)

    def predict(self, input: Tensor) -> Tensor:
        """Return the most probable class of each row. A new tensor.

        >>> import strided
        >>> layer = strided.nn.AdaptiveLogSoftmaxWithLoss(8, 10, [4])
        >>> layer.predict(strided.ones(2, 8)).shape
        (2,)
        """
        return self.log_prob(input).argmax(1)
