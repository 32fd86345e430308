"""The explorer: a local page on which chains of views are taken apart, step by step.

>>> from strided import explorer
>>> with explorer.make_server() as server:
...     server.url.startswith("http://127.0.0.1:")
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from strided.explorer.server import ExplorerServer, make_server, serve

__all__ = ["ExplorerServer", "make_server", "serve"]


def __getattr__(name: str) -> Any:
    if name in __all__:  # chains can be taken apart without what the page needs
        from strided.explorer import server

        return getattr(server, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
