"""Passages as the index reads them, and the conditions under which one counts: now, or at a position of the log."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.index.feed import Head, Places, Rows
from weft.model import Openings, Scope
from weft.store.filters import since_of, where
from weft.store.moved import model_moved

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from weft.model import Filter
    from weft.store.engine import Bound, Database

__all__ = ["Condition", "SqlPassages", "condition_of", "few_nodes", "places_of"]

_PASSAGES_A_NODE = 8
_ASKED_EACH = {"if_tags": "if_each_tag", "if_tags_alike": "if_each_alike"}  # of a passage's node, once it is known


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A filter as queries over passages take it: ``tense`` ends their names, ``parts`` and ``values`` are bound.

    ``within`` is set where the engine cannot ask it: in the past a node that has changed since passes whatever it is
    now, but never one that was not asked for.
    """

    tense: str
    parts: tuple[str, ...]
    values: dict[str, Any]
    within: frozenset[str] | None = None

    def read(self, database: Database, name: str, **values: Bound) -> list[tuple[Any, ...]]:
        """Return the rows of the query ``name``, some of which :meth:`kept` may still take out."""
        asked = {"embedding": database.embedding, **self.values, **values}
        return database.read(f"{name}{self.tense}", where=self.parts, **asked)

    def kept(self, rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """Return those of ``rows`` that count; their second column is a node's id."""
        return rows if self.within is None else [row for row in rows if row[1] in self.within]

    def read_gone(self, database: Database, *, limit: int) -> list[tuple[Any, ...]] | None:
        """Return the passages that stood then and have ended since, as :meth:`read` does; None: over ``limit``."""
        asked = {"embedding": database.embedding, **self.values, "limit": limit + 1}
        rows = database.read("passages_gone", where=self.parts, **asked)
        return rows if len(rows) <= limit else None


@lru_cache(maxsize=64)
def condition_of(filter: Filter) -> Condition:  # noqa: A002 - the field's word
    """Return ``filter`` as a condition."""
    conditions = where(filter)
    parts = [_ASKED_EACH.get(part, part) for part in conditions.parts]
    if filter.as_of is None:
        parts.remove("if_standing")  # a passage that stands has a node that stands
        return Condition(tense="", parts=tuple(parts), values=conditions.values)
    return Condition(
        tense="_then",
        parts=tuple(part for part in parts if part != "if_within"),
        values=conditions.values | {"as_of": filter.as_of},
        within=frozenset(filter.within) or None,
    )


def few_nodes(database: Database, filter: Filter, *, limit: int) -> list[int] | None:  # noqa: A002
    """Return rows of at most ``limit`` nodes, all that pass ``filter`` among them; None: no index yields so few."""
    for name, values in _narrowest(filter):
        rows = database.read(name, limit=limit + 1, **values)
        if len(rows) <= limit:
            return list(dict.fromkeys(row[0] for row in rows))
    return None


def _narrowest(filter: Filter) -> Iterator[tuple[str, dict[str, Any]]]:  # noqa: A002
    """Yield the queries that lead to the nodes of ``filter`` through an index, usually the narrowest first."""
    if filter.within:
        yield "few_within", {"within": list(filter.within)}
    if filter.as_of is not None:
        return  # what a node was like then is not indexed
    marked = filter.status not in {"", "active"}
    given: tuple[tuple[bool, str, dict[str, Any]], ...] = (
        (bool(filter.learned_id), "few_learned_id", {"learned_id": filter.learned_id}),
        (bool(filter.session), "few_session", {"session": filter.session}),
        (filter.since is not None, "few_since", since_of(filter)),
        *((True, "few_tag", {"tag": tag}) for tag in filter.tags),
        *((True, "few_tags_alike", {"tags": list(group)}) for group in filter.tags_alike),
        (marked, "few_status", {"status": filter.status}),
        (filter.scope is Scope.LEARNED, "few_learned", {}),
        (bool(filter.ontologies), "few_ontologies", {"ontologies": list(filter.ontologies)}),
        (bool(filter.kinds), "few_kinds", {"kinds": list(filter.kinds)}),
    )
    yield from ((name, values) for wanted, name, values in given if wanted)


class SqlPassages:
    """The :class:`weft.index.feed.PassageFeed` of a graph in SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def head(self) -> Head:
        """Return how far the passages have come.

        Raises:
            Unavailable: the graph has been moved to another embedding model, as all that reads vectors does then.
        """
        head = Head(*self._database.read("passage_head")[0])
        if self._database.embedding not in {"", head.model}:
            raise model_moved()
        return head

    def standing(self, row: int, *, limit: int) -> Rows:
        """Return up to ``limit`` passages after ``row`` that stand now."""
        found = self._database.read("passages_standing", embedding=self._database.embedding, row=row, limit=limit)
        return Rows(rows=np.array([at for at, _ in found], np.int64), vectors=_vectors([blob for _, blob in found]))

    def ended(self, seq: int, *, row: int) -> tuple[int, ...]:
        """Return the rows after ``row`` of the passages that ended after position ``seq``."""
        return tuple(at for (at,) in self._database.read("passages_ended", seq=seq, row=row))

    def placed(self, rows: Sequence[int], filter: Filter) -> Places:  # noqa: A002 - the field's word
        """Return those of ``rows`` that stand and pass the filter, in any order."""
        condition = condition_of(filter)
        return places_of(condition.kept(condition.read(self._database, "passages_placed", rows=list(rows))))

    def few(self, filter: Filter, *, limit: int) -> Places | None:  # noqa: A002
        """Return all passages that pass the filter; None: finding them takes reading over ``limit`` nodes."""
        nodes = few_nodes(self._database, filter, limit=limit)
        if nodes is None:
            return None
        most = limit * _PASSAGES_A_NODE
        condition = condition_of(filter)
        rows = condition.read(self._database, "passages_within", nodes=nodes, limit=most + 1)
        gone = [] if filter.as_of is None else condition.read_gone(self._database, limit=most)
        return None if len(rows) > most or gone is None else places_of(condition.kept(rows + gone))

    def gone(self, filter: Filter, *, limit: int) -> Places | None:  # noqa: A002
        """Return the passages that stood at ``filter.as_of`` and have ended since; None: over ``limit``."""
        condition = condition_of(filter)
        rows = condition.read_gone(self._database, limit=limit)
        return None if rows is None else places_of(condition.kept(rows))

    def scan(self, filter: Filter, row: int, *, limit: int) -> Places:  # noqa: A002
        """Return up to ``limit`` next passages after ``row`` that pass the filter, by row; none: there are none."""
        condition = condition_of(filter)
        while True:
            rows = condition.read(self._database, "passages_scanned", row=row, limit=limit)
            kept = condition.kept(rows)
            if kept or not rows:
                return places_of(kept)
            row = rows[-1][0]

    def openings(self, filter: Filter, *, limit: int, per_node: int) -> Openings | None:  # noqa: A002
        """Return the first ``per_node`` passages of the nodes that pass the filter; None: over ``limit`` nodes."""
        nodes = few_nodes(self._database, filter, limit=limit)
        if nodes is None:
            return None
        rows = condition_of(filter).read(self._database, "passages_opening", nodes=nodes, per_node=per_node)
        return Openings(nodes=tuple(id_ for id_, _ in rows), vectors=_vectors([blob for _, blob in rows]))

    def of(self, ids: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        """Return the vectors of these nodes' passages, each of shape (passages, dimension)."""
        nodes, vectors = self._of(ids)
        counts = Counter(nodes)
        ends = accumulate(counts.values())
        return {node: vectors[end - count : end] for (node, count), end in zip(counts.items(), ends, strict=True)}

    def rows(self, ids: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """Return the passages of these nodes that stand, in the order of their text; nodes without any are left out."""
        wanted = list(dict.fromkeys(ids))
        found = self._database.read("passages_rows", ids=wanted) if wanted else []
        return {node: tuple(row for _, row in own) for node, own in groupby(found, key=itemgetter(0))}

    def passages(self, passages: Sequence[int]) -> dict[int, npt.NDArray[np.float32]]:
        """Return the vectors of these passages, each (dimension,), ended ones too; unknown ones are left out."""
        found = self._database.read("passages_at", embedding=self._database.embedding, rows=list(passages))
        return dict(zip([row for row, _ in found], _vectors([blob for _, blob in found]), strict=True))

    def cosines(self, vector: npt.NDArray[np.float32], ids: Sequence[str]) -> dict[str, float]:
        """Return the cosine (−1..1) of ``vector`` and the nearest passage of each of these nodes that has any."""
        nodes, vectors = self._of(ids)
        if not nodes:
            return {}
        best: dict[str, float] = {}
        for node, cosine in zip(nodes, np.clip(vectors @ vector, -1.0, 1.0).tolist(), strict=True):
            best[node] = max(cosine, best.get(node, -1.0))
        return best

    def words(self, passages: Sequence[int], *, width: int) -> dict[int, npt.NDArray[np.int8]]:
        """Return the vectors of the words of these passages, each of shape (words, ``width``)."""
        found = self._database.read("passages_words", embedding=self._database.embedding, rows=list(passages))
        return {
            row: np.frombuffer(packed, np.int8).reshape(-1, width) for row, packed in found if len(packed) % width == 0
        }

    def _of(self, ids: Sequence[str]) -> tuple[list[str], npt.NDArray[np.float32]]:
        """Return the passages of these nodes in order: each one's node, and their vectors (passages, dimension)."""
        wanted = list(dict.fromkeys(ids))
        found = self._database.read("passages_of", embedding=self._database.embedding, ids=wanted) if wanted else []
        return [node for node, _ in found], _vectors([blob for _, blob in found])

    def proof(self, rows: Sequence[int]) -> str:
        """Return the SHA-256, in hex, over row, position, node and vector of these passages."""
        digest = sha256()
        for row, from_seq, node, vector in self._database.read("passages_proof", rows=list(rows)):
            digest.update(f"{row} {from_seq} {node} ".encode() + vector)
        return digest.hexdigest()


def _vectors(blobs: Sequence[Any]) -> npt.NDArray[np.float32]:
    """Return stored vectors as one matrix (len(blobs), dimension).

    Raises:
        Unavailable: they are of another embedding model than the graph was opened with.
    """
    if not blobs:
        return np.empty((0, 0), np.float32)
    if blobs[0] is None:  # of one statement, which saw one model
        raise model_moved()
    return np.frombuffer(b"".join(blobs), "<f2").reshape(len(blobs), -1).astype(np.float32)


def places_of(rows: list[tuple[Any, ...]]) -> Places:
    """Return rows of a query over passages (row, node's id, start, end, vector) column by column."""
    at, nodes, starts, ends, blobs = zip(*rows, strict=True) if rows else ((), (), (), (), ())
    return Places(rows=at, nodes=nodes, starts=starts, ends=ends, vectors=_vectors(blobs))
