"""Local web servers: what the explorer and ``strided serve`` share.

Starlette routes requests and uvicorn speaks HTTP. What both servers add is here, once: who may ask
and how they are refused (access.py), limits for every request (guard.py), limits for every
connection and a socket with a clean end (listener.py).
"""

from __future__ import annotations

from importlib import import_module as _import_module

import strided

try:
    for _name in ("starlette", "uvicorn"):
        _import_module(_name)
except ImportError as error:
    raise strided.MissingExtra(
        operation="serving pages or an API", package=_name, extra="serve"
    ) from error

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from strided.web.access import Access, Refused, bad_request, failure, is_same_secret, shutting_down
from strided.web.guard import (
    Limits,
    Site,
    application,
    json_body,
    json_bytes,
    json_response,
)
from strided.web.listener import Listener

__all__ = [
    "Access",
    "ClientDisconnect",
    "Limits",
    "Listener",
    "Receive",
    "Refused",
    "Request",
    "Response",
    "Route",
    "Scope",
    "Send",
    "Site",
    "application",
    "bad_request",
    "failure",
    "is_same_secret",
    "json_body",
    "json_bytes",
    "json_response",
    "run_in_threadpool",
    "shutting_down",
]
