"""Optimizers that see whole matrices or the whole problem: Adafactor, Muon, L-BFGS."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from strided._native import Tensor
from strided.autograd.grad_mode import enable_grad, no_grad
from strided.errors import InvalidArgument
from strided.ops.creation import zeros
from strided.ops.data_types import finfo
from strided.ops.joining import cat
from strided.optim.line_search import strong_wolfe
from strided.optim.optimizer import Bucket, Group, Optimizer, check_ways


class _ByMatrix(Optimizer):
    """Base of optimizers that look at each parameter by itself, never at a flat storage."""

    def _buckets(self) -> list[list[Bucket]]:
        super()._buckets()  # gathers flat gradients
        return [[Bucket([p], self.state) for p in g["params"]] for g in self.param_groups]


class Adafactor(_ByMatrix):
    """Adafactor (Shazeer and Stern 2018, arXiv:1804.04235): second moments of rows and columns.

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.ones(2, 2))
    >>> optimizer = strided.optim.Adafactor([weight], lr=0.1)
    >>> weight.grad = strided.ones(2, 2)
    >>> optimizer.step()
    >>> sorted(optimizer.state[weight])
    ['col_var', 'row_var', 'step']
    """

    _not_negative = ("lr", "weight_decay")

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        maximize: bool = False,
        **ways: Any,
    ) -> None:
        check_ways(type(self).__name__, ways)
        settings = {
            "lr": lr,
            "beta2_decay": beta2_decay,
            "eps": eps,
            "d": d,
            "weight_decay": weight_decay,
            "maximize": maximize,
        }
        super().__init__(params, settings)

    def _check_group(self, group: Group) -> None:
        if group["beta2_decay"] > 0 or group["d"] < 1:
            raise InvalidArgument(
                argument="beta2_decay, d",
                got=f"{group['beta2_decay']}, {group['d']}",
                requirement="must not be above 0, and at least 1",
            )

    def _update(self, bucket: Bucket, grad: Tensor, group: Group, step: int) -> None:
        p, own = bucket.data, bucket.state[0]
        eps1, eps2 = group["eps"]
        eps1 = float(finfo(p.dtype).eps) if eps1 is None else eps1
        g = -grad if group["maximize"] else grad
        share = float(step) ** group["beta2_decay"]
        rate = min(group["lr"], 1.0 / math.sqrt(step))
        size = float(p.norm().item()) / math.sqrt(p.numel())
        alpha = max(eps2, size) * rate
        if group["weight_decay"]:
            p.mul_(1.0 - group["lr"] * group["weight_decay"])
        if p.ndim > 1:
            rows = _kept(own, "row_var", (*p.shape[:-1], 1), p)
            columns = _kept(own, "col_var", (*p.shape[:-2], 1, p.shape[-1]), p)
            rows.add_((g.square().mean(-1, keepdim=True) - rows) * share)
            columns.add_((g.square().mean(-2, keepdim=True) - columns) * share)
            variance = rows @ columns / rows.mean(-2, keepdim=True).clamp(eps1)
        else:
            variance = _kept(own, "variance", tuple(p.shape), p)
            variance.add_((g.square() - variance) * share)
        made = variance.clamp(eps1 * eps1).rsqrt() * g
        mean = float(made.norm().item()) / (math.sqrt(made.numel()) * group["d"])
        p.sub_(made * (alpha / max(1.0, mean)))


def _kept(state: dict[str, Any], name: str, shape: tuple[int, ...], like: Tensor) -> Tensor:
    if name not in state:
        state[name] = zeros(shape, dtype=like.dtype)
    made: Tensor = state[name]
    return made


class Muon(_ByMatrix):
    """Muon: momentum whose matrices are made orthogonal by Newton-Schulz steps (Jordan 2024).

    Parameters are matrices; products run in their dtype (in bfloat16 in PyTorch).

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.zeros(2, 2))
    >>> optimizer = strided.optim.Muon([weight], lr=0.1)
    >>> weight.grad = strided.eye(2)
    >>> optimizer.step()
    >>> bool((weight.diagonal() < -0.05).all())
    True
    """

    _not_negative = ("lr", "weight_decay", "momentum")

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.7750, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        settings = {
            "lr": lr,
            "weight_decay": weight_decay,
            "momentum": momentum,
            "nesterov": nesterov,
            "ns_coefficients": ns_coefficients,
            "eps": eps,
            "ns_steps": ns_steps,
            "adjust_lr_fn": adjust_lr_fn,
        }
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise InvalidArgument(
                argument="adjust_lr_fn",
                got=repr(adjust_lr_fn),
                requirement="must be None, 'original' or 'match_rms_adamw'",
            )
        super().__init__(params, settings)

    def _check_group(self, group: Group) -> None:
        for p in group["params"]:
            if p.ndim != 2:
                raise InvalidArgument(
                    argument="params",
                    got=f"a parameter of shape {tuple(p.shape)}",
                    requirement="must be matrices: give the others to AdamW",
                )

    def _update(self, bucket: Bucket, grad: Tensor, group: Group, step: int) -> None:
        p, share = bucket.data, 1.0 - group["momentum"]
        velocity = bucket.tensor("momentum_buffer", 0.0)
        velocity.add_((grad - velocity) * share)
        turned = grad + (velocity - grad) * group["momentum"] if group["nesterov"] else velocity
        made = _orthogonal(turned, group["ns_coefficients"], group["ns_steps"], group["eps"])
        rows, columns = p.shape
        if group["adjust_lr_fn"] == "match_rms_adamw":
            factor = 0.2 * math.sqrt(max(rows, columns))
        else:
            factor = math.sqrt(max(1.0, rows / columns))
        p.mul_(1.0 - group["lr"] * group["weight_decay"])
        p.sub_(made * (group["lr"] * factor))


def _orthogonal(
    x: Tensor, coefficients: tuple[float, float, float], steps: int, eps: float
) -> Tensor:
    """Return a matrix with the singular vectors of x and singular values near 1."""
    a, b, c = coefficients
    tall = x.shape[0] > x.shape[1]
    made = x.mT if tall else x
    made = made / made.norm().clamp(eps)
    for _ in range(steps):
        gram = made @ made.mT
        made = made * a + (gram * b + gram @ gram * c) @ made
    return made.mT if tall else made


class LBFGS(Optimizer):
    """L-BFGS (Liu and Nocedal 1989), a quasi-Newton method; ``step`` needs a closure.

    ``line_search_fn`` is None or ``"strong_wolfe"``.

    >>> import strided
    >>> x = strided.nn.Parameter(strided.tensor([3.0, -2.0]))
    >>> optimizer = strided.optim.LBFGS([x], line_search_fn="strong_wolfe")
    >>> def closure():
    ...     optimizer.zero_grad()
    ...     loss = ((x - 1) ** 2).sum()
    ...     loss.backward()
    ...     return loss
    >>> _ = optimizer.step(closure)
    >>> [round(value, 4) for value in x.tolist()]
    [1.0, 1.0]
    """

    _not_negative = ("lr",)

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1.0,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        if line_search_fn not in (None, "strong_wolfe"):
            raise InvalidArgument(
                argument="line_search_fn",
                got=repr(line_search_fn),
                requirement="must be None or 'strong_wolfe'",
            )
        settings = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, settings)
        if len(self.param_groups) != 1:
            raise InvalidArgument(
                argument="params", got="several groups", requirement="must be one group"
            )
        self._known: dict[str, Any] = {}

    def _gradient(self) -> Tensor:
        parts = [
            zeros(p.numel(), dtype=p.dtype) if p.grad is None else p.grad.detach().reshape(-1)
            for p in self.param_groups[0]["params"]
        ]
        return cat(parts, axis=0)

    def _move(self, direction: Tensor, length: float) -> None:
        begin = 0
        for p in self.param_groups[0]["params"]:
            part = direction.narrow(0, begin, p.numel()).view(p.shape)
            p.detach().add_(part * length)
            begin += p.numel()

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Minimise what a closure returns by several iterations; returns its first result.

        >>> import strided
        >>> x = strided.nn.Parameter(strided.tensor([3.0]))
        >>> optimizer = strided.optim.LBFGS([x])
        >>> def closure():
        ...     optimizer.zero_grad()
        ...     loss = (x ** 2).sum()
        ...     loss.backward()
        ...     return loss
        >>> optimizer.step(closure).item()
        9.0
        """
        if closure is None:
            raise InvalidArgument(
                argument="closure",
                got="None",
                requirement="must compute the loss and its gradients: L-BFGS asks several times",
            )
        group = self.param_groups[0]

        def evaluate() -> Any:
            with enable_grad():
                return closure()

        first = evaluate()
        with no_grad():
            self._iterate(evaluate, float(first), group)
        return first

    def _iterate(self, evaluate: Callable[[], Any], loss: float, group: Group) -> None:
        known, lr = self._known, group["lr"]
        g, evaluations = self._gradient(), 1
        if g.abs().max().item() <= group["tolerance_grad"]:
            return
        for number in range(1, group["max_iter"] + 1):
            direction = self._direction(g, group["history_size"])
            before, last = g, loss
            slope = float(g.dot(direction))
            length = min(1.0, 1.0 / float(g.abs().sum())) * lr if known["count"] == 1 else lr
            if slope > -group["tolerance_change"]:
                break
            if group["line_search_fn"] is not None:
                origin = [p.detach().clone() for p in group["params"]]

                def probe(size: float) -> tuple[float, Tensor]:
                    self._move(direction, size)  # noqa: B023
                    value = float(evaluate())
                    found = self._gradient()
                    for p, at in zip(group["params"], origin, strict=True):  # noqa: B023
                        p.detach().copy_(at)
                    return value, found

                loss, g, length, asked = strong_wolfe(probe, length, direction, loss, g, slope)
                self._move(direction, length)
            else:
                self._move(direction, length)
                asked = 0
                if number != group["max_iter"]:
                    loss = float(evaluate())
                    g, asked = self._gradient(), 1
            known["before"], known["length"] = before, length
            evaluations += asked
            if number == group["max_iter"] or evaluations >= group["max_eval"]:
                break
            if g.abs().max().item() <= group["tolerance_grad"]:
                break
            if (direction * length).abs().max().item() <= group["tolerance_change"]:
                break
            if abs(loss - last) < group["tolerance_change"]:
                break

    def _direction(self, g: Tensor, most: int) -> Tensor:
        """Return minus the inverse Hessian, as far as it is known, times the gradient."""
        known = self._known
        known["count"] = known.get("count", 0) + 1
        if known["count"] == 1:
            known.update(changes=[], steps=[], scale=1.0)
            known["direction"] = -g
            return -g
        change, step = g - known["before"], known["direction"] * known["length"]
        along = float(change.dot(step))
        if along > 1e-10:
            if len(known["changes"]) == most:
                known["changes"].pop(0)
                known["steps"].pop(0)
            known["changes"].append(change)
            known["steps"].append(step)
            known["scale"] = along / float(change.dot(change))
        changes, steps = known["changes"], known["steps"]
        shares = [1.0 / float(y.dot(s)) for y, s in zip(changes, steps, strict=True)]
        q, alphas = -g, []
        for y, s, share in reversed(list(zip(changes, steps, shares, strict=True))):
            alpha = float(s.dot(q)) * share
            alphas.append(alpha)
            q = q - y * alpha
        made: Tensor = q * known["scale"]
        for y, s, share, alpha in zip(changes, steps, shares, reversed(alphas), strict=True):
            made = made + s * (alpha - float(y.dot(made)) * share)
        known["direction"] = made
        return made
