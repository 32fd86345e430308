"""How do gradients pass a transform? By its adjoint: the transform that turns the other way.

The scales of both are equal when the other way is normed the other way: the adjoint of ``fft``,
which does not divide, is an ``ifft`` that does not either. Of real signals half of the frequencies
are left out: on the way back they count as zeros, on the way to real numbers as twice the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from strided import _native
from strided._native import Tensor
from strided.autograd.rule import Backward, Call, Gradients, gradient_of
from strided.fft.transforms import fft, fftn, ifft, ifftn, rfft, rfftn
from strided.functions.combine import concat

_OTHER_WAY = {"backward": "forward", "ortho": "ortho", "forward": "backward"}


def _fitted(g: Tensor, lengths: Sequence[int], axes: Sequence[int]) -> Tensor:
    """Return g cut, or filled up with zeros, to the lengths of what was transformed."""
    for length, axis in zip(lengths, axes, strict=True):
        missing = length - g.shape[axis]
        if missing > 0:
            shape = (*g.shape[:axis], missing, *g.shape[axis + 1 :])
            g = concat([g, _native.zeros(shape, dtype=g.dtype)], axis=axis)
        elif missing < 0:
            g = g.narrow(axis, 0, length)
    return g


def _twice_inside(g: Tensor, axis: int, n: int) -> Tensor:
    """Return frequencies times the number of those of n that each of them stands for."""
    weights = _native.empty(g.shape[axis], dtype=_native.float32).fill_(2)
    weights[0] = 1
    if n % 2 == 0:
        weights[-1] = 1
    return g * weights.view([-1 if a == axis else 1 for a in range(g.ndim)])


# ---- along one axis ----


def _rule(adjoint: Callable[[Tensor, int, int, str], Tensor]) -> Callable[..., Backward]:
    """Make the rule of a transform from its adjoint: of g, for n samples of an axis, normed so."""

    def rule(
        call: Call, x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
    ) -> Backward:
        axis = _native.normal_axis(axis, x.ndim)
        length = x.shape[axis]
        if n is None:
            gives_real = not call.output.dtype.is_complex
            n = call.output.shape[axis] if gives_real else length
        count = n

        def backward(g: Tensor) -> Gradients:
            return (_fitted(adjoint(g, count, axis, _OTHER_WAY[norm]), [length], [axis]),)

        return backward

    return rule


def _of_irfft(g: Tensor, n: int, axis: int, norm: str) -> Tensor:
    return _twice_inside(rfft(g, n=n, axis=axis, norm=norm), axis, n)


def _of_rfft(g: Tensor, n: int, axis: int, norm: str) -> Tensor:
    return ifft(g, n=n, axis=axis, norm=norm)


gradient_of("fft", "rfft")(_rule(_of_rfft))
gradient_of("ifft")(_rule(lambda g, n, axis, norm: fft(g, n=n, axis=axis, norm=norm)))
gradient_of("irfft")(_rule(_of_irfft))
# These two are irfft and rfft of conjugates, normed the other way.
gradient_of("hfft")(_rule(lambda g, n, axis, norm: _of_irfft(g, n, axis, _OTHER_WAY[norm]).conj()))
gradient_of("ihfft")(_rule(lambda g, n, axis, norm: _of_rfft(g.conj(), n, axis, _OTHER_WAY[norm])))


# ---- along several axes ----


def _rule_of_axes(adjoint: Callable[..., Tensor]) -> Callable[..., Backward]:
    """Make the rule of a transform from its adjoint, which takes s, axes and norm as it does."""

    def rule(
        call: Call,
        x: Tensor,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: str = "backward",
    ) -> Backward:
        shape = x.shape
        places = [_native.normal_axis(a, x.ndim) for a in (range(x.ndim) if axes is None else axes)]
        lengths = [shape[a] for a in places]
        counts = list(lengths)
        if s is not None:
            counts = [old if new == -1 else new for new, old in zip(s, lengths, strict=True)]
        elif places and not call.output.dtype.is_complex:
            counts[-1] = call.output.shape[places[-1]]

        def backward(g: Tensor) -> Gradients:
            if not places:
                return (g,)
            made = adjoint(g, s=counts, axes=places, norm=_OTHER_WAY[norm])
            return (_fitted(made, lengths, places),)

        return backward

    return rule


def _of_irfftn(g: Tensor, *, s: Sequence[int], axes: Sequence[int], norm: str) -> Tensor:
    return _twice_inside(rfftn(g, s=s, axes=axes, norm=norm), axes[-1], s[-1])


gradient_of("fftn", "rfftn")(_rule_of_axes(ifftn))
gradient_of("ifftn")(_rule_of_axes(fftn))
gradient_of("irfftn")(_rule_of_axes(_of_irfftn))
