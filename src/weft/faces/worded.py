"""Refusals that a library says in plain text, in no words or not at all, said as every other refusal of Weft."""

from __future__ import annotations

import sys
from http import HTTPStatus
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers
from uvicorn.protocols.http.h11_impl import H11Protocol

from weft.faces.guard import BODY_MAX, HEADERS, refusal

if TYPE_CHECKING:
    import asyncio

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["HEAD_WITHIN_S", "REFUSED", "Reader", "Worded", "failed"]

HEAD_WITHIN_S: Final = 20.0
"""Seconds in which a request's first line and headers must arrive: idle callers would keep every connection taken."""

REFUSED: Final = "refused"
"""Where the state of an application holds what counts refusals, by their reason."""

_PIECE: Final = 4_096
"""Bytes of a request's head that are read at once: the bound of 16 KiB is held against what is not whole yet, so that
what comes in one piece would pass it by."""
_REFUSED: Final = 400  # the first status that says no
_SHOWN_MAX: Final = 60  # characters of a path
_WORDS: Final = {
    404: (
        "NOT_FOUND",
        "path: there is nothing at {path}",
        "GET /api/tools lists the tools; POST /api/tools/NAME calls one.",
    ),
    405: ("INVALID_ARGUMENT", "method: {method} is not taken at {path}", "Allowed: {allow}."),
    406: (
        "INVALID_ARGUMENT",
        "accept: it leaves out what is answered",
        "Accept application/json and text/event-stream.",
    ),
    413: ("LIMIT_EXCEEDED", f"body: must be at most {BODY_MAX} bytes", "Ask for less, or split the call."),
}
_UNREADABLE: Final = ("unreadable", "INVALID_ARGUMENT", "request: this is not HTTP as it can be read")
_TOO_LONG: Final = ("too_long", "LIMIT_EXCEEDED", "request: its first line and headers are too long")
_TOO_LATE: Final = (
    "late",
    "LIMIT_EXCEEDED",
    f"request: its first line and headers did not arrive within {HEAD_WITHIN_S:g} s",
)
_CROWDED: Final = ("crowded", "UNAVAILABLE", "request: it was not whole when others needed its connection")
_LEAVING: Final = 16  # connections that are closed at once to make room, so that they need not be sorted for each one
_OTHER: Final = ("INVALID_ARGUMENT", "{said}", "Correct the request and send it again.")


class Reader(H11Protocol):
    """Requests as uvicorn reads them; what cannot be read is refused as everything else is, and so is what dawdles."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, and wait for the first request no longer than it may take."""
        super().connection_made(transport)
        if self.limit_concurrency is not None and len(self.connections) >= self.limit_concurrency:
            self._make_room()
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Read on; who has begun another request has as long for its first line and headers as for the first one's."""
        while data and not self.transport.is_closing():
            size = _PIECE if self._awaits() else len(data)
            super().data_received(data[:size])
            data = data[size:]
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        super().connection_lost(exc)
        self._unwatch()

    def _awaits(self) -> bool:
        """Whether no request is being answered: what comes is the head of the next."""
        return self.cycle is None or bool(self.cycle.response_complete)

    def _watch(self) -> None:
        """Count the seconds while a request is awaited, from its first bytes on; uvicorn itself would wait for ever."""
        if not self._awaits():
            self._unwatch()
        elif self._late is None:
            self._late = self.loop.call_later(HEAD_WITHIN_S, self._give_up)

    def _unwatch(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _give_up(self) -> None:
        self.leave(HTTPStatus.REQUEST_TIMEOUT, _TOO_LATE)

    def leave(self, status: HTTPStatus, told: tuple[str, str, str]) -> None:
        """Close the connection; one that nothing came over, as browsers open them to spare, is told nothing."""
        if self.conn.trailing_data[0]:
            self._refuse(status, told)
        self.transport.close()

    def _make_room(self) -> None:
        """Close connections over which no request is being answered, those first that one is awaited on the longest.

        Whoever has something to ask sends it at once; uvicorn would refuse them for those who have nothing to ask.
        """
        others = [each for each in self.connections if isinstance(each, Reader) and each is not self]
        idle = sorted(((at, each) for each in others if (at := each.gives_up_at()) is not None), key=itemgetter(0))
        for _, each in idle[: max(1, len(idle) // _LEAVING)]:
            each.leave(HTTPStatus.SERVICE_UNAVAILABLE, _CROWDED)

    def gives_up_at(self) -> float | None:
        """Return when a connection is closed that waits for a request, in the loop's seconds; None: it does not wait.

        One that has been asked over and waits for the next request is closed by uvicorn, and the last to make room.
        """
        if not self._awaits() or self.transport.is_closing():
            return None
        return self._late.when() if self._late is not None else float("inf")

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing in the log: who asks for another protocol is answered in this one, and no library is missing."""

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - one sentence for whatever it was
        """Refuse what is no request, with the status that its fault calls for, and close the connection."""
        status = HTTPStatus(getattr(sys.exception(), "error_status_hint", HTTPStatus.BAD_REQUEST))
        self._refuse(status, _TOO_LONG if status is HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE else _UNREADABLE)
        self.transport.close()

    def _refuse(self, status: HTTPStatus, told: tuple[str, str, str]) -> None:
        """Answer in place of the application, which never hears of it: why, the code and the message are ``told``."""
        reason, code, message = told
        self.app_state.get(REFUSED, _uncounted)(reason)
        answer = refusal(status, code, message, _OTHER[-1], headers={**HEADERS, "connection": "close"})
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            head = (b"HTTP/1.1 %d %s" % (status, status.phrase.encode()), *map(b": ".join, answer.raw_headers))
            self.transport.write(b"\r\n".join((*head, b"", bytes(answer.body))))


class Worded:
    """The layer that has every refusal come as JSON, with a code, a message and a hint; pages keep their form."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on; what comes back is sent as it is, unless it is a refusal without a form."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start: Message | None = None
        said = bytearray()

        async def worded(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_formless(message):
                start = message
            elif start is None:
                await send(message)
            else:
                said.extend(message.get("body", b""))
                if not message.get("more_body", False):
                    await _answer(scope, start, said.decode(errors="replace"))(scope, receive, send)

        await self._app(scope, receive, worded)


def _is_formless(start: Message) -> bool:
    kind = Headers(raw=start["headers"]).get("content-type", "").partition(";")[0]
    return start["status"] >= _REFUSED and kind not in {"application/json", "text/html"}


def _answer(scope: Scope, start: Message, said: str) -> Response:
    status, headers = start["status"], Headers(raw=start["headers"])
    code, message, hint = _WORDS.get(status, _OTHER)
    found = {
        "method": scope["method"][:_SHOWN_MAX],
        "path": ascii(scope["path"][:_SHOWN_MAX]),
        "allow": headers.get("allow", "nothing"),
        "said": said.strip() or HTTPStatus(status).phrase,
    }
    kept = {name: value for name, value in headers.items() if not name.startswith("content-")}
    return refusal(status, code, message.format(**found), hint.format(**found), headers=kept)


def _uncounted(_reason: str) -> None:
    """Count nothing: the application has no counts."""


async def failed(_request: Request, _error: Exception) -> Response:
    """Return the answer to a request that ended in a fault of ours: the log says which."""
    said = "the server failed for a reason that it did not expect"
    return refusal(
        500, "UNAVAILABLE", said, "Try again; if it repeats, the server's log says more.", headers={**HEADERS}
    )
