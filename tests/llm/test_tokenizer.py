"""Tokens of a text and text of tokens, from tokenizer.json and from GGUF metadata."""

from __future__ import annotations

import doctest
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.vocabularies import CONTROL, TEXTS, as_gguf, saved, trained_tokenizer

import strided
from strided.llm import Tokenizer, tokenizer, tokenizer_gguf, vocabulary

tokenizers = pytest.importorskip("tokenizers")


@pytest.fixture(scope="module")
def trained() -> Any:
    return trained_tokenizer()


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


@pytest.mark.parametrize("module", [tokenizer_gguf, tokenizer, vocabulary])
def test_examples(module: Any) -> None:
    assert doctest.testmod(module).failed == 0
