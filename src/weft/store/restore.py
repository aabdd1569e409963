"""A backup put in the place of a graph: verified first, and only while nobody else has the graph open."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from weft.errors import CannotOpen, InvalidArgument, Unavailable
from weft.location import make_folder
from weft.model import Restored
from weft.store.backup import copied, in_place, part_of, settle, without_tokens
from weft.store.ground import examined
from weft.store.migrate import migrate
from weft.store.opening import look
from weft.store.recut import recut
from weft.store.sqlite import Connection, connect
from weft.store.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from weft.model import Progress

__all__ = ["restore"]

_TURN_S: Final = 30.0
_OPEN_S: Final = 2.0
_NAMED_MAX: Final = 3
_COLUMNS: Final = "id, hash, actor, role, created_at, created_by, expires_at, revoked_at"


def restore(path: Path, backup: Path, *, at: datetime, report: Progress | None = None) -> Restored:
    """Put the graph of the file ``backup`` in the place of the one at ``path``, and keep that one beside it.

    The backup is copied first, brought to this release's schema and looked at as a whole; it is left as it is. The
    graph that is replaced gets a name with ``at`` in it, and hands its tokens on: who was let in is let in still, and
    who was locked out is not. A process that opens the graph meanwhile waits.

    Raises:
        CannotOpen: the backup is no graph, is of a newer schema, or is damaged; nothing was touched.
        InvalidArgument: the backup is the graph itself, or not there.
        Unavailable: another process has the graph open.
    """
    path = Path(os.path.realpath(path))
    if not backup.is_file():
        raise InvalidArgument(f"path: there is no file at {backup}")
    if path.exists() and path.samefile(backup):
        raise InvalidArgument(f"path: {backup} is the graph itself.")
    look(backup, "")
    try:
        make_folder(path.parent)
        with part_of(path) as part:
            changes = _taken(backup, part, report)
            replaced = _swapped(part, path, at)
    except OSError as error:
        raise Unavailable.by_system(f"{path} cannot be replaced", error) from error
    return Restored(path=str(path), replaced=replaced, changes=changes)


def _taken(backup: Path, part: Path, report: Progress | None) -> int:
    """Copy the backup into ``part``, bring it up and verify it; return how many changes it holds."""
    source = Connection(connect(backup, synchronous="OFF", vfs=""))
    try:
        source.leave_log()
        copied(source, part)
    finally:
        source.close()
    fresh = Connection(connect(part, synchronous="FULL", vfs=""))
    try:
        fresh.execute("PRAGMA journal_mode = WAL")
        migrate(fresh)
        without_tokens(fresh)
        recut(fresh)
    finally:
        fresh.close()  # what the log holds goes into the file
    verifying = Connection(connect(part, synchronous="FULL", vfs=""))
    try:
        checkup = examined(verifying, report)
        lost = [finding.what for finding in checkup.found if not finding.derived]
    finally:
        verifying.close()
    if lost:
        raise CannotOpen(
            f"{backup} is damaged: {' '.join(lost[:_NAMED_MAX])}",
            hint="Nothing was replaced. Take an earlier backup.",
        )
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    return checkup.changes


def _swapped(part: Path, path: Path, at: datetime) -> str:
    turn = Turn(path.with_name(f"{path.name}.lock"))
    try:
        with turn.taken(_TURN_S):
            if not path.exists():
                in_place(part, path, replace=True)
                return ""
            aside = _free(path, at)
            _hand_tokens_on(path, part)
            with _nobody_else(path):
                os.link(path, aside)
                _move_log(path, aside)
                in_place(part, path, replace=True)
            _use_log(aside)
            return str(aside)
    finally:
        turn.close()


def _hand_tokens_on(path: Path, part: Path) -> None:
    """Give the restored graph the tokens of the one that it replaces; of a damaged one none can be had."""
    rows: list[tuple[object, ...]] = []
    try:
        old = Connection(connect(path, synchronous="FULL", vfs=""))
        try:
            if old.execute("SELECT 1 FROM sqlite_schema WHERE name = 'token'"):
                rows = old.execute(f"SELECT {_COLUMNS} FROM token")
        finally:
            old.close()
    except Unavailable:
        return
    if not rows:
        return
    fresh = Connection(connect(part, synchronous="FULL", vfs=""))
    names = _COLUMNS.split(", ")
    try:
        with fresh.transaction():
            for row in rows:
                values = ", ".join(f":{name}" for name in names)
                fresh.execute(f"INSERT INTO token ({_COLUMNS}) VALUES ({values})", dict(zip(names, row, strict=True)))
    finally:
        fresh.close()


def _free(path: Path, at: datetime) -> Path:
    """Return a name beside ``path`` that no file has."""
    stem = f"{path.stem}.replaced-{at:%Y%m%dT%H%M%S}"
    names = (path.with_name(f"{stem}{f'-{number}' if number else ''}.db") for number in range(1000))
    return next(name for name in names if not name.exists())


@contextmanager
def _nobody_else(path: Path) -> Iterator[None]:
    """Keep every other process out of the graph's file, with all that was written in it and nothing in its log.

    Leaving the write-ahead log takes a lock that the engine gives to the only user of a file. A file that is no graph
    any more cannot be in anybody's use.

    Raises:
        Unavailable: another process has it open.
    """
    try:
        connection = Connection(connect(path, synchronous="FULL", vfs="", wait_s=_OPEN_S))
    except CannotOpen:
        yield  # damaged: nobody can have it in use
        return
    try:
        _keep_out(connection, path)
        yield
    finally:
        connection.close()


def _keep_out(connection: Connection, path: Path) -> None:
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        left = connection.execute("PRAGMA journal_mode = DELETE") == [("delete",)]
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
    except CannotOpen:
        return  # damaged, likewise
    except Unavailable:
        left = False
    if not left:
        raise Unavailable(
            f"Another process has {path} open.",
            hint="End it (weft serve, an agent's session, another command), and restore then. Nothing was replaced.",
        )


def _move_log(path: Path, aside: Path) -> None:
    """Let the log of a damaged graph go with it; of a sound one there is none by now."""
    log = path.with_name(f"{path.name}-wal")
    if log.exists():
        log.replace(aside.with_name(f"{aside.name}-wal"))
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)


def _use_log(aside: Path) -> None:
    """Have the graph that was set aside be one that Weft opens as any other."""
    settle(aside.parent)
    try:
        connection = Connection(connect(aside, synchronous="FULL", vfs=""))
    except Unavailable:
        return
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except Unavailable:
        return
    finally:
        connection.close()
