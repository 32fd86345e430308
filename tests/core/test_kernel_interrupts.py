"""Long maps, products, layers and searches notice a signal."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.interrupts import PATIENCE, seconds_to_stop

import strided
from strided import Tensor, _native, nn, quantized

if not hasattr(signal, "setitimer"):
    pytest.skip("there are no timers", allow_module_level=True)

# Overlapping windows and repeated elements: little memory, and a second or more per operation.
BASE = strided.ones(2**23 + 2**13)
WINDOWS = BASE.as_strided((2**23, 2**13), (1, 1))
FALSE = (BASE != BASE).as_strided((2**22, 2**13), (1, 1))


def repeated(number: complex, *shape: int, dtype: Any = None) -> Tensor:
    return strided.tensor([number], dtype=dtype).expand(*shape)


def systems(count: int) -> Tensor:
    return (strided.eye(8) * 2).reshape(1, 8, 8).expand(count, 8, 8)


def channel_gradients(x: Tensor) -> object:
    known = strided.ones(x.shape[1], dtype=strided.float64)
    return _native.channel_norm_gradients(x, x, None, known, known, 1e-5, False)


def heads(queries: int, keys: int) -> tuple[Tensor, Tensor]:
    return strided.ones(1, queries, 64), strided.ones(1, keys, 64)


def numbers(below: int, count: int) -> Tensor:
    return strided.tensor(np.random.default_rng(1).integers(0, below, count))


FUSED = strided.fuse(lambda x: (x * 2).exp().sum())

# Operands, and what is done to them.
CASES: dict[str, tuple[Callable[[], tuple[Any, ...]], Callable[..., object]]] = {
    "lgamma": (lambda: (repeated(2.3, 2**26, dtype=strided.float64),), lambda x: x.lgamma()),
    "complex power": (lambda: (repeated(2 + 1j, 2**25),), lambda x: x ** (1.5 + 1j)),
    "fused": (lambda: (WINDOWS,), FUSED),
    "product": (lambda: (strided.ones(6000, 6000),), lambda x: x @ x),
    "product of integers": (lambda: (repeated(1, 4000, 4000),), lambda x: x @ x),
    "complex product": (lambda: (repeated(1j, 4000, 4000),), lambda x: x @ x),
    "matrix times vector": (lambda: (WINDOWS, strided.ones(2**13)), lambda x, y: x @ y),
    "vector times matrix": (lambda: (strided.ones(2**23), WINDOWS), lambda x, y: x @ y),
    "inner product": (lambda: (repeated(1.0, 2**35),), lambda x: x @ x),
    "einsum": (lambda: (WINDOWS,), lambda x: strided.einsum("ij,ij->i", x, x)),
    "solve": (lambda: (systems(2**22),), lambda x: strided.linalg.solve(x, x[:, :, :1])),
    "det": (lambda: (systems(2**24),), strided.linalg.det),
    "quantized product": (
        lambda: (strided.ones(8192, 4096), quantized.quantize(strided.ones(4096, 4096), "Q4_0")),
        nn.functional.linear,
    ),
    "cross entropy": (
        lambda: (WINDOWS, strided.zeros(2**23, dtype=strided.int64)),
        nn.functional.cross_entropy,
    ),
    "attention": (
        lambda: heads(2**14, 2**16),
        lambda q, k: nn.functional.scaled_dot_product_attention(q, k, k),
    ),
    "attention backward": (
        lambda: heads(2**13, 2**14),
        lambda q, k: _native.attention_gradients(q, q, k, k, None, False, None),
    ),
    "max pool": (
        lambda: (strided.ones(1, 8, 256, 256),),
        lambda x: nn.functional.max_pool2d(x, 101, stride=1),
    ),
    "layer norm backward": (
        lambda: (WINDOWS,),
        lambda x: _native.norm_gradients(x, x, None, 1e-5, True, False, True),
    ),
    "batch norm backward": (
        lambda: (BASE.as_strided((2**12, 8, 2**20), (1, 2**10, 1)),),
        channel_gradients,
    ),
    "batch norm of adjacent channels backward": (
        lambda: (BASE.as_strided((2**22, 2**13), (1, 1)),),
        channel_gradients,
    ),
    "searchsorted": (
        lambda: (strided.arange(2**23), numbers(2**23, 2**24)),
        strided.searchsorted,
    ),
    "nonzero": (lambda: (FALSE,), lambda x: x.nonzero()),
    "elements at a mask": (lambda: (WINDOWS[: 2**22], FALSE), lambda x, mask: x[mask]),
}


@pytest.mark.parametrize("threads", [1, 2], indirect=True)
@pytest.mark.parametrize("name", CASES)
def test_kernels(name: str, threads: int) -> None:
    make, run = CASES[name]
    operands = make()
    assert seconds_to_stop(lambda: run(*operands)) < PATIENCE * threads
    assert bool((BASE == 1).all())
