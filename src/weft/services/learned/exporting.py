"""Learned items made ready to travel: each with what another graph needs to find what it joins."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft.errors import LimitExceeded
from weft.formats.learned import as_csv, as_cypher, as_json, as_markdown
from weft.model import (
    LearnedExported,
    LearnedQuery,
    Page,
    PortableConcept,
    PortableEnd,
    PortableItem,
    PortableVote,
)
from weft.model.codec import json_text
from weft.services.drafting import refuse_unknown
from weft.services.learned.conceiving import is_synthesis
from weft.services.learned.listing import checked
from weft.services.learned.scoring import named_ends
from weft.vocabulary import LIST_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from weft.model import Evidence, LearnedExport, LearnedItem, Node, Vote
    from weft.ports import Learned, Store

__all__ = ["EXPORTS", "exported"]

EXPORTS: Final[Mapping[str, Callable[[Sequence[PortableItem]], str]]] = {
    "json": as_json.render,
    "csv": as_csv.render,
    "markdown": as_markdown.render,
    "cypher": as_cypher.render,
}
"""The formats that learned knowledge is written in."""


def exported(store: Store, learned: Learned, request: LearnedExport) -> LearnedExported:
    """Return the text of the items that match, whole items only, as many as ``size_max`` allows.

    Raises:
        InvalidArgument: the format is unknown, or a value is out of bounds.
        LimitExceeded: the first item alone is longer than ``size_max``.
    """
    refuse_unknown(request.format, EXPORTS, field="format")
    render = EXPORTS[request.format]
    query = checked(LearnedQuery(creator=request.creator, ontology=request.ontology))
    taken: list[PortableItem] = []
    size, total = len(json_text(render(()))), 0
    while True:
        page = Page(limit=LIST_MAX, offset=request.offset + len(taken))
        found = learned.find(replace(query, page=page))
        total = found.total
        for item in _portable(store, learned, found.items):
            size += len(json_text(render((item,))).encode())
            if request.size_max and size > request.size_max:
                return _answer(request, taken or _too_long(item), total)
            taken.append(item)
        if len(found.items) < LIST_MAX:
            return _answer(request, taken, total)


def _answer(request: LearnedExport, taken: Sequence[PortableItem], total: int) -> LearnedExported:
    following = request.offset + len(taken)
    return LearnedExported(
        format=request.format,
        text=EXPORTS[request.format](taken),
        items=len(taken),
        total=total,
        next_offset=following if following < total else None,
    )


def _too_long(item: PortableItem) -> list[PortableItem]:
    raise LimitExceeded(
        f"{item.learned_id} alone is longer than an answer may be.",
        hint="Write the export to a file on the command line: weft learn export FILE.",
    )


def _portable(store: Store, learned: Learned, items: Sequence[LearnedItem]) -> list[PortableItem]:
    ends = {end for item in items for each in item.relations for end in (each.source, each.target)}
    nodes = store.nodes(sorted(ends))
    votes = learned.votes([item.learned_id for item in items])
    return [
        _item(item, item.evidence, nodes, votes.get(item.learned_id, ())) for item in items if item.evidence is not None
    ]


def _item(item: LearnedItem, evidence: Evidence, nodes: Mapping[str, Node], votes: Sequence[Vote]) -> PortableItem:
    concept = _concept_of(item, nodes)
    ids: Sequence[str] = [each.target for each in item.relations] if concept else named_ends(item.relations[0])
    return PortableItem(
        learned_id=item.learned_id,
        type="" if concept else item.relations[0].type,
        ends=tuple(PortableEnd(id=each, title=nodes[each].title, ontology=nodes[each].ontology) for each in ids),
        evidence=evidence.quote,
        creator=evidence.creator,
        created_at=evidence.created_at,
        similarity=evidence.similarity,
        leap=evidence.leap,
        concept=concept,
        votes=tuple(PortableVote(actor=each.actor, value=each.value, reason=each.reason, at=each.at) for each in votes),
    )


def _concept_of(item: LearnedItem, nodes: Mapping[str, Node]) -> PortableConcept | None:
    """Return the concept that an item made, or the one that it was merged into; None of a relation."""
    concept = item.concept
    if concept is None and is_synthesis(item):
        concept = nodes[item.relations[0].source]
    if concept is None:
        return None
    handle = next((name for name in concept.handles if name.startswith("synthesis_")), "")
    return PortableConcept(
        id=concept.id,
        handle=handle,
        title=concept.title,
        ontology=concept.ontology,
        search_terms=concept.search_terms,
    )
