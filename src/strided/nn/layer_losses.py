"""Losses as modules, with their settings kept."""

from __future__ import annotations

from strided._native import Tensor
from strided.nn import functional as F
from strided.nn.module import Module


class _Loss(Module):
    _shown: tuple[str, ...] = ("reduction",)

    def __init__(self, reduction: str = "mean") -> None:
        self.reduction = reduction


class MSELoss(_Loss):
    """The squared difference.

    >>> import strided
    >>> strided.nn.MSELoss()(strided.ones(2), strided.zeros(2)).item()
    1.0
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.mse_loss(input, target, self.reduction)


class L1Loss(_Loss):
    """The absolute difference.

    >>> import strided
    >>> strided.nn.L1Loss()(strided.ones(2), strided.zeros(2)).item()
    1.0
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.l1_loss(input, target, self.reduction)


class SmoothL1Loss(_Loss):
    """The absolute difference, rounded to a parabola below ``beta``.

    >>> import strided
    >>> strided.nn.SmoothL1Loss()(strided.ones(2), strided.zeros(2)).item()
    0.5
    """

    _shown = ("reduction", "beta")

    def __init__(self, reduction: str = "mean", beta: float = 1.0) -> None:
        super().__init__(reduction)
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.smooth_l1_loss(input, target, self.reduction, self.beta)


class HuberLoss(_Loss):
    """Half the squared difference, a straight line beyond ``delta``.

    >>> import strided
    >>> strided.nn.HuberLoss()(strided.ones(2), strided.zeros(2)).item()
    0.5
    """

    _shown = ("reduction", "delta")

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction)
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.huber_loss(input, target, self.reduction, self.delta)


class KLDivLoss(_Loss):
    """The divergence of a distribution from that of log-probabilities.

    >>> import strided
    >>> half = strided.full((1, 2), 0.5)
    >>> strided.nn.KLDivLoss("batchmean")(half.log(), half).item()
    0.0
    """

    _shown = ("reduction", "log_target")

    def __init__(self, reduction: str = "mean", log_target: bool = False) -> None:
        super().__init__(reduction)
        self.log_target = log_target

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.kl_div(input, target, self.reduction, self.log_target)


class _WeightedLoss(_Loss):
    weight: Tensor | None

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.register_buffer("weight", weight)


class BCELoss(_WeightedLoss):
    """The cross-entropy of probabilities.

    >>> import strided
    >>> round(strided.nn.BCELoss()(strided.full((2,), 0.5), strided.ones(2)).item(), 4)
    0.6931
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy(input, target, self.weight, self.reduction)


class BCEWithLogitsLoss(_WeightedLoss):
    """The cross-entropy of probabilities ``sigmoid(input)``.

    >>> import strided
    >>> round(strided.nn.BCEWithLogitsLoss()(strided.zeros(2), strided.ones(2)).item(), 4)
    0.6931
    """

    pos_weight: Tensor | None

    def __init__(
        self,
        weight: Tensor | None = None,
        reduction: str = "mean",
        pos_weight: Tensor | None = None,
    ) -> None:
        super().__init__(weight, reduction)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, self.reduction, self.pos_weight
        )


class CrossEntropyLoss(_WeightedLoss):
    """The cross-entropy of classes (or their probabilities), from scores.

    >>> import strided
    >>> loss = strided.nn.CrossEntropyLoss()(strided.zeros(3, 4), strided.tensor([0, 1, 3]))
    >>> round(loss.item(), 4)
    1.3863
    """

    _shown = ("reduction", "ignore_index", "label_smoothing")

    def __init__(
        self,
        weight: Tensor | None = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(weight, reduction)
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.cross_entropy(
            input,
            target,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )


class NLLLoss(_WeightedLoss):
    """Minus the log-probability of classes.

    >>> import strided
    >>> scores = strided.full((2, 4), 0.25).log()
    >>> round(strided.nn.NLLLoss()(scores, strided.tensor([0, 3])).item(), 4)
    1.3863
    """

    _shown = ("reduction", "ignore_index")

    def __init__(
        self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean"
    ) -> None:
        super().__init__(weight, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.nll_loss(
            input,
            target,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
        )
