"""Cross-entropy and negative log-likelihood loss, gradient and modules."""

from __future__ import annotations

from strided import _native
from strided._native import Tensor, grad_mode
from strided.errors import IndexOutOfBounds, InvalidArgument, ShapeMismatch, ViewNotPossible
from strided.nn.activation import log_softmax, softmax
from strided.nn.loss import WeightedLoss, expect_reduction
from strided.ops.creation import arange
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.gradients import Backward, Call, Gradients

_REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


@operation(namespace="nn")
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Return the cross-entropy of logits (n, classes, ...) and targets. A new tensor.

    It is ``-log_softmax(input)`` at the target classes.

    Targets are class indices (n, ...), or probabilities of the shape of the input. Targets
    ``ignore_index`` do not count; ``weight`` has a factor per class.

    >>> import strided
    >>> scores = strided.zeros(3, 4)
    >>> loss = strided.nn.cross_entropy(scores, strided.tensor([0, 1, 3]))
    >>> loss.exp().round().item()
    4.0
    """
    expect_reduction(reduction)
    if not 0 <= label_smoothing <= 1:
        raise InvalidArgument(
            argument="label_smoothing",
            got=str(label_smoothing),
            requirement="must lie between 0 and 1",
        )
    axis = 0 if input.ndim == 1 else 1
    if target.dtype.kind == "f":
        return _of_probabilities(input, target, weight, reduction, label_smoothing, axis)
    _expect_targets("cross_entropy", input, target)
    if weight is None:
        rows = _rows(input)
        if rows is not None:
            loss, _ = class_loss(
                rows, target.flatten(), ignore_index, label_smoothing, _REDUCTIONS[reduction]
            )
            return loss.view(target.shape) if reduction == "none" else loss
    return _of_classes(input, target, weight, ignore_index, reduction, label_smoothing, axis)


@operation(namespace="nn")
def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    """Return the negative log-likelihood of classes (n, classes, ...). A new tensor.

    >>> import strided
    >>> strided.nn.nll_loss(strided.tensor([[-1.0, -2.0]]), strided.tensor([1])).item()
    2.0
    """
    expect_reduction(reduction)
    _expect_targets("nll_loss", input, target)
    axis = 0 if input.ndim == 1 else 1
    losses, weights = _picked(input, target, weight, ignore_index, axis)
    return _reduced(losses, weights, reduction)


def _class_loss_gradient(
    call: Call, x: Tensor, target: Tensor, ignored: int, smoothing: float, over: int
) -> Backward:
    saved = call.save(x, target, call.output[1])

    def backward(g: Tensor, *_unused: Tensor | None) -> Gradients:
        x, target, logs = saved()
        if not grad_mode():
            made = _native.cross_entropy_gradient(g, x, target, logs, ignored, smoothing, over)
            return made, None
        classes = x.shape[1]
        hit = target.unsqueeze(1) == arange(classes)
        counts = (target != ignored).to(x.dtype)
        factor = g * counts
        if over == _REDUCTIONS["mean"]:
            factor = factor / counts.sum()
        wanted = hit.to(x.dtype) * (1 - smoothing) + smoothing / classes
        return (softmax(x) - wanted) * factor.unsqueeze(1), None

    return backward


@operation(gradient=_class_loss_gradient, function=None, operands=2, namespace="nn")
def class_loss(
    x: Tensor, target: Tensor, ignored: int, smoothing: float, over: int
) -> tuple[Tensor, Tensor]:
    """Return the cross-entropy of rows of logits, and log(sum(exp(x))) per row."""
    return _native.cross_entropy(x, target, ignored, smoothing, over)


def _rows(input: Tensor) -> Tensor | None:
    """Return logits (n, classes, ...) as rows of classes: a view, or None where there is none."""
    if input.ndim < 2:
        return input.unsqueeze(0)
    try:
        return input.movedim(1, -1).view(-1, input.shape[1])
    except ViewNotPossible:
        return None


def _expect_targets(operation: str, input: Tensor, target: Tensor) -> None:
    expected = (*input.shape[:1], *input.shape[2:]) if input.ndim > 1 else ()
    if input.ndim == 0 or tuple(target.shape) != expected:
        raise ShapeMismatch(
            operation=operation,
            expected=expected,
            got=tuple(target.shape),
            hint="give one class for each row of scores, or probabilities of their shape",
        )


def _picked(
    logs: Tensor, target: Tensor, weight: Tensor | None, ignored: int, axis: int
) -> tuple[Tensor, Tensor]:
    """Return the losses and their weights, which are 0 where a target is ignored."""
    counts = target != ignored
    classes = where(counts, target, 0)
    outside = (classes < 0) | (classes >= logs.shape[axis])
    if outside.any().item():
        found = where(outside, classes, 0)
        worst = found.amin().item() if found.amin().item() < 0 else found.amax().item()
        raise IndexOutOfBounds(index=worst, length=logs.shape[axis], axis=axis)
    weights = counts.to(logs.dtype) if weight is None else weight.take(classes) * counts
    picked = logs.gather(axis, classes.unsqueeze(axis).to(_native.int64)).squeeze(axis)
    return where(counts, -picked * weights, 0.0), weights


def _reduced(losses: Tensor, weights: Tensor, reduction: str) -> Tensor:
    if reduction == "none":
        return losses
    return losses.sum() if reduction == "sum" else losses.sum() / weights.sum()


def _along(weight: Tensor, x: Tensor, axis: int) -> Tensor:
    return weight.unflatten(0, (-1, *(1,) * (x.ndim - 1 - axis)))


def _of_classes(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None,
    ignored: int,
    reduction: str,
    smoothing: float,
    axis: int,
) -> Tensor:
    logs = log_softmax(input, axis)
    losses, weights = _picked(logs, target, weight, ignored, axis)
    plain = _reduced(losses, weights, reduction)
    if smoothing == 0:
        return plain
    weighted = logs if weight is None else logs * _along(weight, logs, axis)
    uniform = where(target != ignored, -weighted.sum(axis), 0.0)
    even = _reduced(uniform, weights, reduction)
    return plain * (1 - smoothing) + even * (smoothing / input.shape[axis])


def _of_probabilities(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None,
    reduction: str,
    smoothing: float,
    axis: int,
) -> Tensor:
    if target.shape != input.shape:
        raise ShapeMismatch(
            operation="cross_entropy",
            expected=tuple(input.shape),
            got=tuple(target.shape),
            hint="probabilities have the shape of the scores; classes are integers",
        )
    if smoothing > 0:
        target = target * (1 - smoothing) + smoothing / input.shape[axis]
    logs = log_softmax(input, axis) * target
    logs = logs if weight is None else logs * _along(weight, logs, axis)
    losses = -logs.sum(axis)
    if reduction == "none":
        return losses
    count = max(1, losses.numel())
    return losses.sum() if reduction == "sum" else losses.sum() / count


class CrossEntropyLoss(WeightedLoss):
    """Cross-entropy of logits and classes (or their probabilities).

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
        return cross_entropy(
            input,
            target,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )


class NLLLoss(WeightedLoss):
    """Negative log-likelihood of classes.

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
        return nll_loss(
            input,
            target,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
        )
