"""Vocabularies: the parts of a tokenizer, and the bytes that each token stands for.

Vocabularies spell bytes in one of two ways. Byte-level ones (GPT-2 and what came after) write each
byte as one printable character. SentencePiece ones write text as it is with ▁ for a space, and
bytes that are no character of the vocabulary as <0xNN>.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from strided import MissingExtra

# Control tokens of these names end a turn in the model families that have them (the list of
# llama.cpp, src/llama-vocab.cpp, for the families that strided runs).
TURN_ENDS = (
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|end|>",
    "<end_of_turn>",
    "<｜end▁of▁sentence｜>",
    "</s>",
)
_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")


@dataclass(frozen=True)
class TokenizerWarning:
    """Something in a model's file that was guessed: what was found there, and what was done.

    >>> from strided.llm import TokenizerWarning
    >>> print(TokenizerWarning("tokenizer.ggml.pre", "new", "is unknown: text is split by default"))
    tokenizer.ggml.pre 'new' is unknown: text is split by default
    """

    subject: str
    found: str
    message: str

    def __str__(self) -> str:
        return f"{self.subject} {self.found!r} {self.message}"


@dataclass(frozen=True)
class Vocabulary:
    """The parts of a tokenizer.

    ``encoder`` is the Tokenizer of the package ``tokenizers``; ``texts`` are its tokens as spelled,
    by their number; those in ``as_written`` stand for their own characters. ``control`` tokens are
    never text. ``space_first``: a space was put before the text, and is taken away in decoding.
    """

    encoder: Any
    texts: Sequence[str]
    byte_level: bool
    as_written: frozenset[int]
    control: frozenset[int]
    bos: int | None
    eos: tuple[int, ...]
    add_bos: bool
    space_first: bool
    chat_template: str | None
    warnings: tuple[TokenizerWarning, ...] = ()

    def bytes_of(self, token: int) -> bytes:
        """Return the bytes that a token stands for."""
        text = self.texts[token]
        if token in self.as_written:
            return text.encode("utf-8", "surrogateescape")
        if self.byte_level:
            return byte_level_bytes(text)
        byte = _BYTE.fullmatch(text)
        if byte:
            return bytes([int(byte[1], 16)])
        return text.replace("▁", " ").encode("utf-8", "surrogateescape")


def turn_ends(first: Iterable[int | None], names: dict[str, int]) -> tuple[int, ...]:
    """Return the tokens that end a turn: those that the file names, then the known ones."""
    known = [names[name] for name in TURN_ENDS if name in names]
    return tuple(dict.fromkeys(token for token in (*first, *known) if token is not None))


@cache
def _bytes_by_letter() -> dict[str, int]:
    """Return the byte of each letter of the byte-level alphabet.

    Printable characters of Latin-1 stand for themselves; the other bytes, in order, take the
    characters from U+0100 on (GPT-2's encoder.py).
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    letters = {chr(byte): byte for byte in printable}
    return letters | {chr(0x100 + place): byte for place, byte in enumerate(others)}


def byte_level_bytes(text: str) -> bytes:
    """Return the bytes of a byte-level spelling; letters outside its alphabet stay themselves.

    >>> byte_level_bytes("ĠÃ©")
    b' \\xc3\\xa9'
    """
    letters = _bytes_by_letter()
    try:
        return bytes([letters[letter] for letter in text])
    except KeyError:
        return b"".join(
            bytes([letters[letter]])
            if letter in letters
            else letter.encode("utf-8", "surrogateescape")
            for letter in text
        )


def import_tokenizers() -> Any:
    """Return the package ``tokenizers``, which is needed from here on."""
    try:
        import tokenizers
    except ImportError as error:
        raise MissingExtra(
            operation="reading a tokenizer", package="tokenizers", extra="llm"
        ) from error
    return tokenizers
