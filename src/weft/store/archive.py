"""The whole graph, read in order of its keys: every page of one moment, so that a copy is of one piece."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from weft.model import Retired, Subject
from weft.model.codec import id_of
from weft.store.rows import change_of, evidence_of, node_of, relation_of, source_of, suggestion_of, vote_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from weft.model import Change, Evidence, Node, Relation
    from weft.model.codec import Value
    from weft.store.engine import Database, Reader

__all__ = ["SqlArchive"]


# Of each kind of value: the query of a page, the query of single ones, and what makes a value of a row.
_SHELVES: Final[dict[Subject, tuple[str, str, Callable[[tuple[Any, ...]], Value]]]] = {
    Subject.NODE: ("archive_nodes", "nodes_by_id", node_of),
    Subject.RELATION: ("archive_relations", "relations_by_id", relation_of),
    Subject.SOURCE: ("archive_sources", "sources_by_id", source_of),
    Subject.EVIDENCE: ("archive_evidence", "evidence_by_ids", evidence_of),
    Subject.SUGGESTION: ("archive_suggestions", "suggestions_by_id", suggestion_of),
}


class SqlMoment:
    """The :class:`weft.ports.Moment` of a graph in SQL: one read transaction, used by one thread."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def head(self) -> int:
        """Return the position of the last change (0: none)."""
        rows = self._reader.read("change_head")
        return int(rows[0][0]) if rows else 0

    def page(self, subject: Subject, after: tuple[str, ...], *, limit: int) -> tuple[Value, ...]:
        """Return the next values of a kind after this key, in order of their keys."""
        if subject is Subject.VOTE:
            learned_id, actor = after or ("", "")
            rows = self._reader.read("archive_votes", after=learned_id, after_too=actor, limit=limit)
            return tuple(vote_of(row) for row in rows)
        name, _, value_of = _SHELVES[subject]
        return tuple(value_of(row) for row in self._reader.read(name, after="".join(after), limit=limit))

    def changes(self, seq: int, *, limit: int) -> tuple[Change, ...]:
        """Return the changes after ``seq``, oldest first."""
        return tuple(change_of(row) for row in self._reader.read("changes_since", seq=seq, limit=limit))

    def series(self) -> dict[str, int]:
        """Return the last number taken of each series, by its name, in order of the names."""
        return dict(sorted(self._reader.read("series_values")))

    def nodes(self, ids: Sequence[str]) -> dict[str, Node]:
        """Return the nodes of these ids, retired ones too; unknown ids are left out."""
        return {row[0]: node_of(row) for row in self._reader.read("nodes_by_id", ids=list(ids))}

    def relations(self, ids: Sequence[str], *, per_node: int) -> tuple[Relation, ...]:
        """Return the relations that touch any of these nodes, strongest first, each once."""
        rows = self._reader.read("relations_touching", ids=sorted(set(ids)), per_node=per_node)
        return tuple(relation_of(row) for row in rows)

    def grounds(self, subjects: Sequence[str]) -> tuple[tuple[Evidence, str, str], ...]:
        """Return the evidence under these, oldest first, each with its document's name and path."""
        rows = self._reader.read("evidence_grounds", subjects=list(subjects))
        return tuple((evidence_of(row[:-2]), row[-2], row[-1]) for row in rows)


class SqlArchive:
    """The :class:`weft.ports.Archive` of a graph in SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextmanager
    def moment(self) -> Iterator[SqlMoment]:
        """Give the graph as it stands now, whatever others write meanwhile: one read transaction.

        The engine's log of writes grows while it is open, and shrinks afterwards.
        """
        with self._database.snapshot() as reader:
            moment = SqlMoment(reader)
            moment.head()  # the engine takes its snapshot at the first read
            yield moment

    def values(self, subject: Subject, ids: Sequence[str]) -> dict[str, Value]:
        """Return the values of these ids as they stand; unknown ids are left out."""
        if subject is Subject.VOTE:
            return self._votes(ids)
        _, name, value_of = _SHELVES[subject]
        return {row[0]: value_of(row) for row in self._database.read(name, ids=list(ids))}

    def retired(self, prefix: str) -> dict[str, Retired]:
        """Return what became of the retired nodes that had a handle of this prefix, by handle; the newest of several.

        Walks through all nodes once.
        """
        rows = self._database.read("handles_retired", prefix=prefix)
        return {handle: Retired(node=node, merged_into=into) for handle, node, into in rows}

    def _votes(self, ids: Sequence[str]) -> dict[str, Value]:
        """Return the votes of these ids; each id is split at every slash, since either half may hold some."""
        pairs = [(id_[:at], id_[at + 1 :]) for id_ in ids for at, letter in enumerate(id_) if letter == "/"]
        votes = (vote_of(row) for row in self._database.read("votes_by_key", ids=pairs))
        return {id_of(vote): vote for vote in votes}
