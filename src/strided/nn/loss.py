"""Loss functions of predictions and targets, and their modules."""

from __future__ import annotations

from strided._native import Tensor
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn.module import Module
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.fused import fuse
from strided.ops.gradients import Backward, Call, Gradients


def expect_reduction(reduction: str) -> None:
    """Raise InvalidArgument for a reduction that losses do not have."""
    if reduction not in ("mean", "sum", "none"):
        raise InvalidArgument(
            argument="reduction", got=repr(reduction), requirement="must be 'mean', 'sum' or 'none'"
        )


def reduced(loss: Tensor, reduction: str) -> Tensor:
    """Return the losses, their mean or their sum."""
    expect_reduction(reduction)
    if reduction == "none":
        return loss
    return loss.mean() if reduction == "mean" else loss.sum()


def _weighted(loss: Tensor, weight: Tensor | None, reduction: str) -> Tensor:
    if weight is None:
        return reduced(loss, reduction)
    expect_reduction(reduction)
    expect_same("weight of a loss", loss, weight)
    loss = loss * weight
    if reduction == "none":
        return loss
    return loss.sum() / weight.sum() if reduction == "mean" else loss.sum()


def _difference(operation: str, x: Tensor, target: Tensor) -> Tensor:
    """Return x - target; shapes must be equal, as a broadcast hides a mistake here."""
    expect_same(operation, x, target)
    return x - target


def expect_same(operation: str, x: Tensor, target: Tensor) -> None:
    """Raise ShapeMismatch unless a target has the shape of the input."""
    if x.shape != target.shape:
        raise ShapeMismatch(
            operation=operation,
            expected=tuple(x.shape),
            got=tuple(target.shape),
            hint="give a target of the shape of the input: use .expand_as(input) to broadcast",
        )


@operation(namespace="nn")
def mse_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", weight: Tensor | None = None
) -> Tensor:
    """Return the mean squared error. A new tensor.

    A mean with ``weight`` is that of the weighted errors, by the sum of the weights.

    >>> import strided
    >>> strided.nn.mse_loss(strided.tensor([1.0, 3.0]), strided.tensor([1.0, 1.0])).item()
    2.0
    """
    return _weighted(_difference("mse_loss", input, target).square(), weight, reduction)


@operation(namespace="nn")
def l1_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", weight: Tensor | None = None
) -> Tensor:
    """Return the mean absolute error. A new tensor.

    A mean with ``weight`` is that of the weighted errors, by the sum of the weights.

    >>> import strided
    >>> strided.nn.l1_loss(strided.tensor([1.0, 3.0]), strided.tensor([1.0, 1.0])).item()
    1.0
    """
    return _weighted(_difference("l1_loss", input, target).abs(), weight, reduction)


@operation(namespace="nn")
def smooth_l1_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", beta: float = 1.0
) -> Tensor:
    """Return the smooth L1 loss: the absolute error, quadratic below ``beta``. A new tensor.

    >>> import strided
    >>> strided.nn.smooth_l1_loss(strided.tensor([0.5, 3.0]), strided.zeros(2), "none").tolist()
    [0.125, 2.5]
    """
    if beta < 0:
        raise InvalidArgument(argument="beta", got=str(beta), requirement="must not be negative")
    size = _difference("smooth_l1_loss", input, target).abs()
    if beta > 0:
        size = where(size < beta, size.square() * (0.5 / beta), size - 0.5 * beta)
    return reduced(size, reduction)


@operation(namespace="nn")
def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """Return the Huber loss: half the squared error, linear beyond ``delta``. A new tensor.

    >>> import strided
    >>> strided.nn.huber_loss(strided.tensor([0.5, 3.0]), strided.zeros(2), "none").tolist()
    [0.125, 2.5]
    """
    if delta <= 0:
        raise InvalidArgument(argument="delta", got=str(delta), requirement="must be above zero")
    size = _difference("huber_loss", input, target).abs()
    loss = where(size < delta, size.square() * 0.5, (size - 0.5 * delta) * delta)
    return _weighted(loss, weight, reduction)


@fuse
def _bernoulli_formula(p: Tensor, target: Tensor) -> Tensor:
    return (target - 1.0) * (-p).log1p().maximum(-100.0) - target * p.log().maximum(-100.0)


def _bernoulli_loss_gradient(call: Call, input: Tensor, target: Tensor) -> Backward:
    """Gradient that stays finite where a probability is 0 or 1."""
    saved = call.save(input, target)

    def backward(g: Tensor) -> Gradients:
        p, t = saved()
        to_input = to_target = None
        if call.needs(0):
            to_input = g * (p - t) / (p * (1.0 - p)).clamp(1e-12)
        if call.needs(1):
            to_target = g * ((-p).log1p().clamp(-100.0) - p.log().clamp(-100.0))
        return to_input, to_target

    return backward


@operation(
    gradient=_bernoulli_loss_gradient,
    name="bernoulli_loss",
    function=None,
    operands=2,
    namespace="nn",
)
def _bernoulli_loss(input: Tensor, target: Tensor) -> Tensor:
    made: Tensor = _bernoulli_formula(input, target)
    return made


@operation(namespace="nn")
def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """Return the binary cross-entropy; logarithms are clamped to -100. A new tensor.

    >>> import strided
    >>> p, target = strided.tensor([0.5, 1.0]), strided.tensor([1.0, 0.0])
    >>> strided.nn.binary_cross_entropy(p, target, reduction="none").tolist()
    [0.6931471824645996, 100.0]
    """
    expect_same("binary_cross_entropy", input, target)
    loss = _bernoulli_loss(input, target)
    if weight is not None:
        loss = loss * weight
    return reduced(loss, reduction)


@operation(namespace="nn")
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Return the binary cross-entropy of logits, exact for large ones. A new tensor.

    >>> import strided
    >>> x = strided.tensor([0.0, -1000.0])
    >>> strided.nn.binary_cross_entropy_with_logits(x, strided.ones(2), reduction="none").tolist()
    [0.6931471824645996, 1000.0]
    """
    expect_same("binary_cross_entropy_with_logits", input, target)
    # softplus(-x) = -log(sigmoid(x)), in a form whose derivative is right at 0 as well.
    penalty = (-input).logaddexp(0.0)
    if pos_weight is not None:
        penalty = penalty * (1.0 + (pos_weight - 1.0) * target)
    loss = (1.0 - target) * input + penalty
    if weight is not None:
        loss = loss * weight
    return reduced(loss, reduction)


@operation(namespace="nn")
def kl_div(
    input: Tensor, target: Tensor, reduction: str = "mean", log_target: bool = False
) -> Tensor:
    """Return the Kullback-Leibler divergence from log-probabilities. A new tensor.

    ``reduction="batchmean"`` divides the sum by the length of the first axis, as the mathematical
    definition does.

    >>> import strided
    >>> half = strided.full((1, 2), 0.5)
    >>> strided.nn.kl_div(half.log(), half, "batchmean").item()
    0.0
    """
    loss = target.exp() * (target - input) if log_target else target.xlogy(target) - target * input
    if reduction == "batchmean":
        return loss.sum() / max(loss.shape[0] if loss.ndim else 1, 1)
    return reduced(loss, reduction)


class Loss(Module):
    """Base of losses with a reduction."""

    _shown: tuple[str, ...] = ("reduction",)
    reduction: str

    def __init__(self, reduction: str = "mean") -> None:
        self.reduction = reduction


class MSELoss(Loss):
    """Mean squared error.

    >>> import strided
    >>> strided.nn.MSELoss()(strided.ones(2), strided.zeros(2)).item()
    1.0
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return mse_loss(input, target, self.reduction)


class L1Loss(Loss):
    """Mean absolute error.

    >>> import strided
    >>> strided.nn.L1Loss()(strided.ones(2), strided.zeros(2)).item()
    1.0
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return l1_loss(input, target, self.reduction)


class SmoothL1Loss(Loss):
    """Smooth L1 loss: the absolute error, quadratic below ``beta``.

    >>> import strided
    >>> strided.nn.SmoothL1Loss()(strided.ones(2), strided.zeros(2)).item()
    0.5
    """

    _shown = ("reduction", "beta")

    def __init__(self, reduction: str = "mean", beta: float = 1.0) -> None:
        super().__init__(reduction)
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return smooth_l1_loss(input, target, self.reduction, self.beta)


class HuberLoss(Loss):
    """Huber loss: half the squared error, linear beyond ``delta``.

    >>> import strided
    >>> strided.nn.HuberLoss()(strided.ones(2), strided.zeros(2)).item()
    0.5
    """

    _shown = ("reduction", "delta")

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction)
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return huber_loss(input, target, self.reduction, self.delta)


class KLDivLoss(Loss):
    """Kullback-Leibler divergence of a distribution from log-probabilities.

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
        return kl_div(input, target, self.reduction, self.log_target)


class WeightedLoss(Loss):
    """Base of losses with a weight per class or element."""

    weight: Tensor | None

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.register_buffer("weight", weight)


class BCELoss(WeightedLoss):
    """Binary cross-entropy of probabilities.

    >>> import strided
    >>> round(strided.nn.BCELoss()(strided.full((2,), 0.5), strided.ones(2)).item(), 4)
    0.6931
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return binary_cross_entropy(input, target, self.weight, self.reduction)


class BCEWithLogitsLoss(WeightedLoss):
    """Binary cross-entropy of logits.

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
        return binary_cross_entropy_with_logits(
            input, target, self.weight, self.reduction, self.pos_weight
        )
