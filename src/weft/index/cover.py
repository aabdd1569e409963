"""What stands now, ready to be compared: index files, and in memory the passages after them."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import simsimd

from weft.index.feed import Head
from weft.index.manifest import Manifest, Signature, open_entry, read_manifest, signature
from weft.index.segment import Segment, Unusable, quantised
from weft.index.tail import Tail

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from weft.index.feed import PassageFeed

__all__ = ["HALVES_ERROR_MAX", "Cover", "View"]

HALVES_ERROR_MAX = 0.002
"""How far a cosine lies off at most that is summed up from numbers of sixteen bits, in sixteen bits where the processor
can: 0.0006 at 384 dimensions, 0.0014 at 3,072 were seen."""

_CHUNK = 4096
_DEAD_MIN = 64
_DEAD_SHARE_MAX = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Files, and the rows and vectors after them; never changes once it is handed out.

    It holds every passage that stands, and some that have ended. ``whole`` is off where the passages after the files
    are too many to be held: then it lacks them.
    """

    segments: tuple[Segment, ...]
    rows: npt.NDArray[np.int64]
    vectors: npt.NDArray[np.float16]
    whole: bool

    @property
    def count(self) -> int:
        """How many passages it holds."""
        return len(self.rows) + sum(len(segment) for segment in self.segments)

    @property
    def is_exact(self) -> bool:
        """Whether :meth:`nearest` looks at everything."""
        return not self.segments

    def nearest(
        self, vector: npt.NDArray[np.float32], count: int
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        """Return up to ``count`` rows and their cosines to ``vector`` (dimension,), nearest first.

        Cosines of passages in files are good to :data:`weft.index.segment.COSINE_ERROR_MAX`, of others to
        :data:`HALVES_ERROR_MAX`.
        """
        found = [(self.rows, _cosines(self.vectors, vector))] if len(self.rows) else []
        if self.segments:
            small = quantised(vector[np.newaxis])[0]
            found += [segment.nearest(small, count) for segment in self.segments]
        if not found:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        rows = np.concatenate([rows for rows, _ in found])
        cosines = np.concatenate([cosines for _, cosines in found])
        if len(rows) > count:
            best = np.argpartition(cosines, -count)[-count:]
            rows, cosines = rows[best], cosines[best]
        order = np.argsort(-cosines, kind="stable")
        return rows[order], cosines[order]


def _cosines(vectors: npt.NDArray[np.float16], vector: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the cosines of ``vectors`` (n, dimension) to ``vector`` (dimension,), all of length 1.

    On one thread: a product shared among threads waits for the slowest, 20 ms and more on a busy machine.
    """
    found = simsimd.cdist(vector[np.newaxis].astype(np.float16), vectors, "dot", threads=1)
    return np.asarray(found, np.float32).reshape(-1)


class Cover:
    """Keeps up with the store and with the files in ``folder``, whichever process changed them.

    ``memory_max`` is the most passages held in memory.
    """

    def __init__(self, feed: PassageFeed, folder: Path, *, memory_max: int) -> None:
        self._feed = feed
        self._folder = folder
        self._memory_max = memory_max
        self._lock = threading.Lock()
        self._signature: Signature | None = None
        self._start(Head(0, 0, ""), None, ())

    @property
    def row(self) -> int:
        """The last row that the files cover; 0: there are none."""
        return self._manifest.row if self._manifest else 0

    def now(self) -> View:
        """Return a view of everything committed before this call."""
        with self._lock:
            head = self._feed.head()
            there = signature(self._folder)
            if there != self._signature or head.model != self._head.model:
                self._open(head)
                self._signature = there
            if head != self._head:
                self._follow(head)
                self._view = View(
                    segments=self._segments, rows=self._tail.rows, vectors=self._tail.vectors, whole=self._whole
                )
            return self._view

    def _start(self, head: Head, manifest: Manifest | None, segments: tuple[Segment, ...]) -> None:
        """Begin with these files and nothing in memory."""
        self._manifest = manifest
        self._segments = segments
        self._tail = Tail()
        self._read = manifest.row if manifest else 0
        self._dead: list[int] = []
        self._whole = True
        self._head = Head(0, head.ended, head.model)
        self._view = View(segments=(), rows=self._tail.rows, vectors=self._tail.vectors, whole=True)

    def _open(self, head: Head) -> None:
        """Take up the files that are there now, and keep of the memory what they do not cover."""
        tail, read, known = self._tail, self._read, self._head
        try:
            manifest = read_manifest(self._folder, self._feed, head)
            segments = tuple(open_entry(self._folder, entry, manifest.dimension) for entry in manifest.entries)
        except Unusable:
            manifest, segments = None, ()
        self._start(head, manifest, segments)
        if manifest and known.model == head.model and read >= manifest.row and known.row:
            self._tail = tail.without(np.empty(0, np.int64), after=manifest.row)
            self._read = read
            self._head = Head(0, known.ended, head.model)

    def _follow(self, head: Head) -> None:
        """Read what was added and what has ended since the last time."""
        if head.ended != self._head.ended and self._whole:
            self._dead += self._feed.ended(self._head.ended, row=self.row)
            if len(self._dead) > _DEAD_MIN + _DEAD_SHARE_MAX * len(self._tail):
                self._tail = self._tail.without(np.array(self._dead, np.int64), after=self.row)
                self._dead = []
        while self._whole and self._read < head.row:
            if not len((more := self._feed.standing(self._read, limit=_CHUNK)).rows):
                break
            # Room that is not filled takes no memory.
            self._tail.extend(more, room=min(head.row - self.row, self._memory_max))
            self._read = int(more.rows[-1])
            self._whole = len(self._tail) <= self._memory_max
        if not self._whole:
            self._tail = Tail()
        self._head = head
