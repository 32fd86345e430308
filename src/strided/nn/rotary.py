"""Rotary position embedding (RoPE) and its gradient."""

from __future__ import annotations

from strided import _native
from strided._native import Tensor
from strided.errors import GradientNotPossible
from strided.ops.define import operation
from strided.ops.gradients import Backward, Call, Gradients


def _rope_gradient(
    call: Call,
    x: Tensor,
    cos: Tensor,
    sin: Tensor,
    interleaved: bool,
    out: None,
    rows: None,
) -> Backward:
    """Rotate by the negative angle: the transpose of a rotation is its inverse."""
    if call.needs(1) or call.needs(2):
        raise GradientNotPossible(
            operation="rope",
            reason="cosines and sines are constants to it",
            hint="give cos.detach() and sin.detach()",
        )
    saved = call.save(cos, sin)

    def backward(g: Tensor) -> Gradients:
        cos, sin = saved()
        return rope(g, cos, -sin, interleaved=interleaved), None, None

    return backward


@operation(gradient=_rope_gradient, operands=3, namespace="nn")
def rope(
    x: Tensor,
    cos: Tensor,
    sin: Tensor,
    *,
    interleaved: bool = False,
    out: Tensor | None = None,
    rows: Tensor | None = None,
) -> Tensor:
    """Return the rotary position embedding of x (T, heads, d). A new tensor, or ``out`` (also x).

    It rotates pairs of elements: (i, i + h), or (2 i, 2 i + 1) if ``interleaved``. ``cos`` and
    ``sin`` are (T, h), or broadcast to (T, heads, h), with 2 h <= d; the rest passes through. With
    ``rows``, integers (T,) that are all different, position t is written to row ``rows[t]`` of
    ``out``.

    >>> import strided
    >>> x = strided.tensor([[[1.0, 2.0, 5.0]]])
    >>> quarter_turn = strided.zeros(1, 1), strided.ones(1, 1)
    >>> strided.nn.rope(x, *quarter_turn, out=x).tolist()
    [[[-2.0, 1.0, 5.0]]]
    """
    return _native.rope(x, cos, sin, interleaved, out, rows)
