"""Jacobians, second derivatives and products with them, of functions of several tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from strided._native import Tensor
from strided.autograd.functional import (
    alias_of,
    detached,
    expect_number,
    transform,
    zeros_like,
)
from strided.errors import GradientNotPossible, ShapeMismatch


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
    from strided import autograd

    given: Sequence[Tensor | None] = weights or [None] * len(outputs)
    paired = [pair for pair in zip(outputs, given, strict=True) if pair[0].requires_grad]
    found: Sequence[Tensor | None] = [None] * len(inputs)
    if paired:
        found = autograd.grad(
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
    import strided

    if v is None:
        if needed:
            raise GradientNotPossible(
                operation=operation,
                reason="without v the other side must be one number",
                hint="pass v, shaped like it",
            )
        return [strided.ones_like(like[0])]
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
    import strided

    flat = result.reshape(-1)
    found: list[list[Tensor]] = []
    for place in range(flat.numel()):
        found.append(_pulled([flat[place]], inputs, None, create_graph, strict))
    made = []
    for which, x in enumerate(inputs):
        shape = (*result.shape, *x.shape)
        rows = [row[which] for row in found]
        made.append(
            strided.stack(rows).reshape(shape) if rows else strided.zeros(shape, dtype=x.dtype)
        )
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
    import strided

    with transform() as inside:
        attached = inside or create_graph
        aliases, results, several = _called("jvp", fn, inputs, attached)
        direction = _weights("jvp", v, aliases, len(aliases) != 1 or aliases[0].numel() != 1)
        weights = [strided.zeros_like(result).requires_grad_() for result in results]
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
