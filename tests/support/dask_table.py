"""Programs on dask arrays, each run over NumPy chunks and over tensors: ONE ROW PER PROGRAM.

A row takes the arrays of ``inputs`` by name, as dask arrays, and returns a dask array, or several.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

Program = Callable[[Any, SimpleNamespace], Any]


def inputs() -> dict[str, tuple[np.ndarray, Any]]:
    """Return arrays and their chunks: uneven ones, several along each axis."""
    random = np.random.default_rng(0)
    holes = random.normal(size=(12, 8))
    holes[holes > 1] = np.nan
    square = random.normal(size=(6, 6))
    return {
        "x": (random.normal(size=(12, 8)), (5, 3)),
        "y": (random.normal(size=(12, 8)), (5, 3)),
        "w": (random.normal(size=(8, 7)), (3, 4)),
        "row": (random.normal(size=8), 3),
        "long": (random.normal(size=100), 30),
        "f4": (random.normal(size=(12, 8)).astype("float32"), (5, 3)),
        "c": (random.normal(size=(6, 8)) + 1j * random.normal(size=(6, 8)), (4, 8)),
        "i": (random.integers(0, 9, size=(12, 8)), (5, 3)),
        "small": (random.integers(0, 100, size=(12, 8)).astype("uint8"), (5, 3)),
        "mask": (random.random((12, 8)) > 0.4, (5, 3)),
        "holes": (holes, (5, 3)),
        "cube": (random.normal(size=(4, 6, 5)), (2, 3, 5)),
        "tall": (random.normal(size=(40, 4)), (10, 4)),
        "square": (square, (3, 3)),
        "spd": (square @ square.T + 6 * np.eye(6), (3, 3)),
    }


def _written(index: Any, value: Any) -> Program:
    def program(da: Any, s: SimpleNamespace) -> Any:
        x = s.x.copy()
        x[index(s) if callable(index) else index] = value(s) if callable(value) else value
        return x

    return program


ARITHMETIC: dict[str, Program] = {
    "add": lambda da, s: s.x + s.y,
    "add a number": lambda da, s: 1 + s.x * 2 - 3,
    "broadcast": lambda da, s: s.x / s.row,
    "broadcast new axis": lambda da, s: s.x[:, None, :] * s.y[None, :, :],
    "with a NumPy array": lambda da, s: s.x + np.ones(8),
    "int and float": lambda da, s: s.i + s.x,
    "float32 and float64": lambda da, s: s.f4 * s.x,
    "divide ints": lambda da, s: s.i / (s.i + 1),
    "floor_divide, mod": lambda da, s: s.i // 3 + s.i % 4,
    "divmod": lambda da, s: da.divmod(s.i, 4),
    "power": lambda da, s: s.x**2,
    "negative, abs": lambda da, s: abs(-s.x),
    "exp": lambda da, s: da.exp(s.x),
    "sin of float32": lambda da, s: da.sin(s.f4),
    "sqrt of ints": lambda da, s: da.sqrt(s.i),
    "arctan2": lambda da, s: da.arctan2(s.x, s.y),
    "maximum": lambda da, s: da.maximum(s.x, s.y),
    "isnan": lambda da, s: da.isnan(s.holes),
    "nan_to_num": lambda da, s: da.nan_to_num(s.holes),
    "frexp": lambda da, s: da.frexp(s.x),
    "modf": lambda da, s: da.modf(s.x),
    "compare": lambda da, s: s.x < s.y,
    "logical": lambda da, s: da.logical_and(s.mask, s.x > 0),
    "bitwise": lambda da, s: ~s.mask | (s.x > 0) & s.mask,
    "where": lambda da, s: da.where(s.mask, s.x, s.y),
    "where with a number": lambda da, s: da.where(s.mask, s.x, 0),
    "clip": lambda da, s: s.x.clip(-1, 1),
    "round": lambda da, s: s.x.round(2),
    "real, imag": lambda da, s: (da.real(s.c), da.imag(s.c)),
    "conj, angle": lambda da, s: (s.c.conj(), da.angle(s.c)),
    "astype": lambda da, s: s.x.astype("float32"),
    "astype int": lambda da, s: s.x.astype(int),
    "view": lambda da, s: s.x.view("int64"),
    "isclose": lambda da, s: da.isclose(s.x, s.x + 1e-12),
    "digitize": lambda da, s: da.digitize(s.x, np.array([-1.0, 0.0, 1.0])),
    "isin": lambda da, s: da.isin(s.i, [1, 2, 3]),
    "piecewise": lambda da, s: da.piecewise(s.x, [s.x < 0, s.x >= 0], [-1, 1]),
    "select": lambda da, s: da.select([s.x < 0, s.x > 1], [s.x, s.y], 7.0),
    "choose": lambda da, s: da.choose(s.mask.astype(int), [s.x, s.y]),
    "ones_like": lambda da, s: da.ones_like(s.x),
    "full_like": lambda da, s: da.full_like(s.x, 3, dtype="float32"),
    "i0": lambda da, s: da.i0(s.x),
}

REDUCTIONS: dict[str, Program] = {
    "sum": lambda da, s: s.x.sum(),
    "sum axis": lambda da, s: s.x.sum(axis=0),
    "sum keepdims": lambda da, s: s.x.sum(axis=1, keepdims=True),
    "sum axes": lambda da, s: s.cube.sum(axis=(0, 2)),
    "sum of uint8": lambda da, s: s.small.sum(axis=0),
    "sum of bool": lambda da, s: s.mask.sum(),
    "sum in float32": lambda da, s: s.x.sum(dtype="float32"),
    "prod": lambda da, s: s.x.prod(axis=1),
    "mean": lambda da, s: s.x.mean(axis=0),
    "mean all": lambda da, s: s.x.mean(),
    "mean of ints": lambda da, s: s.i.mean(axis=1),
    "mean of float32": lambda da, s: s.f4.mean(axis=0),
    "var": lambda da, s: s.x.var(axis=0),
    "var ddof": lambda da, s: s.x.var(ddof=1),
    "std": lambda da, s: s.x.std(axis=1, keepdims=True),
    "std of float32": lambda da, s: s.f4.std(axis=0),
    "moment": lambda da, s: s.x.moment(3, axis=0),
    "min": lambda da, s: s.x.min(axis=0),
    "max": lambda da, s: s.x.max(),
    "argmin": lambda da, s: s.x.argmin(axis=0),
    "argmax": lambda da, s: s.x.argmax(axis=1),
    "argmax all": lambda da, s: s.x.argmax(),
    "any": lambda da, s: s.mask.any(axis=0),
    "all": lambda da, s: s.mask.all(),
    "ptp": lambda da, s: da.ptp(s.x, axis=0),
    "median": lambda da, s: da.median(s.x, axis=0),
    "average": lambda da, s: da.average(s.x, axis=0, weights=s.y**2),
    "cumsum": lambda da, s: s.x.cumsum(axis=0),
    "cumsum blelloch": lambda da, s: da.cumsum(s.x, axis=1, method="blelloch"),
    "cumprod": lambda da, s: s.x.cumprod(axis=1),
    "nansum": lambda da, s: da.nansum(s.holes, axis=0),
    "nanprod": lambda da, s: da.nanprod(s.holes, axis=0),
    "nanmean": lambda da, s: da.nanmean(s.holes, axis=0),
    "nanvar": lambda da, s: da.nanvar(s.holes, axis=0),
    "nanstd": lambda da, s: da.nanstd(s.holes, axis=1),
    "nanmin": lambda da, s: da.nanmin(s.holes, axis=0),
    "nanmax": lambda da, s: da.nanmax(s.holes),
    "nanargmin": lambda da, s: da.nanargmin(s.holes, axis=0),
    "nanargmax": lambda da, s: da.nanargmax(s.holes, axis=1),
    "nancumsum": lambda da, s: da.nancumsum(s.holes, axis=0),
    "nanmedian": lambda da, s: da.nanmedian(s.holes, axis=0),
    "count_nonzero": lambda da, s: da.count_nonzero(s.i),
    "percentile": lambda da, s: da.percentile(s.long, [25, 50, 75]),
    "percentile lower": lambda da, s: da.percentile(s.long, 30, method="lower"),
    "quantile": lambda da, s: da.quantile(s.x, 0.3, axis=0),
    "topk": lambda da, s: da.topk(s.x, 3, axis=0),
    "topk smallest": lambda da, s: da.topk(s.x, -2, axis=1),
    "argtopk": lambda da, s: da.argtopk(s.x, 2, axis=0),
    "norm": lambda da, s: da.linalg.norm(s.x),
    "norm axis": lambda da, s: da.linalg.norm(s.x, axis=1),
    "norm 1": lambda da, s: da.linalg.norm(s.x, 1),
    "trace": lambda da, s: da.trace(s.square),
    "cov": lambda da, s: da.cov(s.tall.T),
    "corrcoef": lambda da, s: da.corrcoef(s.tall.T),
    "reduction": lambda da, s: da.reduction(
        s.x,
        chunk=lambda one, axis, keepdims: (one * 2).sum(axis=axis, keepdims=keepdims),
        aggregate=lambda one, axis, keepdims: one.sum(axis=axis, keepdims=keepdims),
        dtype="float64",
        axis=0,
    ),
}

SHAPES: dict[str, Program] = {
    "slice": lambda da, s: s.x[1:-1, 2:7],
    "slice with steps": lambda da, s: s.x[::2, ::-1],
    "index": lambda da, s: s.x[3],
    "one element": lambda da, s: s.x[3, 4],
    "new axis": lambda da, s: s.x[:, None, 2],
    "ellipsis": lambda da, s: s.cube[..., 1],
    "fancy": lambda da, s: s.x[[0, 11, 3, 3]],
    "fancy, sorted": lambda da, s: s.x[:, [1, 2, 5]],
    "fancy by NumPy": lambda da, s: s.x[np.array([4, 1])],
    "fancy by dask": lambda da, s: s.row[s.i[0, :3]],
    "vindex": lambda da, s: s.x.vindex[[0, 5, 11], [1, 2, 7]],
    "mask": lambda da, s: s.x[s.mask],
    "mask of rows": lambda da, s: s.x[s.x[:, 0] > 0],
    "mask by NumPy": lambda da, s: s.x[np.arange(12) % 3 == 0],
    "take": lambda da, s: da.take(s.x, [1, 3, 2], axis=1),
    "compress": lambda da, s: da.compress([True, False, True], s.x, axis=0),
    "extract": lambda da, s: da.extract(s.mask, s.x),
    "transpose": lambda da, s: s.x.T,
    "transpose axes": lambda da, s: s.cube.transpose(2, 0, 1),
    "moveaxis": lambda da, s: da.moveaxis(s.cube, 0, -1),
    "swapaxes": lambda da, s: da.swapaxes(s.cube, 0, 1),
    "rollaxis": lambda da, s: da.rollaxis(s.cube, 2),
    "flip": lambda da, s: da.flip(s.x, 0),
    "rot90": lambda da, s: da.rot90(s.x),
    "roll": lambda da, s: da.roll(s.x, 3, axis=0),
    "squeeze": lambda da, s: s.x[:, :1].squeeze(),
    "expand_dims": lambda da, s: da.expand_dims(s.x, 1),
    "broadcast_to": lambda da, s: da.broadcast_to(s.row, (5, 8)),
    "reshape": lambda da, s: s.x.reshape(96),
    "reshape merging": lambda da, s: s.cube.reshape(24, 5),
    "reshape blockwise": lambda da, s: da.reshape_blockwise(s.cube, (24, 5)),
    "ravel": lambda da, s: s.x.ravel(),
    "rechunk merging": lambda da, s: s.x.rechunk((12, 8)),
    "rechunk splitting": lambda da, s: s.x.rechunk((2, 2)),
    "rechunk crossing": lambda da, s: s.x.rechunk((12, 1)),
    "concatenate": lambda da, s: da.concatenate([s.x, s.y], axis=1),
    "concatenate dtypes": lambda da, s: da.concatenate([s.x, s.f4]),
    "stack": lambda da, s: da.stack([s.x, s.y], axis=1),
    "vstack": lambda da, s: da.vstack([s.x, s.y]),
    "hstack": lambda da, s: da.hstack([s.x, s.y]),
    "dstack": lambda da, s: da.dstack([s.x, s.y]),
    "block": lambda da, s: da.block([[s.x, s.y], [s.y, s.x]]),
    "repeat": lambda da, s: da.repeat(s.x, 2, axis=0),
    "tile": lambda da, s: da.tile(s.x, (2, 1)),
    "pad": lambda da, s: da.pad(s.x, 2, mode="constant"),
    "pad by edges": lambda da, s: da.pad(s.x, 1, mode="edge"),
    "pad reflected": lambda da, s: da.pad(s.x, 2, mode="reflect"),
    "diag": lambda da, s: da.diag(s.square),
    "diag of a row": lambda da, s: da.diag(s.row),
    "diagonal": lambda da, s: da.diagonal(s.cube, axis1=0, axis2=1),
    "tril": lambda da, s: da.tril(s.square),
    "triu": lambda da, s: da.triu(s.square, k=1),
    "diff": lambda da, s: da.diff(s.x, axis=0),
    "gradient": lambda da, s: da.gradient(s.x, axis=0),
    "ediff1d": lambda da, s: da.ediff1d(s.long),
    "coarsen": lambda da, s: da.coarsen(np.sum, s.x.rechunk(4), {0: 2, 1: 2}),
    "nonzero": lambda da, s: da.nonzero(s.mask),
    "argwhere": lambda da, s: da.argwhere(s.mask),
    "flatnonzero": lambda da, s: da.flatnonzero(s.mask),
    "unravel_index": lambda da, s: da.unravel_index(s.i[0], (3, 3)),
    "shuffle": lambda da, s: da.shuffle(s.x, [[3, 1], [0, 2, 5]], axis=0),
    "insert": lambda da, s: da.insert(s.x, 2, s.row, axis=0),
    "delete": lambda da, s: da.delete(s.x, [1, 4], axis=0),
    "append": lambda da, s: da.append(s.x, s.y, axis=0),
    "searchsorted": lambda da, s: da.searchsorted(da.cumsum(s.long**2), s.row**2),
    "set slice": _written((slice(1, 4), slice(2)), 7.0),
    "set row": _written(3, lambda s: s.row),
    "set fancy": _written(([0, 5, 7],), -1.0),
    "set mask": _written(lambda s: s.x > 0, 0.0),
    "set by array": _written((slice(2, 12, 2),), lambda s: s.y[::2][:5]),
}

BLOCKS: dict[str, Program] = {
    "map_blocks": lambda da, s: s.x.map_blocks(lambda one: one * 2),
    "map_blocks two": lambda da, s: da.map_blocks(lambda a, b: a + b, s.x, s.y),
    "map_blocks dtype": lambda da, s: s.x.map_blocks(lambda one: one > 0, dtype=bool),
    "map_blocks of views": lambda da, s: s.x.map_blocks(lambda one: one[::-1]),
    "map_blocks drop_axis": lambda da, s: s.tall.map_blocks(
        lambda one: one.sum(axis=1), drop_axis=1
    ),
    "map_blocks new_axis": lambda da, s: s.row.map_blocks(
        lambda one: one[None], new_axis=0, chunks=((1,), s.row.chunks[0])
    ),
    "blocks": lambda da, s: s.x.blocks[1:, 0],
    "blockwise": lambda da, s: da.blockwise(
        lambda a, b: a[:, None] * b, "ij", s.long, "i", s.row, "j", dtype="float64"
    ),
    "map_overlap": lambda da, s: s.x.map_overlap(
        lambda one: one + np.roll(one, 1, axis=0), depth=1, boundary="reflect"
    ),
    "map_overlap periodic": lambda da, s: s.x.map_overlap(
        lambda one: one * 2, depth={0: 2}, boundary="periodic"
    ),
    "map_overlap constant": lambda da, s: s.x.map_overlap(lambda one: one, depth=1, boundary=0),
    "sliding_window_view": lambda da, s: da.lib.stride_tricks.sliding_window_view(s.long, 3),
    "map_blocks by NumPy": lambda da, s: s.x.map_blocks(np.sort),
    "apply_along_axis": lambda da, s: da.apply_along_axis(
        lambda one: one.sum(), 1, s.x, dtype="float64", shape=()
    ),
    "apply_gufunc": lambda da, s: da.apply_gufunc(
        lambda one: one.mean(axis=-1), "(i)->()", s.x.rechunk({1: -1}), output_dtypes="float64"
    ),
    "histogram": lambda da, s: da.histogram(s.x, bins=5, range=(-2, 2))[0],
    "histogram weights": lambda da, s: da.histogram(
        s.x, bins=np.linspace(-2, 2, 4), weights=s.y**2
    )[0],
    "bincount": lambda da, s: da.bincount(s.i.ravel(), minlength=9),
    "unique": lambda da, s: da.unique(s.i),
    "union1d": lambda da, s: da.union1d(s.i[0], s.i[1]),
    "from_delayed": lambda da, s: da.from_delayed(s.x.to_delayed()[0, 0], (5, 3), meta=s.x._meta),
    "apply_over_axes": lambda da, s: da.apply_over_axes(
        lambda one, axis: one.sum(axis=axis, keepdims=True), s.x, [0, 1]
    ),
}

LINEAR: dict[str, Program] = {
    "matmul": lambda da, s: s.x @ s.w,
    "matmul float32": lambda da, s: s.f4.T @ s.f4,
    "matmul stacks": lambda da, s: da.matmul(s.cube, s.cube.transpose(0, 2, 1)),
    "matvec": lambda da, s: s.x @ s.row,
    "matmul with NumPy": lambda da, s: s.x @ np.ones((8, 2)),
    "dot": lambda da, s: da.dot(s.row, s.row),
    "vdot": lambda da, s: da.vdot(s.row, s.row),
    "outer": lambda da, s: da.outer(s.row, s.row),
    "tensordot": lambda da, s: da.tensordot(s.cube, s.cube, axes=((1, 2), (1, 2))),
    "einsum": lambda da, s: da.einsum("ij,jk->ik", s.x, s.w),
    "einsum of three": lambda da, s: da.einsum("ij,jk,lj->il", s.x, s.w, s.y),
    "einsum trace": lambda da, s: da.einsum("ij->j", s.x),
    "einsum of ints": lambda da, s: da.einsum("ij,ij->i", s.i, s.i),
    "qr": lambda da, s: da.linalg.qr(s.tall),
    "tsqr": lambda da, s: da.linalg.tsqr(s.tall),
    "sfqr": lambda da, s: da.linalg.sfqr(s.tall.T),
    "svd": lambda da, s: da.linalg.svd(s.tall),
    "svd_compressed": lambda da, s: da.linalg.svd_compressed(s.tall, 2, seed=1)[1],
    "lu": lambda da, s: da.linalg.lu(s.spd),
    "cholesky": lambda da, s: da.linalg.cholesky(s.spd, lower=True),
    "solve": lambda da, s: da.linalg.solve(s.spd, s.square),
    "solve_triangular": lambda da, s: da.linalg.solve_triangular(
        da.tril(s.spd), s.square, lower=True
    ),
    "inv": lambda da, s: da.linalg.inv(s.spd),
    "lstsq": lambda da, s: da.linalg.lstsq(s.tall, s.tall[:, 0])[:1],
    "normalised": lambda da, s: (s.x - s.x.mean(axis=0)) / s.x.std(axis=0),
    "fft": lambda da, s: da.fft.fft(s.tall, axis=1),
    "ifft": lambda da, s: da.fft.ifft(s.c, axis=1),
    "rfft": lambda da, s: da.fft.rfft(s.tall, axis=1),
    "irfft": lambda da, s: da.fft.irfft(s.c, axis=1),
    "fft2": lambda da, s: da.fft.fft2(s.cube.rechunk({1: -1}), axes=(1, 2)),
    "hfft": lambda da, s: da.fft.hfft(s.c, axis=1),
    "fftshift": lambda da, s: da.fft.fftshift(s.x),
    "fft_wrap": lambda da, s: da.fft.fft_wrap(np.fft.rfft)(s.tall, axis=1),
}

TABLES = {
    "arithmetic": ARITHMETIC,
    "reductions": REDUCTIONS,
    "shapes": SHAPES,
    "blocks": BLOCKS,
    "linear": LINEAR,
}

# dask knows only the dtype of these results before they are computed, and calls them NumPy's.
META_OF_NUMPY = {
    *("cumsum blelloch", "nanmedian", "quantile", "mask", "extract", "gradient", "coarsen"),
    *("apply_along_axis", "apply_over_axes", "histogram", "histogram weights"),
    *("fft", "ifft", "rfft", "irfft", "fft2", "hfft", "fft_wrap"),
}
# dask calls SciPy for these, on arrays over the chunks' memory, and gets arrays,
BY_SCIPY = {"lu", "cholesky", "solve", "solve_triangular", "inv", "lstsq"}
# or picks them from an array of its own.
CHUNKS_OF_NUMPY = BY_SCIPY | {"nonzero", "argwhere", "flatnonzero"}
# Functions and quotients of ints are float32 here, whatever dask expects of NumPy.
OWN_DTYPE = {"divide ints": "float32", "sqrt of ints": "float32"}
