"""A model for several programs: an HTTP server that speaks as OpenAI's does.

``Server`` is the way in. One thread (worker.py) owns the engine; a thread per connection
(handler.py) reads requests (request.py, fields.py), waits for text, and writes answers (answer.py).
"""

from __future__ import annotations

from strided.llm.server.limits import Limits
from strided.llm.server.listener import Server

__all__ = ["Limits", "Server"]
