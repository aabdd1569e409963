"""The memory of use, in a small unsynced file of its own beside the graph.

Readers write it too, so it lies outside the graph's transaction and tier, and it never stands in the way: what is to be
written waits in memory, and a thread of its own writes it a moment later, much at once. Whoever asks has what waits
written first. When the file fails for good, a hint is lost, no more.
"""

from __future__ import annotations

import threading
from collections import deque
from contextlib import contextmanager, suppress
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, NamedTuple

from weft.errors import CannotOpen, Unavailable
from weft.model import AuditEntry, HintCount
from weft.model.codec import time_from, time_text
from weft.store.sqlite import Connection, connect, header
from weft.store.statements import statement

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

__all__ = ["SqliteUsage", "open_usage"]

_WAIT_S = 0.02
_GATHER_S = 0.1
_PENDING_MAX = 1000
_PENDING_MANY = 500
_NOTED_MAX = 200
_AUDITED_MAX = 10_000
_FOLDS_MAX = 50
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
    """The :class:`weft.ports.Usage` of an embedded graph. Safe for threads and processes; no call waits 50 ms.

    Another process sees what is written here a tenth of a second later.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._failed = False
        self._pending: deque[_Step] = deque(maxlen=_PENDING_MAX)
        self._waiting = threading.Event()
        self._closing = threading.Event()
        self._writing: threading.Thread | None = None

    def touch(self, ids: Sequence[str], *, at: datetime) -> None:
        """Count one use of each of these nodes."""
        moment = time_text(at)
        self._remember([_Step("usage_touch", {"node": id_, "at": moment}) for id_ in ids])

    def uses(self, ids: Sequence[str]) -> Mapping[str, tuple[int, datetime]]:
        """Return how often and when last each of these nodes was used; unused ones are left out."""
        self._write()
        rows = self._read("usage_uses", ids=list(ids))
        return {node: (count, time_from(last)) for node, count, last in rows}

    def restore(self, uses: Mapping[str, tuple[int, datetime]]) -> None:
        """Take over what another memory knew of these nodes; where both know something, the larger counts."""
        known = ({"node": node, "count": count, "at": time_text(last)} for node, (count, last) in uses.items())
        self._remember([_Step("usage_restore", values) for values in known])

    def note(self, *, caller: str, event: str, subject: str, at: datetime) -> None:
        """Remember that ``caller`` did ``event`` about ``subject``."""
        values = {"caller": caller, "event": event, "subject": subject, "at": time_text(at)}
        self._remember([_Step("usage_note", values), _Step("usage_count", {"event": event})])

    def noted(self, *, caller: str, event: str, since: datetime) -> tuple[str, ...]:
        """Return the subjects of ``event`` by ``caller`` since then, newest first, 200 at most."""
        self._write()
        key = {"caller": caller, "event": event}
        found = dict(self._read("usage_noted", since=time_text(since), limit=_NOTED_MAX, **key))
        for step in tuple(self._pending):
            if key.items() <= step.values.items() and step.values.get("at", "") >= time_text(since):
                found[step.values["subject"]] = step.values["at"]
        return tuple(sorted(found, key=lambda subject: found[subject], reverse=True))[:_NOTED_MAX]

    def tallies(self) -> Mapping[str, int]:
        """Return how often each event happened, over all callers."""
        self._write()
        return dict(self._read("usage_tallies"))

    def offered(self, *, caller: str, after: str, hints: Sequence[str], at: datetime) -> None:
        """Remember that ``caller`` was given these hints (tools, or keys of prerequisites) by the tool ``after``."""
        given = {"caller": caller, "after": after, "at": time_text(at)}
        self._remember([_Step("usage_hint_offer", {**given, "hint": hint}) for hint in hints])

    def did(self, *, caller: str, hints: Sequence[str], since: datetime) -> None:
        """Count the hints that ``caller`` was given since then and has followed now, by doing what they offered."""
        values = {"caller": caller, "hints": list(hints), "since": time_text(since)}
        self._remember([_Step("usage_hint_followed", values), _Step("usage_hint_taken", values)])

    def hints(self, *, since: datetime) -> tuple[HintCount, ...]:
        """Return how often each hint was followed and ignored; one that is older than ``since`` was ignored."""
        values = {"since": time_text(since)}
        self._remember([_Step("usage_hint_ignored", values), _Step("usage_hint_expired", values)])
        self._write()
        return tuple(
            HintCount(after=after, hint=hint, followed=followed, ignored=ignored, open=left)
            for after, hint, followed, ignored, left in self._read("usage_hints")
        )

    def audit(self, entry: AuditEntry) -> None:
        """Keep a call of an audited tool, done or refused."""
        self._remember([_Step("usage_audit", {**asdict(entry), "at": time_text(entry.at)})])

    def audits(self, *, limit: int) -> tuple[AuditEntry, ...]:
        """Return the newest calls of audited tools, newest first."""
        self._write()
        names = [each.name for each in fields(AuditEntry)]
        rows = (dict(zip(names, row, strict=True)) for row in self._read("usage_audits", limit=limit))
        return tuple(AuditEntry(**{**row, "at": time_from(row["at"])}) for row in rows)

    def damage(self) -> str:
        """Return what the engine says against the file; empty: nothing, or it is not there."""
        if not self._path.exists():
            return ""
        if not self._ours():
            return f"{self._path.name} is another application's file."
        self._write()
        try:
            with self._lock:
                connection = Connection(connect(self._path, synchronous="OFF", vfs=""))
                try:
                    said = [row[0] for row in connection.execute("PRAGMA integrity_check(5)") if row != ("ok",)]
                finally:
                    connection.close()
        except Unavailable as error:
            return error.message
        return "; ".join(said)

    def erase(self, texts: Sequence[str], *, node: str) -> None:
        """Let go of a node, of what callers looked for, and of what was recorded with one of ``texts`` in it."""
        steps = [_Step("usage_let_go", {"node": node}), _Step("usage_notes_let_go", {})]
        self._remember([*steps, *(_Step("usage_audit_blank", {"text": text}) for text in texts)])

    def fold(self) -> bool:
        """Write the file anew without what was let go, and return whether nothing of it is left."""
        if not self._path.exists():
            return True
        for _ in range(_FOLDS_MAX):
            self._write()
            if not self._pending:
                break
        with self._held() as connection, suppress(Unavailable):
            if connection is not None and not self._pending:
                connection.execute("VACUUM")
                return bool(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")[0][0] == 0)
        return False

    def renew(self) -> None:
        """Begin with an empty file; the old one is kept beside it, with ``.damaged`` at its end."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            for tail in ("-wal", "-shm"):
                self._path.with_name(self._path.name + tail).unlink(missing_ok=True)
            self._path.replace(self._path.with_name(f"{self._path.name}.damaged"))
            self._failed = False

    def close(self) -> None:
        """Write what waits, if the file is free, and close it."""
        self._closing.set()
        self._waiting.set()
        if self._writing is not None:
            self._writing.join()
        self._write()
        with self._lock:
            self._failed = True
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _remember(self, steps: list[_Step]) -> None:
        """Have these steps written soon; at once where so many wait that the next ones might push some out."""
        self._pending.extend(steps)
        if len(self._pending) > _PENDING_MANY:
            self._write()
        elif not self._waiting.is_set():
            self._waiting.set()
            if self._writing is None:
                self._start()

    def _start(self) -> None:
        with self._lock:
            if self._writing is None and not self._closing.is_set():
                self._writing = threading.Thread(target=self._write_often, name="weft-usage", daemon=True)
                self._writing.start()

    def _write_often(self) -> None:
        """Write what waits, a moment after the first of it came, until the file is closed."""
        while not self._closing.is_set():
            self._waiting.wait()
            self._closing.wait(_GATHER_S)
            self._waiting.clear()
            self._write()

    def _write(self) -> None:
        """Write what waits, unless the file is not free."""
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
            connection.execute(statement("usage_audit_kept"), {"limit": _AUDITED_MAX})
        except Unavailable:
            connection.close()
            raise
        return connection
