"""OpenAI's endpoints: chat and plain completions, streams, models, health; and their server.

Every refusal is an object as OpenAI words it, whatever was wrong. Once a client has left, its place
in the engine is free at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import strided
from strided import web
from strided.llm.server.answer import Answer, error_object, model_object, usage_of
from strided.llm.server.request import Request as Asked
from strided.llm.server.request import Served, read_request, unknown_model
from strided.llm.server.worker import Event, Order, Worker
from strided.web import (
    Access,
    ClientDisconnect,
    Receive,
    Refused,
    Request,
    Response,
    Route,
    Scope,
    Send,
    Site,
    json_response,
    run_in_threadpool,
)

if TYPE_CHECKING:
    from strided.llm import Engine, Options, Tokenizer

_ALWAYS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
_FOR_WATCHERS = frozenset({"/health"})  # whoever watches over the server has no key
_STREAM = {"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"}


@dataclass(frozen=True)
class Limits(web.Limits):
    """What a server takes on, beside the limits of every server.

    ``waiting`` counts answers in line beside those being written, ``choices`` the answers of one
    request.

    >>> Limits(waiting=8).waiting
    8
    """

    waiting: int = 64
    choices: int = 16


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
        self._limits = limits or Limits()
        self._created = int(time.time())
        self._access = Access(origins=frozenset(origins), api_key=api_key, open_paths=_FOR_WATCHERS)
        self.worker = Worker(make_engine, sequences + self._limits.waiting, report)
        choices = self._limits.choices
        self._served = Served(name, tokenizer, self.worker.context, options, choices)
        site = Site(
            check=self._check,
            describe=error_object,
            limits=self._limits,
            headers_for=lambda headers: {**_ALWAYS, **self._access.headers_for(headers)},
            is_closing=lambda: self.worker.is_closing,
            log=log,
            report=report,
        )
        routes = [
            Route("/health", self._health),
            Route("/v1/models", self._models),
            Route("/v1/models/{name:path}", self._model),
            Route("/v1/chat/completions", self._endpoint(chat=True), methods=["POST"]),
            Route("/v1/completions", self._endpoint(chat=False), methods=["POST"]),
        ]
        app = web.application(
            site, routes, not_found=_no_address, not_allowed=self._answer_to_method
        )
        try:
            self._listener = web.Listener(app, site, host, port)
        except OSError as error:
            self.worker.close()
            raise strided.InvalidArgument(
                argument="address",
                got=f"{host}, port {port}",
                requirement=f"cannot be used ({error.strerror or error}); port 0 is any free one",
            ) from error
        if not self._listener.is_local:
            self._access = replace(self._access, names=None)

    @property
    def url(self) -> str:
        """The address of the API, as clients take it."""
        return f"{self._listener.url}/v1"

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return self._listener.is_local

    @property
    def connections(self) -> int:
        """How many clients are connected."""
        return self._listener.connections

    def serve_forever(self) -> None:
        """Answer requests until ``close`` is called from another thread."""
        self._listener.serve_forever()

    def drain(self, seconds: float) -> bool:
        """Accept nobody any more and let answers finish; return whether all have."""
        self._listener.stop_listening()
        return self.worker.drain(seconds)

    def close(self) -> None:
        """End at once: whoever still waits is told so. May be called twice."""
        self.drain(0)
        self.worker.close()
        self._listener.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- what may be asked ----

    def _check(self, request: Request) -> None:
        self._access.check(request.method, request.scope["path"], request.headers)

    def _answer_to_method(self, request: Request, allowed: str) -> Refused | Response:
        if request.method == "OPTIONS" and self._access.origins:
            return Response(status_code=HTTPStatus.NO_CONTENT)
        return Refused(
            HTTPStatus.METHOD_NOT_ALLOWED,
            f"Not allowed to {request.method} on {_path_of(request)}.",
            code="method_not_supported",
            headers={"Allow": allowed},
        )

    async def _health(self, request: Request) -> Response:
        if self.worker.is_closing:
            return json_response({"status": "shutting down"}, HTTPStatus.SERVICE_UNAVAILABLE)
        return json_response({"status": "ok"})

    async def _models(self, request: Request) -> Response:
        model = model_object(self._served.name, self._created)
        return json_response({"object": "list", "data": [model]})

    async def _model(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name != self._served.name:
            raise unknown_model(name)
        return json_response(model_object(name, self._created))

    def _endpoint(self, *, chat: bool) -> _Completions:
        return _Completions(self._served, self.worker, self._limits, chat)


def _path_of(request: Request) -> str:
    """Return the path as it was sent."""
    return str(request.scope["raw_path"].decode("latin-1"))


def _no_address(request: Request) -> Refused:
    message = f"Invalid URL ({request.method} {_path_of(request)})"
    return Refused(HTTPStatus.NOT_FOUND, message, code="unknown_url")


class _Completions:
    """The endpoint of completions, chat or plain: an ASGI application."""

    def __init__(self, served: Served, worker: Worker, limits: Limits, chat: bool) -> None:
        self._served, self._worker, self._limits = served, worker, limits
        self._chat = chat

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        given = await web.json_body(request, self._limits.body)
        # Long prompts take a while to be cut into tokens; others go on meanwhile.
        asked = await run_in_threadpool(read_request, given, self._served, chat=self._chat)
        answer = Answer(self._served.name, chat=self._chat, include_usage=asked.include_usage)
        news = _News()
        order = self._worker.submit(asked.prompts, news.tell)
        watcher = asyncio.create_task(news.watch(receive))
        try:
            events = news.events(order)
            if asked.stream:
                await _send_stream(send, _chunks(events, answer, asked, order))
            else:
                whole = await _whole(events, answer, asked, order)
                await whole(scope, receive, send)
            written = sum(job.completion_tokens for job in order.jobs)
            request.state.note = f"{written} tokens"
        finally:
            watcher.cancel()
            self._worker.cancel(order)


class _News:
    """Events of an order on their way from the engine's thread to the event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[Event | None] = asyncio.Queue()
        self._has_left = False

    def tell(self, event: Event) -> None:
        """Add an event, from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._queue.put_nowait, event)

    async def watch(self, receive: Receive) -> None:
        """Wait until the client has left."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self._has_left = True
        self._queue.put_nowait(None)  # for whoever waits

    async def events(self, order: Order) -> AsyncIterator[Event]:
        """Yield what happens to an order until all its answers have ended."""
        left = len(order.tickets)
        while left:
            event = await self._queue.get()
            if event is None or self._has_left:
                raise ClientDisconnect
            if event.refusal is not None:
                raise event.refusal
            left -= event.finish_reason is not None
            yield event


async def _whole(
    events: AsyncIterator[Event], answer: Answer, asked: Asked, order: Order
) -> Response:
    texts, reasons = ([""] * len(asked.prompts) for _ in range(2))
    async for event in events:
        texts[event.choice] += event.text
        reasons[event.choice] = event.finish_reason or ""
    choices = list(zip(texts, reasons, strict=True))
    return json_response(answer.whole(choices, usage_of(order.jobs, asked.n)))


async def _chunks(
    events: AsyncIterator[Event], answer: Answer, asked: Asked, order: Order
) -> AsyncIterator[dict[str, Any]]:
    """Yield the objects of a stream; what fails before the first is refused with a status."""
    has_begun = False
    try:
        async for event in events:
            for one in () if has_begun else answer.begin(len(asked.prompts)):
                yield one
            has_begun = True
            if event.text:
                yield answer.chunk(event.choice, event.text)
            if event.finish_reason is not None:
                yield answer.chunk(event.choice, "", event.finish_reason)
        if asked.include_usage:
            yield answer.end(usage_of(order.jobs, asked.n))
    except Refused as refused:
        if not has_begun:
            raise
        yield error_object(refused)


async def _send_stream(send: Send, objects: AsyncIterator[dict[str, Any]]) -> None:
    """Send server-sent events as they come."""
    has_begun = False
    async for one in objects:
        if not has_begun:
            headers = [(name.lower().encode(), value.encode()) for name, value in _STREAM.items()]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            has_begun = True
        await send(_server_sent(web.json_bytes(one)))
    await send(_server_sent(b"[DONE]"))
    await send({"type": "http.response.body"})


def _server_sent(data: bytes) -> dict[str, Any]:
    body = b"data: " + data + b"\n\n"
    return {"type": "http.response.body", "body": body, "more_body": True}
