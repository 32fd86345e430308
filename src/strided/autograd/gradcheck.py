"""gradcheck and gradgradcheck: are the gradients of a function right?"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from strided._native import Tensor
from strided.autograd.numerical import (
    Function,
    Limits,
    check_direction,
    check_elements,
    check_unused,
    expect_flat,
    from_parts,
    parts_of,
    results,
)
from strided.errors import GradientMismatch, InvalidArgument


def gradcheck(
    func: Function,
    inputs: Tensor | Sequence[Any],
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    fast_mode: bool = False,
) -> bool:
    """Compare gradients of a function with differences of its values, by every tensor input.

    Inputs that require gradients take part; float64 and complex128 are needed for the default
    limits. Raises GradientMismatch where they disagree, or returns False without
    ``raise_exception``. ``fast_mode`` compares one random direction instead of every element.
    ``nondet_tol`` is what two backward passes may differ by, ``check_undefined_grad`` asks also
    whether a result that is not used counts as one with zero gradient.

    >>> import strided
    >>> x = strided.tensor([0.5, 2.0], dtype=strided.float64, requires_grad=True)
    >>> strided.autograd.gradcheck(lambda x: x.flip(0) * x.exp(), (x,))
    True
    """
    limits = Limits(eps, atol, rtol, nondet_tol)
    given = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    taking = _taking_part(given, eps)
    try:
        outputs = [y for y in results(func, given) if y.requires_grad]
        if not outputs:
            expect_flat(func, given, taking, limits)
            return True
        for which in range(len(outputs)):
            if fast_mode:
                check_direction(func, given, taking, which, limits)
            else:
                check_elements(func, given, taking, which, limits, check_grad_dtypes)
        if check_undefined_grad and len(outputs) > 1:
            check_unused(func, given, taking, limits)
    except GradientMismatch:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Function,
    inputs: Tensor | Sequence[Any],
    grad_outputs: Tensor | Sequence[Tensor] | None = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    fast_mode: bool = False,
) -> bool:
    """Compare second derivatives of a function with differences of its gradients.

    ``grad_outputs`` are the weights of the results, random ones by default (every second element of
    a longer tensor with ``gen_non_contig_grad_outputs``); derivatives by them are compared too.

    >>> import strided
    >>> x = strided.tensor([0.5, 2.0], dtype=strided.float64, requires_grad=True)
    >>> strided.autograd.gradgradcheck(lambda x: x.sin() * x[:1], (x,))
    True
    """
    import strided

    given = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    outputs = [y for y in results(func, given) if y.requires_grad]
    if grad_outputs is None:
        rng = np.random.default_rng(1)
        weights = [_random_like(y, rng, gen_non_contig_grad_outputs) for y in outputs]
    else:
        named = [grad_outputs] if isinstance(grad_outputs, Tensor) else list(grad_outputs)
        weights = [w if w.requires_grad else w.detach().requires_grad_() for w in named]
    taking = [place for place, x in enumerate(given) if isinstance(x, Tensor) and x.requires_grad]

    def gradients(*everything: Any) -> tuple[Tensor, ...]:
        args, scales = everything[: len(given)], everything[len(given) :]
        with strided.enable_grad():
            made = [y for y in results(func, args) if y.requires_grad]
            found = strided.autograd.grad(
                made,
                [args[place] for place in taking],
                list(scales),
                create_graph=True,
                allow_unused=True,
            )
        return tuple(g for g in found if g is not None)

    return gradcheck(
        gradients,
        (*given, *weights),
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        fast_mode=fast_mode,
    )


def _random_like(y: Tensor, rng: np.random.Generator, spread: bool) -> Tensor:
    import strided

    values = from_parts(np.asarray(rng.standard_normal(parts_of(y).shape)), y)
    if spread and y.ndim:
        room = strided.zeros((*y.shape[:-1], 2 * y.shape[-1]), dtype=y.dtype)
        room[..., ::2] = values
        values = room[..., ::2].detach()
    return values.requires_grad_()


def _taking_part(given: Sequence[Any], eps: float) -> list[int]:
    places = [i for i, x in enumerate(given) if isinstance(x, Tensor) and x.requires_grad]
    if not places:
        raise InvalidArgument(
            operation="gradcheck",
            argument="inputs",
            got="none that requires a gradient",
            requirement="at least one tensor with requires_grad=True",
        )
    for place in places:
        if given[place].dtype.name not in ("float64", "complex128") and eps < 1e-4:
            warnings.warn(
                f"input {place} is {given[place].dtype.name}: differences with eps={eps}"
                " need float64 or complex128",
                stacklevel=3,
            )
    return places
