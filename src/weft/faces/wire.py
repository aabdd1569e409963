"""The pipes of one client: what cannot be read is refused, and what was asked before the end of input is answered.

The SDK passes over a line that is no message, so that its sender waits for ever, and it gives up what is under way as
soon as the input ends, so that a request that is piped in is never answered. Both are mended here, between its
transport and its loop.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias

import anyio
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)
from pydantic import ValidationError

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream, WriteStream

__all__ = ["ANSWER_WITHIN_S", "Inbound", "Outbound"]

ANSWER_WITHIN_S = 1.5
"""How long the end of input waits for what was asked before it. The usual clients kill a server after two seconds."""

_SAID_MAX = 200  # characters of a refusal's message
_ID = "Invalid Request: a line is one JSON-RPC 2.0 message, and its id a text or a whole number"

_Id: TypeAlias = "int | str"


class Outbound(ObjectSendStream[SessionMessage]):
    """What goes to the client; knows which requests still wait for their answer."""

    def __init__(self, pipe: WriteStream[SessionMessage]) -> None:
        self._pipe = pipe
        self._waiting: set[_Id] = set()
        self._answered = anyio.Event()

    def expect(self, message: SessionMessage) -> None:
        """Note a request that is to be answered; a stream of changes is not, nor is a call that was given up."""
        said = message.message
        if isinstance(said, JSONRPCRequest) and said.method != "subscriptions/listen":
            self._waiting.add(said.id)
        elif isinstance(said, JSONRPCNotification) and said.method == "notifications/cancelled":
            self._done((said.params or {}).get("requestId"))

    async def send(self, item: SessionMessage) -> None:
        """Send a message.

        Raises:
            BrokenResourceError, ClosedResourceError: the client is gone.
        """
        await self._pipe.send(item)
        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
            self._done(item.message.id)

    def _done(self, number: object) -> None:
        # compared, not looked up: a client can write anything where an id belongs
        self._waiting = {each for each in self._waiting if each != number}
        self._answered.set()

    async def settle(self) -> None:
        """Wait until nothing waits for an answer, but at most ``ANSWER_WITHIN_S`` seconds."""
        with anyio.move_on_after(ANSWER_WITHIN_S):
            while self._waiting:
                self._answered = anyio.Event()
                await self._answered.wait()

    async def aclose(self) -> None:
        """Close the pipe."""
        await self._pipe.aclose()


class Inbound(ObjectReceiveStream["SessionMessage | Exception"]):
    """What comes from the client, less what is no message: that is refused at once."""

    def __init__(self, pipe: ReadStream[SessionMessage | Exception], outbound: Outbound) -> None:
        self._pipe = pipe
        self._outbound = outbound

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message.

        Raises:
            EndOfStream: the input has ended, and what it asked was answered or took too long.
        """
        while True:
            try:
                item = await self._pipe.receive()
            except anyio.EndOfStream:
                await self._outbound.settle()
                raise
            refused = _nameless(item) if isinstance(item, SessionMessage) else _refusal(item)
            if isinstance(item, SessionMessage) and refused is None:
                self._outbound.expect(item)
                return item
            if refused is not None:
                await self._outbound.send(SessionMessage(refused))

    async def aclose(self) -> None:
        """Close the pipe."""
        await self._pipe.aclose()


def _nameless(item: SessionMessage) -> JSONRPCError | None:
    """Return the answer to a request whose id is neither a text nor a whole number.

    The SDK reads it as a notification, which nobody answers; but those have names of their own.
    """
    said = item.message
    if not isinstance(said, JSONRPCNotification) or said.method.startswith("notifications/"):
        return None
    return _error(INVALID_REQUEST, _ID, None)


def _refusal(failure: Exception) -> JSONRPCError | None:
    """Return the answer to what ``failure`` says of a line, under the request's id where one can be made out.

    An empty line is passed over.
    """
    found = failure.errors(include_url=False) if isinstance(failure, ValidationError) else []
    unread = next((each for each in found if each["type"] == "json_invalid"), None)
    if unread is None:
        whole = next((each["input"] for each in found if each["type"] == "missing"), None)
        return _error(INVALID_REQUEST, _ID, whole)
    line = str(unread["input"])
    return _error(PARSE_ERROR, f"Parse error: {unread['msg']}", _leniently(line)) if line.strip() else None


def _leniently(line: str) -> object:
    """Return what Python reads in a line that is no strict JSON, such as one with half of a surrogate pair."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _error(code: int, said: str, message: object) -> JSONRPCError:
    number = message.get("id") if isinstance(message, dict) else None
    known = number if isinstance(number, int | str) and not isinstance(number, bool) else None
    return JSONRPCError(jsonrpc="2.0", id=known, error=ErrorData(code=code, message=said[:_SAID_MAX]))
