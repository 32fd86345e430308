"""ASGI middleware: limits, access, refusals, common headers and the log of every request."""

from __future__ import annotations

import json
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import anyio
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from strided.web.access import Refused, bad_request, failure

_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_VERSIONS = ("1.0", "1.1")
_MAX_TARGET = _MAX_HEADERS = 1 << 16
_MAX_HEADER_COUNT = 100
_MAX_DISCARDED = 1 << 20  # bytes of a body that nobody reads, on a connection that is kept
_LINGER = 1.0  # seconds for a body that nobody reads


@dataclass(frozen=True)
class Limits:
    """How much clients may ask of a server; times are in seconds.

    ``body``: bytes of a request. ``message``: for a whole request to arrive. ``idle``: for the next
    one to begin. ``write``: for a client to take what was sent.

    >>> Limits(body=1000).connections
    256
    """

    body: int = 4 << 20
    connections: int = 256
    message: float = 20.0
    idle: float = 60.0
    write: float = 30.0


@dataclass(frozen=True)
class Site:
    """What a server says and allows, beside its routes.

    ``check`` raises Refused for those who may not ask, ``describe`` makes the JSON object of a
    refusal, ``headers_for`` returns what comes with the answer to a request of these headers.
    ``log`` is told of every request, ``report`` of faults.
    """

    check: Callable[[Request], None]
    describe: Callable[[Refused], dict[str, Any]]
    limits: Limits = field(default_factory=Limits)
    headers_for: Callable[[Headers], Mapping[str, str]] = lambda headers: {}
    is_closing: Callable[[], bool] = lambda: False
    log: Callable[[str], None] = lambda line: None
    report: Callable[[str], None] = lambda text: print(text, file=sys.stderr)

    def refusal(self, refused: Refused) -> Response:
        """Return the response that says no."""
        return json_response(self.describe(refused), refused.status, refused.headers)


def application(
    site: Site,
    routes: Sequence[BaseRoute],
    *,
    not_found: Callable[[Request], Refused],
    not_allowed: Callable[[Request, str], Refused | Response],
) -> Starlette:
    """Return the ASGI application of a site.

    ``not_found`` refuses addresses without a route; ``not_allowed`` methods other than the given
    ones of a route, or answers them.
    """

    def refuse_path(request: Request, error: Exception) -> Response:
        raise not_found(request)

    def refuse_method(request: Request, error: Exception) -> Response:
        allowed = (getattr(error, "headers", None) or {}).get("Allow", "")
        answer = not_allowed(request, ", ".join(sorted({*allowed.split(", ")} - {"HEAD"})))
        if isinstance(answer, Refused):
            raise answer
        return answer

    app = Starlette(
        routes=list(routes),
        middleware=[Middleware(_Guard, site=site)],
        exception_handlers={404: refuse_path, 405: refuse_method},
    )
    app.router.redirect_slashes = False
    return app


def json_response(
    value: Any, status: HTTPStatus = HTTPStatus.OK, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a response of JSON; characters that UTF-8 does not have become question marks.

    >>> json_response({"a": 1}).body
    b'{"a":1}'
    """
    return Response(json_bytes(value), status, headers, "application/json")


def json_bytes(value: Any) -> bytes:
    """Write a value as JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


async def json_body(request: Request, limit: int) -> dict[str, Any]:
    """Read the object that the body of a request is."""
    kind = request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    # Pages of other origins cannot send this type without asking first.
    if kind != "application/json":
        message = "Send JSON with Content-Type: application/json."
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, message)
    length = request.headers.get("Content-Length")
    if length is None or "Transfer-Encoding" in request.headers:
        raise Refused(HTTPStatus.LENGTH_REQUIRED, "Send the body with one Content-Length.")
    if int(length) > limit:
        message = f"The body may have {limit} bytes, not {int(length)}."
        status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        raise Refused(status, message, code="request_too_large")
    return parsed(await request.body())


def parsed(body: bytes) -> dict[str, Any]:
    """Return the object that a body is.

    >>> parsed(b'{"n": 1}')
    {'n': 1}
    """
    try:
        given = json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise bad_request("We could not parse the JSON body of your request.") from None
    if not isinstance(given, dict):
        raise bad_request("The body of your request must be a JSON object.")
    return given


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


class _Guard:
    """The middleware: what every request passes on its way in and out."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app, self._site = app, site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begin = time.monotonic()
        exchange = _Exchange(self._site, scope, receive, send)
        note = ""
        try:
            _check_size(exchange.request)
            self._site.check(exchange.request)
            await self._app(scope, exchange.receive, exchange.send)
        except Refused as refused:
            note = refused.code or ""
            await self._site.refusal(refused)(scope, exchange.receive, exchange.send)
        except ClientDisconnect:
            note = "client left"
        except Exception:
            # What has been sent of an answer stays incomplete, and the connection is closed.
            self._site.report(traceback.format_exc())
            if not exchange.status:
                answer = self._site.refusal(failure())
                await answer(scope, exchange.receive, exchange.send)
        note = note or getattr(exchange.request.state, "note", "")
        client = (scope.get("client") or ("-",))[0]
        asked = ascii(f"{scope['method']} {scope['raw_path'].decode('latin-1')}")
        took = time.monotonic() - begin
        self._site.log(f"{client} {asked} {exchange.status or '-'} {took:.3f} s {note}".rstrip())


class _Exchange:
    """A request and its response, as they pass."""

    def __init__(self, site: Site, scope: Scope, receive: Receive, send: Send) -> None:
        self._site, self._receive, self._send = site, receive, send
        self.request = Request(scope)
        self.status = 0
        headers = self.request.headers
        length = headers.get("Content-Length", "0")
        self._is_read = length == "0" and "Transfer-Encoding" not in headers
        self._is_long = "Transfer-Encoding" in headers or int(length) > _MAX_DISCARDED

    async def receive(self) -> Message:
        message = await self._receive()
        self._is_read = message["type"] != "http.request" or not message.get("more_body")
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self._complete_headers(MutableHeaders(scope=message))
        elif not message.get("more_body") and not self._is_read:
            # A connection closed over unread bytes is reset, and the answer lost with it.
            await self._send({**message, "more_body": True})
            with anyio.move_on_after(_LINGER):
                while not self._is_read:
                    await self.receive()
            message = {"type": "http.response.body"}
        await self._send(message)

    def _complete_headers(self, headers: MutableHeaders) -> None:
        for name, value in self._site.headers_for(self.request.headers).items():
            headers.setdefault(name, value)
        if self._site.is_closing() or (self._is_long and not self._is_read):
            headers["Connection"] = "close"


def _check_size(request: Request) -> None:
    """Refuse what no client of ours sends."""
    scope, pairs = request.scope, request.scope["headers"]
    if scope["method"] not in _METHODS:
        status = HTTPStatus.NOT_IMPLEMENTED
    elif scope["http_version"] not in _VERSIONS:
        status = HTTPStatus.HTTP_VERSION_NOT_SUPPORTED
    elif len(scope["raw_path"]) + len(scope["query_string"]) > _MAX_TARGET:
        status = HTTPStatus.REQUEST_URI_TOO_LONG
    elif len(pairs) > _MAX_HEADER_COUNT or sum(len(a) + len(b) for a, b in pairs) > _MAX_HEADERS:
        status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
    else:
        return
    raise Refused(status, status.phrase, headers={"Connection": "close"})
