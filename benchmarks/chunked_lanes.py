"""Where the chunks of one library are computed: two worker processes, or threads of this process.

Both libraries have workers of their own, so that memory which one of them keeps is not counted for
the other. A worker counts what it sends to other workers: every byte of every message, headers and
requests included, and nothing of what the scheduler is told.
"""

from __future__ import annotations

import ctypes
import gc
import logging
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WORKERS = 2
RELEASE = 0.05  # seconds until the workers have been told to forget the chunks of the last turn


@dataclass(frozen=True)
class Cost:
    """What one turn took: seconds, bytes between workers, memory.

    Memory is the most that a worker had on top of the chunks that it began with.
    """

    seconds: float
    moved: int
    peak: int


# ---- what runs in a worker ----

_sent = {"bytes": 0}


def count_sent_bytes(scheduler: str) -> None:
    """Count from now on what this process writes to anybody but the scheduler."""
    from distributed.comm.tcp import TCP

    write = TCP.write

    async def counted(self: Any, *args: Any, **options: Any) -> Any:
        written = await write(self, *args, **options)
        if self.peer_address != scheduler:
            _sent["bytes"] += written
        return written

    TCP.write = counted


def begin_anew(give_back: bool) -> tuple[int, int]:
    """Forget the high-water mark; return bytes sent, bytes in use.

    What nobody uses is given back to the system if that is asked for: memory can be compared then,
    but times cannot, as no allocator works that way.
    """
    gc.collect()
    if give_back:
        if "strided" in sys.modules:
            sys.modules["strided"].memory.release_kept_blocks()
        ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")
    return _sent["bytes"], _status("VmRSS")


def so_far() -> tuple[int, int]:
    """Return bytes sent, and the high-water mark of the memory."""
    return _sent["bytes"], _status("VmHWM")


def _status(key: str) -> int:
    text = Path("/proc/self/status").read_text()
    return 1024 * int(re.findall(rf"{key}:\s*(\d+)", text)[0])


# ---- the two places ----


class Threads:
    """The threads of this process, by dask's own scheduler.

    Both libraries are in it, and idle threads hold on to chunks: whose memory it is nobody can say.
    """

    def keep(self, array: Any) -> Any:
        """Return the array with its chunks computed."""
        return array.persist(scheduler="threads", num_workers=WORKERS)

    def value(self, array: Any) -> Any:
        """Return the result itself."""
        return array.compute(scheduler="threads", num_workers=WORKERS)

    def turn(self, work: Callable[[], Any], give_back: bool) -> Cost:
        """Build the graph and compute all of its chunks."""
        begin_anew(give_back)
        begin = time.perf_counter()
        kept = self.keep(work())
        took = time.perf_counter() - begin
        del kept
        return Cost(took, 0, 0)

    def close(self) -> None:
        """Nothing is to be closed."""


class Processes:
    """Two worker processes with one thread each, on this machine."""

    def __init__(self, memory_limit: str) -> None:
        from distributed import Client, LocalCluster

        logging.getLogger("distributed").setLevel(logging.ERROR)
        self._cluster = LocalCluster(
            n_workers=WORKERS,
            threads_per_worker=1,
            memory_limit=memory_limit,
            dashboard_address=None,
            silence_logs=logging.ERROR,
        )
        self._client = Client(self._cluster)
        self._client.run(count_sent_bytes, self._cluster.scheduler_address)

    def keep(self, array: Any) -> Any:
        """Return the array with its chunks computed, where they are."""
        from distributed import wait

        kept = self._client.persist(array)
        wait(kept)
        return kept

    def value(self, array: Any) -> Any:
        """Return the result itself."""
        return self._client.compute(array, sync=True)

    def turn(self, work: Callable[[], Any], give_back: bool) -> Cost:
        """Build the graph and compute all of its chunks, which stay where they are."""
        time.sleep(RELEASE)
        before = self._client.run(begin_anew, give_back)
        begin = time.perf_counter()
        kept = self.keep(work())
        took = time.perf_counter() - begin
        after = self._client.run(so_far)
        del kept
        moved = sum(after[name][0] - before[name][0] for name in after)
        return Cost(took, moved, max(after[name][1] - before[name][1] for name in after))

    def close(self) -> None:
        """Stop the workers."""
        self._client.close()
        self._cluster.close()
