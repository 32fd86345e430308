"""Weight norm and spectral norm by the names of ``torch.nn.utils``, and how to take them away.

They are the parametrizations of ``parametrizations``: names of a state are those.
"""

from __future__ import annotations

from strided.nn.module import Module
from strided.nn.utils.parametrizations import spectral_norm, weight_norm
from strided.nn.utils.parametrize import remove_parametrizations

__all__ = ["remove_spectral_norm", "remove_weight_norm", "spectral_norm", "weight_norm"]


def remove_weight_norm(module: Module, name: str = "weight") -> Module:
    """Make a weight with weight norm a parameter again; returns the module itself.

    >>> import strided
    >>> layer = strided.nn.utils.weight_norm(strided.nn.Linear(2, 3))
    >>> [n for n, _ in strided.nn.utils.remove_weight_norm(layer).named_parameters()]
    ['bias', 'weight']
    """
    return remove_parametrizations(module, name)


def remove_spectral_norm(module: Module, name: str = "weight") -> Module:
    """Make a weight with spectral norm a parameter again; returns the module itself.

    >>> import strided
    >>> layer = strided.nn.utils.spectral_norm(strided.nn.Linear(2, 3))
    >>> [n for n, _ in strided.nn.utils.remove_spectral_norm(layer).named_parameters()]
    ['bias', 'weight']
    """
    return remove_parametrizations(module, name)
