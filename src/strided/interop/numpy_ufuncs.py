"""``__array_ufunc__``: ``np.sin(x)``, ``np.add(a, x)``, ``a + x`` and ``a += x`` on tensors.

Those that definitions name run as ours, whatever the strides; the others, and arguments that ours
do not take (``where=``, ``dtype=``, ``initial=``), run as NumPy's on arrays over the same memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.errors import DTypeMismatch, ReadOnlyTensor, StridedError, UnsupportedOperation
from strided.interop.protocols import numpy_
from strided.ops.arrays import asarray
from strided.ops.define import DEFINITIONS
from strided.ops.elementwise import definitions
from strided.ops.shapes import reshape

_OTHER_NAMES = {"rint": "round", "degrees": "rad2deg", "radians": "deg2rad"}
_REDUCTIONS = {
    "add": "sum",
    "multiply": "prod",
    "minimum": "amin",
    "maximum": "amax",
    "logical_and": "all",
    "logical_or": "any",
}
_SCANS = {"add": "cumsum", "multiply": "cumprod"}
_NUMBERS = (Tensor, bool, int, float, complex)
_PLAIN = set(_NUMBERS)


# ---- calls of NumPy's own functions ----
# What NumPy returns becomes a tensor wherever a tensor can hold it: a view of an argument becomes a
# view of that tensor, in its storage. Dtypes that only NumPy has stay arrays.


class LentArrays:
    """The tensors that are lent to one call of NumPy, by the arrays that stand for them."""

    def __init__(self, given: list[Any]) -> None:
        self._lent: dict[int, tuple[Any, Tensor]] = {}
        self._given = given  # what is filled is handed back as it was given

    def arrays(self, value: Any) -> Any:
        """Return a value with arrays in the place of its tensors. Views."""
        if isinstance(value, Tensor):
            array = numpy_(value)
            self._lent[id(array)] = (array, value)
            return array
        if type(value) in (list, tuple):
            return type(value)(self.arrays(one) for one in value)
        if type(value) is dict:
            return {key: self.arrays(one) for key, one in value.items()}
        return value

    def tensors(self, value: Any) -> Any:
        """Return a result with tensors in the place of its arrays and scalars. Views."""
        import numpy as np

        if id(value) in self._lent:
            return self._lent[id(value)][1]
        if any(value is one for one in self._given):
            return value
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*(self.tensors(one) for one in value))
        if isinstance(value, (list, tuple)):
            return type(value)(self.tensors(one) for one in value)
        if type(value) is not np.ndarray and not isinstance(value, np.generic):
            return value
        try:
            view = self._view(value)
            return asarray(value) if view is None else view
        except (StridedError, TypeError):  # a dtype or a place that no tensor has
            return value

    def _view(self, array: Any) -> Tensor | None:
        """Return the part of a lent tensor that an array is of."""
        import numpy as np

        if not isinstance(array, np.ndarray) or array.base is None or not array.size:
            return None
        for lent, x in self._lent.values():
            if lent.dtype != array.dtype or not np.may_share_memory(lent, array):
                continue
            distance = array.ctypes.data - _native.storage_pointer(x)
            steps = (distance, *array.strides)
            if any(step % x.itemsize for step in steps):
                return None
            offset, *strides = (step // x.itemsize for step in steps)
            return x.as_strided(array.shape, strides, offset)
        return None


def numpys_dtype(given: Any) -> DType | None:
    """Return the dtype that NumPy means by an argument: ``float`` is float64, ``"f4"`` float32."""
    if given is None or isinstance(given, DType):
        return given
    import numpy as np

    try:
        return _native.as_dtype(np.dtype(given))
    except TypeError as error:
        raise DTypeMismatch(
            operation="a dtype argument",
            got=str(given),
            reason="strided has no such dtype",
            hint="name one of strided's",
        ) from error


def by_numpy(
    function: Callable[..., Any],
    args: Iterable[Any],
    options: dict[str, Any],
    written: Iterable[Any] = (),
) -> Any:
    """Call a NumPy function on arrays over the memory of tensors, some of which it fills."""
    given = list(written)
    filled = [one for one in given if isinstance(one, Tensor)]
    for one in filled:
        if not one.writable:  # ufunc.at does not ask
            raise ReadOnlyTensor(operation=f"numpy.{function.__name__}")
    lent = LentArrays(given)
    arrays = [lent.arrays(one) for one in args]
    result = function(*arrays, **{name: lent.arrays(one) for name, one in options.items()})
    for one in filled:
        _native._written(one)
    return lent.tensors(result)


# ---- __array_ufunc__ ----


def _divmod(x1: Any, x2: Any) -> tuple[Tensor, Tensor]:
    x = asarray(x1)
    return x // x2, x % x2


@cache
def references() -> dict[str, Callable[..., Any]]:
    """Return our elementwise functions by the names of the NumPy functions that they stand for."""
    made = {one.ufunc: one.operation for one in DEFINITIONS.values() if one.ufunc}
    others = {name: DEFINITIONS[own].operation for name, own in _OTHER_NAMES.items()}
    return {**made, **others}


@cache
def _ours() -> dict[Any, Callable[..., Any]]:
    """Return what runs in the place of a ufunc."""
    import numpy as np

    named = dict(references())
    named.update(divmod=_divmod)
    found = ((getattr(np, name, None), function) for name, function in named.items())
    return {ufunc: function for ufunc, function in found if isinstance(ufunc, np.ufunc)}


def is_known(one: Any) -> bool:
    """Whether an operand leaves it to others what a ufunc does with it."""
    import numpy as np

    own = getattr(type(one), "__array_ufunc__", None)
    return isinstance(one, Tensor) or own is None or own is np.ndarray.__array_ufunc__


def _operand(one: Any) -> Any:
    return one if isinstance(one, _NUMBERS) else asarray(one)


def _called(ufunc: Any, inputs: tuple[Any, ...], out: Tensor | None) -> Any:
    run, operands = _ours()[ufunc], [_operand(one) for one in inputs]
    return run(*operands) if out is None else run(*operands, out=out)


def _reduced(ufunc: Any, inputs: tuple[Any, ...], out: Tensor | None, **options: Any) -> Any:
    (x,) = inputs
    method = getattr(asarray(x), _REDUCTIONS[ufunc.__name__])
    return method(options.pop("axis", 0), options.pop("keepdims", False), out=out, **options)


def _accumulated(ufunc: Any, inputs: tuple[Any, ...], out: Tensor | None, **options: Any) -> Any:
    (x,) = inputs
    method = getattr(asarray(x), _SCANS[ufunc.__name__])
    return method(options.pop("axis", 0), out=out, **options)


def _outer(ufunc: Any, inputs: tuple[Any, ...], out: Tensor | None) -> Any:
    a, b = (asarray(one) for one in inputs)
    return _called(ufunc, (reshape(a, (*a.shape, *(1,) * b.ndim)), b), out)


def _ufunc_method(ufunc: str, method: str, *args: Any, **options: Any) -> Any:
    import numpy as np

    count = 2 if method == "outer" else 1
    run = getattr(getattr(np, ufunc), method)
    return run(*map(asarray, args[:count]), *args[count:], **options)


def give_ufunc_methods() -> None:
    """Let functions of two operands have the methods of NumPy's: ``strided.add.reduce(x)``."""
    for definition in definitions(2):
        for operation in definition.functions.values() if definition.ufunc else ():
            operation.__dict__.update(
                (name, partial(_ufunc_method, definition.ufunc, name)) for name in _UFUNC_METHODS
            )


_UFUNC_METHODS = ("reduce", "accumulate", "outer", "at", "reduceat")


# method: how it runs as ours, which ufuncs do (None: all that are ours), the options that ours take
_METHODS: dict[str, tuple[Callable[..., Any], dict[str, str] | None, set[str]]] = {
    "__call__": (_called, None, set()),
    "outer": (_outer, None, set()),
    "reduce": (_reduced, _REDUCTIONS, {"axis", "keepdims", "dtype"}),
    "accumulate": (_accumulated, _SCANS, {"axis", "dtype"}),
}


def _as_ours(ufunc: Any, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Return what our own function gives, NotImplemented where there is none for this call."""
    if method not in _METHODS or ufunc not in _ours():
        return NotImplemented
    run, known, taken = _METHODS[method]
    options = {
        name: value for name, value in options.items() if value is not None or name == "axis"
    }
    out = options.pop("out", (None,))
    has_row = known is None or ufunc.__name__ in known
    if not has_row or len(out) != 1 or not options.keys() <= taken:
        return NotImplemented
    if "dtype" in options and ufunc.__name__ not in ("add", "multiply"):
        return NotImplemented
    try:
        if "dtype" in options:
            options["dtype"] = numpys_dtype(options["dtype"])
        into = None if out[0] is None else asarray(out[0], copy=False)
        result = run(ufunc, inputs, into, **options)
    except (DTypeMismatch, UnsupportedOperation):  # NumPy may know how, or has its own refusal
        return NotImplemented
    return result if out[0] is None else out[0]


def __array_ufunc__(self: Tensor, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """Run an elementwise function of NumPy: a new tensor, or ``out``.

    Ours where there is one, on any strides; otherwise NumPy's on an array over the same memory.

    >>> import numpy, strided
    >>> x = strided.arange(3.0)
    >>> numpy.add(numpy.ones(3), x)
    tensor([1., 2., 3.], shape=(3,), dtype=float64)
    >>> numpy.maximum.reduce(x)
    tensor(2., shape=(), dtype=float32)
    """
    if not options and method == "__call__" and _PLAIN.issuperset(map(type, inputs)):
        run = _ours().get(ufunc)  # nothing to convert or to refuse: most calls of small chunks
        if run is not None:
            try:
                return run(*inputs)
            except (DTypeMismatch, UnsupportedOperation):  # as below
                pass
    outs = options.get("out", ())
    if not all(is_known(one) for one in (*inputs, *outs)):
        return NotImplemented
    result = _as_ours(ufunc, method, inputs, options)
    if result is not NotImplemented:
        return result
    written = inputs[:1] if method == "at" else outs
    return by_numpy(getattr(ufunc, method), inputs, options, written)


METHODS: dict[str, Any] = {"__array_ufunc__": __array_ufunc__}
