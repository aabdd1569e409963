"""The memory of use of an embedded graph, in a small unsynced file of its own beside the graph."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from weft.errors import CannotOpen, Unavailable
from weft.store.remembering import AUDITED_MAX, WAIT_S, UsageMemory
from weft.store.sqlite import Connection, connect, header
from weft.store.statements import statement

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from weft.store.remembering import Rows, Slate, Step

__all__ = ["SqliteUsage", "open_usage"]

_APPLICATION_ID = int.from_bytes(b"WefU")
_APPLICATION_AT = 68

T = TypeVar("T")


def open_usage(path: Path) -> SqliteUsage:
    """Return the memory of use in the file ``path``; it is made when it is first needed."""
    return SqliteUsage(path)


class SqliteUsage(UsageMemory):
    """The memory of use in the file ``path``. Safe for threads and processes."""

    def __init__(self, path: Path) -> None:
        super().__init__(_File(path))


class _Slate:
    """The file of the memory, open."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def write(self, steps: Sequence[Step]) -> None:
        with self._connection.transaction():
            for step in steps:
                self._connection.execute(statement(step.name), step.values)

    def read(self, name: str, values: Mapping[str, Any]) -> Rows:
        return self._connection.execute(statement(name), values)


class _File:
    """The file: one connection, used by whoever calls, one after the other."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._failed = False

    def use(self, work: Callable[[Slate], T], otherwise: T) -> T:
        """Return what ``work`` makes of the file, or ``otherwise`` where it is not free or cannot be used."""
        if not self._lock.acquire(timeout=WAIT_S):
            return otherwise
        try:
            with suppress(Unavailable):
                if self._connection is None and not self._failed:
                    self._connection = self._connected()
                if self._connection is not None:
                    return work(_Slate(self._connection))
        finally:
            self._lock.release()
        return otherwise

    def damage(self) -> str:
        """Return what the engine says against the file; empty: nothing, or it is not there for this user."""
        if not self._path.exists() or not self._usable():
            return ""
        if not self._ours():
            return f"{self._path.name} is another application's file."
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

    def fold(self) -> bool:
        """Write the file anew without what was let go, and return whether nothing of it is left."""
        return not self._path.exists() or self.use(lambda _: self._folded(), otherwise=False)

    def _folded(self) -> bool:
        if self._connection is None:
            return False
        self._connection.execute("VACUUM")
        return bool(self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")[0][0] == 0)

    def renew(self) -> None:
        """Begin with an empty file; the old one is kept beside it, with ``.damaged`` at its end."""
        with self._lock:
            self._end()
            for tail in ("-wal", "-shm"):
                self._path.with_name(self._path.name + tail).unlink(missing_ok=True)
            self._path.replace(self._path.with_name(f"{self._path.name}.damaged"))
            self._failed = False

    def close(self, last: Callable[[Slate], None] | None) -> None:
        """Do ``last``, if the file is free, and close it for good."""
        if last is not None:
            self.use(last, None)
        with self._lock:
            self._failed = True
            self._end()

    def _end(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _usable(self) -> bool:
        """Return whether this user may write to the file and beside it; who may not goes without a memory of use."""
        return os.access(self._path.parent, os.W_OK | os.X_OK) and (
            not self._path.exists() or os.access(self._path, os.R_OK | os.W_OK)
        )

    def _connected(self) -> Connection:
        if not self._usable():
            self._failed = True
            raise CannotOpen(f"{self._path} cannot be used by this user.")
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
        raw = connect(self._path, synchronous="OFF", vfs="", create=True, wait_s=WAIT_S)
        connection = Connection(raw)
        try:
            if not header(self._path):
                self._path.chmod(0o600)
                connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(statement("usage_schema"))
            connection.execute(statement("usage_forget"))
            connection.execute(statement("usage_audit_kept"), {"limit": AUDITED_MAX})
        except Unavailable:
            connection.close()
            raise
        return connection
