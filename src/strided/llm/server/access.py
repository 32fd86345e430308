"""Who may ask? Programs of this machine that know the key, if there is one; pages only if allowed.

A browser sends requests for any page it shows. On the loopback interface the Host header must name
this machine, so that no foreign name can be pointed at it; a page shows by its Origin.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING

from strided.llm.server.refusal import Refused

if TYPE_CHECKING:
    from email.message import Message

_OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")
_OPEN = ("/health",)  # for whoever watches over the server


@dataclass(frozen=True)
class Access:
    """The rules: a key, origins of pages ("*" is all), whether only this machine can connect."""

    api_key: str | None = None
    origins: frozenset[str] = field(default_factory=frozenset)
    is_local: bool = True

    def check(self, method: str, path: str, headers: Message) -> None:
        """Raise Refused unless a request may be answered."""
        hosts = headers.get_all("Host", [])
        if self.is_local and (len(hosts) != 1 or _name_of(hosts[0]) not in _OWN_NAMES):
            raise Refused(HTTPStatus.FORBIDDEN, "The Host header does not name this server.")
        origin = headers.get("Origin")
        if origin is not None and not self._allows(origin):
            raise Refused(HTTPStatus.FORBIDDEN, "The request comes from a page of another origin.")
        # A browser asks without the key whether it may ask with it.
        if self.api_key is not None and method != "OPTIONS" and path not in _OPEN:
            self._check_key(headers.get("Authorization", ""))

    def _check_key(self, authorization: str) -> None:
        scheme, _, key = authorization.partition(" ")
        sent = key.strip().encode("utf-8", "surrogateescape")
        is_right = hmac.compare_digest(sent, (self.api_key or "").encode())
        if scheme.lower() != "bearer" or not is_right:
            raise Refused(
                HTTPStatus.UNAUTHORIZED,
                "Incorrect API key provided." if key else "You didn't provide an API key.",
                code="invalid_api_key",
                headers={"WWW-Authenticate": "Bearer"},
            )

    def _allows(self, origin: str) -> bool:
        return "*" in self.origins or origin in self.origins

    def headers_for(self, headers: Message) -> Mapping[str, str]:
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


def _name_of(host: str) -> str:
    """Return a Host header without its port.

    >>> _name_of("localhost:8080"), _name_of("[::1]"), _name_of("LOCALHOST")
    ('localhost', '[::1]', 'localhost')
    """
    name, _, port = host.rpartition(":")
    return (name if port.isdigit() else host).lower()
