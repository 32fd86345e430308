"""Copy events and reports: what was copied, by whom and why, grouped by line and by reason."""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import IO, Any, NamedTuple

from strided._native import Layout
from strided.text import shown_bytes


def shown_copies(count: int) -> str:
    """Return a number of copies in words.

    >>> shown_copies(1), shown_copies(2)
    ('1 copy', '2 copies')
    """
    return "1 copy" if count == 1 else f"{count} copies"


def cell_of(filename: str) -> str:
    """Return the name of a notebook's cell, ``In[3]``; empty for what is a file.

    >>> cell_of("program.py")
    ''
    """
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    named = getattr(getattr(shell, "compile", None), "format_code_name", lambda name: None)
    label = named(filename)
    return str(label[1]) if label else ""


def _shown_file(filename: str) -> str:
    try:
        here = os.getcwd() + os.sep
    except OSError:  # the directory is gone
        here = "\0"
    return cell_of(filename) or filename.removeprefix(here)


class CopiedElements(NamedTuple):
    """One side of a copy: how its elements lie, their dtype and device; as text all of them."""

    layout: Layout
    dtype: str
    device: str = "cpu"

    def __str__(self) -> str:
        where = "" if self.device == "cpu" else f" {self.device}"
        return f"{self.layout} {self.dtype}{where}"


@dataclass(frozen=True, repr=False)
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
        """The user's line: file (relative to the working directory if below it) or cell, number.

        >>> import strided
        >>> with strided.trace_copies() as report:
        ...     _ = strided.zeros(2).clone()
        >>> report.events[0].line.endswith(":2")
        True
        """
        return f"{_shown_file(self.filename)}:{self.lineno}"

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

    def __repr__(self) -> str:
        size = shown_bytes(self.nbytes)
        return f"{self.reason}, {size} at {self.line}: {self.source} to {self.target}"


@dataclass(frozen=True, repr=False)
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

    def __repr__(self) -> str:
        return f"{self.key}: {shown_copies(self.count)}, {shown_bytes(self.bytes)}"


class CopyReport:
    """The copies that a trace has seen. It prints itself as a table, by line and by reason.

    At the prompt it shows its first lines, in a notebook the tables.

    >>> import strided
    >>> with strided.trace_copies() as report:
    ...     _ = strided.zeros(2, 3).T.reshape(6)
    >>> report.count, report.bytes
    (1, 24)
    >>> print(repr(report).splitlines()[0])
    1 copy, 24 B (0 asked for)
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

    @property
    def headline(self) -> str:
        """The report in one line.

        >>> import strided
        >>> with strided.trace_copies() as report:
        ...     _ = strided.zeros(2).clone()
        >>> report.headline, strided.CopyReport().headline
        ('1 copy, 8 B (1 asked for)', 'no copies')
        """
        if not self.count:
            return "no copies"
        asked = self.count - self.implicit().count
        return f"{shown_copies(self.count)}, {shown_bytes(self.bytes)} ({asked} asked for)"

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

    def to_html(self, whole: bool = True) -> str:
        """Return a page that needs nothing else, for light and dark screens.

        ``whole=False`` gives only the element inside, with its style, for a page of one's own.

        >>> import strided
        >>> report = strided.CopyReport()
        >>> report.to_html().startswith("<!doctype html>"), report.to_html(whole=False)[:5]
        (True, '<div ')
        """
        from strided.copies.report_tables import page_of, section_of

        return page_of(self) if whole else section_of(self)

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
        from strided.copies.report_tables import summary_of

        return summary_of(self)

    def __rich__(self) -> Any:
        from strided.copies.report_tables import rich_of

        return rich_of(self)

    def _repr_html_(self) -> str:
        from strided.copies.report_tables import notebook_of

        return notebook_of(self)


def _fields(event: CopyEvent) -> dict[str, Any]:
    """Return the fields of an event as JSON can hold them: layouts as text."""
    return {**vars(event), "source": str(event.source), "target": str(event.target)}
