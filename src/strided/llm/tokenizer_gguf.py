"""Tokenizers from the metadata of a GGUF file (keys ``tokenizer.ggml.*``).

Ids are the places in the list of tokens. Tokens that are control ones there (kinds 2 and 3) are
found in a text only when asked for; user-defined ones (kind 4) always are, because some
vocabularies have runs of spaces among them (as llama.cpp does).

Text is cut into words before their bytes are merged. Merges never cross a cut, so tokens are right
only if the cuts are those of the training. Names and patterns of cuts: llama.cpp
(src/llama-vocab.cpp) and the ``tokenizer.json`` of the models.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from strided import InvalidArgument
from strided.llm.vocabulary import TokenizerWarning, Vocabulary, import_tokenizers, turn_ends


class TextSplit(NamedTuple):
    """Patterns, and what else the name of a split says of a tokenizer.

    ``whole_words``: a word that is a token is that token, merges or not. ``adds_bos``: texts begin
    with bos unless the file says otherwise. ``composed``: text is brought to NFC first.
    """

    patterns: tuple[str, ...]
    whole_words: bool = False
    adds_bos: bool = False
    composed: bool = False


_ENDINGS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_SPACE = r"\s*[\r\n]+|\s+(?!\S)|\s+"


def _words(digits: str, letters: str = r"\p{L}", marks: str = r"[^\s\p{L}\p{N}]+[\r\n]*") -> str:
    """Return the pattern of tiktoken's cl100k kind: endings, words, digits, marks, space."""
    return rf"{_ENDINGS}|[^\r\n\p{{L}}\p{{N}}]?{letters}+|{digits}| ?{marks}|{_SPACE}"


def _cased(digits: str, endings: str = "") -> str:
    """Return the pattern of the o200k kind: words also end where lower case turns to upper."""
    upper, lower = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
    before = r"[^\r\n\p{L}\p{N}]?"
    words = f"{before}{upper}*{lower}+{endings}|{before}{upper}+{lower}*{endings}"
    return rf"{words}|{digits}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_SPACE}"


_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
_CJK = "[一-龥ࠀ-一가-퟿]+"
# Letters with upper and lower case, as DeepSeek's tokenizer lists them.
_CASED_LETTERS = (
    "A-Za-z\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u01ba\u01bc-\u01bf\u01c4-\u0293\u0295-\u02af"
    "\u0370-\u0373\u0376\u0377\u037b-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1"
    "\u03a3-\u03f5\u03f7-\u0481\u048a-\u052f\u0531-\u0556\u10a0-\u10c5\u13a0-\u13f5\u13f8-\u13fd"
    "\u1c90-\u1cba\u1cbd-\u1cbf\u1d00-\u1d2b\u1d6b-\u1d77\u1d79-\u1d9a\u1e00-\u1f15\u1f18-\u1f1d"
    "\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4"
    "\u1fb6-\u1fbc\u1fbe\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3\u1fd6-\u1fdb\u1fe0-\u1fec"
    "\u1ff2-\u1ff4\u1ff6-\u1ffc\u2102\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128"
    "\u212a-\u212d\u212f-\u2134\u2139\u213c-\u213f\u2145-\u2149\u214e\u2183\u2184\u2c00-\u2c7b"
    "\u2c7e-\u2ce4\u2ceb-\u2cee\u2cf2\u2cf3\ua640-\ua66d\ua680-\ua69b\ua722-\ua76f\ua771-\ua787"
    "\ua78b-\ua78e\uab70-\uabbf\ufb00-\ufb06\ufb13-\ufb17\uff21-\uff3a\uff41-\uff5a"
    "\U00010400-\U0001044f\U000104b0-\U000104d3\U000104d8-\U000104fb\U00010c80-\U00010cb2"
    "\U00010cc0-\U00010cf2\U000118a0-\U000118df\U0001e900-\U0001e943"
)
_ASCII_MARKS = r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~]"

DEFAULT = TextSplit((r"[\p{P}\$\+<=>\^~\|]+", _GPT2, r"\p{N}+", "[0-9][0-9][0-9]"))
_SINGLE_DIGITS = TextSplit((r"\p{N}", _GPT2))
_PLAIN = TextSplit((_GPT2,))
_LLAMA3 = TextSplit((_words(r"\p{N}{1,3}"),), whole_words=True, adds_bos=True)
_LLAMA3_MERGED = TextSplit((_words(r"\p{N}{1,3}"),))
_QWEN2 = TextSplit((_words(r"\p{N}"),))
_GPT4O = TextSplit((_cased(r"\p{N}{1,3}", _ENDINGS + "?"),))
_NORDIC = r" ?[^(\s|.,!?…。，、।۔،)]+"

_NAMES: dict[TextSplit, str] = {
    DEFAULT: "default",
    _PLAIN: "gpt-2 phi-2 gigachat a.x-4.0 mellum mpt olmo jais trillion exaone4",
    _SINGLE_DIGITS: "smollm starcoder refact command-r codeshell exaone minerva-7b mellum2",
    _LLAMA3: "llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral midm-2.0 lfm2",
    _LLAMA3_MERGED: "dbrx smaug-bpe chatglm-bpe glm4",
    _QWEN2._replace(composed=True): "qwen2",
    _QWEN2: "deepseek-r1-qwen kormo f2llmv2 megrez stablelm2 hunyuan solar-open grok-2",
    TextSplit(
        (_words(r"\p{N}", r"[\p{L}\p{M}]", r"[^\s\p{L}\p{M}\p{N}]+[\r\n]*"),), composed=True
    ): "qwen35",
    TextSplit((_words(r"\p{N}", marks=r"[^\s\p{L}\p{N}\r\n]+"),)): "seed-coder",
    TextSplit((_cased(r"\p{N}"),), whole_words=True, adds_bos=True): "tekken",
    _GPT4O: "gpt-4o llama4 kanana2 talkie minimax-m2",
    TextSplit((r"[\p{P}\$\+<=>\^~\|`]+", _GPT2, "[0-9][0-9][0-9]")): "falcon",
    TextSplit((_NORDIC,)): "poro-chat bloom gpt3-finnish",
    TextSplit((_NORDIC, r"\p{N}")): "viking",
    TextSplit(
        (
            r"[\r\n]",
            rf"\s?[{_CASED_LETTERS}]+",
            r"\s?[!-/:-~！-／：-～‘-‟　-。]+",
            r"\s+$",
            _CJK,
            r"\p{N}+",
        )
    ): "deepseek-llm",
    TextSplit((r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", _CJK, r"\p{N}")): "deepseek-coder",
    TextSplit(
        (
            r"\p{N}{1,3}",
            "[一-龥぀-ゟ゠-ヿ]+",
            rf"{_ASCII_MARKS}[A-Za-z]+|[^\r\n\p{{L}}\p{{P}}\p{{S}}]?[\p{{L}}\p{{M}}]+"
            rf"| ?[\p{{P}}\p{{S}}]+[\r\n]*|{_SPACE}",
        )
    ): "deepseek-v3 hunyuan-dense joyai-llm",
}
#: The split of each name of ``tokenizer.ggml.pre``.
SPLITS = {name: split for split, names in _NAMES.items() for name in names.split()}


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
    as_list = getattr(found, "tolist", None)
    found = found if as_list is None else as_list()
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
