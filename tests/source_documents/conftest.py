"""What all five documents claim about views: nothing is allocated, nothing is copied."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

import strided as st


def _copies() -> dict[str, int]:
    return {reason: total.count for reason, total in st.copy_totals().items()}


@contextmanager
def _nothing_moves() -> Iterator[None]:
    copies, heap = _copies(), st.memory.heap_facts().live_bytes
    yield
    assert _copies() == copies
    assert st.memory.heap_facts().live_bytes <= heap


@contextmanager
def _one_copy(reason: str, nbytes: int) -> Iterator[None]:
    before = st.copy_totals()
    yield
    after = st.copy_totals()
    assert {name for name in after if after[name] != before[name]} == {reason}
    assert after[reason].count - before[reason].count == 1
    assert after[reason].nbytes - before[reason].nbytes == nbytes


@pytest.fixture
def nothing_moves() -> Callable[[], AbstractContextManager[None]]:
    """A context that fails when a copy is logged or the heap holds more bytes after it.

    The heap counts storages above 4 KiB, so the tensors used with it are larger than that.
    """
    return _nothing_moves


@pytest.fixture
def one_copy() -> Callable[[str, int], AbstractContextManager[None]]:
    """A context that fails unless exactly one copy, of this reason and size, is logged."""
    return _one_copy
