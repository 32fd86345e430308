"""Copy events and reports: what was copied, by whom and why, grouped by line and by reason."""

from __future__ import annotations

import linecache
import os
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import IO, Any, NamedTuple

from strided._native import Layout


class CopiedElements(NamedTuple):
    """One side of a copy: how its elements lie, their dtype and device; as text all of them."""

    layout: Layout
    dtype: str
    device: str = "cpu"

    def __str__(self) -> str:
        where = "" if self.device == "cpu" else f" {self.device}"
        return f"{self.layout} {self.dtype}{where}"


@dataclass(frozen=True)
class CopyEvent:
    """One duplication of elements: why, how much, from and to which layout, and whose line it was.

    ``filename``, ``lineno`` and ``function`` are the user's; ``source`` and ``target`` have
    ``layout``, ``dtype`` and ``device``; ``asked_for`` is true where the call means "copy".

    >>> import strided
    >>> with strided.trace_copies() as report:
    ...     _ = strided.zeros(2, 3).T.contiguous()
    >>> event = report.events[0]
    >>> event.reason, event.nbytes, event.source.layout.strides, event.source.dtype
    ('contiguous', 24, (1, 3), 'float32')
    >>> print(event.source, "to", event.target)
    (3, 2):(1, 3)+0 float32 to (3, 2):(2, 1)+0 float32
    """

    reason: str
    nbytes: int
    asked_for: bool
    hint: str
    source: CopiedElements
    target: CopiedElements
    filename: str
    lineno: int
    function: str
    thread: str
    library: str = "strided"

    @property
    def line(self) -> str:
        """The user's file and line, the file relative to the working directory if it is below.

        >>> import strided
        >>> with strided.trace_copies() as report:
        ...     _ = strided.zeros(2).clone()
        >>> report.events[0].line.endswith(":2")
        True
        """
        name = self.filename
        try:
            here = os.getcwd() + os.sep
        except OSError:  # the directory is gone
            here = "\0"
        return f"{name[len(here) :] if name.startswith(here) else name}:{self.lineno}"

    @property
    def code(self) -> str:
        """The text of the user's line, empty where its file cannot be read.

        >>> import strided
        >>> with strided.trace_copies() as report:
        ...     _ = strided.zeros(2).clone()
        >>> report.events[0].code
        '_ = strided.zeros(2).clone()'
        """
        return linecache.getline(self.filename, self.lineno).strip()


@dataclass(frozen=True)
class CopyGroup:
    """Copies that have a line, or a reason, in common.

    >>> import strided
    >>> with strided.trace_copies() as report:
    ...     for _ in range(3):
    ...         _ = strided.zeros(2, 3).T.reshape(6)
    >>> group = report.by_reason()[0]
    >>> group.key, group.count, group.bytes
    ('reshape', 3, 72)
    """

    key: str
    count: int
    bytes: int
    hint: str
    reasons: tuple[str, ...]


class CopyReport:
    """The copies that a trace has seen. It prints itself as a table, by line and by reason.

    >>> import strided
    >>> with strided.trace_copies() as report:
    ...     _ = strided.zeros(2, 3).T.reshape(6)
    >>> report.count, report.bytes
    (1, 24)
    """

    def __init__(self, events: Iterable[CopyEvent] = ()) -> None:
        self._events = list(events)

    @property
    def events(self) -> list[CopyEvent]:
        """The copies in the order in which they were made.

        >>> import strided
        >>> strided.CopyReport().events
        []
        """
        return self._events

    @property
    def count(self) -> int:
        """How many copies there were.

        >>> import strided
        >>> strided.CopyReport().count
        0
        """
        return len(self._events)

    @property
    def bytes(self) -> int:
        """How many bytes they wrote.

        >>> import strided
        >>> strided.CopyReport().bytes
        0
        """
        return sum(event.nbytes for event in self._events)

    def add(self, event: CopyEvent) -> None:
        """Add a copy to the report.

        >>> import strided
        >>> with strided.trace_copies() as report:
        ...     _ = strided.zeros(2).clone()
        >>> report.add(report.events[0])
        >>> report.count
        2
        """
        self._events.append(event)

    def implicit(self) -> CopyReport:
        """Return a report of the copies that nobody asked for.

        >>> import strided
        >>> with strided.trace_copies() as report:
        ...     _ = strided.zeros(2, 3).T.clone().reshape(6)
        >>> report.count, report.implicit().count
        (2, 1)
        """
        return CopyReport(event for event in self._events if not event.asked_for)

    def by_line(self) -> list[CopyGroup]:
        """Return the copies of each line of the user's code, the line with most bytes first.

        >>> import strided
        >>> with strided.trace_copies() as report:
        ...     _ = strided.zeros(2).clone()
        ...     _ = strided.zeros(2, 3).T.clone().reshape(6)
        >>> [(group.count, group.bytes, group.reasons) for group in report.by_line()]
        [(2, 48, ('clone', 'reshape')), (1, 8, ('clone',))]
        """
        return self._grouped(lambda event: event.line)

    def by_reason(self) -> list[CopyGroup]:
        """Return the copies of each reason, the one with most bytes first.

        >>> import strided
        >>> with strided.trace_copies() as report:
        ...     _ = strided.zeros(2).clone()
        >>> [(group.key, group.count, group.hint) for group in report.by_reason()]
        [('clone', 1, 'drop the clone if nobody writes to the result')]
        """
        return self._grouped(lambda event: event.reason)

    def _grouped(self, key: Callable[[CopyEvent], str]) -> list[CopyGroup]:
        found: dict[str, list[CopyEvent]] = {}
        for event in self._events:
            found.setdefault(key(event), []).append(event)
        groups = [
            CopyGroup(
                name,
                len(events),
                sum(event.nbytes for event in events),
                "; ".join(dict.fromkeys(event.hint for event in events)),
                tuple(dict.fromkeys(event.reason for event in events)),
            )
            for name, events in found.items()
        ]
        return sorted(groups, key=lambda group: -group.bytes)

    # ---- other forms ----

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain lists, dicts, strings and numbers.

        >>> import strided
        >>> strided.CopyReport().to_dict()
        {'count': 0, 'bytes': 0, 'by_line': [], 'by_reason': [], 'events': []}
        """
        return {
            "count": self.count,
            "bytes": self.bytes,
            "by_line": [asdict(group) for group in self.by_line()],
            "by_reason": [asdict(group) for group in self.by_reason()],
            "events": [_fields(event) for event in self._events],
        }

    def to_json(self, indent: int | None = 2) -> str:
        """Return everything as JSON.

        >>> import json, strided
        >>> json.loads(strided.CopyReport().to_json())["count"]
        0
        """
        import json

        return json.dumps(self.to_dict(), indent=indent)

    def to_html(self) -> str:
        """Return a page that needs nothing else, for light and dark screens.

        >>> import strided
        >>> strided.CopyReport().to_html().startswith("<!doctype html>")
        True
        """
        from strided.copies.report_tables import page_of

        return page_of(self)

    def show(self, file: IO[str] | None = None) -> None:
        """Print the tables, in colour where rich is installed and the output is a terminal.

        >>> import strided
        >>> strided.CopyReport().show()
        no copies
        """
        try:
            from rich.console import Console
        except ImportError:
            print(self, file=file)
        else:
            Console(file=file).print(self)

    def __str__(self) -> str:
        from strided.copies.report_tables import text_of

        return text_of(self)

    def __repr__(self) -> str:
        return f"CopyReport({self.count} copies, {self.bytes} bytes)"

    def __rich__(self) -> Any:
        from strided.copies.report_tables import rich_of

        return rich_of(self)

    def _repr_html_(self) -> str:
        from strided.copies.report_tables import fragment_of

        return fragment_of(self)


def _fields(event: CopyEvent) -> dict[str, Any]:
    """Return the fields of an event as JSON can hold them: layouts as text."""
    return {**vars(event), "source": str(event.source), "target": str(event.target)}
