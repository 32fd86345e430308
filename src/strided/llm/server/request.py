"""Completion requests: OpenAI's JSON fields come in, prompts of tokens and options go out.

A field that would change the answer is honoured or refused, never passed over. Each is taken once,
with its type and range checked; null means absent, as OpenAI's clients use it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import strided
from strided.llm import Options, chat_prompt
from strided.web import Refused, bad_request

if TYPE_CHECKING:
    from strided.llm import Tokenizer

_STOPS = 16
_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}
# Without them the answer is the same.
_IGNORED = (
    *("metadata", "parallel_tool_calls", "prompt_cache_key", "prompt_cache_retention"),
    *("safety_identifier", "service_tier", "store", "user", "verbosity"),
)
# They would change the answer, unless their value says that they should not.
_UNSUPPORTED: dict[str, Callable[[Any], bool]] = {
    "audio": lambda value: False,
    "best_of": lambda value: value == 1,
    "echo": lambda value: value is False,
    "frequency_penalty": lambda value: value == 0,
    "function_call": lambda value: value in ("none", "auto"),
    "functions": lambda value: value == [],
    "logit_bias": lambda value: value == {},
    "logprobs": lambda value: value is False,
    "modalities": lambda value: value == ["text"],
    "prediction": lambda value: False,
    "presence_penalty": lambda value: value == 0,
    "reasoning_effort": lambda value: False,
    "response_format": lambda value: value == {"type": "text"},
    "suffix": lambda value: value == "",
    "tool_choice": lambda value: value in ("none", "auto"),
    "tools": lambda value: value == [],
    "top_logprobs": lambda value: value == 0,
    "web_search_options": lambda value: False,
}


# ---- JSON fields ----


class Fields:
    """The fields of a JSON object.

    >>> fields = Fields({"n": 2, "colour": "red"})
    >>> fields.integer("n", 1, 8), fields.integer("seed"), fields.left
    (2, None, ['colour'])
    """

    def __init__(self, given: dict[str, Any], owner: str = "") -> None:
        self._given = {name: value for name, value in given.items() if value is not None}
        self._owner = owner

    @property
    def left(self) -> list[str]:
        """Names of the fields that were not taken yet."""
        return list(self._given)

    def take(self, name: str) -> Any:
        """Take a field of any type; None if it is absent."""
        return self._given.pop(name, None)

    def path(self, name: str) -> str:
        """Return a field's name as it is told to the sender."""
        return f"{self._owner}.{name}" if self._owner else name

    def flag(self, name: str) -> bool:
        """Take a boolean; absent is false."""
        value = self.take(name)
        if value is not None and not isinstance(value, bool):
            raise wrong_type(self.path(name), "a boolean", value)
        return bool(value)

    def number(self, name: str, low: float, high: float = math.inf) -> float | None:
        """Take a number from ``low`` to ``high``."""
        value = self.take(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise wrong_type(self.path(name), "a number", value)
        self._check(name, value, low, high)
        return float(value)

    def integer(self, name: str, low: int = -(1 << 63), high: int = (1 << 63) - 1) -> int | None:
        """Take an integer from ``low`` to ``high``."""
        value = self.take(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise wrong_type(self.path(name), "an integer", value)
        self._check(name, value, low, high)
        return value

    def text(self, name: str) -> str | None:
        """Take a string."""
        value = self.take(name)
        return None if value is None else as_text(value, self.path(name))

    def texts(self, name: str, most: int) -> tuple[str, ...]:
        """Take a string, or a list of up to ``most``; none may be empty."""
        value = self.take(name)
        if value is None:
            return ()
        given = value if isinstance(value, list) else [value]
        found = tuple(as_text(one, self.path(name)) for one in given)
        if len(found) > most or not all(found):
            message = (
                f"Invalid '{self.path(name)}': give at most {most} strings, none of them empty."
            )
            raise bad_request(message, self.path(name), "invalid_value")
        return found

    def object(self, name: str) -> Fields:
        """Take an object; absent is an empty one."""
        value = self.take(name)
        if value is not None and not isinstance(value, dict):
            raise wrong_type(self.path(name), "an object", value)
        return Fields(value or {}, self.path(name))

    def _check(self, name: str, value: float, low: float, high: float) -> None:
        if low <= value <= high:
            return
        near, word = (low, ">=") if value < low else (high, "<=")
        message = f"Invalid '{self.path(name)}': expected a value {word} {near}, but got {value}."
        raise bad_request(message, self.path(name), "invalid_value")


def as_text(value: Any, path: str) -> str:
    """Return a value that must be a string, and one that can be written as UTF-8."""
    if not isinstance(value, str):
        raise wrong_type(path, "a string", value)
    try:
        value.encode()
    except UnicodeEncodeError:
        message = f"Invalid '{path}': half of a surrogate pair is no character."
        raise bad_request(message, path, "invalid_value") from None
    return value


def wrong_type(path: str, expected: str, value: Any) -> Exception:
    """Return the refusal of a value of another type."""
    got = {bool: "a boolean", int: "an integer", float: "a number", str: "a string"}
    found = got.get(type(value), "an array" if isinstance(value, list) else "an object")
    message = f"Invalid type for '{path}': expected {expected}, but got {found} instead."
    return bad_request(message, path, "invalid_type")


# ---- requests ----


@dataclass(frozen=True)
class Served:
    """What requests are read against: the model's name and words, and what it may be asked."""

    name: str
    tokenizer: Tokenizer
    context: int
    options: Options
    choices: int


@dataclass(frozen=True)
class Request:
    """Prompts to go on from, each ``n`` times over with its options, and how the answer is sent."""

    chat: bool
    prompts: list[tuple[list[int], Options]]
    n: int
    stream: bool
    include_usage: bool


def read_request(given: dict[str, Any], served: Served, *, chat: bool) -> Request:
    """Return what a request asks for; raise Refused where that is not clear or not possible."""
    fields = Fields(given)
    _check_model(fields.text("model"), served.name)
    prompts = _conversation(fields, served) if chat else _prompts(fields, served)
    count = fields.integer("n", 1, served.choices) or 1
    stream = fields.flag("stream")
    stream_options = fields.object("stream_options")
    if stream_options.left and not stream:
        message = "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        raise bad_request(message, "stream_options")
    include_usage = stream_options.flag("include_usage")
    stream_options.take("include_obfuscation")
    options = _options(fields, served.options, chat)
    _refuse_rest(fields)
    _refuse_rest(stream_options)
    if len(prompts) * count > served.choices:
        message = f"{len(prompts)} prompts with n = {count} are more than {served.choices} answers."
        raise bad_request(message, "n", "invalid_value")
    return Request(
        chat,
        [(prompt, _of_choice(options, i)) for prompt in prompts for i in range(count)],
        count,
        stream,
        include_usage,
    )


def _check_model(asked: str | None, name: str) -> None:
    if asked is not None and asked != name:
        raise unknown_model(asked)


def unknown_model(name: str) -> Refused:
    """Return the refusal of a model that is not served here."""
    message = f"The model '{name}' does not exist or you do not have access to it."
    return Refused(HTTPStatus.NOT_FOUND, message, param="model", code="model_not_found")


def _refuse_rest(fields: Fields) -> None:
    for name in fields.left:
        value, path = fields.take(name), fields.path(name)
        if name in _IGNORED:
            continue
        is_neutral = _UNSUPPORTED.get(name)
        if is_neutral is None:
            message = f"Unrecognized request argument supplied: {path}"
            raise bad_request(message, path, "unknown_parameter")
        if not is_neutral(value):
            message = f"Unsupported value: '{path}' is not supported by this server."
            raise bad_request(message, path, "unsupported_value")


# ---- options ----


def _options(fields: Fields, usual: Options, chat: bool) -> Options:
    lengths = [fields.integer(name, 1) for name in ("max_completion_tokens", "max_tokens")]
    length = next((one for one in lengths if one is not None), None)
    if length is None and usual.max_tokens is None and not chat:
        length = 16  # what OpenAI writes after a plain prompt
    changes: dict[str, Any] = {
        "max_tokens": length,
        "temperature": fields.number("temperature", 0, 2),
        "top_p": fields.number("top_p", 0, 1),
        "top_k": fields.integer("top_k", 0),
        "min_p": fields.number("min_p", 0, 1),
        "repetition_penalty": fields.number("repetition_penalty", 0),
        "seed": fields.integer("seed", 0),
        "stop": fields.texts("stop", _STOPS) or None,
    }
    try:
        return replace(usual, **{k: v for k, v in changes.items() if v is not None})
    except strided.InvalidArgument as error:
        raise bad_request(str(error), error.argument, "invalid_value") from None


def _of_choice(options: Options, number: int) -> Options:
    """Give every answer to one prompt a seed of its own."""
    if options.seed is None or number == 0:
        return options
    return replace(options, seed=options.seed + number)


# ---- prompts ----


def _conversation(fields: Fields, served: Served) -> list[list[int]]:
    given = fields.take("messages")
    if given is None:
        raise bad_request(
            "Missing required parameter: 'messages'.", "messages", "missing_parameter"
        )
    if not isinstance(given, list):
        raise wrong_type("messages", "an array of objects", given)
    if not given:
        raise bad_request("Invalid 'messages': it is empty.", "messages", "empty_array")
    messages = [_message(one, f"messages[{i}]") for i, one in enumerate(given)]
    tokenizer = served.tokenizer
    try:
        text = chat_prompt(tokenizer, messages)
    except strided.MissingExtra:
        raise
    except strided.StridedError as error:  # the model's own template says no
        raise bad_request(str(error), "messages", "invalid_value") from None
    # A template writes the token that begins a text itself.
    tokens = tokenizer.encode(text, add_bos=False if tokenizer.chat_template else None)
    return [_fitting(tokens, served.context, "messages")]


def _message(given: Any, path: str) -> dict[str, str]:
    if not isinstance(given, dict):
        raise wrong_type(path, "an object", given)
    fields = Fields(given, path)
    role = fields.text("role")
    if role not in _ROLES:
        said = "it is missing" if role is None else f"'{role}' is none of {', '.join(_ROLES)}"
        raise bad_request(f"Invalid '{path}.role': {said}.", f"{path}.role", "invalid_value")
    content = fields.take("content")
    if content is None and role != "assistant":
        message = f"Missing required parameter: '{path}.content'."
        raise bad_request(message, f"{path}.content", "missing_parameter")
    for name in ("tool_calls", "function_call", "audio"):
        if fields.take(name):
            message = f"Unsupported value: '{path}.{name}' is not supported by this server."
            raise bad_request(message, f"{path}.{name}", "unsupported_value")
    return {"role": _ROLES[role], "content": _content(content, f"{path}.content")}


def _content(given: Any, path: str) -> str:
    if given is None or isinstance(given, str):
        return as_text(given or "", path)
    if not isinstance(given, list):
        raise wrong_type(path, "a string or an array of parts", given)
    texts = []
    for i, part in enumerate(given):
        if not isinstance(part, dict) or part.get("type") != "text":
            message = f"Invalid '{path}[{i}]': this model reads parts of type 'text' only."
            raise bad_request(message, f"{path}[{i}]", "invalid_value")
        texts.append(as_text(part.get("text"), f"{path}[{i}].text"))
    return "".join(texts)


def _prompts(fields: Fields, served: Served) -> list[list[int]]:
    given = fields.take("prompt")
    if given is None:
        raise bad_request("Missing required parameter: 'prompt'.", "prompt", "missing_parameter")
    # One text, one list of tokens, or a list of either.
    several = isinstance(given, list) and bool(given) and not _is_token(given[0])
    prompts = given if several else [given]
    if len(prompts) > served.choices:
        message = f"Invalid 'prompt': more than {served.choices} prompts."
        raise bad_request(message, "prompt", "invalid_value")
    return [_fitting(_tokens(one, served.tokenizer), served.context, "prompt") for one in prompts]


def _tokens(given: Any, tokenizer: Tokenizer) -> list[int]:
    if isinstance(given, str):
        return tokenizer.encode(as_text(given, "prompt"))
    if isinstance(given, list) and all(map(_is_token, given)):
        return given
    raise wrong_type("prompt", "a string, an array of tokens, or an array of these", given)


def _is_token(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _fitting(tokens: list[int], context: int, param: str) -> list[int]:
    if not tokens:
        raise bad_request(f"Invalid '{param}': it has no tokens.", param, "invalid_value")
    if len(tokens) >= context:
        message = (
            f"This model's maximum context length is {context} tokens. However, your {param} "
            f"resulted in {len(tokens)} tokens. Please reduce the length of the {param}."
        )
        raise bad_request(message, param, "context_length_exceeded")
    return tokens
