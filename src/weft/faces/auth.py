"""Who may come in: every request but a few that tell nothing brings a credential, and is answered as its owner's.

Nothing is open by being forgotten: what stands behind this layer is reached with a credential only. It travels in the
Authorization header: as a Bearer token, and for people's browsers, which have no other way of their own, as the
password of Basic, everywhere but on ``/mcp``. No other header and no argument says who calls.
"""

from __future__ import annotations

import base64
import binascii
import logging
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Final

import anyio
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.datastructures import Headers

from weft.faces.auth_oauth import scope_for, verify_jwt
from weft.faces.auth_resource import WELL_KNOWN, Resource
from weft.faces.auth_tokens import verify_tokens
from weft.faces.guard import Bucket, is_stream, paced, refusal
from weft.faces.principal import KEY, Principal, Refused
from weft.faces.sessions import SESSIONS_MAX
from weft.faces.turns import asked_by
from weft.services.keeping.issuing import PREFIX

if TYPE_CHECKING:
    from starlette.responses import JSONResponse
    from starlette.types import ASGIApp, Receive, Scope, Send

    from weft.faces.metrics import Metrics
    from weft.faces.principal import Verify
    from weft.faces.serving import Serving
    from weft.faces.visits import Visits

__all__ = ["BURST", "RATE_PER_S", "REQUESTS_EACH", "STREAMS_EACH", "Admission", "Authenticate", "credential_of"]

CREDENTIAL_MAX: Final = 8_192
"""Characters of a credential."""

RATE_PER_S: Final = 100.0
BURST: Final = 300.0
"""Requests that one credential may send at once before it is slowed to ``RATE_PER_S``, from however many addresses."""

REQUESTS_EACH: Final = 64
"""Requests of one credential that are answered at once, streams left aside, a quarter of all that are: who asks for
hundreds at once would have everybody else wait behind them."""

STREAMS_EACH: Final = 16
"""Streams of ``/events`` that one credential may have open, and as many of ``subscriptions/listen``, a quarter of all
that there are of either: one reader would leave nobody else any."""

_AT_ONCE: Final = 8  # credentials that are looked at
_OPEN: Final = frozenset({"/healthz", "/readyz", WELL_KNOWN, f"{WELL_KNOWN}/mcp"})
_STATUS: Final = {"scope": 403, "unavailable": 503}
_HOW: Final = "Send it as: Authorization: Bearer TOKEN. Whoever runs this server hands them out."
_REALM: Final = "Weft: any name, and a token as the password"

log = logging.getLogger(__name__)


class Admission:
    """What credentials a server takes, and what it answers to those that it does not.

    Raises:
        Unavailable: the extra ``oauth`` is asked for and not installed.
        InvalidArgument: the issuer's keys lie nowhere.
    """

    def __init__(self, serving: Serving, modes: tuple[str, ...]) -> None:
        auth = serving.settings.auth
        oauth = "oauth" in modes
        self._token: Verify | None = verify_tokens(serving) if "token" in modes else None
        self._oauth: Verify | None = verify_jwt(auth, role=serving.settings.role) if oauth else None
        self.resource = Resource(auth) if oauth else None
        self._limiter: anyio.CapacityLimiter | None = None

    async def verified(self, credential: str) -> Principal:
        """Return who shows ``credential``.

        Raises:
            Refused: it is not taken.
        """
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(_AT_ONCE)
        return await anyio.to_thread.run_sync(self._verify, credential, limiter=self._limiter)

    def _verify(self, credential: str) -> Principal:
        verify = self._token if credential.startswith(PREFIX) or self._oauth is None else self._oauth
        if verify is None:
            raise Refused("unknown", "The token is not one of this server's issuer.")
        try:
            return verify(credential)
        except Refused:
            raise
        except Exception:
            log.exception("a credential could not be looked at")
            raise Refused("unavailable", "The credential could not be looked at.", hint="Try again later.") from None

    def answer(self, scope: Scope, refused: Refused) -> JSONResponse:
        """Return the refusal with what would be taken instead (RFC 6750 §3, RFC 9728 §5.1)."""
        status = _STATUS.get(refused.reason, 401)
        headers = {"www-authenticate": self.challenge(scope, refused)} if status in {401, 403} else {"retry-after": "5"}
        code = "UNAVAILABLE" if refused.reason == "unavailable" else "PERMISSION_DENIED"
        return refusal(status, code, refused.said, refused.hint, headers={**headers, "cache-control": "no-store"})

    def challenge(self, scope: Scope, refused: Refused, *, role: str = "reader") -> str:
        """Return what the header WWW-Authenticate says; ``role`` is what the request would need."""
        if self._token is not None and _is_page(scope):
            return f'Basic realm="{_REALM}", charset="UTF-8"'
        parts = ['realm="weft"']
        if refused.reason != "missing":
            error = "insufficient_scope" if refused.reason == "scope" else "invalid_token"
            parts += [f'error="{error}"', f'error_description="{refused.said}"']
        if self.resource is not None:
            parts += [f'scope="{scope_for(role)}"', f'resource_metadata="{self.resource.metadata_url(scope)}"']
        return f"Bearer {', '.join(parts)}"


def _is_page(scope: Scope) -> bool:
    """Return whether a browser asks for a page to show, and would ask its user for a password."""
    wanted = Headers(scope=scope).get("accept", "")
    return scope["method"] == "GET" and "text/html" in wanted and not scope["path"].startswith("/mcp")


def credential_of(scope: Scope) -> str:
    """Return the credential that a request shows.

    Raises:
        Refused: there is none, or what there is cannot be one.
    """
    shown = Headers(scope=scope).getlist("authorization")
    if not shown:
        raise Refused("missing", "This server asks for a token.", hint=_HOW)
    scheme, _, rest = shown[0].partition(" ")
    credential = rest.strip()
    if scheme.lower() == "basic" and not scope["path"].startswith("/mcp"):
        credential = _password(credential)
    elif scheme.lower() != "bearer":
        credential = ""
    if len(shown) > 1 or not 0 < len(credential) <= CREDENTIAL_MAX or not credential.isascii() or " " in credential:
        raise Refused("malformed", "The Authorization header holds no token.", hint=_HOW)
    return credential


def _password(encoded: str) -> str:
    try:
        return base64.b64decode(encoded, validate=True).decode().partition(":")[2]
    except (binascii.Error, ValueError):
        return ""


class _User(AuthenticatedUser):
    """The owner of a credential as the SDK knows one: it binds a session to whoever opened it."""

    def __init__(self, principal: Principal) -> None:
        super().__init__(AccessToken(token="", client_id=principal.id, scopes=[principal.role]))


class Authenticate:
    """The layer before everything that tells or does something."""

    def __init__(
        self, app: ASGIApp, *, admission: Admission, visits: Visits, metrics: Metrics, bucket: Bucket | None = None
    ) -> None:
        self._app = app
        self._admission = admission
        self._visits = visits
        self._metrics = metrics
        self._bucket = bucket or Bucket(rate_per_s=RATE_PER_S, burst=BURST)
        self._inside: Counter[tuple[str, str]] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Find out who asks and hand the request on as theirs, or refuse it."""
        if scope["type"] != "http" or scope["path"] in _OPEN:
            await self._app(scope, receive, send)
            return
        try:
            credential = credential_of(scope)
            principal = await self._admission.verified(credential)
        except Refused as refused:
            self._metrics.unproven(refused.reason)
            await self._admission.answer(scope, refused)(scope, receive, send)
            return
        if slow := self._slowed(principal, 1):
            await slow(scope, receive, send)
            return
        gone = self._admission.answer(scope, Refused("revoked", "The token is good no more."))
        own = paced({**scope, KEY: principal, "user": _User(principal)}, partial(self._slowed, principal))
        kind, share = _place(scope)
        if self._inside[principal.id, kind] >= share:
            await self._full(kind, share)(scope, receive, send)
            return
        self._inside[principal.id, kind] += 1
        try:
            with asked_by(principal.id):
                await self._visits.answered(self._app, own, receive, send, late=gone, credential=credential)
        finally:
            self._inside -= Counter([(principal.id, kind)])

    def _full(self, kind: str, share: int) -> JSONResponse:
        self._metrics.refused("credential_full")
        message = f"{share} {kind} with this credential are being answered already"
        return refusal(429, "LIMIT_EXCEEDED", message, "Wait for one of them to end.", headers={"retry-after": "1"})

    def _slowed(self, principal: Principal, calls: int) -> JSONResponse | None:
        wait_s = self._bucket.wait_s(principal.id, calls)
        if not wait_s:
            return None
        self._metrics.refused("credential_rate")
        return _slow_down(wait_s)


def _place(scope: Scope) -> tuple[str, int]:
    """Return as what a request takes a place while it is answered, and how many such places one credential has.

    A session has one stream of its own, so that these are bounded as the sessions are.
    """
    if not _lasts(scope):
        return "requests", REQUESTS_EACH
    if scope["path"] == "/mcp" and scope["method"] == "GET":
        return "sessions", SESSIONS_MAX
    return f"streams of {scope['path']}", STREAMS_EACH


def _lasts(scope: Scope) -> bool:
    """Return whether a request is open for as long as its sender listens, and bounded by itself.

    In the newer protocol a header says what the body asks for, and the SDK refuses a request where it does not.
    """
    headers = Headers(scope=scope)
    modern = scope["path"] == "/mcp" and headers.get("mcp-protocol-version") in MODERN_PROTOCOL_VERSIONS
    return is_stream(scope) or (modern and headers.get("mcp-method") == "subscriptions/listen")


def _slow_down(wait_s: float) -> JSONResponse:
    retry = {"retry-after": str(max(1, round(wait_s)))}
    return refusal(429, "LIMIT_EXCEEDED", "Too many requests with this credential", "Wait a moment.", headers=retry)
