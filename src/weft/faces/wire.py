"""The pipes of one client: what cannot be read is refused, and what was asked before the end of input is answered.

The SDK passes over a line that is no message, so that its sender waits for ever; it gives up what is under way as soon
as the input ends, so that a request that is piped in is never answered; and it knows nothing of batches. All of that is
mended here, between its transport and its loop.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeAlias, cast

import anyio
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)
from pydantic import RootModel, ValidationError

from weft.faces.messages import BATCHED, ID, ONE_EACH, is_nameless, read_json, refusal, split

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream, WriteStream

    from weft.faces.messages import Batch

__all__ = ["ANSWER_WITHIN_S", "Inbound", "Outbound"]

ANSWER_WITHIN_S = 1.5
"""How long the end of input waits for what was asked before it. The usual clients kill a server after two seconds."""

LEFT_WITHIN_S = 0.2  # how long what is left of batches may take to be sent

_Id: TypeAlias = "int | str"
_Answer: TypeAlias = "JSONRPCResponse | JSONRPCError"


class _Answers(RootModel["list[JSONRPCResponse | JSONRPCError]"]):
    """The answer to a batch, as the transport writes it."""


class _Open:
    """A batch some of whose requests still wait for their answer."""

    def __init__(self, batch: Batch) -> None:
        self.waiting = batch.asked
        self.answers: list[_Answer] = [*batch.refused]


class Outbound(ObjectSendStream[SessionMessage]):
    """What goes to the client; knows which requests still wait for their answer, and which version was agreed on."""

    def __init__(self, pipe: WriteStream[SessionMessage]) -> None:
        self._pipe = pipe
        self._waiting: set[_Id] = set()
        self._answered = anyio.Event()
        self._batches: list[_Open] = []
        self.version = ""

    async def expect(self, message: SessionMessage) -> None:
        """Note a request that is to be answered; a stream of changes is not, nor is a call that was given up."""
        said = message.message
        if isinstance(said, JSONRPCRequest) and said.method != "subscriptions/listen":
            self._waiting.add(said.id)
        elif isinstance(said, JSONRPCNotification) and said.method == "notifications/cancelled":
            given_up = (said.params or {}).get("requestId")
            self._done(given_up)
            await self._collect(given_up, None)

    async def open(self, batch: Batch) -> None:
        """Note that the answers to ``batch`` go out together; at once where nothing in it waits for one."""
        self._batches.append(opened := _Open(batch))
        await self._close(opened)

    async def send(self, item: SessionMessage) -> None:
        """Send a message; an answer to a request of a batch once the others are there.

        Raises:
            BrokenResourceError, ClosedResourceError: the client is gone.
        """
        said = item.message
        if not isinstance(said, JSONRPCResponse | JSONRPCError):
            await self._pipe.send(item)
            return
        if isinstance(said, JSONRPCResponse):
            self.version = str(said.result.get("protocolVersion") or self.version)
        if not await self._collect(said.id, said):
            await self._pipe.send(item)
        self._done(said.id)

    async def _collect(self, number: object, answer: _Answer | None) -> bool:
        """Return whether a batch waited for this answer; None is that there will be none."""
        # compared, not looked up: a client can write anything where an id belongs
        opened = next((batch for batch in self._batches if any(each == number for each in batch.waiting)), None)
        if opened is None:
            return False
        opened.waiting = {each for each in opened.waiting if each != number}
        opened.answers += [answer] if answer is not None else []
        await self._close(opened)
        return True

    async def _close(self, opened: _Open) -> None:
        if opened.waiting:
            return
        self._batches.remove(opened)
        if opened.answers:
            await self._pipe.send(SessionMessage(cast("JSONRPCMessage", _Answers(opened.answers))))

    def _done(self, number: object) -> None:
        self._waiting = {each for each in self._waiting if each != number}
        self._answered.set()

    async def settle(self) -> None:
        """Wait until nothing waits for an answer, but at most ``ANSWER_WITHIN_S`` seconds.

        What was answered of a batch by then goes out without the rest.
        """
        with anyio.move_on_after(ANSWER_WITHIN_S):
            while self._waiting:
                self._answered = anyio.Event()
                await self._answered.wait()
        with anyio.move_on_after(LEFT_WITHIN_S):
            for opened in [*self._batches]:
                opened.waiting = set()
                await self._close(opened)

    async def aclose(self) -> None:
        """Close the pipe."""
        await self._pipe.aclose()


class Inbound(ObjectReceiveStream["SessionMessage | Exception"]):
    """What comes from the client, one message at a time, less what is no message: that is refused at once."""

    def __init__(self, pipe: ReadStream[SessionMessage | Exception], outbound: Outbound) -> None:
        self._pipe = pipe
        self._outbound = outbound
        self._split: deque[SessionMessage] = deque()

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message.

        Raises:
            EndOfStream: the input has ended, and what it asked was answered or took too long.
        """
        while not self._split:
            try:
                item = await self._pipe.receive()
            except anyio.EndOfStream:
                await self._outbound.settle()
                raise
            if isinstance(item, SessionMessage) and not is_nameless(item.message):
                self._split.append(item)
            else:
                await self._taken_apart(item)
        await self._outbound.expect(self._split[0])
        return self._split.popleft()

    async def _taken_apart(self, item: SessionMessage | Exception) -> None:
        """Queue the messages of a batch, and refuse what is neither a batch nor a message."""
        listed = _listed(item)
        batched = listed is not None and self._outbound.version == BATCHED
        found = split(listed or []) if batched else _refusal(item)
        if isinstance(found, JSONRPCError):
            await self._outbound.send(SessionMessage(found))
        elif found is not None:
            self._split.extend(SessionMessage(said) for said in found.messages)
            await self._outbound.open(found)

    async def aclose(self) -> None:
        """Close the pipe."""
        await self._pipe.aclose()


def _found(item: object) -> list[dict[str, object]]:
    """Return what the SDK found amiss with a line."""
    return [dict(each) for each in item.errors(include_url=False)] if isinstance(item, ValidationError) else []


def _listed(item: object) -> list[object] | None:
    """Return the list that a line holds, where it holds one."""
    said = next((each["input"] for each in _found(item) if each["type"] == "model_type"), None)
    return said if isinstance(said, list) else None


def _refusal(item: object) -> JSONRPCError | None:
    """Return the answer to a line that is no message, under the request's id where one can be made out.

    An empty line is passed over.
    """
    found = _found(item)
    unread = next((each for each in found if each["type"] == "json_invalid"), None)
    if unread is None:
        whole = next((each["input"] for each in found if each["type"] == "missing"), None)
        return refusal(INVALID_REQUEST, ID if _listed(item) is None else ONE_EACH, whole)
    line = str(unread["input"])
    return refusal(PARSE_ERROR, f"Parse error: {unread['msg']}", read_json(line)) if line.strip() else None
