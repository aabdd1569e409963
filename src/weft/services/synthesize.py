"""Finding what belongs together across ontologies, and stating it as a new concept with its evidence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from weft import text
from weft.errors import Duplicate, InvalidArgument, Unavailable
from weft.identity import new_id
from weft.model import (
    Bridged,
    ClaimNumber,
    Evidence,
    Node,
    Origin,
    Relation,
    SaveEvidence,
    SaveNode,
    SaveRelation,
    SaveSource,
    SourceType,
    Synthesized,
)
from weft.reason.compare import leap
from weft.services import drafting
from weft.services.bridge import Bridging
from weft.services.mentioning import mentions
from weft.services.naming import candidate, resolve_all
from weft.services.nearness import alike
from weft.services.passages import embed_with
from weft.services.planning import Plan, settle
from weft.services.relating import learned_source
from weft.vocabulary import (
    BRIDGES_MAX,
    EVIDENCE_MAX,
    NAME_MAX,
    REASON_MAX,
    SEARCH_TERMS_MAX,
    SESSION_MAX,
    TAG_MAX,
    TITLE_MAX,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from weft.model import BridgeRequest, Bridges, Call, Operation, Passage, SynthesizeRequest
    from weft.ports import Embedder, Shelf, Store, Vectors, Words
    from weft.reason.compare import Leap

__all__ = ["ATTEMPTS", "CREATORS", "Synthesize"]

CREATORS: Final = ("claude-mcp", "claude-code")
"""Who may be named as creator beside the acting user."""

ATTEMPTS: Final = 40
"""How often a number is asked for: all writers of a day share two series, and each plan costs a few reads only."""

_KIND: Final = "concept"
_JOINED: Final = "synthesized_from"
_TWINS_MAX: Final = 20
_CONFIDENCE: Final = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """A synthesis that is ready to be planned: a node without its numbers, and its evidence in words and vectors."""

    node: Node
    references: tuple[str, ...]
    evidence: str
    creator: str
    passages: tuple[Passage, ...]
    vectors: npt.NDArray[np.float32]


class Synthesize:
    """Bridges and syntheses. ``home`` is the ontology of a synthesis that names none: the graph's name."""

    def __init__(
        self, *, store: Store, shelf: Shelf, words: Words, vectors: Vectors, embedder: Embedder, home: str
    ) -> None:
        self._store = store
        self._shelf = shelf
        self._words = words
        self._vectors = vectors
        self._embedder = embedder
        self._home = home
        self._bridging = Bridging(store=store, shelf=shelf, vectors=vectors, calibration=embedder.calibration)

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
        creator = _known(drafting.line(request.creator, field="creator", limit=NAME_MAX) or call.actor, call)
        terms = drafting.lines(request.search_terms, field="search_terms", limit=TAG_MAX, most=SEARCH_TERMS_MAX)
        node = Node(
            id=new_id(call.at),
            kind=_KIND,
            title=label,
            content=evidence,
            ontology=drafting.line(request.ontology, field="ontology", limit=NAME_MAX) or self._home,
            search_terms=terms,
            confidence=_CONFIDENCE,
            session=drafting.line(call.session, field="session", limit=SESSION_MAX),
            origin=Origin.LEARNED,
            created_at=call.at,
            created_by=creator,
            modified_at=call.at,
            modified_by=creator,
        )
        stretches = [evidence[start:end] for start, end in text.split(evidence)]
        passages, vectors = embed_with(node, stretches, self._embedder)
        return _Draft(
            node=node,
            references=request.bridges,
            evidence=evidence,
            creator=creator,
            passages=passages,
            vectors=vectors,
        )

    def _plan(self, draft: _Draft, call: Call, batch: str) -> Plan[Synthesized]:
        originals = self._originals(draft)
        self._refuse_twin(draft.node, originals)
        similarities = self._similarities(draft, originals)
        smell = leap(similarities)
        claims, learned_id, handle = self._numbers(call)
        node = replace(draft.node, handles=(handle,), learned_id=learned_id)
        source = learned_source(draft.evidence, node.ontology, call, creator=draft.creator)
        operations: tuple[Operation, ...] = (
            *claims,
            SaveNode(node=node, expect=0, passages=draft.passages),
            SaveSource(source=source),
            SaveEvidence(evidence=_evidence(node, source.id, smell, call)),
            *(
                SaveRelation(relation=_relation(node, original, similarity, call), expect=0)
                for original, similarity in zip(originals, similarities, strict=True)
            ),
            mentions(self._shelf, self._words, node),
        )
        answer = Synthesized(
            node=node,
            learned_id=learned_id,
            bridges=tuple(
                Bridged(id=original.id, title=original.title, similarity=round(similarity, 4))
                for original, similarity in zip(originals, similarities, strict=True)
            ),
            cognitive_leap=smell.level,
            warning=smell.warning,
            batch=batch,
        )
        return Plan(operations=operations, answer=answer, subjects=(node.id,))

    def _originals(self, draft: _Draft) -> tuple[Node, ...]:
        originals = resolve_all(self._store, draft.references, field="bridges")
        if not 2 <= len(originals) <= BRIDGES_MAX:  # noqa: PLR2004 - to join takes two
            raise InvalidArgument(
                f"bridges names {len(originals)} different node(s); a synthesis joins 2 to {BRIDGES_MAX}.",
                hint="Name at least two different nodes in bridges.",
            )
        return originals

    def _refuse_twin(self, node: Node, originals: tuple[Node, ...]) -> None:
        wanted = {original.id for original in originals}
        for other in self._store.resolve(node.title, limit=_TWINS_MAX):
            if other.ontology != node.ontology or not other.learned_id:
                continue
            joined = self._store.relations((other.id,), types=(_JOINED,))
            if {relation.target for relation in joined if relation.source == other.id} == wanted:
                raise Duplicate(
                    f"«{node.title}» ({other.learned_id}) joins these very nodes in {node.ontology} already.",
                    candidates=(candidate(other, why=other.learned_id),),
                )

    def _similarities(self, draft: _Draft, originals: tuple[Node, ...]) -> tuple[float, ...]:
        found = self._vectors.of([original.id for original in originals])
        bare = [original.title for original in originals if not len(found.get(original.id, ()))]
        if bare:
            raise Unavailable(
                f"No vector yet for {', '.join(f'«{title}»' for title in bare)}: evidence cannot be compared with it.",
                hint="Consider capturing its text anew, or embedding the graph again.",
            )
        calibration = self._embedder.calibration
        return tuple(alike(draft.vectors, found[original.id], calibration) for original in originals)

    def _numbers(self, call: Call) -> tuple[tuple[ClaimNumber, ...], str, str]:
        """Return the claims on the next numbers of the day, and the learned id and the handle they make."""
        names = tuple(f"{series}_{call.at:%Y-%m-%d}" for series in ("learned", "synthesis"))
        following = self._store.facts()["series"]
        claims = tuple(ClaimNumber(name=name, value=following.get(name, 1)) for name in names)
        learned_id, handle = (f"{claim.name}_{claim.value:03d}" for claim in claims)
        return claims, learned_id, handle


def _known(creator: str, call: Call) -> str:
    if creator not in (call.actor, *CREATORS):
        raise InvalidArgument(
            f"creator «{creator}» is not known. Allowed: {', '.join(dict.fromkeys((call.actor, *CREATORS)))}."
        )
    return creator


def _evidence(node: Node, source: str, smell: Leap, call: Call) -> Evidence:
    return Evidence(
        id=new_id(call.at),
        subject=node.id,
        source=source,
        paragraph=0,
        start=0,
        end=len(node.content),
        quote=node.content,
        type=SourceType.LEARNED,
        creator=node.created_by,
        similarity=smell.mean,
        leap=smell.level,
        learned_id=node.learned_id,
        created_at=call.at,
    )


def _relation(node: Node, original: Node, similarity: float, call: Call) -> Relation:
    return Relation(
        id=new_id(call.at),
        source=node.id,
        target=original.id,
        type=_JOINED,
        reasoning=node.content[:REASON_MAX],
        confidence=similarity,
        origin=Origin.LEARNED,
        scores=(("similarity", round(similarity, 4)),),
        learned_id=node.learned_id,
        created_at=call.at,
        created_by=node.created_by,
    )
