"""Tokenizers from a directory of Hugging Face.

``tokenizer.json`` has the vocabulary. Beside it, each optional: ``tokenizer_config.json`` (bos,
eos, chat template), ``chat_template.jinja`` (comes before the one in the configuration) and
``generation_config.json`` (all tokens that end a turn).
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from strided import FileMalformed, FileUnusable, InvalidArgument
from strided.llm.vocabulary import Vocabulary, import_tokenizers, turn_ends


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
