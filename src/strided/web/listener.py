"""Listening sockets and their connections: bind, serve in a thread, let answers finish, close.

uvicorn has no limits for clients that send or read slowly, and answers what is no HTTP as plain
text; its protocol class is extended by both.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
import socket
import sys
import threading
import traceback
from http import HTTPStatus
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from strided.web.access import Refused
from strided.web.guard import Site

_FULL = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_LINGER = 1.0  # seconds in which a client may read why it was refused
_ARRIVING = (h11.IDLE, h11.SEND_BODY)
_BACKLOG = 128
_LAST_WORDS = 5  # seconds for answers that are being sent when the server ends


class SiteConfig(uvicorn.Config):
    """uvicorn's configuration of a site."""

    def __init__(self, app: Any, site: Site, **options: Any) -> None:
        super().__init__(
            app,
            http=Connection,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            # Longer heads end in an error of the parser; the guard refuses long ones by their kind.
            h11_max_incomplete_event_size=1 << 17,
            **options,
        )
        self.site = site


class Connection(H11Protocol):
    """One connection, within the limits of its site."""

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        assert isinstance(config, SiteConfig)
        self._site = config.site
        self._reading: asyncio.TimerHandle | None = None
        self._writing: asyncio.TimerHandle | None = None
        self._has_begun = False  # a request has begun to arrive, and is not complete
        self._is_over = False

    # ---- what asyncio calls ----

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, unless there are too many."""
        is_full = len(self.connections) >= self._site.limits.connections
        super().connection_made(transport)
        # Whatever the system does not take at once counts as waiting for the client.
        transport.set_write_buffer_limits(high=0)
        if is_full:
            self._is_over = True
            transport.write(_FULL)
            transport.close()
        else:
            self._expect(self._site.limits.idle)

    def data_received(self, data: bytes) -> None:
        """Take what has arrived; a whole request has to be there in time, whatever its pieces."""
        if self._is_over:
            return
        if not self._has_begun:
            self._has_begun = True
            self._expect(self._site.limits.message)
        super().data_received(data)
        if self._is_over or (self.conn.their_state in _ARRIVING and self._is_pending()):
            return
        self._has_begun = False
        if self.conn.their_state is h11.IDLE:
            self._expect(self._site.limits.idle)
        else:
            self._expect(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clocks."""
        self._expect(None)
        self._stop_writing()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Give the client time to take what was sent."""
        super().pause_writing()
        self._stop_writing()
        self._writing = self.loop.call_later(self._site.limits.write, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: everything was taken."""
        self._stop_writing()
        super().resume_writing()

    # ---- what uvicorn calls ----

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP."""
        error = sys.exc_info()[1]
        status = HTTPStatus(getattr(error, "error_status_hint", HTTPStatus.BAD_REQUEST))
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
            if cycle.response_started:
                self.transport.abort()
                return
        self._site.log(f"{(self.client or ('-',))[0]} - {int(status)}")
        self._end_with(Refused(status, f"{status.phrase}: {error or msg}"))

    # ---- its own ----

    def _is_pending(self) -> bool:
        """Return whether a part of a request is there."""
        return self.conn.their_state is h11.SEND_BODY or bool(self.conn.trailing_data[0])

    def _end_with(self, refused: Refused) -> None:
        """Refuse, and take what still comes for a while: over unread bytes the answer is lost."""
        self._is_over = True
        response, common = self._site.refusal(refused), self._site.headers_for(Headers())
        headers = [
            *self.server_state.default_headers,
            *response.raw_headers,
            *((name.encode(), value.encode()) for name, value in common.items()),
            (b"Connection", b"close"),
        ]
        status = int(refused.status)
        head = h11.Response(status_code=status, headers=headers, reason=refused.status.phrase)
        for event in (head, h11.Data(data=bytes(response.body)), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.flow.resume_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._expect(_LINGER)

    def _expect(self, seconds: float | None) -> None:
        """Give up the connection after so long, unless something else is expected by then."""
        if self._reading is not None:
            self._reading.cancel()
        later = self.loop.call_later
        self._reading = None if seconds is None else later(seconds, self.transport.abort)

    def _stop_writing(self) -> None:
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None


class Listener:
    """A bound socket, ready for clients; ``serve_forever`` answers them, ``close`` ends it.

    Raises OSError where the address cannot be used. Port 0 is any free one.
    """

    def __init__(self, app: Starlette, site: Site, host: str, port: int) -> None:
        family, _, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        try:
            if os.name == "posix":  # elsewhere it would let two servers share a port
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind(where)
            self._socket.listen(_BACKLOG)
        except OSError:
            self._socket.close()
            raise
        name = self._socket.getsockname()
        self.host, self.port = str(name[0]), int(name[1])
        self._report = site.report
        idle: Any = site.limits.idle  # uvicorn says int and takes any number
        self._server = uvicorn.Server(
            SiteConfig(
                app,
                site,
                backlog=_BACKLOG,
                timeout_keep_alive=idle,
                timeout_graceful_shutdown=_LAST_WORDS,
            )
        )
        self._loop: asyncio.AbstractEventLoop | None = None
        self._state = threading.Lock()
        self._is_running = self._is_closed = False
        self._has_begun, self._has_ended = threading.Event(), threading.Event()

    @property
    def url(self) -> str:
        """The address, without a path."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return ipaddress.ip_address(self.host.partition("%")[0]).is_loopback

    @property
    def connections(self) -> int:
        """How many clients are connected."""
        return len(self._server.server_state.connections)

    def serve_forever(self) -> None:
        """Answer requests until ``close`` is called from another thread, or Ctrl-C."""
        with self._state:
            if self._is_closed:
                return
            self._is_running = True
        try:
            asyncio.run(self._serve())
        finally:
            with self._state:
                self._is_running = False
                self._is_closed = True
            self._socket.close()
            self._has_begun.set()
            self._has_ended.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(self._tell)
        self._has_begun.set()
        await self._server.serve(sockets=[self._socket])
        for connection in list(self._server.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)  # in which they end

    def _tell(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        lines = traceback.format_exception(error) if error else [str(context.get("message"))]
        self._report("".join(lines))

    def stop_listening(self) -> None:
        """Accept nobody any more; connections that are open stay."""
        with self._state:
            self._is_closed, was_closed = True, self._is_closed
            is_running = self._is_running
        if was_closed:
            return
        if not is_running:
            self._socket.close()
            return
        self._has_begun.wait()
        with contextlib.suppress(RuntimeError):  # it has ended meanwhile
            assert self._loop is not None
            asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()

    async def _stop(self) -> None:
        while not self._server.started:
            await asyncio.sleep(0.01)
        for one in self._server.servers:
            one.close()

    def close(self) -> None:
        """End: answers that are being sent have a few seconds. May be called twice."""
        self.stop_listening()
        with self._state:
            is_running = self._is_running
        if is_running:
            self._server.should_exit = True
            self._has_ended.wait()
