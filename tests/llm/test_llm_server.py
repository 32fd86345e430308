"""The server of language models: answers, streams, several clients, ends. The model is fake."""

from __future__ import annotations

import contextlib
import doctest
import http.client
import importlib
import json
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

pytest.importorskip("jinja2", reason="chat templates need strided[llm]")
from support.command import command, environment
from support.fake_llm import FakeTokenizer
from support.real_model import smollm2
from support.serving import GET, JSON, Serving, chat_text_of, raw, serving, text_of, until

import strided
from strided.llm import Options, chat_prompt
from strided.llm.server import Limits


@pytest.fixture(scope="module")
def fake():
    with serving() as running:
        yield running
        assert running.faults == []


# ---- what is answered ----


def test_health_and_models(fake):
    assert fake.ask("/health")[:2] == (200, {"status": "ok"})
    status, found, _ = fake.ask("/v1/models")
    assert status == 200
    assert [model["id"] for model in found["data"]] == ["fake"]
    assert fake.ask("/v1/models/fake")[1] == found["data"][0]
    status, found, _ = fake.ask("/v1/models/other%2Fmodel")
    assert (status, found["error"]["code"]) == (404, "model_not_found")
    assert "other/model" in found["error"]["message"]
    assert fake.ask("/v1/models", method="HEAD")[:2] == (200, b"")


def test_chat(fake):
    status, found = fake.chat("Hello")
    assert status == 200
    assert (found["object"], found["model"]) == ("chat.completion", "fake")
    assert found["id"].startswith("chatcmpl-")
    (choice,) = found["choices"]
    assert choice["message"]["content"] == chat_text_of("Hello")
    assert (choice["message"]["role"], choice["finish_reason"]) == ("assistant", "stop")
    usage = found["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    assert usage["prompt_tokens_details"]["cached_tokens"] < usage["prompt_tokens"]
    again = fake.chat("Hello")[1]["usage"]
    assert again["prompt_tokens_details"]["cached_tokens"] == usage["prompt_tokens"] - 1


def test_completion(fake):
    status, found = fake.complete("Once", max_tokens=40)
    assert (status, found["object"]) == (200, "text_completion")
    assert found["choices"][0]["text"] == text_of("Once", max_tokens=40)
    assert fake.complete("Once forever")[1]["usage"]["completion_tokens"] == 16


@pytest.mark.parametrize(
    ("prompt", "texts"),
    [
        ("Once", ["Once"]),
        (["Once"], ["Once"]),
        (["Once", "upon"], ["Once", "upon"]),
        (list(b"Once"), ["Once"]),
        ([list(b"Once"), list(b"upon")], ["Once", "upon"]),
    ],
)
def test_forms_of_prompts(fake, prompt, texts):
    choices = fake.complete(prompt, max_tokens=9)[1]["choices"]
    assert [choice["text"] for choice in choices] == [text_of(t, max_tokens=9) for t in texts]
    assert [choice["index"] for choice in choices] == list(range(len(texts)))


def test_several_answers(fake):
    _, found = fake.complete("Once", n=3, max_tokens=9, temperature=1, seed=5)
    expected = [text_of("Once", max_tokens=9, temperature=1.0, seed=5 + i) for i in range(3)]
    assert [choice["text"] for choice in found["choices"]] == expected
    assert found["usage"]["prompt_tokens"] == 4
    assert found["usage"]["completion_tokens"] == 27


@pytest.mark.parametrize(
    ("fields", "options"),
    [
        ({"max_completion_tokens": 3}, {"max_tokens": 3}),
        ({"max_tokens": 3}, {"max_tokens": 3}),
        ({"stop": "the"}, {"stop": ("the",)}),
        ({"stop": ["the", "is"]}, {"stop": ("the", "is")}),
        ({"temperature": 0.7, "seed": 9, "top_p": 1}, {"temperature": 0.7, "seed": 9}),
        ({"n": 1, "user": "me", "logprobs": False, "presence_penalty": 0, "tools": []}, {}),
        ({"temperature": None, "stop": None, "max_tokens": None, "stream": None}, {}),
    ],
    ids=str,
)
def test_options_of_requests(fake, fields, options):
    status, found = fake.chat("Hello", **fields)
    assert status == 200, found
    assert found["choices"][0]["message"]["content"] == chat_text_of("Hello", **options)


def test_all_options_arrive():
    with serving() as fake:
        seen: list[Options] = []
        submit = fake.engines[0].submit
        fake.engines[0].submit = lambda tokens, options: (
            seen.append(options) or submit(tokens, options)
        )
        fields = {"temperature": 0.5, "top_p": 0.6, "top_k": 7, "min_p": 0.1, "seed": 3}
        fake.chat("Hello", **fields, repetition_penalty=1.2, max_tokens=5, stop=["x"])
    assert seen == [
        Options(
            max_tokens=5,
            temperature=0.5,
            top_k=7,
            top_p=0.6,
            min_p=0.1,
            repetition_penalty=1.2,
            seed=3,
            stop=("x",),
        )
    ]


def test_parts_and_roles_of_messages(fake):
    messages = [
        {"role": "developer", "content": "Be."},
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {"role": "assistant", "content": "c", "refusal": None},
        {"role": "user", "content": "d", "name": "me"},
    ]
    plain = [("system", "Be."), ("user", "ab"), ("assistant", "c"), ("user", "d")]
    prompt = chat_prompt(FakeTokenizer(), [{"role": r, "content": c} for r, c in plain])
    found = fake.ask("/v1/chat/completions", {"messages": messages})[1]
    assert found["choices"][0]["message"]["content"] == text_of(prompt)


# ---- streams ----


@pytest.mark.parametrize("usage", [False, True])
def test_chat_streams(fake, usage):
    body: dict[str, Any] = {"messages": [{"role": "user", "content": "Hello"}]}
    if usage:
        body["stream_options"] = {"include_usage": True}
    *chunks, done = fake.stream("/v1/chat/completions", body)
    assert done == "[DONE]"
    assert len({chunk["id"] for chunk in chunks}) == 1
    if usage:
        last = chunks.pop()
        assert last["choices"] == []
        assert last["usage"]["completion_tokens"] > 0
        assert all(chunk["usage"] is None for chunk in chunks)
    else:
        assert not any("usage" in chunk for chunk in chunks)
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks]
    assert deltas[0] == {"role": "assistant", "content": "", "refusal": None}
    assert deltas[-1] == {}
    assert chunks[-1]["choices"][0]["finish_reason"] == "stop"
    assert len(deltas) > 6
    assert "".join(delta.get("content", "") for delta in deltas) == chat_text_of("Hello")


def test_completions_stream(fake):
    body = {"prompt": ["Once", "upon"], "max_tokens": 9}
    *chunks, done = fake.stream("/v1/completions", body)
    texts = ["", ""]
    for chunk in chunks:
        choice = chunk["choices"][0]
        texts[choice["index"]] += choice["text"]
    assert (texts, done) == ([text_of(t, max_tokens=9) for t in ("Once", "upon")], "[DONE]")


def test_streams_come_piece_by_piece():
    with serving(delay=0.02) as fake, contextlib.closing(fake.connect()) as connection:
        body = {"prompt": "forever", "stream": True, "max_tokens": 500}
        connection.request("POST", "/v1/completions", json.dumps(body), JSON)
        response = connection.getresponse()
        assert response.readline().startswith(b"data: {")
        assert fake.server.worker.under_way == 1


def test_connections_are_kept(fake):
    with contextlib.closing(fake.connect()) as connection:
        ports = set()
        for body in ({"prompt": "Once"}, {"prompt": "Once", "stream": True}, {"prompt": 3}):
            connection.request("POST", "/v1/completions", json.dumps(body), JSON)
            connection.getresponse().read()
            assert connection.sock is not None
            ports.add(connection.sock.getsockname())
        assert len(ports) == 1


def test_http_1_0_streams_end_with_the_connection(fake):
    body = b'{"prompt": "Once", "stream": true}'
    head = b"POST /v1/completions HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    answer = raw(fake, head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    assert b"chunked" not in answer
    assert answer.endswith(b"data: [DONE]\n\n")


# ---- several clients ----


def test_clients_share_steps_and_get_what_they_would_get_alone():
    prompts = [f"client {i} forever" for i in range(8)]
    with serving(sequences=8, delay=0.01) as fake:

        def ask(prompt: str) -> str:
            body = {"messages": [{"role": "user", "content": prompt}], "max_tokens": 60}
            chunks = fake.stream("/v1/chat/completions", body)[:-1]
            return "".join(c["choices"][0]["delta"].get("content", "") for c in chunks)

        with ThreadPoolExecutor(8) as pool:
            texts = list(pool.map(ask, prompts))
        assert texts == [chat_text_of(prompt, max_tokens=60) for prompt in prompts]
        (engine,) = fake.engines
        assert engine.most > 4, "the answers were written one after the other"
        assert engine.steps < 8 * 60
        assert fake.server.worker.under_way == 0


def test_more_clients_than_places_wait_in_line():
    with serving(sequences=2) as fake, ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda i: fake.complete(f"p{i}", max_tokens=30), range(10)))
    for i, (status, found) in enumerate(answers):
        assert status == 200
        assert found["choices"][0]["text"] == text_of(f"p{i}", max_tokens=30)


def begin(fake: Serving, **fields: Any) -> http.client.HTTPConnection:
    connection = fake.connect()
    body = {"prompt": "forever", "max_tokens": 1500, **fields}
    connection.request("POST", "/v1/completions", json.dumps(body), JSON)
    return connection


@pytest.mark.parametrize("stream", [True, False])
def test_whoever_leaves_frees_the_place(stream):
    with serving(sequences=1, delay=0.01) as fake:
        first = begin(fake, stream=stream)
        until(lambda: bool(fake.engines[0].running))
        second = begin(fake, stream=stream)  # waits in line
        until(lambda: len(fake.engines[0].waiting) == 1)
        second.close()
        until(lambda: fake.server.worker.under_way == 1)
        assert fake.engines[0].waiting == []
        first.close()
        until(lambda: fake.server.worker.under_way == 0)
        assert not fake.engines[0].busy
        assert fake.complete("Once")[0] == 200
        until(lambda: sum("client left" in line for line in fake.lines) == 2)
        assert fake.faults == []


def test_whoever_leaves_in_the_middle_of_a_stream_frees_the_place():
    with serving(sequences=1, delay=0.005) as fake:
        connection = begin(fake, stream=True)
        connection.getresponse().readline()
        connection.close()
        until(lambda: fake.server.worker.under_way == 0)
        assert not fake.engines[0].busy


def test_a_full_line_is_told():
    with serving(sequences=1, delay=0.01, limits=Limits(waiting=1)) as fake:
        connections = [begin(fake) for _ in range(2)]
        until(lambda: fake.server.worker.under_way == 2)
        status, found, headers = fake.ask("/v1/completions", {"prompt": "x"})
        assert (status, headers["Retry-After"]) == (429, "1")
        assert found["error"]["type"] == "rate_limit_error"
        assert found["error"]["code"] == "rate_limit_exceeded"
        for connection in connections:
            connection.close()
        until(lambda: fake.server.worker.under_way == 0)
        assert fake.complete("x")[0] == 200


def test_too_many_connections_are_turned_away():
    with serving(limits=Limits(connections=2)) as fake:
        held = [socket.create_connection((fake.host, fake.port)) for _ in range(2)]
        until(lambda: raw(fake, GET).startswith(b"HTTP/1.1 503"))
        for one in held:
            one.close()
        until(lambda: raw(fake, GET).startswith(b"HTTP/1.1 200"))


# ---- faults of the engine ----


@pytest.mark.parametrize("stream", [False, True])
def test_a_broken_engine_is_replaced(stream):
    with serving(delay=0.002) as fake:
        other = begin(fake)
        until(lambda: bool(fake.engines[0].running))
        body = {"prompt": "explode", "stream": stream}
        if stream:
            *chunks, done = fake.stream("/v1/completions", body)
            assert (chunks[-1]["error"]["type"], done) == ("server_error", "[DONE]")
        else:
            status, found, _ = fake.ask("/v1/completions", body)
            assert (status, found["error"]["type"]) == (500, "server_error")
            assert "broken" not in found["error"]["message"]
        assert other.getresponse().status == 500
        other.close()
        assert fake.complete("Once")[1]["choices"][0]["text"] == text_of("Once", max_tokens=16)
        assert len(fake.engines) == 2
        assert len(fake.faults) == 1
        assert "the engine is broken" in fake.faults[0]


def test_no_memory_for_a_new_engine_is_a_failure_of_the_request():
    with serving() as fake:
        fake.complete("explode")
        make, fake.server.worker._make_engine = fake.server.worker._make_engine, lambda: 1 / 0
        assert fake.complete("Once")[0] == 500
        fake.server.worker._make_engine = make
        assert fake.complete("Once")[0] == 200


# ---- the end ----


def test_what_is_under_way_may_finish():
    with serving(delay=0.005) as fake:
        connection = begin(fake, max_tokens=60)
        until(lambda: bool(fake.engines[0].running))
        assert fake.server.drain(30)
        found = json.loads(connection.getresponse().read())
        assert found["choices"][0]["text"] == text_of("forever", max_tokens=60)
        connection.close()
        with pytest.raises(ConnectionError):
            fake.ask("/health")


@pytest.mark.parametrize("stream", [False, True])
def test_what_does_not_finish_in_time_is_told(stream):
    with serving(delay=0.01) as fake:
        connection = begin(fake, stream=stream)
        response = connection.getresponse() if stream else None
        until(lambda: bool(fake.engines[0].running))
        assert not fake.server.drain(0.05)
        fake.server.close()
        if response is not None:
            events = response.read().decode().split("\n\n")
            error = json.loads(events[-3].removeprefix("data: "))["error"]
        else:
            response = connection.getresponse()
            assert response.status == 503
            error = json.loads(response.read())["error"]
        assert error["code"] == "shutting_down"
        connection.close()
        fake.server.close()


def test_nobody_is_taken_while_it_ends():
    with serving(delay=0.01) as fake, contextlib.closing(fake.connect()) as kept:
        kept.request("GET", "/health")
        kept.getresponse().read()
        busy = begin(fake)
        until(lambda: bool(fake.engines[0].running))
        fake.server.drain(0)
        kept.request("POST", "/v1/completions", b'{"prompt": "x"}', JSON)
        response = kept.getresponse()
        assert (response.status, response.headers["Connection"]) == (503, "close")
        busy.close()


def test_a_port_that_is_taken(fake):
    with pytest.raises(strided.InvalidArgument) as caught, serving(port=fake.port):
        pass
    assert caught.value.argument == "address"


def test_the_log_is_one_line_each():
    with serving() as fake:
        fake.complete("Once", max_tokens=3)
        raw(fake, b"GET /\x1b[31m HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        until(lambda: len(fake.lines) == 2)
    assert "'POST /v1/completions' 200 " in fake.lines[0]
    assert fake.lines[0].endswith(" s 3 tokens")
    assert "\x1b" not in fake.lines[1]


@pytest.mark.parametrize("name", ["answer", "request", "service"])
def test_examples_run(name):
    result = doctest.testmod(importlib.import_module(f"strided.llm.server.{name}"))
    assert result.attempted > 0
    assert result.failed == 0


MESSAGES = [{"role": "user", "content": "Hello"}]


# ---- the client that people use ----


@pytest.mark.peers
def test_openai_client():
    openai = pytest.importorskip("openai", reason="the client of OpenAI is not installed")
    with serving(sequences=8, api_key="secret", delay=0.002) as fake:
        client = openai.OpenAI(base_url=fake.server.url, api_key="secret", max_retries=0)
        assert [model.id for model in client.models.list()] == ["fake"]
        assert client.models.retrieve("fake").owned_by == "strided"
        found = client.chat.completions.create(model="fake", messages=MESSAGES)
        assert found.choices[0].message.content == chat_text_of("Hello")
        assert found.usage.prompt_tokens_details.cached_tokens == 0
        found = client.completions.create(model="fake", prompt="Once", max_tokens=9)
        assert found.choices[0].text == text_of("Once", max_tokens=9)

        def stream(number: int) -> str:
            chunks = client.chat.completions.create(
                model="fake",
                messages=[{"role": "user", "content": f"client {number} forever"}],
                max_tokens=50,
                stream=True,
                stream_options={"include_usage": True},
            )
            parts = list(chunks)
            assert parts[-1].usage.completion_tokens == 50
            return "".join(part.choices[0].delta.content or "" for part in parts[:-1])

        with ThreadPoolExecutor(8) as pool:
            texts = list(pool.map(stream, range(8)))
        assert texts == [chat_text_of(f"client {i} forever", max_tokens=50) for i in range(8)]
        with client.chat.completions.create(
            model="fake", messages=[{"role": "user", "content": "forever"}], stream=True
        ) as chunks:
            next(iter(chunks))
        until(lambda: fake.server.worker.under_way == 0)
        with pytest.raises(openai.NotFoundError):
            client.chat.completions.create(model="other", messages=MESSAGES)
        with pytest.raises(openai.BadRequestError) as caught:
            client.completions.create(model="fake", prompt="x" * 3000)
        assert caught.value.code == "context_length_exceeded"
        with pytest.raises(openai.AuthenticationError):
            openai.OpenAI(base_url=fake.server.url, api_key="x", max_retries=0).models.list()
        with pytest.raises(openai.InternalServerError):
            client.completions.create(model="fake", prompt="explode")
        with pytest.raises(openai.APIError):
            list(client.completions.create(model="fake", prompt="explode", stream=True))
        client.close()


@pytest.mark.peers
def test_clients_of_a_real_model_get_what_they_would_get_alone():
    openai = pytest.importorskip("openai", reason="the client of OpenAI is not installed")
    path = smollm2()
    line = command("serve", str(path), "--port", "0", "--parallel", "8", "--temp", "0")
    process = subprocess.Popen(line, env=environment(), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    url = process.stdout.readline().split(" at ")[1].split()[0]
    with openai.OpenAI(base_url=url, api_key="none") as client:

        def ask(number: int) -> str:
            question = {"role": "user", "content": f"Tell me something about the number {number}."}
            chunks = client.chat.completions.create(
                model=path.stem, messages=[question], max_tokens=24, stream=True
            )
            return "".join(chunk.choices[0].delta.content or "" for chunk in chunks)

        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(ask, range(8)))
        assert together == [ask(number) for number in range(8)]
        assert len(set(together)) > 1
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == 0
