"""What was learned, read by its learned ids: through the partial indexes of what carries one.

Where nodes were merged that had the same learned relation each, one relation stands for both items and carries one of
the two ids. The other item is found by its evidence, which rests under that relation. That is looked for among all that
was learned, and only where an id is not found by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from weft.errors import InvalidArgument
from weft.model import FoundLearned, LearnedItem
from weft.store.engine import AFTER_ALL
from weft.store.rows import evidence_of, node_of, relation_of, vote_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from weft.model import LearnedQuery, Vote
    from weft.store.engine import Database, Reader

__all__ = ["SqlLearned"]

_EVERYTHING: Final[Mapping[str, Any]] = {"first": "", "last": AFTER_ALL}


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
            for first, last in ((wanted, wanted), (wanted, wanted + AFTER_ALL)):
                if named := _named(reader, first, last, limit):
                    return named
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
            values |= _around(reader, query.learned_id)
            total = reader.read("learned_counted", where=parts, **values)[0][0]
            rows = reader.read("learned_found", where=parts, limit=page.limit, offset=page.offset, **values)
            found = _items(reader, [row[0] for row in rows])
        return FoundLearned(items=tuple(found.values()), total=total)

    def votes(self, ids: Sequence[str]) -> dict[str, tuple[Vote, ...]]:
        """Return the votes on each of these learned items, oldest first; those without any are left out."""
        found: dict[str, tuple[Vote, ...]] = {}
        for vote in map(vote_of, self._database.read("learned_votes", ids=list(dict.fromkeys(ids)))):
            found[vote.learned_id] = (*found.get(vote.learned_id, ()), vote)
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
        (bool(query.learned_id), "if_learned_id_is", "learned_id", query.learned_id),
    )
    values = {name: value for wanted, _, name, value in given if wanted}
    return tuple(part for wanted, part, _, _ in given if wanted), values


def _around(reader: Reader, learned_id: str) -> dict[str, str]:
    """Return between which ids lies what the item of this id may rest under; everything, where nothing carries it."""
    carried = learned_id and reader.read("learned_named", first=learned_id, last=learned_id, limit=1)
    return {"first": learned_id, "last": learned_id} if carried else dict(_EVERYTHING)


def _named(reader: Reader, first: str, last: str, limit: int) -> tuple[str, ...]:
    carried = {row[0] for row in reader.read("learned_named", first=first, last=last, limit=limit)}
    if carried and first == last:
        return tuple(carried)
    rows = reader.read("learned_joined", **_EVERYTHING, lowest=first, highest=last, limit=limit)
    return tuple(sorted(carried | {row[0] for row in rows}))[:limit]


def _items(reader: Reader, ids: Sequence[str]) -> dict[str, LearnedItem]:
    wanted = list(dict.fromkeys(ids))
    relations = [relation_of(row) for row in reader.read("learned_relations", ids=wanted)]
    concepts = {node.learned_id: node for node in map(node_of, reader.read("learned_concepts", ids=wanted))}
    subjects = {end for relation in relations for end in (relation.id, relation.source)}
    subjects |= {node.id for node in concepts.values()}
    rows = reader.read("evidence_under", subjects=sorted(subjects))
    evidence = {piece.learned_id: piece for piece in map(evidence_of, rows)}
    carried = {relation.learned_id for relation in relations} | concepts.keys()
    joined = _joined(reader, [each for each in wanted if each not in carried])
    own = (
        LearnedItem(
            learned_id=learned_id,
            relations=tuple(relation for relation in relations if relation.learned_id == learned_id),
            evidence=evidence.get(learned_id),
            concept=concepts.get(learned_id),
        )
        for learned_id in wanted
    )
    found = {item.learned_id: item for item in own if item.relations or item.concept} | joined
    return {learned_id: found[learned_id] for learned_id in wanted if learned_id in found}


def _joined(reader: Reader, ids: Sequence[str]) -> dict[str, LearnedItem]:
    """Return those of these items that rest under a relation, or a synthesis, which carries another learned id."""
    rows = reader.read("learned_evidence_joined", **_EVERYTHING, ids=list(ids)) if ids else ()
    pieces = [evidence_of(row) for row in rows]
    under = sorted({piece.subject for piece in pieces})
    carriers = [relation_of(row) for row in reader.read("learned_carriers", ids=under)] if under else []
    items = (
        LearnedItem(
            learned_id=piece.learned_id,
            relations=tuple(each for each in carriers if piece.subject in {each.id, each.source}),
            evidence=piece,
            concept=None,
        )
        for piece in pieces
    )
    return {item.learned_id: item for item in items if item.relations}
