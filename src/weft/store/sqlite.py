"""A connection to one graph file: the only module that knows the engine.

The rest of the store asks it as a :class:`weft.store.engine.Database`. Here a list or a tuple travels as a JSON array
(``json_each(:ids)`` in the query). Every failure of the engine comes out as a :class:`weft.errors.WeftError`.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import apsw

from weft.errors import CannotOpen, Conflict, InvalidArgument, PermissionDenied, Unavailable, WeftError
from weft.model import Tier
from weft.store.binding import bound
from weft.store.engine import NO_ROOM, Misunderstood
from weft.store.forking import EngineCall, let_go_in_child, spoilt
from weft.store.guard import Access, allowed, tier_needed
from weft.store.statements import statement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from weft.store.engine import Bound

__all__ = [
    "APPLICATION_ID",
    "PERMITTED",
    "Connection",
    "Reader",
    "Writer",
    "connect",
    "connect_reading",
    "engine_version",
    "header",
]

APPLICATION_ID = int.from_bytes(b"Weft")

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_WAIT_S = 30.0
_STATEMENTS = 256
_HEADER_BYTES = 100
_OPERATIONS = {
    code: name.removeprefix("SQLITE_")
    for code, name in apsw.mapping_authorizer_function.items()
    if isinstance(code, int) and isinstance(name, str)
}

_SETTINGS = (
    ("foreign_keys", "ON"),
    ("recursive_triggers", "ON"),  # else REPLACE deletes rows past the guards
    ("trusted_schema", "OFF"),
    ("cell_size_check", "ON"),
    ("mmap_size", "0"),
    ("temp_store", "MEMORY"),
    ("cache_size", "-8000"),
    ("wal_autocheckpoint", "4000"),  # pages: hot ones are written back once for many commits
    ("journal_size_limit", "67108864"),
)
_CONFIG = (
    (apsw.SQLITE_DBCONFIG_DEFENSIVE, 1),
    (apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
    (apsw.SQLITE_DBCONFIG_ENABLE_FKEY, 1),
    (apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 1),
    (apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
    (apsw.SQLITE_DBCONFIG_DQS_DML, 0),
    (apsw.SQLITE_DBCONFIG_DQS_DDL, 0),
    (apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1),  # a plan never depends on the values bound to it
)

PERMITTED = "Open it as a user who may write to the file and to its folder, or point --graph at another graph."
"""What to do about a file that this user may not use."""

_BUSY = "The graph has been busy for more than 30 s: another process is writing to it."
_BUG = "The store asked the engine for something it does not understand; this is a fault in Weft."
_DAMAGED = "The graph's file is damaged."

# What each of the engine's errors means to a caller. AuthError and ConstraintError are told apart further below.
_MEANING: dict[type[apsw.Error], tuple[type[WeftError], str]] = {
    apsw.BusyError: (Unavailable, _BUSY),
    apsw.LockedError: (Unavailable, _BUSY),
    apsw.ProtocolError: (Unavailable, _BUSY),
    apsw.FullError: (Unavailable, "The disk is full: nothing was written, and reading goes on."),
    apsw.IOError: (Unavailable, "The disk did not do what it was asked: nothing was acknowledged."),
    apsw.ReadOnlyError: (Unavailable, "The graph's file may not be written to."),
    apsw.PermissionsError: (Unavailable, "The graph's file may not be used by this user."),
    apsw.CantOpenError: (CannotOpen, "The graph's file cannot be opened."),
    apsw.NotADBError: (CannotOpen, "The file is not a graph."),
    apsw.FormatError: (CannotOpen, "The file is not a graph."),
    apsw.CorruptError: (CannotOpen, _DAMAGED),
    apsw.EmptyError: (CannotOpen, _DAMAGED),
    apsw.NoLFSError: (CannotOpen, "This system cannot hold a file as large as the graph's."),
    apsw.NoMemError: (Unavailable, "There is not enough memory."),
    apsw.InterruptError: (Unavailable, "The work was interrupted: nothing was written."),
    apsw.AbortError: (Unavailable, "The work was interrupted: nothing was written."),
    apsw.SchemaChangeError: (Unavailable, "The graph was upgraded meanwhile."),
    apsw.TooBigError: (InvalidArgument, "A text is too large for the graph."),
    apsw.MismatchError: (InvalidArgument, "A value is of the wrong type."),
    apsw.ConnectionClosedError: (Unavailable, "The graph is closed."),
}
_FORBIDDEN = (apsw.ReadOnlyError, apsw.PermissionsError)


def fault(error: apsw.Error, denied: Access | None = None) -> WeftError:
    """Return what the engine's ``error`` means to a caller; ``denied`` is the last access that the guard refused."""
    said = str(error)
    if said.startswith("weft: "):
        return PermissionDenied(f"{said[6:7].upper()}{said[7:]}.")
    if isinstance(error, apsw.AuthError) or (denied and isinstance(error, apsw.SQLError)):
        return _denied(denied)
    if isinstance(error, apsw.ConstraintError):
        if getattr(error, "extendedresult", 0) in (apsw.SQLITE_CONSTRAINT_UNIQUE, apsw.SQLITE_CONSTRAINT_PRIMARYKEY):
            return Conflict(f"Something else already stands there ({said}).")
        return InvalidArgument(f"A value breaks a rule of the graph ({said}).")
    full = _is_full(error)
    kind, meaning = _MEANING.get(apsw.FullError if full else type(error), (Misunderstood, _BUG))
    hint = PERMITTED if isinstance(error, _FORBIDDEN) else ""
    return kind(f"{meaning} ({said})", hint=hint, key=NO_ROOM if full else "")


def _is_full(error: apsw.Error) -> bool:
    """Return whether the disk is full: the engine says less where not even the index of its log finds room."""
    return isinstance(error, apsw.FullError) or getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_SHMSIZE


def _denied(access: Access | None) -> PermissionDenied:
    if access is None:
        return PermissionDenied("The engine refused a statement that this tier does not reach.")
    needed = tier_needed(access)
    where = ".".join(part for part in (access.table, access.column) if part)
    who = f"needs tier {needed.label}" if needed else "is not allowed to any tier"
    return PermissionDenied(f"{access.operation} {where} {who}.".replace("  ", " "))


def engine_version() -> str:
    """Return the version of the SQLite engine inside apsw."""
    return apsw.sqlite_lib_version()


def header(path: Path, vfs: str = "") -> bytes:
    """Return the first 100 bytes of the file, read through the engine so that no lock of this process is lost.

    Raises:
        CannotOpen: it cannot be read.
    """
    flags = [apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_MAIN_DB, 0]
    with EngineCall():
        try:
            file = apsw.VFSFile(vfs, str(path), flags)
            try:
                return file.xRead(_HEADER_BYTES, 0)
            finally:
                file.xClose()
        except apsw.Error as error:
            raise CannotOpen(f"{path} cannot be read ({error}).") from error


class Connection:
    """One connection of the engine, used by one thread at a time, that reads and writes by the names of queries."""

    def __init__(self, raw: apsw.Connection, tier: Tier = Tier.CURATOR) -> None:
        self._raw = raw
        self._call = EngineCall()
        self._denied: Access | None = None
        self._sparing = sparing = [True]  # a function that knew this connection would keep it alive for ever
        let_go_in_child(self)
        flags = apsw.SQLITE_INNOCUOUS
        raw.create_scalar_function("weft_tier", lambda *_: int(tier), 0, flags=flags)
        raw.create_scalar_function("weft_spares", lambda *_: int(sparing[0]), 0, flags=flags)

    def spare(self, *, documents: bool) -> None:
        """Say whether documents must be spared from now on; at first they must."""
        self._sparing[0] = documents

    def execute(self, sql: str, values: Mapping[str, Any] = _NOTHING) -> list[tuple[Any, ...]]:
        """Run ``sql`` and return its rows; errors of the engine come out as Weft's."""
        self._denied = None
        try:
            with self._call:
                return self._raw.execute(sql, bound(values)).fetchall()
        except apsw.Error as error:
            raise fault(error, self._denied) from error
        except (UnicodeEncodeError, OverflowError) as error:
            raise InvalidArgument(f"A value cannot be stored: {error}.") from error

    def execute_many(self, sql: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Run ``sql`` once for each of ``rows``, whose values stand in the order of its marks."""
        try:
            with self._call:
                self._raw.executemany(sql, rows)
        except apsw.Error as error:
            raise fault(error) from error

    def read(self, name: str, /, *, where: tuple[str, ...] = (), **values: Bound) -> list[tuple[Any, ...]]:
        """Return all rows of the query ``name``."""
        return self.execute(statement(name, where), values)

    def gather(self, *asked: tuple[str, Mapping[str, Bound]]) -> list[list[tuple[Any, ...]]]:
        """Return all rows of each of these queries: its name, and its values."""
        return [self.execute(statement(name), values) for name, values in asked]

    def run(self, name: str, /, **values: Bound) -> int:
        """Run the statement ``name`` and return how many rows it changed."""
        self.execute(statement(name), values)
        return self._raw.changes()

    def put(self, name: str, /, **values: Bound) -> None:
        """Run the statement ``name``."""
        self.execute(statement(name), values)

    @contextmanager
    def transaction(self, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
        """Hold the engine's write lock for the block; commit durably at its end, or undo all of it on any error."""
        with self._call:
            self.execute(begin)
            try:
                yield
                self.execute("COMMIT")
            finally:
                # True after an error only, and not even then where a full disk or a failed sync has rolled back.
                if self._raw.in_transaction:
                    self.execute("ROLLBACK")

    def schema(self) -> int:
        """Return the number of the schema the graph has."""
        return int(self.execute("PRAGMA user_version")[0][0])

    def setting(self, name: str) -> object:
        """Return what the engine's setting ``name`` is."""
        return self.execute(f"PRAGMA {name}")[0][0]

    def heed_interrupts(self) -> None:
        """Let Ctrl-C end a long statement."""
        self._raw.set_progress_handler(lambda: False, 100_000)

    def leave_log(self) -> None:
        """Have the write-ahead log left beside the file at closing, as it was found."""
        self._raw.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)

    def close(self) -> None:
        """Close the connection."""
        with self._call:
            self._raw.close()

    def let_go(self) -> None:
        """Close the connection in a forked child, and leave the file and its log as they are."""
        if spoilt():  # whoever was in the engine holds its locks for ever
            return
        with suppress(apsw.Error):
            self.leave_log()
            self._raw.close()


class Reader(Connection):
    """A connection behind its tier's guard, for reading."""

    def __init__(self, raw: apsw.Connection, tier: Tier) -> None:
        super().__init__(raw, tier)
        self._tier = tier
        raw.authorizer = self._authorize

    def plan(self, name: str, /, *, where: tuple[str, ...] = (), **values: Bound) -> list[str]:
        """Return how the engine would run the query, one line a step."""
        return [row[3] for row in self.execute(f"EXPLAIN QUERY PLAN {statement(name, where)}", values)]

    def permits(self, access: Access) -> bool:
        """Return whether this connection may do that."""
        return allowed(self._tier, access)

    def _authorize(
        self, operation: int, first: str | None, second: str | None, _schema: str | None, trigger: str | None
    ) -> int:
        access = Access(_OPERATIONS.get(operation, "?"), first or "", second or "", trigger or "")
        if self.permits(access):
            return apsw.SQLITE_OK
        self._denied = access
        return apsw.SQLITE_DENY


class Writer(Reader):
    """A reader that may also write, as far as its tier goes; see :meth:`spare`."""


def connect(
    path: Path, *, synchronous: str, vfs: str, create: bool = False, wait_s: float = _WAIT_S
) -> apsw.Connection:
    """Return a bare connection with every setting of ours, but no guard yet.

    Raises:
        CannotOpen: the file cannot be opened, or holds no database.
    """
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create else 0)
    with EngineCall():
        return _prepared(_opened(path, str(path), flags, vfs), synchronous, wait_s)


def connect_reading(path: Path, *, manner: str, vfs: str) -> apsw.Connection:
    """Return a bare connection that makes no file and writes to none, after it has read once.

    ``manner`` is how the engine is to take the file, as in its URIs (https://sqlite.org/uri.html): ``immutable=1``,
    ``readonly_shm=1``, or nothing.

    Raises:
        CannotOpen: the file cannot be opened in this manner.
        Unavailable: it cannot be read just now.
    """
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    with EngineCall():
        raw = _prepared(_opened(path, f"{path.as_uri()}?{manner}", flags, vfs), "FULL", _WAIT_S)
        try:
            raw.pragma("schema_version")
        except apsw.Error as error:
            raw.close()
            raise fault(error) from error
    return raw


def _opened(path: Path, address: str, flags: int, vfs: str) -> apsw.Connection:
    try:
        return apsw.Connection(address, flags=flags, vfs=vfs or None, statementcachesize=_STATEMENTS)
    except apsw.Error as error:
        raise CannotOpen(f"{path} cannot be opened ({error}).") from error


def _prepared(raw: apsw.Connection, synchronous: str, wait_s: float) -> apsw.Connection:
    """Return ``raw`` with every setting of ours; it is closed where that fails."""
    try:
        raw.set_busy_timeout(int(wait_s * 1000))
        for option, value in _CONFIG:
            raw.config(option, value)
        for name, setting in (*_SETTINGS, ("synchronous", synchronous)):
            raw.pragma(name, setting)
    except apsw.Error as error:
        raw.close()
        raise fault(error) from error
    return raw
