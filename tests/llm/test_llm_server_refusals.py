"""What the server of language models refuses: fields, broken HTTP, slow clients, strangers."""

from __future__ import annotations

import contextlib
import json
import random
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("jinja2", reason="chat templates need strided[llm]")
from support.serving import JSON, POST, raw, serving, until

from strided.llm.server import Limits


@pytest.fixture(scope="module")
def fake():
    with serving() as running:
        yield running
        assert running.faults == []


# ---- refusals ----

MESSAGES = [{"role": "user", "content": "Hello"}]


@pytest.mark.parametrize(
    ("fields", "param", "code"),
    [
        ({"messages": None}, "messages", "missing_parameter"),
        ({"messages": []}, "messages", "empty_array"),
        ({"messages": "Hello"}, "messages", "invalid_type"),
        ({"messages": ["Hello"]}, "messages[0]", "invalid_type"),
        ({"messages": [{"content": "Hello"}]}, "messages[0].role", "invalid_value"),
        ({"messages": [{"role": "tool", "content": ""}]}, "messages[0].role", "invalid_value"),
        ({"messages": [{"role": []}]}, "messages[0].role", "invalid_type"),
        ({"messages": [{"role": "user"}]}, "messages[0].content", "missing_parameter"),
        ({"messages": [{"role": "user", "content": 3}]}, "messages[0].content", "invalid_type"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url"}]}]},
            "messages[0].content[0]",
            "invalid_value",
        ),
        (
            {"messages": [{"role": "user", "content": [{"type": "text"}]}]},
            "messages[0].content[0].text",
            "invalid_type",
        ),
        (
            {"messages": [{"role": "user", "content": "\ud800"}]},
            "messages[0].content",
            "invalid_value",
        ),
        (
            {"messages": [{"role": "assistant", "tool_calls": [{}]}]},
            "messages[0].tool_calls",
            "unsupported_value",
        ),
        (
            {"messages": [{"role": "user", "content": "x" * 5000}]},
            "messages",
            "context_length_exceeded",
        ),
        ({"temperature": "hot"}, "temperature", "invalid_type"),
        ({"temperature": True}, "temperature", "invalid_type"),
        ({"temperature": 2.5}, "temperature", "invalid_value"),
        ({"temperature": -1}, "temperature", "invalid_value"),
        ({"top_p": 1.5}, "top_p", "invalid_value"),
        ({"max_tokens": 0}, "max_tokens", "invalid_value"),
        ({"max_tokens": 1.5}, "max_tokens", "invalid_type"),
        ({"max_tokens": 10**30}, "max_tokens", "invalid_value"),
        ({"n": 0}, "n", "invalid_value"),
        ({"n": 99}, "n", "invalid_value"),
        ({"seed": "x"}, "seed", "invalid_type"),
        ({"stop": ""}, "stop", "invalid_value"),
        ({"stop": [1]}, "stop", "invalid_type"),
        ({"stop": ["x"] * 17}, "stop", "invalid_value"),
        ({"stream": "yes"}, "stream", "invalid_type"),
        ({"stream_options": {"include_usage": True}}, "stream_options", None),
        (
            {"stream": True, "stream_options": {"include_usage": 1}},
            "stream_options.include_usage",
            "invalid_type",
        ),
        ({"stream": True, "stream_options": []}, "stream_options", "invalid_type"),
        (
            {"stream": True, "stream_options": {"colour": 1}},
            "stream_options.colour",
            "unknown_parameter",
        ),
        ({"logprobs": True}, "logprobs", "unsupported_value"),
        ({"top_logprobs": 3}, "top_logprobs", "unsupported_value"),
        ({"presence_penalty": 0.5}, "presence_penalty", "unsupported_value"),
        ({"frequency_penalty": 0.5}, "frequency_penalty", "unsupported_value"),
        ({"logit_bias": {"5": 1}}, "logit_bias", "unsupported_value"),
        ({"tools": [{"type": "function"}]}, "tools", "unsupported_value"),
        ({"response_format": {"type": "json_object"}}, "response_format", "unsupported_value"),
        ({"repetition_penalty": 0}, "repetition_penalty", "invalid_value"),
        ({"colour": "red"}, "colour", "unknown_parameter"),
        ({"model": 3}, "model", "invalid_type"),
    ],
    ids=lambda value: str(value)[:50],
)
def test_wrong_fields_are_refused(fake, fields, param, code):
    status, found, _ = fake.ask("/v1/chat/completions", {"messages": MESSAGES, **fields})
    assert status == 400, found
    error = found["error"]
    assert (error["type"], error["param"], error["code"]) == ("invalid_request_error", param, code)
    assert error["message"]


@pytest.mark.parametrize(
    ("prompt", "code"),
    [
        (None, "missing_parameter"),
        (3, "invalid_type"),
        ({}, "invalid_type"),
        ([[1], "x", None], "invalid_type"),
        ([1, "x"], "invalid_type"),
        ([True], "invalid_type"),
        ("", "invalid_value"),
        ([], "invalid_value"),
        (["x"] * 99, "invalid_value"),
        ([99999], None),
        ("x" * 2048, "context_length_exceeded"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_wrong_prompts_are_refused(fake, prompt, code):
    status, found = fake.complete(prompt)
    assert (status, found["error"]["code"]) == (400, code)


def test_the_context_is_told_as_openai_does(fake):
    message = fake.complete("x" * 3000)[1]["error"]["message"]
    assert message.startswith(
        "This model's maximum context length is 2048 tokens. However, your prompt resulted in 3000"
    )
    assert fake.complete("x" * 2047)[0] == 200


def test_unknown_models(fake):
    status, found = fake.chat("Hello", model="gpt-4")
    assert (status, found["error"]["code"]) == (404, "model_not_found")


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"a": NaN}'),
        *(b'{"prompt": "x"} y', b'{"n": ' + b"1" * 9999 + b"}", b'{"prompt": "x", "top_p": 1e999}'),
    ],
    ids=lambda body: repr(body[:20]),
)
def test_bodies_that_are_no_json(fake, body):
    status, found, _ = fake.ask("/v1/completions", body, JSON, "POST")
    assert (status, found["error"]["type"]) == (400, "invalid_request_error")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"400"),
        (b"GET /health HTTP/9.9\r\n\r\n", b"505"),
        (b"GET /health HTTP/x\r\n\r\n", b"400"),
        (b"FETCH /health HTTP/1.1\r\nHost: localhost\r\n\r\n", b"501"),
        (b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", b"414"),
        (b"GET /health HTTP/1.1\r\nHost: localhost\r\n" + b"A: b\r\n" * 200 + b"\r\n", b"431"),
        (b"GET /health HTTP/1.1\r\nHost: localhost\r\nA: " + b"x" * 70_000 + b"\r\n\r\n", b"431"),
        (b"GET /health HTTP/1.1\r\nHost: localhost\r\nA: " + b"x" * 200_000, b"431"),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"411"),
        (POST + b"Transfer-Encoding: chunked\r\n\r\nno length\r\n", b"400"),
        (POST + b"Transfer-Encoding: gzip\r\n\r\n", b"501"),
        (POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", b"400"),
        (POST + b"Content-Length: -2\r\n\r\n{}", b"400"),
        (POST + b"Content-Length: two\r\n\r\n{}", b"400"),
        (POST + b"Content-Length: 9" + b"9" * 40 + b"\r\n\r\n{}", b"400"),
        (
            POST + b"Content-Length: 999999999\r\nConnection: close\r\n\r\n" + b"x" * (2 << 20),
            b"413",
        ),
    ],
    ids=lambda value: repr(value[:60]),
)
def test_broken_http_is_refused(fake, sent, status):
    answer = raw(fake, sent)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.split(b" ")[1] == status
    assert json.loads(body)["error"]["message"]
    assert b"connection: close" in head.lower()
    assert fake.ask("/health")[0] == 200


def test_addresses_and_methods(fake):
    status, found, _ = fake.ask("/v1/nothing")
    assert (status, found["error"]["message"]) == (404, "Invalid URL (GET /v1/nothing)")
    status, found, headers = fake.ask("/v1/completions")
    assert (status, headers["Allow"]) == (405, "POST")
    assert found["error"]["code"] == "method_not_supported"
    assert fake.ask("/v1/models", {}, method="DELETE")[0] == 405
    assert fake.ask("/v1/models?limit=3")[0] == 200


def test_bodies_must_be_json_by_name(fake):
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        status, found, _ = fake.ask("/v1/completions", {"prompt": "x"}, {"Content-Type": kind})
        assert (status, found["error"]["type"]) == (415, "invalid_request_error")
    kind = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert fake.ask("/v1/completions", {"prompt": "x"}, kind)[0] == 200


def test_bodies_have_a_limit():
    with serving(limits=Limits(body=1000)) as fake:
        assert fake.complete("x" * 500)[0] == 200
        status, found = fake.complete("x" * 2000)
        assert (status, found["error"]["code"]) == (413, "request_too_large")


# ---- slow clients ----


@pytest.mark.parametrize(
    "sent", [b"", b"GET", b"GET /health HTTP/1.1\r\nHost:", POST + b"Content-Length: 9\r\n\r\n{"]
)
def test_silent_clients_are_left(sent):
    with serving(limits=Limits(idle=0.1, message=0.1)) as fake:
        assert raw(fake, sent) == b""
        until(lambda: not fake.server.connections)
        assert fake.faults == []


def test_clients_that_do_not_read_are_left():
    limits = Limits(write=0.2)
    with serving(sequences=16, limits=limits) as fake, contextlib.closing(fake.connect()) as slow:
        slow.connect()
        slow.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        body = {"prompt": "forever", "n": 16, "max_tokens": 2000, "stream": True}
        slow.request("POST", "/v1/completions", json.dumps(body), JSON)
        until(lambda: bool(fake.lines))
        assert fake.lines[0].endswith("client left")
        until(lambda: fake.server.worker.under_way == 0)


WHOLE = [
    POST + b'Content-Length: 34\r\n\r\n{"prompt": "Once", "stream": true}',
    POST + b'Content-Length: 29\r\n\r\n{"prompt": [1, 2], "seed": 3}',
    b"GET /v1/models HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n",
]
PARTS = [b"\r\n", b"\0", b"9" * 20, b"{", b"[", b"null", b"-1", b": ", b"\xff", b"\r\n\r\n", b" "]


def mutated(sent: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randrange(1, 5)):
        at, part = chance.randrange(len(sent) + 1), chance.choice(PARTS)
        end = chance.choice([at, at + 1, at + len(part), len(sent)])
        sent = sent[:at] + chance.choice([b"", part]) + sent[end:]
    return sent


def test_mutated_requests_are_answered_or_refused():
    with serving(limits=Limits(idle=0.2, message=0.2)) as fake:

        def send(seed: int) -> None:
            chance = random.Random(seed)
            for _ in range(20):
                raw(fake, mutated(chance.choice(WHOLE), chance))

        with ThreadPoolExecutor(10) as pool:
            list(pool.map(send, range(10)))
        assert fake.faults == []
        until(lambda: fake.server.worker.under_way == 0)
        assert not fake.engines[0].busy
        assert len(fake.engines) == 1


# ---- who may ask ----


@pytest.mark.parametrize(
    ("host", "status"),
    [
        *(("localhost", 200), ("127.0.0.1:1234", 200), ("[::1]:80", 200), ("LocalHost:1", 200)),
        *(("evil.example", 403), ("localhost.evil.example", 403), ("127.0.0.1.evil:80", 403)),
    ],
)
def test_hosts(fake, host, status):
    assert fake.ask("/health", headers={"Host": host})[0] == status


def test_a_missing_host_is_refused(fake):
    answer = raw(fake, b"GET /health HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert b" 400 " in answer.split(b"\r\n")[0]
    answer = raw(fake, b"GET /health HTTP/1.0\r\n\r\n")
    assert b" 403 " in answer.split(b"\r\n")[0]


def test_pages_are_refused_unless_allowed(fake):
    page = {"Origin": "http://evil.example"}
    assert fake.ask("/v1/models", headers=page)[0] == 403
    assert fake.ask("/v1/models", headers=page, method="OPTIONS")[0] == 403
    assert fake.ask("/v1/models", method="OPTIONS")[0] == 405


@pytest.mark.parametrize("origins", [["http://page.example"], ["*"]])
def test_allowed_pages(origins):
    with serving(origins=origins, api_key="secret") as fake:
        asking = {"Origin": "http://page.example", "Access-Control-Request-Headers": "x-a, x-b"}
        status, body, headers = fake.ask("/v1/completions", headers=asking, method="OPTIONS")
        assert (status, body) == (204, b"")
        assert headers["Access-Control-Allow-Origin"] == origins[0]
        assert headers["Access-Control-Allow-Headers"] == "x-a, x-b"
        other = fake.ask("/health", headers={"Origin": "http://other.example"})
        assert other[0] == (200 if origins == ["*"] else 403)


@pytest.mark.parametrize(
    ("header", "status"),
    [
        (None, 401),
        ("", 401),
        ("Bearer", 401),
        ("Bearer wrong", 401),
        ("Bearer secret2", 401),
        ("Basic secret", 401),
        ("Bearer sécret", 401),
        ("Bearer secret", 200),
        ("bearer secret", 200),
    ],
)
def test_keys(header, status):
    with serving(api_key="secret") as fake:
        headers = {} if header is None else {"Authorization": header}
        found = fake.ask("/v1/models", headers=headers)
        assert found[0] == status
        if status == 401:
            assert found[1]["error"]["code"] == "invalid_api_key"
            assert found[1]["error"]["type"] == "authentication_error"
            assert found[2]["WWW-Authenticate"] == "Bearer"
            assert fake.ask("/v1/completions", {"prompt": "x"}, headers)[0] == 401
        assert fake.ask("/health")[0] == 200
