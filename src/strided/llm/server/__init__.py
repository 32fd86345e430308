"""An OpenAI-compatible HTTP server for language models.

``Server`` is the way in. One thread (worker.py) owns the engine; an event loop (service.py) reads
requests (request.py), waits for text, and writes answers (answer.py).
"""

from __future__ import annotations

from strided.llm.server.service import Limits, Server

__all__ = ["Limits", "Server"]
