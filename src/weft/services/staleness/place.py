"""The folder that references are read against, and the little of the disk that may be looked at below it."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from weft.model import FilePrint
from weft.reason.context import without_line

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["GONE", "NODE_MAX_BYTES", "SIZE_MAX_BYTES", "Place"]

SIZE_MAX_BYTES: Final = 4_000_000
"""A larger file is not watched: sources are far smaller, and hashing must not hold a capture up."""

NODE_MAX_BYTES: Final = 16_000_000
"""What is read for all the references of one node."""

GONE: Final = ""
"""The digest of a file that is not there."""

_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://|(?:mailto|urn|doi|data|tel):", re.IGNORECASE)
_HASH: Final = re.compile(r"[0-9a-f]{64}")
# A pipe must not hold the reader up, and a link put there meanwhile is not followed.
_FLAGS: Final = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_BINARY", "O_NONBLOCK", "O_CLOEXEC", "O_NOFOLLOW")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A root folder. ``key`` is what prints remember it by: empty where the graph lies in it and moves with it.

    Only regular files that really lie below the root are read: no symbolic links that lead out, no devices or pipes,
    nothing of more than four million bytes. ``spelled`` is the root as it was given, symbolic links and all.
    """

    root: Path
    spelled: Path
    key: str

    @classmethod
    def of(cls, root: Path, *, key: str | None = None) -> Place | None:
        """Return the place at ``root``; None where that is a whole disk. ``key`` is by default the folder's path."""
        resolved = Path(os.path.realpath(root))
        if resolved.parent == resolved:
            return None
        return cls(root=resolved, spelled=root.absolute(), key=str(resolved) if key is None else key)

    def named(self, reference: str) -> str:
        """Return ``reference`` as a path below the root where it is an absolute path to there, else as it is.

        Only the words are looked at, never the disk.
        """
        if not Path(reference).is_absolute():
            return reference
        path = Path(os.path.normpath(reference))
        below = (path.relative_to(root) for root in (self.spelled, self.root) if path.is_relative_to(root))
        return next((found.as_posix() for found in below), reference)

    def print_of(self, node: str, reference: str) -> FilePrint | None:
        """Return what the file that ``reference`` names looks like now; None where it names none that may be read."""
        for file in self.files((reference,)):
            digest = self.digest(file)
            if digest is not None and _HASH.fullmatch(digest):
                return FilePrint(node=node, reference=reference, root=self.key, file=file, digest=digest)
        return None

    def prints(self, node: str, references: Iterable[str]) -> tuple[FilePrint, ...]:
        """Return what the files look like now that ``node`` refers to, those that can be watched."""
        taken: list[FilePrint] = []
        room = NODE_MAX_BYTES
        for reference in references:
            made = self.print_of(node, reference) if room > 0 else None
            if made is not None:
                taken.append(made)
                room -= self._size(made.file)
        return tuple(taken)

    def files(self, references: Iterable[str]) -> tuple[str, ...]:
        """Return the paths below the root that these references may mean, there or not."""
        named = (self._file(name) for reference in references for name in (reference.strip(), without_line(reference)))
        return tuple(dict.fromkeys(filter(None, named)))

    def digest(self, file: str) -> str | None:
        """Return the SHA-256 of a file below the root: :data:`GONE` where it is not there, None where nobody can tell.

        A file that has grown too large to be read is told by its size: it is another one than before.
        """
        real = self._file(file)
        if real is None:
            return GONE
        try:
            descriptor = os.open(self.root / real, _FLAGS)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return GONE
        except (OSError, ValueError):
            return None
        try:
            return _digest_of(descriptor)
        except OSError:
            return None
        finally:
            os.close(descriptor)

    def _file(self, name: str) -> str | None:
        """Return where ``name`` leads below the root, all symbolic links followed; None: it is no path to there."""
        if not name or _ADDRESS.match(name) or "\x00" in name:
            return None
        try:
            path = Path(os.path.realpath(self.root / name.replace("\\", "/")))
        except (OSError, ValueError):
            return None
        inside = path != self.root and path.is_relative_to(self.root)
        return path.relative_to(self.root).as_posix() if inside else None

    def _size(self, file: str) -> int:
        try:
            return (self.root / file).stat().st_size
        except OSError:
            return 0


def _digest_of(descriptor: int) -> str:
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        return GONE
    if found.st_size > SIZE_MAX_BYTES:
        return f"{found.st_size} bytes"
    with os.fdopen(descriptor, "rb", closefd=False) as opened:
        return hashlib.sha256(opened.read(SIZE_MAX_BYTES + 1)).hexdigest()
