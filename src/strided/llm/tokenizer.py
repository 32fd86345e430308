"""Tokenizers: text to tokens and back.

Encoding is that of the package ``tokenizers``, decoding is exact bytes.

Control tokens (those that begin and end turns) are found in a text only where that is allowed, and
have no text of their own unless asked for.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Any

from strided import InvalidArgument
from strided.llm.tokenizer_gguf import read_gguf_vocabulary
from strided.llm.tokenizer_json import read_tokenizer_json
from strided.llm.vocabulary import TokenizerWarning, Vocabulary


class Tokenizer:
    """The tokens of a model: from its ``tokenizer.json`` or from the metadata of a GGUF file.

    All ids are below ``vocab_size``. ``bos`` begins a text and ``eos`` are the tokens that end a
    turn, the model's own first; ``bos_token`` and ``eos_token`` are their names. ``add_bos`` says
    whether the model wants its texts to begin with ``bos``. ``chat_template`` is its template for
    conversations (Jinja). ``warnings`` are what had to be guessed. Each is None or empty if the
    model has none. Several threads may use a tokenizer at once.

    >>> from strided.llm import Tokenizer
    >>> letters = ["<s>", "</s>", "a", "b", "Ġ", "ab"]
    >>> tokenizer = Tokenizer.from_gguf({
    ...     "tokenizer.ggml.model": "gpt2",
    ...     "tokenizer.ggml.pre": "gpt-2",
    ...     "tokenizer.ggml.tokens": letters,
    ...     "tokenizer.ggml.token_type": [3, 3, 1, 1, 1, 1],
    ...     "tokenizer.ggml.merges": ["a b"],
    ...     "tokenizer.ggml.eos_token_id": 1,
    ... })
    >>> tokenizer.encode("ab a</s>"), tokenizer.decode([5, 4, 2]), tokenizer.eos
    ([5, 4, 2, 1], 'ab a', (1,))
    """

    def __init__(self, vocabulary: Vocabulary, size: int | None = None) -> None:
        texts = vocabulary.texts
        self.vocab_size: int = max(len(texts), size or 0)
        self.bos: int | None = vocabulary.bos
        self.eos: tuple[int, ...] = vocabulary.eos
        self.bos_token: str | None = None if self.bos is None else texts[self.bos]
        self.eos_token: str | None = texts[self.eos[0]] if self.eos else None
        self.add_bos: bool = vocabulary.add_bos and self.bos is not None
        self.chat_template: str | None = vocabulary.chat_template
        self.warnings: tuple[TokenizerWarning, ...] = vocabulary.warnings
        self._vocabulary = vocabulary
        self._bytes: dict[int, bytes] = {}
        # Whether control tokens are looked for is a setting of the encoder, shared by all threads.
        self._lock = Lock()

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, size: int | None = None) -> Tokenizer:
        """Read a ``tokenizer.json`` (or the directory of one) and the settings that lie beside it.

        ``size`` is the number of tokens of the model, if it has some without a name: they decode
        to nothing.

        >>> from strided.llm import Tokenizer
        >>> try:
        ...     Tokenizer.from_file("no such directory")
        ... except OSError as error:
        ...     error.path
        'no such directory'
        """
        return cls(read_tokenizer_json(path), size)

    @classmethod
    def from_gguf(cls, metadata: Mapping[str, Any], *, size: int | None = None) -> Tokenizer:
        """Build the tokenizer that the metadata of a GGUF file describes.

        Byte-level vocabularies (``gpt2``) and SentencePiece ones (``llama``) are known. ``size`` as
        in ``from_file``.

        >>> from strided.llm import Tokenizer
        >>> try:
        ...     Tokenizer.from_gguf({"tokenizer.ggml.model": "bert"})
        ... except ValueError as error:
        ...     error.argument
        'tokenizer.ggml.model'
        """
        return cls(read_gguf_vocabulary(metadata), size)

    # ---- text to tokens ----

    def encode(self, text: str, *, special: bool = True, add_bos: bool | None = None) -> list[int]:
        """Return the tokens of a text.

        With ``special=False`` the names of control tokens are text like any other. ``add_bos=None``
        puts ``bos`` in front if the model wants it and the text does not begin with it.

        >>> from strided.llm import Tokenizer
        >>> tokenizer = Tokenizer.from_gguf({
        ...     "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "gpt-2",
        ...     "tokenizer.ggml.tokens": ["<", "s", ">", "<s>"],
        ...     "tokenizer.ggml.token_type": [1, 1, 1, 3],
        ...     "tokenizer.ggml.merges": [],
        ... })
        >>> tokenizer.encode("<s>s"), tokenizer.encode("<s>s", special=False)
        ([3, 1], [0, 1, 2, 1])
        """
        try:
            text.encode()
        except (AttributeError, UnicodeEncodeError) as error:
            raise InvalidArgument(
                argument="text",
                got=f"not Unicode ({error})",
                requirement="must be a str of characters",
            ) from None
        encoder = self._vocabulary.encoder
        with self._lock:
            encoder.encode_special_tokens = not special
            tokens: list[int] = encoder.encode(text, add_special_tokens=False).ids
        begins = tokens[:1] == [self.bos]
        if self.bos is not None and (add_bos or (add_bos is None and self.add_bos and not begins)):
            tokens.insert(0, self.bos)
        return tokens

    # ---- tokens to text ----

    def decode(
        self, tokens: Iterable[int], *, special: bool = False, continues: bool = False
    ) -> str:
        """Return the text of tokens; bytes that are no UTF-8 become U+FFFD.

        Control tokens are left out unless ``special``. ``continues`` keeps the space that
        SentencePiece puts before the first word: for text that continues another.

        >>> from strided.llm import Tokenizer
        >>> tokenizer = Tokenizer.from_gguf({
        ...     "tokenizer.ggml.model": "llama",
        ...     "tokenizer.ggml.tokens": ["▁a", "<0xFF>"],
        ...     "tokenizer.ggml.scores": [0.0, 0.0],
        ... })
        >>> tokenizer.decode([0, 0, 1]), tokenizer.decode([0], continues=True)
        ('a a\ufffd', ' a')
        """
        parts = [
            self.token_bytes(token) for token in tokens if special or not self.is_control(token)
        ]
        text = b"".join(parts).decode("utf-8", "replace")
        if self._vocabulary.space_first and not continues:
            return text.removeprefix(" ")
        return text

    def token_bytes(self, token: int) -> bytes:
        """Return the bytes that a token stands for; a control token's are its name.

        >>> from strided.llm import Tokenizer
        >>> Tokenizer.from_gguf({
        ...     "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.tokens": ["Ġthe", "Ã"],
        ... }).token_bytes(1)
        b'\\xc3'
        """
        found = self._bytes.get(token)
        if found is None:
            token = self._checked(token)
            named = token < len(self._vocabulary.texts)
            found = self._bytes[token] = self._vocabulary.bytes_of(token) if named else b""
        return found

    def is_control(self, token: int) -> bool:
        """Return whether a token steers the model and is not text.

        >>> from strided.llm import Tokenizer
        >>> Tokenizer.from_gguf({
        ...     "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.tokens": ["a", "<s>"],
        ...     "tokenizer.ggml.token_type": [1, 3],
        ... }).is_control(1)
        True
        """
        return token in self._vocabulary.control

    def _checked(self, token: int) -> int:
        try:
            number = operator.index(token)
        except TypeError:
            number = -1
        if not 0 <= number < self.vocab_size:
            raise InvalidArgument(
                argument="token",
                got=repr(token),
                requirement=f"must be a whole number from 0 to {self.vocab_size - 1}",
            )
        return number
