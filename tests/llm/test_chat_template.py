"""Conversations become text as their template says, and a template can do no harm."""

from __future__ import annotations

import doctest
import re
from types import SimpleNamespace
from typing import Any

import pytest

import strided
from strided.llm import chat_prompt, chat_template

pytest.importorskip("jinja2")


def tokenizer(template: str | None) -> Any:
    return SimpleNamespace(chat_template=template, bos_token="<s>", eos_token="</s>")


def written(template: str | None, *messages: tuple[str, Any], **options: Any) -> str:
    said = [{"role": role, "content": content} for role, content in messages]
    return chat_prompt(tokenizer(template), said, **options)


HELLO = (("user", "hello"),)
TALK = (("system", "be brief"), ("user", "hello"), ("assistant", "hi"), ("user", "why?"))

THINKING = "{% if enable_thinking is defined and not enable_thinking %}off{% endif %}"
# Each construct that the templates of common models use, in a template of its own.
CONSTRUCTS: list[tuple[str, tuple[tuple[str, Any], ...], dict[str, Any], str]] = [
    (
        "{{ bos_token }}{{ messages[0]['content'] | trim }}{{ eos_token }}",
        HELLO,
        {},
        "<s>hello</s>",
    ),
    # blocks take their line with them
    ("{% if true %}\n    {% set x = 1 %}\nx\n{% endif %}\ny", HELLO, {}, "x\ny"),
    (
        "{%- for m in messages -%}\n  {{ m.role }};\n{%- endfor %}",
        TALK,
        {},
        "system;user;assistant;user;",
    ),
    # what a loop finds is kept in a namespace; messages are sliced
    (
        "{% set ns = namespace(last=-1) %}{% for m in messages[::-1] %}"
        "{% if m.role == 'user' and ns.last < 0 %}{% set ns.last = loop.index0 %}{% endif %}"
        "{% endfor %}{{ ns.last }} {{ messages[1:] | length }}",
        TALK,
        {},
        "0 3",
    ),
    (
        "{% for m in messages %}{% if loop.index0 == 1 %}{% continue %}{% endif %}{{ m.role }} "
        "{% if loop.index0 == 2 %}{% break %}{% endif %}{% endfor %}",
        TALK,
        {},
        "system assistant ",
    ),
    # methods of texts
    ("{{ messages[0].content.split('l')[-1].lstrip('\\n').upper() }}", HELLO, {}, "O"),
    (
        "{{ messages[0].content.startswith('he') and 'ell' in messages[0].content }}",
        HELLO,
        {},
        "True",
    ),
    ("{% macro say(x) %}[{{ x }}]{% endmacro %}{{ say(messages[0].role) }}", HELLO, {}, "[user]"),
    ("{% if m is not defined %}none{% endif %}{{ missing }}", HELLO, {}, "none"),
    ("{% if add_generation_prompt %}go{% endif %}", HELLO, {}, "go"),
    ("{% if add_generation_prompt %}go{% endif %}", HELLO, {"add_generation_prompt": False}, ""),
    # the switch of models that think
    (THINKING, HELLO, {}, ""),
    (THINKING, HELLO, {"enable_thinking": True}, ""),
    (THINKING, HELLO, {"enable_thinking": False}, "off"),
    ("{{ date_string }}", HELLO, {"date_string": "today"}, "today"),
    ("{% if tools is not none %}tools{% endif %}", HELLO, {}, ""),
    (
        "{% if tools %}{{ tools | tojson }}{% endif %}",
        HELLO,
        {"tools": [{"a": "<é>"}]},
        '[{"a": "<é>"}]',
    ),
    ("{{ x | tojson(indent=2) }}", HELLO, {"x": {"b": 1}}, '{\n  "b": 1\n}'),
    (
        "{{ x | tojson(separators=(',', ':'), sort_keys=true, ensure_ascii=true) }}",
        HELLO,
        {"x": {"b": "é", "a": 1}},
        '{"a":1,"b":"\\u00e9"}',
    ),
    ("{% generation %}\n{{ messages[0].content }}{% endgeneration %}!", HELLO, {}, "hello!"),
    (
        "{{ messages[0].content | length }} {{ [1, 2] | join('-') }} {{ 'a' ~ 1 }}",
        HELLO,
        {},
        "5 1-2 a1",
    ),
    (
        "{{ messages[0]['content'][0]['text'] }}",
        (("user", [{"type": "text", "text": "x"}]),),
        {},
        "x",
    ),
    # text is not escaped
    ("{{ messages[0].content }}", (("user", '<b> & "q"'),), {}, '<b> & "q"'),
]


@pytest.mark.parametrize(("template", "messages", "options", "expected"), CONSTRUCTS)
def test_constructs(
    template: str, messages: tuple[tuple[str, Any], ...], options: dict[str, Any], expected: str
) -> None:
    assert written(template, *messages, **options) == expected


def test_the_time() -> None:
    assert re.fullmatch(r"\d\d \w{3} \d{4}", written("{{ strftime_now('%d %b %Y') }}", *HELLO))


def test_chatml_without_a_template() -> None:
    assert written(None, *TALK[:2]) == (
        "<|im_start|>system\nbe brief<|im_end|>\n<|im_start|>user\nhello<|im_end|>\n"
        "<|im_start|>assistant\n"
    )
    assert written(None, *HELLO, add_generation_prompt=False).endswith("hello<|im_end|>\n")


def test_tokens_that_a_model_has_not_are_undefined() -> None:
    none = SimpleNamespace(
        chat_template="{{ bos_token is defined }}", bos_token=None, eos_token=None
    )
    assert chat_prompt(none, [{"role": "user", "content": ""}]) == "False"


# ---- what goes wrong ----


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{{ raise_exception('roles must alternate') }}", "roles must alternate"),
        ("{% if %}", "line 1"),
        ("\n{% for %}", "line 2"),
        ("{% unknown %}", "unknown"),
        ("{{ messages[0].content + 1 }}", "TypeError"),
        ("{{ messages[9].content }}", "no element"),
        ("{{ 1 / 0 }}", "ZeroDivisionError"),
        ("{{ missing.thing }}", "missing"),
        ("{{ missing() }}", "missing"),
        ("{{ messages | tojson | tojson(indent='x' * 3, separators=1) }}", "TypeError"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "RecursionError"),
        ("{% include 'x' %}", "no loader"),
        # the sandbox
        ("{{ ''.__class__ }}{{ ''.__class__.__mro__ }}", "unsafe"),
        ("{{ messages.append(1) }}", "unsafe"),
        ("{{ (messages[0] | attr('__class__')).x }}", ""),
        ("{{ range(999999999) | list }}", "OverflowError"),
        ("{{ raise_exception.__globals__.x }}", "unsafe"),
    ],
)
def test_a_failing_template_is_an_error_with_its_words(template: str, said: str) -> None:
    with pytest.raises(strided.InvalidArgument) as caught:
        written(template, *HELLO)
    assert said in caught.value.requirement


def test_messages_are_not_changed() -> None:
    messages = [{"role": "user", "content": "a"}]
    template = "{% set m = messages[0] %}{{ m.update({'content': 'b'}) }}"
    with pytest.raises(strided.InvalidArgument):
        chat_prompt(tokenizer(template), messages)
    assert messages == [{"role": "user", "content": "a"}]


@pytest.mark.parametrize("messages", ["hello", ["hello"], [{"content": "x"}], [1], [None]])
def test_messages_must_have_a_form(messages: Any) -> None:
    with pytest.raises(strided.InvalidArgument):
        chat_prompt(tokenizer(None), messages)


@pytest.mark.parametrize("message", [{"role": "user"}, {"role": "user", "content": None}])
def test_chatml_wants_contents(message: dict[str, Any]) -> None:
    with pytest.raises(strided.InvalidArgument):
        chat_prompt(tokenizer(None), [message])


def test_examples() -> None:
    assert doctest.testmod(chat_template).failed == 0


# ---- against transformers ----


@pytest.mark.peers
@pytest.mark.parametrize(("template", "messages", "options", "expected"), CONSTRUCTS)
def test_transformers_writes_the_same(
    template: str, messages: tuple[tuple[str, Any], ...], options: dict[str, Any], expected: str
) -> None:
    utils = pytest.importorskip("transformers.utils.chat_template_utils")
    said = [{"role": role, "content": content} for role, content in messages]
    given = {"bos_token": "<s>", "eos_token": "</s>", "tools": None, "documents": None}
    given |= {"add_generation_prompt": True, **options}
    theirs = utils._compile_jinja_template(template).render(messages=said, **given)
    assert theirs == expected
