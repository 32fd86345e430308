"""All chapters of operations: importing this fills the registry, and the table of their rules."""

from strided.ops import (
    arithmetic,
    closeness,
    comparison,
    complex_parts,
    data_types,
    devices,
    einsum,
    exponential,
    extremes,
    joining,
    linear_algebra,
    logic,
    parametric_activations,
    relations,
    rounding,
    scans,
    searching,
    sets,
    sorting,
    special,
    statistics,
    trigonometric,
)
from strided.ops.elementwise_gradients import enter_rules

__all__ = [
    "arithmetic",
    "closeness",
    "comparison",
    "complex_parts",
    "data_types",
    "devices",
    "einsum",
    "exponential",
    "extremes",
    "joining",
    "linear_algebra",
    "logic",
    "parametric_activations",
    "relations",
    "rounding",
    "scans",
    "searching",
    "sets",
    "sorting",
    "special",
    "statistics",
    "trigonometric",
]

enter_rules()
