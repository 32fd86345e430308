"""The engine's thread: requests come to it by a queue, text goes back by calls.

Between two steps it takes up what has arrived. Jobs of all clients share each step, and one that is
given up leaves its place before the next. If the engine fails, the jobs at work fail with it, and
the next ones get a new engine.
"""

from __future__ import annotations

import queue
import threading
import traceback
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

import strided
from strided.web import Refused, bad_request, failure, shutting_down

if TYPE_CHECKING:
    from strided.llm import Engine, Job, Options, Piece


class Event(NamedTuple):
    """News of one answer, by its number: more text, its end, or why there will be none."""

    choice: int
    text: str = ""
    finish_reason: str | None = None
    refusal: Refused | None = None


class Ticket:
    """One prompt on its way through the engine."""

    def __init__(self, order: Order, index: int, tokens: Sequence[int], options: Options) -> None:
        self.order, self.index, self.tokens, self.options = order, index, tokens, options
        self.job: Job | None = None
        self.is_over = False


class Order:
    """The prompts of one request; ``tell`` is called with news of any of them."""

    def __init__(
        self,
        prompts: Sequence[tuple[Sequence[int], Options]],
        tell: Callable[[Event], None],
    ) -> None:
        self.tickets = [Ticket(self, i, *prompt) for i, prompt in enumerate(prompts)]
        self.tell = tell

    @property
    def jobs(self) -> list[Job]:
        """The jobs of the prompts that were begun."""
        return [ticket.job for ticket in self.tickets if ticket.job is not None]


class Worker:
    """The thread that owns an engine.

    ``capacity`` is how many prompts it takes on at once, those in line included.
    """

    def __init__(
        self,
        make_engine: Callable[[], Engine],
        capacity: int,
        report: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._make_engine, self._capacity, self._report = make_engine, capacity, report
        self._engine: Engine | None = make_engine()
        self.context: int = self._engine.context
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._tickets: dict[int, Ticket] = {}  # by number of job; of this thread only
        self._changed = threading.Condition()
        self._under_way = 0
        self._is_closing = self._is_over = False
        self._thread = threading.Thread(target=self._run, name="strided engine", daemon=True)
        self._thread.start()

    # ---- what any thread may call ----

    @property
    def under_way(self) -> int:
        """How many prompts are being answered or wait in line."""
        return self._under_way

    @property
    def is_closing(self) -> bool:
        """Whether no more prompts are taken."""
        return self._is_closing

    def submit(
        self,
        prompts: Sequence[tuple[Sequence[int], Options]],
        tell: Callable[[Event], None],
    ) -> Order:
        """Put prompts in line; raise Refused when the line is full.

        ``tell`` gets their news, on the engine's thread: it must not wait.
        """
        order = Order(prompts, tell)
        with self._changed:
            if self._is_closing:
                raise shutting_down()
            if self._under_way + len(prompts) > self._capacity:
                raise Refused(
                    HTTPStatus.TOO_MANY_REQUESTS,
                    f"{self._under_way} answers are under way or in line. Please try again later.",
                    code="rate_limit_exceeded",
                    headers={"Retry-After": "1"},
                )
            self._under_way += len(prompts)
            # Within the lock: what ends the thread comes after it in line.
            self._calls.put(lambda: self._begin(order))
        return order

    def cancel(self, order: Order) -> None:
        """Give up what is not done yet of an order."""
        self._calls.put(lambda: self._give_up(order))

    def drain(self, seconds: float) -> bool:
        """Take no more, and wait for what is under way; return whether it has ended."""
        with self._changed:
            self._is_closing = True
            return self._changed.wait_for(lambda: self._under_way == 0, timeout=seconds)

    def close(self) -> None:
        """Take no more, give up what is under way, end."""
        self.drain(0)
        self._calls.put(self._end)
        self._thread.join()

    # ---- the thread ----

    def _run(self) -> None:
        while not self._is_over:
            try:
                self._take_calls()
                if self._tickets and self._engine is not None:
                    for piece in self._engine.step():
                        self._deliver(piece)
                    if self._tickets and not self._engine.busy:
                        raise RuntimeError("the engine has stopped before its jobs ended")
            except Exception:
                fault = traceback.format_exc()
                self._fail()
                self._report(fault)

    def _take_calls(self) -> None:
        """Run what has arrived; with nothing else to do, wait for it."""
        if not self._tickets:
            self._calls.get()()
        while not self._calls.empty():
            self._calls.get()()

    def _begin(self, order: Order) -> None:
        for ticket in order.tickets:
            try:
                if self._engine is None:
                    self._engine = self._make_engine()
                ticket.job = self._engine.submit(ticket.tokens, ticket.options)
                self._tickets[ticket.job.id] = ticket
            except strided.InvalidArgument as error:
                self._close(ticket, refusal=bad_request(str(error), error.argument))
            except Exception:
                self._close(ticket, refusal=failure())
                self._report(traceback.format_exc())

    def _give_up(self, order: Order) -> None:
        for ticket in order.tickets:
            if not ticket.is_over and ticket.job is not None and self._engine is not None:
                self._engine.cancel(ticket.job)
                self._close(ticket, finish_reason="cancelled")

    def _deliver(self, piece: Piece) -> None:
        ticket = self._tickets.get(piece.job.id)
        if ticket is None:
            return
        if piece.finish_reason is not None:
            self._close(ticket, text=piece.text, finish_reason=piece.finish_reason)
        elif piece.text:
            ticket.order.tell(Event(ticket.index, piece.text))

    def _fail(self) -> None:
        """Tell everybody, and forget an engine of which nobody knows what state it is in."""
        self._engine = None
        for ticket in list(self._tickets.values()):
            self._close(ticket, refusal=failure())

    def _end(self) -> None:
        self._is_over = True
        for ticket in list(self._tickets.values()):
            self._close(ticket, refusal=shutting_down())
        self._engine = None

    def _close(
        self,
        ticket: Ticket,
        *,
        text: str = "",
        finish_reason: str | None = None,
        refusal: Refused | None = None,
    ) -> None:
        ticket.is_over = True
        if ticket.job is not None:
            self._tickets.pop(ticket.job.id, None)
        with self._changed:
            self._under_way -= 1
            self._changed.notify_all()
        ticket.order.tell(Event(ticket.index, text, finish_reason, refusal))
