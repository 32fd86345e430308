"""Optimizer: base class with parameter groups, state, and buckets of parameters.

Parameters that lie side by side in one storage (``nn.flat_parameters``) and stand at the same step
form one bucket, whose state is one tensor per name too; a parameter on its own is a bucket of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from strided._native import Tensor, empty
from strided.autograd import enable_grad, no_grad
from strided.errors import InvalidArgument, StateMismatch
from strided.nn.flat_parameters import FlatParameters, clear_gradients, flat_of
from strided.ops.arrays import asarray

Group = dict[str, Any]


# Ways in which PyTorch computes a step: there is one here. Gradients do not pass a step.
_WAYS = ("foreach", "fused", "capturable", "differentiable")


def check_ways(name: str, ways: Mapping[str, Any]) -> None:
    """Take PyTorch's words for how a step is computed, and refuse any other argument."""
    for key in ways:
        if key not in _WAYS:
            raise TypeError(f"{name}() got an unexpected keyword argument {key!r}")
    if ways.get("differentiable"):
        raise InvalidArgument(
            argument="differentiable",
            got="True",
            requirement="must be False: write the step as operations on tensors for its gradient",
        )


class Bucket:
    """Parameters that are updated in one pass, and their state as tensors of the same shape.

    A frozen parameter of a flat storage has a gradient of zeros, and is passed over.
    """

    def __init__(self, members: list[Tensor], state: Mapping[Tensor, dict[str, Any]]) -> None:
        self.members, self.state = members, [state[member] for member in members]
        self.flat: FlatParameters | None = flat_of(members[0]) if len(members) > 1 else None
        self.data = members[0].detach()
        if self.flat is not None:
            begin = self.data.storage_offset() - self.flat.data.storage_offset()
            self._range = begin, sum(member.numel() for member in members)
            self.data = self.flat.data.narrow(0, *self._range)
            self._grad = self.flat.grad.narrow(0, *self._range)
        self.tensors: dict[str, Tensor] = {}

    @property
    def grad(self) -> Tensor | None:
        """The gradient in the shape of ``data``; None where backward did not come."""
        if self.flat is not None:
            return self._grad
        member = self.members[0]
        if member.grad is None or (flat_of(member) is not None and not member.requires_grad):
            return None
        return member.grad.detach()

    def tensor(self, name: str, first: float) -> Tensor:
        """Return a tensor of the state, made with one value where it is not there yet."""
        if name not in self.tensors:
            made = empty(self.data.shape, dtype=self.data.dtype).fill_(first)
            begin = 0
            for member, state in zip(self.members, self.state, strict=True):
                part = made
                if self.flat is not None:
                    part = made.narrow(0, begin, member.numel()).view(member.shape)
                    begin += member.numel()
                if isinstance(state.get(name), Tensor):
                    part.copy_(state[name])
                state[name] = part
            self.tensors[name] = made
        return self.tensors[name]


def _buckets(parameters: Sequence[Tensor], state: Mapping[Tensor, dict[str, Any]]) -> list[Bucket]:
    runs: list[list[Tensor]] = []
    for parameter in parameters:
        flat, before = flat_of(parameter), runs[-1][-1] if runs else None
        if (
            before is not None
            and flat is not None
            and parameter.requires_grad
            and before.requires_grad
            and flat_of(before) is flat
            and before.storage_offset() + before.numel() == parameter.storage_offset()
            and state[before].keys() == state[parameter].keys()
            and state[before].get("step") == state[parameter].get("step")
        ):
            runs[-1].append(parameter)
        else:
            runs.append([parameter])
    return [Bucket(run, state) for run in runs]


class Optimizer:
    """Base class of optimizers; a subclass defines the update of one bucket.

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.ones(2))
    >>> optimizer = strided.optim.SGD([weight], lr=0.25)
    >>> (weight * 2).sum().backward()
    >>> optimizer.step()
    >>> weight.tolist()
    [0.5, 0.5]
    """

    # Settings that must not be negative.
    _not_negative: ClassVar[tuple[str, ...]] = ("lr", "weight_decay", "eps")

    def __init__(self, params: Iterable[Any], defaults: Mapping[str, Any]) -> None:
        self.defaults = dict(defaults)
        self.state: dict[Tensor, dict[str, Any]] = {}
        self.param_groups: list[Group] = []
        self._made: list[list[Bucket]] | None = None
        self._trained: list[bool] = []  # of flat parameters when the buckets were made
        if isinstance(params, Tensor):
            raise InvalidArgument(
                argument="params",
                got="a tensor",
                requirement="must be an iterable of tensors, as module.parameters() returns it",
            )
        # Parameters may come with their names, as module.named_parameters() gives them.
        given = [p[1] if isinstance(p, tuple) and len(p) == 2 else p for p in params]
        if not given:
            raise InvalidArgument(
                argument="params", got="empty", requirement="must hold something to optimize"
            )
        groups: list[Any] = given if isinstance(given[0], Mapping) else [{"params": given}]
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, param_group: Mapping[str, Any]) -> None:
        """Add a parameter group; settings that are not given come from the defaults.

        >>> import strided
        >>> a, b = (strided.nn.Parameter(strided.ones(1)) for _ in range(2))
        >>> optimizer = strided.optim.SGD([a], lr=0.1)
        >>> optimizer.add_param_group({"params": [b], "lr": 0.01})
        >>> [group["lr"] for group in optimizer.param_groups]
        [0.1, 0.01]
        """
        params = param_group["params"]
        members = [params] if isinstance(params, Tensor) else list(params)
        group = {**self.defaults, **param_group, "params": members}
        known = {id(p) for other in self.param_groups for p in other["params"]}
        for parameter in members:
            self._check(parameter, known)
            known.add(id(parameter))
        for name in self._not_negative:
            if name in group and not group[name] >= 0:
                raise InvalidArgument(
                    argument=name, got=str(group[name]), requirement="must not be negative"
                )
        self._check_group(group)
        for parameter in members:
            self.state.setdefault(parameter, {})
        self.param_groups.append(group)
        self._made = None

    def _check(self, parameter: Any, known: set[int]) -> None:
        if not isinstance(parameter, Tensor):
            kind = type(parameter).__name__
            raise TypeError(f"an optimizer changes tensors, not {kind}")
        reason = ""
        if not parameter.is_leaf:
            reason = "must be a leaf: its gradient is not kept"
        elif parameter.dtype.kind != "f":
            reason = "must hold real floating-point numbers"
        elif id(parameter) in known:
            reason = "must stand in one group only, once"
        if reason:
            raise InvalidArgument(
                argument="params", got=f"a tensor of shape {parameter.shape}", requirement=reason
            )

    def _check_group(self, group: Group) -> None:
        """Raise for invalid combinations of settings; a subclass defines them."""

    def _update(self, bucket: Bucket, grad: Tensor, group: Group, step: int) -> None:
        raise NotImplementedError(f"{type(self).__name__} does not define _update")

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update all parameters in place; returns what a closure, called first, returned.

        >>> import strided
        >>> weight = strided.nn.Parameter(strided.ones(1))
        >>> optimizer = strided.optim.SGD([weight], lr=0.5)
        >>> weight.grad = strided.ones(1)
        >>> optimizer.step()
        >>> weight.item()
        0.5
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for buckets, group in zip(self._buckets(), self.param_groups, strict=True):
                for bucket in buckets:
                    grad = bucket.grad
                    if grad is None:
                        continue
                    step = bucket.state[0].get("step", 0) + 1
                    for state in bucket.state:
                        state["step"] = step
                    self._update(bucket, grad, group, step)
        return loss

    def _buckets(self) -> list[list[Bucket]]:
        """Return the buckets of each group, with flat gradients gathered."""
        order = [p for group in self.param_groups for p in group["params"]]
        flats = {id(flat): flat for p in order if (flat := flat_of(p)) is not None}
        trained = [p.requires_grad for p in order] if flats else []
        if self._made is None or trained != self._trained:
            self._made = [_buckets(group["params"], self.state) for group in self.param_groups]
            self._trained = trained
        for flat in flats.values():
            flat.gather()
        return self._made

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Remove gradients, or set them to zero in place.

        >>> import strided
        >>> weight = strided.nn.Parameter(strided.ones(1))
        >>> weight.grad = strided.ones(1)
        >>> strided.optim.SGD([weight], lr=0.5).zero_grad()
        >>> weight.grad is None
        True
        """
        clear_gradients((p for g in self.param_groups for p in g["params"]), set_to_none)

    # ---- state ----

    def state_dict(self) -> dict[str, Any]:
        """Return settings and state, parameters as indices; tensors are not copied.

        >>> import strided
        >>> weight = strided.nn.Parameter(strided.ones(1))
        >>> state = strided.optim.SGD([weight], lr=0.5).state_dict()
        >>> state["param_groups"][0]["lr"], state["param_groups"][0]["params"], state["state"]
        (0.5, [0], {})
        """
        order = [p for group in self.param_groups for p in group["params"]]
        numbers = {id(p): number for number, p in enumerate(order)}
        groups = [
            {**group, "params": [numbers[id(p)] for p in group["params"]]}
            for group in self.param_groups
        ]
        state = {number: dict(self.state[p]) for number, p in enumerate(order) if self.state[p]}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Load settings and a copy of the state; groups must be as long as before.

        >>> import strided
        >>> weight = strided.nn.Parameter(strided.ones(1))
        >>> a, b = strided.optim.SGD([weight], lr=0.5), strided.optim.SGD([weight], lr=0.1)
        >>> b.load_state_dict(a.state_dict())
        >>> b.param_groups[0]["lr"]
        0.5
        """
        groups = state_dict["param_groups"]
        lengths = tuple(len(group["params"]) for group in groups)
        own = tuple(len(group["params"]) for group in self.param_groups)
        if lengths != own:
            raise StateMismatch(
                owner=type(self).__name__,
                missing=[],
                unexpected=[],
                shapes={"param_groups": (own, lengths)},
            )
        names = [number for group in groups for number in group["params"]]
        order = [p for group in self.param_groups for p in group["params"]]
        saved = state_dict["state"]
        loaded = [
            {
                key: value if isinstance(value, (int, float, bool)) else _own_copy(key, value, p)
                for key, value in saved.get(name, {}).items()
                if value is not None
            }
            for name, p in zip(names, order, strict=True)
        ]
        for group, given in zip(self.param_groups, groups, strict=True):
            group.update({key: value for key, value in given.items() if key != "params"})
        for parameter, values in zip(order, loaded, strict=True):
            self.state[parameter] = values
        self._made = None

    def __repr__(self) -> str:
        lines = [type(self).__name__ + " ("]
        for number, group in enumerate(self.param_groups):
            settings = [f"    {k}: {v!r}" for k, v in sorted(group.items()) if k != "params"]
            lines += [f"  group {number}", *settings]
        return "\n".join([*lines, ")"])


def _own_copy(key: str, value: Any, parameter: Tensor) -> Any:
    tensor = asarray(value)
    if key == "step":  # PyTorch keeps it as a tensor
        return int(tensor.item())
    if tensor.shape != parameter.shape:
        raise StateMismatch(
            owner="the optimizer",
            missing=[],
            unexpected=[],
            shapes={key: (tuple(parameter.shape), tuple(tensor.shape))},
        )
    return tensor.to(parameter.dtype, copy=True)
