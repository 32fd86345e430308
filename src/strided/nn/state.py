"""Which tensors of a saved state go where, and what does not fit.

Everything is compared before the first element is copied: a state that does not fit changes
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from strided._native import Tensor
from strided.autograd import no_grad
from strided.errors import StateMismatch
from strided.functions.arrays import asarray


class LoadedKeys(NamedTuple):
    """Names that a state left out, and names that it has in excess.

    >>> import strided
    >>> layer = strided.nn.Linear(1, 1)
    >>> layer.load_state_dict({"weight": [[2.0]]}, strict=False)
    LoadedKeys(missing_keys=['bias'], unexpected_keys=[])
    """

    missing_keys: list[str]
    unexpected_keys: list[str]


def load_into(
    targets: Mapping[str, Tensor], state: Mapping[str, Any], strict: bool, owner: str
) -> LoadedKeys:
    """Copy the values of a state into tensors of the same names."""
    found = LoadedKeys(
        [name for name in targets if name not in state],
        [name for name in state if name not in targets],
    )
    values = {name: asarray(state[name]) for name in targets if name in state}
    shapes = {
        name: (tuple(targets[name].shape), tuple(value.shape))
        for name, value in values.items()
        if targets[name].shape != value.shape
    }
    if shapes or (strict and (found.missing_keys or found.unexpected_keys)):
        raise StateMismatch(
            owner=owner,
            missing=found.missing_keys if strict else [],
            unexpected=found.unexpected_keys if strict else [],
            shapes=shapes,
        )
    with no_grad():
        for name, value in values.items():
            targets[name].copy_(value)
    return found
