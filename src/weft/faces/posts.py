"""What older clients post to ``/mcp`` and the SDK does not make out: requests whose id it cannot read, and batches.

It takes the first for notifications, which nobody answers. A batch is taken apart: each message goes its way alone, one
after another, counts as a request against every rate, and the answers go back as a list.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from mcp_types import INVALID_REQUEST, JSONRPCError, JSONRPCRequest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from weft.faces.guard import BODY_MAX, slowed
from weft.faces.messages import BATCHED, ID, ONE_EACH, decoded, is_nameless, read_json, refusal, split

if TYPE_CHECKING:
    from mcp_types import JSONRPCMessage
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from weft.faces.messages import Batch

__all__ = ["Posts"]

SESSIONS_MAX: Final = 1_000  # sessions that are known to batch
_AGREED: Final = f'"protocolVersion":"{BATCHED}"'.encode()


class Posts:
    """The layer around the SDK's endpoint."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._batching: dict[str, None] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        headers = Headers(scope=scope)
        version = headers.get("mcp-protocol-version", BATCHED)  # who names none is held to have agreed on that one
        if scope["method"] == "POST" and version in HANDSHAKE_PROTOCOL_VERSIONS:
            await self._posted(scope, receive, send)
        else:
            with suppress(ClientDisconnect):  # cancelled before it was whole: there is nobody to answer
                await self._app(scope, receive, send)

    async def _posted(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _body(scope, receive)
        if body is None:
            await Response(status_code=413)(scope, receive, send)
            return
        headers = Headers(scope=scope)
        session = headers.get("mcp-session-id", "")
        said = read_json(body)
        if isinstance(said, list):
            batched = session in self._batching and headers.get("mcp-protocol-version", BATCHED) == BATCHED
            found = split(said) if batched else refusal(INVALID_REQUEST, ONE_EACH)
            answer = _answer(found, 400) if isinstance(found, JSONRPCError) else await self._each(found, scope, receive)
            await answer(scope, receive, send)
        elif (message := decoded(said)) is not None and is_nameless(message):
            await _answer(refusal(INVALID_REQUEST, ID), 400)(scope, receive, send)
        else:
            await self._app(scope, _again(body, receive), send if session else self._noting(send))

    def _noting(self, send: Send) -> Send:
        """Return ``send``, which notes a session that is opened in the version that has batches."""
        opened = ""

        async def noted(message: Message) -> None:
            nonlocal opened
            if message["type"] == "http.response.start":
                opened = Headers(raw=message["headers"]).get("mcp-session-id", "")
            elif opened and _AGREED in message.get("body", b""):
                self._batching[opened] = None
                while len(self._batching) > SESSIONS_MAX:
                    del self._batching[next(iter(self._batching))]
            await send(message)

        return noted

    async def _each(self, batch: Batch, scope: Scope, receive: Receive) -> Response:
        """Return the answers to a batch; nothing where it asks for none. Its messages are as many requests."""
        if (refused := slowed(scope, len(batch.refused) + len(batch.messages))) is not None:
            return refused
        answers = [each.model_dump(mode="json") for each in batch.refused]
        for said in batch.messages:
            answers += await self._one(said, scope, receive)
        return _answer(answers, 200) if answers else Response(status_code=202)

    async def _one(self, said: JSONRPCMessage, scope: Scope, receive: Receive) -> list[dict[str, Any]]:
        """Return what the SDK answers to one message: at most one answer, without notices on the way to it."""
        body = said.model_dump_json(by_alias=True, exclude_unset=True).encode()
        kept = [(name, value) for name, value in scope["headers"] if name.lower() != b"content-length"]
        alone = {**scope, "headers": [*kept, (b"content-length", str(len(body)).encode())]}
        heard = bytearray()

        async def hear(message: Message) -> None:
            heard.extend(message.get("body", b""))

        await self._app(alone, _again(body, receive), hear)
        told = [read_json(line.removeprefix(b"data:")) for line in bytes(heard).splitlines()]
        answers = [each for each in told if isinstance(each, dict) and ("result" in each or "error" in each)]
        named = said.id if isinstance(said, JSONRPCRequest) else None
        return [{**each, "id": named} for each in answers[-1:]]


async def _body(scope: Scope, receive: Receive) -> bytes | None:
    """Return the whole body; None where it is too large, or its sender left before its end."""
    body = bytearray()
    try:
        async for piece in Request(scope, receive).stream():
            body += piece
            if len(body) > BODY_MAX:
                return None
    except ClientDisconnect:
        return None
    return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """Return ``receive`` as it is after ``body``, which it gives first."""
    left = [body]

    async def received() -> Message:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        return await receive()

    return received


def _answer(said: JSONRPCError | list[dict[str, Any]], status: int) -> Response:
    body = said.model_dump_json() if isinstance(said, JSONRPCError) else json.dumps(said, separators=(",", ":"))
    return Response(body, status_code=status, media_type="application/json", headers={"cache-control": "no-store"})
