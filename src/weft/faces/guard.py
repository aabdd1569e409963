"""What stands before every HTTP request: who may ask, how often, how much, and the headers of every answer.

A page in the user's browser is the usual attacker of a loopback server. It cannot set Host (so a name that was bound to
127.0.0.1 by its owner is refused), it cannot hide its Origin on a write, and it is never sent a CORS header.
"""

from __future__ import annotations

import ipaddress
import time
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["BODY_MAX", "BURST", "RATE_PER_S", "Bucket", "Guard", "is_loopback", "refusal"]

BODY_MAX: Final = 4 * 1024 * 1024
"""Bytes of a request's body."""

RATE_PER_S: Final = 200.0
BURST: Final = 400.0
"""Requests that one address may send at once before it is slowed to ``RATE_PER_S``."""

ADDRESSES_MAX: Final = 1_000  # addresses whose rate is remembered

HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


def is_loopback(host: str) -> bool:
    """Return whether ``host`` (a name or an address, IPv6 with or without brackets) is this machine's loopback."""
    if host.casefold() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def refusal(status: int, code: str, message: str, hint: str, *, headers: dict[str, str] | None = None) -> JSONResponse:
    """Return an error in the form of every other error of Weft."""
    return JSONResponse({"error": code, "message": message, "hint": hint}, status_code=status, headers=headers)


class Bucket:
    """A token bucket an address: ``burst`` requests at once, then ``rate_per_s``."""

    def __init__(
        self, *, rate_per_s: float = RATE_PER_S, burst: float = BURST, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate_per_s = rate_per_s
        self._burst = burst
        self._clock = clock
        self._levels: dict[str, tuple[float, float]] = {}

    def wait_s(self, address: str) -> float:
        """Take one token for ``address`` and return 0, or take none and return the seconds until there is one."""
        now = self._clock()
        level, at = self._levels.pop(address, (self._burst, now))
        level = min(self._burst, level + (now - at) * self._rate_per_s)
        allowed = level >= 1
        self._levels[address] = (level - 1 if allowed else level, now)
        while len(self._levels) > ADDRESSES_MAX:
            del self._levels[next(iter(self._levels))]
        return 0.0 if allowed else (1 - level) / self._rate_per_s


class Guard:
    """The outermost layer: Host, Origin and rate are checked, and every answer carries the headers above."""

    def __init__(self, app: ASGIApp, *, bucket: Bucket | None = None) -> None:
        self._app = app
        self._bucket = bucket or Bucket()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request, or hand it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message["headers"])
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refused = self._refused(scope)
        await (refused or self._app)(scope, receive, marked)

    def _refused(self, scope: Scope) -> JSONResponse | None:
        headers = Headers(scope=scope)
        if not _is_own_host(headers.getlist("host")):
            return refusal(421, "PERMISSION_DENIED", "Host is not this machine", "Ask for 127.0.0.1 or localhost.")
        if not _is_own_page(headers, scope):
            return refusal(403, "PERMISSION_DENIED", "Origin is another site", "Open the page from this server itself.")
        wait_s = self._bucket.wait_s((scope.get("client") or ("",))[0])
        if wait_s:
            retry = {"retry-after": str(max(1, round(wait_s)))}
            return refusal(429, "LIMIT_EXCEEDED", "Too many requests", "Wait a moment.", headers=retry)
        return None


def _is_own_host(hosts: list[str]) -> bool:
    """Return whether the one Host header names the loopback, whatever the port."""
    return len(hosts) == 1 and is_loopback(_host_of(f"//{hosts[0]}"))


def _is_own_page(headers: Headers, scope: Scope) -> bool:
    """Return whether no page of another site is behind the request.

    The port counts: another program's page on this machine is another site. Following a link to a page is allowed.
    """
    origins = headers.getlist("origin")
    if origins:
        return [origin.casefold() for origin in origins] == [f"http://{headers['host'].casefold()}"]
    if headers.get("sec-fetch-site", "none") in {"none", "same-origin"}:
        return True
    return scope["method"] in {"GET", "HEAD"} and headers.get("sec-fetch-mode") == "navigate"


def _host_of(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return "" if parts.username is not None or parts.path else parts.hostname or ""
