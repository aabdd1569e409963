"""The memory of use, in a small unsynced file of its own beside the graph.

Readers write it too, so it lies outside the graph's transaction and tier, and it never stands in the way: what cannot
be written within a moment waits in memory for the next chance. When the file fails for good, a hint is lost, no more.
"""

from __future__ import annotations

import threading
from collections import deque
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from weft.errors import CannotOpen, Unavailable
from weft.model.codec import time_from, time_text
from weft.store.sqlite import Connection, connect, header
from weft.store.statements import statement

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

__all__ = ["SqliteUsage", "open_usage"]

_WAIT_S = 0.02
_PENDING_MAX = 1000
_NOTED_MAX = 200
_APPLICATION_ID = int.from_bytes(b"WefU")
_APPLICATION_AT = 68


class _Step(NamedTuple):
    """One statement to be run when the file is free."""

    name: str
    values: dict[str, Any]


def open_usage(path: Path) -> SqliteUsage:
    """Return the memory of use in the file ``path``; it is made when it is first needed."""
    return SqliteUsage(path)


class SqliteUsage:
    """The :class:`weft.ports.Usage` of an embedded graph. Safe for threads and processes; no call waits 50 ms."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._failed = False
        self._pending: deque[_Step] = deque(maxlen=_PENDING_MAX)

    def touch(self, ids: Sequence[str], *, at: datetime) -> None:
        """Count one use of each of these nodes."""
        self._write([_Step("usage_touch", {"node": id_, "at": time_text(at)}) for id_ in ids])

    def uses(self, ids: Sequence[str]) -> Mapping[str, tuple[int, datetime]]:
        """Return how often and when last each of these nodes was used; unused ones are left out."""
        rows = self._read("usage_uses", ids=list(ids))
        return {node: (count, time_from(last)) for node, count, last in rows}

    def note(self, *, caller: str, event: str, subject: str, at: datetime) -> None:
        """Remember that ``caller`` did ``event`` about ``subject``."""
        values = {"caller": caller, "event": event, "subject": subject, "at": time_text(at)}
        self._write([_Step("usage_note", values), _Step("usage_count", {"event": event})])

    def noted(self, *, caller: str, event: str, since: datetime) -> tuple[str, ...]:
        """Return the subjects of ``event`` by ``caller`` since then, newest first, 200 at most."""
        self._write([])
        key = {"caller": caller, "event": event}
        found = dict(self._read("usage_noted", since=time_text(since), limit=_NOTED_MAX, **key))
        for step in tuple(self._pending):
            if key.items() <= step.values.items() and step.values.get("at", "") >= time_text(since):
                found[step.values["subject"]] = step.values["at"]
        return tuple(sorted(found, key=lambda subject: found[subject], reverse=True))[:_NOTED_MAX]

    def tallies(self) -> Mapping[str, int]:
        """Return how often each event happened, over all callers."""
        return dict(self._read("usage_tallies"))

    def close(self) -> None:
        """Write what waits, if the file is free, and close it."""
        self._write([])
        with self._lock:
            self._failed = True
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _write(self, steps: list[_Step]) -> None:
        self._pending.extend(steps)
        with self._held() as connection:
            waiting = [] if connection is None else list(self._drained())
            if connection is None or not waiting:
                return
            try:
                with connection.transaction():
                    for step in waiting:
                        connection.execute(statement(step.name), step.values)
            except Unavailable:
                self._pending.extendleft(reversed(waiting))

    def _drained(self) -> Iterator[_Step]:
        """Take what waits, one step at a time: other threads may add to it meanwhile, and nothing of theirs is lost."""
        with suppress(IndexError):
            while True:
                yield self._pending.popleft()

    def _read(self, name: str, **values: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401 - what the engine binds
        with self._held() as connection, suppress(Unavailable):
            if connection is not None:
                return connection.execute(statement(name), values)
        return []

    @contextmanager
    def _held(self) -> Iterator[Connection | None]:
        """Give the connection, or None when another thread keeps it too long or the file cannot be used."""
        if not self._lock.acquire(timeout=_WAIT_S):
            yield None
            return
        try:
            if self._connection is None and not self._failed:
                with suppress(Unavailable):
                    self._connection = self._connected()
            yield self._connection
        finally:
            self._lock.release()

    def _connected(self) -> Connection:
        try:
            return self._opened()
        except CannotOpen:
            if not self._ours():
                self._failed = True
                raise
            # A power cut may ruin an unsynced file. It held hints only: begin anew.
            for tail in ("", "-wal", "-shm"):
                self._path.with_name(self._path.name + tail).unlink(missing_ok=True)
            return self._opened()

    def _ours(self) -> bool:
        """Return whether the file is a memory of use, or one that is just being made."""
        head = header(self._path)
        return not head or int.from_bytes(head[_APPLICATION_AT : _APPLICATION_AT + 4]) == _APPLICATION_ID

    def _opened(self) -> Connection:
        if self._path.exists() and not self._ours():
            raise CannotOpen(f"{self._path} is another application's file.")
        raw = connect(self._path, synchronous="OFF", vfs="", create=True, wait_s=_WAIT_S)
        connection = Connection(raw)
        try:
            if not header(self._path):
                self._path.chmod(0o600)
                connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(statement("usage_schema"))
            connection.execute(statement("usage_forget"))
        except Unavailable:
            connection.close()
            raise
        return connection
