"""A local page on which chains of views are taken apart, step by step.

>>> from strided import explorer
>>> with explorer.make_server() as server:
...     server.url.startswith("http://127.0.0.1:")
True
"""

from strided.explorer.server import ExplorerServer, make_server, serve

__all__ = ["ExplorerServer", "make_server", "serve"]
