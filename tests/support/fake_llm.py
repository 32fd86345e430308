"""A language model without weights: the interface of strided.llm, and text out of a hash.

tests/llm/test_fake.py compares the members that are used, and signatures, with the real one.

One token per step and job, the same for the same prompt (and the same seed, if chance decides).
Words in a prompt order what happens: "forever" never ends by itself, "explode" breaks the engine.
``python -m support.fake_llm`` is the command ``strided`` with this model in place of all others.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import strided
from strided import llm
from strided.llm import Options, Piece, Stats

WORDS = [
    *("a", "stride", "is", "how", "far", "it", "goes", "to", "next", "the", "view", "keeps"),
    *("its", "bytes", "where", "they", "lie", "größer", "日本", "naïve", "and", "no", "copy"),
]
_FIRST_WORD = 300
_EOS = 257


class FakeTokenizer:
    """Bytes in, words out."""

    bos, eos = 256, (_EOS,)
    bos_token = eos_token = chat_template = None
    vocab_size = _FIRST_WORD + len(WORDS)

    def encode(self, text: str, *, special: bool = True, add_bos: bool | None = None) -> list[int]:
        return list(text.encode())

    def token_bytes(self, token: int) -> bytes:
        if token < 256:
            return bytes([token])
        return b"" if token < _FIRST_WORD else WORDS[token - _FIRST_WORD].encode() + b" "

    def is_control(self, token: int) -> bool:
        return 256 <= token < _FIRST_WORD

    def decode(
        self, tokens: Iterable[int], *, special: bool = False, continues: bool = False
    ) -> str:
        return b"".join(map(self.token_bytes, tokens)).decode(errors="replace")


class FakeWeights:
    nbytes = read_bytes_per_token = 1 << 20

    def prefault(self, progress: Callable[[int, int], None] | None = None) -> None:
        for done in range(0, self.nbytes + 1, 1 << 18):
            time.sleep(FakeEngine.delay)
            if progress is not None:
                progress(done, self.nbytes)


class FakeModel:
    """What ``load`` returns."""

    def __init__(self, name: str = "fake", tokenizer: Any = None) -> None:
        self.name, self.tokenizer, self.weights = name, tokenizer, FakeWeights()
        self.load_seconds = 0.0
        self.config = SimpleNamespace(vocab=FakeTokenizer.vocab_size, context=4096)


def load(path: str | os.PathLike[str], *, random: Any = None) -> FakeModel:
    name = os.fspath(path)
    if name.endswith("missing.gguf"):
        raise strided.FileUnusable(path=name, reason="there is no such file")
    return FakeModel(name, None if random else FakeTokenizer())


class FakeJob:
    def __init__(self, number: int, prompt: Sequence[int], options: Options, words: Any) -> None:
        self.id, self.prompt, self.options = number, list(prompt), options
        self.text, self.tokens = "", []
        self.left, self.cached_tokens = len(self.prompt), 0  # left: of the prompt, to be read
        self.finish_reason: str | None = None
        self._words = words

    @property
    def prompt_tokens(self) -> int:
        return len(self.prompt)

    @property
    def completion_tokens(self) -> int:
        return len(self.tokens)

    def has(self, word: bytes) -> bool:
        return word in bytes(token for token in self.prompt if token < 256)

    def write(self, room: int) -> Piece:
        chance = self.options.seed if self.options.temperature else 0
        salt = repr((self.prompt, len(self.tokens), chance)).encode()
        number = int.from_bytes(hashlib.sha256(salt).digest()[:4], "big")
        ends = number % 24 == 0 and len(self.tokens) > 4 and not self.has(b"forever")
        token = _EOS if ends else _FIRST_WORD + number % len(WORDS)
        self.tokens.append(token)
        text = "" if ends or self._words is None else self._words.decode([token])
        whole = self.text + text
        cut = min((at for stop in self.options.stop if (at := whole.find(stop)) >= 0), default=None)
        if cut is not None:
            text = whole[len(self.text) : max(cut, len(self.text))]
        self.text += text
        if ends or cut is not None:
            self.finish_reason = "stop"
        elif len(self.tokens) == self.options.max_tokens or len(self.tokens) >= room:
            self.finish_reason = "length"
        return Piece(self, token, text, self.finish_reason)  # type: ignore[arg-type]


class FakeEngine:
    """Runs jobs, as many at once as there are sequences."""

    delay = float(os.environ.get("FAKE_LLM_DELAY", "0"))

    def __init__(
        self,
        model: FakeModel,
        *,
        context: int = 4096,
        sequences: int = 1,
        prefill: int = 512,
        cache_dtype: Any = None,
    ) -> None:
        self.model, self.sequences, self.prefill = model, sequences, prefill
        self.context = min(context, model.config.context)
        self.stats = Stats(model.weights.read_bytes_per_token)
        self.running: list[FakeJob] = []
        self.waiting: list[FakeJob] = []
        self.steps = self.most = self._number = 0
        self._last: list[int] = []

    @property
    def busy(self) -> bool:
        return bool(self.running or self.waiting)

    @property
    def jobs(self) -> list[FakeJob]:
        return [*self.running, *self.waiting]

    def submit(self, tokens: Sequence[int], options: Options | None = None) -> FakeJob:
        if not 0 < len(tokens) < self.context:
            raise strided.InvalidArgument(
                argument="tokens",
                got=f"a prompt of {len(tokens)} tokens",
                requirement=f"must leave room in a context of {self.context}",
            )
        if max(tokens) >= self.model.config.vocab:
            raise strided.InvalidArgument(argument="tokens", got="large", requirement="must be in")
        self._number += 1
        options = options or Options()
        self.waiting.append(FakeJob(self._number, tokens, options, self.model.tokenizer))
        return self.waiting[-1]

    def step(self) -> list[Piece]:
        while self.waiting and len(self.running) < self.sequences:
            job = self.waiting.pop(0)
            job.cached_tokens = _common(self._last, job.prompt[:-1])
            job.left -= job.cached_tokens
            self._last = job.prompt
            self.running.append(job)
        time.sleep(self.delay)
        self.steps += 1
        self.most = max(self.most, len(self.running))
        if any(job.has(b"explode") and len(job.tokens) == 2 for job in self.running):
            raise RuntimeError("the engine is broken")
        reading = next((job for job in self.running if job.left), None)
        count = 0 if reading is None else min(reading.left, self.prefill)
        if reading is not None:
            reading.left -= count
        pieces = [job.write(self.context - len(job.prompt)) for job in self.running if not job.left]
        self.stats.add(count, len(pieces), 1e-3)
        self.running = [job for job in self.running if job.finish_reason is None]
        return pieces

    def cancel(self, job: FakeJob) -> None:
        if job.finish_reason is None:
            job.finish_reason = "cancelled"
            (self.running if job in self.running else self.waiting).remove(job)

    def generate(self, tokens: Sequence[int], options: Options | None = None) -> Iterator[Piece]:
        job = self.submit(tokens, options)
        while job.finish_reason is None:
            yield from (piece for piece in self.step() if piece.job is job)


def _common(a: list[int], b: list[int]) -> int:
    return next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )


def answer_to(tokens: Sequence[int], **options: Any) -> str:
    """Return what the model writes when nobody else asks it anything."""
    engine = FakeEngine(FakeModel(tokenizer=FakeTokenizer()))
    return "".join(piece.text for piece in engine.generate(tokens, Options(**options)))


NAMES = {"load": load, "Engine": FakeEngine}


if __name__ == "__main__":
    from strided.cli import main, output

    # Where the tests run in the background, Ctrl-C is ignored, and children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if "FAKE_LLM_TERMINAL" in os.environ:
        # The first terminal that the leader of a session opens sends it Ctrl-C.
        os.close(os.open(os.ttyname(0), os.O_RDWR))
    output._WORTH_A_BAR = float(os.environ.get("FAKE_LLM_BAR", "1"))
    for name, value in NAMES.items():
        setattr(llm, name, value)
    sys.exit(main())
