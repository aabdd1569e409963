"""What was learned, read by its learned ids: through the partial indexes of what carries one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weft.errors import InvalidArgument
from weft.model import FoundLearned, LearnedItem, Vote
from weft.model.codec import time_from
from weft.store.rows import evidence_of, node_of, relation_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import LearnedQuery
    from weft.store.engine import Database, Reader

__all__ = ["SqlLearned"]

_AFTER_ALL = "\U0010ffff"


class SqlLearned:
    """The :class:`weft.ports.Learned` of a graph in SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def named(self, reference: str, *, limit: int) -> tuple[str, ...]:
        """Return the learned ids that ``reference`` may name, in order: itself, its relation's, those that begin so."""
        wanted = reference.strip()
        if not wanted:
            return ()
        with self._database.snapshot() as reader:
            for first, last in ((wanted, wanted), (wanted, wanted + _AFTER_ALL)):
                rows = reader.read("learned_named", first=first, last=last, limit=limit)
                if rows:
                    return tuple(row[0] for row in rows)
            relations = [relation_of(row) for row in reader.read("relation_by_id", id=wanted)]
        return tuple(relation.learned_id for relation in relations if relation.learned_id)

    def items(self, ids: Sequence[str]) -> dict[str, LearnedItem]:
        """Return the learned items of these ids, in this order; those of which nothing stands are left out."""
        with self._database.snapshot() as reader:
            return _items(reader, ids)

    def find(self, query: LearnedQuery) -> FoundLearned:
        """Return a page of the learned items that rest on evidence and match, newest first, with the true total.

        Raises:
            InvalidArgument: the page has no length or begins before the first row.
        """
        page = query.page
        if page.limit < 1 or page.offset < 0:
            raise InvalidArgument(f"A page has a limit of 1 or more and an offset of 0 or more, not {page}.")
        parts, values = _where(query)
        with self._database.snapshot() as reader:
            total = reader.read("learned_counted", where=parts, **values)[0][0]
            rows = reader.read("learned_found", where=parts, limit=page.limit, offset=page.offset, **values)
            found = _items(reader, [row[0] for row in rows])
        return FoundLearned(items=tuple(found.values()), total=total)

    def votes(self, ids: Sequence[str]) -> dict[str, tuple[Vote, ...]]:
        """Return the votes on each of these learned items, oldest first; those without any are left out."""
        found: dict[str, tuple[Vote, ...]] = {}
        for learned_id, actor, value, reason, at in self._database.read("learned_votes", ids=list(dict.fromkeys(ids))):
            vote = Vote(learned_id=learned_id, actor=actor, value=value, reason=reason, at=time_from(at))
            found[learned_id] = (*found.get(learned_id, ()), vote)
        return found

    def ever(self, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return each text that was ever the evidence under these learned ids, standing or not. Reads the whole log."""
        found: dict[str, tuple[str, ...]] = {}
        for learned_id, quote in self._database.read("learned_ever", ids=list(ids)):
            found[learned_id] = (*found.get(learned_id, ()), quote)
        return found


def _where(query: LearnedQuery) -> tuple[tuple[str, ...], dict[str, Any]]:
    given: tuple[tuple[bool, str, str, Any], ...] = (
        (bool(query.creator), "if_learned_creator", "creator", query.creator),
        (query.similarity_min > 0, "if_learned_similarity", "similarity_min", query.similarity_min),
        (bool(query.leap), "if_learned_leap", "leap", query.leap),
        (bool(query.ontology), "if_learned_ontology", "ontology", query.ontology),
    )
    first, last = (query.learned_id, query.learned_id) if query.learned_id else ("", _AFTER_ALL)
    values = {"first": first, "last": last} | {name: value for wanted, _, name, value in given if wanted}
    return tuple(part for wanted, part, _, _ in given if wanted), values


def _items(reader: Reader, ids: Sequence[str]) -> dict[str, LearnedItem]:
    wanted = list(dict.fromkeys(ids))
    relations = [relation_of(row) for row in reader.read("learned_relations", ids=wanted)]
    concepts = {node.learned_id: node for node in map(node_of, reader.read("learned_concepts", ids=wanted))}
    subjects = {end for relation in relations for end in (relation.id, relation.source)}
    subjects |= {node.id for node in concepts.values()}
    rows = reader.read("evidence_under", subjects=sorted(subjects))
    evidence = {piece.learned_id: piece for piece in map(evidence_of, rows)}
    items = (
        LearnedItem(
            learned_id=learned_id,
            relations=tuple(relation for relation in relations if relation.learned_id == learned_id),
            evidence=evidence.get(learned_id),
            concept=concepts.get(learned_id),
        )
        for learned_id in wanted
    )
    return {item.learned_id: item for item in items if item.relations or item.concept}
