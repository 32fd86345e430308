"""Tokenizers of GGUF metadata: how text is split, how it is merged, and that others agree."""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.real_model import smollm2
from support.vocabularies import PIECES, TEXTS, as_gguf, saved, sentence_piece, trained_tokenizer

from strided.llm import Tokenizer, chat_prompt, tokenizer_gguf
from strided.llm.tokenizer_gguf import SPLITS

tokenizers = pytest.importorskip("tokenizers")


@pytest.fixture(scope="module")
def trained() -> Any:
    return trained_tokenizer()


# ---- how text is split ----

# Written down apart from the code: the pre-tokenizers of the models' tokenizer.json.
SAME_SPLITS: dict[str, list[tuple[str, Any]]] = {
    "gpt-2": [("bytes", True)],
    "smollm": [("digits", None), ("bytes", True)],
    "starcoder": [("digits", None), ("bytes", True)],
    "llama-bpe": [
        (
            "split",
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
            r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        ),
        ("bytes", False),
    ],
    "qwen2": [
        (
            "split",
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
            r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        ),
        ("bytes", False),
    ],
    "tekken": [
        (
            "split",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
            r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
            r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        ),
        ("bytes", False),
    ],
}


def _steps(listed: list[tuple[str, Any]]) -> Any:
    pre = tokenizers.pre_tokenizers
    made = {
        "bytes": lambda regex: pre.ByteLevel(add_prefix_space=False, use_regex=regex),
        "digits": lambda _: pre.Digits(individual_digits=True),
        "split": lambda regex: pre.Split(tokenizers.Regex(regex), "isolated"),
    }
    return pre.Sequence([made[kind](value) for kind, value in listed])


def words(encoder: Any, text: str) -> list[str]:
    return [word for word, _ in encoder.pre_tokenize_str(text)]


@pytest.mark.parametrize("name", SAME_SPLITS)
def test_text_is_split_as_by_the_models(name: str, trained: Any) -> None:
    built = tokenizer_gguf.read_gguf_vocabulary(as_gguf(trained, name)).encoder.pre_tokenizer
    theirs = _steps(SAME_SPLITS[name])
    for text in TEXTS:
        assert words(built, text) == words(theirs, text), text


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("default", "a+b 12345", ["a", "+", "b", "Ġ", "123", "45"]),
        ("falcon", "12345 `x`", ["123", "45", "Ġ", "`", "x", "`"]),
        ("smollm", "a12 b", ["a", "1", "2", "Ġb"]),
        ("qwen2", "a12 b's", ["a", "1", "2", "Ġb", "'s"]),
        ("llama-bpe", "a1234\n\nb", ["a", "123", "4", "ĊĊ", "b"]),
        ("llama-bpe", "x  =\n", ["x", "Ġ", "Ġ=Ċ"]),
        ("tekken", "camelCase12", ["camel", "Case", "1", "2"]),
        ("gpt-4o", "camelCase1234 it'S", ["camel", "Case", "123", "4", "Ġit'S"]),
        ("deepseek-coder", "ab,12", ["ab", ",", "1", "2"]),
        ("deepseek-llm", "ab\ncd!", ["ab", "Ċ", "cd", "!"]),
        ("deepseek-v3", "x.y 1234", ["x", ".y", "Ġ", "123", "4"]),
        ("viking", "ab, c1", ["ab", ",", "Ġc", "1"]),
        ("seed-coder", "a =\n", ["a", "Ġ=", "Ċ"]),
        ("qwen35", "e\u0301x", ["eÌģx"]),
    ],
)
def test_words(name: str, text: str, expected: list[str], trained: Any) -> None:
    metadata = as_gguf(trained, name)
    built = tokenizer_gguf.read_gguf_vocabulary(metadata).encoder.pre_tokenizer
    assert words(built, text) == expected


@pytest.mark.parametrize("name", SPLITS)
def test_no_split_loses_text(name: str, trained: Any) -> None:
    ours = Tokenizer.from_gguf(as_gguf(trained, name))
    assert ours.warnings == ()
    for text in TEXTS:
        tokens = ours.encode(text, special=False, add_bos=False)
        if not SPLITS[name].composed:
            assert ours.decode(tokens) == text


def test_an_unknown_split_is_told(trained: Any) -> None:
    ours = Tokenizer.from_gguf(as_gguf(trained, "from tomorrow"))
    (warning,) = ours.warnings
    assert (warning.subject, warning.found) == ("tokenizer.ggml.pre", "from tomorrow")
    assert "'from tomorrow'" in str(warning)
    default = Tokenizer.from_gguf(as_gguf(trained, "default"))
    assert all(ours.encode(text) == default.encode(text) for text in TEXTS)
    for absent in (None, [], ""):
        assert len(Tokenizer.from_gguf(as_gguf(trained, pre=absent)).warnings) == 1


def test_words_that_are_tokens_need_no_merges() -> None:
    metadata = {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.tokens": ["a", "b", "ab"],
        "tokenizer.ggml.merges": [],
    }
    plain = Tokenizer.from_gguf({**metadata, "tokenizer.ggml.pre": "gpt-2"})
    whole = Tokenizer.from_gguf({**metadata, "tokenizer.ggml.pre": "llama-bpe"})
    assert (plain.encode("ab"), whole.encode("ab")) == ([0, 1], [2])


# ---- SentencePiece ----


def merged(text: str) -> list[int]:
    """SentencePiece's rule, slowly: join the best pair of neighbours, the leftmost of equals."""
    metadata = sentence_piece()
    texts, scores = metadata["tokenizer.ggml.tokens"], metadata["tokenizer.ggml.scores"]
    number = {piece: n for n, piece in enumerate(texts) if piece in PIECES}
    symbols = list(text.replace(" ", "▁"))
    while True:
        joined = [a + b for a, b in itertools.pairwise(symbols)]
        best = max(
            (n for n, piece in enumerate(joined) if piece in number),
            key=lambda n: (scores[number[joined[n]]], -n),
            default=None,
        )
        if best is None:
            break
        symbols[best : best + 2] = [joined[best]]
    tokens = []
    for symbol in symbols:
        spelled = [texts.index(f"<0x{byte:02X}>") for byte in symbol.encode()]
        tokens += [number[symbol]] if symbol in number else spelled
    return tokens


def test_merging_by_score() -> None:
    ours = Tokenizer.from_gguf(sentence_piece())

    @given(st.text("abcé中 ", max_size=30) | st.text(max_size=8))
    def run(text: str) -> None:
        tokens = ours.encode(text, special=False)
        assert tokens == [1, *(merged(" " + text) if text else [])]
        assert ours.decode(tokens) == text.replace("▁", " ")

    run()


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("a", {}, ["<s>", "▁a"]),
        ("a", {"add_bos": False}, ["▁a"]),
        ("", {}, ["<s>"]),
        ("", {"add_bos": False}, []),
        (" a", {}, ["<s>", "▁", "▁a"]),
        ("<s>a", {}, ["<s>", "▁a"]),
        ("<s>a", {"add_bos": True}, ["<s>", "<s>", "▁a"]),
        ("a</s>a", {}, ["<s>", "▁a", "</s>", "▁a"]),
        ("a<tool>a", {"special": False}, ["<s>", "▁a", "<tool>", "▁a"]),
        # the letters of a control token never merge into it
        ("<s>", {"special": False, "add_bos": False}, ["▁", "<s", ">"]),
        ("\n", {"add_bos": False}, ["▁", "<0x0A>"]),
        ("ü", {"add_bos": False}, ["▁", "<0xC3>", "<0xBC>"]),
    ],
)
def test_sentence_piece(text: str, options: dict[str, Any], expected: list[str]) -> None:
    metadata = sentence_piece()
    found = Tokenizer.from_gguf(metadata).encode(text, **options)
    assert [metadata["tokenizer.ggml.tokens"][token] for token in found] == expected


def test_letters_that_a_vocabulary_cannot_spell() -> None:
    metadata = {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": ["<unk>", "▁", "a"],
        "tokenizer.ggml.token_type": [2, 1, 1],
    }
    ours = Tokenizer.from_gguf(metadata)
    assert ours.encode("abca") == [1, 2, 0, 2]
    assert ours.decode([1, 2, 0, 2]) == "aa"


def test_no_space_first() -> None:
    ours = Tokenizer.from_gguf(sentence_piece(add_space_prefix=False, add_bos_token=False))
    assert ours.decode(ours.encode(" a")) == " a"
    assert ours.encode("a") == [ours._vocabulary.texts.index("a")]


def test_a_sentence_piece_tokenizer_of_hugging_face(tmp_path: Path) -> None:
    metadata = sentence_piece()
    pieces = metadata["tokenizer.ggml.tokens"]
    ours = Tokenizer.from_gguf(metadata)
    # The encoder of the one, with a decoder as Llama's tokenizer.json has it, read as the other.
    encoder = tokenizer_gguf.read_gguf_vocabulary(metadata).encoder
    decoders = tokenizers.decoders
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    encoder.decoder = decoders.Sequence([*steps, decoders.Strip(" ", 1, 0)])
    config = {"bos_token": {"content": "<s>"}, "eos_token": "</s>", "add_bos_token": True}
    theirs = Tokenizer.from_file(saved(encoder, tmp_path, tokenizer_config=config))
    assert (theirs.bos, theirs.eos, theirs.vocab_size) == (1, (2,), len(pieces))
    for text in [*TEXTS, "abc aab\n é ü"]:
        assert theirs.encode(text) == ours.encode(text)
        assert theirs.decode(ours.encode(text)) == ours.decode(ours.encode(text))
    for token in range(len(pieces)):
        assert theirs.token_bytes(token) == ours.token_bytes(token)


# ---- against others ----


def _metadata(path: Path) -> dict[str, Any]:
    reader = pytest.importorskip("transformers.integrations.gguf.reader")
    names = ("tokens", "merges", "scores", "token_type")
    found, _ = reader.read_gguf_metadata(str(path), [f"tokenizer.ggml.{name}" for name in names])
    return dict(found)


@pytest.mark.peers
def test_smollm2_as_transformers_reads_it() -> None:
    mapping = pytest.importorskip("transformers.integrations.gguf.gguf_tokenizer_mapping")
    path = smollm2()
    architecture, described, _ = mapping.get_gguf_tokenizer(str(path))
    theirs, _ = mapping.convert_gguf_tokenizer(architecture, described)
    # transformers knows no split of this name and takes GPT-2's, which keeps digits together
    theirs.pre_tokenizer = _steps(SAME_SPLITS["smollm"])
    ours = Tokenizer.from_gguf(_metadata(path))
    assert ours.warnings == ()
    assert ours.decode(ours.eos[:1], special=True) == "<|im_end|>"
    for text in TEXTS:
        tokens = ours.encode(text)
        assert tokens == theirs.encode(text, add_special_tokens=False).ids, text
        assert ours.decode(tokens, special=True) == text
    asked = ours.encode(chat_prompt(ours, [{"role": "user", "content": "hello"}]))
    assert (asked[0], asked.count(ours.bos), asked.count(ours.eos[0])) == (ours.bos, 3, 2)


@pytest.mark.peers
@pytest.mark.parametrize("space_first", [True, False])
def test_sentence_piece_as_transformers_does_it(space_first: bool) -> None:
    mapping = pytest.importorskip("transformers.integrations.gguf.gguf_tokenizer_mapping")
    metadata = sentence_piece(add_space_prefix=space_first)
    ours = Tokenizer.from_gguf(metadata)
    texts, scores = metadata["tokenizer.ggml.tokens"], metadata["tokenizer.ggml.scores"]
    merges = mapping.get_merges({"tokens": texts, "scores": scores})
    built = json.loads(ours._vocabulary.encoder.to_str())["model"]["merges"]
    without_control = [list(m) for m in merges if m[0] + m[1] not in ("<s>", "</s>", "<unk>")]
    assert [m.split(" ") if isinstance(m, str) else m for m in built] == without_control


@pytest.mark.peers
def test_published_tokens_of_llama_cpp() -> None:
    """The folder ``models`` of llama.cpp has vocabularies with texts and their tokens."""
    folder = Path(os.environ.get("STRIDED_LLAMA_CPP", "llama.cpp")) / "models"
    known = ["gpt-2", "starcoder", "refact", "mpt", "falcon", "deepseek-llm", "deepseek-coder"]
    known += ["llama-spm", "phi-3", "llama-bpe", "qwen2", "command-r", "qwen35"]
    files = [path for name in known if (path := folder / f"ggml-vocab-{name}.gguf").is_file()]
    if not files:
        pytest.skip("no vocabularies of llama.cpp in STRIDED_LLAMA_CPP")
    for path in files:
        ours = Tokenizer.from_gguf(_metadata(path))
        texts = path.with_suffix(".gguf.inp").read_text(encoding="utf-8")
        tokens = path.with_suffix(".gguf.out").read_text().split("\n")
        for text, line in zip(texts.split("\n__ggml_vocab_test__\n"), tokens, strict=False):
            found = ours.encode(text, special=False, add_bos=False)
            assert found == [int(number) for number in line.split()], (path.name, text)
