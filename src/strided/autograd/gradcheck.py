"""gradcheck and gradgradcheck: are the gradients of a function right?

They are compared with finite differences of function values, at one point, result by result. Values
are float64 arrays. Complex numbers count as two real ones: each real or imaginary part of a result
is one row, each of an input one column, and the gradient of a row is what backward must give for
the weight 1 or 1j.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from strided._native import Tensor, float64
from strided.autograd.backward import grad as gradients_of
from strided.autograd.grad_mode import enable_grad
from strided.errors import GradientMismatch, InvalidArgument
from strided.ops.arrays import from_numpy
from strided.ops.creation import ones_like, zeros, zeros_like

Function = Callable[..., Any]
Array: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]


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
        with enable_grad():
            made = [y for y in results(func, args) if y.requires_grad]
            found = gradients_of(
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
    values = from_parts(np.asarray(rng.standard_normal(parts_of(y).shape)), y)
    if spread and y.ndim:
        room = zeros((*y.shape[:-1], 2 * y.shape[-1]), dtype=y.dtype)
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


# ---- finite differences ----


def parts_of(x: Tensor) -> Array:
    """Return the elements as a flat array of reals, complex ones as two."""
    plain = x.detach()
    if plain.dtype.kind == "c":
        plain = plain.contiguous().view_as_real()
    flat: Array = np.asarray(plain.to(float64)).reshape(-1)
    return flat


def from_parts(parts: Array, like: Tensor) -> Tensor:
    """Return a contiguous tensor of the shape and dtype of another one, from such an array."""
    made = from_numpy(parts.astype(np.float64)).to(float64)
    if like.dtype.kind == "c":
        made = made.reshape(*like.shape, 2).view_as_complex()
    return made.reshape(tuple(like.shape)).to(like.dtype)


def unit(like: Tensor, part: int) -> Tensor:
    """Return the weight under which backward gives the gradient of one part: 1 or 1j at it."""
    parts = np.zeros_like(parts_of(like))
    parts[part] = 1.0
    return from_parts(parts, like)


def columns_of(gradient: Tensor | None, x: Tensor) -> Array:
    """Return a gradient as parts, zeros when there is none."""
    return np.zeros_like(parts_of(x)) if gradient is None else parts_of(gradient)


def directional(
    value: Callable[[Sequence[Any]], Array],
    given: Sequence[Any],
    place: int,
    direction: Array,
    eps: float,
) -> Array:
    """Return the slope of every part of a result along a direction of one input.

    Central differences: the error falls with the square of ``eps``.
    """
    x = given[place]
    start = parts_of(x).copy()
    args = list(given)
    sides = []
    for step in (eps, -eps):
        args[place] = from_parts(start + step * direction.reshape(-1), x).requires_grad_()
        sides.append(value(args).copy())
    slope: Array = (sides[0] - sides[1]) / (2 * eps)
    return slope


def differences(
    value: Callable[[Sequence[Any]], Array], given: Sequence[Any], place: int, eps: float
) -> Array:
    """Return the Jacobian of a result by one input: rows are its parts, columns the input's."""
    count = parts_of(given[place]).size
    columns = [directional(value, given, place, one, eps) for one in np.eye(count)]
    if not columns:
        return np.zeros((value(given).size, 0))
    return np.stack(columns, axis=1)


# ---- comparisons ----


class Limits(NamedTuple):
    """How far numbers may be apart."""

    eps: float
    atol: float
    rtol: float
    nondet_tol: float

    def agree(self, a: Any, b: Any) -> Any:
        """Return where two arrays are close enough."""
        return np.isclose(a, b, rtol=self.rtol, atol=self.atol, equal_nan=True)


def results(func: Function, given: Sequence[Any]) -> list[Tensor]:
    """Return the results of a function that have gradients or might."""
    made = func(*given)
    listed = [made] if isinstance(made, Tensor) else list(made)
    return [y for y in listed if isinstance(y, Tensor) and y.dtype.kind in "fc"]


def _operation(func: Function, output: Tensor) -> str:
    name = getattr(func, "__name__", type(func).__name__)
    return name if output.grad_fn is None else f"{name} ({output.grad_fn.name()})"


def _mismatch(
    operation: str,
    of: tuple[int, int],
    place: tuple[tuple[int, ...], tuple[int, ...]] | None,
    analytical: float | str,
    numerical: float | str,
) -> GradientMismatch:
    """Return the error about the gradient of (which result, by which input) at a place of both."""
    return GradientMismatch(
        operation=operation,
        output=of[0],
        input=of[1],
        place=place,
        analytical=analytical,
        numerical=numerical,
    )


def _pulled(
    func: Function, given: Sequence[Any], taking: list[int], which: int
) -> tuple[Callable[[Tensor], Sequence[Tensor | None]], Tensor]:
    """Return the function from weights of one result to gradients, and that result."""
    with enable_grad():
        output = [y for y in results(func, given) if y.requires_grad][which]

    def pull(weight: Tensor) -> Sequence[Tensor | None]:
        inputs = [given[i] for i in taking]
        return gradients_of(output, inputs, weight, retain_graph=True, allow_unused=True)

    return pull, output


def check_elements(
    func: Function,
    given: Sequence[Any],
    taking: list[int],
    which: int,
    limits: Limits,
    dtypes: bool,
) -> None:
    """Compare every element of one result's Jacobian."""
    pull, output = _pulled(func, given, taking, which)
    rows = parts_of(output).size
    expected = [differences(_at(func, which), given, i, limits.eps) for i in taking]
    for row in range(rows):
        weight = unit(output, row)
        found = pull(weight)
        again = pull(weight)
        for slot, place in enumerate(taking):
            x, gradient = given[place], found[slot]
            analytical = columns_of(gradient, x)
            second = columns_of(again[slot], x)
            apart = np.abs(analytical - second)
            if apart.size and np.nanmax(apart) > limits.nondet_tol:
                column = int(np.nanargmax(apart))
                at = _index(output, row), _index(x, column)
                both = float(analytical[column]), float(second[column])
                twice = f"{_operation(func, output)}, asked twice"
                raise _mismatch(twice, (which, place), at, *both)
            if dtypes and gradient is not None and gradient.dtype != x.dtype:
                names = gradient.dtype.name, x.dtype.name
                raise _mismatch(_operation(func, output), (which, place), None, *names)
            numerical = expected[slot][row]
            wrong = ~limits.agree(analytical, numerical)
            if wrong.any():
                column = int(np.argmax(wrong))
                at = _index(output, row), _index(x, column)
                both = float(analytical[column]), float(numerical[column])
                raise _mismatch(_operation(func, output), (which, place), at, *both)


def _at(func: Function, which: int) -> Callable[[Sequence[Any]], Array]:
    """Return the parts of one result as a function of all inputs, plain tensors."""

    def value(given: Sequence[Any]) -> Array:
        # Values may hang on what requires a gradient (gradgradcheck), so it stays.
        with enable_grad():
            made = [y for y in results(func, given) if y.requires_grad]
        return parts_of(made[which])

    return value


def _index(x: Tensor, part: int) -> tuple[int, ...]:
    element = part // 2 if x.dtype.kind == "c" else part
    return tuple(int(i) for i in np.unravel_index(element, tuple(x.shape) or (1,)))[: x.ndim]


def check_direction(
    func: Function, given: Sequence[Any], taking: list[int], which: int, limits: Limits
) -> None:
    """Compare the slope of one random direction, weighted at random over the result."""
    rng = np.random.default_rng(0)
    pull, output = _pulled(func, given, taking, which)
    weight = np.asarray(rng.standard_normal(parts_of(output).shape))
    found = pull(from_parts(weight, output))
    for slot, place in enumerate(taking):
        x = given[place]
        direction = np.asarray(rng.standard_normal(parts_of(x).shape))
        slopes = directional(_at(func, which), given, place, direction, limits.eps)
        numerical = float((slopes * weight).sum())
        analytical = float((columns_of(found[slot], x) * direction).sum())
        if not limits.agree(np.float64(analytical), np.float64(numerical)):
            both = analytical, numerical
            raise _mismatch(_operation(func, output), (which, place), None, *both)


def check_unused(func: Function, given: Sequence[Any], taking: list[int], limits: Limits) -> None:
    """Compare gradients of one result with those of all, the others weighted by zero."""
    with enable_grad():
        outputs = [y for y in results(func, given) if y.requires_grad]
    inputs = [given[i] for i in taking]
    for which, output in enumerate(outputs):
        ones = [ones_like(y) if y is output else zeros_like(y) for y in outputs]
        options: dict[str, bool] = {"retain_graph": True, "allow_unused": True}
        single = gradients_of(output, inputs, ones[which], **options)
        together = gradients_of(outputs, inputs, ones, **options)
        for place, x, one, all_ in zip(taking, inputs, single, together, strict=True):
            first, second = columns_of(one, x), columns_of(all_, x)
            wrong = ~limits.agree(first, second)
            if wrong.any():
                column = int(np.argmax(wrong))
                both = float(first[column]), float(second[column])
                alone = f"{_operation(func, output)}, other results unused"
                raise _mismatch(alone, (which, place), ((), _index(x, column)), *both)


def expect_flat(func: Function, given: Sequence[Any], taking: list[int], limits: Limits) -> None:
    """A function without a graph may not depend on its inputs."""
    for which, output in enumerate(results(func, given)):

        def value(args: Sequence[Any], which: int = which) -> Array:
            return parts_of(results(func, args)[which])

        for place in taking:
            slopes = differences(value, given, place, limits.eps)
            wrong = ~limits.agree(slopes, np.zeros_like(slopes))
            if wrong.any():
                row, column = (int(i) for i in np.argwhere(wrong)[0])
                at = _index(output, row), _index(given[place], column)
                flat = f"{_operation(func, output)}, which has no graph"
                raise _mismatch(flat, (which, place), at, 0.0, float(slopes[row, column]))
