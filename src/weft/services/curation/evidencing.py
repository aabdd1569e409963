"""Giving a node evidence: a quote from a document that was taken in, or a text of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument, NotFound
from weft.identity import new_id
from weft.model import Evidence, EvidenceAdded, SaveEvidence, SaveSource, Source, SourceType
from weft.services import drafting
from weft.services.naming import resolve
from weft.services.planning import Plan, settle
from weft.services.relating import learned_source
from weft.vocabulary import EVIDENCE_MAX, NAME_MAX

if TYPE_CHECKING:
    from weft.model import Call, EvidenceRequest, Node, Operation
    from weft.ports import Store

__all__ = ["Evidencing", "paragraphs", "resting"]

_BREAK: Final = "\n\n"


class Evidencing:
    """Adds evidence to nodes."""

    def __init__(self, *, store: Store) -> None:
        self._store = store

    def add(self, request: EvidenceRequest, call: Call) -> EvidenceAdded:
        """Let a node rest on a quote; the same quote from the same source again is answered with what stands.

        Without ``document`` the quote is kept whole as a source of type LEARNED («User synthesis», or «AI synthesis» by
        an actor named claude…). With it, the quote must stand in the newest text of that document, word for word, and
        in that paragraph where one is named; paragraphs are parted by blank lines and counted from 0.

        Raises:
            InvalidArgument: the quote is blank, or does not stand in the document, or not in that paragraph.
            NotFound, Ambiguous: the node or the document is not there.
        """
        quote = drafting.required(request.quote, field="quote", limit=EVIDENCE_MAX).strip()
        document = drafting.line(request.document, field="document", limit=NAME_MAX)
        if request.paragraph is not None and not document:
            raise InvalidArgument("paragraph counts within a document, so document must be given too.")

        def plan(batch: str) -> Plan[EvidenceAdded]:
            node = resolve(self._store, request.id, field="concept_id")
            source = self._document(document, node) if document else None
            start = _start(quote, source, request.paragraph) if source else 0
            standing = self._standing(node, quote, source)
            if standing is not None:
                answer = EvidenceAdded(evidence=standing[0], node=node, document=standing[1], existing=True)
                return Plan(operations=(), answer=answer, subjects=(node.id,))
            operations: list[Operation] = []
            if source is None:
                source = learned_source(quote, node.ontology, call, creator=call.actor)
                operations.append(SaveSource(source=source))
            piece = resting(node, quote, source, call, start=start)
            operations.append(SaveEvidence(evidence=piece))
            answer = EvidenceAdded(evidence=piece, node=node, document=source.document, existing=False, batch=batch)
            return Plan(operations=tuple(operations), answer=answer, subjects=(node.id,))

        return settle(self._store, call, plan)

    def _document(self, name: str, node: Node) -> Source:
        ontologies = dict.fromkeys((node.ontology, *self._store.counts().nodes_by_ontology))
        found = next(filter(None, (self._store.source_of(name, each) for each in ontologies)), None)
        if found is None:
            raise NotFound(
                f"document «{name}» was never taken in.",
                hint="Consider ingesting it first, or leave document out: the quote then stands for itself.",
            )
        return found

    def _standing(self, node: Node, quote: str, source: Source | None) -> tuple[Evidence, str] | None:
        same = [each for each in self._store.evidence((node.id,)) if each.quote == quote]
        if source is not None:
            return next(((each, source.document) for each in same if each.source == source.id), None)
        learned = next((each for each in same if each.type is SourceType.LEARNED), None)
        return (learned, self._store.sources((learned.source,))[learned.source].document) if learned else None


def resting(node: Node, quote: str, source: Source, call: Call, *, start: int = 0) -> Evidence:
    """Return the evidence that ``node`` rests on ``quote``, which begins at ``start`` in the source's text."""
    return Evidence(
        id=new_id(call.at),
        subject=node.id,
        source=source.id,
        paragraph=source.text.count(_BREAK, 0, start),
        start=start,
        end=start + len(quote),
        quote=quote,
        type=source.type,
        creator=call.actor,
        created_at=call.at,
    )


def paragraphs(text: str) -> list[tuple[int, int]]:
    """Return where each paragraph of ``text`` begins and ends, in characters; a blank line parts two."""
    places, start = [], 0
    for part in text.split(_BREAK):
        places.append((start, start + len(part)))
        start += len(part) + len(_BREAK)
    return places


def _start(quote: str, source: Source, paragraph: int | None) -> int:
    if source.type is SourceType.LEARNED:
        return 0
    first, last = 0, len(source.text)
    if paragraph is not None:
        places = paragraphs(source.text)
        if not 0 <= paragraph < len(places):
            raise InvalidArgument(
                f"paragraph must lie in 0..{len(places) - 1} of «{source.document}», got {paragraph}."
            )
        first, last = places[paragraph]
    start = source.text.find(quote, first, last)
    if start < 0:
        where = f"paragraph {paragraph} of " if paragraph is not None else ""
        raise InvalidArgument(
            f"quote does not stand in {where}«{source.document}» word for word.",
            hint="Quote it exactly, name another paragraph or none, or leave document out.",
        )
    return start
