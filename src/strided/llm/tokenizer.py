"""Tokenizers: text to tokens and back.

Encoding is that of the package ``tokenizers``, decoding is exact bytes.

Control tokens (those that begin and end turns) are found in a text only where that is allowed, and
have no text of their own unless asked for.
"""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any

from strided import FileMalformed, FileUnusable, InvalidArgument
from strided.llm.tokenizer_gguf import read_gguf_vocabulary
from strided.llm.vocabulary import TokenizerWarning, Vocabulary, import_tokenizers, turn_ends


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


# ---- tokenizers from a directory of Hugging Face ----
# ``tokenizer.json`` has the vocabulary. Beside it, each optional: ``tokenizer_config.json`` (bos,
# eos, chat template), ``chat_template.jinja`` (comes before the one in the configuration) and
# ``generation_config.json`` (all tokens that end a turn).


def read_tokenizer_json(path: str | os.PathLike[str]) -> Vocabulary:
    """Read a ``tokenizer.json``, or the one of a directory, and what lies beside it."""
    file = Path(path)
    if file.is_dir():
        file = file / "tokenizer.json"
    text = _text_of(file, str(path))
    described = _parsed(file, text)
    added = described.get("added_tokens") or []
    names: dict[str, int] = _names(file, described, added)
    texts = [""] * (max(names.values(), default=-1) + 1)
    for name, token in names.items():
        texts[token] = name
    special = {token["content"]: token["id"] for token in added if token.get("special")}
    encoder = _encoder(file, text)

    config = _beside(file, "tokenizer_config.json")
    generation = _beside(file, "generation_config.json")
    bos = names.get(_named(config.get("bos_token")))
    if bos is None and "bos_token" not in config:
        bos = _known(generation.get("bos_token_id"), texts)
    ends = generation.get("eos_token_id")
    listed = ends if isinstance(ends, list) else [ends]
    first = [names.get(_named(config.get("eos_token"))), *(_known(end, texts) for end in listed)]
    byte_level, space_first = _spelling(described)
    return Vocabulary(
        encoder=encoder,
        texts=texts,
        byte_level=byte_level,
        as_written=frozenset(token["id"] for token in added) if byte_level else frozenset(),
        control=frozenset(special.values()),
        bos=bos,
        eos=turn_ends(first, special),
        add_bos=_adds_bos(config, encoder, bos),
        space_first=space_first,
        chat_template=_template(file, config),
    )


def _text_of(file: Path, asked: str) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise FileMalformed(path=str(file), position=error.start, reason="no UTF-8") from None
    except (OSError, ValueError) as error:
        raise FileUnusable(path=asked, reason=str(error)) from None


def _parsed(file: Path, text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        position = len(text[: error.pos].encode())
        raise FileMalformed(path=str(file), position=position, reason=error.msg) from None
    except RecursionError:
        raise FileMalformed(path=str(file), position=0, reason="nested too deep") from None
    if not isinstance(found, dict):
        raise FileMalformed(path=str(file), position=0, reason="not an object of JSON")
    return found


def _beside(file: Path, name: str) -> dict[str, Any]:
    """Return the contents of a neighbour, nothing if it is not there."""
    other = file.with_name(name)
    return _parsed(other, _text_of(other, str(other))) if other.is_file() else {}


def _names(file: Path, described: dict[str, Any], added: list[Any]) -> dict[str, int]:
    """Return the number of each token by its spelling."""
    try:
        vocab = described["model"]["vocab"]
        # Unigram vocabularies are pairs of a text and its score, in order.
        listed = vocab if isinstance(vocab, dict) else {pair[0]: n for n, pair in enumerate(vocab)}
        names = {**listed, **{token["content"]: token["id"] for token in added}}
        if {type(number) for number in names.values()} - {int} or min(names.values()) < 0:
            raise ValueError("ids must be whole numbers of 0 or above")
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        reason = f"no vocabulary of tokens ({error!r})"
        raise FileMalformed(path=str(file), position=0, reason=reason) from None
    # A few wrong ids must not make a list of gigabytes.
    if max(names.values(), default=0) > 16 * len(names) + 65536:
        raise FileMalformed(path=str(file), position=0, reason="ids far above their number")
    return names


def _encoder(file: Path, text: str) -> Any:
    tokenizers = import_tokenizers()
    try:
        encoder = tokenizers.Tokenizer.from_str(text)
    except Exception as error:  # the package raises no narrower class
        raise FileMalformed(path=str(file), position=0, reason=str(error)) from None
    encoder.no_truncation()
    encoder.no_padding()
    return encoder


def _spelling(described: dict[str, Any]) -> tuple[bool, bool]:
    """Return whether the vocabulary is byte-level, and whether decoding takes a space away."""
    decoder = described.get("decoder") or {}
    steps = decoder.get("decoders", [decoder])
    kinds = {step.get("type"): step for step in steps}
    if "ByteLevel" in kinds:
        return True, False
    if "Metaspace" in kinds:
        scheme = kinds["Metaspace"].get("prepend_scheme")
        return False, scheme != "never" and kinds["Metaspace"].get("add_prefix_space", True)
    replaced = kinds.get("Replace", {})
    if replaced.get("pattern") == {"String": "▁"} and replaced.get("content") == " ":
        return False, "Strip" in kinds
    raise InvalidArgument(
        argument="the decoder of tokenizer.json",
        got=" + ".join(map(str, kinds)) or "missing",
        requirement="must be ByteLevel, Metaspace, or one that replaces ▁ by a space",
    )


def _named(token: Any) -> str:
    """Return the spelling of a special token: a text, or an object that has it."""
    return str(token.get("content", "")) if isinstance(token, dict) else str(token or "")


def _known(token: Any, texts: list[str]) -> int | None:
    return token if isinstance(token, int) and 0 <= token < len(texts) else None


def _adds_bos(config: dict[str, Any], encoder: Any, bos: int | None) -> bool:
    """Return what the configuration says, or else what the encoder does to an empty text."""
    said = config.get("add_bos_token")
    if isinstance(said, bool):
        return said
    return bos is not None and bos in encoder.encode("").ids[:1]


def _template(file: Path, config: dict[str, Any]) -> str | None:
    """Return the template for conversations; of several the one called default."""
    own = file.with_name("chat_template.jinja")
    if own.is_file():
        return _text_of(own, str(own))
    template = config.get("chat_template")
    if isinstance(template, list):
        named = [entry for entry in template if isinstance(entry, dict)]
        template = next((e.get("template") for e in named if e.get("name") == "default"), None)
    return template if isinstance(template, str) else None
