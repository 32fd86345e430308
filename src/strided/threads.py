"""Number of threads of the kernels."""

from __future__ import annotations

import operator

from strided import _native
from strided.errors import InvalidArgument

__all__ = ["get_num_threads", "set_num_threads"]


def get_num_threads() -> int:
    """Return how many threads a kernel may use, the calling one included.

    It begins as ``STRIDED_NUM_THREADS`` from the environment, or else the number of processors that
    the process may run on, or that the quota of its container grants (rounded up). Where the system
    gives fewer threads, kernels work with those.

    >>> import strided
    >>> strided.get_num_threads() >= 1
    True
    """
    return _native.thread_count()


def set_num_threads(count: int) -> None:
    """Let kernels use ``count`` threads from now on; 1 keeps all work on the caller.

    >>> import strided
    >>> strided.set_num_threads(strided.get_num_threads())
    """
    wanted = operator.index(count)
    if not 1 <= wanted < 2**31:
        raise InvalidArgument(
            argument="count", got=str(wanted), requirement="must be a number of threads, 1 or more"
        )
    _native.set_thread_count(wanted)
