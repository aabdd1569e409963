"""New files and folders that are there whole or not at all: written beside their place, synced, then named."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Final

from weft.errors import Conflict, InvalidArgument, Unavailable
from weft.identity import new_id
from weft.text import beginning

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from pathlib import Path

__all__ = ["Folder", "new_file", "new_folder", "write"]

_BEGINNING_MAX_BYTES: Final = 100


@dataclass(slots=True, kw_only=True)
class Folder:
    """A folder being filled; ``size_bytes`` counts what was written."""

    path: Path
    size_bytes: int = 0

    def write(self, name: str, lines: Iterable[str]) -> None:
        """Write a file below the folder; its parents are made."""
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("w", encoding="utf-8", newline="") as out:
            self.size_bytes += write(out, lines)

    def append(self, name: str, text: str) -> None:
        """Add to a file below the folder."""
        with (self.path / name).open("a", encoding="utf-8", newline="") as out:
            self.size_bytes += write(out, (text,))


def write(out: IO[str], lines: Iterable[str]) -> int:
    """Write these texts and return how many bytes of UTF-8 they are."""
    size_bytes = 0
    for text in lines:
        out.write(text)
        size_bytes += len(text) if text.isascii() else len(text.encode())
    return size_bytes


@contextmanager
def new_file(path: Path, at: datetime, *, replace: bool) -> Iterator[IO[str]]:
    """Give a file to write; it takes the name ``path`` when the block ends, and none when it fails.

    Raises:
        InvalidArgument: ``path`` names nothing that could be made, as «/» and «.» do.
        Conflict: something is there already, and ``replace`` is off.
        Unavailable: the disk is full, or the folder may not be written.
    """
    part = _part(path, at)
    try:
        _refuse_taken(path, replace=replace and not path.is_dir())
        with part.open("x", encoding="utf-8", newline="") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        if replace:
            part.replace(path)
        else:
            _name(part, path)
    except OSError as error:
        raise Unavailable.by_system(f"{path} cannot be written", error) from error
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def new_folder(path: Path, at: datetime) -> Iterator[Folder]:
    """Give a folder to fill; it takes the name ``path`` when the block ends, and goes when it fails.

    Raises:
        InvalidArgument: ``path`` names nothing that could be made, as «/» and «.» do.
        Conflict: something is there already, other than an empty folder.
        Unavailable: the disk is full, or the folder above may not be written.
    """
    part = _part(path, at)
    try:
        if not (path.is_dir() and not any(path.iterdir())):
            _refuse_taken(path, replace=False)
        part.mkdir()
        yield Folder(path=part)
        part.rename(path)
    except OSError as error:
        raise Unavailable.by_system(f"{path} cannot be written", error) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _part(path: Path, at: datetime) -> Path:
    """Return where that lies which becomes ``path``, until it is whole."""
    if not path.name:
        raise InvalidArgument(f"path: {path} is a folder; name what is to be made there.")
    return path.with_name(f".{beginning(path.name, most=_BEGINNING_MAX_BYTES)}.{new_id(at)}.part")


def _refuse_taken(path: Path, *, replace: bool) -> None:
    if not path.parent.is_dir():
        raise InvalidArgument(f"path: there is no folder {path.parent}", hint="Make it first, or name another.")
    if not replace and (path.exists() or path.is_symlink()):
        raise Conflict(f"{path} is there already; nothing was written.", hint="Name another path, or add --replace.")


def _name(part: Path, path: Path) -> None:
    """Give ``part`` its name, unless somebody took it meanwhile."""
    try:
        os.link(part, path)
    except FileExistsError as error:
        raise Conflict(f"{path} is there already; nothing was written.", hint="Name another path.") from error
    except OSError:  # a file system without a second name for a file
        part.rename(path)
