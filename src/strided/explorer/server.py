"""The explorer's web server: a page for this machine, and for nobody else.

The server listens on 127.0.0.1 alone. Every address holds a random token, compared in constant
time; the Host header must name this server, so that no foreign name can be pointed at it; a POST
must be JSON from the page itself. What can be asked for is a fixed list: a few files of the
package and questions, none of which runs code that came in.
"""

from __future__ import annotations

import contextlib
import secrets
import urllib.parse
import webbrowser
from collections.abc import Callable
from dataclasses import asdict
from http import HTTPStatus
from importlib import resources
from typing import Any

import strided
from strided import InvalidArgument, StridedError, web
from strided.explorer import exercises
from strided.explorer.steps import EXAMPLES, evaluate
from strided.web import (
    Access,
    Limits,
    Refused,
    Request,
    Response,
    Route,
    Site,
    bad_request,
    json_response,
    run_in_threadpool,
)

USUAL_PORT = 8794  # one address from day to day, so that the browser remembers progress
MAX_BODY = 16 * 1024
_MAX_FIELDS = 8
_SILENCE = 20.0  # seconds

_FILES = {
    "": ("index.html", "text/html; charset=utf-8"),
    "style.css": ("style.css", "text/css; charset=utf-8"),
    **{
        f"{name}.js": (f"{name}.js", "text/javascript; charset=utf-8")
        for name in (
            *("served", "app", "chain", "next", "exercises"),
            *("stage", "cells", "arrows", "light", "dom"),
        )
    },
    "icon.svg": ("icon.svg", "image/svg+xml"),
}

_HEADERS = {
    "Server": "strided",
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


# ---- what the page can ask: plain data comes in and goes out ----


def _text(given: dict[str, Any], name: str) -> str:
    value = given.get(name, "")
    if not isinstance(value, str):
        raise bad_request(f"{name} must be text")
    return value


def _evaluate(given: dict[str, Any]) -> Any:
    return evaluate(_text(given, "expression")).to_dict()


def _start(given: dict[str, Any]) -> Any:
    examples = [{"title": title, "expression": chain} for title, chain in EXAMPLES]
    return {"version": strided.__version__, "examples": examples, **exercises.listing()}


def _exercise(given: dict[str, Any]) -> Any:
    return asdict(exercises.question_of(_text(given, "id")))


def _answer(given: dict[str, Any]) -> Any:
    answer = given.get("answer")
    if not isinstance(answer, dict):
        raise bad_request("answer must be an object")
    return asdict(exercises.check(_text(given, "id"), answer))


_QUESTIONS: dict[str, tuple[list[str], Callable[[dict[str, Any]], Any]]] = {
    "evaluate": (["GET", "POST"], _evaluate),
    "start": (["GET"], _start),
    "exercise": (["GET"], _exercise),
    "answer": (["POST"], _answer),
}


def _route_of_file(name: str) -> Route:
    file, kind = _FILES[name]
    page = resources.files("strided.explorer") / "pages" / file

    async def send(request: Request) -> Response:
        return Response(page.read_bytes(), headers={"Content-Type": kind})

    return Route(f"/{{token}}/{name}", send, methods=["GET"])


def _route_of_question(name: str) -> Route:
    methods, question = _QUESTIONS[name]

    async def send(request: Request) -> Response:
        is_post = request.method == "POST"
        given = await web.json_body(request, MAX_BODY) if is_post else _query(request)
        try:
            return json_response(await run_in_threadpool(question, given))
        except StridedError as error:
            raise bad_request(str(error)) from None

    return Route(f"/{{token}}/{name}", send, methods=methods)


def _query(request: Request) -> dict[str, str]:
    query = request.scope["query_string"].decode("latin-1")
    try:
        pairs = urllib.parse.parse_qsl(query, keep_blank_values=True, max_num_fields=_MAX_FIELDS)
    except ValueError:
        raise bad_request("the query has too many fields") from None
    return dict(pairs)


def _plain(status: HTTPStatus) -> Refused:
    allow = {"Allow": "GET, POST"} if status == HTTPStatus.METHOD_NOT_ALLOWED else {}
    return Refused(status, status.phrase, headers=allow)


# ---- the server ----


class ExplorerServer:
    """The explorer's server, bound but not running yet. Its address is ``url``.

    >>> with make_server() as server:
    ...     server.url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(self, port: int = 0) -> None:
        if not 0 <= port <= 65535:
            raise InvalidArgument(argument="port", got=str(port), requirement="must be 0 to 65535")
        self._token = secrets.token_urlsafe(24)
        site = Site(
            check=self._check,
            describe=lambda refused: {"error": str(refused)},
            limits=Limits(body=MAX_BODY, message=_SILENCE, idle=_SILENCE, write=_SILENCE),
            headers_for=lambda headers: _HEADERS,
        )
        app = web.application(
            site,
            [*map(_route_of_file, _FILES), *map(_route_of_question, _QUESTIONS)],
            not_found=lambda request: _plain(HTTPStatus.NOT_FOUND),
            not_allowed=lambda request, allowed: _plain(HTTPStatus.METHOD_NOT_ALLOWED),
        )
        try:
            self._listener = web.Listener(app, site, "127.0.0.1", port)
        except OSError as error:
            raise InvalidArgument(
                argument="port",
                got=str(port),
                requirement=f"cannot be used ({error.strerror}); port 0 takes any free one",
            ) from error
        names = frozenset({"127.0.0.1", "localhost"})
        bound = self._listener.port
        origins = frozenset(f"http://{name}:{bound}" for name in names)
        self._access = Access(names, bound, origins)

    def _check(self, request: Request) -> None:
        """Refuse requests without the token, from other pages, of other methods."""
        path: str = request.scope["raw_path"].decode("latin-1")
        self._access.check(request.method, path, request.headers)
        before, token, name, *_ = [*path.split("/"), "", "", ""]
        is_ours = web.is_same_secret(token, self._token)
        if before or path.count("/") != 2 or not is_ours:
            raise _plain(HTTPStatus.NOT_FOUND)
        is_known = name in _FILES or name in _QUESTIONS
        if is_known and request.method not in ("GET", "POST"):
            raise _plain(HTTPStatus.METHOD_NOT_ALLOWED)

    @property
    def url(self) -> str:
        """The address of the page, token included."""
        return f"{self._listener.url}/{self._token}/"

    @property
    def host(self) -> str:
        """The address that is listened to."""
        return self._listener.host

    def serve_forever(self) -> None:
        """Answer requests until ``close`` is called from another thread."""
        self._listener.serve_forever()

    def close(self) -> None:
        """Stop answering and give the port back. May be called twice."""
        self._listener.close()

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
