"""How fast it went: tokens read, tokens written, and how much memory a token has to read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Stats:
    """Counts and seconds of the steps of an engine.

    >>> import strided.llm as llm
    >>> stats = llm.Stats(bytes_per_token=1000)
    >>> stats.add(read=0, written=2, seconds=0.5)
    >>> stats.decode_rate, stats.read_rate
    (4.0, 2000.0)
    """

    bytes_per_token: int
    load_seconds: float = 0.0
    prefill_tokens: int = 0
    prefill_seconds: float = 0.0
    decode_tokens: int = 0
    decode_seconds: float = 0.0
    decode_steps: int = 0

    def add(self, read: int, written: int, seconds: float) -> None:
        """Count a step. One that also reads a prompt is counted as reading only.

        >>> import strided.llm as llm
        >>> stats = llm.Stats(1000)
        >>> stats.add(read=8, written=1, seconds=0.5)
        >>> stats.prefill_tokens, stats.decode_tokens
        (8, 0)
        """
        if read:
            self.prefill_tokens += read
            self.prefill_seconds += seconds
        else:
            self.decode_tokens += written
            self.decode_seconds += seconds
            self.decode_steps += 1

    @property
    def prefill_rate(self) -> float:
        """Tokens read per second.

        >>> import strided.llm as llm
        >>> llm.Stats(1000, prefill_tokens=8, prefill_seconds=2.0).prefill_rate
        4.0
        """
        return self.prefill_tokens / self.prefill_seconds if self.prefill_seconds else 0.0

    @property
    def decode_rate(self) -> float:
        """Tokens written per second.

        >>> import strided.llm as llm
        >>> llm.Stats(1000, decode_tokens=8, decode_seconds=2.0).decode_rate
        4.0
        """
        return self.decode_tokens / self.decode_seconds if self.decode_seconds else 0.0

    @property
    def read_rate(self) -> float:
        """Bytes of weights read per second while writing.

        >>> import strided.llm as llm
        >>> llm.Stats(1000, decode_steps=8, decode_seconds=2.0).read_rate
        4000.0
        """
        steps, seconds = self.decode_steps, self.decode_seconds
        return self.bytes_per_token * steps / seconds if seconds else 0.0
