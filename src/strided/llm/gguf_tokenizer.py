"""The tokenizer that a GGUF file describes in its metadata (keys ``tokenizer.ggml.*``).

Ids are the places in the list of tokens. Tokens that are control ones there (kinds 2 and 3) are
found in a text only when asked for; user-defined ones (kind 4) always are, because some
vocabularies have runs of spaces among them (as llama.cpp does).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

from strided import InvalidArgument
from strided.llm.text_splits import DEFAULT, SPLITS, TextSplit
from strided.llm.vocabulary import TokenizerWarning, Vocabulary, import_tokenizers, turn_ends

_KEY = "tokenizer.ggml."
# Kinds of tokens, by the numbers of tokenizer.ggml.token_type.
_UNKNOWN, _CONTROL, _USER_DEFINED, _BYTE = 2, 3, 4, 6


def read_gguf_vocabulary(metadata: Mapping[str, Any]) -> Vocabulary:
    """Build the tokenizer of a GGUF file from its metadata."""
    model = metadata.get(_KEY + "model")
    if model not in ("gpt2", "llama"):
        raise InvalidArgument(
            argument=_KEY + "model", got=repr(model), requirement="must be 'gpt2' or 'llama'"
        )
    texts = _listed(metadata, "tokens", str)
    kinds = _listed(metadata, "token_type", int, len(texts)) or [1] * len(texts)
    control = frozenset(n for n, kind in enumerate(kinds) if kind in (_UNKNOWN, _CONTROL))
    own = frozenset(n for n, kind in enumerate(kinds) if kind == _USER_DEFINED)
    as_written = control | own
    spelled = _distinct(texts)
    warnings: list[TokenizerWarning] = []
    if model == "gpt2":
        split = _split(metadata, warnings)
        encoder = _byte_level(spelled, _listed(metadata, "merges", str), split)
        space_first, add_bos = False, split.adds_bos
    else:
        space_first = bool(metadata.get(_KEY + "add_space_prefix", True))
        scores = _listed(metadata, "scores", float, len(texts))
        mergeable = [n for n in range(len(texts)) if n not in as_written and kinds[n] != _BYTE]
        merges = _merges_by_score(spelled, scores, mergeable)
        unknown = next((spelled[n] for n, kind in enumerate(kinds) if kind == _UNKNOWN), None)
        encoder = _sentence_piece(spelled, merges, unknown, space_first)
        add_bos = True
    _add(encoder, [spelled[n] for n in control], special=True)
    _add(encoder, [spelled[n] for n in own], special=False)

    named = {texts[n]: n for n in as_written}
    ends = (_token(metadata, name, len(texts)) for name in ("eos", "eot", "eom"))
    template = metadata.get("tokenizer.chat_template")
    return Vocabulary(
        encoder=encoder,
        texts=texts,
        byte_level=model == "gpt2",
        as_written=as_written,
        control=control,
        bos=_token(metadata, "bos", len(texts)),
        eos=turn_ends(ends, named),
        add_bos=bool(metadata.get(_KEY + "add_bos_token", add_bos)),
        space_first=space_first,
        chat_template=template if isinstance(template, str) else None,
        warnings=tuple(warnings),
    )


# ---- reading ----


def _listed(metadata: Mapping[str, Any], name: str, kind: type, length: int | None = None) -> Any:
    """Return a list of the metadata, empty if it is not there (tokens must be)."""
    found: Any = metadata.get(_KEY + name)
    if found is None and name != "tokens":
        return []
    # Lists of numbers may come as arrays, whose elements are no Python numbers.
    found = found.tolist() if hasattr(found, "tolist") else found
    right = isinstance(found, list | tuple) and set(map(type, found)) <= {kind}
    if right and kind is str:
        right = _encodes("".join(found), "surrogateescape")
    if not right or (length is not None and len(found) < length):
        count = "" if length is None else f" {length}"
        raise InvalidArgument(
            argument=_KEY + name,
            got="missing" if found is None else f"{type(found).__name__} of another form",
            requirement=f"must be a list of{count} {kind.__name__}",
        )
    return found[:length]


def _encodes(text: str, errors: str = "strict") -> bool:
    """Return whether a text has bytes; those that were no UTF-8 in the file are lone surrogates."""
    try:
        text.encode("utf-8", errors)
    except UnicodeEncodeError:
        return False
    return True


def _token(metadata: Mapping[str, Any], name: str, count: int) -> int | None:
    """Return the id of a token with a role; None if the file gives none of its tokens."""
    found = metadata.get(f"{_KEY}{name}_token_id")
    return found if isinstance(found, int) and 0 <= found < count else None


def _distinct(texts: list[str]) -> list[str]:
    """Return spellings that are all different, Unicode and not empty, as the encoder wants them."""
    seen = set(texts)
    if len(seen) == len(texts) and "" not in seen and _encodes("".join(texts)):
        return texts
    seen.clear()
    found = []
    for number, text in enumerate(texts):
        names = itertools.chain([text], (f"[{number}.{again}]" for again in itertools.count()))
        name = next(name for name in names if name and name not in seen and _encodes(name))
        seen.add(name)
        found.append(name)
    return found


# ---- byte-level ----


def _split(metadata: Mapping[str, Any], warnings: list[TokenizerWarning]) -> TextSplit:
    name = str(metadata.get(_KEY + "pre", ""))
    split = SPLITS.get(name)
    if split is None:
        message = "is unknown: text is split as for 'default', and some tokens may differ"
        warnings.append(TokenizerWarning(_KEY + "pre", name, message))
    return split or DEFAULT


def _byte_level(texts: list[str], merges: list[str], split: TextSplit) -> Any:
    tokenizers = import_tokenizers()
    pre = tokenizers.pre_tokenizers
    numbers = {text: number for number, text in enumerate(texts)}
    pairs = [tuple(line.split(" ", 1)) for line in merges]
    try:
        model = tokenizers.models.BPE(numbers, pairs, ignore_merges=split.whole_words)
    except Exception:  # merges of tokens that are not there; asking before is slow
        known = [p for p in pairs if len(p) == 2 and {*p, p[0] + p[1]} <= numbers.keys()]
        model = tokenizers.models.BPE(numbers, known, ignore_merges=split.whole_words)
    encoder = tokenizers.Tokenizer(model)
    cuts = [pre.Split(tokenizers.Regex(p), behavior="isolated") for p in split.patterns]
    encoder.pre_tokenizer = pre.Sequence(
        [*cuts, pre.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    if split.composed:
        encoder.normalizer = tokenizers.normalizers.NFC()
    return encoder


# ---- SentencePiece ----


def _merges_by_score(
    texts: list[str], scores: list[float], mergeable: Iterable[int]
) -> list[tuple[str, str]]:
    """Return the merges that merging by score amounts to.

    SentencePiece always joins the two neighbours whose joined token has the highest score. So the
    merges of a token are all its cuts into two tokens, and tokens come in the order of scores. Cuts
    of the same token stand in the order that Hugging Face's conversion gives them.
    """
    numbers = {texts[number]: number for number in mergeable}
    if scores:
        order = sorted(numbers.items(), key=lambda item: -scores[item[1]])
    else:
        order = list(numbers.items())
    found = []
    for text, _ in order:
        cuts = [
            (text[:place], text[place:])
            for place in range(1, len(text))
            if text[:place] in numbers and text[place:] in numbers
        ]
        cuts.sort(key=lambda cut: -len(cut[0]))
        found += cuts
    return found


def _sentence_piece(
    texts: list[str], merges: list[tuple[str, str]], unknown: str | None, space_first: bool
) -> Any:
    tokenizers = import_tokenizers()
    normalizers = tokenizers.normalizers
    encoder = tokenizers.Tokenizer(
        tokenizers.models.BPE(
            vocab={text: number for number, text in enumerate(texts)},
            merges=merges,
            unk_token=unknown,
            fuse_unk=True,
            byte_fallback=True,
        )
    )
    steps = [normalizers.Prepend("▁")] if space_first else []
    encoder.normalizer = normalizers.Sequence([*steps, normalizers.Replace(" ", "▁")])
    return encoder


def _add(encoder: Any, texts: list[str], special: bool) -> None:
    """Name tokens that are found in a text before it is cut into words."""
    added = import_tokenizers().AddedToken
    tokens = [added(text, special=special, normalized=False) for text in texts]
    if tokens and special:
        encoder.add_special_tokens(tokens)
    elif tokens:
        encoder.add_tokens(tokens)
