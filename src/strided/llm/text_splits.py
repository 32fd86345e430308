"""How text is cut into words before their bytes are merged, by the names that GGUF files use.

Merges never cross a cut, so tokens are right only if the cuts are those of the training. Each entry
is a list of patterns, applied one after the other to every piece that is left; what matches is a
piece, and so is what lies between. Names and patterns: llama.cpp (src/llama-vocab.cpp) and the
``tokenizer.json`` of the models.
"""

from __future__ import annotations

from typing import NamedTuple


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
