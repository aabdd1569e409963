"""A graph file that this user may only read: of another user, in a folder or on a medium that cannot be written.

The engine reads a file with a write-ahead log through two files beside it, which it makes where they are missing. Here
none is made (https://sqlite.org/wal.html, "Read-Only Databases"):

- Where a writer has both files, they are read with the engine's own locks, and everything is as for any other reader.
- Where there is no log, nobody writes and the graph's file holds everything: it is read without locks (``immutable``).
  That is right only while the file stays as it is, so it is compared before and after each read: what was read while
  somebody wrote to the file is thrown away. A file that was written to a moment ago is left alone until a later write
  is sure to give it another time.
- Where there is a log alone, it cannot be read, and the error says who has to open the graph first.
"""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from weft.errors import CannotOpen, PermissionDenied, Unavailable, WeftError
from weft.model import Tier
from weft.store.database import Database
from weft.store.sqlite import PERMITTED, Connection, Reader, connect_reading, header
from weft.store.turn import file_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from weft.store.engine import Bound

__all__ = ["MEANWHILE", "ReadDatabase", "may_write", "only_read"]

MEANWHILE: Final = "written_meanwhile"
"""The key of the error where somebody wrote to the file while it was read without locks."""

# The times of files go in steps: 4 to 10 ms on the file systems of Linux, 100 ns to 16 ms on others.
_SETTLED_NS: Final = 100_000_000
_PAUSE_S: Final = 0.02
_PATIENCE_S: Final = 2.0  # a process that ends folds its log into the file, and one that begins makes both files
_TAILS: Final = ("-wal", "-shm")
_READS: Final = 5
_END: Final = "COMMIT"
_FORMAT_AT: Final = 18  # https://sqlite.org/fileformat.html §1.3: 2 is a file with a write-ahead log
_LOGGED: Final = 2

_Kind = TypeVar("_Kind", bound=Connection)


class _Standing(NamedTuple):
    """What tells one state of a file from the next."""

    device: int
    inode: int
    size: int
    modified_ns: int
    changed_ns: int

    @property
    def settled_in_s(self) -> float:
        """How long until a write is sure to change this."""
        youngest = max(self.modified_ns, self.changed_ns)
        age = time.time_ns() - youngest
        return (_SETTLED_NS - age) / 1e9 if 0 <= age < _SETTLED_NS else 0.0


def may_write(path: Path) -> bool:
    """Return whether this user may write to the file and to its folder, which writing takes."""
    return os.access(path, os.R_OK | os.W_OK) and os.access(path.parent, os.W_OK | os.X_OK)


def only_read(path: Path) -> PermissionDenied:
    """Return the answer to who would write to the graph in ``path`` and may not."""
    return PermissionDenied(
        f"{path} can only be read here: this user may not write to it, or to its folder.",
        hint=PERMITTED,
        key="read_only",
    )


def _standing(path: Path) -> _Standing:
    try:
        found = path.stat()
    except OSError as error:
        raise Unavailable(f"{path} is gone: {error.strerror}.", hint="Open the graph again.") from error
    return _Standing(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _size(path: Path) -> int:
    """Return the size of the file; -1: there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return -1


class _Resting(Connection):
    """A connection without locks to a file that rests: how the file stands is compared after each read."""

    path: Path
    stood: _Standing

    def execute(self, sql: str, values: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """Run ``sql`` and return its rows.

        Raises:
            Unavailable: somebody wrote to the file meanwhile, with the key ``written_meanwhile``.
        """
        try:
            rows = super().execute(sql, values or {})
        except WeftError:  # half of what was there and half of what came may look like anything
            self._compare()
            raise
        if sql != _END:  # all that was read has been compared
            self._compare()
        return rows

    def setting(self, name: str) -> object:
        """Return what the engine's setting ``name`` is; without locks it goes by no log, and the file still has one."""
        return "wal" if name == "journal_mode" else super().setting(name)

    def _compare(self) -> None:
        if _standing(self.path) != self.stood:
            raise Unavailable("The graph was written to while it was read.", hint="Ask again.", key=MEANWHILE)


class _RestingReader(_Resting, Reader):
    """The same behind the reader's guard."""


class ReadDatabase(Database):
    """A graph file that is read and never written to, whatever tier it is opened with: every write is refused."""

    def read(self, name: str, /, *, where: tuple[str, ...] = (), **values: Bound) -> list[tuple[Any, ...]]:
        """Return all rows of the query ``name``, as of now; asked again where somebody wrote meanwhile.

        Raises:
            Unavailable: somebody wrote each time, or the graph cannot be read now.
        """
        for _ in range(_READS):
            try:
                return self._read(name, where, values)
            except Unavailable as error:
                if error.key != MEANWHILE:
                    raise
        return self._read(name, where, values)

    def _read(self, name: str, where: tuple[str, ...], values: Mapping[str, Bound]) -> list[tuple[Any, ...]]:
        with self.snapshot() as reader:
            return reader.read(name, where=where, **values)

    @contextmanager
    def snapshot(self) -> Iterator[Reader]:
        """Give a reader whose reads all see the same moment.

        Raises:
            Unavailable: somebody wrote to the file meanwhile, with the key ``written_meanwhile``; or it cannot be read.
        """
        self._check()
        reader, whole = self._begun(), False
        try:
            with self.understood():
                yield reader
            reader.execute(_END)
            whole = True
        finally:
            if whole:
                self._give_back(reader)
            else:
                reader.close()

    def _begun(self) -> Reader:
        """Return a reader that has its moment; who may not mark it for writers may have to ask for one again."""
        until = time.monotonic() + _PATIENCE_S
        while True:
            reader = self._taken()
            try:
                reader.execute("BEGIN")
                reader.execute("SELECT 1 FROM meta LIMIT 1")
            except Unavailable:
                reader.close()
                if time.monotonic() > until:
                    raise
                time.sleep(_PAUSE_S)
            else:
                return reader

    @contextmanager
    def turn(self, wait_s: float = 0.0) -> Iterator[None]:  # noqa: ARG002 - nobody waits for what is never given
        """Refuse.

        Raises:
            PermissionDenied: always.
        """
        self._check()
        self._refuse()
        yield

    @contextmanager
    def apart(self) -> Iterator[Connection]:
        """Give a connection of its own without a guard, for reading."""
        self._check()
        connection = self._reached(Connection, _Resting, self.tier)
        try:
            yield connection
        finally:
            connection.close()

    @contextmanager
    def claimed(self, work: str) -> Iterator[bool]:  # noqa: ARG002 - as its like
        """Tell that the right to do ``work`` is not free: it is for those who may write."""
        yield False

    def _refuse(self) -> None:
        raise only_read(self.path)

    def _taken(self) -> Reader:
        """Take an idle reader that still sees what there is, or a new one."""
        self._check()
        while self._idle:
            reader = self._idle.pop()
            if self._sees(reader):
                return reader
            reader.close()
        return self._reached(Reader, _RestingReader, Tier.READER)

    def _sees(self, reader: Reader) -> bool:
        if isinstance(reader, _Resting):
            return _standing(self.path) == reader.stood and _size(self._beside("-wal")) <= 0
        return file_of(self.path) == self._file

    def _reached(self, shared: type[_Kind], resting: type[_Kind], tier: Tier) -> _Kind:
        """Return a new connection, with the engine's locks where they can be had.

        Raises:
            CannotOpen: there is a log that this user cannot read along with the file; the message says what it takes.
        """
        until = time.monotonic() + _PATIENCE_S
        self._file = file_of(self.path)
        while True:
            try:
                return self._rested(resting, tier) if self._rests() else self._shared(shared, tier)
            except Unavailable as error:
                if time.monotonic() > until:
                    raise self._explained(error) from error
            time.sleep(_PAUSE_S)

    def _logged(self) -> bool:
        """Return whether the file is one with a write-ahead log."""
        return header(self.path, self._vfs)[_FORMAT_AT] == _LOGGED

    def _rests(self) -> bool:
        """Return whether there is no log, or an empty one that cannot be read along with the file."""
        both = all(os.access(self._beside(tail), os.R_OK) for tail in _TAILS)
        return self._logged() and not both and _size(self._beside("-wal")) <= 0

    def _rested(self, kind: type[_Kind], tier: Tier) -> _Kind:
        """Return a connection without locks to the file as it stands.

        Its standing is taken before the log is looked for: a log that was folded in between has changed it.
        """
        stood = _standing(self.path)
        time.sleep(stood.settled_in_s)
        if _size(self._beside("-wal")) > 0:
            raise Unavailable("Somebody has begun to write.")
        made = kind(connect_reading(self.path, manner="immutable=1", vfs=self._vfs), tier)
        if isinstance(made, _Resting):
            made.path, made.stood = self.path, stood
        return made

    def _shared(self, kind: type[_Kind], tier: Tier) -> _Kind:
        manner = "readonly_shm=1" if self._logged() else ""
        return kind(connect_reading(self.path, manner=manner, vfs=self._vfs), tier)

    def _explained(self, error: Unavailable) -> Unavailable:
        """Return ``error``, or what is lacking where the log is why."""
        log, shared = map(self._beside, _TAILS)
        if _size(log) <= 0:
            return error
        if closed := [each.name for each in (log, shared) if each.exists() and not os.access(each, os.R_OK)]:
            return CannotOpen(
                f"{self.path} is being written to, and this user may not read {' and '.join(closed)} beside it.",
                hint=f"Have its owner let you read {log.name} and {shared.name} as well as {self.path.name}.",
            )
        return CannotOpen(
            f"{self.path} cannot be read by this user: changes that are in {log.name} alone have to be brought in"
            " first.",
            hint=f"Have a user who may write open it once (weft status), or copy {self.path.name} and {log.name}"
            " together to a folder that you may write to, and open it there.",
        )

    def _beside(self, tail: str) -> Path:
        return self.path.with_name(self.path.name + tail)
