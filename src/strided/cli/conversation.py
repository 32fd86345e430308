"""Conversations: the messages so far, their tokens, and how the next answer is to be written.

A conversation changes only by whole turns: a question that got no answer is not part of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import strided
from strided.cli.write_answer import Answered, write_answer

if TYPE_CHECKING:
    from strided.llm import Engine, Options, Tokenizer


def prompt_of(tokenizer: Tokenizer, text: str, system: str | None, raw: bool) -> list[int]:
    """Return the tokens of a prompt, in the model's chat template unless it is raw."""
    if raw:
        return tokenizer.encode(text)
    messages = [] if system is None else [{"role": "system", "content": system}]
    return conversation_of(tokenizer, [*messages, {"role": "user", "content": text}])


def conversation_of(tokenizer: Tokenizer, messages: list[dict[str, str]]) -> list[int]:
    """Return the tokens of a conversation that the model is to go on with."""
    from strided.llm import chat_prompt

    # A template writes the token that begins a text itself.
    add_bos = False if tokenizer.chat_template else None
    return tokenizer.encode(chat_prompt(tokenizer, messages), add_bos=add_bos)


def made_up_prompt(length: int, vocabulary: int) -> list[int]:
    """Return random tokens, the same each time.

    >>> len(made_up_prompt(5, 100)), max(made_up_prompt(5, 3)) < 3
    (5, True)
    """
    from random import Random

    chance = Random(0)
    return [chance.randrange(vocabulary) for _ in range(length)]


# What /set may change: its name in the chat, in Options, and how its value is read.
SETTINGS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "temp": ("temperature", float),
    "top-k": ("top_k", int),
    "top-p": ("top_p", float),
    "min-p": ("min_p", float),
    "repeat-penalty": ("repetition_penalty", float),
    "seed": ("seed", int),
    "max-tokens": ("max_tokens", int),
    "stop": ("stop", lambda text: (text,)),
}
_UNSET: dict[str, Any] = {"seed": None, "max-tokens": None, "stop": ()}
_ROLES = ("system", "user", "assistant")


class Conversation:
    """Messages with a model; what they have in common with the last prompt is not read again."""

    def __init__(
        self, engine: Engine, tokenizer: Tokenizer, options: Options, system: str | None
    ) -> None:
        self._engine, self._tokenizer = engine, tokenizer
        self.options, self.system = options, system
        self.messages: list[dict[str, str]] = []

    @property
    def all_messages(self) -> list[dict[str, str]]:
        """The messages, with what the model was told first."""
        first = [] if self.system is None else [{"role": "system", "content": self.system}]
        return [*first, *self.messages]

    def ask(self, text: str, write: Callable[[str], None]) -> Answered:
        """Take a turn; the answer goes to ``write`` as it comes."""
        question = {"role": "user", "content": text}
        tokens = conversation_of(self._tokenizer, [*self.all_messages, question])
        answered = write_answer(self._engine, tokens, self.options, write)
        if answered.job.text:
            answer = {"role": "assistant", "content": answered.job.text}
            self.messages += [question, answer]
        return answered

    def clear(self) -> None:
        """Forget what was said, but not what the model was told first."""
        self.messages = []

    def set(self, name: str, value: str) -> None:
        """Change a setting; raise InvalidArgument where that is not possible."""
        if name == "system":
            self.system = None if value in ("", "none") else value
            return
        if name not in SETTINGS:
            known = ", ".join(["system", *SETTINGS])
            raise _invalid(name, "not a setting", f"must be one of {known}")
        field, read = SETTINGS[name]
        if name in _UNSET and value in ("", "none"):
            self.options = replace(self.options, **{field: _UNSET[name]})
            return
        try:
            self.options = replace(self.options, **{field: read(value)})
        except strided.InvalidArgument:
            raise
        except ValueError:
            raise _invalid(name, repr(value), "must be a number") from None

    def settings(self) -> dict[str, Any]:
        """Return what /set may change, by its name there."""
        values = {name: getattr(self.options, field) for name, (field, _) in SETTINGS.items()}
        return {"system": self.system, **values}

    def save(self, path: Path) -> None:
        """Write the messages to a file, as JSON."""
        text = json.dumps({"messages": self.all_messages}, indent=2, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")

    def load(self, path: Path) -> None:
        """Go on from a saved conversation; raise InvalidArgument for a file of another kind."""
        try:
            found = json.loads(path.read_text(encoding="utf-8"))["messages"]
            messages = [{key: one[key] for key in ("role", "content")} for one in found]
        except (ValueError, TypeError, LookupError, RecursionError):
            messages = [{}]
        system = [one for one in messages[:1] if one.get("role") == "system"]
        rest = messages[len(system) :]
        is_valid = all(
            isinstance(one.get("content"), str) and one.get("role") in _ROLES[1:] for one in rest
        )
        if not is_valid or not all(isinstance(one["content"], str) for one in system):
            raise _invalid("the file", str(path), "must be one that /save has written")
        self.system = system[0]["content"] if system else None
        self.messages = rest


def _invalid(argument: str, got: str, requirement: str) -> strided.InvalidArgument:
    return strided.InvalidArgument(argument=argument, got=got, requirement=requirement)
