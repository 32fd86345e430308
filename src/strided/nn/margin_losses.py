"""Margin and hinge losses, embedding losses, and their modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn.distances import pairwise_distance
from strided.nn.gates import logsigmoid
from strided.nn.loss import Loss, WeightedLoss, expect_same, reduced
from strided.ops.creation import arange, zeros_like
from strided.ops.define import operation
from strided.ops.elementwise import where


@operation(namespace="nn")
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """Return the margin ranking loss, ``max(0, margin - target * (input1 - input2))``.

    A new tensor. A target of 1 wants the first input to be larger, one of -1 the second.

    >>> import strided
    >>> a, b = strided.tensor([1.0, 1.0]), strided.tensor([3.0, 0.0])
    >>> strided.nn.margin_ranking_loss(a, b, strided.ones(2), reduction="none").tolist()
    [2.0, 0.0]
    """
    return reduced((margin - target * (input1 - input2)).clamp(0), reduction)


@operation(namespace="nn")
def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: float = 1.0, reduction: str = "mean"
) -> Tensor:
    """Return the hinge embedding loss of distances. A new tensor.

    It is the distance where the target is 1, and what it lacks of the margin where it is -1.

    >>> import strided
    >>> x, target = strided.tensor([0.25, 0.25]), strided.tensor([1, -1])
    >>> strided.nn.hinge_embedding_loss(x, target, reduction="none").tolist()
    [0.25, 0.75]
    """
    near = where(target == -1, 0.0, input)
    far = where(target == 1, 0.0, (margin - input).clamp(0))
    return reduced(near + far, reduction)


@operation(namespace="nn")
def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Return the soft margin loss, ``log(1 + exp(-target * input))``. A new tensor.

    >>> import strided
    >>> x, target = strided.tensor([0.0, 1000.0]), strided.tensor([1.0, -1.0])
    >>> strided.nn.soft_margin_loss(x, target, reduction="none").tolist()
    [0.6931471824645996, 1000.0]
    """
    expect_same("soft_margin_loss", input, target)
    return reduced((-target * input).softplus(), reduction)


@operation(namespace="nn")
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """Return the cosine embedding loss of rows: 1 - cos for a target of 1, cos - margin for -1.

    A new tensor.

    >>> import strided
    >>> a, b = strided.tensor([[1.0, 0.0]]), strided.tensor([[0.0, 1.0]])
    >>> round(strided.nn.cosine_embedding_loss(a, b, strided.tensor([1])).item(), 4)
    1.0
    """
    if target.ndim + 1 != max(input1.ndim, input2.ndim):
        raise ShapeMismatch(
            operation="cosine_embedding_loss",
            expected=tuple(input1.shape[:-1]),
            got=tuple(target.shape),
            hint="give one target per row: 1 or -1",
        )
    small = 1e-12
    along = (input1 * input2).sum(-1)
    lengths = (input1.square().sum(-1) + small) * (input2.square().sum(-1) + small)
    cosine = along / lengths.sqrt()
    near = where(target == 1, 1.0 - cosine, 0.0)
    far = where(target == -1, (cosine - margin).clamp(0), 0.0)
    return reduced(near + far, reduction)


@operation(namespace="nn")
def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Return the multi-class hinge loss of scores (n, classes) and classes (n,). A new tensor.

    >>> import strided
    >>> scores = strided.tensor([[0.0, 2.0, 1.5]])
    >>> strided.nn.multi_margin_loss(scores, strided.tensor([1])).item()
    0.1666666716337204
    """
    if p not in (1, 2):
        raise InvalidArgument(argument="p", got=str(p), requirement="must be 1 or 2")
    scores = input.unsqueeze(0) if input.ndim == 1 else input
    classes = target.reshape(-1, 1).to(_native.int64)
    lacking = (margin - scores.gather(1, classes) + scores).clamp(0)
    lacking = lacking if p == 1 else lacking.square()
    if weight is not None:
        lacking = lacking * weight.index_select(0, classes.flatten()).unsqueeze(1)
    others = arange(scores.shape[1]) != classes
    losses = where(others, lacking, 0.0).sum(1) / scores.shape[1]
    return reduced(losses.squeeze(0) if input.ndim == 1 else losses, reduction)


@operation(namespace="nn")
def multilabel_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Return the multi-label hinge loss of scores (n, classes). A new tensor.

    A row of targets lists classes; those from the first -1 on do not count.

    >>> import strided
    >>> scores = strided.tensor([[0.1, 0.2, 0.4, 0.8]])
    >>> target = strided.tensor([[3, 0, -1, 1]])
    >>> round(strided.nn.multilabel_margin_loss(scores, target).item(), 4)
    0.85
    """
    expect_same("multilabel_margin_loss", input, target)
    single = input.ndim == 1
    scores, classes = (x.unsqueeze(0) if single else x for x in (input, target))
    listed = (classes < 0).to(_native.int64).cumsum(1) == 0
    places = where(listed, classes, 0).to(_native.int64)
    wanted = zeros_like(places).scatter_add_(1, places, listed.to(_native.int64)) > 0
    # (n, listed, classes): what each other class lacks of a margin of 1 below a listed one.
    lacking = (1.0 - scores.gather(1, places).unsqueeze(2) + scores.unsqueeze(1)).clamp(0)
    counts = listed.unsqueeze(2) & wanted.logical_not().unsqueeze(1)
    losses = where(counts, lacking, 0.0).sum((1, 2)) / scores.shape[1]
    return reduced(losses.squeeze(0) if single else losses, reduction)


@operation(namespace="nn")
def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """Return the binary cross-entropy of logits (n, classes), averaged over classes. A new tensor.

    >>> import strided
    >>> scores, target = strided.zeros(1, 2), strided.tensor([[1.0, 0.0]])
    >>> round(strided.nn.multilabel_soft_margin_loss(scores, target).item(), 4)
    0.6931
    """
    losses = -(target * logsigmoid(input) + (1.0 - target) * logsigmoid(-input))
    if weight is not None:
        losses = losses * weight
    return reduced(losses.mean(-1), reduction)


@operation(namespace="nn")
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """Return the triplet loss. A new tensor.

    It is by how much the positive is not nearer than the negative, plus a margin.
    With ``swap`` the negative's distance is the smaller of those to anchor and positive.

    >>> import strided
    >>> a, b, c = (strided.full((1, 1), x) for x in (0.0, 1.0, 3.0))
    >>> round(strided.nn.triplet_margin_loss(a, b, c, margin=2.5).item(), 4)
    0.5
    """
    return triplet_margin_with_distance_loss(
        anchor,
        positive,
        negative,
        distance_function=lambda x, y: pairwise_distance(x, y, p, eps),
        margin=margin,
        swap=swap,
        reduction=reduction,
    )


def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """Return the triplet loss by a distance of one's own. A new tensor.

    >>> import strided
    >>> a, b, c = (strided.full((1, 1), x) for x in (0.0, 1.0, 3.0))
    >>> apart = lambda x, y: (x - y).abs().sum(-1)
    >>> loss = strided.nn.triplet_margin_with_distance_loss
    >>> loss(a, b, c, distance_function=apart, margin=2.5).item()
    0.5
    """
    if margin <= 0:
        raise InvalidArgument(argument="margin", got=str(margin), requirement="must be above zero")
    distance: Callable[[Tensor, Tensor], Tensor] = distance_function or pairwise_distance
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = far.minimum(distance(positive, negative))
    return reduced((near - far + margin).clamp(0), reduction)


class MarginRankingLoss(Loss):
    """Margin ranking loss of two inputs.

    >>> import strided
    >>> strided.nn.MarginRankingLoss()(strided.ones(2), strided.zeros(2), -strided.ones(2)).item()
    1.0
    """

    _shown = ("reduction", "margin")

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = margin

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return margin_ranking_loss(input1, input2, target, self.margin, self.reduction)


class HingeEmbeddingLoss(Loss):
    """Hinge embedding loss of distances.

    >>> import strided
    >>> strided.nn.HingeEmbeddingLoss()(strided.ones(2), strided.ones(2)).item()
    1.0
    """

    _shown = ("reduction", "margin")

    def __init__(self, margin: float = 1.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return hinge_embedding_loss(input, target, self.margin, self.reduction)


class SoftMarginLoss(Loss):
    """Soft margin loss.

    >>> import strided
    >>> round(strided.nn.SoftMarginLoss()(strided.zeros(2), strided.ones(2)).item(), 4)
    0.6931
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return soft_margin_loss(input, target, self.reduction)


class CosineEmbeddingLoss(Loss):
    """Cosine embedding loss of rows.

    >>> import strided
    >>> x = strided.eye(2)
    >>> strided.nn.CosineEmbeddingLoss()(x, x, strided.ones(2)).round().item()
    0.0
    """

    _shown = ("reduction", "margin")

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = margin

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return cosine_embedding_loss(input1, input2, target, self.margin, self.reduction)


class MultiMarginLoss(WeightedLoss):
    """Multi-class hinge loss of scores and classes.

    >>> import strided
    >>> strided.nn.MultiMarginLoss()(strided.zeros(1, 4), strided.tensor([1])).item()
    0.75
    """

    _shown = ("reduction", "p", "margin")

    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        weight: Tensor | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, reduction)
        self.p, self.margin = p, margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return multi_margin_loss(input, target, self.p, self.margin, self.weight, self.reduction)


class MultiLabelMarginLoss(Loss):
    """Multi-label hinge loss of scores and lists of classes.

    >>> import strided
    >>> strided.nn.MultiLabelMarginLoss()(strided.zeros(1, 2), strided.tensor([[1, -1]])).item()
    0.5
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return multilabel_margin_loss(input, target, self.reduction)


class MultiLabelSoftMarginLoss(WeightedLoss):
    """Binary cross-entropy of logits, averaged over classes.

    >>> import strided
    >>> scores, target = strided.zeros(1, 2), strided.ones(1, 2)
    >>> round(strided.nn.MultiLabelSoftMarginLoss()(scores, target).item(), 4)
    0.6931
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return multilabel_soft_margin_loss(input, target, self.weight, self.reduction)


class TripletMarginLoss(Loss):
    """Triplet loss of an anchor, a positive and a negative.

    >>> import strided
    >>> a, b, c = (strided.full((1, 1), x) for x in (0.0, 1.0, 3.0))
    >>> round(strided.nn.TripletMarginLoss(margin=2.5)(a, b, c).item(), 4)
    0.5
    """

    _shown = ("reduction", "margin", "p", "swap")

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        eps: float = 1e-6,
        swap: bool = False,
        reduction: str = "mean",
    ) -> None:
        super().__init__(reduction)
        self.margin, self.p, self.eps, self.swap = margin, p, eps, swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        return triplet_margin_loss(
            anchor,
            positive,
            negative,
            self.margin,
            self.p,
            self.eps,
            self.swap,
            self.reduction,
        )


class TripletMarginWithDistanceLoss(Loss):
    """Triplet loss by a distance of one's own.

    >>> import strided
    >>> a, b, c = (strided.full((1, 1), x) for x in (0.0, 1.0, 3.0))
    >>> round(strided.nn.TripletMarginWithDistanceLoss(margin=2.5)(a, b, c).item(), 4)
    0.5
    """

    _shown = ("reduction", "margin", "swap")

    def __init__(
        self,
        *,
        distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
    ) -> None:
        super().__init__(reduction)
        self.distance_function: Any = distance_function
        self.margin, self.swap = margin, swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        return triplet_margin_with_distance_loss(
            anchor,
            positive,
            negative,
            distance_function=self.distance_function,
            margin=self.margin,
            swap=self.swap,
            reduction=self.reduction,
        )
