"""Gradients of transforms against finite differences: lengths, norms, axes; and second ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.differences import check_gradients, numbers

import strided
from strided import fft

NORMS = ("backward", "ortho", "forward")
# Each takes real signals, complex ones, or both.
TAKES = {
    **dict.fromkeys(("fft", "ifft", "irfft", "hfft", "fftn", "ifftn", "irfftn"), "fc"),
    **dict.fromkeys(("rfft", "ihfft", "rfftn"), "f"),
    **dict.fromkeys(("fft2", "ifft2", "irfft2", "hfft2", "hfftn"), "fc"),
    **dict.fromkeys(("rfft2", "ihfft2", "ihfftn"), "f"),
    **dict.fromkeys(("fftshift", "ifftshift"), "fc"),
}
WITHOUT = {"fftfreq", "rfftfreq"}  # made of numbers
LENGTHS = (None, 3, 4, 5, 6, 7, 8)


def test_every_transform_is_shown() -> None:
    assert set(fft.__all__) == set(TAKES) | WITHOUT


def _kinds(name: str) -> list[tuple[str, str]]:
    return [(name, kind) for kind in TAKES[name]]


ALONG_ONE = [pair for n in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft") for pair in _kinds(n)]
ALONG_SOME = [pair for n in ("fftn", "ifftn", "rfftn", "irfftn") for pair in _kinds(n)]
OF_TWO = [
    pair
    for n in ("fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2", "hfftn", "ihfftn")
    for pair in _kinds(n)
]


@pytest.mark.parametrize(("name", "kind"), OF_TWO)
def test_of_two_axes(name: str, kind: str) -> None:
    transform = getattr(fft, name)
    check_gradients(lambda x: transform(x), numbers(3, 4, kind=kind))
    check_gradients(lambda x: transform(x, norm="ortho"), numbers(2, 3, kind=kind))


@pytest.mark.parametrize(("name", "kind"), ALONG_ONE)
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("n", LENGTHS)
def test_along_an_axis(name: str, kind: str, norm: str, n: int | None) -> None:
    transform = getattr(fft, name)
    check_gradients(lambda x: transform(x, n=n, axis=0, norm=norm), numbers(5, 2, kind=kind))
    check_gradients(lambda x: transform(x, n=n, norm=norm), numbers(2, 4, kind=kind))


AXES: list[dict[str, Any]] = [
    {},
    {"axes": (0,)},
    {"axes": (-1, 0)},
    {"axes": (0, 2), "s": (3, 5)},
    {"axes": (2, 1), "s": (6, -1)},
    {"axes": (0, 1, 2), "s": (2, 2, 3), "norm": "ortho"},
    {"axes": (1, 2), "norm": "forward"},
]


@pytest.mark.parametrize(("name", "kind"), ALONG_SOME)
@pytest.mark.parametrize("options", AXES, ids=str)
def test_along_axes(name: str, kind: str, options: dict[str, Any]) -> None:
    transform = getattr(fft, name)
    check_gradients(lambda x: transform(x, **options), numbers(2, 3, 4, kind=kind))


@pytest.mark.parametrize("shift", [fft.fftshift, fft.ifftshift])
def test_shifts(shift: Callable[..., strided.Tensor]) -> None:
    check_gradients(lambda x: shift(x, axes=1), numbers(2, 5, kind="c"))
    check_gradients(shift, numbers(3, 4))


def test_second_derivatives() -> None:
    """A transform is linear; what comes after it need not be."""

    def power(x: strided.Tensor) -> strided.Tensor:
        return fft.rfft(x).abs() ** 4

    x = strided.asarray(numbers(6)).requires_grad_()
    assert strided.autograd.gradgradcheck(power, (x,))
    assert strided.autograd.gradgradcheck(lambda x: fft.irfft(x, n=5) ** 3, (x,))


def test_views_and_half_precision() -> None:
    check_gradients(lambda x: fft.rfft(x.flip(1).T[::2], axis=0), numbers(3, 6))
    x = strided.ones(4, dtype=strided.bfloat16, requires_grad=True)
    fft.rfft(x).real.sum().backward()
    assert x.grad is not None
    assert x.grad.dtype is strided.bfloat16
    assert x.grad.tolist() == [3.0, 0.0, 1.0, 0.0]


def test_plain_where_nothing_is_recorded() -> None:
    x = strided.ones(4, requires_grad=True)
    with strided.no_grad():
        assert not fft.fft(x).requires_grad
    assert fft.fft(x).grad_fn is not None
    assert not fft.fft(x.detach()).requires_grad
