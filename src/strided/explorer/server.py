"""How does the page reach a browser on this machine, and nobody else?

The server listens on 127.0.0.1 alone. Every address holds a random token, compared in constant
time; the Host header must name this server, so that no foreign name can be pointed at it; a POST
must be JSON from the page itself. What can be asked for is a fixed list: a few files of the
package and questions, none of which runs code that came in.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import secrets
import sys
import threading
import urllib.parse
import webbrowser
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Any

from strided import InvalidArgument, StridedError
from strided.explorer.questions import QUESTIONS, Refused

USUAL_PORT = 8794  # one address from day to day, so that the browser remembers progress
MAX_BODY = 16 * 1024
_MAX_DRAINED = 1 << 20

_FILES = {
    "": ("index.html", "text/html; charset=utf-8"),
    "style.css": ("style.css", "text/css; charset=utf-8"),
    "app.js": ("app.js", "text/javascript; charset=utf-8"),
    "draw.js": ("draw.js", "text/javascript; charset=utf-8"),
    "next.js": ("next.js", "text/javascript; charset=utf-8"),
    "exercises.js": ("exercises.js", "text/javascript; charset=utf-8"),
    "icon.svg": ("icon.svg", "image/svg+xml"),
}

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    server_version = "strided"
    sys_version = ""
    default_request_version = "HTTP/1.0"  # what cannot be read is refused with headers, too
    timeout = 20  # seconds until a silent connection is closed
    _unread: int | None = None  # bytes of the body that are still to come

    def _respond(self) -> None:
        length = self.headers.get("Content-Length", "")
        known = length.isascii() and length.isdigit() and len(length) < 10
        self._unread = int(length) if known else None
        try:
            self._check_sender()
            name, given = self._asked()
            if self.command == "GET" and name in _FILES:
                file, kind = _FILES[name]
                page = resources.files(__package__) / "pages" / file
                self._send(HTTPStatus.OK, page.read_bytes(), kind)
                return
            question = QUESTIONS.get((self.command, name))
            if question is None:
                known = name in _FILES or any(name == other for _, other in QUESTIONS)
                status = HTTPStatus.METHOD_NOT_ALLOWED if known else HTTPStatus.NOT_FOUND
                raise Refused(status, status.phrase)
            if self.command == "POST":
                given = self._body()
            self._send_json(HTTPStatus.OK, question(given))
        except Refused as refused:
            self._send_json(refused.status, {"error": str(refused)})
        except StridedError as error:
            self._send_json(HTTPStatus.BAD_REQUEST, {"error": str(error)})

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = _respond

    def _check_sender(self) -> None:
        """Refuse requests under another name than our own: DNS rebinding, other pages."""
        port = self.server.server_address[1]
        hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        if self.headers.get_all("Host", []) not in [[host] for host in hosts]:
            raise Refused(HTTPStatus.FORBIDDEN, "the Host header does not name this server")
        origin = self.headers.get("Origin")
        if origin is not None and origin not in {f"http://{host}" for host in hosts}:
            raise Refused(HTTPStatus.FORBIDDEN, "the request comes from another page")

    def _asked(self) -> tuple[str, dict[str, Any]]:
        """Return the name behind the token, and the query."""
        path, _, query = self.path.partition("?")
        before, token, name, *_ = [*path.split("/"), "", "", ""]
        sent = token.encode("utf-8", "surrogateescape")
        is_ours = hmac.compare_digest(sent, self.server.token.encode())
        if before or path.count("/") != 2 or not is_ours:
            raise Refused(HTTPStatus.NOT_FOUND, HTTPStatus.NOT_FOUND.phrase)
        try:
            pairs = urllib.parse.parse_qsl(query, keep_blank_values=True, max_num_fields=8)
        except ValueError:
            raise Refused(HTTPStatus.BAD_REQUEST, "the query has too many fields") from None
        return name, dict(pairs)

    def _body(self) -> dict[str, Any]:
        kind = self.headers.get("Content-Type", "").partition(";")[0].strip()
        if kind != "application/json":
            raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "the body must be application/json")
        if self._unread is None:
            raise Refused(HTTPStatus.LENGTH_REQUIRED, HTTPStatus.LENGTH_REQUIRED.phrase)
        if self._unread > MAX_BODY:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"at most {MAX_BODY} bytes")
        body, self._unread = self.rfile.read(self._unread), 0
        try:
            given = json.loads(body)
        except (ValueError, RecursionError):
            raise Refused(HTTPStatus.BAD_REQUEST, "the body is no JSON") from None
        if not isinstance(given, dict):
            raise Refused(HTTPStatus.BAD_REQUEST, "the body must be an object")
        return given

    def _send_json(self, status: HTTPStatus, answer: Any) -> None:
        body = json.dumps(answer, separators=(",", ":")).encode()
        self._send(status, body, "application/json")

    def _send(self, status: HTTPStatus, body: bytes, kind: str) -> None:
        # A connection closed over unread bytes is reset, and the answer lost with it.
        self.rfile.read(min(self._unread or 0, _MAX_DRAINED))
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        if status == HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", "GET, POST")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer what http.server itself refuses (a malformed request line, an unknown method)."""
        self._send_json(HTTPStatus(code), {"error": HTTPStatus(code).phrase})

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet: addresses hold the token."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.token = secrets.token_urlsafe(24)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle is no news; anything else is."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


class ExplorerServer:
    """The explorer's server, bound but not running yet. Its address is ``url``.

    >>> with make_server() as server:
    ...     server.url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(self, port: int = 0) -> None:
        if not 0 <= port <= 65535:
            raise InvalidArgument(argument="port", got=str(port), requirement="must be 0 to 65535")
        try:
            self._server = _Server(port)
        except OSError as error:
            raise InvalidArgument(
                argument="port",
                got=str(port),
                requirement=f"cannot be used ({error.strerror}); port 0 takes any free one",
            ) from error
        self._state = threading.Lock()
        self._is_running = self._is_closed = False

    @property
    def url(self) -> str:
        """The address of the page, token included."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/{self._server.token}/"

    def serve_forever(self) -> None:
        """Answer requests until ``close`` is called from another thread."""
        with self._state:
            if self._is_closed:
                return
            self._is_running = True
        try:
            self._server.serve_forever(poll_interval=0.1)
        finally:
            self._is_running = False

    def close(self) -> None:
        """Stop answering and give the port back. May be called twice."""
        with self._state:
            self._is_closed, was_closed = True, self._is_closed
        if not was_closed:
            if self._is_running:
                self._server.shutdown()
            self._server.server_close()

    def __enter__(self) -> ExplorerServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def make_server(port: int = 0) -> ExplorerServer:
    """Return a server for the explorer page; port 0 takes any free one.

    >>> server = make_server()
    >>> server.close()
    """
    return ExplorerServer(port)


def page_url(url: str, expression: str = "") -> str:
    """Return the address of the page with an expression filled in.

    >>> page_url("http://127.0.0.1:1/t/", "arange(6)[::2]")
    'http://127.0.0.1:1/t/#e=arange%286%29%5B%3A%3A2%5D'
    """
    return f"{url}#e={urllib.parse.quote(expression, safe='')}" if expression else url


def serve(port: int = 0, open_browser: bool = True, expression: str = "") -> None:
    """Serve the explorer page on this machine until Ctrl-C, and open it in a browser.

    Port 0 is the usual port, or any free one where that is taken.
    """
    with contextlib.ExitStack() as stack:
        try:
            server = stack.enter_context(make_server(port or USUAL_PORT))
        except InvalidArgument:
            if port:
                raise
            server = stack.enter_context(make_server(0))
        url = page_url(server.url, expression)
        print(f"strided explorer: {url}\nPress Ctrl-C to stop.", flush=True)
        if open_browser:
            webbrowser.open(url)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()
    print("stopped", flush=True)
