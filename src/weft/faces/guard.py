"""What stands before every HTTP request: who may ask, how often, how much, and the headers of every answer.

A page in the user's browser is the usual attacker of a loopback server. It cannot set Host (so a name that was bound to
127.0.0.1 by its owner is refused), it cannot hide its Origin on a write, and it is never sent a CORS header. A team's
server is called by the names that it was told of, and by no other.
"""

from __future__ import annotations

import ipaddress
import time
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import urlsplit

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse

from weft.faces.turns import asked_by

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from weft.faces.metrics import Metrics

    Pace: TypeAlias = Callable[[int], "JSONResponse | None"]

__all__ = [
    "BODY_MAX",
    "BODY_WITHIN_S",
    "BURST",
    "PROBES",
    "RATE_PER_S",
    "REQUESTS_MAX",
    "Bucket",
    "Guard",
    "address_of",
    "is_loopback",
    "is_stream",
    "paced",
    "refusal",
    "slowed",
]

BODY_MAX: Final = 4 * 1024 * 1024
"""Bytes of a request's body."""

BODY_WITHIN_S: Final = 20.0
"""Seconds in which a whole body must arrive: a caller who holds it back would keep a place from everybody else."""

RATE_PER_S: Final = 200.0
BURST: Final = 400.0
"""Requests that one address may send at once before it is slowed to ``RATE_PER_S``."""

REQUESTS_MAX: Final = 256
"""Requests that are answered at once, streams that are bounded by themselves left aside; further ones get 503."""

PROBES: Final = frozenset({"/healthz", "/readyz"})
"""Asked by whatever runs the server, under whatever name: they tell nothing of the graph, and are answered always."""

_PACES: Final = "weft.paces"  # the key of a request under which layers leave what counts further calls in it
ADDRESSES_MAX: Final = 1_000  # addresses whose rate is remembered
_CHOSEN: Final = 64  # bits of an address of IPv6 that are chosen within its network
_STREAMS: Final = frozenset({"/events", "/mcp"})  # read with GET, they stay open
_PLAIN: Final = "identity"
_ROUTES: Final = ("mcp", "api", "events", "metrics", "healthz", "readyz")

HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'"
    ),
    "cache-control": "no-cache",  # the explorer's files are asked for anew after an upgrade; answers are not kept
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


def address_of(scope: Scope) -> str:
    """Return what a request counts by where nothing else says who asks: its address, or of IPv6 its network of 64 bits.

    The other 64 are chosen by whoever is in that network (RFC 4291 §2.5.4). IPv4 that is written as IPv6
    (``::ffff:192.0.2.1``) is IPv4; what is no address, as a proxy may hand it on, is taken as it stands.
    """
    said = str((scope.get("client") or ("",))[0])
    try:
        address = ipaddress.ip_address(said)
    except ValueError:
        return said
    if isinstance(address, ipaddress.IPv4Address):
        return said
    return str(address.ipv4_mapped or ipaddress.IPv6Address(int(address) >> _CHOSEN << _CHOSEN))


def refusal(status: int, code: str, message: str, hint: str, *, headers: dict[str, str] | None = None) -> JSONResponse:
    """Return an error in the form of every other error of Weft."""
    return JSONResponse({"error": code, "message": message, "hint": hint}, status_code=status, headers=headers)


def paced(scope: Scope, further: Pace) -> Scope:
    """Return ``scope`` with ``further``, which counts what the request asks for beyond one call, or refuses it."""
    return {**scope, _PACES: (*scope.get(_PACES, ()), further)}


def slowed(scope: Scope, calls: int) -> JSONResponse | None:
    """Count a request that holds several ``calls`` as that many, and return the refusal where that is too much."""
    refusals = (further(calls - 1) for further in scope.get(_PACES, ()) if calls > 1)
    return next((refused for refused in refusals if refused is not None), None)


class Bucket:
    """A token bucket an address: ``burst`` requests at once, then ``rate_per_s``."""

    def __init__(
        self, *, rate_per_s: float = RATE_PER_S, burst: float = BURST, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate_per_s = rate_per_s
        self._burst = burst
        self._clock = clock
        self._levels: dict[str, tuple[float, float]] = {}

    def wait_s(self, address: str, tokens: int = 1) -> float:
        """Take ``tokens`` for ``address`` and return 0, or take none and return the seconds until there are as many."""
        now = self._clock()
        level, at = self._levels.pop(address, (self._burst, now))
        level = min(self._burst, level + (now - at) * self._rate_per_s)
        allowed = level >= tokens
        self._levels[address] = (level - tokens if allowed else level, now)
        while len(self._levels) > ADDRESSES_MAX:
            del self._levels[next(iter(self._levels))]
        return 0.0 if allowed else (tokens - level) / self._rate_per_s


class _Late(Exception):
    """A body did not arrive in time."""


class Guard:
    """The outermost layer: Host, Origin, rate, room and pace are checked, and every answer has the headers above.

    ``hosts`` are names, beside this machine's own, by which the server may be called; in lower case, without a port.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        bucket: Bucket | None = None,
        hosts: Collection[str] = (),
        requests_max: int = REQUESTS_MAX,
        body_within_s: float = BODY_WITHIN_S,
        metrics: Metrics | None = None,
    ) -> None:
        self._app = app
        self._bucket = bucket or Bucket()
        self._hosts = frozenset(host.strip("[]") for host in hosts)
        self._requests_max = requests_max
        self._body_within_s = body_within_s
        self._inside = 0
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request, or hand it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope = {**scope, "path": _without_slash(scope["path"])}

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message["headers"])
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if self._metrics is not None:
                    self._metrics.request(_route(scope["path"]), message["status"])
            await send(message)

        scope = paced(scope, partial(self._slowed, scope))
        refused = self._refused(scope)
        with asked_by(address_of(scope)):
            if refused is not None or scope["path"] in PROBES or is_stream(scope):
                await (refused or self._app)(scope, receive, marked)
            else:
                await self._answered(scope, receive, marked)

    async def _answered(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on where there is room for another."""
        if self._inside >= self._requests_max:
            message = f"{self._requests_max} requests are being answered already"
            full = self._refusal("full", 503, "UNAVAILABLE", message, "Try again in a moment.", wait_s=1)
            await full(scope, receive, send)
            return
        self._count(1)
        try:
            await self._app(scope, _timely(receive, self._body_within_s), send)
        except _Late:
            message = f"body: it did not arrive within {self._body_within_s:g} s"
            late = self._refusal("late", 408, "LIMIT_EXCEEDED", message, "Send the request again, as a whole.")
            await late(scope, receive, send)
        finally:
            self._count(-1)

    def _count(self, change: int) -> None:
        self._inside += change
        if self._metrics is not None:
            self._metrics.inside(change)

    def _refused(self, scope: Scope) -> JSONResponse | None:
        headers = Headers(scope=scope)
        probed = scope["path"] in PROBES
        if not probed and not self._is_own_host(headers.getlist("host")):
            hint = "Ask for 127.0.0.1 or localhost, or have the server started with --allow-host and this name."
            return self._refusal("host", 421, "PERMISSION_DENIED", "Host is no name of this server", hint)
        if not probed and not self._is_own_page(headers, scope):
            hint = "Open the page from this server itself."
            return self._refusal("origin", 403, "PERMISSION_DENIED", "Origin is another site", hint)
        if slow := self._slowed(scope, 1):
            return slow
        if headers.get("content-encoding", _PLAIN).casefold() != _PLAIN:
            said, hint = "body: must be sent as it is, without a Content-Encoding", "Send it uncompressed."
            return refusal(415, "INVALID_ARGUMENT", said, hint, headers={"accept-encoding": _PLAIN})
        return None

    def _slowed(self, scope: Scope, calls: int) -> JSONResponse | None:
        wait_s = self._bucket.wait_s(address_of(scope), calls)
        if not wait_s:
            return None
        return self._refusal("rate", 429, "LIMIT_EXCEEDED", "Too many requests", "Wait a moment.", wait_s=wait_s)

    def _refusal(
        self, reason: str, status: int, code: str, message: str, hint: str, *, wait_s: float = 0.0
    ) -> JSONResponse:
        if self._metrics is not None:
            self._metrics.refused(reason)
        retry = {"retry-after": str(max(1, round(wait_s)))} if wait_s else None
        return refusal(status, code, message, hint, headers=retry)

    def _is_own_host(self, hosts: list[str]) -> bool:
        """Return whether the one Host header names this server, whatever the port."""
        named = _host_of(f"//{hosts[0]}") if len(hosts) == 1 else ""
        return is_loopback(named) or named.casefold() in self._hosts

    def _is_own_page(self, headers: Headers, scope: Scope) -> bool:
        """Return whether no page of another site is behind the request.

        The port counts: another program's page on this machine is another site. Following a link to a page is allowed.
        What speaks TLS for a named server stands before it, so that its pages come from https.
        """
        origins = headers.getlist("origin")
        if origins:
            host = headers.get("host", "").casefold()
            own = {f"http://{host}"} | ({f"https://{host}"} if not is_loopback(_host_of(f"//{host}")) else set())
            return len(origins) == 1 and origins[0].casefold() in own
        if headers.get("sec-fetch-site", "none") in {"none", "same-origin"}:
            return True
        return scope["method"] in {"GET", "HEAD"} and headers.get("sec-fetch-mode") == "navigate"


def _timely(receive: Receive, within_s: float) -> Receive:
    """Return ``receive`` as it is once the body has arrived; before that, it raises :class:`_Late` after so long."""
    until_s = time.monotonic() + within_s
    arrived = False

    async def received() -> Message:
        nonlocal arrived
        if arrived:
            return await receive()
        with anyio.move_on_after(until_s - time.monotonic()):
            message = await receive()
            arrived = not message.get("more_body", False)
            return message
        raise _Late

    return received


def is_stream(scope: Scope) -> bool:
    """Return whether the request asks for a stream, which stays open and is bounded by itself."""
    return scope["method"] == "GET" and scope["path"].rstrip("/") in _STREAMS


def _without_slash(path: str) -> str:
    """Return a path of ours without a slash at its end, which clients add to an address that they were given."""
    return path if _route(path) == "files" else path.rstrip("/")


def _route(path: str) -> str:
    """Return which of the application's routes a path belongs to: a word of ours, whatever the caller wrote."""
    first = path.split("/", maxsplit=2)[1] if "/" in path else ""
    return first if first in _ROUTES else "files"


def _host_of(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return "" if parts.username is not None or parts.path else parts.hostname or ""
