"""copy_everything(): each view the user asks for is a copy, and everything else works as before."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

import strided

# Steps that write only to tensors of their own.
STEPS = (
    "x.T",
    "x[::-1, 1:]",
    "x[:, ::2]",
    "x.flip(1)",
    "x.reshape(-1, 2)",
    "x.ravel().view(1, -1)",
    "x.clone()",
    "x[[0, 0, 1]]",
    "x[x > 2].unsqueeze(1)",
    "st.concat([x, x.flip(0)])",
    "st.sort(x, axis=0)",
    "x.unsqueeze(0).expand(2, -1, -1).flatten(0, 1)",
    "x.clone().add_(x.flip(0))",
    "x.sliding_window_view((2, 1)).squeeze(-1).flatten(1)",
    "st.stack(x.chunk(2, 1)[:1])[0]",
    "st.stack(list(x))",
    "(x @ x.mT).rot90()",
)
VIEWS = {
    "T": lambda x: x.T,
    "transpose": lambda x: x.transpose(0, 1),
    "permute": lambda x: x.permute(1, 0),
    "strided.permute": lambda x: strided.permute(x, (1, 0)),
    "strided.flip": lambda x: strided.flip(x, axis=0),
    "slice": lambda x: x[1:],
    "row": lambda x: x[0],
    "element": lambda x: x[0, 0],
    "new axis": lambda x: x[None],
    "reshape": lambda x: x.reshape(6, 2),
    "view": lambda x: x.view(6, 2),
    "view as bytes": lambda x: x.view(strided.uint8),
    "flatten": lambda x: x.flatten(),
    "ravel": lambda x: x.ravel(),
    "unflatten": lambda x: x.unflatten(1, (2, 2)),
    "expand": lambda x: x.expand(2, 3, 4),
    "flip": lambda x: x.flip(0),
    "rot90": lambda x: x.rot90(),
    "narrow": lambda x: x.narrow(1, 1, 2),
    "select": lambda x: x.select(0, 1),
    "squeeze": lambda x: x.squeeze(),
    "unsqueeze": lambda x: x.unsqueeze(1),
    "unfold": lambda x: x.unfold(1, 2, 1),
    "windows": lambda x: x.sliding_window_view((2, 2)),
    "diagonal": lambda x: x.diagonal(),
    "as_strided": lambda x: x.as_strided((2, 2), (1, 1)),
    "strided.expand_dims": lambda x: strided.expand_dims(x, (0, 2)),
    "einsum": lambda x: strided.einsum("ij->ji", x),
}
SEVERAL = {
    "split": (lambda x: x.split(1), 3),
    "unbind": (lambda x: x.unbind(), 3),
    "chunk": (lambda x: x.chunk(3), 3),
    "strided.chunk": (lambda x: strided.chunk(x, 2, 1), 2),
    "tensor_split": (lambda x: x.tensor_split((1,)), 2),
    "iteration": (list, 3),
    "reversed": (lambda x: list(reversed(x)), 3),
    "meshgrid": (lambda x: strided.meshgrid(x[0], x[0]), 2),
}


def made() -> strided.Tensor:
    return strided.arange(12).reshape(3, 4)


@pytest.mark.parametrize("name", VIEWS)
def test_one_call_one_copy(name: str) -> None:
    x = made()
    expected = VIEWS[name](x)
    assert expected.shares_storage(x)
    with strided.copy_everything(), strided.trace_copies() as report:
        result = VIEWS[name](x)
    assert [event.reason for event in report.events] == ["baseline"]
    assert report.bytes == expected.nbytes
    assert not result.shares_storage(x)
    assert result.is_contiguous()
    assert result.tolist() == expected.tolist()
    assert VIEWS[name](x).shares_storage(x)


@pytest.mark.parametrize("name", SEVERAL)
def test_every_piece_is_a_copy(name: str) -> None:
    function, pieces = SEVERAL[name]
    x = made()
    expected = [piece.tolist() for piece in function(x)]
    with strided.copy_everything(), strided.trace_copies() as report:
        results = function(x)
    own = pieces + 2 if name == "meshgrid" else pieces  # x[0] twice
    assert [event.reason for event in report.events] == ["baseline"] * own
    assert not any(piece.shares_storage(x) for piece in results)
    assert [piece.tolist() for piece in results] == expected


def test_a_copy_that_is_made_anyhow_is_made_once() -> None:
    x = made().T
    with strided.copy_everything(), strided.trace_copies() as report:
        x.reshape(12)
        x.ravel()
    assert [event.reason for event in report.events] == ["reshape", "reshape"]


def test_complex_parts() -> None:
    x = strided.tensor([1 + 2j, 3 + 4j])
    with strided.copy_everything(), strided.trace_copies() as report:
        real, imag = x.real, x.imag
        assert strided.ones(2).real is not None  # itself
    assert [event.reason for event in report.events] == ["baseline"] * 2
    assert (real.tolist(), imag.tolist()) == ([1, 3], [2, 4])
    assert not real.shares_storage(x)


# ---- what must go on working ----


def use(x: Any) -> list[Any]:
    """Write in every way that names the tensor itself."""
    results: list[Any] = []
    x[1:] = 7
    x[0] += 1
    x[:, ::2] *= 2
    x += 1
    x[[0, 2]] = x[[2, 0]]
    x[x > 20] = -1
    x.masked_fill_(x == -1, 5)
    x.index_add_(0, strided.tensor([0]), strided.ones(1, 4, dtype=strided.int64))
    y = x.clone().t_().unsqueeze_(0).squeeze_()
    results += [x.tolist(), y.tolist(), strided.concat([x, x], axis=1).tolist()]
    results += [strided.stack([x, x]).tolist(), strided.roll(x, 1).tolist()]
    results += [strided.sort(x, axis=0).tolist(), strided.median(x).item()]
    results += [strided.einsum("ij,kj->ik", x, x).tolist(), (x @ x.T).tolist()]
    results += [strided.cumulative_sum(x, axis=0, include_initial=True).tolist()]
    results += [strided.kron(x, x).sum().item(), x.storage().tolist(), repr(x), str(x.layout)]
    return results


def test_assignments_operators_and_functions_are_the_same() -> None:
    x, y = made(), made()
    expected = use(x)
    with strided.copy_everything():
        results = use(y)
    assert results == expected
    assert x.tolist() == y.tolist()


@given(some.lists(some.sampled_from(STEPS), min_size=1, max_size=8))
def test_random_programs_give_the_same_results(steps: list[str]) -> None:
    def run() -> list[Any]:
        names: dict[str, Any] = {"st": strided, "x": made()}
        results = []
        for step in steps:
            try:
                names["x"] = eval(step, names)
            except (strided.StridedError, TypeError) as error:
                results.append(type(error))
            results.append(names["x"].tolist())
        return results

    expected = run()
    with strided.copy_everything():
        assert run() == expected


def test_writing_to_a_view_writes_to_its_copy() -> None:
    x = made()
    with strided.copy_everything():
        x[0].fill_(9)
        x.T.add_(1)
    assert x.tolist() == made().tolist()


def test_it_ends_with_its_block_and_nests() -> None:
    x = made()
    original = strided.Tensor.chunk
    with strided.copy_everything():
        with strided.copy_everything():
            pass
        assert not x.T.shares_storage(x)
        assert not x.chunk(2)[0].shares_storage(x)
    assert x.T.shares_storage(x)
    assert strided.Tensor.chunk is original

    @strided.copy_everything()
    def transposed() -> strided.Tensor:
        return x.T

    assert not transposed().shares_storage(x)
    assert x.T.shares_storage(x)


def test_it_holds_for_its_own_thread() -> None:
    x = made()
    shared: list[bool] = []
    with strided.copy_everything():
        thread = threading.Thread(
            target=lambda: shared.extend([x.T.shares_storage(x), x.ravel().shares_storage(x)])
        )
        thread.start()
        thread.join()
    assert shared == [True, True]


def test_it_can_be_forbidden() -> None:
    x = made()
    with strided.copy_everything(), strided.no_copies(), pytest.raises(strided.CopyForbidden):
        x.split(1)
    assert x.split(1)[0].shares_storage(x)
