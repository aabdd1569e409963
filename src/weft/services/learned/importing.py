"""Learned items taken in from another graph: under their own ids, what is here already once only, all in one batch.

What an item says is measured anew: similarities of another model mean nothing here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument, LimitExceeded, WeftError
from weft.formats.learned import as_csv, as_json
from weft.model import LearnedImported, Node, Origin
from weft.services import drafting
from weft.services.learned.arriving import Arrivals, Skipped
from weft.services.learned.conceiving import CONCEPT, CONCEPT_CONFIDENCE, Conception
from weft.services.learned.connecting import Said, Statement
from weft.services.learned.creators import known_creator
from weft.services.passages import embed
from weft.services.planning import Plan
from weft.vocabulary import EVIDENCE_MAX, NAME_MAX, SEARCH_TERMS_MAX, TAG_MAX, TITLE_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from weft.formats.learned import Parsed
    from weft.model import Call, LearnedImport, PortableConcept, PortableItem
    from weft.ports import Embedder, Learned, Store
    from weft.services.learned.conceiving import Conceiving
    from weft.services.learned.connecting import Connecting
    from weft.services.learned.weighing import Rows, Weighing

__all__ = ["IMPORTS", "ITEMS_MAX", "Importing"]

IMPORTS: Final[Mapping[str, Callable[[str], Parsed]]] = {"json": as_json.parse, "csv": as_csv.parse}
"""The formats that learned knowledge is read from."""

ITEMS_MAX: Final = 5_000
"""Items of one import: they are written together or not at all."""


class Importing:
    """Plans imports."""

    def __init__(
        self,
        *,
        store: Store,
        learned: Learned,
        embedder: Embedder,
        weighing: Weighing,
        connecting: Connecting,
        conceiving: Conceiving,
        creators: Sequence[str],
    ) -> None:
        self._store = store
        self._learned = learned
        self._embedder = embedder
        self._weighing = weighing
        self._connecting = connecting
        self._conceiving = conceiving
        self._creators = creators

    def read(self, request: LearnedImport) -> tuple[Parsed, dict[str, Rows]]:
        """Return what ``request`` holds, and the vectors of each evidence in it.

        Raises:
            InvalidArgument: the format is unknown, or the text is not of it.
            LimitExceeded: there are more than ``ITEMS_MAX`` items.
            Unavailable: the evidence could not be embedded.
        """
        drafting.refuse_unknown(request.format, IMPORTS, field="format")
        parsed = IMPORTS[request.format](request.text)
        if len(parsed.items) > ITEMS_MAX:
            raise LimitExceeded(f"text holds {len(parsed.items):,} items; one import takes {ITEMS_MAX:,}.")
        texts = list(dict.fromkeys(filter(None, map(_evidence, parsed.items))))
        return parsed, dict(zip(texts, self._weighing.embedded(texts), strict=True))

    def plan(
        self, request: LearnedImport, parsed: Parsed, vectors: Mapping[str, Rows], call: Call, batch: str
    ) -> Plan[LearnedImported]:
        """Return what writes the items that can be, with the reasons of those that cannot; a dry run writes nothing."""
        arrivals = Arrivals(self._store, self._learned, parsed.items, creators=dict(request.creators), call=call)
        skipped = list(parsed.faults)
        written: list[str] = []
        for item in sorted(parsed.items, key=_order):
            try:
                written.append(self._take(item, arrivals, vectors, call))
            except (Skipped, WeftError) as error:
                reason = error.message if isinstance(error, WeftError) else str(error)
                skipped.append((item.learned_id or f"«{item.evidence[:60]}»", reason))
        drawn = arrivals.drawn
        operations = (*drawn.numbers.claims, *drawn.operations) if written and not request.dry_run else ()
        answer = LearnedImported(
            written=tuple(written),
            skipped=tuple(skipped),
            dry_run=request.dry_run,
            batch=batch if operations else "",
        )
        return Plan(operations=operations, answer=answer, subjects=())

    def _take(self, item: PortableItem, arrivals: Arrivals, vectors: Mapping[str, Rows], call: Call) -> str:
        evidence = drafting.required(item.evidence, field="evidence", limit=EVIDENCE_MAX).strip()
        creator = known_creator(arrivals.creator(item.creator), call, self._creators)
        arrivals.admit(item)
        if item.concept is None:
            learned_id = self._connect(item, arrivals, creator, vectors[evidence], call)
        else:
            learned_id = self._conceive(item, item.concept, arrivals, creator, vectors[evidence], call)
        arrivals.vote(learned_id, item)
        return learned_id

    def _connect(self, item: PortableItem, arrivals: Arrivals, creator: str, vectors: Rows, call: Call) -> str:
        said = Said(
            source=item.ends[0].title,
            target=item.ends[1].title,
            type=self._store.vocabulary.type_named(item.type),
            evidence=item.evidence.strip(),
            creator=creator,
        )
        statement = Statement(
            said=said,
            vectors=vectors,
            source=arrivals.end(item.ends[0]),
            target=arrivals.end(item.ends[1]),
            at=arrivals.since(item.created_at),
            learned_id=item.learned_id,
        )
        return self._connecting.state(statement, arrivals.drawn, call).learned_id

    def _conceive(
        self,
        item: PortableItem,
        concept: PortableConcept,
        arrivals: Arrivals,
        creator: str,
        vectors: Rows,
        call: Call,
    ) -> str:
        at = arrivals.since(item.created_at)
        node = Node(
            id=arrivals.id_for(concept.id),
            kind=CONCEPT,
            title=_line(concept.title, field="concept.label", limit=TITLE_MAX),
            content=item.evidence.strip(),
            ontology=_line(concept.ontology, field="concept.ontology", limit=NAME_MAX),
            handles=arrivals.handles_for(concept.handle),
            search_terms=drafting.lines(
                concept.search_terms, field="search_terms", limit=TAG_MAX, most=SEARCH_TERMS_MAX
            ),
            confidence=CONCEPT_CONFIDENCE,
            origin=Origin.LEARNED,
            learned_id=item.learned_id,
            created_at=at,
            created_by=creator,
            modified_at=call.at,
            modified_by=creator,
        )
        originals = {node.id: node for node in map(arrivals.end, item.ends)}
        (passages,) = embed((node,), self._embedder)
        given = Conception(node=node, originals=tuple(originals.values()), passages=passages, vectors=vectors)
        made = self._conceiving.conceive(given, arrivals.drawn, call)
        arrivals.made(made.node, passages)
        return made.node.learned_id


def _evidence(item: PortableItem) -> str:
    """Return the evidence of ``item`` as it will be kept; empty where it cannot be."""
    try:
        return drafting.required(item.evidence, field="evidence", limit=EVIDENCE_MAX).strip()
    except InvalidArgument:
        return ""


def _line(value: str, *, field: str, limit: int) -> str:
    return drafting.line(drafting.required(value, field=field, limit=limit), field=field, limit=limit)


def _order(item: PortableItem) -> tuple[bool, str, str]:
    """Concepts come before relations, which may join them, and older ones before those that build on them."""
    at = item.created_at.isoformat() if item.created_at else ""
    return (item.concept is None, at, item.learned_id)
