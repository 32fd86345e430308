"""Long reductions and scans notice a signal, and leave their operand as it was."""

from __future__ import annotations

import signal
from collections.abc import Callable

import pytest
from support.interrupts import PATIENCE, seconds_to_stop

import strided
from strided import Tensor

if not hasattr(signal, "setitimer"):
    pytest.skip("there are no timers", allow_module_level=True)

pytestmark = pytest.mark.parametrize("threads", [1, 2], indirect=True)

# Overlapping windows: 2**36 elements of 32 MB, some seconds and more for any operation.
BASE = strided.ones(2**23 + 2**13)
WINDOWS = BASE.as_strided((2**23, 2**13), (1, 1))
COLUMNS: dict[str, Callable[[Tensor], object]] = {
    "sum": lambda x: x.sum(0),
    "prod": lambda x: x.prod(0),
    "amax": lambda x: x.amax(0),
    "argmax": lambda x: x.argmax(0),
    "aminmax": lambda x: x.aminmax(dim=0),
    "var": lambda x: x.var(0),
    "logsumexp": lambda x: x.logsumexp(0),
    "norm": lambda x: x.norm(dim=0),
    "norm of order 3": lambda x: x.norm(3, dim=0),
    "all": lambda x: x.all(0),
    "count_nonzero": lambda x: x.count_nonzero(0),
    "nansum": lambda x: strided.nansum(x, axis=0),
    "sum of rows": lambda x: x.T.sum(0),
    "var of everything": lambda x: x.var(),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_reductions(name: str, threads: int) -> None:
    # A block of columns at once would take seconds.
    assert seconds_to_stop(lambda: COLUMNS[name](WINDOWS)) < PATIENCE * threads
    assert bool((BASE == 1).all())


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "cummax"])
@pytest.mark.parametrize("shape", [(2**25,), (2**20, 2**5), (2**5, 2**20)])
def test_scans(name: str, shape: tuple[int, ...], threads: int) -> None:
    x = strided.ones(1, dtype=strided.uint8).expand(*shape)
    assert seconds_to_stop(lambda: getattr(x, name)(0)) < PATIENCE * threads
    assert x.sum() == 2**25
