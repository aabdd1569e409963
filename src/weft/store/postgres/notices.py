"""Notices of changes by any process, over a connection that listens (LISTEN and NOTIFY); the log itself is the truth.

A notice is sent when a transaction that grew the log commits, and tells how far the log has come. None is kept for who
does not listen just then, so that after each new connection listeners are told to look. One thread listens for the
whole process while anybody wants to know.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from weft.errors import WeftError
from weft.store.postgres.connection import bare

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CHANNEL", "PostgresNotices"]

CHANNEL: Final = "weft_change"
"""What the database sends notices on; the payload is the position of the last change."""

_LISTEN_S: Final = 0.25
_AGAIN_MIN_S: Final = 0.1
_AGAIN_MAX_S: Final = 5.0
_CLOSE_S: Final = 2.0


class PostgresNotices:
    """The :class:`weft.ports.Notices` of the graph in the database that ``url`` names. Safe for threads."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._listeners: dict[object, Callable[[int], None]] = {}
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()
        self._live = False

    def live(self) -> bool:
        """Return whether the connection that listens stands, as far as is known."""
        return self._live

    def listen(self, told: Callable[[int], None]) -> Callable[[], None]:
        """Tell ``told`` how far the log has come whenever it grows (0: look); returns what ends that.

        It is called in another thread, does not block and does not raise.
        """
        token = object()
        with self._lock:
            self._listeners[token] = told
            if self._thread is None and not self._closed.is_set():
                self._thread = threading.Thread(target=self._run, name="weft-notices", daemon=True)
                self._thread.start()

        def end() -> None:
            with self._lock:
                self._listeners.pop(token, None)

        return end

    def close(self) -> None:
        """Listen no more."""
        self._closed.set()
        thread = self._thread
        if thread is not None:
            thread.join(_CLOSE_S)

    def _run(self) -> None:
        """Listen while anybody wants to know; over a new connection where one was lost, less and less eagerly."""
        again_s = _AGAIN_MIN_S
        while self._wanted():
            with suppress(WeftError):
                self._hear()
            again_s = _AGAIN_MIN_S if self._live else min(2 * again_s, _AGAIN_MAX_S)
            self._live = False
            self._closed.wait(again_s)

    def _wanted(self) -> bool:
        with self._lock:
            if self._listeners and not self._closed.is_set():
                return True
            self._thread = None
            return False

    def _hear(self) -> None:
        with bare(self._url) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self._live = True
            self._tell(0)
            while self._listeners and not self._closed.is_set():
                if said := connection.told(_LISTEN_S):
                    self._tell(max(int(seq) if seq.isdigit() else 0 for seq in said))

    def _tell(self, seq: int) -> None:
        for told in list(self._listeners.values()):
            told(seq)
