"""Learned items in words: who made them, what they join, how strong they are, and how they stood earlier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from weft.model import Connection, LearnedEntry, LearnedList, LearnedVersion
from weft.services import drafting
from weft.services.learned.identifying import item_named
from weft.services.learned.scoring import named_ends
from weft.vocabulary import NAME_MAX

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from weft.model import Change, Evidence, LearnedItem, LearnedQuery, Node, Tally
    from weft.ports import Learned, Log, Store
    from weft.services.learned.rating import Rating

__all__ = ["LEAPS", "Listing", "checked"]

LEAPS: Final = ("LOW", "MEDIUM", "HIGH")
_VERSIONS_MAX: Final = 50  # of one item that are shown


def checked(query: LearnedQuery) -> LearnedQuery:
    """Return ``query``.

    Raises:
        InvalidArgument: a value is out of bounds or unknown.
    """
    drafting.fraction(query.similarity_min, field="min_similarity")
    for value, field in ((query.creator, "creator"), (query.ontology, "ontology")):
        drafting.line(value, field=field, limit=NAME_MAX)
    if query.leap:
        drafting.refuse_unknown(query.leap, LEAPS, field="cognitive_leap")
    drafting.checked_page(query.page)
    return query


class Listing:
    """Lists learned items."""

    def __init__(self, *, store: Store, learned: Learned, log: Log, rating: Rating) -> None:
        self._store = store
        self._learned = learned
        self._log = log
        self._rating = rating

    def entries(self, query: LearnedQuery, *, depth: int) -> LearnedList:
        """Return a page of the items that match ``query``, newest first, each with up to ``depth`` earlier versions.

        ``query.learned_id`` may be anything that names an item.

        Raises:
            InvalidArgument: a value is out of bounds or unknown.
            NotFound, Ambiguous: no item, or more than one, is named so.
        """
        found = self._learned.find(checked(query))
        nodes = self._store.nodes(
            sorted({end for item in found.items for each in item.relations for end in (each.source, each.target)})
        )
        tallies = self._rating.tallies(found.items)
        entries = tuple(
            self._entry(item, item.evidence, nodes, tally=tallies[item.learned_id], depth=depth)
            for item in found.items
            if item.evidence is not None
        )
        return LearnedList(entries=entries, total=found.total, page=query.page)

    def named(self, reference: str) -> str:
        """Return the learned id of the item that ``reference`` names; errors as :func:`item_named`."""
        return item_named(self._store, self._learned, reference).learned_id

    def _entry(
        self, item: LearnedItem, evidence: Evidence, nodes: Mapping[str, Node], *, tally: Tally, depth: int
    ) -> LearnedEntry:
        return LearnedEntry(
            learned_id=item.learned_id,
            creator=evidence.creator,
            created_at=evidence.created_at,
            evidence=evidence.quote,
            connections=tuple(
                Connection(source=nodes[first].title, target=nodes[second].title, type=each.type)
                for each in item.relations
                for first, second in (named_ends(each),)
            ),
            similarity=evidence.similarity,
            leap=evidence.leap,
            version=evidence.version,
            tally=tally,
            concept=_concept(item),
            history=self._history(item, evidence.id, depth) if depth else (),
        )

    def _history(self, item: LearnedItem, evidence: str, depth: int) -> tuple[LearnedVersion, ...]:
        """Return how the item stood before, newest first: its evidence, and the type its relation had then."""
        changes = self._log.history(evidence, limit=min(depth, _VERSIONS_MAX) + 1)
        types = self._log.history(item.relations[0].id, limit=_VERSIONS_MAX) if item.relations else ()
        return tuple(_version(change, types) for change in changes[1:] if change.after is not None)


def _version(change: Change, types: Sequence[Change]) -> LearnedVersion:
    after: Mapping[str, Any] = change.after or {}
    then = next((each.after for each in types if each.batch == change.batch and each.after), None)
    then = then or next((each.after for each in types if each.seq < change.seq and each.after), None)
    return LearnedVersion(
        version=after["version"],
        at=change.at,
        by=change.actor,
        evidence=after["quote"],
        similarity=after["similarity"],
        leap=after["leap"],
        type=(then or {}).get("type", ""),
    )


def _concept(item: LearnedItem) -> tuple[str, str] | None:
    if item.concept is None:
        return None
    handle = next((name for name in item.concept.handles if name.startswith("synthesis_")), item.concept.id)
    return handle, item.concept.title
