"""DLPack with the libraries themselves: NumPy, array-api-strict, PyTorch and JAX, both ways."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import strided

os.environ.setdefault("JAX_PLATFORMS", "cpu")

VIEWS: dict[str, Callable[[Any], Any]] = {
    "contiguous": lambda x: x,
    "transposed": lambda x: x.T,
    "offset": lambda x: x[1:, 2:],
    "stepped": lambda x: x[::2, ::3],
    "one row": lambda x: x[1:2],
    "one column": lambda x: x[:, 1:2],
    "rank 0": lambda x: x[1, 2],
    "repeated": lambda x: x[1].expand(3, 6),
    "flipped": lambda x: x.flip(0),
    "empty": lambda x: x[:, 3:3],
}
DTYPES = """bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64
complex64 complex128"""


def grid(dtype: str = "float32") -> strided.Tensor:
    return (strided.arange(24) % 2 if dtype == "bool" else strided.arange(24)).to(dtype).view(4, 6)


# ---- NumPy, always ----


@pytest.mark.parametrize("view", VIEWS)
def test_numpy(view: str) -> None:
    x = VIEWS[view](grid())
    a = np.from_dlpack(x)
    assert (a.shape, a.tolist()) == (x.shape, x.tolist())
    assert x.size == 0 or (a.ctypes.data, a.strides) == (x.data_ptr(), x.byte_strides)
    assert np.from_dlpack(x, copy=True).ctypes.data != a.ctypes.data or not x.size
    assert strided.from_dlpack(a).stride() == x.stride() or not x.size
    assert strided.from_dlpack(a, device="cpu", copy=False).shape == x.shape


# ---- array-api-strict ----


@pytest.mark.peers
@pytest.mark.parametrize("view", VIEWS)
def test_array_api_strict(view: str) -> None:
    xp = pytest.importorskip("array_api_strict")
    x = VIEWS[view](grid())
    theirs = xp.from_dlpack(x)
    assert theirs.shape == x.shape
    back = strided.from_dlpack(theirs)
    assert (back.tolist(), back.data_ptr() == x.data_ptr() or not x.size) == (x.tolist(), True)
    assert strided.from_dlpack(theirs, copy=True).data_ptr() != x.data_ptr() or not x.size
    assert strided.asarray(xp.asarray([1, 2])).tolist() == [1, 2]


# ---- PyTorch ----


@pytest.mark.peers
@pytest.mark.parametrize("dtype", DTYPES.split())
@pytest.mark.parametrize("view", [name for name in VIEWS if name != "flipped"])
def test_torch(view: str, dtype: str) -> None:
    torch = pytest.importorskip("torch")
    x = VIEWS[view](grid(dtype))
    for theirs in (torch.from_dlpack(x), x.to_torch()):
        assert (tuple(theirs.shape), str(theirs.dtype)) == (x.shape, f"torch.{dtype}")
        assert x.size == 0 or (theirs.data_ptr(), theirs.stride()) == (x.data_ptr(), x.stride())
        for back in (strided.from_torch(theirs), strided.asarray(theirs)):
            assert (back.dtype, back.tolist()) == (x.dtype, x.tolist())
            assert x.size == 0 or (back.data_ptr(), back.stride()) == (x.data_ptr(), x.stride())


@pytest.mark.peers
def test_torch_writes_are_seen() -> None:
    torch = pytest.importorskip("torch")
    x = grid()
    x.T.to_torch()[2, 1] = -1
    assert x[1, 2].item() == -1
    theirs = torch.zeros(3)
    strided.from_torch(theirs)[1] = 7
    assert theirs.tolist() == [0, 7, 0]
    del x
    kept = grid().to_torch()
    assert kept.sum().item() == 276


@pytest.mark.peers
def test_torch_cannot_hold_negative_strides() -> None:
    torch = pytest.importorskip("torch")
    x = grid().flip(0)
    with pytest.raises(strided.UnsupportedOperation) as caught:
        x.to_torch()
    assert ".contiguous().to_torch()" in caught.value.hint
    with pytest.raises(BufferError, match="contiguous"):
        torch.from_dlpack(x)
    assert torch.from_dlpack(x.contiguous()).tolist() == x.tolist()
    assert x.contiguous().to_torch().tolist() == x.tolist()
    with pytest.raises(strided.UnsupportedOperation) as caught:
        strided.frombuffer(bytes(8)).to_torch()
    assert ".clone()" in caught.value.hint


@pytest.mark.peers
def test_torch_takes_strides_that_nobody_steps_along() -> None:
    torch = pytest.importorskip("torch")
    for x in (grid()[:1].flip(0), grid()[:0].flip(1), grid()[:1, :1].flip(0, 1)):
        assert x.to_torch().tolist() == torch.from_dlpack(x).tolist() == x.tolist()


@pytest.mark.peers
def test_torch_hands_over_no_wrong_signs() -> None:
    torch = pytest.importorskip("torch")
    x = torch.tensor([1 + 2j]).conj().imag
    for take in (strided.asarray, strided.from_dlpack, strided.tensor):
        with pytest.raises(strided.UnsupportedOperation, match="resolve_neg"):
            take(x)


@pytest.mark.peers
def test_torch_tensors_that_cannot_be_shared() -> None:
    torch = pytest.importorskip("torch")
    complex_ = torch.tensor([1 + 2j])
    for x, call in (
        (torch.zeros(2, requires_grad=True), "detach"),
        (complex_.conj(), "resolve_conj"),
        (complex_.conj().imag, "resolve_neg"),
        (torch.zeros(2, 2).to_sparse(), "to_dense"),
        (torch.zeros(2, device="meta"), "cpu"),
    ):
        with pytest.raises(strided.UnsupportedOperation) as caught:
            strided.from_torch(x)
        assert call in caught.value.hint
        if call != "cpu":
            assert strided.from_torch(getattr(x, call)()).size == x.numel()


def test_without_torch() -> None:
    with pytest.raises(TypeError):
        strided.from_torch([1, 2])
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "import strided\n"
        "try: strided.zeros(2).to_torch()\n"
        "except strided.MissingExtra as error: print(error.extra)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "torch", done.stderr


# ---- JAX ----


@pytest.mark.peers
@pytest.mark.parametrize("view", ["contiguous", "transposed", "one row", "rank 0", "empty"])
def test_jax(view: str) -> None:
    jnp = pytest.importorskip("jax.numpy")
    x = VIEWS[view](grid())
    theirs = jnp.from_dlpack(x)
    assert (theirs.shape, theirs.tolist()) == (x.shape, x.tolist())
    back = strided.from_dlpack(theirs)
    assert (back.tolist(), back.writable) == (x.tolist(), False)
    fresh = jnp.arange(6.0)
    ours = strided.from_dlpack(fresh)
    assert ours.data_ptr() == fresh.unsafe_buffer_pointer()
    with pytest.raises(strided.ReadOnlyTensor):
        ours.fill_(0)
    assert strided.from_dlpack(fresh, copy=True).writable


@pytest.mark.peers
def test_jax_shares_aligned_memory_and_needs_packed_strides() -> None:
    jnp = pytest.importorskip("jax.numpy")
    x = strided.zeros(64, 64)
    assert jnp.from_dlpack(x).unsafe_buffer_pointer() == x.data_ptr()
    half = strided.ones(4, dtype=strided.bfloat16)
    assert strided.from_dlpack(jnp.from_dlpack(half)).dtype is strided.bfloat16
    for view in (x[1:, 1:], x.flip(0), x[0].expand(2, 64)):
        with pytest.raises(Exception, match="striding"):
            jnp.from_dlpack(view)
        assert jnp.from_dlpack(view.contiguous()).shape == view.shape


# ---- a library with other devices, played by a stand-in ----


class Elsewhere:
    """An array on a device that brings itself over when it is asked to."""

    def __init__(self, answers: bool = True) -> None:
        self.asked: dict[str, Any] = {}
        self.answers = answers

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, 0)

    def __dlpack__(self, **options: Any) -> Any:
        self.asked = options
        if options.get("dl_device") != (1, 0) or not self.answers:
            raise BufferError("it stays where it is")
        return np.arange(3.0).__dlpack__(max_version=(1, 0))


def test_other_devices() -> None:
    x = Elsewhere()
    with pytest.raises(BufferError):
        strided.from_dlpack(x)
    assert strided.from_dlpack(x, device="cpu").tolist() == [0, 1, 2]
    assert (x.asked["dl_device"], x.asked["copy"]) == ((1, 0), None)
    assert strided.from_dlpack(x, device="cpu", copy=True).tolist() == [0, 1, 2]
    assert x.asked["copy"] is True
    with pytest.raises(BufferError):
        strided.from_dlpack(Elsewhere(answers=False), device="cpu")
