"""What the reading verbs answer with. The field names are the field names of the ``core`` tools' results.

Similarities are calibrated (0..1), rounded to four digits where they are shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from weft.model.judging import Leaning
    from weft.model.knowledge import Evidence, Node, Relation, Source, SupersededDocument, Titled

__all__ = [
    "BridgeCandidate",
    "BridgeEnd",
    "BridgeHint",
    "Bridges",
    "Challenged",
    "ClaimSide",
    "ContextNode",
    "Contexts",
    "Fetched",
    "Hit",
    "Hits",
    "Match",
    "MentionSeen",
    "NearMisses",
    "Standing",
    "Step",
    "TextPart",
    "Traced",
    "Trail",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A node that a search found: ``score`` ranks, ``similarity`` is calibrated (None: not compared), ``why`` explains.

    ``superseded_by`` is what replaced it; ``superseded_document`` the document it stands in, where that was replaced.
    """

    node: Node
    snippet: str
    score: float
    similarity: float | None
    why: tuple[str, ...]
    superseded_by: Titled | None = None
    superseded_document: SupersededDocument | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NearMisses:
    """How many candidates fell below the bar, the best of them, and the bar."""

    count: int
    threshold: float
    best: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeEnd:
    """One end of a bridge."""

    id: str
    title: str
    ontology: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeHint:
    """Two nodes of two ontologies that a search found close to each other, and that nothing joins."""

    one: BridgeEnd
    other: BridgeEnd
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """A page of hits.

    ``total`` counts all that were ranked. Later pages look at more, so it may grow from page to page; where there is a
    page after this one it says so. ``bridge_hint`` is told once. ``connected``: relations lead from the best hit to
    the next in two steps at most. ``warning`` names a tag or an ontology that was asked for and that no node has, and
    words that were read as others.
    """

    hits: tuple[Hit, ...]
    total: int
    near_misses: NearMisses
    bridge_hint: BridgeHint | None = None
    connected: bool = False
    warning: str = ""


class MentionSeen(NamedTuple):
    """A mention as one of its two nodes sees it: ``id`` and ``title`` are those of the other.

    ``direction`` is mentions, or mentioned_in; ``name`` is what the one is called in the text of the other.
    """

    direction: str
    id: str
    title: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A node with all that hangs on it. ``relations`` pair a relation with the node at its other end, strongest first.

    ``relation_count`` is how many there are in all, which may be more. ``history`` rows are JSON-ready, newest first.
    ``neighbours`` lie further out, nearest first, each with the relation that led there.
    """

    node: Node
    relations: tuple[tuple[Relation, Node], ...]
    relation_count: int
    evidence: tuple[tuple[Evidence, Source], ...]
    mentions: tuple[MentionSeen, ...] = ()
    history: tuple[dict[str, Any], ...] = ()
    neighbours: tuple[tuple[Node, Relation], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPart:
    """A part of a node's text, which is ``length`` characters in all; ``next_offset`` is None at the last one.

    A text that was changed between two parts is told by its ``version``.
    """

    id: str
    title: str
    version: int
    text: str
    length: int
    next_offset: int | None


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

    ``relation`` is None at the last stop; ``mentioned`` is true where only a mention connects, ``name`` is then what
    the one is called in the other's text.
    """

    node: Node
    relation: Relation | None = None
    direction: str = ""
    conflict: bool = False
    mentioned: bool = False
    name: str = ""


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

    ``snippet`` is what of it bears on the claim: a short text as a whole, the best sentences of a longer one, 400
    characters at most; blank where none was looked for. ``relation`` is the explicit relation that decided, if one did.
    ``leaning`` says which way an unsure one leans. ``superseded_by`` is what replaced the node; ``superseded_document``
    the one it stands in, where that was replaced.
    """

    node: Node
    similarity: float
    verdict: str
    grounds: tuple[str, ...]
    snippet: str = ""
    relation: Relation | None = None
    leaning: Leaning | None = None
    superseded_by: Titled | None = None
    superseded_document: SupersededDocument | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenged:
    """What stands for a claim, what against it, and what is close but left to the caller to judge.

    ``claim_node`` is the node that states the claim itself, when there is one. ``to_judge`` begins with what is
    likeliest to bear on the claim, on either side. On every side what is superseded comes last.
    """

    claim: str
    claim_node: Node | None
    supports: tuple[ClaimSide, ...]
    conflicts: tuple[ClaimSide, ...]
    to_judge: tuple[ClaimSide, ...]


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
    """Ranked candidates and what fell below the bar.

    ``searched`` of the ``total`` nodes of ``ontology``, the smaller of the two, were looked up among the other's.
    """

    candidates: tuple[BridgeCandidate, ...]
    near_misses: NearMisses
    ontology: str = ""
    searched: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextNode:
    """A node that bears on the work at hand.

    ``relevance`` is the sum of the ``factors`` that counted, (name, points) pairs; ``band`` is high, medium or low.
    ``band_by_rank`` is the band among the answers, for a task without files. ``related`` are as many of its relations
    as were asked for, each with the node at the other end. ``superseded_by`` is what replaced it;
    ``superseded_document`` is the document it stands in, where that was replaced.
    """

    node: Node
    relevance: float
    band: str
    band_by_rank: str
    factors: tuple[tuple[str, float], ...]
    relations: int
    why: tuple[str, ...] = ()
    related: tuple[tuple[Relation, Node], ...] = ()
    superseded_by: Titled | None = None
    superseded_document: SupersededDocument | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contexts:
    """The nodes that bear on the work, most relevant first; ``warning`` names words of the task read as others."""

    nodes: tuple[ContextNode, ...]
    warning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How the graph stands: counts, hubs, orphans, communities, health. All JSON-ready.

    ``verdict`` is one sentence over all of it, and ``wants`` what it goes by: what waits for somebody, how much of it.
    """

    counts: dict[str, Any]
    verdict: str = ""
    wants: tuple[dict[str, Any], ...] = ()
    hubs: tuple[dict[str, Any], ...] = ()
    orphans: int = 0
    communities: tuple[dict[str, Any], ...] = ()
    health: dict[str, Any] = field(default_factory=dict)
