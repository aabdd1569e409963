"""What changes in the graph, by any process, told to whoever listens. While nobody listens, nothing is read.

The change log is the one source: its head is looked at a few times a second, and what came since is read once for all
listeners. Where the graph gives notices of changes, they say when to look instead, and the log is looked at by itself
now and then only. Delivery starts at the moment of listening; nothing is replayed unless the listener asks the log
itself.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

import anyio

from weft.errors import Unavailable, WeftError

if TYPE_CHECKING:
    from collections.abc import Callable

    from weft.faces.serving import Serving
    from weft.model import Change
    from weft.ports import Notices

__all__ = ["PATIENCE_S", "PAUSE_S", "ROUND_MAX", "Feed", "Listener"]

PAUSE_S = 0.25
"""Seconds between two looks at the head of the log."""

PATIENCE_S = 5.0
"""Seconds between two looks while notices say when to look: a connection may have died without a sign."""

ROUND_MAX = 500
"""Changes that are read and told at once."""

log = logging.getLogger(__name__)

Listener: TypeAlias = "Callable[[tuple[Change, ...]], None]"
"""Told the changes of one round, oldest first, on the event loop; does not block and does not raise."""


class Feed:
    """The live end of the change log."""

    def __init__(self, serving: Serving, *, pause_s: float = PAUSE_S) -> None:
        self._serving = serving
        self._pause_s = pause_s
        self._listeners: dict[object, tuple[Listener, Callable[[], None]]] = {}
        self._wanted = anyio.Event()
        self._news = anyio.Event()
        self._notices: Notices | None = None
        self._position = 0
        self._told = 0
        serving.at_end.append(self.close)

    @property
    def listeners(self) -> int:
        """How many listen now."""
        return len(self._listeners)

    async def ready(self) -> None:
        """Find out where the log stands, so that a listener that is added next misses nothing from now on.

        Raises:
            Unavailable: the graph cannot be read.
        """
        if not self._listeners:
            head = await self._serving.work(self._serving.head)
            if not self._listeners:
                self._position = head

    def listen(self, listener: Listener, *, at_close: Callable[[], None] = lambda: None) -> Callable[[], None]:
        """Tell ``listener`` every change from where the feed stands; returns what ends that.

        ``at_close`` is called when the feed ends first.
        """
        token = object()
        self._listeners[token] = (listener, at_close)
        self._wanted.set()

        def end() -> None:
            self._listeners.pop(token, None)

        return end

    def close(self) -> None:
        """Tell every listener that nothing more will come: the server is about to end."""
        for _, at_close in list(self._listeners.values()):
            at_close()

    async def run(self) -> None:
        """Look at the log while anybody listens; runs until it is cancelled."""
        while True:
            if not self._listeners:
                self._wanted = anyio.Event()
                await self._wanted.wait()
            end = await self._noticed()
            try:
                while self._listeners:
                    self._news = anyio.Event()
                    await self._round()
                    with anyio.move_on_after(self._patience_s()):
                        await self._news.wait()
                    if self._notices is None:
                        break
            finally:
                end()

    async def _noticed(self) -> Callable[[], None]:
        """Have notices say when to look, where the graph gives any; returns what ends that."""
        loop = asyncio.get_running_loop()

        def told(seq: int) -> None:
            with suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(self._look, seq)

        try:
            self._notices = (await self._serving.work(self._serving.graph)).notices
        except WeftError:  # the round says so, and tries again
            return lambda: None
        return self._notices.listen(told)

    def _look(self, seq: int) -> None:
        self._told = max(self._told, seq)
        self._news.set()

    def _patience_s(self) -> float:
        """Return how long to wait for news: a moment where none come, or what was told of cannot be read yet."""
        waits = self._notices is not None and self._notices.live() and self._told <= self._position
        return PATIENCE_S if waits else self._pause_s

    async def _round(self) -> None:
        try:
            changes = await self._serving.work(self._since, self._position)
        except Unavailable:  # the server's log says why, and the next round asks again
            return
        except Exception:
            log.warning("the change log could not be read", exc_info=True)
            return
        if changes:
            self._position = changes[-1].seq
            for listener, _ in list(self._listeners.values()):
                listener(changes)

    def _since(self, position: int) -> tuple[Change, ...]:
        if self._serving.head() == position:
            return ()
        return self._serving.graph().log.since(position, limit=ROUND_MAX)
