"""Access control: Host and Origin checks, API keys and tokens, CORS headers; and refusals.

A browser sends requests for any page it shows. The Host header must name this server, so that no
foreign name can be pointed at it (DNS rebinding); a page of another site shows by its Origin.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

from starlette.datastructures import Headers

OWN_NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})


class Refused(Exception):
    """A request that is not answered, and what its sender is told.

    >>> refused = Refused(HTTPStatus.NOT_FOUND, "no such thing", code="not_found")
    >>> refused.status.value, str(refused), refused.code
    (404, 'no such thing', 'not_found')
    """

    def __init__(
        self,
        status: HTTPStatus,
        message: str,
        *,
        param: str | None = None,
        code: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.param = param
        self.code = code
        self.headers = dict(headers or {})


def bad_request(message: str, param: str | None = None, code: str | None = None) -> Refused:
    """Return the refusal of something that the sender can put right."""
    return Refused(HTTPStatus.BAD_REQUEST, message, param=param, code=code)


def failure() -> Refused:
    """Return the answer to those whose text was lost to a fault of ours; it tells no details."""
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    return Refused(status, "The server had an error while answering.", code="internal_error")


def shutting_down() -> Refused:
    """Return the answer to those who come, or are still there, when the server ends."""
    status = HTTPStatus.SERVICE_UNAVAILABLE
    return Refused(status, "The server is shutting down.", code="shutting_down")


@dataclass(frozen=True)
class Access:
    """The rules for requests.

    ``names``: what the Host header may say, None is anything; ``port``: which port it must have,
    None is any. ``origins``: pages that may ask ("*" is all). ``api_key``: what clients must send,
    except for ``open_paths``.
    """

    names: frozenset[str] | None = OWN_NAMES
    port: int | None = None
    origins: frozenset[str] = field(default_factory=frozenset)
    api_key: str | None = None
    open_paths: frozenset[str] = field(default_factory=frozenset)

    def check(self, method: str, path: str, headers: Headers) -> None:
        """Raise Refused unless a request may be answered."""
        hosts = headers.getlist("Host")
        if self.names is not None and (len(hosts) != 1 or not self._is_own(hosts[0])):
            raise Refused(HTTPStatus.FORBIDDEN, "The Host header does not name this server.")
        origin = headers.get("Origin")
        if origin is not None and not self._allows(origin):
            raise Refused(HTTPStatus.FORBIDDEN, "The request comes from a page of another origin.")
        # A browser asks without the key whether it may ask with it.
        if self.api_key is not None and method != "OPTIONS" and path not in self.open_paths:
            self._check_key(self.api_key, headers.get("Authorization", ""))

    def _is_own(self, host: str) -> bool:
        name, port = split_host(host)
        return name in (self.names or ()) and self.port in (None, port)

    def _allows(self, origin: str) -> bool:
        return "*" in self.origins or origin in self.origins

    def _check_key(self, api_key: str, authorization: str) -> None:
        scheme, _, key = authorization.partition(" ")
        if scheme.lower() != "bearer" or not is_same_secret(key.strip(), api_key):
            raise Refused(
                HTTPStatus.UNAUTHORIZED,
                "Incorrect API key provided." if key else "You didn't provide an API key.",
                code="invalid_api_key",
                headers={"WWW-Authenticate": "Bearer"},
            )

    def headers_for(self, headers: Headers) -> Mapping[str, str]:
        """Return the headers by which a page of an allowed origin may read the answer."""
        origin = headers.get("Origin")
        if origin is None or not self._allows(origin):
            return {}
        # Joined anew: a value may have been folded over lines.
        asked = " ".join(headers.get("Access-Control-Request-Headers", "").split())
        return {
            "Access-Control-Allow-Origin": "*" if "*" in self.origins else origin,
            "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
            "Access-Control-Allow-Headers": asked or "Authorization, Content-Type",
            "Vary": "Origin",
        }


def is_same_secret(sent: str, secret: str) -> bool:
    """Compare in a time that tells nothing of where they differ.

    >>> is_same_secret("key", "key"), is_same_secret("kéy", "key")
    (True, False)
    """
    return hmac.compare_digest(sent.encode("utf-8", "surrogateescape"), secret.encode())


def split_host(host: str) -> tuple[str, int | None]:
    """Return name and port of a Host header.

    >>> split_host("localhost:8080"), split_host("[::1]"), split_host("LOCALHOST")
    (('localhost', 8080), ('[::1]', None), ('localhost', None))
    """
    name, _, port = host.rpartition(":")
    has_port = port.isascii() and port.isdigit() and len(port) < 6
    return (name.lower(), int(port)) if has_port else (host.lower(), None)
