"""Recurrent layers: packed sequences against each by itself, PyTorch's numbers, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import strided
from strided import nn
from strided.nn.utils import rnn

LENGTHS = [2, 5, 1, 4]
LAYERS = [
    "RNN(3, 4, 2, bidirectional=True)",
    "RNN(3, 4, nonlinearity='relu', bias=False)",
    "GRU(3, 4, 2, bidirectional=True)",
    "LSTM(3, 4, 2, bidirectional=True)",
    "LSTM(3, 4, proj_size=2, bidirectional=True)",
]


def sequences(seed: int = 0) -> list[np.ndarray[Any, Any]]:
    generator = np.random.default_rng(seed)
    return [generator.standard_normal((length, 3)) for length in LENGTHS]


def layer(lib: Any, text: str) -> Any:
    """A layer of either library with the same made-up weights."""
    made = eval(f"lib.nn.{text}", {"lib": lib}).double()
    generator = np.random.default_rng(1)
    for p in made.parameters():
        values = generator.standard_normal(tuple(p.shape))
        p.data.copy_(lib.asarray(values))
    return made


def states(last: Any) -> list[Any]:
    return list(last) if isinstance(last, tuple) else [last]


@pytest.mark.parametrize("text", LAYERS)
def test_packed_sequences_give_what_each_gives_alone(text: str) -> None:
    own = layer(strided, text)
    given = [strided.asarray(x) for x in sequences()]
    packed, last = own(rnn.pack_sequence(given, enforce_sorted=False))
    padded, lengths = rnn.pad_packed_sequence(packed, batch_first=True)
    assert lengths.tolist() == LENGTHS
    for i, x in enumerate(given):
        alone, alone_last = own(x)
        assert strided.allclose(padded[i, : len(x)], alone, atol=1e-12)
        assert (padded[i, len(x) :] == 0).all().item()
        for a, b in zip(states(last), states(alone_last), strict=True):
            assert strided.allclose(a[:, i], b, atol=1e-12)


@pytest.mark.parametrize("text", LAYERS)
def test_a_view_of_a_batch_gives_what_its_copy_gives(text: str) -> None:
    own = layer(strided, text)
    x = strided.asarray(np.random.default_rng(2).standard_normal((3, 4, 5)))
    turned = x.permute(2, 1, 0).flip(0)
    assert strided.allclose(own(turned)[0], own(turned.contiguous())[0], atol=1e-12)


@pytest.mark.peers
@pytest.mark.parametrize("text", LAYERS)
def test_packed_sequences_as_in_pytorch(text: str) -> None:
    torch = pytest.importorskip("torch")
    found = []
    for lib, utils in ((strided, rnn), (torch, torch.nn.utils.rnn)):
        own = layer(lib, text)
        given = [lib.asarray(x).requires_grad_() for x in sequences()]
        packed, last = own(utils.pack_sequence(given, enforce_sorted=False))
        parts = [packed.data, *states(last)]
        sum((x.sin() * (i + 1)).sum() for i, x in enumerate(parts)).backward()
        leaves = [*given, *own.parameters()]
        found.append([*(x.detach().numpy() for x in parts), *(x.grad.numpy() for x in leaves)])
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


def test_first_states_are_taken_and_checked() -> None:
    own = nn.GRU(3, 4, batch_first=True)
    x, first = strided.rand(2, 5, 3), strided.rand(1, 2, 4)
    whole, last = own(x, first)
    begun, middle = own(x[:, :2], first)
    ended, again = own(x[:, 2:], middle)
    assert strided.allclose(strided.cat([begun, ended], axis=1), whole, atol=1e-6)
    assert strided.allclose(last, again, atol=1e-6)
    for wrong in (strided.rand(1, 3, 4), strided.rand(2, 2, 4)):
        with pytest.raises(strided.ShapeMismatch):
            own(x, wrong)
    with pytest.raises(strided.ShapeMismatch):
        own(strided.rand(2, 5, 4))
    with pytest.raises(strided.InvalidArgument):
        nn.GRU(3, 4, dropout=2.0)
    with pytest.raises(strided.InvalidArgument):
        nn.RNN(3, 4, nonlinearity="gelu")


def test_padding_and_unpadding() -> None:
    given = [strided.asarray(x) for x in sequences()]
    padded = rnn.pad_sequence(given, batch_first=True, padding_value=7.0)
    assert padded.shape == (4, 5, 3)
    assert (padded[2, 1:] == 7).all().item()
    back = rnn.unpad_sequence(padded, LENGTHS, batch_first=True)
    assert all(strided.array_equal(a, b) for a, b in zip(back, given, strict=True))
    assert back[0].shares_storage(padded)
    packed = rnn.pack_sequence(given, enforce_sorted=False)
    for a, b in zip(rnn.unpack_sequence(packed), given, strict=True):
        assert strided.array_equal(a, b)
    with pytest.raises(strided.InvalidArgument, match="must not rise"):
        rnn.pack_sequence(given)
