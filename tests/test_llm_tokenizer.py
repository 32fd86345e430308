"""Tokens of a text and text of tokens, from tokenizer.json and from GGUF metadata."""

from __future__ import annotations

import doctest
import itertools
import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strided
from strided.llm import (
    Tokenizer,
    chat_prompt,
    gguf_tokenizer,
    tokenizer,
    tokenizer_json,
    vocabulary,
)
from strided.llm.text_splits import SPLITS

tokenizers = pytest.importorskip("tokenizers")

TEXTS = [
    "",
    " ",
    "Hello, world!",
    " leading and  double  spaces ",
    "tabs\tand\nlines\r\n\r\n  indented\n\n\n",
    "I'm sure they'll say it's 'fine'; WE'RE not",
    "3.14159 and 1234567890, ½ ² ١٢٣ Ⅷ",
    "def f(x: int) -> str:\n    return f'{x!r}' + \"\\n\"  # done\n",
    "naïve café Ångström straße ĲSSEL",
    "Быстрая коричневая лиса, ґанок",
    "Η γρήγορη αλεπού — ᾳ",
    "中文字符，测试。 日本語のテキスト ｶﾀｶﾅ 한국어 문장",
    "العَرَبِيَّة עִבְרִית हिन्दी ไทย ខ្មែរ",
    "👩‍👩‍👧‍👦 🏳️‍🌈 🇪🇺 e\u0301 \u200b\ufeff",
    "\x00\x01\x7f\x80\xa0\xad\u2028\U0010ffff",
    "https://example.org/?q=a%20b&c=d#e  snake_case CamelCase HTTPServer",
    "<|im_start|>user\nhi<|im_end|>\n</s><s> <think>",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" * 5,
]
CONTROL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
PLAIN = ["<think>", "  \n"]


@pytest.fixture(scope="module")
def trained() -> Any:
    """A small byte-level tokenizer, as Hugging Face makes it, with tokens added at its end."""
    made = tokenizers.Tokenizer(tokenizers.models.BPE())
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=900,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(TEXTS * 3, trainer)
    made.add_special_tokens(CONTROL)
    made.add_tokens([tokenizers.AddedToken(text, normalized=False) for text in PLAIN])
    return made


def saved(made: Any, path: Path, **beside: Any) -> Path:
    made.save(str(path / "tokenizer.json"))
    for name, content in beside.items():
        (path / f"{name}.json").write_text(json.dumps(content))
    return path / "tokenizer.json"


def as_gguf(made: Any, pre: Any = "gpt-2", **more: Any) -> dict[str, Any]:
    described = json.loads(made.to_str())
    names = {
        **described["model"]["vocab"],
        **{t["content"]: t["id"] for t in described["added_tokens"]},
    }
    special = {t["content"]: t["special"] for t in described["added_tokens"]}
    texts = sorted(names, key=names.__getitem__)
    merges = [m if isinstance(m, str) else " ".join(m) for m in described["model"]["merges"]]
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": pre,
        "tokenizer.ggml.tokens": texts,
        "tokenizer.ggml.token_type": [{True: 3, False: 4}.get(special.get(t), 1) for t in texts],
        "tokenizer.ggml.merges": merges,
        **{f"tokenizer.ggml.{name}": value for name, value in more.items()},
    }


@pytest.fixture(params=["json", "gguf"])
def small(request: Any, trained: Any, tmp_path: Path) -> Tokenizer:
    if request.param == "json":
        return Tokenizer.from_file(saved(trained, tmp_path))
    return Tokenizer.from_gguf(as_gguf(trained))


# ---- byte-level ----


@pytest.mark.parametrize("text", TEXTS)
def test_tokens_are_those_of_the_package(text: str, small: Tokenizer, trained: Any) -> None:
    trained.encode_special_tokens = False
    expected = trained.encode(text).ids
    assert small.encode(text) == expected
    trained.encode_special_tokens = True
    plain = trained.encode(text).ids
    assert small.encode(text, special=False) == plain
    assert small.decode(expected, special=True) == trained.decode(
        expected, skip_special_tokens=False
    )
    assert small.decode(plain) == text


def test_any_text_comes_back(small: Tokenizer) -> None:
    @given(st.text())
    def run(text: str) -> None:
        assert small.decode(small.encode(text, special=False)) == text
        assert small.decode(small.encode(text), special=True) == text

    run()


def test_control_tokens(small: Tokenizer) -> None:
    (start,) = small.encode("<|im_start|>")
    assert small.is_control(start)
    assert small.decode([start]) == ""
    assert small.decode([start], special=True) == "<|im_start|>"
    assert small.token_bytes(start) == b"<|im_start|>"
    spelled = small.encode("<|im_start|>", special=False)
    assert start not in spelled
    assert small.decode(spelled) == "<|im_start|>"
    (think,) = small.encode("<think>")
    assert not small.is_control(think)
    assert small.encode("<think>", special=False) == [think]
    assert small.decode([think]) == "<think>"


def test_every_token_has_exact_bytes(small: Tokenizer, trained: Any) -> None:
    joined = b""
    for token in range(small.vocab_size):
        joined += small.token_bytes(token)
        shown = small.token_bytes(token).decode("utf-8", "replace")
        assert shown == trained.decode([token], skip_special_tokens=False)
    assert small.decode(range(small.vocab_size), special=True) == joined.decode("utf-8", "replace")
    single = {small.token_bytes(token) for token in range(small.vocab_size)}
    assert all(bytes([byte]) in single for byte in range(256))


def test_decoding_never_fails(small: Tokenizer) -> None:
    @given(st.lists(st.integers(0, small.vocab_size - 1)))
    def run(tokens: list[int]) -> None:
        joined = b"".join(small.token_bytes(token) for token in tokens)
        assert small.decode(tokens, special=True) == joined.decode("utf-8", "replace")

    run()


@pytest.mark.parametrize("token", [-1, 10**6, 2**70, None, 1.0, "a"])
def test_tokens_outside_the_vocabulary(token: Any, small: Tokenizer) -> None:
    with pytest.raises(strided.InvalidArgument):
        small.token_bytes(token)
    with pytest.raises(strided.InvalidArgument):
        small.decode([0, token])


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", None, b"bytes", 3])
def test_what_is_no_text(text: Any, small: Tokenizer) -> None:
    with pytest.raises(strided.InvalidArgument):
        small.encode(text)


def test_tokens_without_a_name(trained: Any) -> None:
    named = Tokenizer.from_gguf(as_gguf(trained)).vocab_size
    padded = Tokenizer.from_gguf(as_gguf(trained), size=named + 10)
    assert padded.vocab_size == named + 10
    assert padded.decode([named, named + 9]) == ""
    with pytest.raises(strided.InvalidArgument):
        padded.decode([named + 10])


def test_threads_do_not_mix_their_settings(trained: Any) -> None:
    ours = Tokenizer.from_gguf(as_gguf(trained))
    wrong: list[Any] = []

    def run(special: bool) -> None:
        expected = ours.encode("<|im_end|>", special=special)
        for _ in range(200):
            if ours.encode("<|im_end|>", special=special) != expected:
                wrong.append(special)

    threads = [threading.Thread(target=run, args=(n % 2 == 0,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


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
    built = gguf_tokenizer.read_gguf_vocabulary(as_gguf(trained, name)).encoder.pre_tokenizer
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
    built = gguf_tokenizer.read_gguf_vocabulary(metadata).encoder.pre_tokenizer
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

PIECES = [
    *(
        "▁",
        "a",
        "b",
        "c",
        "é",
        "中",
        "▁a",
        "ab",
        "bc",
        "▁ab",
        "abc",
        "▁▁",
        "ca",
        "▁abc",
        "aa",
        "aab",
    ),
    *("bca", "▁▁▁▁", "<", "s", ">", "<s"),
]


def sentence_piece(**more: Any) -> dict[str, Any]:
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{n:02X}>" for n in range(256)), *PIECES, "<tool>"]
    first = pieces.index("▁")
    kinds = [2, 3, 3, *[6] * 256, *[1] * len(PIECES), 4]
    return {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": pieces,
        "tokenizer.ggml.token_type": kinds,
        "tokenizer.ggml.scores": [0.0] * first + [-float(n) for n in range(len(PIECES) + 1)],
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        **{f"tokenizer.ggml.{name}": value for name, value in more.items()},
    }


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
    encoder = gguf_tokenizer.read_gguf_vocabulary(metadata).encoder
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


# ---- what the files say ----


def test_ends_of_turns(trained: Any, tmp_path: Path) -> None:
    ids = {name: trained.token_to_id(name) for name in CONTROL}
    end, text_end = ids["<|im_end|>"], ids["<|endoftext|>"]
    found = Tokenizer.from_gguf(as_gguf(trained, eos_token_id=text_end))
    assert (found.eos, found.bos, found.eos_token) == ((text_end, end), None, "<|endoftext|>")
    found = Tokenizer.from_gguf(
        as_gguf(trained, eot_token_id=5, eos_token_id=10**9, bos_token_id=7)
    )
    assert (found.eos, found.bos, found.add_bos) == ((5, end, text_end), 7, False)
    file = saved(
        trained,
        tmp_path,
        tokenizer_config={"eos_token": "<|im_end|>", "bos_token": None},
        generation_config={"eos_token_id": [3, text_end, 10**9], "bos_token_id": 4},
    )
    found = Tokenizer.from_file(file)
    assert (found.eos, found.bos) == ((end, 3, text_end), None)
    (tmp_path / "tokenizer_config.json").unlink()
    assert (Tokenizer.from_file(file).bos, Tokenizer.from_file(file).eos[0]) == (4, 3)


def test_bos(trained: Any, tmp_path: Path) -> None:
    bos = trained.token_to_id("<|endoftext|>")
    more = {"bos_token_id": bos, "add_bos_token": True}
    found = Tokenizer.from_gguf(as_gguf(trained, **more))
    assert (found.bos, found.bos_token, found.add_bos) == (bos, "<|endoftext|>", True)
    assert found.encode("a")[0] == bos
    assert found.encode("<|endoftext|>a") == found.encode("a")
    assert found.encode("a", add_bos=False) == found.encode("a")[1:]
    assert Tokenizer.from_gguf(as_gguf(trained, "llama-bpe", bos_token_id=bos)).add_bos
    processed = tokenizers.Tokenizer.from_str(trained.to_str())
    processed.post_processor = tokenizers.processors.TemplateProcessing(
        single="<|endoftext|> $0", special_tokens=[("<|endoftext|>", bos)]
    )
    config = {"bos_token": "<|endoftext|>"}
    file = saved(processed, tmp_path, tokenizer_config=config)
    assert Tokenizer.from_file(file).encode("a") == found.encode("a")
    saved(processed, tmp_path, tokenizer_config={**config, "add_bos_token": False})
    assert Tokenizer.from_file(tmp_path).encode("a") == found.encode("a")[1:]


@pytest.mark.parametrize(
    ("config", "own", "expected"),
    [
        ({}, None, None),
        ({"chat_template": "one"}, None, "one"),
        ({"chat_template": "one"}, "two", "two"),
        ({"chat_template": [{"name": "rag", "template": "x"}]}, None, None),
        (
            {
                "chat_template": [
                    {"name": "rag", "template": "x"},
                    {"name": "default", "template": "y"},
                ]
            },
            None,
            "y",
        ),
    ],
)
def test_chat_templates(
    config: dict[str, Any], own: str | None, expected: str | None, trained: Any, tmp_path: Path
) -> None:
    file = saved(trained, tmp_path, tokenizer_config=config)
    if own is not None:
        (tmp_path / "chat_template.jinja").write_text(own)
    assert Tokenizer.from_file(file).chat_template == expected
    metadata = as_gguf(trained) | ({"tokenizer.chat_template": expected} if expected else {})
    assert Tokenizer.from_gguf(metadata).chat_template == expected


def test_settings_for_training_are_not_kept(trained: Any, tmp_path: Path) -> None:
    cut = tokenizers.Tokenizer.from_str(trained.to_str())
    cut.enable_truncation(2)
    cut.enable_padding(length=50)
    found = Tokenizer.from_file(saved(cut, tmp_path)).encode(TEXTS[3])
    assert found == Tokenizer.from_gguf(as_gguf(trained)).encode(TEXTS[3])


# ---- what is wrong with files ----


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        ({"model": "bert"}, "model"),
        ({"model": None}, "model"),
        ({"tokens": None}, "tokens"),
        ({"tokens": [1, 2]}, "tokens"),
        ({"tokens": "abc"}, "tokens"),
        ({"tokens": ["a", "\ud800"]}, "tokens"),
        ({"token_type": [1]}, "token_type"),
        ({"token_type": ["a"] * 2000}, "token_type"),
        ({"merges": [1]}, "merges"),
        ({"model": "llama", "scores": [0.0]}, "scores"),
    ],
)
def test_metadata_that_does_not_fit(change: dict[str, Any], argument: str, trained: Any) -> None:
    with pytest.raises(strided.InvalidArgument) as caught:
        Tokenizer.from_gguf(as_gguf(trained, **change))
    assert caught.value.argument == f"tokenizer.ggml.{argument}"


def test_odd_vocabularies_are_read() -> None:
    metadata = {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.tokens": ["a", "", "a", "[2.0]", "", "ab", "中\udcff"],
        "tokenizer.ggml.merges": ["a b", "x y", "ab", ""],
    }
    ours = Tokenizer.from_gguf(metadata)
    assert ours.vocab_size == 7
    assert [ours.token_bytes(n) for n in range(7)] == [
        *(b"a", b"", b"a", b"[2.0]", b"", b"ab", "中".encode() + b"\xff")
    ]
    assert ours.encode("a") == [0]
    assert ours.encode("b") == []


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", strided.FileMalformed),
        (b"{", strided.FileMalformed),
        (b"[]", strided.FileMalformed),
        (b"{}", strided.FileMalformed),
        (b'"\xff"', strided.FileMalformed),
        (b"[" * 100_000, strided.FileMalformed),
        (b'{"model": {"vocab": 3}}', strided.FileMalformed),
        (b'{"model": {"vocab": {"a": -1}}}', strided.FileMalformed),
        (b'{"model": {"vocab": {"a": "b"}}}', strided.FileMalformed),
        (b'{"model": {"vocab": {"a": 99999999999}}}', strided.FileMalformed),
        (b'{"model": {"vocab": {"a": 0}}}', strided.FileMalformed),
        (b'{"model": {"vocab": {"a": 0}}, "added_tokens": [{}]}', strided.FileMalformed),
        (
            b'{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}',
            strided.InvalidArgument,  # no decoder
        ),
    ],
)
def test_files_that_are_no_tokenizer(
    content: bytes, error: type[Exception], tmp_path: Path
) -> None:
    (tmp_path / "tokenizer.json").write_bytes(content)
    with pytest.raises(error):
        Tokenizer.from_file(tmp_path)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.json", "a\0b"):
        with pytest.raises(strided.FileUnusable) as caught:
            Tokenizer.from_file(path)
        assert caught.value.path == str(path)


def test_a_bad_neighbour_is_named(trained: Any, tmp_path: Path) -> None:
    saved(trained, tmp_path)
    (tmp_path / "tokenizer_config.json").write_text("{nonsense")
    with pytest.raises(strided.FileMalformed) as caught:
        Tokenizer.from_file(tmp_path)
    assert caught.value.path.endswith("tokenizer_config.json")


def test_the_package_is_named_when_it_is_missing(trained: Any, monkeypatch: Any) -> None:
    metadata = as_gguf(trained)
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(strided.MissingExtra) as caught:
        Tokenizer.from_gguf(metadata)
    assert (caught.value.package, caught.value.extra) == ("tokenizers", "llm")


@pytest.mark.parametrize("module", [gguf_tokenizer, tokenizer, tokenizer_json, vocabulary])
def test_examples(module: Any) -> None:
    assert doctest.testmod(module).failed == 0


# ---- against others ----


def _metadata(path: Path) -> dict[str, Any]:
    reader = pytest.importorskip("transformers.integrations.gguf.reader")
    names = ("tokens", "merges", "scores", "token_type")
    found, _ = reader.read_gguf_metadata(str(path), [f"tokenizer.ggml.{name}" for name in names])
    return dict(found)


@pytest.mark.peers
def test_smollm2_as_transformers_reads_it() -> None:
    path = Path(os.environ.get("STRIDED_MODELS", "models")) / "smollm2.gguf"
    if not path.is_file():
        pytest.skip("no smollm2.gguf in STRIDED_MODELS")
    mapping = pytest.importorskip("transformers.integrations.gguf.gguf_tokenizer_mapping")
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
