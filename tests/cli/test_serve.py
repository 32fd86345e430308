"""``strided serve``: signals, keys, refusals. The model is the fake one."""

from __future__ import annotations

import http.client
import json
import signal
from typing import Any

import pytest

pytest.importorskip("typer", reason="the command needs strided[cli]")
pytest.importorskip("jinja2", reason="chat templates need strided[llm]")
from support.fake_command import started
from support.serving import JSON, text_of


def serve(*arguments: str, **changes: str) -> tuple[Any, Any]:
    """Start the command; return its process and where it serves."""
    process = started("serve", "fake", "--port", "0", *arguments, env=changes)
    assert process.stdout is not None
    line = process.stdout.readline()
    assert " at http://127.0.0.1:" in line, process.communicate()
    port = int(line.split(":")[3].split("/")[0])
    return process, http.client.HTTPConnection("127.0.0.1", port, timeout=30)


def post(connection: http.client.HTTPConnection, **body: Any) -> None:
    connection.request("POST", "/v1/completions", json.dumps(body), JSON)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_signals_let_answers_finish(number, code):
    process, connection = serve("-v", "--temp", "0", FAKE_LLM_DELAY="0.02")
    post(connection, prompt="forever", max_tokens=30, stream=True)
    response = connection.getresponse()
    begun = response.readline()
    process.send_signal(number)
    events = (begun + response.read()).decode().split("\n\n")
    assert events[-2] == "data: [DONE]"
    chunks = [json.loads(event.removeprefix("data: ")) for event in events[:-2]]
    text = "".join(chunk["choices"][0]["text"] for chunk in chunks)
    assert text == text_of("forever", max_tokens=30)
    connection.close()
    _, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert "finishing 1 answers" in err
    assert "'POST /v1/completions' 200" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("how", ["grace is over", "a second signal"])
def test_signals_end_answers_that_take_too_long(how):
    grace = "0.2" if how == "grace is over" else "60"
    process, connection = serve("--grace", grace, FAKE_LLM_DELAY="0.02")
    post(connection, prompt="forever", max_tokens=3000, stream=True)
    response = connection.getresponse()
    response.readline()
    process.send_signal(signal.SIGINT)
    if how == "a second signal":
        assert process.stderr is not None
        assert "finishing" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
    assert b"shutting_down" in response.read()
    connection.close()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err


def test_the_key_may_be_in_the_environment():
    process, connection = serve(STRIDED_API_KEY="secret")
    connection.request("GET", "/v1/models")
    assert connection.getresponse().status == 401
    connection.close()
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == 0


def test_open_doors_are_warned_of():
    process = started("serve", "fake", "--port", "0", "--host", "0.0.0.0")
    assert process.stdout is not None
    process.stdout.readline()
    process.terminate()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "warning: whoever can reach this machine" in err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["missing.gguf"], 1),
        (["fake", "--host", "no.such.host.invalid"], 1),
        (["fake", "--api-key", ""], 2),
        (["fake", "--parallel", "0"], 2),
        ([], 2),
    ],
)
def test_serve_refuses(arguments, code):
    process = started("serve", *arguments)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert out == ""
    assert "Traceback" not in err
