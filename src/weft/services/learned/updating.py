"""Changing what a learned item rests on, or the type of its relation. The log keeps every earlier version."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from weft.errors import Conflict, InvalidArgument
from weft.model import (
    LearnedUpdated,
    Origin,
    RemoveRelation,
    SaveEvidence,
    SaveNode,
    SaveRelation,
    SaveSource,
    SaveSuggestion,
)
from weft.reason import compare
from weft.services import drafting
from weft.services.learned.conceiving import is_synthesis
from weft.services.learned.conflicts import oppositions, suggested
from weft.services.learned.connecting import others_said, refuse_twin, told
from weft.services.learned.identifying import beside, item_named
from weft.services.learned.scoring import named_ends, scores_of, similarities_of
from weft.services.mentioning import mentions_anew
from weft.services.passages import embed
from weft.services.planning import Plan
from weft.services.relate import reinstated
from weft.services.relating import between, learned_source, ordered, superseding, touched
from weft.vocabulary import EVIDENCE_MAX, REASON_MAX

if TYPE_CHECKING:
    from weft.model import Call, Evidence, LearnedItem, LearnedUpdate, Node, Operation, Relation
    from weft.ports import Embedder, Learned, Shelf, Store, Words
    from weft.reason.compare import Leap
    from weft.services.learned.weighing import Weighing
    from weft.vocabulary import RelationType

__all__ = ["Updating"]

_SUPERSEDES: Final = "supersedes"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """An item with what it shall say: ``fields`` names what differs, ``leap`` is that of what it will say."""

    item: LearnedItem
    evidence: Evidence
    text: str
    type: RelationType
    ends: tuple[Node, ...]
    fields: tuple[str, ...]
    similarities: tuple[float, ...]
    leap: Leap


class Updating:
    """Plans changes of learned items."""

    def __init__(
        self,
        *,
        store: Store,
        learned: Learned,
        shelf: Shelf,
        words: Words,
        embedder: Embedder,
        weighing: Weighing,
    ) -> None:
        self._store = store
        self._learned = learned
        self._shelf = shelf
        self._words = words
        self._embedder = embedder
        self._weighing = weighing

    def plan(self, request: LearnedUpdate, call: Call, batch: str) -> Plan[LearnedUpdated]:
        """Return what writes ``request``: the evidence is weighed anew, whatever changes.

        Raises:
            NotFound, Ambiguous: the item is not named.
            InvalidArgument: nothing to change is given, or a concept's relations shall be of another type.
            Conflict: the item stands at another version, or a document or another item states its relation too.
            Duplicate: the two are joined by the new type already.
            Unavailable: an end has no vector, or the evidence could not be embedded.
        """
        change = self._change(request)
        if not change.fields:
            return Plan(operations=(), answer=_answer(change, (), batch=""), subjects=(change.evidence.id,))
        write = self._concept if is_synthesis(change.item) else self._relation
        operations, warnings = write(change, call)
        operations += self._evidence(change, call)
        return Plan(
            operations=tuple(operations),
            answer=_answer(change, warnings, batch=batch),
            subjects=(change.evidence.id,),
        )

    def _change(self, request: LearnedUpdate) -> _Change:
        item = item_named(self._store, self._learned, request.learned_id)
        evidence = _evidence_of(item, request.if_version)
        text = evidence.quote
        if request.evidence is not None:
            text = drafting.required(request.evidence, field="updates.evidence", limit=EVIDENCE_MAX).strip()
        standing = self._store.vocabulary.type_named(item.relations[0].type)
        wanted = self._store.vocabulary.type_named(request.type) if request.type else standing
        if is_synthesis(item) and wanted != standing:
            raise InvalidArgument(
                f"updates.relationship_type: {item.learned_id} is a concept; what joins it to its originals is"
                f" {standing.name.upper()}.",
                hint="Leave relationship_type out, or connect the concept by a further relation.",
            )
        fields = tuple(
            name
            for name, differs in (("evidence", text != evidence.quote), ("relationship_type", wanted != standing))
            if differs
        )
        ends = self._ends(item)
        similarities = tuple(value for relation in item.relations for value in similarities_of(relation))
        if fields or not similarities:
            similarities = self._weighing.similarities(self._weighing.embedded((text,))[0], ends)
        return _Change(
            item=item,
            evidence=evidence,
            text=text,
            type=wanted,
            ends=ends,
            fields=fields,
            similarities=similarities,
            leap=compare.leap(similarities),
        )

    def _ends(self, item: LearnedItem) -> tuple[Node, ...]:
        """Return what the evidence is about: both ends as they were named, or a concept's originals."""
        first = item.relations[0]
        ids = [each.target for each in item.relations] if is_synthesis(item) else list(named_ends(first))
        found = self._store.nodes(ids)
        return tuple(found[each] for each in ids)

    def _relation(self, change: _Change, call: Call) -> tuple[list[Operation], tuple[str, ...]]:
        relation, relation_type = change.item.relations[0], change.type
        one, other = change.ends
        source, target = ordered(one.id, other.id, relation_type)
        joined = [each for each in between(self._store, source, target) if each.id != relation.id]
        retyped = "relationship_type" in change.fields
        if retyped:
            refuse_twin(joined, (source, target, relation_type.name), (one, other))
            self._refuse_shared(change.item)
        after = replace(
            relation,
            source=source,
            target=target,
            type=relation_type.name,
            reasoning=change.text[:REASON_MAX],
            confidence=change.leap.mean,
            scores=scores_of(
                (change.similarities[0], change.similarities[1]), mean=change.leap.mean, turned=source != one.id
            ),
        )
        found = oppositions(self._store, relation_type.name, change.text, joined)
        rewritten = _rewritten(change.item, relation, after)
        operations = self._retyped(relation, after, change, call) if retyped else rewritten
        questions = suggested(change.item.learned_id, (one.id, other.id), found, call)
        operations += [SaveSuggestion(suggestion=each) for each in questions]
        return operations, (*(others_said(joined) if retyped else ()), *told(found))

    def _refuse_shared(self, item: LearnedItem) -> None:
        if others := beside(self._store, self._learned, item):
            raise Conflict(
                f"{', '.join(sorted(set(others.values())))} states the same relation; it would change with this one.",
                hint="Connect the two by a further relation of the other type.",
            )

    def _retyped(self, before: Relation, after: Relation, change: _Change, call: Call) -> list[Operation]:
        if before.origin is Origin.DOCUMENT:
            raise Conflict(
                f"A document states {before.type.upper()} between the two as well; what it says keeps its type.",
                hint="Connect the two by a further relation of the other type.",
            )
        one, other = change.ends
        operations: list[Operation] = [RemoveRelation(id=before.id, expect=before.version)]
        if before.type == _SUPERSEDES:
            operations += reinstated(self._store, other, call)
        operations.append(SaveRelation(relation=replace(after, version=1), expect=0))
        if after.type == _SUPERSEDES:
            operations.append(superseding(other, call))
            operations.append(SaveNode(node=touched(one, call), expect=one.version))
        return operations

    def _concept(self, change: _Change, call: Call) -> tuple[list[Operation], tuple[str, ...]]:
        operations: list[Operation] = []
        for relation, similarity in zip(change.item.relations, change.similarities, strict=True):
            after = replace(
                relation,
                reasoning=change.text[:REASON_MAX],
                confidence=similarity,
                scores=(("similarity", round(similarity, 4)),),
            )
            operations += _rewritten(change.item, relation, after)
        concept = change.item.concept
        if concept is not None and concept.content == change.evidence.quote:
            after_it = touched(replace(concept, content=change.text), call)
            (passages,) = embed((after_it,), self._embedder)
            operations.append(SaveNode(node=after_it, expect=concept.version, passages=passages))
            operations += mentions_anew(self._shelf, self._words, concept, after_it)
        return operations, ()

    def _evidence(self, change: _Change, call: Call) -> list[Operation]:
        before, leap = change.evidence, change.leap
        after = replace(before, similarity=leap.mean, leap=leap.level, version=before.version + 1)
        if "evidence" not in change.fields:
            return [SaveEvidence(evidence=after, expect=before.version)]
        home = change.item.concept or change.ends[0]
        source = learned_source(change.text, home.ontology, call, creator=before.creator)
        after = replace(after, source=source.id, quote=change.text, end=len(change.text))
        return [SaveSource(source=source), SaveEvidence(evidence=after, expect=before.version)]


def _evidence_of(item: LearnedItem, if_version: int | None) -> Evidence:
    if item.evidence is None or not item.relations:
        raise InvalidArgument(
            f"learned_id {item.learned_id}: only its concept is left, with nothing to change.",
            hint="Consider delete_learned_knowledge with cascade, or undo what took its evidence away.",
        )
    if if_version is not None and if_version != item.evidence.version:
        raise Conflict(
            f"{item.learned_id} stands at version {item.evidence.version}, not at {if_version}.",
            hint="Consider list_learned_knowledge with history, then decide.",
        )
    return item.evidence


def _rewritten(item: LearnedItem, before: Relation, after: Relation) -> list[Operation]:
    """Return what writes ``after``; what a document said, or another item carries, keeps its words."""
    if before.origin is Origin.DOCUMENT or before.learned_id != item.learned_id or before == after:
        return []
    return [SaveRelation(relation=replace(after, version=before.version + 1), expect=before.version)]


def _answer(change: _Change, warnings: tuple[str, ...], *, batch: str) -> LearnedUpdated:
    return LearnedUpdated(
        learned_id=change.item.learned_id,
        updated=change.fields,
        similarities=change.similarities,
        minimum=change.leap.minimum,
        leap=change.leap.level,
        version=change.evidence.version + bool(batch),
        is_concept=is_synthesis(change.item),
        warning=" ".join(filter(None, (change.leap.warning, *warnings))),
        batch=batch,
    )
