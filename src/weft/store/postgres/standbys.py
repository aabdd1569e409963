"""Which server a read may be asked of: a standby that is not behind what the reader must see, else the primary.

A standby repeats the primary's write-ahead log some time later, and how far it has come can be asked of it. A read
needs it to have come as far as

- what this process last wrote, or last saw fail because somebody else had written (read your own writes), and
- what the primary had written :data:`STALE_S` ago, so that nobody reads older things than that.

The primary's position is asked at most once in :data:`MARK_S`; while it does not answer, the last one known counts.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Final

from weft.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from weft.store.postgres.connection import PostgresReader

__all__ = ["MARK_S", "SILENT_S", "STALE_S", "Standbys"]

STALE_S: Final = 5.0
"""The most seconds by which a read may be behind the primary."""

MARK_S: Final = 1.0
"""Seconds after which the primary is asked again how far it has come."""

SILENT_S: Final = 10.0
"""Seconds for which standbys are not asked after none answered."""

_WRITTEN = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"
_REPEATED = "SELECT coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::bigint"


class Standbys:
    """How far the primary and its standbys have come, in bytes of the log. Safe for threads."""

    def __init__(self, primary: Callable[[str], int], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._primary = primary
        self._clock = clock
        self._lock = threading.Lock()
        self._own = 0
        self._marks: deque[tuple[float, int]] = deque()
        self._repeated: dict[str, int] = {}
        self._silent_until = 0.0

    @property
    def answer(self) -> bool:
        """Whether the standbys are worth asking: for a while after one fell silent they are not."""
        return self._clock() >= self._silent_until

    def fell_silent(self) -> None:
        """Note that no standby answered."""
        self._silent_until = self._clock() + SILENT_S

    def wrote(self) -> None:
        """Note that from now on this process must see what stands on the primary now."""
        position = self._primary(_WRITTEN)
        with self._lock:
            self._own = max(self._own, position)

    def admits(self, host: str, reader: PostgresReader) -> bool:
        """Return whether the standby ``host``, behind ``reader``, has come far enough to be read."""
        needed = self._needed()
        if self._repeated.get(host, 0) >= needed:
            return True
        repeated = int(reader.execute(_REPEATED)[0][0])
        with self._lock:
            self._repeated[host] = max(self._repeated.get(host, 0), repeated)
        return repeated >= needed

    def _needed(self) -> int:
        now = self._clock()
        with self._lock:
            due = not self._marks or now - self._marks[-1][0] >= MARK_S
            if due and self._marks:
                self._marks.append((now, self._marks[-1][1]))  # whoever comes meanwhile does not ask as well
        if due:
            self._mark(now)
        with self._lock:
            while len(self._marks) > 1 and now - self._marks[0][0] > STALE_S:
                self._marks.popleft()
            return max(self._own, self._marks[0][1] if self._marks else 0)

    def _mark(self, now: float) -> None:
        try:
            position = self._primary(_WRITTEN)
        except Unavailable:
            return
        with self._lock:
            self._marks.append((now, position))
