"""Sessions of the older protocol, by the credential that opened them: none may take the places of all others.

Clients that are started anew rarely end the session that they had before, and it is kept for half an hour. So whoever
opens one more than its share loses the one that it has not used for the longest, unless something is under way over it.
A client that comes back to it is told 404, and opens another, as the protocol has it.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import ASGIApp, Message, Scope

__all__ = ["SESSIONS_EACH", "SESSIONS_MAX", "SESSION_HEADER", "Shares", "end_session"]

SESSIONS_MAX: Final = 256
"""Sessions that are kept at once."""

SESSIONS_EACH: Final = 64
"""Sessions of one credential; where none is asked for, all callers together have :data:`SESSIONS_MAX`, less some."""

SESSION_HEADER: Final = b"mcp-session-id"

_FREE: Final = 16  # places that are kept for sessions that are opened at once, where all callers are one


class Shares:
    """The sessions of each holder, and how many requests are under way over each."""

    def __init__(self) -> None:
        self._held: dict[str, dict[str, int]] = {}

    def opened(self, holder: str, session: str) -> None:
        """Note that ``holder`` (empty: no credential was asked for) opened a session."""
        self._held.setdefault(holder, {})[session] = 0

    @contextmanager
    def used(self, holder: str, session: str) -> Iterator[None]:
        """Note that a request goes over a session, for the block; one that ``holder`` does not hold is passed over."""
        self._count(holder, session, 1)
        try:
            yield
        finally:
            self._count(holder, session, -1)

    def ended(self, holder: str, session: str) -> None:
        """Note that a session is there no more."""
        self._held.get(holder, {}).pop(session, None)

    def surplus(self, holder: str) -> list[str]:
        """Return the sessions that ``holder`` has beyond its share and does not use now, the longest unused first."""
        held = self._held.get(holder, {})
        share = SESSIONS_EACH if holder else SESSIONS_MAX - _FREE
        unused = [session for session, requests in held.items() if not requests]
        return unused[: max(0, len(held) - share)]

    def _count(self, holder: str, session: str, change: int) -> None:
        held = self._held.get(holder, {})
        if session in held:
            held[session] = held.pop(session) + change


async def end_session(app: ASGIApp, scope: Scope, session: str) -> None:
    """Have ``app``, the endpoint of MCP, end a session, as the client behind ``scope`` would: with DELETE."""
    kept = [(name, value) for name, value in scope["headers"] if name.lower() == b"host"]
    asked = {**scope, "method": "DELETE", "headers": [*kept, (SESSION_HEADER, session.encode("latin-1"))]}

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(_message: Message) -> None:
        """Tell nobody."""

    await app(asked, receive, send)
