"""Merging one node into another: relations, evidence and names move over, the merged one retires; undo parts them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from weft.errors import InvalidArgument, PermissionDenied
from weft.model import Mention, Origin, RemoveRelation, SaveEvidence, SaveMentions, SaveNode, SaveRelation
from weft.services.forgetting import retired
from weft.services.mentioning import MENTIONS_READ
from weft.services.relating import attached, ordered, strengthened, touched
from weft.vocabulary import ALIASES_MAX, REFERENCES_MAX, SEARCH_TERMS_MAX, TAGS_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable

    from weft.model import Call, Node, Operation, Relation
    from weft.ports import Shelf, Store

__all__ = ["Merging", "plan_merge", "roles"]

Triple = tuple[str, str, str]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Merging:
    """What merges two nodes, and how many relations, pieces of evidence and search terms it moves over."""

    operations: tuple[Operation, ...]
    relations: int
    evidence: int
    search_terms: int


def roles(keep: Node, merge: Node) -> tuple[Node, Node]:
    """Return (the node that stays, the node that goes): as wished, but what a document said stays.

    Raises:
        InvalidArgument: they are the same node.
        PermissionDenied: documents said both.
    """
    if keep.id == merge.id:
        raise InvalidArgument(f"«{keep.title}» cannot be merged into itself.")
    if merge.origin is not Origin.DOCUMENT:
        return keep, merge
    if keep.origin is Origin.DOCUMENT:
        raise PermissionDenied(
            f"«{merge.title}» and «{keep.title}» both come from documents; neither is merged away.",
            hint="Consider relating them with relates_to instead.",
        )
    return merge, keep


def plan_merge(store: Store, shelf: Shelf, pair: tuple[Node, Node], call: Call, *, why: str) -> Merging:
    """Return what merges the second of ``pair`` into the first: see :func:`roles` for which is which.

    A relation keeps its id, its origin and its reasons on the way; one that the first has already is strengthened
    instead, and one between the two goes. What was learned keeps its learned id, its evidence and its votes: a relation
    that was not learned takes the id over; under one that was, two items stand, each on evidence of its own. Evidence
    follows what it supports, and texts that name the second lead to the first. Title, aliases, handles, tags, search
    terms and references are added to those of the first, as far as they have room.
    """
    keep, merge = pair
    going = attached(store, merge.id)
    relations, moved = _relations(store, (keep, merge), going)
    evidence = store.evidence((merge.id, *moved))
    enriched = _enriched(keep, merge, call)
    operations: tuple[Operation, ...] = (
        *relations,
        *(
            SaveEvidence(
                evidence=replace(each, subject=moved.get(each.subject, keep.id), version=each.version + 1),
                expect=each.version,
            )
            for each in evidence
        ),
        SaveMentions(node=merge.id, outgoing=()),
        SaveNode(node=retired(merge, call, why=why, merged_into=keep.id), expect=merge.version),
        SaveNode(node=enriched, expect=keep.version),
        _mentions(shelf, keep, merge),
    )
    return Merging(
        operations=operations,
        relations=sum({each.source, each.target} != {keep.id, merge.id} for each in going),
        evidence=len(evidence),
        search_terms=len(enriched.search_terms) - len(keep.search_terms),
    )


def _mentions(shelf: Shelf, keep: Node, merge: Node) -> SaveMentions:
    stored = shelf.mentions((keep.id, merge.id), per_node=MENTIONS_READ)
    return SaveMentions(
        node=keep.id,
        outgoing=tuple(each for each in stored if each.node == keep.id),
        incoming=tuple(
            Mention(node=each.node, target=keep.id, name=each.name)
            for each in stored
            if each.target == merge.id and each.node != keep.id
        ),
    )


def _relations(
    store: Store, pair: tuple[Node, Node], going: Iterable[Relation]
) -> tuple[list[Operation], dict[str, str]]:
    """Return the writes that move ``going``, and for each absorbed one the id of the one that stays."""
    keep, merge = pair
    standing: dict[Triple, Relation] = {
        (each.source, each.target, each.type): each for each in attached(store, keep.id)
    }
    before = dict(standing)
    removals: list[Operation] = []
    writes: dict[Triple, SaveRelation] = {}
    absorbed: dict[str, str] = {}
    for each in going:
        removals.append(RemoveRelation(id=each.id, expect=each.version))
        source, target = (keep.id if end == merge.id else end for end in (each.source, each.target))
        if source == target:
            continue
        triple = (*ordered(source, target, store.vocabulary.type(each.type)), each.type)
        twin = standing.get(triple)
        if twin is None:
            arrived = replace(each, source=triple[0], target=triple[1], version=1)
            writes[triple] = SaveRelation(relation=arrived, expect=0)
            standing[triple] = arrived
            continue
        absorbed[each.id] = twin.id
        stronger = _learned(strengthened(twin, each), each, twin)
        if stronger != twin and triple in before:
            writes[triple] = SaveRelation(relation=stronger, expect=before[triple].version)
            standing[triple] = stronger
    return [*removals, *writes.values()], absorbed


def _learned(stronger: Relation, absorbed: Relation, before: Relation) -> Relation:
    """Return ``stronger``, which ``before`` became, with the learned id of the absorbed one where it has none."""
    if before.learned_id or not absorbed.learned_id:
        return stronger
    return replace(stronger, learned_id=absorbed.learned_id, scores=absorbed.scores, version=before.version + 1)


def _enriched(keep: Node, merge: Node, call: Call) -> Node:
    aliases = [name for name in (merge.title, *merge.aliases) if name != keep.title]
    return touched(
        replace(
            keep,
            aliases=_united(keep.aliases, aliases)[:ALIASES_MAX],
            handles=_united(keep.handles, merge.handles),
            tags=_united(keep.tags, merge.tags)[:TAGS_MAX],
            search_terms=_united(keep.search_terms, merge.search_terms)[:SEARCH_TERMS_MAX],
            references=_united(keep.references, merge.references)[:REFERENCES_MAX],
        ),
        call,
    )


def _united(one: Iterable[T], other: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys((*one, *other)))
