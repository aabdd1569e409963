"""The index's table of contents: which files there are, what they cover, and whose passages they were made from.

It is written last and renamed into place, so a set of files is there as a whole or not at all. It is never trusted over
the store: what it says is compared with the passages when it is opened, and the files with their checksums.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weft.index.segment import Segment, Unusable, checksum

if TYPE_CHECKING:
    from weft.index.feed import Head, PassageFeed

__all__ = [
    "NAME",
    "Entry",
    "Manifest",
    "Signature",
    "open_entry",
    "read_manifest",
    "signature",
    "sync",
    "write_manifest",
]

FORMAT = 1
NAME = "vectors.json"
# Up to this size a file's checksum is compared at every opening (20 ms at most); a larger one is believed while its
# size and time of writing are the ones noted.
_ALWAYS_CHECKED_BYTES = 64 << 20
_PROOF_ROWS = 16

Signature = tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One file: it covers the passages that stood after row ``after`` up to ``row``, ``count`` of them."""

    file: str
    after: int
    row: int
    count: int
    bytes: int
    written_ns: int
    crc: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The files, oldest passages first; ``ended`` is the position up to which ended passages were left out.

    ``rows`` are a sample of passages and ``proof`` their digest (see :meth:`weft.index.feed.PassageFeed.proof`).
    """

    model: str
    dimension: int
    ended: int
    entries: tuple[Entry, ...]
    rows: tuple[int, ...] = ()
    proof: str = ""

    @property
    def row(self) -> int:
        """The last row covered."""
        return self.entries[-1].row if self.entries else 0

    @property
    def count(self) -> int:
        """How many passages the files hold."""
        return sum(entry.count for entry in self.entries)

    def proven(self, feed: PassageFeed) -> Manifest:
        """Return this manifest with a sample of its passages and their digest."""
        rows = sorted({entry.row * step // _PROOF_ROWS for entry in self.entries for step in range(1, _PROOF_ROWS + 1)})
        sample = tuple(row for row in rows if row)
        return Manifest(
            model=self.model,
            dimension=self.dimension,
            ended=self.ended,
            entries=self.entries,
            rows=sample,
            proof=feed.proof(sample),
        )


def signature(folder: Path) -> Signature | None:
    """Return what tells one manifest in ``folder`` from the next, or None where there is none."""
    try:
        found = os.stat(f"{folder}/{NAME}")  # noqa: PTH116 - asked at every search: a quarter of the cost of Path.stat
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def read_manifest(folder: Path, feed: PassageFeed, head: Head) -> Manifest:
    """Return the manifest of ``folder``.

    Raises:
        Unusable: there is none, or it is damaged, of another form, of another model, or of other passages than the
            feed's (another graph, or this one restored from a backup).
    """
    try:
        manifest = _decoded(json.loads((folder / NAME).read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Unusable(f"The table of contents cannot be read: {error}") from error
    if manifest.model != head.model or manifest.row > head.row or manifest.ended > head.ended:
        raise Unusable("The index was made from another state of the graph.")
    if not manifest.rows or feed.proof(manifest.rows) != manifest.proof:
        raise Unusable("The index was made from other passages.")
    return manifest


def _decoded(body: dict[str, Any]) -> Manifest:
    if body.pop("format") != FORMAT or body.pop("engine") != _engine():
        raise ValueError("another form")
    entries = tuple(Entry(**entry) for entry in body.pop("entries"))
    return Manifest(entries=entries, rows=tuple(body.pop("rows")), **body)


def _engine() -> str:
    from usearch.compiled import VERSION_MAJOR

    return f"usearch {VERSION_MAJOR}"


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Put ``manifest`` in place, durably; raises OSError where the disk refuses."""
    body = {"format": FORMAT, "engine": _engine(), **asdict(manifest)}
    fresh = folder / f"{NAME}.new"
    fresh.write_text(json.dumps(body, indent=1), "utf-8")
    sync(fresh)
    fresh.replace(folder / NAME)
    if os.name == "posix":
        sync(folder)


def sync(path: Path) -> None:
    """Have the system write a file, or a folder's names, to the disk."""
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def open_entry(folder: Path, entry: Entry, dimension: int) -> Segment:
    """Map the file of ``entry``.

    Raises:
        Unusable: it is missing, or not the file that was written.
    """
    path = folder / Path(entry.file).name  # a name from a file never leads out of the folder
    try:
        found = path.stat()
        noted = found.st_size == entry.bytes and found.st_mtime_ns == entry.written_ns
        if not (noted and entry.bytes > _ALWAYS_CHECKED_BYTES) and checksum(path) != entry.crc:
            raise Unusable(f"{path.name} is damaged.")
    except OSError as error:
        raise Unusable(f"{path.name} cannot be read: {error}") from error
    return Segment(path, dimension=dimension, count=entry.count)
