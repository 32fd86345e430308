"""Streams give out the same text however it is cut into tokens, and never take any of it back."""

from __future__ import annotations

import doctest
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strided
from strided.llm import TextStream, job


class Pieces:
    """A tokenizer whose tokens are given byte strings; None is a control token."""

    def __init__(self, pieces: list[bytes | None]) -> None:
        self.pieces = pieces

    def token_bytes(self, token: int) -> bytes:
        piece = self.pieces[token]
        return b"<control>" if piece is None else piece

    def is_control(self, token: int) -> bool:
        return self.pieces[token] is None


def streamed(pieces: list[bytes | None], stop: tuple[str, ...] = ()) -> tuple[list[str], bool]:
    stream = TextStream(Pieces(pieces), stop)
    given = [stream.push(token) for token in range(len(pieces))]
    given.append(stream.finish())
    assert stream.text == "".join(given)
    return given, stream.stopped


def cut(text: str, stop: tuple[str, ...]) -> tuple[str, bool]:
    """What is left before the stop string that is complete first, found the slow way."""
    for end in range(1, len(text) + 1):
        lengths = [len(s) for s in stop if text[:end].endswith(s)]
        if lengths:
            return text[: end - max(lengths)], True
    return text, False


@pytest.mark.parametrize(
    ("pieces", "stop", "given"),
    [
        ([b"a", b"bc"], (), ["a", "bc", ""]),
        ([b"\xc3", b"\xa9"], (), ["", "é", ""]),
        ([b"\xf0\x9f", b"\x98", b"\x80!"], (), ["", "", "\U0001f600!", ""]),
        ([b"\xf0\x9f"], (), ["", "\ufffd"]),
        ([b"\xff", b"a"], (), ["\ufffd", "a", ""]),
        ([b"\xe2", b"a"], (), ["", "\ufffda", ""]),
        ([b"a", None, b"b"], (), ["a", "", "b", ""]),
        ([b"a", b"", b"b"], (), ["a", "", "b", ""]),
        ([b"one", b" ST", b"OP", b" two"], ("STOP",), ["one", " ", "", "", ""]),
        ([b"xSTO", b"x"], ("STOP",), ["x", "STOx", ""]),
        ([b"xSTO"], ("STOP",), ["x", "STO"]),
        ([b"aa", b"ab"], ("aab",), ["", "a", ""]),
        ([b"abab", b"abac"], ("abac",), ["ab", "ab", ""]),
        ([b"abcd"], ("abcd", "bc"), ["a", ""]),
        ([b"abc"], ("c", "bc"), ["a", ""]),
        ([b"say \xe2\x80", b"\x94 no"], ("—",), ["say ", "", ""]),
        ([b"\xff"], ("\ufffd",), ["", ""]),
        ([b"x\xe2"], ("\ufffd",), ["x", ""]),
    ],
)
def test_what_is_given_out_when(
    pieces: list[bytes | None], stop: tuple[str, ...], given: list[str]
) -> None:
    assert streamed(pieces, stop)[0] == given


LETTERS = st.sampled_from(
    [
        b"a",
        b"b",
        b"ab",
        b"ba",
        b"\xc3\xa9",
        b"\xc3",
        b"\xa9",
        b"\xf0\x9f\x98\x80",
        b"\xf0\x9f",
        b"\xff",
    ]
)
STOPS = st.lists(st.text("abé\ufffd", min_size=1, max_size=5), max_size=3).map(tuple)


@given(st.lists(LETTERS, max_size=20), st.lists(st.integers(0, 60), max_size=8), STOPS)
def test_any_cut_into_tokens_gives_the_same_text(
    letters: list[bytes], places: list[int], stop: tuple[str, ...]
) -> None:
    content = b"".join(letters)
    ends = sorted({min(place, len(content)) for place in places} | {0, len(content)})
    pieces: list[bytes | None] = [content[a:b] for a, b in itertools.pairwise(ends)]
    given, stopped = streamed(pieces, stop)
    assert ("".join(given), stopped) == cut(content.decode("utf-8", "replace"), stop)


@given(st.lists(st.binary(max_size=6), max_size=12), st.lists(st.text(min_size=1), max_size=2))
def test_any_bytes(pieces: list[bytes], stop: list[str]) -> None:
    given, stopped = streamed(list(pieces), tuple(stop))
    assert ("".join(given), stopped) == cut(
        b"".join(pieces).decode("utf-8", "replace"), tuple(stop)
    )


@given(st.lists(LETTERS, max_size=12), STOPS)
def test_only_what_may_change_is_held_back(letters: list[bytes], stop: tuple[str, ...]) -> None:
    stream = TextStream(Pieces(list(letters)), stop)
    for token in range(len(letters)):
        stream.push(token)
        if stream.stopped:
            break
        known = b"".join(letters[: token + 1])
        # The longest beginning of a character that these bytes may end with has three bytes.
        whole = next(n for n in range(4) if _is_certain(known, n))
        text = known[: len(known) - whole].decode("utf-8", "replace")
        held = max(
            (n for s in stop for n in range(len(s)) if text.endswith(s[:n])),
            default=0,
        )
        assert stream.text == text[: len(text) - held]


def _is_certain(known: bytes, held: int) -> bool:
    """Whether leaving out the last bytes gives a text that no further bytes can change."""
    text = known[: len(known) - held].decode("utf-8", "replace")
    return all(
        (known + more).decode("utf-8", "replace").startswith(text)
        for more in (b"", b"a", b"\x80", b"\x80\x80", b"\x98\x80", b"\xa9", b"\x9f\x98\x80")
    )


def test_nothing_comes_after_a_stop_string() -> None:
    stream = TextStream(Pieces([b"a.b", b"c", b"\xe2"]), (".",))
    assert [stream.push(0), stream.push(1), stream.push(2), stream.finish()] == ["a", "", "", ""]
    assert (stream.stopped, stream.text) == (True, "a")


def test_a_finished_stream_takes_no_tokens() -> None:
    stream = TextStream(Pieces([b"a", b"\xe2"]))
    stream.push(1)
    assert (stream.finish(), stream.finish()) == ("\ufffd", "")
    with pytest.raises(strided.UnsupportedOperation):
        stream.push(0)


@pytest.mark.parametrize("stop", [("",), ("a", ""), "ab"])
def test_stop_strings_must_be_texts(stop: tuple[str, ...]) -> None:
    with pytest.raises(strided.InvalidArgument):
        TextStream(Pieces([]), stop)


def test_examples() -> None:
    assert doctest.testmod(job).failed == 0
