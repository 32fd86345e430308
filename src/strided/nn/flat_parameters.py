"""Flat parameters: all parameters of a module in one storage, their gradients in another; clipping.

An optimizer then updates them, and clipping reads them, in one pass. Backward allocates a first
gradient as always; a hook copies it into the flat storage at once, and later ones are added there.
Where somebody assigned another tensor as ``grad``, ``gather`` copies that too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from strided._native import Tensor, empty, zeros
from strided.autograd import no_grad
from strided.errors import InvalidArgument, UnsupportedOperation
from strided.nn.members import Parameter, replace_tensors
from strided.ops.creation import full
from strided.ops.joining import stack

if TYPE_CHECKING:
    from strided.nn.module import Module


class FlatParameters:
    """One storage of parameters and one of their gradients, each seen as one tensor (n,).

    >>> import strided
    >>> layer = strided.nn.Linear(2, 3)
    >>> flat = strided.nn.flat_parameters(layer)
    >>> flat.data.shape, flat.grad.shape, layer.bias.shares_storage(flat.data)
    ((9,), (9,), True)
    """

    def __init__(self, data: Tensor) -> None:
        self._data, self._grad = data, zeros(data.shape, dtype=data.dtype)
        self._members: list[tuple[Parameter, Tensor]] = []

    @property
    def data(self) -> Tensor:
        """All parameters, one after the other. A view.

        >>> import strided
        >>> layer = strided.nn.Linear(2, 1, bias=False)
        >>> _ = strided.nn.flat_parameters(layer).data.fill_(5)
        >>> layer.weight.tolist()
        [[5.0, 5.0]]
        """
        return self._data

    @property
    def grad(self) -> Tensor:
        """All gradients, in the order of the parameters; a missing one is zero. A view.

        >>> import strided
        >>> layer = strided.nn.Linear(2, 1, bias=False)
        >>> flat = strided.nn.flat_parameters(layer)
        >>> layer(strided.tensor([2.0, 3.0])).sum().backward()
        >>> flat.grad.tolist()
        [2.0, 3.0]
        """
        self.gather()
        return self._grad

    def gather(self) -> None:
        """Copy gradients that lie elsewhere into the flat storage; missing ones become zero there.

        >>> import strided
        >>> layer = strided.nn.Linear(2, 1, bias=False)
        >>> flat = strided.nn.flat_parameters(layer)
        >>> layer.weight.grad = strided.ones(1, 2)
        >>> flat.gather()
        >>> layer.weight.grad.shares_storage(flat.grad)
        True
        """
        for parameter, slot in self._members:
            if parameter.grad is None:
                slot.zero_()
                parameter.grad = slot
            else:
                _move(parameter, slot)

    def _enter(self, parameter: Parameter) -> None:
        begin = parameter.storage_offset() - self._data.storage_offset()
        slot = self._grad.narrow(0, begin, parameter.numel()).view(parameter.shape)
        if parameter.grad is not None:
            _move(parameter, slot)
        self._members.append((parameter, slot))
        parameter._flat = self

        def move(leaf: Tensor) -> None:
            if leaf.grad is not None and not leaf.grad.requires_grad:
                _move(leaf, slot)  # a gradient that is recorded stays as it is

        parameter.register_post_accumulate_grad_hook(move)


def _move(parameter: Tensor, slot: Tensor) -> None:
    grad = parameter.grad
    if grad is not None and grad is not slot:
        slot.copy_(grad.detach())
        parameter.grad = slot


def flat_parameters(module: Module) -> FlatParameters:
    """Move all parameters of a module into one storage, copied once; each is a view of it then.

    Gradients get a storage as well. An optimizer that is given ``module.parameters()`` afterwards
    makes its step in one pass. Frozen parameters stay where they are.

    >>> import strided
    >>> net = strided.nn.Sequential(strided.nn.Linear(2, 3), strided.nn.Linear(3, 1))
    >>> flat = strided.nn.flat_parameters(net)
    >>> flat.data.numel(), net[1].weight.storage_offset()
    (13, 9)
    """
    parameters = [p for p in module.parameters() if p.requires_grad]
    dtypes = {parameter.dtype.name for parameter in parameters}
    if len(dtypes) != 1:
        raise InvalidArgument(
            argument="module",
            got=f"with parameters of {', '.join(sorted(dtypes)) or 'no dtype at all'}",
            requirement="must have parameters to train, of one dtype: use module.to(dtype) first",
        )
    data = empty(sum(p.numel() for p in parameters), dtype=parameters[0].dtype)
    moved: dict[int, Parameter] = {}
    begin = 0
    for parameter in parameters:
        count = parameter.numel()
        slot = data.narrow(0, begin, count).view(parameter.shape)
        slot.copy_(parameter.detach())
        moved[id(parameter)] = own = type(parameter)(slot)
        own.grad = parameter.grad
        begin += count
    replace_tensors(module, moved)
    flat = FlatParameters(data)
    for own in moved.values():
        flat._enter(own)
    return flat


def flat_of(parameter: Tensor) -> FlatParameters | None:
    """Return the flat storage of a parameter, None where it has none."""
    flat = getattr(parameter, "_flat", None)
    return flat if isinstance(flat, FlatParameters) else None


def split_flat(parameters: Iterable[Tensor]) -> tuple[list[FlatParameters], list[Tensor]]:
    """Return the flat storages of which all parameters are given, and the other parameters."""
    given = list(parameters)
    present = {id(parameter) for parameter in given}
    flats = {id(flat): flat for p in given if (flat := flat_of(p)) is not None}
    whole = {
        key: flat
        for key, flat in flats.items()
        if all(id(member) in present for member, _ in flat._members)
    }
    return list(whole.values()), [p for p in given if id(flat_of(p)) not in whole]


def clear_gradients(parameters: Iterable[Tensor], set_to_none: bool) -> None:
    """Remove gradients, or set them to zero in place."""
    for parameter in parameters:
        if set_to_none:
            parameter.grad = None
        elif parameter.grad is not None:
            parameter.grad.detach_().zero_()


def _gradients(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    """Return gradients; flat parameters that are given whole count as one tensor."""
    whole, others = split_flat([parameters] if isinstance(parameters, Tensor) else parameters)
    for flat in whole:
        flat.gather()
    found = [flat.grad for flat in whole]
    return found + [p.grad.detach() for p in others if p.grad is not None]


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
) -> Tensor:
    """Clip the total norm of gradients in place; returns the norm before clipping.

    The norm is a new tensor.

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.zeros(2))
    >>> weight.grad = strided.tensor([3.0, 4.0])
    >>> strided.nn.clip_grad_norm_([weight], 1.0).item()
    5.0
    >>> [round(g, 3) for g in weight.grad.tolist()]
    [0.6, 0.8]
    """
    with no_grad():
        gradients = _gradients(parameters)
        if not gradients:
            return full((), 0.0)
        norms = [grad.norm(norm_type) for grad in gradients]
        total = norms[0] if len(norms) == 1 else stack(norms).norm(norm_type)
        size = float(total.item())
        if error_if_nonfinite and not math.isfinite(size):
            raise UnsupportedOperation(
                operation="clip_grad_norm_",
                reason=f"the norm of the gradients is {size}",
                hint="look for the first operation that gives inf or nan, or clip without "
                "error_if_nonfinite=True",
            )
        factor = max_norm / (size + 1e-6)
        if not factor >= 1.0:
            for grad in gradients:
                grad.mul_(factor)
    return total


def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: float) -> None:
    """Clip gradients in place to [-clip_value, clip_value].

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.zeros(2))
    >>> weight.grad = strided.tensor([0.5, -4.0])
    >>> strided.nn.clip_grad_value_([weight], 1.0)
    >>> weight.grad.tolist()
    [0.5, -1.0]
    """
    with no_grad():
        for grad in _gradients(parameters):
            grad.clamp_(-clip_value, clip_value)
