"""Exceptions with typed fields, from which each builds its message.

Three lines: what was asked, what stands in the way, what would work. Each also derives from the
builtin that a NumPy or PyTorch user would catch.
"""

from __future__ import annotations

from typing import ClassVar


def _layout(shape: tuple[int, ...], strides: tuple[int, ...], offset: int) -> str:
    return f"{shape}:{strides}+{offset}"


class StridedError(Exception):
    """Base of all errors of this library.

    >>> import strided
    >>> try:
    ...     strided.arange(6).view(4)
    ... except strided.StridedError as error:
    ...     type(error).__name__
    'ShapeMismatch'
    """

    _fields: ClassVar[tuple[str, ...]] = ()  # the names that a class and its bases annotate

    def __init_subclass__(cls) -> None:
        cls._fields = (*cls._fields, *cls.__annotations__)

    def __init__(self, **fields: object) -> None:
        for name in self._fields:
            setattr(self, name, fields.get(name))
        for name, value in fields.items():
            setattr(self, name, value)
        super().__init__("\n  ".join(line for line in self._lines() if line))

    def _lines(self) -> tuple[str, ...]:
        return (str(self.__dict__),)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), dict(self.__dict__)))


def _rebuild(cls: type[StridedError], fields: dict[str, object]) -> StridedError:
    return cls(**fields)


class IndexOutOfBounds(StridedError, IndexError):
    """An index lies outside its axis. Fields: index, length, axis.

    >>> import strided
    >>> try:
    ...     strided.zeros(3)[5]
    ... except strided.IndexOutOfBounds as error:
    ...     (error.index, error.length, error.axis)
    (5, 3, 0)
    """

    index: int
    length: int
    axis: int

    def _lines(self) -> tuple[str, ...]:
        if self.length == 0:
            allowed = "the axis is empty"
        else:
            allowed = f"valid indices are {-self.length} to {self.length - 1}"
        return (f"index {self.index} is out of bounds for axis {self.axis}", allowed)


class InvalidDimension(StridedError, IndexError, ValueError):
    """An axis number that the tensor does not have. Fields: dim, rank.

    >>> import strided
    >>> try:
    ...     strided.zeros(2, 3).select(2, 0)
    ... except strided.InvalidDimension as error:
    ...     (error.dim, error.rank)
    (2, 2)
    """

    dim: int
    rank: int

    def _lines(self) -> tuple[str, ...]:
        if self.rank == 0:
            return (f"dimension {self.dim} does not exist", "the tensor has rank 0")
        return (
            f"dimension {self.dim} does not exist",
            f"the tensor has rank {self.rank}: use {-self.rank} to {self.rank - 1}",
        )


class DuplicateAxis(StridedError, ValueError, RuntimeError):
    """An axis was named twice. Fields: axis, axes.

    >>> import strided
    >>> try:
    ...     strided.zeros(2, 3).permute(0, 0)
    ... except strided.DuplicateAxis as error:
    ...     (error.axis, error.axes)
    (0, (0, 0))
    """

    axis: int
    axes: tuple[int, ...]

    def _lines(self) -> tuple[str, ...]:
        return (f"axis {self.axis} appears more than once in {self.axes}", "name each axis once")


class ShapeMismatch(StridedError, ValueError, RuntimeError):
    """Shapes that do not go together. Fields: operation, expected, got, hint.

    >>> import strided
    >>> try:
    ...     strided.zeros(2, 3) + strided.zeros(4)
    ... except strided.ShapeMismatch as error:
    ...     (error.expected, error.got)
    ((2, 3), (4,))
    """

    operation: str
    expected: tuple[int, ...]
    got: tuple[int, ...]
    hint: str

    def _lines(self) -> tuple[str, ...]:
        return (
            f"{self.operation}: shape {self.got} does not fit {self.expected}",
            self.hint or "",
        )


class IndexShapeMismatch(ShapeMismatch, IndexError):
    """Index arrays that do not broadcast. Fields: operation, expected, got, hint.

    >>> import strided
    >>> try:
    ...     strided.zeros(3, 3)[[0, 1], [0, 1, 2]]
    ... except IndexError as error:
    ...     type(error).__name__
    'IndexShapeMismatch'
    """


class MaskMismatch(ShapeMismatch, IndexError):
    """A mask that is not shaped like the axes it selects from. Fields: operation, expected, got.

    >>> import strided
    >>> try:
    ...     strided.zeros(2, 3)[strided.tensor([True, False, True])]
    ... except strided.MaskMismatch as error:
    ...     (error.expected, error.got)
    ((2,), (3,))
    """


class ViewNotPossible(StridedError, RuntimeError, ValueError):
    """No strides exist for the new shape.

    Fields: shape, strides, offset, new_shape, axis, step, needed. Axes ``axis`` and ``axis + 1`` do
    not step together: the first has stride ``step`` and would need ``needed``.

    >>> import strided
    >>> try:
    ...     strided.zeros(6, 4).T.view(24)
    ... except strided.ViewNotPossible as error:
    ...     print(error)
    (4, 6):(1, 4)+0 cannot be viewed as (24,)
      axes 0 and 1 do not step together: stride[0] = 1, length[1] * stride[1] = 24
      use .reshape(24) (copies 96 bytes), or .T.view(24) for column-major element order
    """

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    new_shape: tuple[int, ...]
    axis: int
    step: int
    needed: int
    nbytes: int | None

    def _lines(self) -> tuple[str, ...]:
        wanted = ", ".join(map(str, self.new_shape))
        cost = "copies" if self.nbytes is None else f"copies {self.nbytes} bytes"
        hint = f"use .reshape({wanted}) ({cost})"
        if len(self.shape) == 2 and self.strides[0] < self.strides[1]:
            hint += f", or .T.view({wanted}) for column-major element order"
        a, b = self.axis, self.axis + 1
        layout = _layout(self.shape, self.strides, self.offset)
        return (
            f"{layout} cannot be viewed as {self.new_shape}",
            f"axes {a} and {b} do not step together: stride[{a}] = {self.step}, "
            f"length[{b}] * stride[{b}] = {self.needed}",
            hint,
        )


class UnsupportedOperation(StridedError, RuntimeError, ValueError):
    """An operation that this tensor does not support. Fields: operation, reason, hint.

    >>> import strided
    >>> try:
    ...     bool(strided.zeros(2))
    ... except strided.UnsupportedOperation as error:
    ...     error.operation
    'bool()'
    """

    operation: str
    reason: str
    hint: str

    def _lines(self) -> tuple[str, ...]:
        return (f"{self.operation} is not possible here", self.reason or "", self.hint or "")


class OutOfStorageBounds(StridedError, RuntimeError, ValueError):
    """A layout reaches outside its storage.

    Fields: shape, strides, offset, lowest, highest, storage_size (all in elements).

    >>> import strided
    >>> try:
    ...     strided.zeros(4).as_strided((3,), (2,))
    ... except strided.OutOfStorageBounds as error:
    ...     (error.highest, error.storage_size)
    (4, 4)
    """

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    lowest: int
    highest: int
    storage_size: int

    def _lines(self) -> tuple[str, ...]:
        return (
            f"{_layout(self.shape, self.strides, self.offset)} leaves its storage",
            f"it reaches elements {self.lowest} to {self.highest}, the storage has "
            f"{self.storage_size}",
            "use a smaller shape, smaller strides or another offset",
        )


class ReadOnlyTensor(StridedError, ValueError, RuntimeError):
    """A write to read-only storage. Field: operation.

    >>> import strided
    >>> try:
    ...     strided.frombuffer(b"abcd", dtype=strided.uint8).fill_(0)
    ... except strided.ReadOnlyTensor as error:
    ...     error.operation
    'fill_'
    """

    operation: str

    def _lines(self) -> tuple[str, ...]:
        return (
            f"{self.operation} would write to read-only storage",
            "use .clone() and write to that",
        )


class WriteThroughOverlap(StridedError, RuntimeError, ValueError):
    """A write through a layout in which one cell stands at two indices.

    Fields: operation, shape, strides.

    >>> import strided
    >>> try:
    ...     strided.zeros(3).expand(2, 3).add_(1)
    ... except strided.WriteThroughOverlap as error:
    ...     error.strides
    (0, 1)
    """

    operation: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def _lines(self) -> tuple[str, ...]:
        return (
            f"{self.operation} would write one element more than once",
            f"{self.shape}:{self.strides} overlaps itself",
            "write to the tensor it was made from, or to .clone() of this one",
        )


class DTypeMismatch(StridedError, TypeError, RuntimeError):
    """Dtypes that an operation does not take. Fields: operation, got, reason, hint.

    >>> import strided
    >>> try:
    ...     strided.ones(2) & strided.ones(2)
    ... except strided.DTypeMismatch as error:
    ...     (error.operation, error.got)
    ('bitwise_and', 'float32')
    """

    operation: str
    got: str
    reason: str
    hint: str

    def _lines(self) -> tuple[str, ...]:
        return (f"{self.operation} does not take {self.got}", self.reason or "", self.hint or "")


class IndexTypeMismatch(DTypeMismatch, IndexError):
    """An index that is no position, slice or mask. Fields: operation, got, reason, hint.

    >>> import strided
    >>> try:
    ...     strided.zeros(3)[1.0]
    ... except IndexError as error:
    ...     type(error).__name__
    'IndexTypeMismatch'
    """


class InvalidArgument(StridedError, ValueError, RuntimeError):
    """An argument outside what is allowed. Fields: argument, got, requirement.

    >>> import strided
    >>> try:
    ...     strided.zeros(-1)
    ... except strided.InvalidArgument as error:
    ...     error.argument
    'shape'
    """

    argument: str
    got: str
    requirement: str

    def _lines(self) -> tuple[str, ...]:
        return (f"{self.argument} is {self.got}", f"it {self.requirement}")


class StateMismatch(StridedError, RuntimeError, KeyError):
    """A state that does not fit a module; nothing was loaded.

    Fields: owner, missing, unexpected (lists of names), shapes (name: (wanted, got)).

    >>> import strided
    >>> try:
    ...     strided.nn.Linear(2, 1).load_state_dict({"weight": strided.zeros(1, 3)})
    ... except strided.StateMismatch as error:
    ...     print(error)
    this state does not fit Linear
      missing: bias
      weight has shape (1, 3), not (1, 2)
      give strict=False to pass over names that only one side has
    """

    owner: str
    missing: list[str]
    unexpected: list[str]
    shapes: dict[str, tuple[tuple[int, ...], tuple[int, ...]]]

    def _lines(self) -> tuple[str, ...]:
        names = [
            f"{word}: {', '.join(names)}" if names else ""
            for word, names in (("missing", self.missing), ("unexpected", self.unexpected))
        ]
        shapes = [f"{name} has shape {b}, not {a}" for name, (a, b) in self.shapes.items()]
        hint = "give strict=False to pass over names that only one side has" if any(names) else ""
        return (f"this state does not fit {self.owner}", *names, *shapes, hint)

    __str__ = Exception.__str__  # KeyError would show its repr


class OverlapTooHard(StridedError, RuntimeError):
    """Whether two layouts overlap could not be decided within the work limit. Field: work_limit.

    >>> import strided
    >>> print(strided.OverlapTooHard(work_limit=100_000))
    no exact answer within 100000 steps
      use may_share_memory() for the quick, cautious answer
    """

    work_limit: int

    def _lines(self) -> tuple[str, ...]:
        return (
            f"no exact answer within {self.work_limit} steps",
            "use may_share_memory() for the quick, cautious answer",
        )


class OutOfMemory(StridedError, MemoryError):
    """The system has no memory for a new storage. Field: nbytes (0: of scratch memory, not known).

    >>> import strided
    >>> try:
    ...     strided.empty(1 << 60)
    ... except MemoryError as error:
    ...     error.nbytes == 1 << 62
    True
    """

    nbytes: int

    def _lines(self) -> tuple[str, ...]:
        what = f"{self.nbytes} bytes" if self.nbytes else "scratch memory for the operation"
        return (f"cannot allocate {what}", "map a file or work in parts")


class FileUnusable(StridedError, OSError):
    """A file that cannot be mapped. Fields: path, reason.

    >>> import strided
    >>> try:
    ...     strided.memory_map("no such file")
    ... except OSError as error:
    ...     error.path
    'no such file'
    """

    path: str
    reason: str

    def _lines(self) -> tuple[str, ...]:
        return (f"{self.path} cannot be used", self.reason or "")


class CopyForbidden(StridedError, RuntimeError):
    """A copy where ``no_copies()`` forbids it; nothing was done yet.

    Fields: what, why, where, hint (texts); reason, nbytes, filename, lineno.

    >>> import strided
    >>> x = strided.zeros(2, 3).T
    >>> try:
    ...     with strided.no_copies():
    ...         x.reshape(6)
    ... except strided.CopyForbidden as error:
    ...     (error.reason, error.nbytes, error.why)
    ('reshape', 24, 'no strides exist for the new shape')
    """

    what: str
    why: str
    where: str
    hint: str
    reason: str
    nbytes: int
    filename: str
    lineno: int

    def _lines(self) -> tuple[str, ...]:
        return (self.what, f"{self.why} ({self.where})", self.hint)


class FileMalformed(StridedError, ValueError):
    """A file whose contents break the rules of its format.

    Fields: path, position (the byte at which it shows), reason.

    >>> import strided
    >>> print(strided.FileMalformed(path="x.npy", position=6, reason="version 9 is unknown"))
    x.npy is malformed at byte 6
      version 9 is unknown
      write the file again, or check that it was copied whole
    """

    path: str
    position: int
    reason: str

    def _lines(self) -> tuple[str, ...]:
        return (
            f"{self.path} is malformed at byte {self.position}",
            self.reason,
            "write the file again, or check that it was copied whole",
        )


class NotAnArray(StridedError, TypeError):
    """An object whose memory cannot be looked at. Fields: operation, got, reason.

    >>> import strided
    >>> try:
    ...     strided.inspect([1, 2])
    ... except TypeError as error:
    ...     error.got
    'list'
    """

    operation: str
    got: str
    reason: str

    def _lines(self) -> tuple[str, ...]:
        return (
            f"{self.operation} cannot look at {self.got}",
            self.reason,
            "pass a strided, NumPy or PyTorch array; strided.asarray makes one",
        )


class MissingExtra(StridedError, ImportError):
    """Something that needs a package which is not installed. Fields: operation, package, extra.

    >>> import strided
    >>> error = strided.MissingExtra(operation="draw as PNG", package="cairosvg", extra="pictures")
    >>> print(error)
    draw as PNG is not possible here
      it needs the package cairosvg
      pip install "strided[pictures]"
    """

    operation: str
    package: str
    extra: str

    def _lines(self) -> tuple[str, ...]:
        return (
            f"{self.operation} is not possible here",
            f"it needs the package {self.package}",
            f'pip install "strided[{self.extra}]"',
        )


class GradientMismatch(StridedError, RuntimeError):
    """A gradient that differs from what function values say.

    Fields: operation, output and input (which result, which argument), place (the index in either,
    or None for a whole one), analytical (what backward gave), numerical (what differences gave).

    >>> import strided
    >>> class Wrong(strided.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     def backward(ctx, g):
    ...         return g * 3
    >>> x = strided.tensor([1.0, 5.0], dtype=strided.float64, requires_grad=True)
    >>> try:
    ...     strided.autograd.gradcheck(Wrong.apply, (x,))
    ... except strided.GradientMismatch as error:
    ...     error.place, error.analytical, round(error.numerical, 6)
    (((0,), (0,)), 3.0, 2.0)
    """

    operation: str
    output: int
    input: int
    place: tuple[tuple[int, ...], tuple[int, ...]] | None
    analytical: float | str
    numerical: float | str

    def _lines(self) -> tuple[str, ...]:
        result, argument = f"result {self.output}", f"input {self.input}"
        if self.place is not None:
            result += f" at {self.place[0]}"
            argument += f" at {self.place[1]}"
        return (
            f"{self.operation}: the gradient of {result} by {argument} is wrong",
            f"backward gives {self.analytical}, differences of values give {self.numerical}",
            "correct its backward; float64 inputs away from kinks and ties are needed to compare",
        )


class DownloadFailed(StridedError, OSError):
    """Something that could not be fetched. Fields: name, reason, path (of the file).

    >>> import strided
    >>> print(strided.DownloadFailed(name="smollm2", reason="no network", path="smollm2.gguf"))
    smollm2 cannot be fetched
      no network
      try again with a network, or bring the file there by hand: smollm2.gguf
    """

    name: str
    reason: str
    path: str

    def _lines(self) -> tuple[str, ...]:
        return (
            f"{self.name} cannot be fetched",
            self.reason,
            f"try again with a network, or bring the file there by hand: {self.path}",
        )


class GradientNotPossible(StridedError, RuntimeError):
    """A gradient that cannot be computed. Fields: operation, reason, hint.

    >>> import strided
    >>> x = strided.ones(3, requires_grad=True)
    >>> try:
    ...     (x * 2).backward()
    ... except strided.GradientNotPossible as error:
    ...     print(error)
    backward() of a tensor of shape (3,) is not possible
      only of a single number it is clear where to start
      give its gradient: y.backward(gradient), or reduce it first: y.sum().backward()
    """

    operation: str
    reason: str
    hint: str

    def _lines(self) -> tuple[str, ...]:
        return (f"{self.operation} is not possible", self.reason, self.hint)


class StaleGradient(StridedError, RuntimeError):
    """A tensor that a gradient needs was overwritten.

    Fields: saved_by and changed_by (operations), shape, versions (when saved, now), saved_at and
    changed_at (lines of the program, in anomaly mode).

    >>> import strided
    >>> x = strided.ones(2, requires_grad=True)
    >>> y = x.exp()
    >>> z = y * y
    >>> _ = y.add_(1)
    >>> try:
    ...     z.sum().backward()
    ... except strided.StaleGradient as error:
    ...     (error.saved_by, error.changed_by, error.versions)
    ('multiply', 'add', (0, 1))
    """

    saved_by: str
    changed_by: str
    shape: tuple[int, ...]
    versions: tuple[int, int]
    saved_at: str | None
    changed_at: str | None

    def _lines(self) -> tuple[str, ...]:
        saved = f"{self.saved_by} (at {self.saved_at})" if self.saved_at else self.saved_by
        changed = (
            f"{self.changed_by} (at {self.changed_at})" if self.changed_at else self.changed_by
        )
        known = self.saved_at or self.changed_at
        seen = "" if known else ", or see the lines: strided.autograd.set_detect_anomaly(True)"
        return (
            f"the gradient of {saved} needs a tensor of shape {self.shape} as it was",
            f"{changed} overwrote it since: version {self.versions[1]}, not {self.versions[0]}",
            f"write into a copy (x.clone()), or use the operation that makes a new tensor{seen}",
        )


class LinearAlgebraError(StridedError, ValueError):
    """A decomposition that matrices do not have. Fields: operation, shape, reason.

    >>> import strided
    >>> issubclass(strided.SingularMatrix, strided.LinearAlgebraError)
    True
    """

    _hint = "check the elements with strided.isfinite"
    operation: str
    shape: tuple[int, ...]
    reason: str

    def _lines(self) -> tuple[str, ...]:
        asked = f"{self.operation} of matrices of shape {self.shape} has no result"
        return (asked, self.reason, self._hint)


class SingularMatrix(LinearAlgebraError):
    """A matrix without an inverse. Fields: operation, shape, reason.

    >>> import strided
    >>> try:
    ...     strided.linalg.inv(strided.zeros(2, 2))
    ... except strided.SingularMatrix as error:
    ...     error.operation, error.shape
    ('inv', (2, 2))
    """

    _hint = "use strided.linalg.pinv, or ask strided.linalg.matrix_rank which one it is"


class NotPositiveDefinite(LinearAlgebraError):
    """A matrix without a Cholesky factor. Fields: operation, shape, reason.

    >>> import strided
    >>> try:
    ...     strided.linalg.cholesky(-strided.eye(2))
    ... except strided.NotPositiveDefinite as error:
    ...     error.operation, error.shape
    ('cholesky', (2, 2))
    """

    _hint = "ask strided.linalg.eigvalsh which one has eigenvalues that are not positive"
