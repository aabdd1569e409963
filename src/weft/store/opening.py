"""Opening a graph file: what it must be, how it comes to be, and what is handed out.

A graph is made under another name and takes its own when it is whole, so no other process and no crash ever meets half
a graph. A file that is not one of ours is looked at through its first 100 bytes only, and left as it is.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from weft.errors import CannotOpen, InvalidArgument, Unavailable, WeftError
from weft.location import make_folder
from weft.store.database import Database
from weft.store.engine import NO_ROOM
from weft.store.erasing import SqliteEraser
from weft.store.guard import refuse_old_engine
from weft.store.mending import SqliteHealth
from weft.store.merging import QUIET_S, Merging
from weft.store.migrate import migrate, newest_schema, refuse_newer_schema, without_room
from weft.store.moved import embedding_of
from weft.store.opened import Opened, compare_model, refuse_unfinished
from weft.store.reading import ReadDatabase, may_write
from weft.store.recut import cut_of, recut
from weft.store.sqlite import APPLICATION_ID, PERMITTED, Connection, connect, engine_version, header
from weft.store.turn import Turn
from weft.text.indexing import CUT

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from weft.model import Tier

__all__ = ["OpenedFile", "look", "open_sqlite"]

_CREATE_WAIT_S = 30.0
_MAGIC = b"SQLite format 3\x00"
_SCHEMA_AT, _APPLICATION_AT = 60, 68  # https://sqlite.org/fileformat.html §1.3


class OpenedFile(Opened):
    """An open graph in a file, which this process can look at and mend as a whole."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._file = database
        self.health = SqliteHealth(database)
        self.eraser = SqliteEraser(database)
        self._merging: Merging | None = None

    def tend(self, *, quiet_s: float = QUIET_S) -> None:
        """From now on, merge the pieces of full text ``quiet_s`` seconds after this process has last written."""
        self._merging = Merging(self._file, self.commits.written, quiet_s=quiet_s)

    def apart(self) -> AbstractContextManager[Connection]:
        """Give a connection of its own without a guard; see :meth:`weft.store.database.Database.apart`."""
        return self._file.apart()

    def close(self) -> None:
        """Close every connection; what goes on in the background ends first."""
        if self._merging is not None:
            self._merging.close()
        super().close()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """How a graph is to be opened: its embedding model, and how the engine is to treat the file."""

    name: str
    model: str
    dimension: int
    synchronous: str
    vfs: str


def open_sqlite(
    path: Path,
    *,
    tier: Tier,
    model: str,
    dimension: int,
    create: bool,
    synchronous: str = "FULL",
    vfs: str = "",
) -> OpenedFile:
    """Open the graph in the file ``path``, making it first when it is not there and ``create`` is on.

    ``model`` and ``dimension`` are the embedder's and must be those the graph was made with; an empty ``model`` is not
    compared. ``tier`` is the highest that this opening can reach. A file that this user may not write to, or whose
    folder they may not, is read; every write is refused, whatever the tier.

    Raises:
        CannotOpen: there is no graph there, or it is another application's, damaged, of a newer schema or of another
            embedding model, or the engine is too old, or this user may not use the file. It is left as it is.
    """
    refuse_old_engine(engine_version())
    path = _real(path)
    wish = _Wish(name=path.stem, model=model, dimension=dimension, synchronous=synchronous, vfs=vfs)
    if not _is_there(path):
        if not create:
            raise CannotOpen(f"There is no graph at {path}.", hint="Make one with: weft init")
        _make(path, wish)
    look(path, vfs)
    if not may_write(path):
        return OpenedFile(_reading(path, wish, tier))
    try:
        embedding = _admit(path, wish)
    except Unavailable as error:
        raise _refused(path, error) from error
    return OpenedFile(Database(path, tier=tier, synchronous=synchronous, vfs=vfs, embedding=embedding))


def _real(path: Path) -> Path:
    """Return where ``path`` leads; the engine knows no paths but such in UTF-8."""
    try:
        real = os.path.realpath(path)
        real.encode()
    except ValueError as error:
        raise CannotOpen(
            f"{str(path)!a} cannot be opened: it, or a folder in it, has a name that is not UTF-8 or holds a zero.",
            hint="Rename it, or keep the graph elsewhere.",
        ) from error
    return Path(real)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        raise CannotOpen(f"{path} cannot be looked at: {error.strerror}.", hint=PERMITTED) from error


def _refused(path: Path, error: Unavailable) -> Unavailable:
    """Return ``error``, or that this user may not use the file, or that the disk is full, where that is why."""
    if error.key == NO_ROOM:
        return without_room(path, "the disk is full")
    if may_write(path):
        return error
    return CannotOpen(f"{path} cannot be opened: this user may not write to it, or to its folder.", hint=PERMITTED)


def _make(path: Path, wish: _Wish) -> None:
    if not wish.model:
        raise InvalidArgument("A new graph needs the name of its embedding model.")
    fresh = path.with_name(f"{path.name}.new")
    try:
        made = make_folder(path.parent)
        turn = Turn(path.with_name(f"{path.name}.lock"))
        with turn.taken(_CREATE_WAIT_S):
            if not path.exists():
                _fill(fresh, wish)
                fresh.rename(path)
                _settle((path.parent, *made))
        turn.close()
    except OSError as error:
        raise CannotOpen(f"No graph can be made at {path}: {error.strerror}.", hint=PERMITTED) from error
    except Unavailable as error:
        if error.key == NO_ROOM:
            raise CannotOpen(f"No graph can be made at {path}: the disk is full.", hint="Make room on it.") from error
        if not isinstance(error.__cause__, OSError):
            raise
        raise CannotOpen(f"No graph can be made at {path}: {error.message}", hint=PERMITTED) from error


def _settle(folders: tuple[Path, ...]) -> None:
    """Make new names durable: a synced file whose name was not synced is lost all the same."""
    if os.name != "posix":
        return
    for folder in folders:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _fill(fresh: Path, wish: _Wish) -> None:
    """Make a whole graph in the file ``fresh``; what a process that died here left behind is thrown away first."""
    _discard(fresh)
    try:
        _lay(fresh, wish)
    except (OSError, WeftError):
        _discard(fresh)  # on a full disk nobody needs half a graph
        raise


def _discard(fresh: Path) -> None:
    for leftover in (fresh, *(fresh.with_name(fresh.name + tail) for tail in ("-wal", "-shm", "-journal"))):
        leftover.unlink(missing_ok=True)


def _lay(fresh: Path, wish: _Wish) -> None:
    connection = Connection(connect(fresh, synchronous="FULL", vfs=wish.vfs, create=True))
    try:
        fresh.chmod(0o600)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA journal_mode = WAL")
        migrate(connection)
        facts = {"name": wish.name, "model": wish.model, "dimension": str(wish.dimension)}
        with connection.transaction():
            for key, value in facts.items():
                connection.execute("INSERT INTO meta (key, value) VALUES (:key, :value)", {"key": key, "value": value})
        recut(connection)
        # Closing would do this too, and swallow that the disk is full; the file is renamed without its log.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.close()


def look(path: Path, vfs: str) -> None:
    """Tell from the first bytes whether the file is a graph that this Weft may open.

    Raises:
        CannotOpen: it is none, or of a newer schema.
    """
    if not path.is_file():
        raise CannotOpen(f"{path} is not a file.")
    head = header(path, vfs)
    if not head.startswith(_MAGIC):
        raise CannotOpen(f"{path} is not a graph: it is no SQLite database.")
    if int.from_bytes(head[_APPLICATION_AT : _APPLICATION_AT + 4]) != APPLICATION_ID:
        raise CannotOpen(f"{path} is not a graph: it is another application's database.")
    refuse_newer_schema(int.from_bytes(head[_SCHEMA_AT : _SCHEMA_AT + 4]), path)


def _admit(path: Path, wish: _Wish) -> str:
    """Bring an existing graph to the newest schema and cut of words, compare its embedding model, and return that."""
    log_left = path.with_name(f"{path.name}-wal").exists()
    try:
        connection = Connection(connect(path, synchronous=wish.synchronous, vfs=wish.vfs))
        try:
            if log_left:
                connection.leave_log()
            migrate(connection)
            meta = dict(connection.execute("SELECT key, value FROM meta"))
            refuse_unfinished(meta)
            compare_model(meta, wish.model, wish.dimension)
            recut(connection)
            return embedding_of(meta)
        finally:
            connection.close()
    except CannotOpen as error:
        raise CannotOpen(f"{path} cannot be opened: {error.message}", hint=error.hint) from error


def _reading(path: Path, wish: _Wish, tier: Tier) -> ReadDatabase:
    """Return the graph as one that is only read, once its embedding model, schema and cut of words are these."""
    database = ReadDatabase(path, tier=tier, synchronous=wish.synchronous, vfs=wish.vfs)
    with database.apart() as connection:
        schema = connection.schema()
        if schema < newest_schema():
            raise _older(path, f"has schema {schema}, and this Weft needs {newest_schema()}")
        meta = dict(connection.execute("SELECT key, value FROM meta"))
        try:
            refuse_unfinished(meta)
            compare_model(meta, wish.model, wish.dimension)
        except CannotOpen as error:
            raise CannotOpen(f"{path} cannot be opened: {error.message}", hint=error.hint) from error
        if cut_of(connection) != CUT:
            raise _older(path, "holds words that another Weft has cut")
    database.embedding = embedding_of(meta)
    return database


def _older(path: Path, why: str) -> CannotOpen:
    return CannotOpen(
        f"{path} {why}; this user may not write to it, or to its folder.",
        hint="Have a user who may write open it once with this Weft: weft status",
    )
