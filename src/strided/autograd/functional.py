"""Gradients of functions, as functions: value_and_grad, Jacobians, products with derivatives.

Arguments are never changed. What a transform hands to its function are aliases: plain tensors
become leaves of their own; tracked ones stay connected, so that transforms nest.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from strided._native import Tensor, grad_mode
from strided.autograd.backward import grad as gradients_of
from strided.autograd.grad_mode import enable_grad
from strided.errors import GradientNotPossible, InvalidArgument, ShapeMismatch
from strided.ops.creation import ones_like, zeros, zeros_like
from strided.ops.joining import stack


class _Depth(threading.local):
    """How many transforms are running: an outer one needs the graph of what inner ones compute."""

    value = 0


_depth = _Depth()


@contextmanager
def transform() -> Iterator[bool]:
    """Switch recording on; yield whether a transform around this one records what it does."""
    inside = _depth.value > 0 and grad_mode()
    _depth.value += 1
    try:
        with enable_grad():
            yield inside
    finally:
        _depth.value -= 1


# ---- trees: tensors in lists, tuples and dictionaries ----


def _leaves(tree: Any) -> Iterator[Any]:
    if isinstance(tree, dict):
        for value in tree.values():
            yield from _leaves(value)
    elif isinstance(tree, (list, tuple)):
        for value in tree:
            yield from _leaves(value)
    else:
        yield tree


def _mapped(tree: Any, function: Callable[[Any], Any]) -> Any:
    if isinstance(tree, dict):
        return {key: _mapped(value, function) for key, value in tree.items()}
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(_mapped(value, function) for value in tree))
    if isinstance(tree, (list, tuple)):
        return type(tree)(_mapped(value, function) for value in tree)
    return function(tree)


def detached(tree: Any) -> Any:
    return _mapped(tree, lambda x: x.detach() if isinstance(x, Tensor) else x)


def alias_of(x: Any, attached: bool, operation: str) -> Any:
    """Return a tensor whose gradient can be asked for, without touching the one given."""
    if not isinstance(x, Tensor):
        raise InvalidArgument(
            operation=operation,
            argument="an argument to differentiate by",
            got=type(x).__name__,
            requirement="a tensor, or tensors in lists, tuples and dictionaries",
        )
    return x[...] if attached and x.requires_grad else x.detach().requires_grad_()


# ---- gradients of scalar functions ----


def value_and_grad(
    fn: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Make a function that returns the value of ``fn`` and its gradient. Gradients are new tensors.

    ``fn`` returns one number as a tensor. ``argnums`` names the positional arguments to
    differentiate by: tensors, or lists, tuples and dictionaries of them; the gradient has the same
    form. With ``has_aux``, ``fn`` returns ``(value, more)``, and the result is
    ``((value, more), gradient)``. Tensors that ``fn`` merely captures are constants, except inside
    another transform.

    >>> import strided
    >>> loss = lambda w, x: ((w["scale"] * x - 1) ** 2).sum()
    >>> w = {"scale": strided.tensor(2.0)}
    >>> value, gradient = strided.value_and_grad(loss)(w, strided.tensor([1.0, 3.0]))
    >>> value.item(), gradient["scale"].item()
    (26.0, 32.0)
    """
    picked = (argnums,) if isinstance(argnums, int) else tuple(argnums)

    @functools.wraps(fn)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if any(not -len(args) <= number < len(args) for number in picked):
            raise InvalidArgument(
                operation="strided.grad",
                argument="argnums",
                got=argnums,
                requirement=f"positions of the {len(args)} positional arguments",
            )
        places = [number % len(args) for number in picked]
        chosen = [args[place] for place in places]
        tracked = grad_mode() and any(
            isinstance(x, Tensor) and x.requires_grad for x in _leaves(chosen)
        )
        with transform() as inside:
            attached = inside or tracked
            aliases = _mapped(chosen, lambda x: alias_of(x, attached, "strided.grad"))
            given = list(args)
            for place, alias in zip(places, aliases, strict=True):
                given[place] = alias
            made = fn(*given, **kwargs)
            value, more = made if has_aux else (made, None)
            expect_number(value)
            inputs = list(_leaves(aliases))
            if value.requires_grad:
                found = iter(
                    gradients_of(value, inputs, create_graph=attached, materialize_grads=True)
                )
            else:
                found = iter([zeros_like(x) for x in inputs])
        gradients = _mapped(aliases, lambda _: next(found))
        gradient = gradients[0] if isinstance(argnums, int) else tuple(gradients)
        if not attached:
            value, more = value.detach(), detached(more)
        return ((value, more) if has_aux else value), gradient

    return wrapped


def grad(
    fn: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Make a function that returns the gradient of ``fn``. Gradients are new tensors.

    Takes what ``value_and_grad`` takes; with ``has_aux`` the result is ``(gradient, more)``. It
    nests: ``grad(grad(fn))`` is the second derivative.

    >>> import strided
    >>> x = strided.tensor(3.0)
    >>> strided.grad(lambda x: x ** 3)(x).item()
    27.0
    >>> strided.grad(strided.grad(lambda x: x ** 3))(x).item()
    18.0
    """
    both = value_and_grad(fn, argnums, has_aux)

    @functools.wraps(fn)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        value, gradient = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return wrapped


def expect_number(value: Any) -> None:
    if not isinstance(value, Tensor):
        got = f"a {type(value).__name__}"
    elif value.numel() != 1:
        got = f"a tensor of shape {value.shape}"
    else:
        return
    raise GradientNotPossible(
        operation="strided.grad",
        reason=f"the function returned {got}, a gradient is that of one number",
        hint="return a sum or mean, or use strided.autograd.jacobian",
    )


# ---- Jacobians, second derivatives and products with them, of functions of several tensors ----


def _called(
    operation: str, fn: Callable[..., Any], inputs: Any, attached: bool
) -> tuple[list[Tensor], list[Tensor], bool]:
    """Call a function with aliases; return them, its results, and whether these are several."""
    given = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    aliases = [alias_of(x, attached, operation) for x in given]
    made = fn(*aliases)
    several = not isinstance(made, Tensor)
    results = list(made) if several else [made]
    for result in results:
        if not isinstance(result, Tensor):
            raise GradientNotPossible(
                operation=operation,
                reason=f"the function returned a {type(result).__name__}",
                hint="return a tensor or a tuple of tensors",
            )
    return aliases, results, several


def _pulled(
    outputs: Sequence[Tensor],
    inputs: Sequence[Tensor],
    weights: Sequence[Tensor] | None,
    create_graph: bool,
    strict: bool = False,
) -> list[Tensor]:
    """Return gradients of the inputs, zeros where there is no path; keep the graph."""
    given: Sequence[Tensor | None] = weights or [None] * len(outputs)
    paired = [pair for pair in zip(outputs, given, strict=True) if pair[0].requires_grad]
    found: Sequence[Tensor | None] = [None] * len(inputs)
    if paired:
        found = gradients_of(
            [output for output, _ in paired],
            list(inputs),
            [weight for _, weight in paired],
            retain_graph=True,
            create_graph=create_graph,
            allow_unused=True,
        )
    if strict and any(g is None for g in found):
        raise GradientNotPossible(
            operation="strided.autograd",
            reason="a result does not depend on every input",
            hint="pass strict=False for zeros",
        )
    return [zeros_like(x) if g is None else g for x, g in zip(inputs, found, strict=True)]


def _shaped(tensors: Sequence[Any], several: bool) -> Any:
    return tuple(tensors) if several else tensors[0]


def _several(inputs: Any) -> bool:
    return not isinstance(inputs, Tensor)


def _weights(operation: str, v: Any, like: Sequence[Tensor], needed: bool) -> list[Tensor]:
    """Return the vector of a product as one tensor per output or input."""
    if v is None:
        if needed:
            raise GradientNotPossible(
                operation=operation,
                reason="without v the other side must be one number",
                hint="pass v, shaped like it",
            )
        return [ones_like(like[0])]
    given = [v] if isinstance(v, Tensor) else list(v)
    for x, weight in zip(like, given, strict=True):
        if tuple(weight.shape) != tuple(x.shape):
            raise ShapeMismatch(
                operation=operation,
                expected=tuple(x.shape),
                got=tuple(weight.shape),
                hint="v has the shapes of what it is multiplied with",
            )
    return given


def jacobian(
    fn: Callable[..., Any], inputs: Any, create_graph: bool = False, strict: bool = False
) -> Any:
    """Return the Jacobian of a function, of shape result shape + input shape. New tensors.

    For a tuple of inputs and a tuple of results it is a tuple (results) of tuples (inputs).

    >>> import strided
    >>> x = strided.tensor([1.0, 2.0, 3.0])
    >>> strided.autograd.jacobian(lambda x: x[:2] * x[2], x).tolist()
    [[3.0, 0.0, 1.0], [0.0, 3.0, 2.0]]
    """
    with transform() as inside:
        attached = inside or create_graph
        aliases, results, several = _called("jacobian", fn, inputs, attached)
        rows = [_jacobian_of(result, aliases, attached, strict) for result in results]
    return _shaped([_shaped(row, _several(inputs)) for row in rows], several)


def _jacobian_of(
    result: Tensor, inputs: Sequence[Tensor], create_graph: bool, strict: bool
) -> list[Tensor]:
    """Return the Jacobian of one result by each input: one backward pass per row."""
    flat = result.reshape(-1)
    found: list[list[Tensor]] = []
    for place in range(flat.numel()):
        found.append(_pulled([flat[place]], inputs, None, create_graph, strict))
    made = []
    for which, x in enumerate(inputs):
        shape = (*result.shape, *x.shape)
        rows = [row[which] for row in found]
        made.append(stack(rows).reshape(shape) if rows else zeros(shape, dtype=x.dtype))
    return made


def hessian(
    fn: Callable[..., Any], inputs: Any, create_graph: bool = False, strict: bool = False
) -> Any:
    """Return the second derivatives of a function of one number. New tensors.

    Of shape input shape + input shape; for a tuple of inputs a tuple of tuples.

    >>> import strided
    >>> x = strided.tensor([1.0, 2.0])
    >>> strided.autograd.hessian(lambda x: x[0] ** 2 * x[1], x).tolist()
    [[4.0, 2.0], [2.0, 0.0]]
    """

    def gradient(*given: Tensor) -> Any:
        value = fn(*given)
        expect_number(value)
        found = _pulled([value.reshape(())], given, None, True, strict)
        return _shaped(found, _several(inputs))

    return jacobian(gradient, inputs, create_graph, strict)


def vjp(
    fn: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """Return the results of a function, and ``v`` times its Jacobian. New tensors.

    >>> import strided
    >>> x = strided.tensor([1.0, 2.0])
    >>> strided.autograd.vjp(lambda x: x * x, x, strided.tensor([1.0, 10.0]))[1].tolist()
    [2.0, 40.0]
    """
    with transform() as inside:
        attached = inside or create_graph
        aliases, results, several = _called("vjp", fn, inputs, attached)
        weights = _weights("vjp", v, results, len(results) != 1 or results[0].numel() != 1)
        found = _pulled(results, aliases, weights, attached, strict)
    made = _shaped(results, several)
    return (made if attached else detached(made)), _shaped(found, _several(inputs))


def jvp(
    fn: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """Return the results of a function, and its Jacobian times ``v``. New tensors.

    The product with the Jacobian's transpose is linear in its weights, and its derivative by them
    is what is asked for.

    >>> import strided
    >>> x = strided.tensor([1.0, 2.0])
    >>> strided.autograd.jvp(lambda x: x.prod() * x, x, strided.tensor([1.0, 0.0]))[1].tolist()
    [4.0, 4.0]
    """
    with transform() as inside:
        attached = inside or create_graph
        aliases, results, several = _called("jvp", fn, inputs, attached)
        direction = _weights("jvp", v, aliases, len(aliases) != 1 or aliases[0].numel() != 1)
        weights = [zeros_like(result).requires_grad_() for result in results]
        pulled = _pulled(results, aliases, weights, True, strict)
        found = _pulled(pulled, weights, direction, attached)
    made = _shaped(results, several)
    return (made if attached else detached(made)), _shaped(found, several)


def hvp(
    fn: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """Return the value of a function of one number, and its second derivatives times ``v``.

    The cost is that of a few gradients. Results are new tensors.

    >>> import strided
    >>> x = strided.tensor([1.0, 2.0])
    >>> strided.autograd.hvp(lambda x: x[0] ** 2 * x[1], x, strided.tensor([1.0, 0.0]))[1].tolist()
    [4.0, 2.0]
    """
    with transform() as inside:
        attached = inside or create_graph
        aliases, results, several = _called("hvp", fn, inputs, attached)
        for result in results:
            expect_number(result)
        direction = _weights("hvp", v, aliases, len(aliases) != 1 or aliases[0].numel() != 1)
        slopes = _pulled([x.reshape(()) for x in results], aliases, None, True, strict)
        found = _pulled(slopes, aliases, direction, attached)
    made = _shaped(results, several)
    return (made if attached else detached(made)), _shaped(found, _several(inputs))
