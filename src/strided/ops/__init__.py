"""Operations, a file per chapter: importing the package enters definitions and rules."""

# ruff: noqa: F401  (the chapters are imported for what they define)
from strided.ops import (
    activations,
    arithmetic,
    arrays,
    comparison,
    copying,
    creation,
    data_types,
    einsum,
    extremes,
    indexing,
    indexing_reading,
    indexing_rows,
    indexing_writing,
    joining,
    linear_algebra,
    manipulation,
    random_tensors,
    scans,
    searching,
    sets,
    shapes,
    sorting,
    splitting,
    statistics,
    transcendental,
)
from strided.ops.elementwise_gradients import enter_rules

enter_rules()
