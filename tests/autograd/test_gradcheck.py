"""gradcheck finds what is wrong and says where; gradgradcheck does so for second derivatives."""

from __future__ import annotations

from typing import Any

import pytest

import strided
from strided.autograd import Function, gradcheck, gradgradcheck

DOUBLE = strided.float64


def leaf(*values: Any, dtype: Any = DOUBLE) -> Any:
    return strided.tensor(list(values), dtype=dtype, requires_grad=True)


class Wrong(Function):
    """The gradient of element 1 of the result is off, by the second argument only."""

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        bent = g * x
        bent[1] *= 2
        return g * y, bent


class WrongTwice(Function):
    """Right gradients whose own gradient is lost."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        return g * 2 * ctx.saved_tensors[0].detach()


def test_right_gradients_pass():
    x, y = leaf(0.5, -1.5, 2.0), leaf(1.0, 2.0, 3.0)
    assert gradcheck(lambda x, y: (x * y).sin(), (x, y)) is True
    assert gradcheck(lambda x: x.exp(), x)
    assert gradcheck(lambda x, k: x * k, (x, 3.0))
    assert gradcheck(lambda x, y: (x * y, x.sum()), (x, y))
    assert gradcheck(lambda x: (x > 0, x * 2), (x,))


@pytest.mark.parametrize("fast", [False, True])
def test_wrong_gradients_are_found(fast):
    x, y = leaf(0.5, -1.5, 2.0), leaf(1.0, 2.0, 3.0)
    with pytest.raises(strided.GradientMismatch) as caught:
        gradcheck(Wrong.apply, (x, y), fast_mode=fast)
    error = caught.value
    assert (error.output, error.input) == (0, 1)
    assert "WrongBackward" in error.operation
    if fast:
        assert error.place is None
    else:
        assert error.place == ((1,), (1,))
        assert error.analytical == pytest.approx(-3.0)
        assert error.numerical == pytest.approx(-1.5)
    assert gradcheck(Wrong.apply, (x, y), fast_mode=fast, raise_exception=False) is False
    assert "input 1" in str(error)


def test_only_inputs_that_require_gradients_take_part():
    x, y = leaf(0.5, -1.5, 2.0), leaf(1.0, 2.0, 3.0)
    assert gradcheck(Wrong.apply, (x, y.detach()))
    with pytest.raises(strided.InvalidArgument):
        gradcheck(Wrong.apply, (x.detach(), y.detach()))


def test_a_result_that_lost_its_graph_is_found():
    x = leaf(1.0, 2.0)
    with pytest.raises(strided.GradientMismatch) as caught:
        gradcheck(lambda x: x.detach() * 2, (x,))
    assert caught.value.analytical == 0.0
    assert caught.value.numerical == pytest.approx(2.0)
    assert gradcheck(lambda x: x.detach().floor() * 0, (x,))


def test_second_derivatives():
    x = leaf(0.5, -1.5)
    assert gradcheck(WrongTwice.apply, (x,))
    with pytest.raises(strided.GradientMismatch):
        gradgradcheck(WrongTwice.apply, (x,))
    assert gradgradcheck(WrongTwice.apply, (x,), raise_exception=False) is False
    assert gradgradcheck(lambda x: (x * x.flip(0)).sin(), (x,))
    assert gradgradcheck(lambda x: x**3, (x,), leaf(2.0, 1.0))
    assert gradgradcheck(lambda x: x**3, (x,), gen_non_contig_grad_outputs=True)
    assert gradgradcheck(lambda x: (x**3, x.exp()), (x,), fast_mode=True)


def test_complex_numbers():
    z = leaf(0.5 + 1j, -1 + 0.25j, dtype=strided.complex128)
    x = leaf(1.0, 2.0)
    for f in (
        lambda z: z * z,
        lambda z: z.conj() * 2,
        lambda z: z.abs(),
        lambda z: z.exp().real,
        lambda z: z.imag * z,
    ):
        assert gradcheck(f, (z,)), f
        assert gradcheck(f, (z,), fast_mode=True), f
    assert gradcheck(lambda x: x * 1j, (x,))
    assert gradcheck(lambda z, x: (z * x).sum(), (z, x))
    assert gradgradcheck(lambda z: z * z * z.conj(), (z,))


def test_a_conjugate_that_was_forgotten_is_found():
    class Product(Function):
        @staticmethod
        def forward(ctx, z):
            ctx.save_for_backward(z)
            return z * z

        @staticmethod
        def backward(ctx, g):
            return 2 * ctx.saved_tensors[0] * g

    with pytest.raises(strided.GradientMismatch):
        gradcheck(Product.apply, (leaf(0.5 + 1j, dtype=strided.complex128),))


def test_walks_that_differ_are_found():
    calls = []

    class Drifting(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            calls.append(1)
            return g + 1e-7 * len(calls)

    with pytest.raises(strided.GradientMismatch) as caught:
        gradcheck(Drifting.apply, (leaf(1.0),))
    assert "twice" in caught.value.operation
    assert gradcheck(Drifting.apply, (leaf(1.0),), nondet_tol=1e-5)


def test_dtypes_of_gradients():
    class Narrow(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return g.float()

    x = leaf(1.0)
    assert gradcheck(Narrow.apply, (x,), check_grad_dtypes=True)  # the traversal converts it back


def test_narrow_inputs_are_warned_of():
    x = leaf(1.0, dtype=strided.float32)
    with pytest.warns(UserWarning, match="float64"):
        gradcheck(lambda x: x * 2, (x,), raise_exception=False)
    assert gradcheck(lambda x: x * 2, (x,), eps=1e-2, atol=1e-3)


def test_unused_results_count_as_zero():
    class Both(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, g, h):
            if g is None or h is None:
                return (h if g is None else g) * 7
            return g * 2 + h * 3

    with pytest.raises(strided.GradientMismatch):
        gradcheck(Both.apply, (leaf(1.0, 2.0),))


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x.T,
        lambda x: x.flip(0, 1),
        lambda x: x[::-1, ::2],
        lambda x: x.unfold(1, 2, 1),
        lambda x: x[:1].expand(4, 3),
        lambda x: x.as_strided((2, 2), (1, 1), 1),
        lambda x: x.as_strided((3, 2), (-1, 2), 2),
        lambda x: x.diagonal(),
    ],
)
def test_views(view):
    x = strided.arange(6.0, dtype=DOUBLE).reshape(2, 3).clone().requires_grad_()
    assert gradcheck(lambda x: view(x) * 2, (x,))
    assert gradgradcheck(lambda x: view(x) ** 2, (x,))


def test_inputs_in_any_layout_and_empty_ones():
    x = strided.arange(6.0, dtype=DOUBLE).reshape(2, 3)
    for given in (x.T, x.flip(1), x[:, ::2], x[:0]):
        assert gradcheck(lambda x: x.sin(), (given.detach().requires_grad_(),))
