"""Answer checks: whether an answer to an exercise is right, and if not, what is wrong with it.

Every check asks strided for the truth, tells the learner which part is wrong without giving it
away, and explains once the answer is right (or was asked for: ``{"reveal": true}``).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import strided
from strided import InvalidArgument, StridedError, Tensor, ViewNotPossible
from strided.explorer.expression import parse
from strided.explorer.steps import evaluate, value_of

_NUMBERS = re.compile(r"[\s(\[]*(-?\d{1,12}(?:[\s,]+-?\d{1,12})*)?[\s,)\]]*", re.ASCII)
_MAX_TEXT = 500
_MAX_FACES = 256  # elements of a tensor in two_faces


@dataclass(frozen=True)
class Verdict:
    """Whether an answer is right, and what to say; ``chains`` can be opened on the page."""

    right: bool
    message: str
    explanation: tuple[str, ...] = ()
    chains: tuple[str, ...] = ()
    measured: dict[str, Any] = field(default_factory=dict)


def _text(given: dict[str, Any], name: str) -> str:
    value = given.get(name, "")
    if not isinstance(value, str) or len(value) > _MAX_TEXT:
        raise InvalidArgument(
            argument=name, got="something else", requirement=f"must be text, up to {_MAX_TEXT}"
        )
    return value


def _numbers(given: dict[str, Any], name: str) -> tuple[int, ...] | None:
    """Return the whole numbers of a field; None when it holds anything else."""
    match = _NUMBERS.fullmatch(_text(given, name))
    if match is None:
        return None
    return tuple(int(n) for n in re.split(r"[\s,]+", match[1])) if match[1] else ()


def _compare(given: dict[str, Any], truth: Mapping[str, tuple[int, ...]]) -> list[str]:
    """Return a sentence for each field that is not right yet."""
    said = []
    for name, wanted in truth.items():
        got = _numbers(given, name)
        if got is None or (not got and wanted):
            said.append(f"{name}: write whole numbers, separated by commas")
        elif len(got) != len(wanted):
            said.append(f"{name}: {len(wanted)} numbers are needed, {len(got)} are given")
        elif got != wanted:
            wrong = [
                axis
                for axis, pair in enumerate(zip(got, wanted, strict=True))
                if pair[0] != pair[1]
            ]
            if len(wanted) == 1:
                said.append(f"{name}: {got[0]} is not right yet")
            else:
                axes = ", ".join(f"axis {axis}" for axis in wrong)
                said.append(
                    f"{name}: {len(wrong)} of {len(wanted)} numbers are not right yet ({axes})"
                )
    return said


def _judge(
    wrong: Sequence[str],
    given: dict[str, Any],
    explanation: Sequence[str],
    chains: Sequence[str] = (),
) -> Verdict:
    if wrong and not given.get("reveal"):
        return Verdict(False, "; ".join(wrong))
    message = "Here is the answer." if wrong else "Right."
    return Verdict(not wrong, message, tuple(explanation), tuple(chains))


def layout_numbers(chain: str, wanted: Sequence[str], given: dict[str, Any]) -> Verdict:
    """Check predicted strides and offset of a chain.

    >>> layout_numbers("zeros(2, 3).T", ["strides"], {"strides": "(1, 3)"}).right
    True
    """
    x = value_of(chain)
    facts = {"strides": tuple(x.stride()), "offset": (x.storage_offset(),)}
    said = [f"{step.source} is {step.layout}. {step.why}" for step in evaluate(chain).steps]
    return _judge(_compare(given, {name: facts[name] for name in wanted}), given, said, [chain])


def which_copy(options: Sequence[str], given: dict[str, Any]) -> Verdict:
    """Check which of several chains copy in their last step.

    >>> which_copy(["zeros(2, 2).T.reshape(4)", "zeros(2, 2).view(4)"], {"ticked": [0]}).right
    True
    """
    lasts = [evaluate(option).steps[-1] for option in options]
    truth = {place for place, step in enumerate(lasts) if step.kind == "copy"}
    said = [
        f"{option}: {step.kind}, {step.why[0].lower() + step.why[1:]}"
        for option, step in zip(options, lasts, strict=True)
    ]
    return _judge(_ticks(given, truth, len(options)), given, said, options)


def _ticks(given: dict[str, Any], truth: set[int], count: int) -> list[str]:
    ticked = given.get("ticked", [])
    if not isinstance(ticked, list) or not all(t in range(count) for t in ticked):
        raise InvalidArgument(
            argument="ticked", got="something else", requirement="must be a list of option numbers"
        )
    extra, missing = len(set(ticked) - truth), len(truth - set(ticked))
    wrong = []
    if extra:
        wrong.append(f"{extra} ticked too many")
    if missing:
        wrong.append(f"{missing} still to find")
    return wrong


def refused_view(given: dict[str, Any]) -> Verdict:
    """Check a chain whose last step is a refused view, where reshape would work.

    >>> refused_view({"chain": "zeros(2, 3).T.view(6)"}).explanation[0]
    'axes 0 and 1 do not step together: stride[0] = 1, length[1] * stride[1] = 6'
    """
    chain = _text(given, "chain")
    if given.get("reveal"):
        chain = "arange(6).reshape(2, 3).T.view(6)"
    try:
        last = parse(chain)[-1]
        if last.name != "view":
            return Verdict(False, "the last step must be .view(...)")
        x = value_of(chain[: last.column])
    except (StridedError, TypeError, ValueError) as error:
        return _fails_too(error)
    try:
        x.view(*last.args)
    except ViewNotPossible as refusal:
        cause, hint = (line.strip() for line in str(refusal).splitlines()[1:])
        shape = ", ".join(map(str, refusal.new_shape))
        copied = chain[: last.column] + f".reshape({shape})"
        return _judge(
            ["(an example)"] if given.get("reveal") else [],
            given,
            [cause, f"{copied} works: it copies {x.nbytes} bytes into new memory.", hint],
            [copied],
        )
    except (StridedError, TypeError, ValueError) as error:
        return _fails_too(error)
    return Verdict(False, "this view is possible: strides exist for the new shape")


def _fails_too(error: Exception) -> Verdict:
    return Verdict(False, f"reshape would fail too: {str(error).splitlines()[0]}")


def refusal(chain: str, given: dict[str, Any]) -> Verdict:
    """Check the axis, stride and needed stride behind a refused view.

    >>> given = {"axis": "0", "stride": "1", "needed": "6"}
    >>> refusal("zeros(2, 3).T.view(6)", given).right, refusal("zeros(2, 3).T.view(6)", {}).right
    (True, False)
    """
    try:
        value_of(chain)
    except ViewNotPossible as error:
        truth = {"axis": (error.axis,), "stride": (error.step,), "needed": (error.needed,)}
        said = [line.strip() for line in str(error).splitlines()]
        return _judge(_compare(given, truth), given, said, [chain])
    raise AssertionError(f"{chain} is not refused")


def _x() -> Tensor:
    return strided.arange(12).reshape(3, 4)


def two_faces(given: dict[str, Any]) -> Verdict:
    """Check two chains over x that differ and share memory; then write through one of them.

    >>> two_faces({"first": "x.T", "second": "x[1:]"}).explanation[-1]
    'After first[0, 1] = 99, second[0, 0] is 99 too.'
    """
    x = _x()
    texts = (
        ("x.T", "x[1:]") if given.get("reveal") else (_text(given, "first"), _text(given, "second"))
    )
    found = []
    for name, text in zip(("first", "second"), texts, strict=True):
        try:
            found.append(value_of(text, {"x": x}))
        except StridedError as error:
            return Verdict(False, f"{name}: {' '.join(str(error).split())}")
    first, second = found
    if max(first.size, second.size) > _MAX_FACES:
        return Verdict(False, f"use at most {_MAX_FACES} elements: every pair of them is looked at")
    if first.shape == second.shape and first.tolist() == second.tolist():
        return Verdict(False, "they look the same: shape and elements are equal")
    if not strided.shares_memory(first, second):
        return Verdict(False, "they share no element: a write to one is never seen in the other")
    said = [f"{text} is {value.layout}" for text, value in zip(texts, found, strict=True)]
    for index in itertools.product(*map(range, first.shape)):
        seen = _seen_at(first, second, index)
        if seen:
            places = " and ".join(f"second{list(place)}" for place in seen[:3])
            said.append(f"After first{list(index)} = 99, {places} is 99 too.")
            break
    chains = [f"arange(12).reshape(3, 4){text.strip()[1:]}" for text in texts]
    return _judge(["(an example)"] if given.get("reveal") else [], given, said, chains)


def _seen_at(a: Tensor, b: Tensor, index: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Write to one element of a; return the indices at which b shows it. Then undo the write."""
    at = a.storage_offset() + sum(i * s for i, s in zip(index, a.stride(), strict=True))
    cell = a.as_strided((), (), at)  # one element, writable also where a repeats it
    old = cell.item()
    cell.fill_(99)
    seen = [i for i in itertools.product(*map(range, b.shape)) if b[i].item() == 99]
    cell.fill_(old)
    return seen


def written(code: Sequence[str], index: tuple[int, ...], given: dict[str, Any]) -> Verdict:
    """Check where a write through a is seen in b, given as ``a = chain`` and ``b = chain`` over x.

    >>> written(["a = x", "b = x.T"], (0, 1), {"index": "1, 0"}).right
    True
    """
    x = _x()
    first, second = (value_of(line.partition("=")[2], {"x": x}) for line in code)
    (truth,) = _seen_at(first, second, index)
    place = first.layout.offset_of(index)
    said = [
        f"a{list(index)} is element {place} of the storage: a is {first.layout}.",
        f"b reaches element {place} at {list(truth)}: b is {second.layout}.",
    ]
    chains = [f"arange(12).reshape(3, 4){line.partition('= x')[2]}" for line in code]
    return _judge(_compare(given, {"index": truth}), given, said, chains)


def sharing(chain: str, options: Sequence[str], given: dict[str, Any]) -> Verdict:
    """Check which options share an element with a chain; all are over one x.

    >>> sharing("x[0]", ["x[1]", "x.T"], {"ticked": [1]}).right
    True
    """
    x = _x()
    one = value_of(chain, {"x": x})
    others = [value_of(option, {"x": x}) for option in options]
    truth = {place for place, other in enumerate(others) if strided.shares_memory(one, other)}
    said = []
    for place, (option, other) in enumerate(zip(options, others, strict=True)):
        if not other.shares_storage(x):
            why = "no: it is a copy, with a storage of its own"
        elif place in truth:
            why = f"yes: {other.layout} reaches some of the same elements"
        else:
            why = f"no: same storage, but {other.layout} reaches other elements"
        said.append(f"{option}: {why}")
    return _judge(_ticks(given, truth, len(options)), given, said)
