"""Discrete Fourier transforms by the array API, their gradients and frequencies.

The gradient of a transform is its adjoint: the transform in the other direction. The scales of both
are equal when the other direction is normed the other way: the adjoint of ``fft``, which does not
divide, is an ``ifft`` that does not either. Of real signals half of the frequencies are left out:
they count as zeros backward, and as twice the others in the gradient of a real result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import DTypeMismatch
from strided.fft.pocketfft import along_axes, along_axis, check_length
from strided.ops.arguments import as_integers
from strided.ops.creation import arange
from strided.ops.define import DEFINITIONS, operation
from strided.ops.gradients import Backward, Call, Gradients
from strided.ops.joining import concat, roll

_OTHER_NORM: dict[str | None, str] = {
    None: "forward",
    "backward": "forward",
    "ortho": "ortho",
    "forward": "backward",
}


def _fitted(g: Tensor, lengths: Sequence[int], axes: Sequence[int]) -> Tensor:
    """Return g truncated or zero-padded to the lengths of the input."""
    for length, axis in zip(lengths, axes, strict=True):
        missing = length - g.shape[axis]
        if missing > 0:
            shape = (*g.shape[:axis], missing, *g.shape[axis + 1 :])
            g = concat([g, _native.zeros(shape, dtype=g.dtype)], axis=axis)
        elif missing < 0:
            g = g.narrow(axis, 0, length)
    return g


def _twice_inside(g: Tensor, axis: int, n: int) -> Tensor:
    """Return half a spectrum with the frequencies that stand for two counted twice."""
    weights = _native.empty(g.shape[axis], dtype=_native.float32).fill_(2)
    weights[0] = 1
    if n % 2 == 0:
        weights[-1] = 1
    return g * weights.view([-1 if a == axis else 1 for a in range(g.ndim)])


# ---- along one axis ----


def _rule(adjoint: Callable[[Tensor, int, int, str], Tensor]) -> Callable[..., Backward]:
    """Make the gradient rule of a transform of one axis from its adjoint ``(g, n, axis, norm)``."""

    def rule(call: Call, x: Tensor, n: int | None, axis: int, norm: str) -> Backward:
        axis = _native.normal_axis(axis, x.ndim)
        length = x.shape[axis]
        gives_real = not call.output.dtype.is_complex
        implied: int = call.output.shape[axis] if gives_real else length
        count = implied if n is None else n

        def backward(g: Tensor) -> Gradients:
            return (_fitted(adjoint(g, count, axis, _OTHER_NORM[norm]), [length], [axis]),)

        return backward

    return rule


def _of_fft(g: Tensor, n: int, axis: int, norm: str) -> Tensor:
    return ifft(g, n=n, axis=axis, norm=norm)


def _of_ifft(g: Tensor, n: int, axis: int, norm: str) -> Tensor:
    return fft(g, n=n, axis=axis, norm=norm)


def _of_irfft(g: Tensor, n: int, axis: int, norm: str) -> Tensor:
    return _twice_inside(rfft(g, n=n, axis=axis, norm=norm), axis, n)


def _of_hfft(g: Tensor, n: int, axis: int, norm: str) -> Tensor:
    """``hfft`` is ``irfft`` of the conjugate, normed the other way."""
    return _of_irfft(g, n, axis, _OTHER_NORM[norm]).conj()


def _of_ihfft(g: Tensor, n: int, axis: int, norm: str) -> Tensor:
    """``ihfft`` is the conjugate of ``rfft``, normed the other way."""
    return _of_fft(g.conj(), n, axis, _OTHER_NORM[norm])


@operation(gradient=_rule(_of_fft), numpy="fft.fft: a n axis norm?", namespace="fft", converts=True)
def fft(x: Any, /, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Return the discrete Fourier transform along an axis. A new tensor.

    ``n`` truncates the axis or pads it with zeros; ``norm`` is the direction that divides:
    "backward", "forward" by n, or "ortho" both by its root.

    >>> import strided
    >>> strided.fft.fft(strided.tensor([1 + 0j, 1 + 0j])).tolist()
    [(2+0j), 0j]
    """
    return along_axis("fft", x, n, axis, norm, takes="fc", gives="c")


@operation(
    gradient=_rule(_of_ifft), numpy="fft.ifft: a n axis norm?", namespace="fft", converts=True
)
def ifft(x: Any, /, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Return the inverse of ``fft`` along an axis. A new tensor.

    ``n`` truncates the axis or pads it with zeros.

    >>> import strided
    >>> strided.fft.ifft(strided.tensor([2 + 0j, 0j])).tolist()
    [(1+0j), (1+0j)]
    """
    return along_axis("ifft", x, n, axis, norm, takes="fc", gives="c")


@operation(
    gradient=_rule(_of_fft), numpy="fft.rfft: a n axis norm?", namespace="fft", converts=True
)
def rfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Return the transform of real numbers: frequencies from 0 up only. A new tensor.

    The axis gets ``n // 2 + 1`` elements, as the others are their conjugates.

    >>> import strided
    >>> strided.fft.rfft(strided.tensor([1.0, 1.0])).tolist()
    [(2+0j), 0j]
    """
    return along_axis("rfft", x, n, axis, norm, takes="f", gives="c")


@operation(
    gradient=_rule(_of_irfft), numpy="fft.irfft: a n axis norm?", namespace="fft", converts=True
)
def irfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Return the inverse of ``rfft``: real numbers. A new tensor.

    ``n`` is the length of the result, ``2 * (m - 1)`` by default: odd lengths need it.

    >>> import strided
    >>> strided.fft.irfft(strided.tensor([2 + 0j, 0j])).tolist()
    [1.0, 1.0]
    """
    return along_axis("irfft", x, n, axis, norm, takes="fc", gives="f")


@operation(
    gradient=_rule(_of_hfft), numpy="fft.hfft: a n axis norm?", namespace="fft", converts=True
)
def hfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Return the real transform of a signal given by its half, the rest conjugate. A new tensor.

    ``n`` is the length of the result, ``2 * (m - 1)`` by default.

    >>> import strided
    >>> strided.fft.hfft(strided.tensor([1 + 0j, 1 + 0j])).tolist()
    [2.0, 0.0]
    """
    return along_axis("hfft", x, n, axis, norm, takes="fc", gives="f")


@operation(
    gradient=_rule(_of_ihfft), numpy="fft.ihfft: a n axis norm?", namespace="fft", converts=True
)
def ihfft(x: Any, /, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Return the inverse of ``hfft``: the half of a conjugate-symmetric signal. A new tensor.

    The axis gets ``n // 2 + 1`` elements.

    >>> import strided
    >>> strided.fft.ihfft(strided.tensor([2.0, 0.0])).tolist()
    [(1-0j), (1-0j)]
    """
    return along_axis("ihfft", x, n, axis, norm, takes="f", gives="c")


# ---- along several axes ----


def _rule_of_axes(
    adjoint: Callable[[Tensor, Sequence[int], Sequence[int], str], Tensor],
) -> Callable[..., Backward]:
    """Make the gradient rule of a transform of several axes from its adjoint."""

    def rule(
        call: Call, x: Tensor, s: Sequence[int] | None, axes: Sequence[int] | None, norm: str
    ) -> Backward:
        shape = x.shape
        dims = [_native.normal_axis(a, x.ndim) for a in (range(x.ndim) if axes is None else axes)]
        lengths = [shape[a] for a in dims]
        counts = list(lengths)
        if s is not None:
            counts = [old if new == -1 else new for new, old in zip(s, lengths, strict=True)]
        elif dims and not call.output.dtype.is_complex:
            counts[-1] = call.output.shape[dims[-1]]

        def backward(g: Tensor) -> Gradients:
            if not dims:
                return (g,)
            made = adjoint(g, counts, dims, _OTHER_NORM[norm])
            return (_fitted(made, lengths, dims),)

        return backward

    return rule


def _of_fftn(g: Tensor, s: Sequence[int], axes: Sequence[int], norm: str) -> Tensor:
    return ifftn(g, s=s, axes=axes, norm=norm)


def _of_ifftn(g: Tensor, s: Sequence[int], axes: Sequence[int], norm: str) -> Tensor:
    return fftn(g, s=s, axes=axes, norm=norm)


def _of_irfftn(g: Tensor, s: Sequence[int], axes: Sequence[int], norm: str) -> Tensor:
    return _twice_inside(rfftn(g, s=s, axes=axes, norm=norm), axes[-1], s[-1])


@operation(
    gradient=_rule_of_axes(_of_fftn),
    numpy="fft.fftn: a s axes norm?",
    also={"axes": "dim"},
    namespace="fft",
    converts=True,
)
def fftn(
    x: Any,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Tensor:
    """Return the discrete Fourier transform along several axes, all by default. A new tensor.

    ``s`` truncates those axes or pads them with zeros.

    >>> import strided
    >>> strided.fft.fftn(strided.ones(2, 2)).tolist()
    [[(4+0j), 0j], [0j, 0j]]
    """
    return along_axes("fftn", x, s, axes, norm, takes="fc", gives="c")


@operation(
    gradient=_rule_of_axes(_of_ifftn),
    numpy="fft.ifftn: a s axes norm?",
    also={"axes": "dim"},
    namespace="fft",
    converts=True,
)
def ifftn(
    x: Any,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Tensor:
    """Return the inverse of ``fftn``. A new tensor.

    ``s`` truncates those axes or pads them with zeros.

    >>> import strided
    >>> strided.fft.ifftn(strided.ones(2, 2)).tolist()
    [[(1+0j), 0j], [0j, 0j]]
    """
    return along_axes("ifftn", x, s, axes, norm, takes="fc", gives="c")


@operation(
    gradient=_rule_of_axes(_of_fftn),
    numpy="fft.rfftn: a s axes norm?",
    also={"axes": "dim"},
    namespace="fft",
    converts=True,
)
def rfftn(
    x: Any,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Tensor:
    """Return the transform of real numbers along several axes, all by default. A new tensor.

    The last of the axes gets ``n // 2 + 1`` elements, the frequencies from 0 up.

    >>> import strided
    >>> strided.fft.rfftn(strided.ones(2, 2)).tolist()
    [[(4+0j), 0j], [0j, 0j]]
    """
    return along_axes("rfftn", x, s, axes, norm, takes="f", gives="c")


@operation(
    gradient=_rule_of_axes(_of_irfftn),
    numpy="fft.irfftn: a s axes norm?",
    also={"axes": "dim"},
    namespace="fft",
    converts=True,
)
def irfftn(
    x: Any,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Tensor:
    """Return the inverse of ``rfftn``: real numbers. A new tensor.

    ``s`` are the lengths of the result; the last is ``2 * (m - 1)`` by default.

    >>> import strided
    >>> strided.fft.irfftn(strided.tensor([[4 + 0j, 0j], [0j, 0j]])).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    return along_axes("irfftn", x, s, axes, norm, takes="fc", gives="f")


# ---- frequencies ----


def _scaled(operation: str, steps: Tensor, n: int, d: float, dtype: Any) -> Tensor:
    """Return integer multiples of the base frequency: computed in float64, rounded once."""
    dtype = _native.float32 if dtype is None else _native.as_dtype(dtype)
    if dtype.kind != "f":
        raise DTypeMismatch(
            operation=operation,
            got=dtype.name,
            reason="frequencies are real floats",
            hint="pass dtype=strided.float32 or float64",
        )
    return steps.divide(n * d, out=_native.empty(steps.shape, dtype=dtype))


@operation(namespace="fft", operands=0)
def fftfreq(n: int, /, d: float = 1.0, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Return the sample frequencies of ``fft`` of n samples with spacing d. A new tensor.

    >>> import strided
    >>> strided.fft.fftfreq(4).tolist()
    [0.0, 0.25, -0.5, -0.25]
    """
    check_length("n", n)
    steps = arange(n, dtype=_native.float64, device=device)
    steps[(n + 1) // 2 :] -= n
    return _scaled("fftfreq", steps, n, d, dtype)


@operation(namespace="fft", operands=0)
def rfftfreq(n: int, /, d: float = 1.0, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Return the sample frequencies of ``rfft`` of n samples with spacing d. A new tensor.

    >>> import strided
    >>> strided.fft.rfftfreq(4).tolist()
    [0.0, 0.25, 0.5]
    """
    check_length("n", n)
    steps = arange(n // 2 + 1, dtype=_native.float64, device=device)
    return _scaled("rfftfreq", steps, n, d, dtype)


def _rolled(x: Tensor, axes: int | Sequence[int] | None, back: bool) -> Tensor:
    dims = tuple(range(x.ndim)) if axes is None else as_integers(axes)
    lengths = [x.shape[_native.normal_axis(a, x.ndim)] for a in dims]
    shifts = [-(length // 2) if back else length // 2 for length in lengths]
    return roll(x, shifts, axis=dims)


@operation(numpy="fft.fftshift: x axes", namespace="fft", converts=True, also={"axes": "dim"})
def fftshift(x: Any, /, axes: int | Sequence[int] | None = None) -> Tensor:
    """Shift frequency zero to the middle of axes, all by default. A new tensor.

    >>> import strided
    >>> strided.fft.fftshift(strided.tensor([0.0, 1.0, -2.0, -1.0])).tolist()
    [-2.0, -1.0, 0.0, 1.0]
    """
    return _rolled(x, axes, back=False)


@operation(numpy="fft.ifftshift: x axes", namespace="fft", converts=True, also={"axes": "dim"})
def ifftshift(x: Any, /, axes: int | Sequence[int] | None = None) -> Tensor:
    """Return the inverse of ``fftshift``. A new tensor.

    >>> import strided
    >>> strided.fft.ifftshift(strided.tensor([-2.0, -1.0, 0.0, 1.0])).tolist()
    [0.0, 1.0, -2.0, -1.0]
    """
    return _rolled(x, axes, back=True)


# ---- by other names: the last two axes, and Hermitian signals of several ----


def _hermitian(x: Tensor, s: Any, axes: Any) -> tuple[list[int], list[int] | None]:
    """Return the axes, and the lengths that are given."""
    if axes is None:
        axes = range(-len(s), 0) if s is not None else range(x.ndim)
    return [_native.normal_axis(one, x.ndim) for one in axes], None if s is None else list(s)


@operation(namespace="fft", converts=True, also={"axes": "dim"})
def hfftn(
    x: Any,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Tensor:
    """Return the transform of a Hermitian signal, half of which is given. A new tensor of floats.

    >>> import strided
    >>> strided.fft.hfftn(strided.tensor([[1 + 0j, 1 + 0j]])).tolist()
    [[2.0, 0.0]]
    """
    places, lengths = _hermitian(x, s, axes)
    if places[:-1]:
        x = fftn(x, s=None if lengths is None else lengths[:-1], axes=places[:-1], norm=norm)
    return hfft(x, n=None if lengths is None else lengths[-1], axis=places[-1], norm=norm)


@operation(namespace="fft", converts=True, also={"axes": "dim"})
def ihfftn(
    x: Any,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Tensor:
    """Return the inverse of ``hfftn``: half of a Hermitian signal. A new tensor.

    >>> import strided
    >>> strided.fft.ihfftn(strided.tensor([[2.0, 0.0]])).tolist()
    [[(1-0j), (1-0j)]]
    """
    places, lengths = _hermitian(x, s, axes)
    made = ihfft(x, n=None if lengths is None else lengths[-1], axis=places[-1], norm=norm)
    if not places[:-1]:
        return made
    return ifftn(made, s=None if lengths is None else lengths[:-1], axes=places[:-1], norm=norm)


def _of_two_axes(name: str, whole: Callable[..., Tensor], example: str, result: str) -> None:
    def body(
        x: Any,
        /,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = (-2, -1),
        norm: str | None = None,
    ) -> Tensor:
        return whole(x, s=s, axes=axes, norm=norm)

    body.__doc__ = (
        f"Return ``{whole.__name__}`` of the last two axes. A new tensor.\n\n"
        "    >>> import strided\n"
        f"    >>> strided.fft.{name}({example}).tolist()\n    {result}\n    "
    )
    numpy = None if name.startswith(("hfft", "ihfft")) else f"fft.{name}: a s axes norm?"
    options: Any = {"namespace": "fft", "converts": True, "also": {"axes": "dim"}}
    operation(name=name, numpy=numpy, **options)(body)


_ONE = "strided.tensor([[1 + 0j]])"
_of_two_axes("fft2", fftn, _ONE, "[[(1+0j)]]")
_of_two_axes("ifft2", ifftn, _ONE, "[[(1+0j)]]")
_of_two_axes("rfft2", rfftn, "strided.tensor([[1.0]])", "[[(1+0j)]]")
_of_two_axes("irfft2", irfftn, "strided.tensor([[1 + 0j, 0j]])", "[[0.5, 0.5]]")
_of_two_axes("hfft2", hfftn, "strided.tensor([[1 + 0j, 0j]])", "[[1.0, 1.0]]")
_of_two_axes("ihfft2", ihfftn, "strided.tensor([[1.0]])", "[[(1-0j)]]")
fft2, ifft2, rfft2, irfft2, hfft2, ihfft2 = (
    DEFINITIONS[f"fft.{name}"].operation
    for name in ("fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2")
)
