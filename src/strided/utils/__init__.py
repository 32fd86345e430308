"""Helpers around training by the names of ``torch.utils``: data and checkpoints."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from strided.utils import checkpoint, data

__all__ = ["checkpoint", "data"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return importlib.import_module(f"strided.utils.{name}")
    raise AttributeError(f"module 'strided.utils' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
