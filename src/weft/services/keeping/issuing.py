"""Tokens: made, listed, revoked, and known again when a caller shows one.

A token reads ``weft_ID_SECRET``. Its secret is 256 random bits, so what is kept of it is a plain SHA-256: a slow hash
is for what people choose and others guess, and nobody finds 256 random bits by trying. Its public id is what it is
looked up by, so that no comparison with a secret happens in an index.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument, NotFound, PermissionDenied
from weft.model import Issued, Tier, Token
from weft.services.drafting import line
from weft.vocabulary import NAME_MAX

if TYPE_CHECKING:
    from weft.model import Call
    from weft.ports import Tokens

__all__ = ["PREFIX", "TOKENS_MAX", "Issuing"]

PREFIX: Final = "weft_"
"""How every token begins, so that people and scanners for leaked secrets know one when they see it."""

TOKENS_MAX: Final = 1_000
"""Tokens that one listing shows, the newest first."""

_ID_BYTES: Final = 6
_SECRET_BYTES: Final = 32
_FORM: Final = re.compile(rf"{PREFIX}([0-9a-f]{{{2 * _ID_BYTES}}})_[A-Za-z0-9_-]{{43}}")
_NOBODY: Final = "0" * 64  # compared with where there is no such token, so that it takes as long
_SPAN: Final = re.compile(r"(\d{1,5})([hd])")
_UNITS: Final = {"h": "hours", "d": "days"}


class Issuing:
    """The tokens of one graph; only a curator makes, lists and revokes them."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    def create(self, actor: str, role: str, call: Call, *, expires: str = "") -> Issued:
        """Make a token with which ``actor`` calls as a ``role``; the credential is told this once.

        ``expires`` is a span from now (``12h``, ``90d``), a date (the day's beginning, UTC) or a time; empty: never.

        Raises:
            PermissionDenied: the caller's tier is below curator.
            InvalidArgument: the actor has no name, the role is none, or the time cannot be read or is over.
        """
        call.require(Tier.CURATOR, "token create")
        name = line(actor, field="actor", limit=NAME_MAX)
        if not name:
            raise InvalidArgument("actor: a token needs the name of the one who calls with it")
        id_ = secrets.token_hex(_ID_BYTES)
        credential = f"{PREFIX}{id_}_{secrets.token_urlsafe(_SECRET_BYTES)}"
        token = Token(
            id=id_,
            hash=_hash(credential),
            actor=name,
            tier=_tier(role),
            created_at=call.at,
            created_by=call.actor,
            expires_at=_time(expires.strip(), call.at),
        )
        self._tokens.add(token, tier=call.tier)
        return Issued(token=token, credential=credential)

    def list(self, call: Call) -> tuple[Token, ...]:
        """Return the tokens, the newest first, those too that are good no more.

        Raises:
            PermissionDenied: the caller's tier is below curator.
        """
        call.require(Tier.CURATOR, "token list")
        return self._tokens.held(limit=TOKENS_MAX)

    def revoke(self, id: str, call: Call) -> Token:  # noqa: A002 - the field's name
        """Have a token be good no more, from the next request on; once revoked, it stays so.

        Whoever has the whole credential at hand may give that.

        Raises:
            PermissionDenied: the caller's tier is below curator.
            NotFound: there is no such token.
        """
        call.require(Tier.CURATOR, "token revoke")
        form = _FORM.fullmatch(id.strip())
        id_ = form[1] if form else id.strip()
        self._tokens.revoke(id_, at=call.at, tier=call.tier)
        token = self._tokens.known(id_)
        if token is None:
            raise NotFound("id: no token has it", hint="weft token list names the tokens there are.")
        return token

    def any(self) -> bool:
        """Return whether a token was ever made here."""
        return bool(self._tokens.held(limit=1))

    def recognize(self, credential: str, *, at: datetime) -> Token:
        """Return the token that ``credential`` is, if it is good at that time.

        Raises:
            PermissionDenied: it is none (key ``unknown``), or it was (``revoked``, ``expired``).
        """
        form = _FORM.fullmatch(credential)
        token = self._tokens.known(form[1]) if form else None
        same = hmac.compare_digest(_hash(credential), _NOBODY if token is None else token.hash)
        if token is None or not same:
            raise PermissionDenied("The token is not known here.", hint="Ask a curator for one.", key="unknown")
        if token.revoked_at is not None:
            raise PermissionDenied("The token was revoked.", hint="Ask a curator for another.", key="revoked")
        if token.expires_at is not None and token.expires_at <= at:
            raise PermissionDenied("The token has expired.", hint="Ask a curator for another.", key="expired")
        return token


def _hash(credential: str) -> str:
    return hashlib.sha256(credential.encode("utf-8", "surrogatepass")).hexdigest()


def _tier(role: str) -> Tier:
    names = [tier.label for tier in Tier]
    if role not in names:
        raise InvalidArgument(f"role: must be one of {', '.join(names)}, not {role[:40]!a}")
    return Tier[role.upper()]


def _time(text: str, now: datetime) -> datetime | None:
    if not text:
        return None
    span = _SPAN.fullmatch(text)
    try:
        at = now + timedelta(**{_UNITS[span[2]]: int(span[1])}) if span else datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        raise InvalidArgument(f"expires: {text[:40]!a} is no span (12h, 90d), date or time") from None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    if at <= now:
        raise InvalidArgument(f"expires: {text[:40]!a} is over already")
    return at
