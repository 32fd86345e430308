"""How does a connection become answers? What there is to ask for, and how it is sent.

Every refusal is an object as OpenAI words it, whatever was wrong: also what http.server itself
refuses. Once a client has left, its place in the engine is free at once.
"""

from __future__ import annotations

import io
import json
import time
import traceback
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from email.message import Message
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from itertools import chain
from typing import TYPE_CHECKING, Any

from strided.llm.server.answer import Answer, model_object, usage_of
from strided.llm.server.fields import parsed
from strided.llm.server.refusal import Refused, bad_request, failure
from strided.llm.server.request import Request, read_request, unknown_model
from strided.llm.server.timed_reader import TimedReader, has_left
from strided.llm.server.worker import Event, Order

if TYPE_CHECKING:
    from strided.llm.server.listener import Listener

_LOOK = 0.25  # seconds between looks whether a client is still there
_DRAINED = 1 << 20
_ALWAYS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}


class ClientLeft(Exception):
    """Nobody waits for the answer any more."""


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: Listener
    protocol_version = "HTTP/1.1"
    default_request_version = "HTTP/1.0"  # what cannot be read is refused with headers, too
    server_version = "strided"
    sys_version = ""
    disable_nagle_algorithm = True

    # ---- from connection to request ----

    def setup(self) -> None:
        """Read the connection by the clock."""
        super().setup()
        self.rfile.close()
        self._reader = TimedReader(self.connection)
        self.rfile = io.BufferedReader(self._reader)

    def handle_one_request(self) -> None:
        """Wait for a request and answer it."""
        self._reader.expect(self.server.limits.idle, self.server.limits.message)
        self.headers = Message()
        self._status, self._note = 0, ""
        self._unread = 0  # bytes of the body that are still to come
        self._is_chunked = False
        super().handle_one_request()

    def _respond(self) -> None:
        begin = time.monotonic()
        path = self.path.partition("?")[0]
        with self.server.at_work():
            try:
                self._check_length()
                self.server.access.check(self.command, path, self.headers)
                self._route(path)()
            except Refused as refused:
                self._refuse(refused)
            except (ClientLeft, ConnectionError, TimeoutError):
                self.close_connection = True
                self._note = "client left"
            except Exception:
                self.close_connection = True
                self.server.report(traceback.format_exc())
                if not self._status:
                    self._refuse(failure())
        asked = ascii(f"{self.command} {path}")
        took = time.monotonic() - begin
        client = self.client_address[0]
        self.server.log(
            f"{client} {asked} {self._status or '-'} {took:.3f} s {self._note}".rstrip()
        )

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _respond

    def _check_length(self) -> None:
        """Find out how long the body is, before anything is answered."""
        lengths = self.headers.get_all("Content-Length", [])
        if self.headers.get("Transfer-Encoding") is not None or len(lengths) > 1:
            self.close_connection = True  # where the next request begins is anybody's guess
            raise Refused(HTTPStatus.LENGTH_REQUIRED, "Send the body with one Content-Length.")
        length = lengths[0] if lengths else "0"
        if not (length.isascii() and length.isdigit() and len(length) < 16):
            self.close_connection = True
            raise bad_request("The Content-Length is not a number.")
        self._unread = int(length)

    # ---- what may be asked ----

    def _route(self, path: str) -> Callable[[], None]:
        routes: dict[str, tuple[str, Callable[[], None]]] = {
            "/health": ("GET", self._health),
            "/v1/models": ("GET", self._models),
            "/v1/chat/completions": ("POST", lambda: self._complete(chat=True)),
            "/v1/completions": ("POST", lambda: self._complete(chat=False)),
        }
        if path.startswith("/v1/models/"):
            name = urllib.parse.unquote(path.removeprefix("/v1/models/"))
            routes[path] = ("GET", lambda: self._model(name))
        if path not in routes:
            message = f"Invalid URL ({self.command} {path})"
            raise Refused(HTTPStatus.NOT_FOUND, message, code="unknown_url")
        method, answer = routes[path]
        if self.command == "OPTIONS" and self.server.access.origins:
            return lambda: self._send(HTTPStatus.NO_CONTENT, b"", {})
        if self.command != method and (self.command, method) != ("HEAD", "GET"):
            raise Refused(
                HTTPStatus.METHOD_NOT_ALLOWED,
                f"Not allowed to {self.command} on {path}.",
                code="method_not_supported",
                headers={"Allow": method},
            )
        return answer

    def _health(self) -> None:
        if self.server.worker.is_closing:
            self._send_json(HTTPStatus.SERVICE_UNAVAILABLE, {"status": "shutting down"})
        else:
            self._send_json(HTTPStatus.OK, {"status": "ok"})

    def _models(self) -> None:
        model = model_object(self.server.served.name, self.server.created)
        self._send_json(HTTPStatus.OK, {"object": "list", "data": [model]})

    def _model(self, name: str) -> None:
        if name != self.server.served.name:
            raise unknown_model(name)
        self._send_json(HTTPStatus.OK, model_object(name, self.server.created))

    def _complete(self, *, chat: bool) -> None:
        served = self.server.served
        request = read_request(parsed(self._body()), served, chat=chat)
        answer = Answer(served.name, chat=chat, include_usage=request.include_usage)
        order = self.server.worker.submit(request.prompts)
        try:
            if request.stream:
                self._send_stream(order, request, answer)
            else:
                self._send_whole(order, request, answer)
            self._note = f"{sum(job.completion_tokens for job in order.jobs)} tokens"
        finally:
            self.server.worker.cancel(order)

    def _body(self) -> bytes:
        kind = self.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        # Pages of other origins cannot send this type without asking first.
        if kind != "application/json":
            message = "Send JSON with Content-Type: application/json."
            raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, message)
        if self._unread > self.server.limits.body:
            message = f"The body may have {self.server.limits.body} bytes, not {self._unread}."
            status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            raise Refused(status, message, code="request_too_large")
        expected, self._unread = self._unread, 0
        body = self.rfile.read(expected)
        if len(body) < expected:
            raise ClientLeft
        return body

    # ---- answers ----

    def _events(self, order: Order) -> Iterator[Event]:
        """Yield the news of an order until all its answers have ended."""
        left = len(order.tickets)
        looked = time.monotonic()
        while left:
            event = order.next(_LOOK)
            if time.monotonic() - looked >= _LOOK:
                looked = time.monotonic()
                if has_left(self.connection):
                    raise ClientLeft
            if event is None:
                continue
            if event.refusal is not None:
                raise event.refusal
            left -= event.finish_reason is not None
            yield event

    def _send_whole(self, order: Order, request: Request, answer: Answer) -> None:
        texts, reasons = ([""] * len(request.prompts) for _ in range(2))
        for event in self._events(order):
            texts[event.choice] += event.text
            reasons[event.choice] = event.finish_reason or ""
        choices = list(zip(texts, reasons, strict=True))
        self._send_json(HTTPStatus.OK, answer.whole(choices, usage_of(order.jobs, request.n)))

    def _send_stream(self, order: Order, request: Request, answer: Answer) -> None:
        events = self._events(order)
        first = next(events)  # what fails before it is refused with a status
        self._begin_stream()
        try:
            self._send_events(*answer.begin(len(request.prompts)))
            for event in chain([first], events):
                if event.text:
                    self._send_events(answer.chunk(event.choice, event.text))
                if event.finish_reason is not None:
                    self._send_events(answer.chunk(event.choice, "", event.finish_reason))
            if request.include_usage:
                self._send_events(answer.end(usage_of(order.jobs, request.n)))
        except Refused as refused:
            self._send_events(refused.body)
        self._write_part(b"data: [DONE]\n\n")
        if self._is_chunked:
            self.wfile.write(b"0\r\n\r\n")

    def _begin_stream(self) -> None:
        self._is_chunked = self.request_version >= "HTTP/1.1"
        headers = {"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"}
        if self._is_chunked:
            headers["Transfer-Encoding"] = "chunked"
        else:
            self.close_connection = True
        self._send_head(HTTPStatus.OK, headers)

    def _send_events(self, *objects: dict[str, Any]) -> None:
        for one in objects:
            self._write_part(b"data: " + _written(one) + b"\n\n")

    def _write_part(self, part: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part) if self._is_chunked else part)

    def _refuse(self, refused: Refused) -> None:
        self._note = refused.code or ""
        self._send_json(refused.status, refused.body, refused.headers)

    def _send_json(
        self, status: HTTPStatus, answer: Any, headers: Mapping[str, str] | None = None
    ) -> None:
        kind = {"Content-Type": "application/json"}
        self._send(status, _written(answer), {**kind, **(headers or {})})

    def _send(self, status: HTTPStatus, body: bytes, headers: Mapping[str, str]) -> None:
        # A connection closed over unread bytes is reset, and the answer lost with it.
        if self._unread > _DRAINED:
            self.close_connection = True
        self.rfile.read(min(self._unread, _DRAINED))
        length = {} if status == HTTPStatus.NO_CONTENT else {"Content-Length": str(len(body))}
        self._send_head(status, {**headers, **length})
        if self.command != "HEAD":
            self.wfile.write(body)

    def _send_head(self, status: HTTPStatus, headers: Mapping[str, str]) -> None:
        self._status = int(status)
        if self.server.worker.is_closing:
            self.close_connection = True
        self.connection.settimeout(self.server.limits.write)
        self.send_response_only(status)
        self.send_header("Date", self.date_time_string())
        for name, value in {
            **_ALWAYS,
            **self.server.access.headers_for(self.headers),
            **headers,
        }.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()

    # ---- what http.server does by itself ----

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer what http.server refuses: a malformed request line, too many headers."""
        self.close_connection = True
        status = HTTPStatus(code)
        self._send_json(status, Refused(status, message or status.phrase).body)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet: requests are logged when they are answered."""


def _written(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
