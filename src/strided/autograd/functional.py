"""Gradients of functions of one number, as functions.

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
from strided.autograd.grad_mode import enable_grad
from strided.errors import GradientNotPossible, InvalidArgument


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
        from strided import autograd

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
                    autograd.grad(value, inputs, create_graph=attached, materialize_grads=True)
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


def zeros_like(x: Tensor) -> Tensor:
    import strided

    return strided.zeros_like(x)
