"""The plan of an operation: the passes over memory that its kernels make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from strided import _native


@dataclass(frozen=True)
class PlanAxis:
    """An axis of an iteration space: its length, its role, and each operand's step in bytes.

    The roles are map, fold, scan, pick, row, column and inner.

    >>> import strided
    >>> strided.plan(lambda x: x + 1, strided.ones(3)).passes[0].axes[0]
    PlanAxis(length=3, role='map', steps=(4, 4, 0))
    """

    length: int
    role: str
    steps: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class PlanPass:
    """One pass over memory: its axes, how they are cut, and the loops inside.

    >>> import strided
    >>> strided.plan(lambda x: x + 1, strided.ones(3)).passes[0].operation
    'add'
    """

    operation: str
    axes: tuple[PlanAxis, ...]
    tiles: str
    chunks: int
    streams: bool
    loops: tuple[str, ...]

    def __str__(self) -> str:
        lengths = ", ".join(str(axis.length) for axis in self.axes)
        parts = [f"{self.operation} ({lengths}{',' if len(self.axes) == 1 else ''})"]
        if any(axis.role != "map" for axis in self.axes):
            parts[0] += " " + ", ".join(axis.role for axis in self.axes)
        operands = len(self.axes[0].steps) if self.axes else 0
        if operands:
            steps = [tuple(axis.steps[k] for axis in self.axes) for k in range(operands)]
            parts[0] += " bytes to step: " + " ".join(map(str, steps))
        if self.tiles:
            parts.append(self.tiles)
        parts.append(f"{self.chunks} chunk{'s' if self.chunks != 1 else ''}")
        if self.streams:
            parts.append("streaming stores")
        parts.extend(self.loops)
        return "; ".join(parts)

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, repr=False)
class Plan:
    """The passes over memory that a function makes.

    >>> import strided
    >>> strided.plan(lambda x: x.T, strided.ones(3, 2))
    no pass: views only
    """

    passes: tuple[PlanPass, ...]

    def __str__(self) -> str:
        if not self.passes:
            return "no pass: views only"
        return "\n".join(f"pass {i}: {each}" for i, each in enumerate(self.passes, 1))

    def __repr__(self) -> str:
        return str(self)


def plan(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Plan:
    """Call a function and return the plan of every kernel that it ran.

    What is told is what ran: kernels describe the plan in their hands. A pass names the operation,
    the axes after ordering and fusing with their roles and the bytes that each operand steps along
    them (results first), how tiles keep operands in the caches, into how many chunks the work was
    cut for threads, and whether results were written by streaming stores. Views make no pass. The
    function's results are thrown away; what it writes in place stays written.

    >>> import strided
    >>> x = strided.ones(6, 4)
    >>> print(strided.plan(lambda x: x * 2 + 1, x))  # doctest: +ELLIPSIS
    pass 1: multiply (24,) bytes to step: (4,) (4,) (0,); 1 chunk; kernels/elementwise/real.isa...
    pass 2: add (24,) bytes to step: (4,) (4,) (0,); 1 chunk; kernels/elementwise/real.isa.cpp: ...
    >>> print(strided.plan(strided.fuse(lambda x: x * 2 + 1), x))  # doctest: +ELLIPSIS
    pass 1: fused (24,) bytes to step: (4,) (4,) (0,) (0,); 1 chunk; kernels/elementwise/regis...
    >>> print(strided.plan(lambda x: x.T, x))
    no pass: views only
    """
    recorded = _native.record_plans(lambda: function(*args, **kwargs))
    return Plan(
        tuple(
            PlanPass(operation, tuple(PlanAxis(*axis) for axis in axes), *rest)
            for operation, axes, *rest in recorded
        )
    )
