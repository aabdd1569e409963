"""Finding what belongs together across ontologies, and stating it as a new concept with its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.identity import new_id
from weft.model import Bridged, Node, Origin, Synthesized
from weft.services import drafting
from weft.services.learned.conceiving import CONCEPT, CONCEPT_CONFIDENCE, Conceiving, Conception
from weft.services.learned.connecting import Drawn
from weft.services.learned.creators import known_creator
from weft.services.learned.numbering import ATTEMPTS, Numbers
from weft.services.learned.weighing import Weighing, stretches
from weft.services.naming import resolve_all
from weft.services.passages import embed_with
from weft.services.planning import Plan, settle
from weft.services.synthesis.bridge import Bridging
from weft.vocabulary import EVIDENCE_MAX, NAME_MAX, SEARCH_TERMS_MAX, SESSION_MAX, TAG_MAX, TITLE_MAX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import BridgeRequest, Bridges, Call, Passage, SynthesizeRequest
    from weft.ports import Embedder, Shelf, Store, Vectors, Words
    from weft.services.learned.weighing import Rows

__all__ = ["Synthesize"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """A synthesis that is ready to be planned: a node without its numbers, and its evidence in vectors."""

    node: Node
    references: tuple[str, ...]
    passages: tuple[Passage, ...]
    vectors: Rows


class Synthesize:
    """Bridges and syntheses.

    ``home`` is the ontology of a synthesis that names none: the graph's name. ``creators`` are names that may be given
    as creator beside the acting user and the agents that are always known.
    """

    def __init__(
        self,
        *,
        store: Store,
        shelf: Shelf,
        words: Words,
        vectors: Vectors,
        embedder: Embedder,
        home: str,
        creators: Sequence[str] = (),
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._home = home
        self._creators = creators
        self._bridging = Bridging(
            store=store, shelf=shelf, words=words, vectors=vectors, calibration=embedder.calibration
        )
        weighing = Weighing(vectors=vectors, embedder=embedder)
        self._conceiving = Conceiving(store=store, shelf=shelf, words=words, weighing=weighing)

    def bridge(self, request: BridgeRequest, call: Call) -> Bridges:
        """Return pairs of nodes of two ontologies that belong together; see :meth:`Bridging.bridge`."""
        return self._bridging.bridge(request, call)

    def synthesize(self, request: SynthesizeRequest, call: Call) -> Synthesized:
        """Make a concept that joins two or more others, resting on ``evidence`` as a learned source.

        It is embedded from its label and search terms, and related by ``synthesized_from`` to each original. The leap
        is judged by the mean of the evidence's calibrated similarities to the originals (each by its best passage):
        HIGH, and a wide gap between the sides, are told as a warning and allowed.

        Raises:
            InvalidArgument: fewer than two different originals, an unknown creator, or a value out of bounds.
            NotFound, Ambiguous: an original is not named by its reference.
            Duplicate: a synthesis of that label joins the very same originals in that ontology already.
            Unavailable: an original has no vector yet, or the texts could not be embedded.
        """
        draft = self._draft(request, call)
        return settle(self._store, call, lambda batch: self._plan(draft, call, batch), attempts=ATTEMPTS)

    def _draft(self, request: SynthesizeRequest, call: Call) -> _Draft:
        evidence = drafting.required(request.evidence, field="evidence", limit=EVIDENCE_MAX).strip()
        label = drafting.line(
            drafting.required(request.label, field="label", limit=TITLE_MAX), field="label", limit=TITLE_MAX
        )
        creator = known_creator(request.creator, call, self._creators)
        node = Node(
            id=new_id(call.at),
            kind=CONCEPT,
            title=label,
            content=evidence,
            ontology=drafting.line(request.ontology, field="ontology", limit=NAME_MAX) or self._home,
            search_terms=drafting.lines(
                request.search_terms, field="search_terms", limit=TAG_MAX, most=SEARCH_TERMS_MAX
            ),
            confidence=CONCEPT_CONFIDENCE,
            session=drafting.line(call.session, field="session", limit=SESSION_MAX),
            origin=Origin.LEARNED,
            created_at=call.at,
            created_by=creator,
            modified_at=call.at,
            modified_by=creator,
        )
        passages, vectors = embed_with(node, stretches(evidence), self._embedder)
        originals = drafting.several(request.bridges, field="bridges")
        return _Draft(node=node, references=originals, passages=passages, vectors=vectors)

    def _plan(self, draft: _Draft, call: Call, batch: str) -> Plan[Synthesized]:
        given = Conception(
            node=draft.node,
            originals=resolve_all(self._store, draft.references, field="bridges (bridges_concepts)"),
            passages=draft.passages,
            vectors=draft.vectors,
        )
        drawn = Drawn(numbers=Numbers(self._store, call))
        made = self._conceiving.conceive(given, drawn, call)
        answer = Synthesized(
            node=made.node,
            learned_id=made.node.learned_id,
            bridges=tuple(
                Bridged(id=original.id, title=original.title, similarity=round(similarity, 4))
                for original, similarity in zip(given.originals, made.similarities, strict=True)
            ),
            cognitive_leap=made.leap.level,
            warning=made.leap.warning,
            batch=batch,
        )
        operations = (*drawn.numbers.claims, *drawn.operations)
        return Plan(operations=operations, answer=answer, subjects=(made.node.id,))
