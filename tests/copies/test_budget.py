"""What whole programs may copy: the attention block of the demo, with views and without."""

from __future__ import annotations

import numpy as np
import pytest

import strided
from strided import demo

B, S, E, H = 2, 5, 12, 3


@pytest.fixture
def block() -> tuple[strided.Tensor, ...]:
    random = np.random.default_rng(0)
    shapes = ((B, S, E), (E, 3 * E), (E, E))
    return tuple(strided.tensor(random.normal(size=shape)) for shape in shapes)


def in_numpy(x: np.ndarray, w_in: np.ndarray, w_out: np.ndarray) -> np.ndarray:
    q, k, v = np.split(x @ w_in, 3, -1)
    q, k, v = (part.reshape(B, S, H, E // H).transpose(0, 2, 1, 3) for part in (q, k, v))
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(E // H)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return (weights @ v).transpose(0, 2, 1, 3).reshape(B, S, E) @ w_out


def test_attention_is_right(block: tuple[strided.Tensor, ...]) -> None:
    expected = in_numpy(*(x.numpy() for x in block))
    np.testing.assert_allclose(demo.attention(*block, heads=H).numpy(), expected, rtol=1e-12)


@pytest.mark.copy_budget(count=0, bytes=0)
def test_attention_copies_nothing(block: tuple[strided.Tensor, ...]) -> None:
    demo.attention(*block, heads=H)


def test_attention_without_views(block: tuple[strided.Tensor, ...]) -> None:
    expected = demo.attention(*block, heads=H).tolist()
    with strided.copy_everything(), strided.trace_copies() as report:
        result = demo.attention(*block, heads=H)
    assert result.tolist() == expected
    # q, k and v are cut out, split into heads and transposed, k twice; w_out is split.
    activations, weight = B * S * E * 8, E * E * 8
    assert report.count == 3 * 3 + 1 + 1
    assert report.bytes == (3 * 3 + 1) * activations + weight
    assert {event.reason for event in report.events} == {"baseline"}
    assert {event.function for event in report.events} <= {"attention", "<genexpr>"}


def test_the_demo_prints_both_counts(capsys: pytest.CaptureFixture[str]) -> None:
    demo.show_attention()
    text = capsys.readouterr().out
    assert "11 copies, 2883584 bytes moved" in text
    assert " 0 copies,       0 bytes moved" in text
    assert "bit for bit: yes" in text
