"""Changes as server-sent events: what the explorer and scripts follow. One event a change, its position as the id."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
from starlette.responses import Response, StreamingResponse

from weft.faces.feed import ROUND_MAX
from weft.faces.guard import refusal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from starlette.requests import Request

    from weft.faces.feed import Feed
    from weft.faces.serving import Serving
    from weft.model import Change

__all__ = ["LISTENERS_MAX", "stream"]

LISTENERS_MAX = 64
BACKLOG_MAX = 2_000  # changes that wait for a slow reader; beyond it the stream ends, and Last-Event-ID resumes it
REPLAY_MAX = 10_000  # changes that one stream resumes with; it ends there, and Last-Event-ID goes on from them
ALIVE_EVERY_S = 15.0

_KIND = "text/event-stream"
_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


async def stream(request: Request, serving: Serving, feed: Feed) -> Response:
    """Answer with the changes from now on, or from after the position in ``Last-Event-ID`` or ``?since=``."""
    said = request.headers.get("last-event-id") or request.query_params.get("since") or ""
    if said and not (said.isascii() and said.isdigit() and len(said) < len(str(2**63))):
        return refusal(400, "INVALID_ARGUMENT", "since: must be a position in the log", "Leave it out to start now.")
    if request.method == "HEAD":
        return Response(media_type=_KIND, headers=_HEADERS)
    if feed.listeners >= LISTENERS_MAX:
        said, hint = f"{LISTENERS_MAX} listen already", "Try again later."
        return refusal(503, "UNAVAILABLE", said, hint, headers={"retry-after": "1"})
    await feed.ready()
    events = _events(serving, feed, int(said) if said else None)
    return StreamingResponse(events, media_type=_KIND, headers=_HEADERS)


async def _events(serving: Serving, feed: Feed, since: int | None) -> AsyncIterator[str]:
    send, receive = anyio.create_memory_object_stream["tuple[Change, ...]"](BACKLOG_MAX)
    end = feed.listen(partial(_hand_over, send), at_close=send.close)
    last = 0
    try:
        yield ": listening\n\n"
        if since is not None:
            missed = 0
            last = await serving.work(_standing, serving, since)
            async for change in _missed(serving, last):
                last, missed = change.seq, missed + 1
                yield _event(change)
            if missed >= REPLAY_MAX:
                return
        async for changes in _live(receive):
            yield "".join(_event(change) for change in changes if change.seq > last) or ": alive\n\n"
    finally:
        end()
        send.close()
        receive.close()


def _hand_over(send: MemoryObjectSendStream[tuple[Change, ...]], changes: tuple[Change, ...]) -> None:
    """Queue ``changes`` for a reader; one that is too far behind finds its stream at an end."""
    try:
        send.send_nowait(changes)
    except (anyio.WouldBlock, anyio.ClosedResourceError, anyio.BrokenResourceError):
        send.close()


async def _live(receive: MemoryObjectReceiveStream[tuple[Change, ...]]) -> AsyncIterator[tuple[Change, ...]]:
    """Yield what happens, and nothing once in a while, so that the connection is seen to be alive."""
    while True:
        changes: tuple[Change, ...] = ()
        with anyio.move_on_after(ALIVE_EVERY_S):
            try:
                changes = await receive.receive()
            except anyio.EndOfStream:
                return
        yield changes


async def _missed(serving: Serving, since: int) -> AsyncIterator[Change]:
    """Yield what the log holds after ``since``, up to a bound."""
    for _ in range(REPLAY_MAX // ROUND_MAX):
        changes = await serving.work(_read, serving, since)
        for change in changes:
            yield change
        if len(changes) < ROUND_MAX:
            return
        since = changes[-1].seq


def _standing(serving: Serving, since: int) -> int:
    """Return ``since``, or the end of the log where a graph that was brought back from a copy does not reach it."""
    return min(since, serving.graph().log.head())


def _read(serving: Serving, since: int) -> tuple[Change, ...]:
    return serving.graph().log.since(since, limit=ROUND_MAX)


def _event(change: Change) -> str:
    from weft.model.codec import json_text, time_text

    data: dict[str, Any] = {
        "seq": change.seq,
        "at": time_text(change.at),
        "subject": change.subject.value,
        "id": change.subject_id,
        "action": change.action.value,
        "tool": change.tool,
        "actor": change.actor,
        "client": change.client,
        "session": change.session,
        "batch": change.batch,
    }
    return f"id: {change.seq}\nevent: change\ndata: {json_text(data)}\n\n"
