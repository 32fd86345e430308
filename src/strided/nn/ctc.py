"""Connectionist temporal classification loss (Graves et al. 2006), gradient and module.

A target with a blank around each of its labels is a row of states. Alpha is the logarithm of the
probability of all paths that end in a state at a time, beta of those that begin in one; each is a
pass over the times, for all samples and states at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from strided import _native
from strided._native import Tensor, grad_mode
from strided.errors import GradientNotPossible, InvalidArgument, ShapeMismatch
from strided.nn.loss import Loss, expect_reduction
from strided.ops.arrays import tensor
from strided.ops.creation import arange
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.gradients import Backward, Call, Gradients
from strided.ops.joining import stack

_LOW = -math.inf


def _logadd(a: Tensor, b: Tensor) -> Tensor:
    return a.logaddexp(b)


def _moved(x: Tensor, by: int) -> Tensor:
    """Return states moved by some places, with those that come in impossible."""
    if by > 0:
        made = _native.empty(x.shape, dtype=x.dtype).fill_(_LOW)
        if x.shape[1] > by:
            made[:, by:] = x[:, :-by]
        return made
    made = _native.empty(x.shape, dtype=x.dtype).fill_(_LOW)
    if x.shape[1] > -by:
        made[:, :by] = x[:, -by:]
    return made


def _pass(rows: Tensor, skips: Tensor, start: Tensor, step: int) -> list[Tensor]:
    """Return one pass over times, in their order: rows (T, n, states) of log-probabilities.

    ``start`` has, for each time and state, what begins there; ``step`` is 1 forward, -1 backward.
    """
    count = len(rows)
    order = range(count) if step > 0 else range(count - 1, -1, -1)
    made: list[Tensor] = [rows[0]] * count
    before: Tensor | None = None
    for t in order:
        arriving = start[t]
        if before is not None:
            two = _moved(before, 2 * step)
            two = where(skips, two, _LOW)
            arriving = _logadd(arriving, _logadd(_logadd(before, _moved(before, step)), two))
        before = arriving + rows[t]
        made[t] = before
    return made


def _labels(targets: Tensor, blank: int) -> tuple[Tensor, Tensor]:
    """Return states (n, 2 s + 1) and which of them may be reached past a blank."""
    n, length = targets.shape
    states = _native.empty((n, 2 * length + 1), dtype=_native.int64).fill_(blank)
    states[:, 1::2] = targets
    skips = _native.zeros(states.shape, dtype=_native.bool)
    if length > 1:
        skips[:, 3::2] = targets[:, 1:] != targets[:, :-1]
    return states, skips


def _path_losses_gradient(
    call: Call, x: Tensor, targets: Tensor, inputs: Tensor, lengths: Tensor, blank: int
) -> Backward:
    losses, alphas = call.output
    saved = call.save(x, targets, inputs, lengths, losses, alphas)

    def backward(g: Tensor, *_unused: Tensor | None) -> Gradients:
        if grad_mode():
            raise GradientNotPossible(
                operation="ctc_loss",
                reason="its gradient is not differentiable",
                hint="compute it without create_graph=True",
            )
        x, targets, inputs, lengths, losses, alphas = saved()
        states, skips = _labels(targets, blank)
        rows = _rows(x, states)
        # A state may be left past a blank where the one two places on may be reached so.
        leaving = _native.zeros(skips.shape, dtype=_native.bool)
        leaving[:, :-2] = skips[:, 2:]
        start = _ends(rows, inputs, lengths)
        betas = stack(_pass(rows, leaving, start, -1))
        paths = (alphas + betas - rows + losses.unsqueeze(1)).exp()
        paths = where(paths.isfinite(), paths, 0.0)
        every = states.unsqueeze(0).expand(*paths.shape)
        made = _native.zeros(x.shape, dtype=x.dtype).scatter_add_(2, every, paths)
        return (made * -g.unsqueeze(1), None, None, None)

    return backward


def _rows(x: Tensor, states: Tensor) -> Tensor:
    """Return the log-probabilities (T, n, states) of states."""
    return x.gather(2, states.unsqueeze(0).expand(len(x), *states.shape))


def _ends(rows: Tensor, inputs: Tensor, lengths: Tensor) -> Tensor:
    """Return 0 where a path may end, at the last time of each sample; elsewhere -inf."""
    times, _, states = rows.shape
    at = arange(times).reshape((times, 1, 1)) == (inputs - 1).reshape((1, -1, 1))
    place, last = arange(states), (2 * lengths).unsqueeze(1)
    ending = (place == last) | (place == last - 1)
    return where(at & ending, 0.0, tensor(_LOW, dtype=rows.dtype))


@operation(gradient=_path_losses_gradient, function=None, operands=4, namespace="nn")
def path_losses(
    x: Tensor, targets: Tensor, inputs: Tensor, lengths: Tensor, blank: int
) -> tuple[Tensor, Tensor]:
    """Return the loss of each sample, and alpha (T, n, states)."""
    states, skips = _labels(targets, blank)
    rows = _rows(x, states)
    start = _native.empty(rows.shape, dtype=x.dtype).fill_(_LOW)
    start[0, :, :2] = 0.0
    alphas = stack(_pass(rows, skips, start, 1))
    final = where(_ends(rows, inputs, lengths) == 0, alphas, _LOW).logsumexp((0, 2))
    # A sample without times has one path if it has no labels, else none.
    empty = where(lengths == 0, 0.0, tensor(_LOW, dtype=x.dtype))
    return -where(inputs == 0, empty, final), alphas


@operation(namespace="nn")
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor | Sequence[int],
    target_lengths: Tensor | Sequence[int],
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """Return the connectionist temporal classification loss (Graves et al. 2006). A new tensor.

    ``log_probs`` are (times, n, classes), or (times, classes) of one sample; targets are (n, s), or
    all labels in a line. A mean divides each loss by the length of its target first.

    >>> import strided
    >>> x = strided.nn.log_softmax(strided.zeros(2, 1, 2))
    >>> loss = strided.nn.ctc_loss(x, strided.tensor([[1]]), [2], [1])
    >>> round(loss.exp().item(), 4)
    1.3333
    """
    expect_reduction(reduction)
    x = log_probs.unsqueeze(1) if log_probs.ndim == 2 else log_probs
    if x.ndim != 3 or not len(x):
        raise ShapeMismatch(
            operation="ctc_loss",
            expected=(-1, -1, -1),
            got=tuple(log_probs.shape),
            hint="give log-probabilities (times, batch, classes)",
        )
    times, n, classes = x.shape
    if not 0 <= blank < classes:
        raise InvalidArgument(
            argument="blank", got=str(blank), requirement=f"must be one of {classes} classes"
        )
    inputs = _lengths("input_lengths", input_lengths, n, times)
    labels, lengths = _padded(targets, target_lengths, n)
    if labels.numel() and not 0 <= labels.amin().item() <= labels.amax().item() < classes:
        raise InvalidArgument(
            argument="targets",
            got=f"labels from {labels.amin().item()} to {labels.amax().item()}",
            requirement=f"must lie in 0 to {classes - 1}",
        )
    losses, _ = path_losses(x, labels, inputs, lengths, blank)
    if zero_infinity:
        losses = where(losses == math.inf, 0.0, losses)
    if reduction == "none":
        return losses if log_probs.ndim == 3 else losses.squeeze(0)
    if reduction == "sum":
        return losses.sum()
    return (losses / lengths.clamp(1).to(losses.dtype)).mean()


def _lengths(name: str, given: Tensor | Sequence[int], count: int, most: int) -> Tensor:
    made = given if isinstance(given, Tensor) else tensor(given, dtype=_native.int64)
    made = made.reshape(-1).to(_native.int64)
    if len(made) != count or (count and not 0 <= made.amin().item() <= made.amax().item() <= most):
        raise InvalidArgument(
            argument=name,
            got=str(made.tolist()),
            requirement=f"must be {count} numbers from 0 to {most}",
        )
    return made


def _padded(
    targets: Tensor, target_lengths: Tensor | Sequence[int], n: int
) -> tuple[Tensor, Tensor]:
    """Return targets (n, longest), and their lengths."""
    if targets.ndim == 2:
        lengths = _lengths("target_lengths", target_lengths, n, targets.shape[1])
        longest = lengths.amax().item() if n else 0
        labels = targets[:, :longest].to(_native.int64)
    else:
        lengths = _lengths("target_lengths", target_lengths, n, targets.numel())
        if lengths.sum().item() != targets.numel():
            raise InvalidArgument(
                argument="target_lengths",
                got=f"{lengths.sum().item()} labels in all",
                requirement=f"must add up to the {targets.numel()} labels",
            )
        longest = lengths.amax().item() if n else 0
        first = (lengths.cumsum(0) - lengths).unsqueeze(1)
        places = first + arange(longest)
        inside = arange(longest) < lengths.unsqueeze(1)
        flat = targets.flatten().to(_native.int64)
        labels = flat.take(where(inside, places, 0)) if targets.numel() else places
    # Labels behind the end have no part: paths that end at the end never come there.
    return where(arange(labels.shape[1]) < lengths.unsqueeze(1), labels, 0), lengths


class CTCLoss(Loss):
    """Connectionist temporal classification loss of sequences without an alignment.

    >>> import strided
    >>> x = strided.nn.log_softmax(strided.zeros(2, 1, 2))
    >>> round(strided.nn.CTCLoss()(x, strided.tensor([[1]]), [2], [1]).exp().item(), 4)
    1.3333
    """

    _shown = ("reduction", "blank", "zero_infinity")

    def __init__(
        self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False
    ) -> None:
        super().__init__(reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def forward(
        self,
        log_probs: Tensor,
        targets: Tensor,
        input_lengths: Tensor | Sequence[int],
        target_lengths: Tensor | Sequence[int],
    ) -> Tensor:
        return ctc_loss(
            log_probs,
            targets,
            input_lengths,
            target_lengths,
            self.blank,
            self.reduction,
            self.zero_infinity,
        )
