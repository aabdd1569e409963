"""Nearest neighbours over one graph: index files, and in memory what they do not cover yet, as one.

What a search returns is read from the store in the same breath: the index only says which passages to look at. So a
passage that another process wrote a moment ago is found, one that has ended is not, and a lost, damaged or foreign
index costs time and never an answer.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from weft.errors import InvalidArgument, Unavailable
from weft.index.build import Builder
from weft.index.checkup import faults
from weft.index.cover import HALVES_ERROR_MAX, Cover
from weft.index.ranking import Ranking
from weft.index.segment import COSINE_ERROR_MAX

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    from weft.index.feed import PassageFeed
    from weft.model import Filter, Near, Openings

__all__ = ["Index", "Sizes", "open_index"]

_CHUNK = 4096
_FIRST = 32
_WIDTH_MIN, _WIDTH_MAX = 1.25, 2.0
_SPARE = 4
_WIDER = 4
_WIDEST = 4096
_CLOSING_S = 5.0
_RETRY_S = 10.0
_QUIET_S = 0.05  # without a search, before building goes on at full pace: a capture in a row asks every 10 ms or so
_ASIDE_S = 0.005
_BREATH_S = 0.0001


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """When what is done, in passages.

    Up to ``exact_max`` no file is made: comparing all of them takes under 1 ms. Then a file is made whenever
    ``tail_max`` have gathered after the files. At most ``memory_max`` are held in memory (0.8 kB each at 384
    dimensions); where there are more, each search reads the store until the files are there. A filter under which no
    more than ``few_max`` nodes need to be read is answered by reading them; ``gone_max`` bounds the ended passages that
    a search in the past adds.
    """

    exact_max: int = 20_000
    tail_max: int = 10_000
    memory_max: int = 64_000
    few_max: int = 1_000
    gone_max: int = 4_000


class Index:
    """The :class:`weft.ports.Vectors` of an embedded graph; its files lie in ``folder``. Safe for threads.

    Nothing is read before the first search, and no search waits for a file to be made: that happens in a thread of its
    own, in one process at a time.
    """

    def __init__(self, feed: PassageFeed, folder: Path, *, dimension: int, sizes: Sizes | None = None) -> None:
        self._feed = feed
        self._dimension = dimension
        self._sizes = sizes or Sizes()
        self._folder = folder
        self._cover = Cover(feed, folder, memory_max=self._sizes.memory_max)
        self._closing = threading.Event()
        self._builder = Builder(feed, folder, stopping=self._closing.is_set, pause=self._pause)
        self._asked_at = -_QUIET_S
        self._width = _WIDTH_MIN  # passages looked at first, for each node wanted
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._retry_at = 0.0

    def nearest(self, vector: npt.NDArray[np.float32], *, filter: Filter, limit: int) -> tuple[Near, ...]:  # noqa: A002
        """Return the nodes whose best passage is nearest to ``vector`` (shape (dimension,), length 1), nearest first.

        Raises:
            InvalidArgument: ``vector`` is not one vector of the graph's dimension.
        """
        if vector.shape != (self._dimension,):
            raise InvalidArgument(f"The vector has shape {vector.shape}; this graph's have {self._dimension} numbers.")
        if limit < 1:
            return ()
        self._asked_at = time.monotonic()
        ranking = Ranking(np.ascontiguousarray(vector, np.float32), limit)
        few = None if filter.is_open else self._feed.few(filter, limit=self._sizes.few_max)
        if few is not None:
            ranking.add(few)
        elif not self._rank(ranking, filter):
            self._scan(ranking, filter)
        return ranking.best()

    def openings(self, filter: Filter, *, limit: int, per_node: int) -> Openings | None:  # noqa: A002
        """Return the first ``per_node`` passages of all nodes that pass ``filter`` now; None: over ``limit`` nodes."""
        return self._feed.openings(filter, limit=limit, per_node=per_node)

    def of(self, ids: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        """Return the passage vectors of these nodes, each (passages, dimension); nodes without any are left out."""
        return self._feed.of(ids)

    def rows(self, ids: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """Return the passages of these nodes that stand, in the order of their text; nodes without any are left out."""
        return self._feed.rows(ids)

    def passages(self, passages: Sequence[int]) -> dict[int, npt.NDArray[np.float32]]:
        """Return the vectors of these passages, each (dimension,), ended ones too; unknown ones are left out."""
        return self._feed.passages(passages)

    def cosines(self, vector: npt.NDArray[np.float32], ids: Sequence[str]) -> dict[str, float]:
        """Return how near the best passage of each of these nodes is to ``vector``; nodes without any are left out."""
        return self._feed.cosines(vector, ids)

    def words(self, passages: Sequence[int], *, width: int) -> dict[int, npt.NDArray[np.int8]]:
        """Return the vectors of the words of these passages, each (words, ``width``); where there are none, nothing."""
        return self._feed.words(passages, width=width)

    def rebuild(self, *, wait_s: float = 600.0) -> bool:
        """Make the index files anew, here and now, and return whether they are in place."""
        return self._builder.rebuild(wait_s=wait_s)

    def faults(self) -> dict[str, str]:
        """Return what is wrong with the index files, by ``unusable``, ``behind`` or ``leftover``; empty: nothing."""
        return faults(self._folder, self._feed, behind_max=self._sizes.exact_max + 2 * self._sizes.tail_max)

    def discard(self, *, wait_s: float = 600.0) -> None:
        """Remove the index files; vectors are compared exactly until enough gather for new ones.

        Raises:
            Unavailable: another process is making files and does not end within ``wait_s``.
        """
        self._builder.discard(wait_s=wait_s)

    def close(self) -> None:
        """Call off what is being built; what was there stays."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join(_CLOSING_S)

    def _rank(self, ranking: Ranking, filter: Filter) -> bool:  # noqa: A002
        """Look at more and more of the nearest until enough of them pass; return whether that went well."""
        if filter.as_of is not None:
            gone = self._feed.gone(filter, limit=self._sizes.gone_max)
            if gone is None:
                return False
            ranking.add(gone)
        view = self._cover.now()
        self._tend(len(view.rows), whole=view.whole)
        asked: set[int] = set()
        wanted = self._first(ranking.limit) if view.is_exact else max(_FIRST, 2 * ranking.limit)
        while view.whole and len(asked) < view.count:
            rows, cosines = view.nearest(ranking.vector, wanted)
            fresh = [row for row in rows.tolist() if row not in asked]
            ranking.add(self._feed.placed(fresh, filter))
            asked.update(fresh)
            margin = HALVES_ERROR_MAX if view.is_exact else COSINE_ERROR_MAX
            settled = ranking.settled(float(cosines.min(initial=2.0)) - margin)
            self._learn(enough=settled)
            if settled:
                return True
            if not view.is_exact and wanted >= _WIDEST:
                return False
            wanted *= _WIDER
        return view.whole

    def _first(self, limit: int) -> int:
        """Return how many passages are looked at first where all have been compared.

        Each is read from the store, at 4 µs: no more than it took lately, which follows from how many a node has and
        from how many pass the filter.
        """
        return int(self._width * limit) + _SPARE

    def _learn(self, *, enough: bool) -> None:
        self._width = max(_WIDTH_MIN, 0.98 * self._width) if enough else _WIDTH_MAX

    def _scan(self, ranking: Ranking, filter: Filter) -> None:  # noqa: A002
        row = 0
        while (places := self._feed.scan(filter, row, limit=_CHUNK)).rows:
            ranking.add(places)
            row = places.rows[-1]

    def _tend(self, pending: int, *, whole: bool) -> None:
        """Have a file made where enough has gathered, unless that failed a moment ago."""
        bound = self._sizes.tail_max if self._cover.row else self._sizes.exact_max
        if whole and pending <= bound:
            return
        with self._starting:
            busy = self._thread is not None and self._thread.is_alive()
            if busy or self._closing.is_set() or time.monotonic() < self._retry_at:
                return
            self._thread = threading.Thread(target=self._extend, daemon=True)
            self._thread.start()

    def _pause(self) -> None:
        """Let others go first while something is built, for longer where somebody searches."""
        busy = time.monotonic() - self._asked_at < _QUIET_S
        time.sleep(_ASIDE_S if busy else _BREATH_S)

    def _extend(self) -> None:
        try:
            done = self._builder.extend(wait_s=0.0)
        except Unavailable:  # the graph was closed, or is busy: the next search tries again
            done = False
        if not done:
            self._retry_at = time.monotonic() + _RETRY_S


def open_index(feed: PassageFeed, *, folder: Path, name: str, dimension: int, sizes: Sizes | None = None) -> Index:
    """Return the index of the graph ``name`` in ``folder``; its files lie in ``<name>.index`` there.

    ``dimension`` is the length of the graph's vectors.
    """
    return Index(feed, folder / f"{name}.index", dimension=dimension, sizes=sizes)
