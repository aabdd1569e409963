"""What the verbs answer with. The field names are the field names of the ``core`` tools' results.

Similarities are calibrated (0..1), rounded to four digits where they are shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from weft.model.knowledge import Evidence, Node, Relation, Source, Suggestion

__all__ = [
    "BridgeCandidate",
    "BridgeEnd",
    "Bridged",
    "Bridges",
    "Captured",
    "Challenged",
    "ClaimSide",
    "Classification",
    "ContextNode",
    "Contexts",
    "Decided",
    "Fetched",
    "Forgotten",
    "Hit",
    "Hits",
    "Ingested",
    "LinkedNode",
    "Match",
    "NearMisses",
    "Related",
    "ReviewItem",
    "Reviewed",
    "Standing",
    "Step",
    "Synthesized",
    "Traced",
    "Trail",
    "Undone",
    "Unrelated",
    "Updated",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    """A kind and how it was found: ``method`` is explicit, keywords or likeness; ``confident`` from 0.6 on.

    ``alternatives`` are up to three further (kind, confidence) pairs, best first.
    """

    kind: str
    confidence: float
    confident: bool
    method: str
    alternatives: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedNode:
    """A node near another: for near-duplicates and suggestions in a capture's answer."""

    id: str
    title: str
    similarity: float
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """What became of a capture. ``existing`` is true when the very text was there already and nothing was written.

    ``link_error`` says what went wrong with the automatic links; the node is there all the same.
    """

    node: Node
    classification: Classification
    relations: tuple[Relation, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    near_duplicates: tuple[LinkedNode, ...] = ()
    conflicts: tuple[ClaimSide, ...] = ()
    link_error: str = ""
    batch: str = ""
    existing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Updated:
    """What an update changed: field → (before, after). ``stale`` lists relations whose ground may have moved."""

    id: str
    changed: dict[str, tuple[Any, Any]]
    version: int
    batch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """A preview of what would go (``done`` false), or what went."""

    id: str
    title: str
    kind: str
    relations_removed: int
    done: bool
    batch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A relation that was made (``created``) or strengthened, with a ``warning`` where one is due."""

    relation: Relation
    created: bool
    warning: str = ""
    batch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unrelated:
    """Whether the relation was there to remove."""

    removed: bool
    batch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """What an undo put back, and the items where something newer stood in the way (now in review)."""

    batch: str
    reverted: int
    conflicts: tuple[str, ...] = ()
    undo_batch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A node that a search found: ``score`` ranks, ``similarity`` is calibrated (None: not compared), ``why`` explains.

    ``superseded_by`` is (id, title) of what replaced it.
    """

    node: Node
    snippet: str
    score: float
    similarity: float | None
    why: tuple[str, ...]
    superseded_by: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NearMisses:
    """How many candidates fell below the bar, the best of them, and the bar."""

    count: int
    threshold: float
    best: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """A page of hits.

    ``total`` counts all that were ranked. ``bridge_hint`` names two close, unlinked nodes of two ontologies.
    """

    hits: tuple[Hit, ...]
    total: int
    near_misses: NearMisses
    bridge_hint: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A node with all that hangs on it. ``relations`` pair a relation with the node at its other end.

    ``mentions`` are (direction, id, title); ``history`` rows are JSON-ready, newest first.
    """

    node: Node
    relations: tuple[tuple[Relation, Node], ...]
    evidence: tuple[tuple[Evidence, Source], ...]
    mentions: tuple[tuple[str, str, str], ...] = ()
    history: tuple[dict[str, Any], ...] = ()
    neighbours: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """The node an end of a trail was matched to, and how like it is (1.0: named exactly)."""

    id: str
    title: str
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One stop on a trail and the relation to the next.

    ``direction`` is forward or backward, ``conflict`` marks a refuting step.

    ``relation`` is None at the last stop; ``mentioned`` is true where only a mention connects.
    """

    node: Node
    relation: Relation | None = None
    direction: str = ""
    conflict: bool = False
    mentioned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail:
    """A way from one node to another; its length is the number of relations."""

    steps: tuple[Step, ...]

    @property
    def length(self) -> int:
        """The number of relations walked."""
        return len(self.steps) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """The best trail (None: not connected within the bounds), others, and where it was looked for."""

    start_match: Match | None
    end_match: Match | None
    trail: Trail | None
    alternatives: tuple[Trail, ...] = ()
    nearest: tuple[Match, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimSide:
    """A node and how it stands to a claim: ``verdict`` is supports, conflicts or unsure, ``grounds`` say why.

    ``relation`` is the explicit relation that decided, if one did.
    """

    node: Node
    similarity: float
    verdict: str
    grounds: tuple[str, ...]
    relation: Relation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenged:
    """What stands for a claim, what against it, and what is close but left to the caller to judge.

    ``claim_node`` is the node that states the claim itself, when there is one.
    """

    claim: str
    claim_node: Node | None
    supports: tuple[ClaimSide, ...]
    conflicts: tuple[ClaimSide, ...]
    to_judge: tuple[ClaimSide, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeEnd:
    """One end of a bridge."""

    id: str
    title: str
    ontology: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeCandidate:
    """Two nodes of two ontologies that may belong together, with their leap (LOW, MEDIUM, HIGH) and grounds."""

    concept1: BridgeEnd
    concept2: BridgeEnd
    similarity: float
    score: float
    cognitive_leap: str
    has_existing_relation: bool
    grounds: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridges:
    """Ranked candidates and what fell below the bar."""

    candidates: tuple[BridgeCandidate, ...]
    near_misses: NearMisses


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridged:
    """An original that a synthesis joins, and how like the evidence is to it."""

    id: str
    title: str
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesized:
    """A new concept, what it joins, its leap (of the mean similarity) and warnings."""

    node: Node
    learned_id: str
    bridges: tuple[Bridged, ...]
    cognitive_leap: str
    warning: str = ""
    batch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextNode:
    """A node that bears on the work at hand.

    ``relevance`` is the sum of the nine ``factors`` that counted, (name, points) pairs; ``band`` is high, medium or low.
    ``band_by_rank`` is the band among the answers, for a task without files.
    """

    node: Node
    relevance: float
    band: str
    band_by_rank: str
    factors: tuple[tuple[str, float], ...]
    relations: int
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Contexts:
    """The nodes that bear on the work, most relevant first."""

    nodes: tuple[ContextNode, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewItem:
    """A suggestion with the titles of its subjects and a sentence on what accepting does."""

    suggestion: Suggestion
    titles: tuple[str, ...]
    accept_does: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What became of one decision.

    ``result`` is accepted, dismissed, or the code of an error that ``message`` explains.
    """

    item: str
    result: str
    message: str = ""
    batch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """Open items, what was just decided, and how many remain."""

    items: tuple[ReviewItem, ...]
    decided: tuple[Decided, ...]
    remaining: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How the graph stands: counts, hubs, orphans, communities, health. All JSON-ready."""

    counts: dict[str, Any]
    hubs: tuple[dict[str, Any], ...] = ()
    orphans: int = 0
    communities: tuple[dict[str, Any], ...] = ()
    health: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """What became of documents: counts, and (path, reason) of what could not be read.

    ``unchanged`` documents were there already; ``marked`` nodes vanished from their document and wait for review.
    """

    documents: int
    unchanged: int
    nodes_made: int
    nodes_reused: int
    nodes_updated: int
    relations: int
    evidence: int
    marked: int
    skipped: tuple[tuple[str, str], ...] = ()
    batches: tuple[str, ...] = ()
