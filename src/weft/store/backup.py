"""Copies of a graph file: made through the engine while others write, verified, and in place only when whole.

A copy is made under another name, synced, and then takes its own. Its maker holds a lock on it meanwhile, so that the
next one can tell what a process that died has left behind, and clears it away. No copy holds a token: restoring an old
one must not let in again whom somebody locked out since.
"""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager
from glob import escape
from typing import TYPE_CHECKING, Final

from filelock import lock_descriptor

from weft.errors import CannotOpen, Conflict, InvalidArgument, Unavailable
from weft.location import make_folder
from weft.model import BackedUp
from weft.store.sqlite import Connection, connect
from weft.text import beginning

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.store.database import Database

__all__ = ["back_up", "copied", "in_place", "part_begins", "part_of", "settle", "without_tokens"]

_TAILS: Final = ("", "-wal", "-shm", "-journal")
_NAME_MAX_BYTES: Final = 228
"""What of a name goes into that of its unfinished copy: a system allows 255 bytes, and the engine adds «-journal»."""


def back_up(database: Database, target: Path, *, replace: bool = False) -> BackedUp:
    """Copy the graph as it stands now to the file ``target``; everything acknowledged before the call is in it.

    Writers go on meanwhile. The copy is one plain file without the space that was freed.

    Raises:
        InvalidArgument: ``target`` is a folder or the graph itself.
        Conflict: there is a file already, and ``replace`` is off.
        Unavailable: it cannot be written, or does not hold together; no half file is left.
    """
    target = target.absolute()
    if target.is_dir():
        raise InvalidArgument(f"path: {target} is a folder; name the file to make.")
    if target.exists() and target.samefile(database.path):
        raise InvalidArgument(f"path: {target} is the graph itself.")
    if target.exists() and not replace:
        raise Conflict(f"path: {target} is there already.", hint="Name another file, or add --force.")
    try:
        make_folder(target.parent)
        with part_of(target) as part:
            with database.apart() as connection:
                copied(connection, part)
            _leave_tokens(part)
            changes = _verified(part)
            in_place(part, target, replace=replace)
    except FileExistsError as error:
        raise Conflict(f"path: {target} is there already.", hint="Name another file, or add --force.") from error
    except OSError as error:
        raise Unavailable.by_system(f"path: {target} cannot be written", error) from error
    return BackedUp(path=str(target), size_bytes=target.stat().st_size, changes=changes)


def copied(connection: Connection, part: Path) -> None:
    """Copy the graph behind ``connection``, as of one moment, into the empty file ``part``, and sync it."""
    connection.heed_interrupts()
    connection.execute("VACUUM INTO :path", {"path": str(part)})
    with part.open("rb+") as file:  # the engine does not sync what it copies so
        os.fsync(file.fileno())


def _leave_tokens(part: Path) -> None:
    copy = Connection(connect(part, synchronous="FULL", vfs=""))
    try:
        without_tokens(copy)
    finally:
        copy.close()


def without_tokens(copy: Connection) -> None:
    """Take every token out of a copy that nobody has opened yet, and leave no trace of one in its file."""
    if not copy.execute("SELECT 1 FROM token LIMIT 1"):
        return
    [(guard,)] = copy.execute("SELECT sql FROM sqlite_schema WHERE name = 'token_kept'")
    copy.execute("PRAGMA secure_delete = ON")
    with copy.transaction():
        copy.execute("DROP TRIGGER token_kept")
        copy.execute("DELETE FROM token")
        copy.execute(guard)


def _verified(part: Path) -> int:
    """Return how many changes the copy holds; raises Unavailable where it does not hold together."""
    connection = Connection(connect(part, synchronous="OFF", vfs=""))
    try:
        said = connection.execute("PRAGMA quick_check(1)")
        if said != [("ok",)]:
            raise Unavailable(f"The graph is damaged ({said[0][0]}): no copy was made.", hint="Run: weft doctor")
        return int(connection.execute("SELECT coalesce(max(seq), 0) FROM change")[0][0])
    except CannotOpen as error:
        raise Unavailable(f"{error.message} No copy was made.", hint="Run: weft doctor") from error
    finally:
        connection.close()


@contextmanager
def part_of(target: Path) -> Iterator[Path]:
    """Give an empty file beside ``target``, private to its owner, that is gone when the block ends."""
    _sweep(target)
    part = target.with_name(f"{part_begins(target)}{secrets.token_hex(6)}.part")
    descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        lock_descriptor(descriptor, blocking=False)
        yield part
    finally:
        _clear(part)
        os.close(descriptor)


def part_begins(target: Path) -> str:
    """Return how the names of unfinished copies of ``target`` begin; of a name of more than 228 bytes, with so many."""
    return f".{beginning(target.name, most=_NAME_MAX_BYTES)}."


def _clear(part: Path) -> None:
    for tail in _TAILS:
        part.with_name(part.name + tail).unlink(missing_ok=True)


def _sweep(target: Path) -> None:
    """Clear away the unfinished copies of makers that are no more."""
    for left in target.parent.glob(f"{escape(part_begins(target))}*.part"):
        try:
            descriptor = os.open(left, os.O_RDWR)
        except OSError:
            continue
        try:
            if lock_descriptor(descriptor, blocking=False):
                _clear(left)
        finally:
            os.close(descriptor)


def in_place(part: Path, target: Path, *, replace: bool) -> None:
    """Give the whole and synced file ``part`` its name, durably.

    Raises:
        FileExistsError: the name is taken, and ``replace`` is off.
    """
    if replace:
        part.replace(target)
    else:
        os.link(part, target)
    settle(target.parent)


def settle(folder: Path) -> None:
    """Make the names in ``folder`` durable."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
