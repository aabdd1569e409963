"""Nearest neighbours in PostgreSQL: pgvector's HNSW index says which passages to look at, and numpy how near they are.

The index lies in the database and is kept there, so that nothing has to be built or watched here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from weft.errors import InvalidArgument, WeftError
from weft.index.ranking import Ranking
from weft.store.moved import refuse_moved
from weft.store.passages import SqlPassages, condition_of, places_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from weft.model import Filter, Near, Openings
    from weft.store.engine import Database
    from weft.store.passages import Condition

__all__ = ["PostgresVectors"]

_FEW_MAX: Final = 1_000
_GONE_MAX: Final = 4_000
_FIRST: Final = 32
_WIDER: Final = 4
_WIDEST: Final = 4_096


class PostgresVectors:
    """The :class:`weft.ports.Vectors` of a graph in PostgreSQL, of ``dimension`` numbers each; safe for threads."""

    def __init__(self, database: Database, *, dimension: int) -> None:
        self._database = database
        self._dimension = dimension
        self._feed = SqlPassages(database)

    def nearest(self, vector: npt.NDArray[np.float32], *, filter: Filter, limit: int) -> tuple[Near, ...]:  # noqa: A002
        """Return the nodes whose best passage is nearest to ``vector`` (shape (dimension,), length 1), nearest first.

        Where the index does not lead to enough that pass the filter, all passages are compared.

        Raises:
            InvalidArgument: ``vector`` is not one vector of the graph's dimension.
        """
        if vector.shape != (self._dimension,):
            raise InvalidArgument(f"The vector has shape {vector.shape}; this graph's have {self._dimension} numbers.")
        if limit < 1:
            return ()
        ranking = Ranking(np.ascontiguousarray(vector, np.float32), limit)
        few = None if filter.is_open else self._feed.few(filter, limit=_FEW_MAX)
        if few is not None:
            ranking.add(few)
        elif not (self._gone(ranking, filter) and self._look(ranking, filter, "passages_nearest", most=_WIDEST)):
            self._look(ranking, filter, "passages_compared")
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

    def rebuild(self, *, wait_s: float = 600.0) -> bool:  # noqa: ARG002 - an index in files takes time
        """Return whether the index is in place: the database keeps it with every write, and its owner makes it anew."""
        return not self.faults()

    def faults(self) -> dict[str, str]:
        """Return what is wrong with the index, under ``unusable``; empty: nothing."""
        if self._database.read("vectors_indexed")[0][0]:
            return {}
        return {"unusable": "The database has no whole index passage_by_vector (its owner can say REINDEX)"}

    def discard(self, *, wait_s: float = 600.0) -> None:
        """Do nothing: no file lies beside the graph."""

    def close(self) -> None:
        """Do nothing: the connections are the database's."""

    def _gone(self, ranking: Ranking, filter: Filter) -> bool:  # noqa: A002
        """Take in what stood then and has ended since, which is in no index, and return whether it was few enough."""
        if filter.as_of is None:
            return True
        gone = self._feed.gone(filter, limit=_GONE_MAX)
        if gone is not None:
            ranking.add(gone)
        return gone is not None

    def _look(self, ranking: Ranking, filter: Filter, query: str, *, most: int | None = None) -> bool:  # noqa: A002
        """Take in more and more of the nearest, up to ``most``, and return whether they are of enough nodes.

        What is farther than all that was seen is of no use once enough nodes are there, each by its nearest passage.
        """
        condition, packed = condition_of(filter), ranking.vector.astype("<f2").tobytes()
        wanted = max(_FIRST, 2 * ranking.limit)
        while True:
            rows = self._asked(condition, query, vector=packed, limit=wanted)
            kept = condition.kept(rows)
            ranking.add(places_of(kept))
            if len({row[1] for row in kept}) >= ranking.limit:
                return True
            if len(rows) < wanted or wanted == most:
                return False
            wanted = min(wanted * _WIDER, most or wanted * _WIDER)

    def _asked(self, condition: Condition, query: str, *, vector: bytes, limit: int) -> list[tuple[Any, ...]]:
        try:
            return condition.read(self._database, query, vector=vector, limit=limit)
        except WeftError:
            refuse_moved(self._database, self._database.embedding)  # vectors of two lengths cannot be compared at all
            raise
