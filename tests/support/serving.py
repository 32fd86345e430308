"""A server on the fake model, and raw requests to it."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any

from support.fake_llm import FakeEngine, FakeModel, FakeTokenizer, answer_to

from strided.llm import Options, chat_prompt
from strided.llm.server import Server

JSON = {"Content-Type": "application/json"}


class Serving:
    """A server that runs in a thread, with the engines that it made."""

    def __init__(
        self, *, context: int = 2048, sequences: int = 4, delay: float = 0.0, **options: Any
    ) -> None:
        self.engines: list[FakeEngine] = []
        self.lines: list[str] = []
        self.faults: list[str] = []

        def make_engine() -> FakeEngine:
            model = FakeModel(tokenizer=FakeTokenizer())
            engine = FakeEngine(model, context=context, sequences=sequences)
            engine.delay = delay
            self.engines.append(engine)
            return engine

        options.setdefault("options", Options(temperature=0.0))
        self.server = Server(
            make_engine,
            FakeTokenizer(),
            "fake",
            sequences=sequences,
            log=self.lines.append,
            report=self.faults.append,
            **options,
        )
        parts = urllib.parse.urlsplit(self.server.url)
        self.host, self.port = parts.hostname, parts.port
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self.host, self.port, timeout=30)

    def ask(
        self,
        path: str,
        body: Any = None,
        headers: dict[str, str] | None = None,
        method: str | None = None,
    ) -> tuple[int, Any, http.client.HTTPMessage]:
        """Return status, answer (parsed if it is JSON) and headers."""
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        with contextlib.closing(self.connect()) as connection:
            method = method or ("GET" if body is None else "POST")
            connection.request(method, path, sent, {**(JSON if sent else {}), **(headers or {})})
            response = connection.getresponse()
            text = response.read()
            is_json = response.headers.get("Content-Type") == "application/json"
            answer = json.loads(text) if is_json and text else text
            return response.status, answer, response.headers

    def complete(self, prompt: Any, **fields: Any) -> tuple[int, Any]:
        return self.ask("/v1/completions", {"model": "fake", "prompt": prompt, **fields})[:2]

    def chat(self, text: str, **fields: Any) -> tuple[int, Any]:
        messages = [{"role": "user", "content": text}]
        body = {"model": "fake", "messages": messages, **fields}
        return self.ask("/v1/chat/completions", body)[:2]

    def stream(self, path: str, body: Any) -> list[Any]:
        """Return the objects of a stream, the last of which is "[DONE]"."""
        status, text, headers = self.ask(path, {**body, "stream": True})
        assert status == 200, text
        assert headers["Content-Type"].startswith("text/event-stream")
        events = text.decode().split("\n\n")
        assert events.pop() == ""
        assert all(event.startswith("data: ") for event in events)
        found = [event.removeprefix("data: ") for event in events]
        return [*map(json.loads, found[:-1]), found[-1]]


@contextlib.contextmanager
def serving(**options: Any) -> Iterator[Serving]:
    """Run a server for a while."""
    running = Serving(**options)
    try:
        yield running
    finally:
        running.server.close()
        running.thread.join(10)
        assert not running.thread.is_alive()


def until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


def text_of(prompt: str, **options: Any) -> str:
    return answer_to(list(prompt.encode()), **{"temperature": 0.0, **options})


def chat_text_of(prompt: str, **options: Any) -> str:
    messages = [{"role": "user", "content": prompt}]
    return text_of(chat_prompt(FakeTokenizer(), messages), **options)


def raw(fake: Serving, sent: bytes, seconds: float = 20.0) -> bytes:
    """Send bytes and return all that comes back until the connection is closed."""
    with socket.create_connection((fake.host, fake.port), timeout=seconds) as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(sent)
        answer = b""
        with contextlib.suppress(ConnectionError):
            while part := connection.recv(65536):
                answer += part
        return answer


GET = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
POST = b"POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
