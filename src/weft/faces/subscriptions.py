"""Changes as MCP tells them: ``subscriptions/listen`` since 2026-07-28, ``resources/subscribe`` for older clients."""

from __future__ import annotations

from collections import Counter, deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.subscriptions import ListenHandler, ResourcesListChanged, ResourceUpdated
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, INVALID_REQUEST

from weft.identity import NODE_URI

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from mcp.server import ServerRequestContext
    from mcp.server.session import ServerSession
    from mcp.server.subscriptions import ServerEvent
    from mcp_types import SubscriptionsListenRequestParams, SubscriptionsListenResult

    from weft.faces.feed import Feed
    from weft.model import Change

__all__ = ["URIS_MAX", "Subscriptions", "events_of"]

STREAMS_MAX = 64  # open listen streams of one server
CLIENTS_MAX = 256  # older clients that are remembered
URIS_MAX = 1_000  # resources that one of them may subscribe to, and that one stream may ask for
SHOWN_MAX = 200  # characters of a URI in a message
SEND_WITHIN_S = 2.0  # how long an older client may take over one notice before it is told nothing more
BACKLOG_MAX = 10_000  # updates that wait to be sent to older clients; beyond it the oldest are dropped


def events_of(changes: tuple[Change, ...]) -> list[ServerEvent]:
    """Return what these changes mean for resources: each touched node once, and whether the list of nodes changed."""
    uris = dict.fromkeys(f"{NODE_URI}{node}" for change in changes for node in _touched(change))
    listed = any(_changes_the_list(change) for change in changes)
    return [*(ResourceUpdated(uri=uri) for uri in uris), *([ResourcesListChanged()] if listed else [])]


def _touched(change: Change) -> list[str]:
    states = [state for state in (change.before, change.after) if state is not None]
    if change.subject.value == "node":
        return [change.subject_id]
    if change.subject.value == "relation":
        return [str(state[end]) for state in states for end in ("source", "target")]
    return [str(state["subject"]) for state in states] if change.subject.value == "evidence" else []


def _changes_the_list(change: Change) -> bool:
    if change.subject.value != "node":
        return False
    before, after = change.before or {}, change.after or {}
    listed = [bool(state) and not state.get("retired") for state in (before, after)]
    return listed[0] != listed[1] or before.get("title") != after.get("title")


class _Bus:
    """The feed as the SDK's listen handler wants it. Nothing is published here: the log is the only source.

    A node is told under its id, and under every other URI that an open stream asked for it by; the handler gives each
    stream those that it asked for.
    """

    def __init__(self, feed: Feed, at_close: Callable[[], None]) -> None:
        self._feed = feed
        self._at_close = at_close
        self._spelt: dict[str, Counter[str]] = {}

    @contextmanager
    def spelling(self, followed: Mapping[str, str]) -> Iterator[None]:
        """Tell what is ``followed`` (by the URI that was asked for) under that URI too, for the block."""
        others = [(asked, told) for asked, told in followed.items() if asked != told]
        for asked, told in others:
            self._spelt.setdefault(told, Counter())[asked] += 1
        try:
            yield
        finally:
            for asked, told in others:
                self._spelt[told] -= Counter([asked])
                if not self._spelt[told]:
                    del self._spelt[told]

    async def publish(self, event: ServerEvent) -> None:
        """Do nothing: what happens in the graph is told by the log."""

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Hand every event of every round to ``listener``."""

        def told(changes: tuple[Change, ...]) -> None:
            for event in events_of(changes):
                listener(event)
                for asked in self._others(event):
                    listener(ResourceUpdated(uri=asked))

        return self._feed.listen(told, at_close=self._at_close)

    def _others(self, event: ServerEvent) -> list[str]:
        return list(self._spelt.get(event.uri, ())) if isinstance(event, ResourceUpdated) else []


class Subscriptions:
    """Who wants to hear of which resources, in both eras. One for each time the server is run."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._bus = _Bus(feed, self._close)
        self._handler = ListenHandler(self._bus, max_subscriptions=STREAMS_MAX)
        self._wanted: dict[int, dict[str, tuple[str, ServerSession]]] = {}
        self._waiting: deque[tuple[ServerSession, str]] = deque(maxlen=BACKLOG_MAX)
        self._some = anyio.Event()
        self._end: Callable[[], None] | None = None

    async def listen(
        self,
        ctx: ServerRequestContext[Any, Any],
        params: SubscriptionsListenRequestParams,
        followed: Mapping[str, str],
    ) -> SubscriptionsListenResult:
        """Serve one ``subscriptions/listen`` stream until the client leaves.

        ``followed`` are the URIs that were asked for and name a node, each with the one under which its changes are
        told. Only resources change while a server runs: a wish to hear of tools and prompts is not acknowledged, nor
        is one to hear of a node that there is not.

        Raises:
            MCPError: too much is asked for, or nothing but nodes that there are not.
        """
        asked = params.notifications
        uris = asked.resource_subscriptions or []
        if uris and not followed and not asked.resources_list_changed:
            raise MCPError(INVALID_PARAMS, f"uri: names no node of this graph: {uris[0][:SHOWN_MAX]}", {"uri": uris[0]})
        await self._feed.ready()
        changes = {"tools_list_changed": None, "prompts_list_changed": None, "resource_subscriptions": [*followed]}
        wanted = params.model_copy(update={"notifications": asked.model_copy(update=changes)})
        with self._bus.spelling(followed):
            return await self._handler(ctx, wanted)

    def _close(self) -> None:
        self._handler.close()

    async def subscribe(self, session: ServerSession, uri: str, followed: str) -> None:
        """Tell the client of ``session`` that ``uri`` changed whenever ``followed`` does, as the handshake era does.

        Raises:
            MCPError: the client has no connection of its own, or subscribes to too much.
        """
        await self._feed.ready()
        uris = self._wanted.setdefault(self._client(session), {})
        if len(uris) >= URIS_MAX:
            raise MCPError(INVALID_PARAMS, f"at most {URIS_MAX} resources can be subscribed to", {"uri": uri})
        uris[uri] = (followed, session)
        if self._end is None:
            self._end = self._feed.listen(self._told)

    def unsubscribe(self, session: ServerSession, uri: str) -> None:
        """Stop telling the client of ``session`` about ``uri``."""
        self._wanted.get(self._client(session), {}).pop(uri, None)

    async def run(self) -> None:
        """Send what older clients wait for; runs until it is cancelled."""
        while True:
            while self._waiting:
                session, uri = self._waiting.popleft()
                with anyio.move_on_after(SEND_WITHIN_S) as sending:
                    await session.send_resource_updated(uri)
                if sending.cancelled_caught:
                    self._forget(session)
            self._some = anyio.Event()
            await self._some.wait()

    def _forget(self, session: ServerSession) -> None:
        """Tell a client nothing more that does not take what it is told: the others would wait behind it."""
        key = id(session.client_params)
        self._wanted.pop(key, None)
        left = [each for each in self._waiting if id(each[0].client_params) != key]
        self._waiting.clear()
        self._waiting += left

    def _told(self, changes: tuple[Change, ...]) -> None:
        updated = {event.uri for event in events_of(changes) if isinstance(event, ResourceUpdated)}
        wishes = [wish for uris in self._wanted.values() for wish in uris.items()]
        self._waiting += [(session, uri) for uri, (followed, session) in wishes if followed in updated]
        self._some.set()
        if not any(self._wanted.values()) and self._end is not None:
            self._end()
            self._end = None

    def _client(self, session: ServerSession) -> int:
        """Return a number for the connection of ``session``.

        The SDK does not tell when a connection ends, and sending to one that has ended does nothing; so the clients
        that are remembered are bounded, and the one that came first is forgotten first.
        """
        if session.client_params is None:
            raise MCPError(INVALID_REQUEST, "a subscription needs a connection that was initialized")
        key = id(session.client_params)
        while key not in self._wanted and len(self._wanted) >= CLIENTS_MAX:
            del self._wanted[next(iter(self._wanted))]
        return key
