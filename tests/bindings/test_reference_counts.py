"""No call keeps a reference or memory it should not, whether it succeeds or fails."""

from __future__ import annotations

import contextlib
import gc
import pickle
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import strided
from strided import memory

# Large enough that every fresh storage is counted.
X = strided.arange(2048, dtype=strided.float32).reshape(4, 16, 32)
Y = strided.ones(4, 16, 32)
FROZEN = strided.frombuffer(bytes(8192)).view(4, 16, 32)
A = np.zeros((4, 16, 32), "float32")
B = bytearray(8192)
MASK = X > 100
ROWS = strided.tensor([0, 2])
SHAPE, AXES, KEY, LIST = (32, 64), (2, 0, 1), (slice(1, 3), None, ..., -1), [[1.5, 2.5]]
DTYPE = strided.int64
NAMES = {"dim": 1, "index": 0}
COMPLEX = strided.ones(4, 16, 32, dtype=strided.complex64)
WATCHED = (X, X.base, Y, FROZEN, A, B, MASK, ROWS, COMPLEX, SHAPE, AXES, KEY, LIST, LIST[0], DTYPE)
WATCHED += (X.shape, X.dtype, strided.Tensor, strided.DType, strided.Layout, NAMES)

CALLS: dict[str, Callable[[], Any]] = {
    # attributes
    "shape": lambda: (X.shape, X.ndim, X.size, X.dtype, X.device, X.nbytes, X.itemsize),
    "strides": lambda: (X.strides, X.stride(), X.stride(1), X.byte_strides, X.byte_offset),
    "base": lambda: (X.base, X.is_view, X.writable, X._version, X.bytes_kept_alive),
    "layout": lambda: (X.layout, X.layout.permuted(AXES), X.storage(), X.storage()[3]),
    "origin": lambda: [strided._native.storage_origin(x) for x in (X, FROZEN, strided.asarray(A))],
    # views
    "mT": lambda: X.mT,
    "T": lambda: X[0].T,
    "index": lambda: (X[0], X[-1], X[KEY], X[ROWS[0]], X[np.int64(1)], X[1:], X[..., ::-2]),
    "select": lambda: (X.select(0, 1), X.select(**NAMES)),
    "narrow": lambda: X.narrow(2, 3, 5),
    "permute": lambda: (X.permute(AXES), X.permute(2, 0, 1), X.transpose(0, 1), X.movedim(0, 2)),
    "flip": lambda: (X.flip(), X.flip(0), X.flip((0, 1)), X.rot90()),
    "reshape": lambda: (X.reshape(SHAPE), X.view(SHAPE), X.view(-1), X.flatten(), X.flatten(1)),
    "reshape with a copy": lambda: X.mT.reshape(SHAPE),
    "squeeze": lambda: (X.unsqueeze(0).squeeze(), X[:1].squeeze(0), X.squeeze((0, 1))),
    "expand": lambda: (X[0].expand(7, 16, 32), X.broadcast_to((2, 4, 16, 32))),
    "as_strided": lambda: X.as_strided((3, 3), (5, 7), 11),
    "unfold": lambda: X.unfold(2, 4, 2),
    "diagonal": lambda: X.diagonal(1, 1, 2),
    "pieces": lambda: (X.split(3, 2), X.split([1, 31], 2), X.unbind(1), X.chunk(3), list(X)),
    "view as dtype": lambda: (X.view(DTYPE), X.view(strided.uint8), COMPLEX.real, COMPLEX.imag),
    "own layout": lambda: X.view().unsqueeze_(0).squeeze_().transpose_(0, 1),
    "rank 12": lambda: X.view((1,) * 9 + X.shape).permute(tuple(range(11, -1, -1))),
    # elements
    "arithmetic": lambda: (X + Y, X - 1, 2 * X, X / Y, -X, X == Y, X @ Y.mT, abs(X), X**2),
    "arithmetic with NumPy": lambda: X + A,
    "functions": lambda: (X.exp(), strided.add(X, 1), strided.where(MASK, X, 0), X.clamp(0, 1)),
    "in place": lambda: (Y.fill_(1), Y.add_(X), Y.copy_(X), Y.zero_(), Y.__iadd__(1)),
    "out=": lambda: (strided.add(X, 1, out=Y), X.exp(out=Y)),
    "overlap": lambda: Y[0, 1:].copy_(Y[0, :-1]),
    "assign": lambda: (Y.__setitem__(0, 5), Y.__setitem__(KEY, 1), Y.__setitem__(0, A[0])),
    "gather": lambda: (X[MASK], X[ROWS], X[[0, 1]], X[:, ROWS, 0]),
    "scatter": lambda: (Y.__setitem__(MASK, 1), Y.__setitem__(ROWS, 2.0)),
    "reductions": lambda: (X.sum(), X.sum(0), X.max(1), X.mean((0, 2)), X.argmax(), X.cumsum(0)),
    "nonzero": lambda: strided.nonzero(MASK),
    "numbers": lambda: (X[0, 0, 3].item(), X.item(0, 0, 3), float(X[0, 0, 0]), bool(X[0, 0, 0])),
    "tolist": lambda: X[0].tolist(),
    "flat": lambda: X.flat(77),
    "text": lambda: repr(X[0, :2, :2]),
    "convert": lambda: (X.to(DTYPE), X.astype(DTYPE), X.bfloat16(), X.contiguous(), X.clone()),
    "memory formats": lambda: X.contiguous(memory_format=AXES),
    "questions": lambda: (strided.shares_memory(X, X[0]), X.is_contiguous(), X in (X,), hash(X)),
    # making
    "fresh": lambda: (
        strided.empty(SHAPE),
        strided.zeros(32, 64),
        strided.ones(SHAPE, dtype=DTYPE),
    ),
    "fresh in order": lambda: strided.empty(SHAPE, memory_format=(1, 0), dtype=DTYPE),
    "lists": lambda: (strided.tensor(LIST), strided.tensor([X[0], X[1]]), strided.asarray(2.5)),
    "join": lambda: (strided.concat([X, Y]), strided.stack([X, Y], axis=1)),
    "range": lambda: (strided.arange(2000), strided.linspace(0, 1, 2000)),
    # exchange
    "from NumPy": lambda: (strided.from_numpy(A), strided.asarray(A.T), strided.tensor(A)),
    "to NumPy": lambda: (X.numpy(), np.asarray(X.mT), np.array(X), X.bfloat16().numpy()),
    "buffers": lambda: (memoryview(X), bytes(X), strided.frombuffer(B), strided.asarray(B)),
    "DLPack": lambda: (X.__dlpack__(), X.__dlpack__(max_version=(1, 0)), np.from_dlpack(X)),
    "from DLPack": lambda: (
        strided.from_dlpack(A),
        strided.from_dlpack(X),
        strided.from_dlpack(A.T),
    ),
    "pickle": lambda: pickle.loads(pickle.dumps(X[0])),
    "subclass": lambda: strided.Tensor(X),
    # refusals
    "bad index": lambda: X[7],
    "bad key": lambda: X["a"],
    "bad indices": lambda: X[0, 0, 0, 0],
    "bad gather": lambda: X[[0, 9]],
    "bad scatter": lambda: Y.__setitem__([0, 9], 1),
    "bad mask": lambda: X[MASK[0]],
    "bad dim": lambda: X.select(5, 0),
    "bad axes": lambda: X.permute(0, 0, 1),
    "bad view": lambda: X.mT.view(SHAPE),
    "bad shape": lambda: X.reshape(5, 7),
    "bad expand": lambda: X.expand(4, 5, 32),
    "bad bounds": lambda: X.as_strided((3000,), (1,)),
    "bad split": lambda: X.split([1, 2]),
    "bad keyword": lambda: X.select(dim=0, place=0),
    "bad count": lambda: X.narrow(0),
    "bad integer": lambda: X.narrow(0, "a", 1),
    "bad dtype": lambda: X.to("int17"),
    "bad view dtype": lambda: X.mT.view(strided.complex128),
    "bad operand": lambda: strided.add(X, object()),
    "bad op dtype": lambda: X & X,
    "bad broadcast": lambda: X + ROWS,
    "bad out": lambda: strided.add(X, X, out=Y[0]),
    "bad write": lambda: FROZEN.add_(1),
    "bad overlap": lambda: X[0].expand(2, 16, 32).fill_(1),
    "bad value": lambda: Y.fill_(1j),
    "bad assignment": lambda: Y.__setitem__(0, ROWS),
    "bad lists": lambda: strided.tensor([*LIST, [1]]),
    "bad list": lambda: strided.tensor([X, object()]),
    "bad data": lambda: strided.asarray("text"),
    "bad array": lambda: strided.from_numpy(A.view([("a", "f4")])),
    "bad place": lambda: strided.frombuffer(B, offset=1, count=2),
    "bad buffer": lambda: memoryview(X.bfloat16()),
    "bad capsule": lambda: strided._native._from_dlpack(X),
    "bad device": lambda: strided.zeros(2, device="tpu"),
    "bad size": lambda: strided.empty(1 << 60),
    "bad order": lambda: strided.empty(SHAPE, memory_format="sideways"),
    "bad truth": lambda: bool(X),
    "bad Tensor": lambda: strided.Tensor(X, X),
    "bad iteration": lambda: iter(X[0, 0, 0]),
}
TIMES = 1000


@pytest.fixture(autouse=True, scope="module")
def only_new_objects() -> Iterator[None]:
    """Collections look at what is made from here on, and so are quick."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def run(call: Callable[[], Any], fails: bool) -> None:
    for _ in range(TIMES):
        if fails:
            with contextlib.suppress(Exception):
                call()
        else:
            call()


@pytest.mark.parametrize("name", CALLS)
def test_counts_return_to_what_they_were(name: str) -> None:
    call, fails = CALLS[name], name.startswith("bad ")
    if fails:
        with pytest.raises((strided.StridedError, TypeError, BufferError)):
            call()
    run(call, fails)  # caches fill
    gc.collect()  # also empties the interpreter's free lists
    live, blocks = memory.heap_facts().live_bytes, sys.getallocatedblocks()
    counts = [sys.getrefcount(thing) for thing in WATCHED]
    run(call, fails)
    gc.collect()
    assert [sys.getrefcount(thing) for thing in WATCHED] == counts
    assert memory.heap_facts().live_bytes == live
    assert sys.getallocatedblocks() - blocks < TIMES // 4


def test_objects_are_recycled() -> None:
    x = strided.zeros(3, 4)
    subclass = type("Sub", (strided.Tensor,), {})

    def churn() -> None:
        for _ in range(1_000_000):
            x.T  # noqa: B018
        for _ in range(20):
            crowd = [x[i % 3] for i in range(3000)]  # more than are kept
            crowd[::2] = [subclass(y) for y in crowd[::2]]
            crowd += [strided.empty(i % 40) for i in range(3000)]
            crowd += [x.view((1,) * 9 + (3, 4)) for _ in range(1000)]

    churn()
    gc.collect()
    blocks = sys.getallocatedblocks()
    churn()
    gc.collect()
    assert sys.getallocatedblocks() - blocks < 1000
    assert sys.getrefcount(x) == 2
