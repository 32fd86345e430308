"""Small vocabularies for tests of tokenizers, and texts of many kinds."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

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


@cache
def trained_tokenizer() -> Any:
    """A small byte-level tokenizer, as Hugging Face makes it, with tokens added at its end."""
    import tokenizers

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
