"""What both web servers share: limits of connections, access, the missing extra, the listener."""

from __future__ import annotations

import contextlib
import doctest
import http.client
import importlib
import subprocess
import sys
import threading
import unittest.mock
import urllib.parse
from collections.abc import Callable
from typing import Any

import pytest
from support.serving import until

from strided import web
from strided.web.listener import Connection, SiteConfig

HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\n"


@pytest.mark.parametrize("name", ["access", "guard"])
def test_examples_run(name):
    result = doctest.testmod(importlib.import_module(f"strided.web.{name}"))
    assert result.attempted > 0
    assert result.failed == 0


# ---- slow clients: the clocks of a connection ----


class Clock:
    """A loop that only keeps what is to be called later, and a transport that only says its end."""

    def __init__(self) -> None:
        self.timers: list[tuple[float, Callable[[], None]]] = []
        self.is_aborted = False

    def call_later(self, seconds: float, call: Callable[[], None]) -> Any:
        timer = (seconds, call)
        self.timers.append(timer)
        return type("Handle", (), {"cancel": lambda _: self.timers.remove(timer)})()

    def create_task(self, coroutine: Any) -> Any:
        coroutine.close()
        return unittest.mock.Mock()

    def get_extra_info(self, name: str) -> None:
        return None

    def abort(self) -> None:
        self.is_aborted = True

    def close(self) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def set_write_buffer_limits(self, high: int) -> None:
        assert high == 0

    @property
    def waits(self) -> list[float]:
        return [seconds for seconds, _ in self.timers]


@pytest.fixture
def connection():
    from uvicorn.server import ServerState

    limits = web.Limits(idle=60, message=20, write=30)
    site = web.Site(check=lambda request: None, describe=lambda refused: {}, limits=limits)
    config = SiteConfig(lambda *_: None, site)
    clock: Any = Clock()
    made = Connection(config, ServerState(), {}, clock)
    made.connection_made(clock)
    yield made, clock
    made.connection_lost(None)
    assert clock.timers == []


def test_a_byte_now_and_then_is_not_enough(connection):
    made, clock = connection
    assert clock.waits == [60]
    made.data_received(HEAD[:1])
    (timer,) = clock.timers
    assert timer[0] == 20
    for byte in HEAD[1:] + b"{}":
        made.data_received(bytes([byte]))
        assert clock.timers == [timer], "the clock began anew"
    timer[1]()
    assert clock.is_aborted


def test_a_whole_request_stops_the_clock(connection):
    made, clock = connection
    made.data_received(HEAD + b"{")
    assert clock.waits == [20]
    made.data_received(b" }")
    assert clock.waits == []


def test_whoever_does_not_read_is_left(connection):
    made, clock = connection
    made.pause_writing()
    assert clock.waits == [60, 30]
    made.resume_writing()
    assert clock.waits == [60]
    made.pause_writing()
    clock.timers[-1][1]()
    assert clock.is_aborted


# ---- a site ----


@pytest.fixture
def site():
    """A server whose only page echoes JSON; faults and lines of its log."""
    lines: list[str] = []
    faults: list[str] = []

    async def echo(request: web.Request) -> web.Response:
        if request.method == "GET":
            raise RuntimeError("a fault")
        return web.json_response(await web.json_body(request, 100))

    made = web.Site(
        check=lambda request: None,
        describe=lambda refused: {"no": str(refused)},
        log=lines.append,
        report=faults.append,
    )
    app = web.application(
        made,
        [web.Route("/", echo, methods=["GET", "POST"])],
        not_found=lambda request: web.bad_request("where?"),
        not_allowed=lambda request, allowed: web.bad_request(f"how? {allowed}"),
    )
    listener = web.Listener(app, made, "127.0.0.1", 0)
    thread = threading.Thread(target=listener.serve_forever)
    thread.start()
    yield listener, lines, faults
    listener.close()
    thread.join(10)
    assert not thread.is_alive()


def ask(listener: web.Listener, method: str, path: str = "/", body: bytes | None = None) -> Any:
    netloc = urllib.parse.urlsplit(listener.url).netloc
    with contextlib.closing(http.client.HTTPConnection(netloc, timeout=20)) as connection:
        connection.request(method, path, body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, response.read()


def test_requests_and_refusals(site):
    listener, lines, faults = site
    assert ask(listener, "POST", body=b'{"a": 1}') == (200, b'{"a":1}')
    assert ask(listener, "POST", body=b" " * 101)[0] == 413
    assert ask(listener, "GET", "/other") == (400, b'{"no":"where?"}')
    assert ask(listener, "PUT") == (400, b'{"no":"how? GET, POST"}')
    assert faults == []
    until(lambda: len(lines) == 4)
    assert "'POST /' 200 " in lines[0]
    assert lines[1].endswith("request_too_large")


def test_a_fault_is_reported_and_not_told(site):
    listener, _, faults = site
    assert ask(listener, "GET") == (500, b'{"no":"The server had an error while answering."}')
    (fault,) = faults
    assert "RuntimeError: a fault" in fault


def test_text_that_utf8_does_not_have():
    assert web.json_response({"a": "\ud800"}).body == b'{"a":"?"}'


def test_it_ends_before_it_has_begun():
    site = web.Site(check=lambda request: None, describe=lambda refused: {})
    app = web.application(site, [], not_found=Any, not_allowed=Any)
    listener = web.Listener(app, site, "127.0.0.1", 0)
    thread = threading.Thread(target=listener.serve_forever)
    thread.start()
    listener.close()  # whether the thread has come so far or not
    thread.join(10)
    assert not thread.is_alive()


# ---- what has to be installed ----


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
@pytest.mark.parametrize(
    "program", ["from strided.explorer import serve", "from strided.llm.server import Server"]
)
def test_a_missing_package_is_named(missing, program):
    lines = f"""
import sys
sys.modules[{missing!r}] = None
import strided, strided.llm, strided.explorer.steps
try:
    {program}
except strided.MissingExtra as error:
    assert error.package == {missing!r}, error.package
    assert 'pip install "strided[serve]"' in str(error)
else:
    raise SystemExit("it was imported")
"""
    run = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
