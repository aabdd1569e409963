"""The vault's files: every one opened below its root, no symbolic link followed, and written whole or not at all.

A path is a text with slashes below the root. Files are replaced by renaming: beside the file first, synced, then in its
place, and only where the file is still what the caller saw.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from weft.errors import InvalidArgument, Unavailable
from weft.text import beginning
from weft.vault.names import CONFLICTS, NODES, RECORDS, SOURCES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["FILE_MAX_BYTES", "Folder", "Scan", "Stamp", "digest_of"]

FILE_MAX_BYTES: Final = 16_000_000
FILES_MAX: Final = 2_000_000
DEPTH_MAX: Final = 12

Stamp = tuple[int, int, int, int]
"""What tells that a file was written since: size in bytes, times of writing and of change in ns, and its number."""

_ASIDE: Final = ".weft-aside"
_FRESH: Final = ".weft-new"
_BEGINNING_MAX_BYTES: Final = 100
_OURS = re.compile(r"\..{1,200}\.[0-9a-f]{32}\.weft-(?:new|aside)")
_ROOMS: Final = {NODES: (".md", ".markdown"), SOURCES: (".md",), RECORDS: (".jsonl",), CONFLICTS: ()}
_ABOUT: Final = "readme"  # a file about the vault, for whoever finds it
_BY_DESCRIPTOR: Final = os.open in os.supports_dir_fd
_FLAGS: Final = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"))


@dataclass(slots=True, kw_only=True)
class Scan:
    """What lies in the vault: the stamp of each file that may be read, what may not, and our own leftovers."""

    files: dict[str, Stamp] = field(default_factory=dict)
    refused: list[tuple[str, str]] = field(default_factory=list)
    leftovers: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class _At:
    """A folder held open, or, where the system cannot do that, its path."""

    descriptor: int | None
    prefix: str

    def name(self, name: str) -> str:
        """Return what ``name`` is called in a call that takes this folder's descriptor."""
        return name if self.descriptor is not None else os.path.join(self.prefix, name)  # noqa: PTH118


def digest_of(body: bytes) -> str:
    """Return what a file's content is compared by."""
    return hashlib.sha256(body).hexdigest()


class Folder:
    """The files below ``root``, a real path."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._unsettled: dict[str, None] = {}

    def scan(self) -> Scan:
        """Return what lies in the folders of notes, sources and records. Nothing is opened.

        Notes that lie beside these folders, where Obsidian puts new ones, are among what may not be read.
        """
        found = self._scanned(_ROOMS)
        found.refused += [(name, f"lies outside {NODES}/, so it is not read; move it there") for name in self._beside()]
        return found

    def _beside(self) -> list[str]:
        try:
            names = sorted(entry.name for entry in os.scandir(self.root) if entry.is_file(follow_symlinks=False))
        except OSError:
            return []
        notes = (name for name in names if name.lower().endswith(_ROOMS[NODES]) and not name.startswith("."))
        return [_said(name) for name in notes if PurePosixPath(name).stem.lower() != _ABOUT]

    def everything(self) -> Scan:
        """Return what lies in all folders of the vault, copies of conflicts and files of others too."""
        return self._scanned(dict.fromkeys(_ROOMS, ("",)))

    def copies(self) -> list[str]:
        """Return the paths of the copies that conflicts left."""
        return list(self._scanned({CONFLICTS: (".md",)}).files)

    def _scanned(self, rooms: Mapping[str, tuple[str, ...]]) -> Scan:
        found = Scan()
        for room, suffixes in rooms.items():
            self._walk(room, suffixes, found, depth=0)
        return found

    def _walk(self, below: str, suffixes: tuple[str, ...], found: Scan, *, depth: int) -> None:
        try:
            entries = sorted(os.scandir(self.root / below), key=lambda entry: entry.name)
        except FileNotFoundError:
            return
        except OSError as error:
            found.refused.append((below, f"cannot be read ({error.strerror})"))
            return
        for entry in entries:
            path = f"{below}/{entry.name}"
            if _OURS.fullmatch(entry.name):
                found.leftovers.append(path)
            elif not entry.name.startswith("."):
                self._look(entry, path, suffixes, found, depth)

    def _look(self, entry: os.DirEntry[str], path: str, suffixes: tuple[str, ...], found: Scan, depth: int) -> None:
        is_note = entry.name.lower().endswith(suffixes)
        if entry.is_symlink():
            found.refused.append((_said(path), "a symbolic link; links are not followed"))
        elif entry.is_dir(follow_symlinks=False):
            if depth >= DEPTH_MAX:
                found.refused.append((_said(path), f"folders deeper than {DEPTH_MAX} levels are not read"))
            else:
                self._walk(path, suffixes, found, depth=depth + 1)
        elif is_note and len(found.files) < FILES_MAX:
            self._note(entry, path, found)

    def _note(self, entry: os.DirEntry[str], path: str, found: Scan) -> None:
        try:
            told = entry.stat(follow_symlinks=False)
        except OSError:
            return
        if not stat.S_ISREG(told.st_mode):
            found.refused.append((_said(path), "not a regular file"))
        elif told.st_nlink > 1:
            found.refused.append((_said(path), "has a second name (a hard link), maybe outside the vault"))
        elif not _is_text(path):
            found.refused.append((_said(path), "its name is no UTF-8"))
        else:
            found.files[path] = _stamp(told)

    def read(self, path: str) -> tuple[bytes, Stamp]:
        """Return a file's bytes, and the stamp they had.

        Raises:
            InvalidArgument: it cannot be read, is no regular file, or too large.
        """
        try:
            with self._folder(path) as (at, name):
                descriptor = os.open(at.name(name), os.O_RDONLY | _FLAGS | _NONBLOCK, dir_fd=at.descriptor)
            with os.fdopen(descriptor, "rb") as file:
                told = os.fstat(file.fileno())
                if not stat.S_ISREG(told.st_mode):
                    raise InvalidArgument("not a regular file")
                if told.st_size > FILE_MAX_BYTES:
                    raise InvalidArgument(f"larger than {FILE_MAX_BYTES:,} bytes")
                return file.read(FILE_MAX_BYTES + 1), _stamp(os.fstat(file.fileno()))
        except OSError as error:
            raise InvalidArgument(f"cannot be read ({error.strerror or error})") from error

    def exists(self, path: str) -> bool:
        """Return whether anything bears this name."""
        try:
            with self._folder(path) as (at, name):
                os.stat(at.name(name), dir_fd=at.descriptor, follow_symlinks=False)
        except (OSError, InvalidArgument):
            return False
        return True

    def write(self, path: str, body: bytes, *, expect: str) -> Stamp | None:
        """Write a file, if its content is still that of the digest ``expect`` (empty: it is not there).

        Returns its stamp, or None where it is something else by now; then nothing was written. Its content is durable,
        its name is with :meth:`settle`.

        Raises:
            Unavailable: the disk is full, or the folder cannot be written.
        """
        try:
            self._make(path)
            with self._folder(path) as (at, name):
                self._unsettled[path.rpartition("/")[0]] = None
                return self._replace(at, name, body, expect)
        except OSError as error:
            raise Unavailable.by_system(f"{path} in the vault cannot be written", error) from error

    def settle(self) -> None:
        """Have the names of the files written so far survive a loss of power: once a folder, for it costs as a file."""
        folders, self._unsettled = self._unsettled, {}
        for below in folders:
            try:
                with self._folder(f"{below}/x") as (at, _):
                    _sync(at)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise Unavailable.by_system(f"{below} in the vault cannot be synced", error) from error

    def _replace(self, at: _At, name: str, body: bytes, expect: str) -> Stamp | None:
        begins = beginning(name, most=_BEGINNING_MAX_BYTES)
        token = uuid4().hex
        fresh, aside = f".{begins}.{token}{_FRESH}", f".{begins}.{token}{_ASIDE}"
        try:
            _lay(at, fresh, body)
            if expect and not self._set_aside(at, name, aside, expect):
                return None
            if expect:
                _rename(at, fresh, name)
            elif not _name_new(at, fresh, name):
                return None
            if expect and not self._same(at, aside, expect):
                _rename(at, aside, name)  # somebody wrote to it while its name passed on: theirs is read next time
                return None
            try:
                return _stamp(os.stat(at.name(name), dir_fd=at.descriptor, follow_symlinks=False))
            except FileNotFoundError:
                return None
        finally:
            for leftover in (fresh, aside):
                _unlink(at, leftover)

    def _set_aside(self, at: _At, name: str, aside: str, expect: str) -> bool:
        """Give the file a second name, so that nothing written to it from here on is lost; False: it is another."""
        try:
            os.link(
                at.name(name),
                at.name(aside),
                src_dir_fd=at.descriptor,
                dst_dir_fd=at.descriptor,
                follow_symlinks=False,
            )
        except FileNotFoundError:
            return False
        except (OSError, NotImplementedError):
            return self._same(at, name, expect)
        return self._same(at, aside, expect) and _number(at, aside) == _number(at, name)

    def _same(self, at: _At, name: str, expect: str) -> bool:
        try:
            descriptor = os.open(at.name(name), os.O_RDONLY | _FLAGS | _NONBLOCK, dir_fd=at.descriptor)
        except FileNotFoundError:
            return name.endswith(_ASIDE)  # the system gives no second names
        with os.fdopen(descriptor, "rb") as file:
            return digest_of(file.read(FILE_MAX_BYTES + 1)) == expect

    def remove(self, path: str, *, expect: str) -> bool:
        """Remove a file whose content is that of ``expect``; False: it is something else, or gone already."""
        try:
            with self._folder(path) as (at, name):
                if not self._same(at, name, expect):
                    return False
                os.unlink(at.name(name), dir_fd=at.descriptor)
                _sync(at)
        except (OSError, InvalidArgument):
            return False
        return True

    def discard(self, path: str) -> None:
        """Remove a leftover of ours."""
        try:
            with self._folder(path) as (at, name):
                _unlink(at, name)
        except (OSError, InvalidArgument):
            return

    def move(self, old: str, new: str) -> bool:
        """Give a file another place, unless that is taken; its content is not looked at. False: it stays."""
        if self.exists(new):
            return False
        try:
            self._make(new)
            with self._folder(old) as (here, name), self._folder(new) as (there, other):
                os.rename(here.name(name), there.name(other), src_dir_fd=here.descriptor, dst_dir_fd=there.descriptor)
                _sync(there)
                _sync(here)
        except (OSError, InvalidArgument):
            return False
        return True

    def _make(self, path: str) -> None:
        """Make the folders that ``path`` lies in; each is looked at, so that none is a link that leads out."""
        below = PurePosixPath(path).parts[:-1]
        self.root.mkdir(mode=0o755, exist_ok=True)
        for at in range(1, len(below) + 1):
            folder = self.root.joinpath(*below[:at])
            if folder.is_symlink():
                raise OSError(errno.ELOOP, f"{'/'.join(below[:at])} is a symbolic link")
            folder.mkdir(mode=0o755, exist_ok=True)

    @contextmanager
    def _folder(self, path: str) -> Iterator[tuple[_At, str]]:
        """Give the folder that ``path`` lies in, reached name by name without following any link, and its last name.

        Raises:
            InvalidArgument: the path is not one below the root.
        """
        parts = path.split("/")
        if any(part in {"", ".", ".."} or "\0" in part for part in parts):
            raise InvalidArgument(f"{path[:80]!r} is no path of the vault")
        if not _BY_DESCRIPTOR:
            yield self._by_path(parts), parts[-1]
            return
        flags = os.O_RDONLY | os.O_DIRECTORY | _FLAGS
        descriptor = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for part in parts[:-1]:
                deeper = os.open(part, flags, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = deeper
            yield _At(descriptor=descriptor, prefix=""), parts[-1]
        finally:
            os.close(descriptor)

    def _by_path(self, parts: list[str]) -> _At:
        folder = self.root
        for part in parts[:-1]:
            folder = folder / part
            if folder.is_symlink():
                raise OSError(errno.ELOOP, "a symbolic link")
        return _At(descriptor=None, prefix=str(folder))


_NONBLOCK: Final = getattr(os, "O_NONBLOCK", 0)


def _stamp(told: os.stat_result) -> Stamp:
    return told.st_size, told.st_mtime_ns, told.st_ctime_ns, told.st_ino


def _said(path: str) -> str:
    return path.encode("utf-8", "backslashreplace").decode()


def _is_text(path: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in path)


def _lay(at: _At, name: str, body: bytes) -> None:
    """Write a new file and sync it."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS
    descriptor = os.open(at.name(name), flags, 0o644, dir_fd=at.descriptor)
    with os.fdopen(descriptor, "wb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())


def _rename(at: _At, old: str, new: str) -> None:
    os.replace(at.name(old), at.name(new), src_dir_fd=at.descriptor, dst_dir_fd=at.descriptor)


def _name_new(at: _At, fresh: str, name: str) -> bool:
    """Give ``fresh`` its name, unless somebody took it."""
    try:
        os.link(at.name(fresh), at.name(name), src_dir_fd=at.descriptor, dst_dir_fd=at.descriptor)
    except FileExistsError:
        return False
    except (OSError, NotImplementedError):  # a file system without a second name for a file
        _rename(at, fresh, name)
    else:
        _unlink(at, fresh)
    return True


def _number(at: _At, name: str) -> int:
    """Return a file's number, 0: it is not there."""
    try:
        return os.stat(at.name(name), dir_fd=at.descriptor, follow_symlinks=False).st_ino
    except FileNotFoundError:
        return 0


def _unlink(at: _At, name: str) -> None:
    try:
        os.unlink(at.name(name), dir_fd=at.descriptor)
    except FileNotFoundError:
        return


def _sync(at: _At) -> None:
    if at.descriptor is not None:
        os.fsync(at.descriptor)
