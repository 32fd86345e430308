"""Operations that a chain can name, what each does to a layout, and which to go on with.

One row per operation: its name, how many arguments it takes, the names they may have, how it is
written, why it is a view, and the reason in the copy log when it has to copy. Rows of methods are
made from the definitions that have an effect on the strides. A name that is not in these tables
cannot be reached from an expression.
"""

from __future__ import annotations

import ast
import difflib
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import strided
from strided import InvalidArgument, Tensor, copy_totals
from strided.ops.define import DEFINITIONS, Effect

MAX_ELEMENTS = 10**6  # of any tensor in a chain
MAX_RANK = 8

_MANY = 64


@dataclass(frozen=True)
class Operation:
    """What an expression may say about one operation.

    ``parameters`` are names and kinds: int, ints (a list), either, data (nested lists). ``star`` is
    the name of those that may stand one by one.
    """

    name: str
    least: int
    most: int
    keywords: tuple[str, ...]
    use: str
    says: str
    reason: str = ""  # in the copy log; empty for what is always a view
    parameters: tuple[tuple[str, str], ...] = ()
    star: str = ""

    @property
    def is_property(self) -> bool:
        """Whether it is written without brackets.

        >>> STEPS["T"].is_property, STEPS["flip"].is_property
        (True, False)
        """
        return "(" not in self.use


def _table(*rows: Operation) -> dict[str, Operation]:
    return {row.name: row for row in rows}


_NEW = "Row-major: the last axis steps 1, each axis before it steps over all of the next."

# Names of libraries that may stand before a name; the floats of these are float64.
LIBRARIES = ("st", "strided", "np", "numpy", "torch")
DOUBLES = ("np", "numpy")
MAKER_ALIASES = {"array": "tensor", "asarray": "tensor", "as_tensor": "tensor"}
# What NumPy calls an argument that is known by PyTorch's name.
KEYWORD_ALIASES = {
    "axis": ("dim", "dims"),
    "axes": ("dims",),
    "shape": ("size",),
    "newshape": ("size",),
    "offset": ("storage_offset",),
}
DTYPES = {
    dtype.name: dtype
    for dtype in (
        *(strided.int64, strided.int32, strided.int16, strided.int8),
        *(strided.uint64, strided.uint32, strided.uint16, strided.uint8),
        *(strided.float64, strided.float32, strided.float16, strided.bfloat16),
    )
}


def _maker(
    name: str, least: int, parameters: str, use: str, star: str = "", typed: bool = True
) -> Operation:
    named = tuple(tuple(one.split(":")) for one in parameters.split())
    most = _MANY if star else len(named)
    keywords = ("dtype",) if typed else ()
    return Operation(name, least, most, keywords, use, _NEW, "", named, star)  # type: ignore[arg-type]


MAKERS = _table(
    _maker("arange", 1, "start:int stop:int step:int", "arange(stop) or arange(start, stop, step)"),
    _maker("zeros", 0, "size:either", "zeros(*size)", "size"),
    _maker("ones", 0, "size:either", "ones(*size)", "size"),
    _maker("full", 2, "size:either value:int", "full((2, 3), value)"),
    _maker("eye", 1, "rows:int columns:int", "eye(rows) or eye(rows, columns)"),
    _maker(
        "linspace", 3, "start:int stop:int count:int", "linspace(start, stop, count)", typed=False
    ),
    _maker("tensor", 1, "data:data", "tensor([[1, 2], [3, 4]])"),
)

_PART = "A part of the elements: the start moves the offset, a step multiplies the stride."
_ORDER = "The axes come in another order and take their strides along."
# What the effect of a definition means for the layout.
_SAYS = {
    "swap": "Two axes change places and take their strides along.",
    "order": _ORDER,
    "rotate": f"{_ORDER} One of them is reversed.",
    "part": _PART,
    "reverse": (
        "The stride changes its sign and the offset moves to the last element: read backwards."
    ),
    "one": "An axis of length 1 comes or goes; no element is reached differently.",
    "repeat": "The repeated axis gets stride 0: every step along it stays at the same element.",
    "merge": (
        "Strides exist for the new shape: every axis that is merged steps over all of the next."
    ),
    "split": (
        "One axis becomes several: the last keeps the stride, each other steps over all "
        "of the next."
    ),
    "diagonal": "One step along the diagonal is one along both axes: their strides are added.",
    "window": (
        "Windows overlap: the new axis steps like the old one, the old one steps from "
        "window to window."
    ),
    "free": (
        "The layout is laid over the same storage as asked, after a check that it stays inside."
    ),
    "same": "The same elements in the same order.",
    "pack": "It is row-major and without gaps already, so nothing has to be done.",
}


def _steps() -> Iterator[Operation]:
    """Yield the methods that definitions give an effect, as they are written with whole numbers."""
    reasons = copy_totals()
    for definition in DEFINITIONS.values():
        if definition.effect is None:
            continue
        says = _SAYS[definition.effect]
        for name in definition.methods:
            reason = _reason(name, definition.kind, reasons)
            if definition.attribute:
                yield Operation(name, 0, 0, (), f".{name}", says, reason)
                continue
            texts = definition.overloads
            if not texts:
                method = definition.methods[name]
                texts = (str(definition.signature_of(method)).replace("'", ""),)
            forms = [_Form(text) for text in texts]
            several = [form for form in forms if len(form.names) > 1 and not form.star]
            shown = (several or forms)[0].names
            yield Operation(
                name,
                min(form.least for form in forms),
                max(_MANY if form.star else len(form.names) for form in forms),
                tuple(dict.fromkeys(one for form in forms for one in form.keywords)),
                f"{name}({', '.join(shown)})",
                says,
                reason,
                _parameters(forms),
                next((form.names[-1].lstrip("*") for form in forms if form.star), ""),
            )


def _reason(name: str, kind: str, reasons: Iterable[str]) -> str:
    """Return the copy log's word for what a method does when it copies."""
    if kind == "view":
        return ""
    if name == "copy":
        return "clone"
    return name if name in reasons else "reshape"


def _parameters(forms: Sequence[_Form]) -> tuple[tuple[str, str], ...]:
    """Return the parameters of all forms; where a list may come item by item, a number may too."""
    star = any(form.star for form in forms)
    kinds = dict(pair for form in forms for pair in form.kinds)
    return tuple((k, "either" if star and v == "ints" else v) for k, v in kinds.items())


class _Form:
    """What one signature takes: its parameters that are whole numbers, or several of them."""

    def __init__(self, signature: str) -> None:
        function = ast.parse(f"def form{signature}: ...").body[0]
        assert isinstance(function, ast.FunctionDef)
        args = function.args
        placed = [*args.posonlyargs, *args.args][1:]
        whole = [one for one in placed if one.annotation and "int" in ast.unparse(one.annotation)]
        self.star = args.vararg is not None
        self.names = [one.arg for one in whole]
        self.kinds = [
            (one.arg, _kind_of(ast.unparse(one.annotation))) for one in whole if one.annotation
        ]
        self.keywords = [one.arg for one in whole if one in args.args]
        self.least = len(self.names) - min(len(args.defaults), len(self.names))
        if args.vararg is not None:
            self.names.append(f"*{args.vararg.arg}")


def _kind_of(annotation: str) -> str:
    """Return what an annotation takes.

    >>> [_kind_of(text) for text in ("int | None", "Sequence[int]", "int | Sequence[int]")]
    ['int', 'ints', 'either']
    """
    if "Sequence" not in annotation:
        return "int"
    return "either" if "int" in annotation.replace("Sequence[int]", "") else "ints"


STEPS = _table(
    *_steps(),
    # A function of strided, written as PyTorch's method.
    Operation(
        *("roll", 2, 2, (), "roll(shifts, dims)", _SAYS["same"], "join"),
        parameters=(("shifts", "either"), ("dims", "either")),
    ),
)

INDEX = Operation("[]", 1, _MANY, (), "[1:, ::2]", _PART, "gather")


def nearest_name(name: str) -> str:
    """Return the operation that a misspelt name is likely to mean; empty where none is near.

    >>> nearest_name("transposed"), nearest_name("sum")
    ('transpose', '')
    """
    return next(iter(difflib.get_close_matches(name, STEPS, 1, 0.6)), "")


def nearest(name: str) -> str:
    """Return what to write instead of a name that is not in the table.

    >>> nearest("transposed")
    'did you mean transpose(dim0, dim1)?'
    """
    close = nearest_name(name)
    return f"did you mean {STEPS[close].use}?" if close else f"use one of {', '.join(STEPS)}"


def _bounded(lengths: Iterable[int]) -> None:
    size = math.prod(lengths)
    if size > MAX_ELEMENTS:
        raise InvalidArgument(
            argument="the number of elements",
            got=str(size),
            requirement=f"must be at most {MAX_ELEMENTS} in the explorer",
        )


def _flat(values: Sequence[Any]) -> list[int]:
    """Return lengths given one by one or in brackets, as plain numbers."""
    nested = len(values) == 1 and isinstance(values[0], (list, tuple))
    return [v for v in (values[0] if nested else values) if isinstance(v, int)]


def make(name: str, args: tuple[Any, ...], dtype: str = "", library: str = "") -> Tensor:
    """Return a new tensor, its size checked before any memory is asked for.

    >>> make("full", ((2, 2), 7)).tolist(), make("zeros", (2,), library="np").dtype
    ([[7, 7], [7, 7]], strided.float64)
    """
    if name == "arange" and all(isinstance(arg, int) for arg in args):
        _bounded([len(range(*args)) if len(args) < 3 or args[2] else 0])
    elif name == "linspace":
        _bounded(_flat(args[2:]))
    elif name == "full":
        _bounded(_flat(args[:1]))
    elif name == "eye":
        _bounded(_flat(args if len(args) == 2 else args * 2))
    elif name != "tensor":
        args = (tuple(_flat(args)),)
        _bounded(args[0])
    known = DTYPES[dtype] if dtype else None
    if known is None and library in DOUBLES and name not in ("arange", "full"):
        known = strided.float64 if name != "tensor" or not _leaves(*args) else None
    made: Tensor = getattr(strided, name)(*args, **({"dtype": known} if known else {}))
    return _checked(made)


def step(x: Tensor, name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> Tensor:
    """Return the result of one operation of the table. A view or a copy, as the operation is.

    >>> step(strided.zeros(2, 3), "flip", (1,), {}).stride()
    (3, -1)
    """
    row = STEPS[name]
    if row.is_property:
        result: Tensor = getattr(x, name)
    elif name == "roll":
        shifts, dims = args
        result = strided.roll(x, shifts, axis=dims)
    else:
        result = getattr(x, name)(*args, **keywords)
    return _checked(result)


def index(x: Tensor, key: tuple[Any, ...]) -> Tensor:
    """Return ``x[key]``: a view, or a gathered copy where the key has lists.

    >>> index(strided.arange(6), (slice(None, None, 2),)).tolist()
    [0, 2, 4]
    """
    lists = [item for item in key if isinstance(item, list)]
    if lists:
        # What a gather makes is known beforehand: the places of the lists times the rest.
        rest = x[tuple(slice(0, 1) if isinstance(item, list) else item for item in key)]
        _bounded([rest.size, math.prod(_leaves(item) for item in lists)])
    return _checked(x[key])


def _leaves(item: Any) -> int:
    return sum(map(_leaves, item)) if isinstance(item, list) else 1


def _checked(x: Tensor) -> Tensor:
    _bounded(x.shape)
    if x.ndim > MAX_RANK:
        raise InvalidArgument(
            argument="the rank",
            got=str(x.ndim),
            requirement=f"must be at most {MAX_RANK} in the explorer",
        )
    return x


# ---- suggested next steps, with arguments that work ----
# Each can be written down as it stands; ``view`` alone may still be refused, because seeing why is
# the point of it.


@dataclass(frozen=True)
class Field:
    """One argument of a proposal: its name, a value that works, and what may stand there."""

    name: str
    value: str
    hint: str = ""


@dataclass(frozen=True)
class NextStep:
    """An operation to go on with; ``before`` and ``after`` are the text around its arguments."""

    group: str
    label: str
    before: str
    fields: tuple[Field, ...] = ()
    after: str = ""

    @property
    def text(self) -> str:
        """The step as it is written, with its proposed arguments.

        >>> NextStep("Axes", "flip", ".flip(", (Field("dim", "1"),), ")").text
        '.flip(1)'
        """
        return self.before + ", ".join(field.value for field in self.fields) + self.after


def next_steps(x: Tensor) -> Iterator[NextStep]:
    """Yield proposals for the next step of a chain, in the order of their groups.

    >>> import strided
    >>> [step.text for step in next_steps(strided.arange(6))][:4]
    ['.flip(0)', '.unsqueeze(0)', '[::2]', '.narrow(0, 0, 3)']
    """
    yield from _axes(x)
    yield from _parts(x)
    yield from _shapes(x)
    yield from _repeats(x)
    yield _doing("Memory", "pack")
    yield _call("Memory", "clone")
    if x.ndim:
        yield _call("Memory", "roll", Field("shifts", "1"), _dim(x, "dims", 0))
    size, stride = _tuple(x.shape), _tuple(x.stride())
    offset = Field("offset", str(x.storage_offset()))
    yield _doing("Memory", "free", Field("size", size), Field("stride", stride), offset)


def _call(group: str, name: str, *fields: Field) -> NextStep:
    return NextStep(group, name, f".{name}(", fields, ")")


def _doing(group: str, effect: Effect, *fields: Field) -> NextStep:
    """Return a call of the operation that is defined first with this effect on the strides."""
    defined = (one for one in DEFINITIONS.values() if one.effect == effect)
    return _call(group, next(iter(next(defined).methods)), *fields)


def _dim(x: Tensor, name: str, value: int) -> Field:
    return Field(name, str(value % x.ndim), f"0 to {x.ndim - 1}")


def _tuple(values: tuple[int, ...]) -> str:
    return str(tuple(values))


def _list(values: list[int]) -> str:
    return ", ".join(map(str, values))


def _axes(x: Tensor) -> Iterator[NextStep]:
    if x.ndim == 2:
        yield NextStep("Axes", "T", ".T")
    if x.ndim >= 2:
        yield _doing("Axes", "swap", _dim(x, "dim0", 0), _dim(x, "dim1", -1))
    if x.ndim >= 3:
        order = _list([*range(1, x.ndim), 0])
        yield _doing("Axes", "order", Field("dims", order, "each axis once"))
        yield _call("Axes", "movedim", _dim(x, "source", 0), _dim(x, "destination", -1))
    if x.ndim:
        yield _doing("Axes", "reverse", _dim(x, "dims", -1))
    if x.ndim < MAX_RANK:
        yield _call("Axes", "unsqueeze", Field("dim", "0", f"0 to {x.ndim}"))
    if 1 in x.shape:
        yield _call("Axes", "squeeze")


def _parts(x: Tensor) -> Iterator[NextStep]:
    if not x.ndim:
        return
    first = ":, " * (x.ndim - 1)
    hint = "1:, ::2, ::-1, ..., None, [0, 2]"
    yield NextStep("Parts", "[ ]", "[", (Field("index", f"{first}::2", hint),), "]")
    length = x.shape[-1]
    half = Field("length", str(max(length // 2, min(length, 1))), f"0 to {length}")
    yield _call("Parts", "narrow", _dim(x, "dim", -1), Field("start", "0"), half)
    if x.shape[0]:
        place = Field("index", "0", f"0 to {x.shape[0] - 1}")
        yield _call("Parts", "select", _dim(x, "dim", 0), place)
    if x.ndim >= 2:
        yield _doing("Parts", "diagonal", Field("offset", "0", "1 is above, -1 below"))


def _shapes(x: Tensor) -> Iterator[NextStep]:
    # An empty tensor has no single length for -1 to stand for.
    size = str(x.size) if x.ndim != 1 else _list(_factors(x.size))
    hint = f"lengths that multiply to {x.size}"
    yield _call("Shape", "reshape", Field("size", size, hint))
    yield _call("Shape", "view", Field("size", size, hint))
    if x.ndim >= 2:
        yield _call("Shape", "flatten", _dim(x, "start_dim", 0), _dim(x, "end_dim", -1))
    splits = [axis for axis, n in enumerate(x.shape) if _factors(n)[0] > 1]
    if splits and x.ndim < MAX_RANK:
        sizes = _tuple(tuple(_factors(x.shape[splits[-1]])))
        yield _doing("Shape", "split", _dim(x, "dim", splits[-1]), Field("sizes", sizes))


def _repeats(x: Tensor) -> Iterator[NextStep]:
    if 3 * x.size > MAX_ELEMENTS:
        return
    if 1 in x.shape:
        sizes = _list([3 if n == 1 else n for n in x.shape])
        if 3 ** x.shape.count(1) * x.size <= MAX_ELEMENTS:
            yield _doing("Repeat", "repeat", Field("size", sizes, "axes of length 1 can grow"))
    elif x.ndim < MAX_RANK:
        yield _doing("Repeat", "repeat", Field("size", _list([2, *x.shape])))
    if x.ndim and x.shape[-1] >= 2 and x.ndim < MAX_RANK:
        window = Field("size", "2", f"0 to {x.shape[-1]}")
        yield _doing("Repeat", "window", _dim(x, "dim", -1), window, Field("step", "1"))


def _factors(n: int) -> list[int]:
    """Return two factors of n that are as close to each other as can be, the smaller first."""
    for small in range(math.isqrt(max(n, 0)), 1, -1):
        if n % small == 0:
            return [small, n // small]
    return [1, n]
