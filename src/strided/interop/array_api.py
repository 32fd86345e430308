"""Array API: the namespace of a tensor's functions."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from strided._native import Tensor
from strided.errors import InvalidArgument

VERSION = "2025.12"  # the revision of the standard that is implemented
REVISIONS = ("2021.12", "2022.12", "2023.12", "2024.12", VERSION)  # each contains those before it


def __array_namespace__(self: Tensor, /, *, api_version: str | None = None) -> ModuleType:
    """Return the namespace of the array API functions for this tensor: ``strided`` itself.

    >>> import strided
    >>> strided.zeros(1).__array_namespace__() is strided
    True
    """
    if api_version is not None and api_version not in REVISIONS:
        raise InvalidArgument(
            argument="api_version",
            got=repr(api_version),
            requirement=f"must be one of {', '.join(REVISIONS)}",
        )
    return sys.modules["strided"]


METHODS: dict[str, Any] = {"__array_namespace__": __array_namespace__}
