"""Where does a server listen, and how does it end? Sockets, threads, a clean close."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import socketserver
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from http.server import ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import strided
from strided.llm.server.access import Access
from strided.llm.server.handler import Handler
from strided.llm.server.limits import Limits
from strided.llm.server.request import Served
from strided.llm.server.timed_reader import hang_up
from strided.llm.server.worker import Worker

if TYPE_CHECKING:
    from strided.llm import Engine, Options, Tokenizer

_FULL = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_LAST_WORDS = 5.0  # seconds for answers that are being sent when the engine has ended


class Listener(ThreadingHTTPServer):
    """The socket that connections come in by, and what their handlers share."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(
        self,
        address: tuple[str, int],
        served: Served,
        worker: Worker,
        limits: Limits,
        api_key: str | None,
        origins: Iterable[str],
        log: Callable[[str], None],
        report: Callable[[str], None],
    ) -> None:
        self.served, self.worker, self.limits = served, worker, limits
        self.log, self.report = log, report
        self.created = int(time.time())
        self._changed = threading.Condition()
        self._connections: set[Any] = set()
        self._at_work = 0
        family, _, _, _, where = socket.getaddrinfo(*address, type=socket.SOCK_STREAM)[0]
        self.address_family = family
        super().__init__((str(where[0]), int(where[1])), Handler)
        is_local = ipaddress.ip_address(str(where[0]).partition("%")[0]).is_loopback
        self.access = Access(api_key, frozenset(origins), is_local)

    def server_bind(self) -> None:
        """Bind without asking for the machine's name, which may take seconds."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    @contextlib.contextmanager
    def at_work(self) -> Iterator[None]:
        """Count a request while it is answered."""
        with self._changed:
            self._at_work += 1
        try:
            yield
        finally:
            with self._changed:
                self._at_work -= 1
                self._changed.notify_all()

    def wait_for_answers(self, seconds: float) -> None:
        """Wait until everything was sent, but not longer."""
        with self._changed:
            self._changed.wait_for(lambda: self._at_work == 0, timeout=seconds)

    def hang_up(self) -> None:
        """Close all connections."""
        with self._changed:
            for connection in self._connections:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    # ---- what socketserver calls ----

    def process_request(self, request: Any, client_address: Any) -> None:
        """Give a connection its thread, unless there are too many."""
        with self._changed:
            is_full = len(self._connections) >= self.limits.connections
            if not is_full:
                self._connections.add(request)
        if is_full:
            with contextlib.suppress(OSError):
                request.settimeout(0)
                request.send(_FULL)
            self.close_request(request)
        else:
            super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection and forget it."""
        hang_up(request)
        with self._changed:
            self._connections.discard(request)
        self.close_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report what is no news of a client that went away."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            self.report(traceback.format_exc())


class Server:
    """An OpenAI-compatible server, bound and ready; ``serve_forever`` answers, ``close`` ends it.

    ``make_engine`` is called once, and again should an engine fail. ``options`` hold for requests
    that do not say otherwise. ``log`` is told of every request, ``report`` of faults.
    """

    def __init__(
        self,
        make_engine: Callable[[], Engine],
        tokenizer: Tokenizer,
        name: str,
        *,
        options: Options,
        sequences: int = 1,
        host: str = "127.0.0.1",
        port: int = 0,
        api_key: str | None = None,
        origins: Iterable[str] = (),
        limits: Limits | None = None,
        log: Callable[[str], None] = lambda line: None,
        report: Callable[[str], None] = lambda text: print(text, file=sys.stderr),
    ) -> None:
        limits = limits or Limits()
        self.worker = Worker(make_engine, sequences + limits.waiting, report)
        served = Served(name, tokenizer, self.worker.context, options, limits.choices)
        try:
            self._listener = Listener(
                (host, port), served, self.worker, limits, api_key, origins, log, report
            )
        except OSError as error:
            self.worker.close()
            raise strided.InvalidArgument(
                argument="address",
                got=f"{host}, port {port}",
                requirement=f"cannot be used ({error.strerror or error}); port 0 is any free one",
            ) from error
        self._state = threading.Lock()
        self._is_running = self._is_closed = False

    @property
    def url(self) -> str:
        """The address of the API, as clients take it."""
        host, port = map(str, self._listener.server_address[:2])
        return f"http://{f'[{host}]' if ':' in host else host}:{port}/v1"

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return self._listener.access.is_local

    def serve_forever(self) -> None:
        """Answer requests until ``drain`` or ``close`` is called from another thread."""
        with self._state:
            if self._is_closed:
                return
            self._is_running = True
        self._listener.serve_forever(poll_interval=0.1)

    def drain(self, seconds: float) -> bool:
        """Accept nobody any more and let answers finish; return whether all have."""
        with self._state:
            self._is_closed, was_closed = True, self._is_closed
        if not was_closed:
            if self._is_running:
                self._listener.shutdown()
            self._listener.server_close()
        return self.worker.drain(seconds)

    def close(self) -> None:
        """End at once: whoever still waits is told so. May be called twice."""
        self.drain(0)
        self.worker.close()
        self._listener.wait_for_answers(_LAST_WORDS)
        self._listener.hang_up()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
