"""How a prompt becomes the tokens that a model goes on from."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strided.llm import Tokenizer


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
