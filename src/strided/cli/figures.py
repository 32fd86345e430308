"""Performance figures: how fast a model wrote, and how near that is to what memory allows.

Writing a token reads every weight once. Bytes read per second, over the read bandwidth that is
measured beside it, say how much of the floor is reached.
"""

from __future__ import annotations

import contextlib
import math
import sys
import time
from dataclasses import asdict, dataclass
from typing import Any

import strided
from strided.text import shown_bytes

_PROBE_BYTES = 1 << 29  # beyond any cache
_PROBE_ROUNDS = 5


@dataclass(frozen=True)
class Figures:
    """What was read and written, in which time; None is what could not be measured."""

    model: str
    load_seconds: float
    prompt_tokens: int
    cached_tokens: int
    prefill_tokens: int
    prefill_seconds: float
    completion_tokens: int
    decode_tokens: int
    decode_seconds: float
    bytes_per_token: int
    copies_per_token: float | None
    peak_rss: int | None
    read_bandwidth: float | None

    @property
    def prefill_rate(self) -> float | None:
        """Tokens read per second."""
        return self.prefill_tokens / self.prefill_seconds if self.prefill_seconds else None

    @property
    def decode_rate(self) -> float | None:
        """Tokens written per second."""
        return self.decode_tokens / self.decode_seconds if self.decode_seconds else None

    @property
    def floor_percent(self) -> float | None:
        """How much of the read bandwidth is used by reading weights."""
        if self.decode_rate is None or not self.read_bandwidth:
            return None
        return 100 * self.bytes_per_token * self.decode_rate / self.read_bandwidth

    def to_dict(self) -> dict[str, Any]:
        """Return all figures, with what follows from them."""
        rates = ("prefill_rate", "decode_rate", "floor_percent")
        return {**asdict(self), **{name: getattr(self, name) for name in rates}}

    def __str__(self) -> str:
        cached = f" ({self.cached_tokens} known)" if self.cached_tokens else ""
        parts = [
            f"load {self.load_seconds:.2f} s",
            f"prompt {self.prompt_tokens}{cached}{_rate(self.prefill_rate)}",
            f"answer {self.completion_tokens}{_rate(self.decode_rate)}",
        ]
        if self.floor_percent is not None:
            parts.append(f"{self.floor_percent:.0f} % of memory floor")
        if self.copies_per_token is not None:
            parts.append(f"{self.copies_per_token:.3g} copies/token")
        if self.peak_rss is not None:
            parts.append(f"peak {shown_bytes(self.peak_rss)}")
        return " | ".join(parts)


def _rate(tokens: float | None) -> str:
    return "" if tokens is None else f" at {tokens:.1f} tok/s"


def copies_so_far() -> int:
    """Return how many copies there were in this process.

    >>> before = copies_so_far()
    >>> _ = strided.zeros(3).clone()
    >>> copies_so_far() - before
    1
    """
    return sum(total.count for total in strided.copy_totals().values())


def peak_rss() -> int | None:
    """Return the most bytes of memory that this process has had; None where that is not told.

    >>> peak_rss() is None or peak_rss() > 1 << 20
    True
    """
    # getrusage would begin with the peak of whoever started this process.
    with contextlib.suppress(OSError), open("/proc/self/status", encoding="ascii") as facts:
        for line in facts:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def read_bandwidth() -> float | None:
    """Return how many bytes per second are read from memory now; None if there is none to spare.

    >>> read_bandwidth() > 1e8
    True
    """
    try:
        # Zeros would be one page that is never written, read again and again.
        x = strided.ones(_PROBE_BYTES // 4)
    except strided.OutOfMemory:
        return None
    best = math.inf
    for _ in range(_PROBE_ROUNDS + 1):
        begin = time.perf_counter()
        x.amax()
        best = min(best, time.perf_counter() - begin)
    return _PROBE_BYTES / best
