"""OpenAI's response objects: completions, whole or as the chunks of a stream, and errors."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from strided.web import Refused

if TYPE_CHECKING:
    from strided.llm import Job

_KINDS = {
    HTTPStatus.UNAUTHORIZED: "authentication_error",
    HTTPStatus.FORBIDDEN: "permission_error",
    HTTPStatus.TOO_MANY_REQUESTS: "rate_limit_error",
}


class Answer:
    """The answer to one request; every part of it has its name and its time.

    >>> answer = Answer("smollm2", chat=True)
    >>> answer.chunk(0, "Hi")["choices"][0]["delta"]
    {'content': 'Hi'}
    """

    def __init__(self, model: str, *, chat: bool, include_usage: bool = False) -> None:
        self._chat = chat
        # Streams that end with the usage have the field in all their chunks.
        self._usage: dict[str, Any] = {"usage": None} if include_usage else {}
        self._model = model
        self._name = f"{'chatcmpl' if chat else 'cmpl'}-{secrets.token_hex(12)}"
        self._created = int(time.time())

    def whole(self, choices: Sequence[tuple[str, str]], usage: dict[str, Any]) -> dict[str, Any]:
        """Return the whole answer; each choice is a text and why it ended."""
        written = [self._whole_choice(i, *choice) for i, choice in enumerate(choices)]
        return {**self._object("chat.completion", written), "usage": usage}

    def begin(self, count: int) -> list[dict[str, Any]]:
        """Return the chunks that say who speaks, before any text."""
        if not self._chat:
            return []
        role = {"role": "assistant", "content": "", "refusal": None}
        return [self._chunk([_choice(i, None, delta=role)]) for i in range(count)]

    def chunk(self, index: int, text: str, finish_reason: str | None = None) -> dict[str, Any]:
        """Return a chunk with more text of one choice, or with its end."""
        if not self._chat:
            return self._chunk([_choice(index, finish_reason, text=text)])
        delta = {"content": text} if text else {}
        return self._chunk([_choice(index, finish_reason, delta=delta)])

    def end(self, usage: dict[str, Any]) -> dict[str, Any]:
        """Return the chunk that comes last where usage was asked for."""
        return {**self._chunk([]), "usage": usage}

    def _whole_choice(self, index: int, text: str, finish_reason: str) -> dict[str, Any]:
        if not self._chat:
            return _choice(index, finish_reason, text=text)
        message = {"role": "assistant", "content": text, "refusal": None}
        return _choice(index, finish_reason, message=message)

    def _chunk(self, choices: list[dict[str, Any]]) -> dict[str, Any]:
        return {**self._object("chat.completion.chunk", choices), **self._usage}

    def _object(self, kind: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "id": self._name,
            "object": kind if self._chat else "text_completion",
            "created": self._created,
            "model": self._model,
            "system_fingerprint": None,
            "choices": choices,
        }


def _choice(index: int, finish_reason: str | None, **content: Any) -> dict[str, Any]:
    return {"index": index, **content, "logprobs": None, "finish_reason": finish_reason}


def usage_of(jobs: Sequence[Job], n: int) -> dict[str, Any]:
    """Return how many tokens jobs have read and written; the n answers to a prompt read it once."""
    read = sum(job.prompt_tokens for job in jobs[::n])
    written = sum(job.completion_tokens for job in jobs)
    cached = sum(job.cached_tokens for job in jobs[::n])
    return {
        "prompt_tokens": read,
        "completion_tokens": written,
        "total_tokens": read + written,
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def model_object(name: str, created: int) -> dict[str, Any]:
    """Return a model as lists of models have it.

    >>> model_object("smollm2", 0)["object"]
    'model'
    """
    return {"id": name, "object": "model", "created": created, "owned_by": "strided"}


def error_object(refused: Refused) -> dict[str, Any]:
    """Return a refusal as OpenAI words it: a message, its type, the field, and a code.

    >>> error_object(Refused(HTTPStatus.NOT_FOUND, "no such thing"))["error"]["type"]
    'invalid_request_error'
    """
    usual = "server_error" if refused.status >= 500 else "invalid_request_error"
    kind = _KINDS.get(refused.status, usual)
    error = {"message": str(refused), "type": kind, "param": refused.param, "code": refused.code}
    return {"error": error}
