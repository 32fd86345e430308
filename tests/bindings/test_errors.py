"""Refusals by type and fields: every error class, every view method's axes and bounds."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import strided
from strided import errors

X = strided.arange(24).reshape(2, 3, 4)
FROZEN = strided.frombuffer(bytes(8))

# ---- one way to each error class ----

RAISED: dict[str, tuple[Callable[[], Any], tuple[type, ...], dict[str, Any]]] = {
    "IndexOutOfBounds": (
        lambda: X[0, -4],
        (IndexError,),
        {"index": -4, "length": 3, "axis": 1},
    ),
    "IndexTypeMismatch": (
        lambda: X[1.0],
        (IndexError, TypeError, strided.DTypeMismatch),
        {"operation": "indexing", "got": "float32"},
    ),
    "IndexShapeMismatch": (
        lambda: X[[0, 1], [0, 1, 2]],
        (IndexError, ValueError, strided.ShapeMismatch),
        {"expected": (2,), "got": (3,)},
    ),
    "InvalidDimension": (lambda: X.select(3, 0), (IndexError, ValueError), {"dim": 3, "rank": 3}),
    "DuplicateAxis": (
        lambda: X.permute(0, 1, -2),
        (ValueError, RuntimeError),
        {"axis": 1, "axes": (0, 1, -2)},
    ),
    "ShapeMismatch": (
        lambda: X.reshape(5, 5),
        (ValueError, RuntimeError),
        {"expected": (2, 3, 4), "got": (5, 5)},
    ),
    "MaskMismatch": (
        lambda: X[strided.tensor([True, False, True])],
        (IndexError, ValueError),
        {"operation": "indexing by a mask", "expected": (2,), "got": (3,)},
    ),
    "LinearAlgebraError": (
        lambda: strided.linalg.eigvals(strided.full((2, 2), strided.nan)),
        (ValueError,),
        {"operation": "eigvals", "shape": (2, 2)},
    ),
    "SingularMatrix": (
        lambda: strided.linalg.inv(strided.zeros(5, 2, 2)),
        (ValueError, strided.LinearAlgebraError),
        {"operation": "inv", "shape": (5, 2, 2)},
    ),
    "NotPositiveDefinite": (
        lambda: strided.linalg.cholesky(-strided.eye(2)),
        (ValueError, strided.LinearAlgebraError),
        {"operation": "cholesky", "shape": (2, 2)},
    ),
    "ViewNotPossible": (
        lambda: X[:, ::2].view(16),
        (RuntimeError, ValueError),
        {"shape": (2, 2, 4), "strides": (12, 8, 1), "offset": 0, "new_shape": (16,), "nbytes": 128}
        | {"axis": 1, "step": 8, "needed": 4},
    ),
    "UnsupportedOperation": (
        lambda: X.T,
        (RuntimeError, ValueError),
        {"operation": ".T"},
    ),
    "OutOfStorageBounds": (
        lambda: X.as_strided((2, 2), (-1, 5), 0),
        (RuntimeError, ValueError),
        {"shape": (2, 2), "strides": (-1, 5), "offset": 0}
        | {"lowest": -1, "highest": 5, "storage_size": 24},
    ),
    "ReadOnlyTensor": (
        lambda: FROZEN.add_(1),
        (ValueError, RuntimeError),
        {"operation": "add"},
    ),
    "WriteThroughOverlap": (
        lambda: X[0].expand(2, 3, 4).fill_(0),
        (RuntimeError, ValueError),
        {"operation": "fill_", "shape": (2, 3, 4), "strides": (0, 4, 1)},
    ),
    "DTypeMismatch": (
        lambda: strided.zeros(2).bitwise_not(),
        (TypeError, RuntimeError),
        {"operation": "bitwise_not", "got": "float32"},
    ),
    "InvalidArgument": (
        lambda: X.split(0),
        (ValueError, RuntimeError),
        {"argument": "split_size", "got": "0"},
    ),
    "OutOfMemory": (lambda: strided.empty(1 << 58), (MemoryError,), {"nbytes": 1 << 60}),
    "FileUnusable": (lambda: strided.memory_map("/no/file"), (OSError,), {"path": "/no/file"}),
    "CopyForbidden": (
        lambda: strided.no_copies()(X.permute(2, 1, 0).reshape)(24),
        (RuntimeError,),
        {"reason": "reshape", "nbytes": 192, "why": "no strides exist for the new shape"},
    ),
    "FileMalformed": (
        lambda: (_ for _ in ()).throw(
            strided.FileMalformed(path="x.npy", position=3, reason="wrong magic")
        ),
        (ValueError,),
        {"path": "x.npy", "position": 3},
    ),
    "DownloadFailed": (
        lambda: (_ for _ in ()).throw(
            strided.DownloadFailed(name="a model", reason="no network", path="x")
        ),
        (OSError,),
        {"name": "a model", "reason": "no network", "path": "x"},
    ),
    "NotAnArray": (
        lambda: strided.inspect({}),
        (TypeError,),
        {"operation": "inspect", "got": "dict"},
    ),
    "MissingExtra": (
        lambda: (_ for _ in ()).throw(
            strided.MissingExtra(operation="PNG", package="cairosvg", extra="pictures")
        ),
        (ImportError,),
        {"package": "cairosvg", "extra": "pictures"},
    ),
    "StateMismatch": (
        lambda: strided.nn.Linear(2, 1).load_state_dict({"weight": strided.zeros(1, 2)}),
        (RuntimeError, KeyError),
        {"owner": "Linear", "missing": ["bias"], "unexpected": [], "shapes": {}},
    ),
    "GradientMismatch": (
        lambda: (_ for _ in ()).throw(
            strided.GradientMismatch(
                operation="f", output=0, input=1, place=((), ()), analytical=1.0, numerical=2.0
            )
        ),
        (RuntimeError,),
        {"operation": "f", "output": 0, "input": 1, "analytical": 1.0, "numerical": 2.0},
    ),
    "GradientNotPossible": (
        lambda: X.requires_grad_(),
        (RuntimeError,),
        {"operation": "requires_grad of int64"},
    ),
    "StaleGradient": (
        lambda: (_ for _ in ()).throw(
            strided.StaleGradient(
                saved_by="exp",
                changed_by="add",
                shape=(2,),
                versions=(0, 1),
                saved_at="a.py:1",
                changed_at="a.py:2",
            )
        ),
        (RuntimeError,),
        {"saved_by": "exp", "changed_by": "add", "shape": (2,), "versions": (0, 1)}
        | {"saved_at": "a.py:1", "changed_at": "a.py:2"},
    ),
    "OverlapTooHard": (
        lambda: (_ for _ in ()).throw(strided.OverlapTooHard(work_limit=7)),
        (RuntimeError,),
        {"work_limit": 7},
    ),
}
CLASSES = [
    name
    for name, value in vars(errors).items()
    if inspect.isclass(value) and issubclass(value, errors.StridedError)
]


def test_every_class_is_here_and_public() -> None:
    assert {*RAISED, "StridedError"} == set(CLASSES)
    assert all(getattr(strided, name) is getattr(errors, name) for name in CLASSES)


@pytest.mark.parametrize("name", RAISED)
def test_fields_bases_and_text(name: str) -> None:
    call, bases, fields = RAISED[name]
    cls = getattr(strided, name)
    with pytest.raises(cls) as caught:
        call()
    error = caught.value
    assert type(error) is cls
    assert all(isinstance(error, base) for base in (*bases, strided.StridedError))
    assert {field: getattr(error, field) for field in fields} == fields
    assert {field for field in cls._fields if getattr(error, field, None) is None} <= {"hint"}
    assert 1 <= len(str(error).splitlines()) <= 3
    assert "None" not in str(error)
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert (type(again), str(again), again.__dict__) == (cls, str(error), error.__dict__)


# ---- axes that do not exist ----

# How many axes the call counts with: a new axis may stand at one place more.
AXIS: dict[str, tuple[int, Callable[[Any, int], Any]]] = {
    "select": (3, lambda x, d: x.select(d, 0)),
    "narrow": (3, lambda x, d: x.narrow(d, 0, 1)),
    "slice_dim": (3, lambda x, d: x.slice_dim(d, 0, 1)),
    "slice": (3, lambda x, d: x.slice(d, 0, 1)),
    "stride": (3, lambda x, d: x.stride(d)),
    "squeeze": (3, lambda x, d: x.squeeze(d)),
    "squeeze of two": (3, lambda x, d: x.squeeze((0, d))),
    "unsqueeze": (4, lambda x, d: x.unsqueeze(d)),
    "expand_dims": (4, lambda x, d: x.expand_dims(d)),
    "transpose": (3, lambda x, d: x.transpose(0, d)),
    "swapaxes": (3, lambda x, d: x.swapaxes(d, 0)),
    "swapdims": (3, lambda x, d: x.swapdims(0, d)),
    "permute": (3, lambda x, d: x.permute(0, 1, d)),
    "movedim from": (3, lambda x, d: x.movedim(d, 0)),
    "movedim to": (3, lambda x, d: x.moveaxis(0, d)),
    "flip": (3, lambda x, d: x.flip(0, d)),
    "rot90": (3, lambda x, d: x.rot90(1, (d, 0))),
    "unbind": (3, lambda x, d: x.unbind(d)),
    "split": (3, lambda x, d: x.split(1, d)),
    "chunk": (3, lambda x, d: x.chunk(1, d)),
    "tensor_split": (3, lambda x, d: x.tensor_split(1, d)),
    "diagonal dim1": (3, lambda x, d: x.diagonal(0, d, 1)),
    "diagonal dim2": (3, lambda x, d: x.diagonal(0, 1, d)),
    "flatten from": (3, lambda x, d: x.flatten(d)),
    "flatten to": (3, lambda x, d: x.flatten(0, d)),
    "unflatten": (3, lambda x, d: x.unflatten(d, (1, -1))),
    "unfold": (3, lambda x, d: x.unfold(d, 1, 1)),
    "sliding_window_view": (3, lambda x, d: x.sliding_window_view(1, d)),
    "squeeze_": (3, lambda x, d: x.view().squeeze_(d)),
    "unsqueeze_": (4, lambda x, d: x.view().unsqueeze_(d)),
    "transpose_": (3, lambda x, d: x.view().transpose_(d, 0)),
    "sum": (3, lambda x, d: x.sum(d)),
    "sum of two": (3, lambda x, d: x.sum((0, d))),
    "argmax": (3, lambda x, d: x.argmax(d)),
    "cumsum": (3, lambda x, d: x.cumsum(d)),
    "mean": (3, lambda x, d: x.float().mean(d)),
    "std": (3, lambda x, d: x.float().std(d)),
    "strided.concat": (3, lambda x, d: strided.concat([x, x], axis=d)),
    "strided.stack": (4, lambda x, d: strided.stack([x, x], axis=d)),
    "strided.roll": (3, lambda x, d: strided.roll(x, 1, axis=d)),
    "strided.repeat": (3, lambda x, d: strided.repeat(x, 2, axis=d)),
    "strided.squeeze": (3, lambda x, d: strided.squeeze(x, d)),
    "strided.expand_dims": (5, lambda x, d: strided.expand_dims(x, (1, d))),
    "strided.unstack": (3, lambda x, d: strided.unstack(x, axis=d)),
    "layout": (3, lambda x, d: x.layout.selected(d, 0)),
}


@pytest.mark.parametrize("name", AXIS)
def test_axes_that_do_not_exist(name: str) -> None:
    rank, call = AXIS[name]
    before = (X.shape, X.stride(), X._version)
    for dim in (rank, -rank - 1, 40, -40, 1 << 62, -(1 << 62)):
        with pytest.raises(strided.InvalidDimension) as caught:
            call(X, dim)
        assert (caught.value.dim, caught.value.rank) == (dim, rank), dim
    with pytest.raises((OverflowError, TypeError, strided.InvalidDimension)):
        call(X, 1 << 70)
    for wrong in ("0", 1.5, object()):
        with pytest.raises(TypeError):
            call(X, wrong)  # type: ignore[arg-type]
    assert (X.shape, X.stride(), X._version) == before


@pytest.mark.parametrize("name", [n for n, (rank, _) in AXIS.items() if rank == 3])
def test_rank_0_has_no_axes(name: str) -> None:
    with pytest.raises(strided.StridedError):
        AXIS[name][1](strided.tensor(5), 1)


# ---- other arguments of view methods ----

ARGUMENTS: dict[str, tuple[Callable[[Any], Any], type[Exception], dict[str, Any]]] = {
    "select high": (lambda x: x.select(1, 3), strided.IndexOutOfBounds, {"index": 3, "axis": 1}),
    "select low": (lambda x: x.select(1, -4), strided.IndexOutOfBounds, {"index": -4, "length": 3}),
    "x[2]": (lambda x: x[2], strided.IndexOutOfBounds, {"index": 2, "length": 2, "axis": 0}),
    "x[..., 4]": (lambda x: x[..., 4], strided.IndexOutOfBounds, {"index": 4, "axis": 2}),
    "four indices": (lambda x: x[0, 0, 0, 0], strided.InvalidDimension, {"dim": 3, "rank": 3}),
    "narrow long": (lambda x: x.narrow(2, 2, 3), errors.StridedError, {}),
    "narrow negative": (lambda x: x.narrow(2, 0, -1), errors.StridedError, {}),
    "slice_dim empty": (lambda x: x.slice_dim(2, 2, 2), strided.IndexOutOfBounds, {"length": 4}),
    "slice_dim long": (lambda x: x.slice_dim(2, 0, 5), strided.IndexOutOfBounds, {"index": 5}),
    "two of one axis": (lambda x: x.flip(1, -2), strided.DuplicateAxis, {"axis": 1}),
    "squeeze twice": (lambda x: x.squeeze((0, 0)), strided.DuplicateAxis, {"axis": 0}),
    "sum twice": (lambda x: x.sum((2, -1)), strided.DuplicateAxis, {"axis": 2}),
    "diagonal of one": (lambda x: x.diagonal(0, 1, 1), strided.DuplicateAxis, {"axis": 1}),
    "movedim twice": (lambda x: x.movedim((0, 0), (1, 2)), strided.DuplicateAxis, {"axis": 0}),
    "new axis twice": (lambda x: strided.expand_dims(x, (0, -5)), strided.DuplicateAxis, {}),
    "rot90 of one": (lambda x: x.rot90(1, (0, -3)), strided.InvalidArgument, {"argument": "dims"}),
    "rot90 of three": (lambda x: x.rot90(1, (0, 1, 2)), strided.InvalidArgument, {}),
    "permute short": (lambda x: x.permute(0, 1), errors.StridedError, {}),
    "movedim uneven": (lambda x: x.movedim((0, 1), (1,)), errors.StridedError, {}),
    "expand other": (lambda x: x.expand(2, 5, 4), strided.ShapeMismatch, {"got": (2, 3, 4)}),
    "expand lower": (lambda x: x.expand(3, 4), errors.StridedError, {}),
    "expand new -1": (lambda x: x.expand(-1, 2, 3, 4), errors.StridedError, {}),
    "view of size": (lambda x: x.view(5), strided.ShapeMismatch, {"expected": (2, 3, 4)}),
    "two -1": (lambda x: x.view(-1, -1), strided.InvalidArgument, {"argument": "shape"}),
    "-2": (lambda x: x.reshape(-2, 12), strided.InvalidArgument, {"argument": "shape"}),
    "-1 by nothing": (lambda x: x[:0].reshape(-1, 0), errors.StridedError, {}),
    "no copy": (lambda x: x.mT.reshape(24, copy=False), strided.ViewNotPossible, {"axis": 1}),
    "unflatten": (lambda x: x.unflatten(2, (3, 2)), strided.ShapeMismatch, {"expected": (4,)}),
    "flatten back": (lambda x: x.flatten(2, 1), errors.StridedError, {}),
    "split list": (lambda x: x.split([1, 1], 2), strided.ShapeMismatch, {"expected": (4,)}),
    "split below": (lambda x: x.split([5, -1], 2), strided.ShapeMismatch, {"got": (5, -1)}),
    "split -1": (lambda x: x.split(-1), strided.InvalidArgument, {"argument": "split_size"}),
    "chunk 0": (lambda x: x.chunk(0), strided.InvalidArgument, {"argument": "chunks"}),
    "tensor_split 0": (lambda x: x.tensor_split(0), strided.InvalidArgument, {}),
    "hsplit": (lambda x: x.hsplit(2), strided.ShapeMismatch, {"expected": (3,), "got": (2,)}),
    "vsplit": (lambda x: x[0, 0].vsplit(2), strided.UnsupportedOperation, {"operation": "vsplit"}),
    "dsplit": (lambda x: x[0].dsplit(2), strided.UnsupportedOperation, {"operation": "dsplit"}),
    "unfold long": (lambda x: x.unfold(0, 3, 1), errors.StridedError, {}),
    "unfold step 0": (lambda x: x.unfold(0, 1, 0), errors.StridedError, {}),
    "windows": (lambda x: x.sliding_window_view((1, 1)), strided.ShapeMismatch, {"got": (1, 1)}),
    "t of rank 3": (lambda x: x.t(), strided.UnsupportedOperation, {"operation": ".t()"}),
    "mT of rank 1": (lambda x: x[0, 0].mT, strided.UnsupportedOperation, {"operation": ".mT"}),
    "fliplr of rank 1": (lambda x: x[0, 0].fliplr(), strided.UnsupportedOperation, {}),
    "view_as_real": (lambda x: x.view_as_real(), strided.DTypeMismatch, {"got": "int64"}),
    "view_as_complex": (lambda x: x.view_as_complex(), strided.UnsupportedOperation, {}),
    "wider items": (lambda x: x.mT.view(strided.complex128), strided.UnsupportedOperation, {}),
    "as_strided far": (lambda x: x.as_strided((2,), (24,)), strided.OutOfStorageBounds, {}),
    "as_strided low": (lambda x: x.as_strided((1,), (1,), -1), strided.OutOfStorageBounds, {}),
    "as_strided overflow": (
        lambda x: x.as_strided((3, 3), (1 << 62, 1 << 62)),
        strided.OutOfStorageBounds,
        {"storage_size": 24},
    ),
    "as_strided uneven": (lambda x: x.as_strided((2, 2), (1,)), strided.InvalidArgument, {}),
    "as_strided negative": (lambda x: x.as_strided((-1,), (1,)), strided.InvalidArgument, {}),
    "roll uneven": (lambda x: strided.roll(x, (1, 2), axis=0), strided.ShapeMismatch, {}),
    "concat": (lambda x: strided.concat([x, x[0]]), strided.ShapeMismatch, {"got": (3, 4)}),
    "stack": (lambda x: strided.stack([x, x[:1]]), strided.ShapeMismatch, {"got": (1, 3, 4)}),
    "of nothing": (lambda x: strided.concat([]), strided.InvalidArgument, {"argument": "arrays"}),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments(name: str) -> None:
    call, error, fields = ARGUMENTS[name]
    with pytest.raises(error) as caught:
        call(X)
    assert {field: getattr(caught.value, field) for field in fields} == fields
    assert type(caught.value) is not strided.StridedError


def test_an_empty_layout_still_begins_inside_its_storage() -> None:
    x = strided.zeros(3)
    assert x.as_strided((0,), (1,), 3).shape == (0,)
    for offset in (-1, 4, 2**62):
        with pytest.raises(strided.OutOfStorageBounds) as caught:
            x.as_strided((0,), (1,), offset)
        assert (caught.value.offset, caught.value.storage_size) == (offset, 3)
