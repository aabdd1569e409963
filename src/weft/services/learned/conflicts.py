"""Learned items that contradict each other, or what else is known of the two nodes that they join."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from weft.model import SuggestionKind
from weft.reason.judge import judge
from weft.services.suggesting import suggestion
from weft.vocabulary import UNRELATED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from weft.model import Call, LearnedItem, Relation, Suggestion
    from weft.ports import Store

__all__ = ["CONFLICT_SCORE", "Opposition", "contested", "oppositions", "oppositions_of", "suggested"]

_JUDGED_MAX: Final = 5
"""Learned items about the same two nodes whose evidence is compared with the new one's."""

CONFLICT_SCORE: Final = 0.9
"""The place in review of what learned knowledge contradicts: before most of what only may be (0..1)."""

_ALL: Final = 1_000  # relations of a concept that are looked through for what speaks against it


@dataclass(frozen=True, slots=True, kw_only=True)
class Opposition:
    """A relation that speaks against a learned one, and why it does; ``relation.learned_id`` may be empty."""

    relation: Relation
    why: str


def oppositions(store: Store, type_: str, evidence: str, joined: Sequence[Relation]) -> tuple[Opposition, ...]:
    """Return which of the relations ``joined``, all between the same two nodes, oppose one of this type and evidence.

    One speaks for what the other speaks against, by the polarity of their types; or both were learned and their
    evidence contradicts itself, as the judge reads it.
    """
    vocabulary = store.vocabulary
    polarity = vocabulary.type(type_).polarity
    found = [
        Opposition(relation=each, why=f"{type_.upper()} and {each.type.upper()} cannot both hold of the same two")
        for each in joined
        if vocabulary.type(each.type).polarity * polarity < 0
    ]
    known = {each.relation.id for each in found}
    learned = {each.id: each for each in joined if each.learned_id and each.id not in known}
    for piece in store.evidence(list(learned)[:_JUDGED_MAX]):
        verdict = judge(evidence, piece.quote, similarity=UNRELATED)
        if piece.learned_id and verdict.verdict == "conflicts":
            why = f"the evidence of {piece.learned_id} says otherwise: {'; '.join(verdict.grounds)}"
            found.append(Opposition(relation=learned[piece.subject], why=why))
    return tuple(found)


def oppositions_of(store: Store, item: LearnedItem, joined: Sequence[Relation]) -> tuple[Opposition, ...]:
    """Return what opposes a standing item: ``joined`` are all relations between its ends, its own among them.

    A concept is opposed by every relation that speaks against it.
    """
    if item.concept is not None:
        touching = store.relations((item.concept.id,), per_node=_ALL)
        return tuple(
            Opposition(relation=each, why=f"{each.type.upper()} speaks against the concept")
            for each in touching
            if store.vocabulary.type(each.type).polarity < 0
        )
    if not item.relations or item.evidence is None:
        return ()
    others = [each for each in joined if each.id != item.relations[0].id]
    return oppositions(store, item.relations[0].type, item.evidence.quote, others)


def suggested(learned_id: str, ends: tuple[str, str], found: Iterable[Opposition], call: Call) -> list[Suggestion]:
    """Return one question for each learned item that opposes ``learned_id``: which of the two holds."""
    return [
        _question(
            call,
            dedup=":".join(("learned", *sorted((learned_id, each.relation.learned_id)))),
            subjects=ends,
            summary=f"{learned_id} and {each.relation.learned_id} contradict each other: {each.why}.",
            learned_ids=[learned_id, each.relation.learned_id],
        )
        for each in found
        if each.relation.learned_id
    ]


def contested(item: LearnedItem, up: int, down: int, call: Call) -> Suggestion:
    """Return the question what to do about an item that people disagree on."""
    ends = {end for relation in item.relations for end in (relation.source, relation.target)}
    return _question(
        call,
        dedup=f"contested:{item.learned_id}",
        subjects=tuple(sorted(ends)),
        summary=f"{item.learned_id} is contested: {up} for it, {down} against.",
        learned_ids=[item.learned_id],
    )


def _question(call: Call, *, dedup: str, subjects: tuple[str, ...], summary: str, learned_ids: list[str]) -> Suggestion:
    return suggestion(
        call,
        kind=SuggestionKind.CONFLICT,
        dedup=dedup,
        subjects=subjects,
        summary=summary,
        grounds={"learned_ids": learned_ids},
        score=CONFLICT_SCORE,
    )
