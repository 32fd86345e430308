"""Listening sockets: bind, serve in a thread, let answers finish, close."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
import socket
import threading
import traceback
from typing import Any

import uvicorn
from starlette.applications import Starlette

from strided.web.connection import SiteConfig
from strided.web.guard import Site

_BACKLOG = 128
_LAST_WORDS = 5  # seconds for answers that are being sent when the server ends


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
