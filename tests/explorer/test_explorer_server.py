"""The explorer's server: who may ask, what may be asked, and that nothing else gets through."""

from __future__ import annotations

import contextlib
import http.client
import importlib.resources
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.parse

import pytest

from strided.errors import InvalidArgument
from strided.explorer import make_server
from strided.explorer.server import _FILES, MAX_BODY

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def server():
    with make_server() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
    thread.join(10)
    assert not thread.is_alive()


def ask(server, path="", method="GET", body=None, headers=None, host=None, token=None):
    """Return status, headers and body; path is below the token unless it begins with a slash."""
    parts = urllib.parse.urlsplit(server.url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
    with contextlib.closing(connection):
        own = f"/{token}/" if token is not None else parts.path
        address = path if path.startswith("/") else own + path
        connection.putrequest(method, address, skip_host=True)
        for name, value in {"Host": host or parts.netloc, **(headers or {})}.items():
            if value:
                connection.putheader(name, value)
        if body is not None and "Content-Length" not in (headers or {}):
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        response = connection.getresponse()
        return response.status, response.headers, response.read()


def evaluate(server, expression, **kwargs):
    body = json.dumps({"expression": expression}).encode()
    return ask(server, "evaluate", "POST", body, JSON, **kwargs)


# ---- what works ----


@pytest.mark.parametrize("name", _FILES)
def test_files_are_served_from_the_package(server, name):
    status, headers, body = ask(server, name)
    file, kind = _FILES[name]
    page = importlib.resources.files("strided.explorer") / "pages" / file
    assert (status, headers["Content-Type"], body) == (200, kind, page.read_bytes())


def test_every_file_of_the_package_is_served():
    pages = importlib.resources.files("strided.explorer") / "pages"
    assert {page.name for page in pages.iterdir()} == {file for file, _ in _FILES.values()}


def test_the_page_loads_nothing_from_elsewhere():
    pages = importlib.resources.files("strided.explorer") / "pages"
    for page in pages.iterdir():
        text = page.read_text().replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|//\w+\.\w+|@import|url\(|eval\(|innerHTML", text), page.name


def test_chains_are_evaluated(server):
    status, headers, body = evaluate(server, "arange(6)[::2]")
    assert (status, headers["Content-Type"]) == (200, "application/json")
    assert json.loads(body)["steps"][-1]["strides"] == [2]
    query = urllib.parse.urlencode({"expression": "arange(6)[::2]"})
    assert ask(server, f"evaluate?{query}")[2] == body


def test_exercises_are_listed_and_checked(server):
    listing = json.loads(ask(server, "start")[2])
    assert listing["questions"]
    assert listing["examples"]
    assert json.loads(ask(server, "exercise?id=practice-3")[2])["id"] == "practice-3"
    body = json.dumps({"id": "strides-1", "answer": {"strides": "12, 4, 1"}}).encode()
    assert json.loads(ask(server, "answer", "POST", body, JSON)[2])["right"] is True


def test_bad_chains_are_answers_not_errors(server):
    status, _, body = evaluate(server, "__import__('os').system('true')")
    assert status == 200
    assert json.loads(body)["problem"]["column"] == 11


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_own_names_are_accepted(server, host):
    port = urllib.parse.urlsplit(server.url).port
    origin = {"Origin": f"http://{host}:{port}", **JSON}
    assert ask(server, host=f"{host}:{port}")[0] == 200
    assert ask(server, "evaluate", "POST", b"{}", origin, host=f"{host}:{port}")[0] == 200


# ---- who may ask ----


@pytest.mark.parametrize("token", ["", "wrong", "x" * 32, "%00", "%C3%A9"])
@pytest.mark.parametrize("path", ["", "app.js", "start", "evaluate?expression=arange(3)"])
def test_a_wrong_token_finds_nothing(server, token, path):
    status, _, body = ask(server, path, token=token)
    assert status == 404
    assert json.loads(body) == {"error": "Not Found"}


def test_the_token_is_long_random_and_complete(server):
    token = urllib.parse.urlsplit(server.url).path.strip("/")
    assert len(token) >= 32
    with make_server() as other:
        assert token not in other.url
    for wrong in (token[:-1], token + "x", token.swapcase(), f"{token}%20"):
        assert ask(server, token=wrong)[0] == 404


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "[::1]:{port}", " "]
)
def test_a_foreign_host_is_refused(server, host):
    port = urllib.parse.urlsplit(server.url).port
    assert ask(server, host=host.format(port=port))[0] == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}"])
def test_other_pages_are_refused(server, origin):
    port = urllib.parse.urlsplit(server.url).port
    headers = {**JSON, "Origin": origin.format(port=port)}
    assert ask(server, "evaluate", "POST", b"{}", headers)[0] == 403


def raw(server, request):
    """Return the status line that a request of any bytes gets."""
    parts = urllib.parse.urlsplit(server.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as connection:
        connection.sendall(request)
        return connection.recv(4096).splitlines()[0]


def test_two_hosts_or_none_are_refused(server):
    parts = urllib.parse.urlsplit(server.url)
    for lines in ("", f"Host: {parts.netloc}\r\nHost: evil.example\r\n"):
        assert b" 400 " in raw(server, f"GET {parts.path} HTTP/1.1\r\n{lines}\r\n".encode())
    # HTTP 1.0 knows no Host header.
    assert b" 403 " in raw(server, f"GET {parts.path} HTTP/1.0\r\n\r\n".encode())


@pytest.mark.parametrize("token", [b"\xc3\xa9", b"\xff\xfe", b"\x00"])
def test_a_token_of_other_bytes_finds_nothing(server, token):
    host = urllib.parse.urlsplit(server.url).netloc.encode()
    assert b" 400 " in raw(server, b"GET /" + token + b"/ HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")


@pytest.mark.parametrize("line", [b"nonsense", b"GET / HTTP/9.9 more", b"GET / FTP/1.0", b"PUT /"])
def test_a_broken_request_line_is_refused(server, line):
    assert b" 400 " in raw(server, line + b"\r\n\r\n")


def test_only_this_machine_is_listened_to(server):
    assert server.host == "127.0.0.1"


# ---- what may be asked ----


@pytest.mark.parametrize(
    "path",
    [
        "../server.py",
        "..%2fserver.py",
        "pages/app.js",
        "app.js/",
        "/etc/passwd",
        "//etc/passwd",
        "....//",
        "%2e%2e/",
        "app.js%00",
        "server.py",
        "__init__.py",
        ".",
        "/",
        "/favicon.ico",
    ],
)
def test_nothing_but_the_list_is_served(server, path):
    assert ask(server, path)[0] == 404


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"])
@pytest.mark.parametrize("path", ["", "evaluate", "answer"])
def test_other_methods_are_refused(server, method, path):
    status, headers, _ = ask(server, path, method)
    assert (status, headers["Allow"]) == (405, "GET, POST")


@pytest.mark.parametrize(("method", "path"), [("POST", ""), ("POST", "app.js"), ("GET", "answer")])
def test_methods_belong_to_their_path(server, method, path):
    assert ask(server, path, method, b"{}", JSON)[0] == 405


def test_unknown_methods_are_refused(server):
    status, headers, body = ask(server, "", "BREW")
    assert status == 501
    assert json.loads(body) == {"error": "Not Implemented"}
    assert headers["Content-Security-Policy"]


def test_an_oversized_body_is_refused(server):
    assert ask(server, "evaluate", "POST", b" " * (MAX_BODY + 1), JSON)[0] == 413
    lie = {**JSON, "Content-Length": "9" * 30}
    assert ask(server, "evaluate", "POST", b"{}", lie)[0] in (400, 413)
    lie = {**JSON, "Content-Length": "9" * 15}
    assert ask(server, "evaluate", "POST", b"{}", lie)[0] == 413


def test_a_body_needs_a_length(server):
    assert ask(server, "evaluate", "POST", b"", {**JSON, "Content-Length": ""})[0] == 411
    chunked = {**JSON, "Transfer-Encoding": "chunked", "Content-Length": ""}
    assert ask(server, "evaluate", "POST", b"2\r\n{}\r\n0\r\n\r\n", chunked)[0] == 411


@pytest.mark.parametrize("length", ["-1", "x", "1e3", "٣".encode().decode("latin-1")])
def test_a_length_is_a_number(server, length):
    assert ask(server, "evaluate", "POST", b"", {**JSON, "Content-Length": length})[0] == 400


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded"])
def test_a_body_must_be_json_by_name(server, kind):
    assert ask(server, "evaluate", "POST", b"{}", {"Content-Type": kind})[0] == 415


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"3",
        b"\xff\xfe",
        b"[" * 8000,
        b'{"expression": 3}',
        b'{"expression": null}',
    ],
)
def test_bad_json_is_refused(server, body):
    assert ask(server, "evaluate", "POST", body, JSON)[0] == 400


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"id": 3, "answer": {}},
        {"id": "strides-1"},
        {"id": "none", "answer": {}},
        {"id": "strides-1", "answer": {"strides": []}},
    ],
)
def test_bad_answers_are_refused(server, given):
    status, _, body = ask(server, "answer", "POST", json.dumps(given).encode(), JSON)
    assert status == 400
    assert json.loads(body)["error"]


def test_a_query_is_bounded(server):
    assert ask(server, "evaluate?" + "a=1&" * 50)[0] == 400
    assert ask(server, "evaluate?expression=" + "a" * 70_000)[0] == 414


@pytest.mark.parametrize("path", ["", "start", "evaluate?expression=x", "no-such-page"])
def test_every_answer_has_the_safe_headers(server, path):
    headers = ask(server, path)[1]
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Frame-Options"] == "DENY"
    assert "Python" not in headers["Server"]


# ---- starting and stopping ----


def test_closing_gives_the_port_back():
    server = make_server()
    port = urllib.parse.urlsplit(server.url).port
    server.close()
    server.close()
    server.serve_forever()  # returns: it is closed
    with make_server(port) as again:
        assert f":{port}/" in again.url


@pytest.mark.parametrize("port", [-1, 65536])
def test_impossible_ports_are_refused(port):
    with pytest.raises(InvalidArgument):
        make_server(port)


def test_a_port_that_is_taken_is_refused(server):
    with pytest.raises(InvalidArgument) as caught:
        make_server(urllib.parse.urlsplit(server.url).port)
    assert caught.value.argument == "port"


@pytest.mark.skipif(sys.platform == "win32", reason="sends an interrupt as POSIX does")
def test_the_module_serves_until_interrupted():
    # A shell may have told its background jobs to ignore interrupts; this one must not.
    program = (
        "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "runpy.run_module('strided.explorer', run_name='__main__')"
    )
    command = [sys.executable, "-c", program, "--no-browser", "arange(3).T"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        try:
            line = run.stdout.readline()
            url = line.partition(": ")[2].strip()
            assert url.endswith("#e=arange%283%29.T")
            connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=20)
            with contextlib.closing(connection):
                connection.request("GET", urllib.parse.urlsplit(url).path)
                assert connection.getresponse().status == 200
            run.send_signal(signal.SIGINT)
            output, errors = run.communicate(timeout=20)
        finally:
            run.kill()
    assert run.returncode == 0
    assert output.endswith("stopped\n")
    assert errors == ""


def test_without_the_extra_it_says_what_to_install() -> None:
    code = """import runpy, sys
sys.modules["starlette"] = None
sys.argv = ["explorer"]
runpy.run_module("strided.explorer", run_name="__main__")"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert 'pip install "strided[serve]"' in done.stderr
    assert "Traceback" not in done.stderr
