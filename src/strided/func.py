"""Functions of functions by the names of ``torch.func``: gradients, Jacobians, vmap.

``vmap`` calls its function once for each row and stacks what comes; gradients pass it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from strided._native import Tensor
from strided.autograd import functional
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn.members import Parameter
from strided.nn.module import Module
from strided.ops import random_tensors as random
from strided.ops.joining import stack

__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "stack_module_state",
    "vjp",
    "vmap",
]

Argnums: TypeAlias = int | Sequence[int]


def grad(func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Any:
    """Make a function that returns the gradient of a function of one number.

    With ``has_aux`` the function returns ``(value, more)``, and the result is ``(gradient, more)``.

    >>> import strided
    >>> strided.func.grad(lambda x: (x ** 2).sum())(strided.tensor([3.0])).tolist()
    [6.0]
    """
    both = functional.value_and_grad(func, argnums, has_aux)

    @functools.wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        value, gradient = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return wrapped


def grad_and_value(func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Any:
    """Make a function that returns gradient and value of a function of one number.

    >>> import strided
    >>> g, y = strided.func.grad_and_value(lambda x: (x ** 2).sum())(strided.tensor([3.0]))
    >>> g.tolist(), y.item()
    ([6.0], 9.0)
    """
    both = functional.value_and_grad(func, argnums, has_aux)

    @functools.wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        value, gradient = both(*args, **kwargs)
        return gradient, value

    return wrapped


class _Aux:
    """A function of which only the first result is differentiated; keeps the rest."""

    def __init__(self, func: Callable[..., Any], has_aux: bool) -> None:
        self.func, self.has_aux, self.more = func, has_aux, None

    def __call__(self, *args: Any) -> Any:
        made = self.func(*args)
        if self.has_aux:
            made, self.more = made
        return made

    def answer(self, *made: Any) -> Any:
        found = [*made, functional.detached(self.more)] if self.has_aux else list(made)
        return tuple(found) if len(found) > 1 else found[0]


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """Return what a function gives, and the function from weights to their vector-Jacobian product.

    The product computes the function again.

    >>> import strided
    >>> y, pull = strided.func.vjp(lambda x: x * x, strided.tensor([1.0, 2.0]))
    >>> pull(strided.tensor([1.0, 10.0]))[0].tolist()
    [2.0, 40.0]
    """
    outer = _Aux(func, has_aux)
    value = outer(*primals)

    def pull(cotangents: Any) -> tuple[Any, ...]:
        found = functional.vjp(_Aux(func, has_aux), tuple(primals), cotangents)[1]
        return tuple(found)

    return outer.answer(value, pull)  # type: ignore[no-any-return]


def jvp(
    func: Callable[..., Any], primals: Any, tangents: Any, *, has_aux: bool = False
) -> tuple[Any, ...]:
    """Return what a function gives, and its Jacobian times a direction.

    >>> import strided
    >>> x, v = strided.tensor([1.0, 2.0]), strided.tensor([1.0, 0.0])
    >>> strided.func.jvp(lambda x: x * x, (x,), (v,))[1].tolist()
    [2.0, 0.0]
    """
    outer = _Aux(func, has_aux)
    value, along = functional.jvp(outer, tuple(primals), tuple(tangents))
    return outer.answer(value, along)  # type: ignore[no-any-return]


def linearize(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """Return what a function gives, and its derivative as a function of a direction.

    >>> import strided
    >>> y, along = strided.func.linearize(lambda x: x * x, strided.tensor([1.0, 2.0]))
    >>> along(strided.tensor([1.0, 0.0])).tolist()
    [2.0, 0.0]
    """
    return func(*primals), lambda *tangents: functional.jvp(func, primals, tangents)[1]


def jacrev(func: Callable[..., Any], argnums: Argnums = 0, *, has_aux: bool = False) -> Any:
    """Make a function that returns the Jacobian, by backward passes.

    >>> import strided
    >>> strided.func.jacrev(lambda x: x * x)(strided.tensor([1.0, 2.0])).tolist()
    [[2.0, 0.0], [0.0, 4.0]]
    """
    return _by_argument(functional.jacobian, func, argnums, has_aux)


def jacfwd(func: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Any:
    """Make a function that returns the Jacobian: ``jacrev``, as there is no forward mode.

    >>> import strided
    >>> strided.func.jacfwd(lambda x: x * x)(strided.tensor([1.0, 2.0])).tolist()
    [[2.0, 0.0], [0.0, 4.0]]
    """
    return _by_argument(functional.jacobian, func, argnums, has_aux)


def hessian(func: Callable[..., Any], argnums: Argnums = 0) -> Any:
    """Make a function that returns the second derivatives of a function of one number.

    >>> import strided
    >>> strided.func.hessian(lambda x: (x ** 3).sum())(strided.tensor([1.0, 2.0])).tolist()
    [[6.0, 0.0], [0.0, 12.0]]
    """
    return _by_argument(functional.hessian, func, argnums, False)


def _by_argument(
    transform: Callable[..., Any], func: Callable[..., Any], argnums: Argnums, has_aux: bool
) -> Any:
    single = isinstance(argnums, int)
    picked = [argnums] if isinstance(argnums, int) else list(argnums)

    @functools.wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if any(not -len(args) <= number < len(args) for number in picked):
            raise InvalidArgument(
                argument="argnums",
                got=str(argnums),
                requirement=f"must be positions of the {len(args)} positional arguments",
            )
        places = [number % len(args) for number in picked]

        def chosen(*values: Any) -> Any:
            given = list(args)
            for place, value in zip(places, values, strict=True):
                given[place] = value
            return func(*given, **kwargs)

        outer = _Aux(chosen, has_aux)
        values = tuple(args[place] for place in places)
        return outer.answer(transform(outer, values[0] if single else values))

    return wrapped


# ---- vmap ----


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """Make a function that maps another over an axis of its arguments and stacks the results.

    ``in_dims`` says which axis of each argument (None: the argument as it is), ``out_dims`` where
    the axis stands in the results. The function is called once for each index: rows are views.

    >>> import strided
    >>> dot = strided.func.vmap(lambda x, y: (x * y).sum(), in_dims=(0, None))
    >>> dot(strided.eye(2), strided.tensor([3.0, 5.0])).tolist()
    [3.0, 5.0]
    """
    if randomness not in ("error", "different", "same"):
        raise InvalidArgument(
            argument="randomness",
            got=repr(randomness),
            requirement="must be 'error', 'different' or 'same'",
        )

    @functools.wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        dims = in_dims
        if isinstance(dims, (int, type(None))):
            dims = (dims,) * len(args)
        if len(dims) != len(args):
            raise InvalidArgument(
                argument="in_dims",
                got=f"{len(dims)} axes",
                requirement=f"must be one, or one for each of {len(args)} arguments",
            )
        lengths = {n for arg, dim in zip(args, dims, strict=True) for n in _lengths(arg, dim)}
        lengths |= {n for arg in kwargs.values() for n in _lengths(arg, 0)}
        if len(lengths) != 1:
            raise ShapeMismatch(
                operation="vmap",
                expected=tuple(sorted(lengths)[:1]),
                got=tuple(sorted(lengths)[1:]),
                hint="the axes that are mapped over have the same length, and there is one",
            )
        made = []
        state = random._default.numpy.bit_generator.state if randomness == "same" else None
        for index in range(lengths.pop()):
            if state is not None:
                random._default.numpy.bit_generator.state = state
            given = [_row(arg, dim, index) for arg, dim in zip(args, dims, strict=True)]
            made.append(func(*given, **{k: _row(v, 0, index) for k, v in kwargs.items()}))
        if not made:
            raise InvalidArgument(
                argument="an axis", got="of length 0", requirement="must have a row to map"
            )
        return _stacked(made, out_dims)

    return wrapped


def _dim_of(dim: Any, key: Any) -> Any:
    return dim if isinstance(dim, (int, type(None))) else dim[key]


def _parts(tree: Any) -> list[tuple[Any, Any]] | None:
    """Return keys and values of a container, None of a leaf."""
    if isinstance(tree, Mapping):
        return list(tree.items())
    return list(enumerate(tree)) if isinstance(tree, (list, tuple)) else None


def _lengths(tree: Any, dim: Any) -> list[int]:
    parts = _parts(tree)
    if parts is not None:
        return [n for key, value in parts for n in _lengths(value, _dim_of(dim, key))]
    return [tree.shape[dim]] if isinstance(tree, Tensor) and dim is not None else []


def _row(tree: Any, dim: Any, index: int) -> Any:
    if isinstance(tree, Mapping):
        return {key: _row(value, _dim_of(dim, key), index) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        made = [_row(value, _dim_of(dim, i), index) for i, value in enumerate(tree)]
        return type(tree)(*made) if hasattr(tree, "_fields") else type(tree)(made)
    return tree.select(dim, index) if isinstance(tree, Tensor) and dim is not None else tree


def _stacked(made: list[Any], dim: Any) -> Any:
    first = made[0]
    if isinstance(first, Mapping):
        return {key: _stacked([one[key] for one in made], _dim_of(dim, key)) for key in first}
    if isinstance(first, (list, tuple)):
        columns = enumerate(zip(*made, strict=True))
        found = [_stacked(list(column), _dim_of(dim, i)) for i, column in columns]
        return type(first)(*found) if hasattr(first, "_fields") else type(first)(found)
    if not isinstance(first, Tensor):
        raise InvalidArgument(
            argument="func",
            got=f"a result of type {type(first).__name__}",
            requirement="must return tensors, in containers or not",
        )
    return first if dim is None else stack(made, axis=dim)


# ---- modules as functions ----


def functional_call(
    module: Module,
    parameter_and_buffer_dicts: Mapping[str, Tensor] | Sequence[Mapping[str, Tensor]],
    args: Any = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call a module with other tensors in the place of its parameters and buffers.

    Names are dotted, as in a state; the module is as before afterwards.

    >>> import strided
    >>> layer = strided.nn.Linear(2, 1, bias=False)
    >>> x = strided.tensor([3.0, 4.0])
    >>> strided.func.functional_call(layer, {"weight": strided.ones(1, 2)}, (x,)).tolist()
    [7.0]
    """
    given = parameter_and_buffer_dicts
    several = [given] if isinstance(given, Mapping) else list(given)
    wanted = {name: value for one in several for name, value in one.items()}
    known: dict[str, Tensor] = dict(module.named_parameters(remove_duplicate=False))
    known.update(module.named_buffers(remove_duplicate=False))
    unknown = sorted(wanted.keys() - known.keys())
    missing = sorted(known.keys() - wanted.keys()) if strict else []
    if unknown or missing:
        raise InvalidArgument(
            argument="parameter_and_buffer_dicts",
            got=f"unknown {unknown}, missing {missing}",
            requirement="must have names of parameters and buffers",
        )
    if tie_weights:
        # What one name of a shared tensor is given, its other names get too.
        by_tensor = {id(known[name]): value for name, value in wanted.items()}
        for name, value in known.items():
            if name not in wanted and id(value) in by_tensor:
                wanted[name] = by_tensor[id(value)]
    places = []
    for name in wanted:
        path, _, last = name.rpartition(".")
        places.append((module.get_submodule(path), last, name))
    before = [owner.__dict__[last] for owner, last, _ in places]
    given_args = () if args is None else args if isinstance(args, tuple) else (args,)
    try:
        for owner, last, name in places:
            owner.__dict__[last] = wanted[name]
        return module(*given_args, **(kwargs or {}))
    finally:
        for (owner, last, _), value in zip(places, before, strict=True):
            owner.__dict__[last] = value


def stack_module_state(
    models: Sequence[Module],
) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Return parameters and buffers of modules of one kind, stacked: for vmap. New tensors.

    >>> import strided
    >>> several = [strided.nn.Linear(2, 3) for _ in range(4)]
    >>> parameters, buffers = strided.func.stack_module_state(several)
    >>> parameters["weight"].shape
    (4, 3, 2)
    """
    if not models:
        raise InvalidArgument(argument="models", got="none", requirement="must be one or more")
    found: list[dict[str, Tensor]] = []
    for kind in ("named_parameters", "named_buffers"):
        all_of = [dict(getattr(model, kind)()) for model in models]
        made = {}
        for name, first in all_of[0].items():
            value = stack([one[name].detach() for one in all_of], axis=0)
            made[name] = value.requires_grad_() if isinstance(first, Parameter) else value
        found.append(made)
    return found[0], found[1]
