"""Credentials of callers over HTTP, as the graph keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weft.model import Tier, Token
from weft.model.codec import time_from, time_text

if TYPE_CHECKING:
    from datetime import datetime

    from weft.store.engine import Database

__all__ = ["SqlTokens"]


class SqlTokens:
    """The tokens of one graph; the engine lets none but curators write them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, token: Token, *, tier: Tier) -> None:
        """Keep a new token, durably.

        Raises:
            PermissionDenied: the tier is below curator.
            Conflict: there is one of that id.
        """
        with self._database.writer(tier) as writer:
            writer.run(
                "token_made",
                id=token.id,
                hash=token.hash,
                actor=token.actor,
                role=token.tier.label,
                created_at=time_text(token.created_at),
                created_by=token.created_by,
                expires_at=None if token.expires_at is None else time_text(token.expires_at),
            )

    def known(self, id: str) -> Token | None:  # noqa: A002 - the column's name
        """Return the token of this id, whether it is still good or not."""
        rows = self._database.read("token_known", id=id)
        return _token(rows[0]) if rows else None

    def held(self, *, limit: int) -> tuple[Token, ...]:
        """Return up to ``limit`` tokens, the newest first."""
        return tuple(_token(row) for row in self._database.read("tokens_held", limit=limit))

    def revoke(self, id: str, *, at: datetime, tier: Tier) -> bool:  # noqa: A002 - the column's name
        """Have the token of this id be good no more, durably; False where it is not there or was revoked before.

        Raises:
            PermissionDenied: the tier is below curator.
        """
        with self._database.writer(tier) as writer:
            return writer.run("token_revoked", id=id, at=time_text(at)) > 0


def _token(row: tuple[Any, ...]) -> Token:
    held, hashed, actor, role, created_at, created_by, expires_at, revoked_at = row
    return Token(
        id=held,
        hash=hashed,
        actor=actor,
        tier=Tier[role.upper()],
        created_at=time_from(created_at),
        created_by=created_by,
        expires_at=None if expires_at is None else time_from(expires_at),
        revoked_at=None if revoked_at is None else time_from(revoked_at),
    )
