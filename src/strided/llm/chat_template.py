"""Chat templates: a conversation as the text that a model continues.

It is written by the template of the model, or as ChatML.

Templates are programs (Jinja) that come with models, so they run in a sandbox: no attributes that
lead into Python, nothing changed that is passed in. They find what Hugging Face gives them
(transformers, utils/chat_template_utils.py), and whatever goes wrong in them is an InvalidArgument.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache
from typing import Any, NoReturn, Protocol

from strided import InvalidArgument, MissingExtra

# Without a template: the form that most models without one of their own were trained on.
_CHATML = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)


class _Templated(Protocol):
    """What is asked of a tokenizer here."""

    @property
    def chat_template(self) -> str | None: ...

    @property
    def bos_token(self) -> str | None: ...

    @property
    def eos_token(self) -> str | None: ...


def chat_prompt(
    tokenizer: _Templated,
    messages: Sequence[Mapping[str, Any]],
    *,
    add_generation_prompt: bool = True,
    enable_thinking: bool | None = None,
    **variables: Any,
) -> str:
    """Return a conversation as the model's template writes it, as ChatML if it has none.

    Messages are mappings with ``role`` and ``content``. ``add_generation_prompt`` ends the text
    where the model's answer begins. ``enable_thinking`` and other variables (``tools``,
    ``date_string``, ...) mean what the template makes of them; None leaves the first to it. The
    text has the names of control tokens: encode it with ``special=True``, the default.

    >>> from types import SimpleNamespace
    >>> from strided.llm import chat_prompt
    >>> plain = SimpleNamespace(chat_template=None, bos_token=None, eos_token=None)
    >>> print(chat_prompt(plain, [{"role": "user", "content": "Hello"}]))
    <|im_start|>user
    Hello<|im_end|>
    <|im_start|>assistant
    <BLANKLINE>
    """
    if not all(isinstance(message, Mapping) and "role" in message for message in messages):
        raise InvalidArgument(
            argument="messages",
            got=repr(messages)[:200],
            requirement="must be a list of mappings with 'role' and 'content'",
        )
    given = {"tools": None, "documents": None, **variables}
    for name in ("bos_token", "eos_token"):
        if getattr(tokenizer, name) is not None:
            given.setdefault(name, getattr(tokenizer, name))
    if enable_thinking is not None:
        given["enable_thinking"] = enable_thinking
    given["messages"] = [dict(message) for message in messages]
    given["add_generation_prompt"] = add_generation_prompt
    return _rendered(tokenizer.chat_template or _CHATML, given)


def _rendered(template: str, variables: dict[str, Any]) -> str:
    compiled = _compiled(template)
    try:
        text: str = compiled.render(**variables)
    except Exception as error:  # a template is a program: it can fail in any way
        said = getattr(error, "message", None) or f"{type(error).__name__}: {error}"
        raise InvalidArgument(
            argument="the chat template",
            got="unable to write these messages",
            requirement=f"says: {said}",
        ) from error
    return text


@lru_cache(maxsize=16)
def _compiled(template: str) -> Any:
    environment = _environment()
    import jinja2

    try:
        return environment.from_string(template)
    except jinja2.TemplateSyntaxError as error:
        raise InvalidArgument(
            argument="the chat template",
            got="not valid Jinja",
            requirement=f"fails at line {error.lineno}: {error.message}",
        ) from error


@cache
def _environment() -> Any:
    """Return the sandbox, with the names that templates expect to find."""
    try:
        import jinja2
        from jinja2.ext import Extension
        from jinja2.sandbox import ImmutableSandboxedEnvironment
    except ImportError as error:
        raise MissingExtra(
            operation="writing a conversation", package="jinja2", extra="llm"
        ) from error

    class Generation(Extension):  # type: ignore[misc, unused-ignore]
        """Some templates mark what the assistant said; for the text it makes no difference."""

        tags = {"generation"}  # noqa: RUF012  (a set in the class, as Jinja wants it)

        def parse(self, parser: Any) -> Any:
            next(parser.stream)
            return parser.parse_statements(("name:endgeneration",), drop_needle=True)

    def raise_exception(message: str) -> NoReturn:
        raise jinja2.TemplateError(message)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, "jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = _to_json
    environment.globals["raise_exception"] = raise_exception
    environment.globals["strftime_now"] = _time_now
    return environment


def _to_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """Return JSON as prompts have it; Jinja's own filter escapes for HTML."""
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


def _time_now(form: str) -> str:
    return datetime.now().strftime(form)
