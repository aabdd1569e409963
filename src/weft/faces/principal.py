"""Who is behind a request: found out once from its credential, and carried with the request from there on."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

__all__ = ["KEY", "Principal", "Reason", "Refused", "Verify", "principal_in", "principal_of"]

KEY: Final = "weft.principal"
"""Where a request's scope holds its principal."""

Reason: TypeAlias = Literal[
    "missing", "malformed", "unknown", "expired", "revoked", "invalid", "audience", "scope", "unavailable"
]
"""Why a credential was not taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Whose calls a request's are, and how far they reach. ``id`` names the credential's owner, and is no secret."""

    actor: str
    role: str
    id: str


class Refused(Exception):
    """A credential was not taken. ``said`` is a sentence of ours; nothing of the credential is in it."""

    def __init__(self, reason: Reason, said: str, *, hint: str = "Send a token of this server's.") -> None:
        super().__init__(said)
        self.reason: Reason = reason
        self.said = said
        self.hint = hint


Verify: TypeAlias = Callable[[str], Principal]
"""Return who shows this credential; raises :class:`Refused`. Blocks."""


def principal_of(request: object) -> Principal | None:
    """Return who is behind ``request``, if that was found out."""
    if request is None:
        return None
    from starlette.requests import HTTPConnection

    return principal_in(request.scope) if isinstance(request, HTTPConnection) else None


def principal_in(scope: MutableMapping[str, Any]) -> Principal | None:
    """Return who is behind the request of ``scope``, if that was found out."""
    found = scope.get(KEY)
    return found if isinstance(found, Principal) else None
