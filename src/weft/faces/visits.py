"""Requests that are being answered, so that one can be ended before its time.

Streams have no end of their own. Theirs comes with the server's, or when the credential that opened them is good no
more: it is looked at again while they are open. Calls end with the server too, once they have had their time.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import anyio

from weft.faces.principal import Refused

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from weft.faces.principal import Principal

__all__ = ["AGAIN_S", "Bounded", "Visits"]

AGAIN_S: Final = 15.0
"""Seconds after which the credentials behind open requests are looked at again."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Visit:
    cancel: anyio.CancelScope
    credential: str
    endless: bool


class Visits:
    """The requests of one server that are being answered now."""

    def __init__(self) -> None:
        self._open: dict[object, _Visit] = {}

    async def answered(
        self,
        app: ASGIApp,
        scope: Scope,
        receive: Receive,
        send: Send,
        *,
        late: ASGIApp,
        credential: str = "",
        endless: bool = False,
    ) -> None:
        """Have ``app`` answer a request; when it is ended early, its answer is closed where it stands.

        ``late`` answers where nothing was said yet. ``endless`` are requests that end with the server.
        """
        said: list[str] = []

        async def noted(message: Message) -> None:
            said.append("all" if not message.get("more_body", message["type"] == "http.response.start") else "some")
            del said[:-1]
            await send(message)

        token = object()
        with anyio.CancelScope() as cancel:
            self._open[token] = _Visit(cancel=cancel, credential=credential, endless=endless)
            try:
                await app(scope, receive, noted)
            finally:
                del self._open[token]
        if not cancel.cancelled_caught or said == ["all"]:
            return
        if said:
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        else:
            await late(scope, receive, send)

    async def watch(self, verified: Callable[[str], Awaitable[Principal]], *, again_s: float = AGAIN_S) -> None:
        """Look at the credentials behind open requests again and again; runs until it is cancelled."""
        while True:
            await anyio.sleep(again_s)
            for credential in {visit.credential for visit in self._open.values() if visit.credential}:
                try:
                    await verified(credential)
                except Refused as refused:
                    if refused.reason != "unavailable":
                        self._end([visit for visit in self._open.values() if visit.credential == credential])

    def end(self) -> None:
        """End what has no end of its own: the server is about to stop."""
        self._end([visit for visit in self._open.values() if visit.endless])

    def leave(self) -> None:
        """End everything that is still being answered: the server waits for it no longer."""
        self._end([*self._open.values()])

    def _end(self, visits: list[_Visit]) -> None:
        for visit in visits:
            visit.cancel.cancel()


class Bounded:
    """The layer that has every request among the ``visits``; ``late`` answers what the server leaves unanswered."""

    def __init__(self, app: ASGIApp, *, visits: Visits, late: ASGIApp) -> None:
        self._app = app
        self._visits = visits
        self._late = late

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on."""
        if scope["type"] == "http":
            await self._visits.answered(self._app, scope, receive, send, late=self._late)
        else:
            await self._app(scope, receive, send)
