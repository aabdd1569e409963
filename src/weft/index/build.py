"""Making index files: by one process at a time, verified, and in place only when whole and durable.

Files form a ladder. New passages become a file of their own; a file that is not at least twice the size of what is to
follow it is taken into the new one. So there are few files (about the logarithm of the passages), and a passage is
written a few times in all. Where many passages have ended, everything is made anew.
"""

from __future__ import annotations

import errno
import logging
import secrets
from typing import TYPE_CHECKING

import numpy as np
from filelock import FileLock, Timeout

from weft.errors import Unavailable
from weft.index.manifest import NAME, Entry, Manifest, open_entry, read_manifest, sync, write_manifest
from weft.index.segment import EXPANSION_ADD, Unusable, checksum, new_index, quantised

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import numpy.typing as npt
    from usearch.index import Index

    from weft.index.feed import Head, PassageFeed

__all__ = ["Builder"]

_log = logging.getLogger(__name__)

_LOCK = "vectors.lock"
_PREFIX, _SUFFIX, _FRESH = "vectors-", ".usearch", ".new"
_ENDED_SHARE_MAX = 0.25
_CHUNK = 1000
_PIECE = 4  # vectors, about a millisecond: an index holds Python's lock while it is added to
_LADDER = 2
_SAMPLE = 48
_RECALL_MIN = 0.95
_RECALL_AT, _RECALL_WITHIN = 10, 64
_NOT_OURS = (errno.EACCES, errno.EPERM, errno.EROFS)


class _Stopped(Exception):
    """The building was called off."""


class Builder:
    """Builds the files of one folder.

    ``stopping`` is asked between chunks whether to give up; ``pause`` is called every millisecond or so of work that
    keeps all other threads waiting, and lets them go first.
    """

    def __init__(
        self,
        feed: PassageFeed,
        folder: Path,
        *,
        stopping: Callable[[], bool],
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        self._feed = feed
        self._folder = folder
        self._stopping = stopping
        self._pause = pause

    def extend(self, *, wait_s: float) -> bool:
        """Cover the passages that no file covers yet, and return whether a new set of files is in place.

        Waits up to ``wait_s`` for another process that is building. A full disk is logged, and leaves what was there:
        the index is a help, not a need. Where this user may not write, that is no news: whoever may will build it.
        """
        return self._locked(self._kept, wait_s)

    def rebuild(self, *, wait_s: float) -> bool:
        """Make all files anew from the passages; as :meth:`extend` otherwise."""
        return self._locked(_nothing, wait_s)

    def discard(self, *, wait_s: float) -> None:
        """Remove all files, the table of contents first.

        Raises:
            Unavailable: another process is building and does not end within ``wait_s``, or a file cannot be removed.
        """
        if not self._folder.exists():
            return
        try:
            with FileLock(self._folder / _LOCK, timeout=wait_s):
                (self._folder / NAME).unlink(missing_ok=True)
                for path in self._folder.glob(f"{_PREFIX}*"):
                    path.unlink(missing_ok=True)
        except (Timeout, OSError) as error:
            raise Unavailable(f"The files of the search index could not be removed: {error}.") from error

    def _locked(self, kept: Callable[[Head], Manifest | None], wait_s: float) -> bool:
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with FileLock(self._folder / _LOCK, timeout=wait_s):
                head = self._feed.head()
                return self._build(head, kept(head))
        except (Timeout, _Stopped):
            return False
        except OSError as error:
            level = logging.INFO if error.errno in _NOT_OURS else logging.WARNING
            _log.log(level, "The search index could not be written (%s); vectors are compared exactly.", error)
            return False

    def _kept(self, head: Head) -> Manifest | None:
        """Return what is there, unless it is damaged or too much of it has ended."""
        try:
            manifest = read_manifest(self._folder, self._feed, head)
            for entry in manifest.entries:
                open_entry(self._folder, entry, manifest.dimension)
        except Unusable:
            return None
        worn = len(self._feed.ended(manifest.ended, row=0)) > _ENDED_SHARE_MAX * manifest.count
        return None if worn else manifest

    def _build(self, head: Head, kept: Manifest | None) -> bool:
        entries, ended = (kept.entries, kept.ended) if kept else ((), head.ended)
        pending = head.row - (entries[-1].row if entries else 0)
        while entries and entries[-1].count < _LADDER * pending:
            pending += entries[-1].count
            entries = entries[:-1]
        made = self._make(entries[-1].row if entries else 0, head)
        if made is None:
            return False
        entry, dimension = made
        manifest = Manifest(
            model=head.model,
            dimension=dimension,
            ended=ended if entries else head.ended,
            entries=(*entries, entry),
        )
        write_manifest(self._folder, manifest.proven(self._feed))
        self._sweep({known.file for known in manifest.entries})
        return True

    def _make(self, after: int, head: Head) -> tuple[Entry, int] | None:
        """Write one file of the passages after row ``after``; None where there are none or the file fails its test."""
        for expansion in (EXPANSION_ADD, 2 * EXPANSION_ADD):
            index, row, sample = self._filled(after, head, expansion)
            if index is None:
                return None
            recall = self._recall(index, sample)
            if recall >= _RECALL_MIN:
                return self._saved(index, after, row), index.ndim
            _log.warning("A search index with a recall of %.2f was thrown away.", recall)
        return None

    def _filled(self, after: int, head: Head, expansion: int) -> tuple[Index | None, int, npt.NDArray[np.int8]]:
        index, row = None, after
        sample: list[npt.NDArray[np.int8]] = []
        while row < head.row and len((chunk := self._feed.standing(row, limit=_CHUNK)).rows):
            if self._stopping():
                raise _Stopped
            vectors = quantised(chunk.vectors)
            if index is None:
                index = new_index(vectors.shape[1], head.row - after, expansion_add=expansion)
            self._add(index, chunk.rows.astype(np.uint64), vectors)
            sample.append(vectors[:: max(1, _CHUNK // _SAMPLE)])
            row = int(chunk.rows[-1])
        taken = np.concatenate(sample) if sample else np.empty((0, 1), np.int8)
        return index, row, taken[:: max(1, len(taken) // _SAMPLE)]

    def _add(self, index: Index, keys: npt.NDArray[np.uint64], vectors: npt.NDArray[np.int8]) -> None:
        for start in range(0, len(keys), _PIECE):
            piece = slice(start, start + _PIECE)
            # One thread: several can leave vectors that no search reaches (unum-cloud/USearch#735).
            index.add(keys[piece], vectors[piece], threads=1)
            self._pause()

    def _recall(self, index: Index, sample: npt.NDArray[np.int8]) -> float:
        """Return the share of the true nearest that a search for each of ``sample`` (n, dimension) finds."""
        found = wanted = 0
        for vector in sample:
            true = index.search(vector, _RECALL_AT, exact=True, threads=1).keys
            near = index.search(vector, min(_RECALL_WITHIN, len(index)), threads=1).keys
            found += len(np.intersect1d(true, near))
            wanted += len(true)
            self._pause()
        return found / max(wanted, 1)

    def _saved(self, index: Index, after: int, row: int) -> Entry:
        path = self._folder / f"{_PREFIX}{row}-{secrets.token_hex(4)}{_SUFFIX}"
        fresh = path.with_name(path.name + _FRESH)
        try:
            index.save(str(fresh))
        except RuntimeError as error:
            fresh.unlink(missing_ok=True)
            raise OSError(str(error)) from error
        sync(fresh)
        crc = checksum(fresh)
        fresh.replace(path)
        found = path.stat()
        return Entry(
            file=path.name,
            after=after,
            row=row,
            count=len(index),
            bytes=found.st_size,
            written_ns=found.st_mtime_ns,
            crc=crc,
        )

    def _sweep(self, kept: set[str]) -> None:
        """Remove files that are no longer named, and what a process that died has left; those in use go next time."""
        for path in self._folder.glob(f"{_PREFIX}*"):
            if path.name not in kept:
                try:
                    path.unlink()
                except OSError:
                    _log.debug("%s is still in use; it is removed after the next build.", path.name)


def _nothing(_head: Head) -> None:
    return None
