"""What looking after concepts takes and answers: making, flagging, merging and parting them, and what is left over.

Similarities are calibrated (0..1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from weft.model.answer import Hit, NearMisses
    from weft.model.knowledge import Evidence, Node, Relation, Suggestion
    from weft.model.outcome import LinkedNode
    from weft.model.query import Page
    from weft.model.remembered import Surrounded

__all__ = [
    "AuditEntry",
    "ConceptHits",
    "ConceptMade",
    "ConceptRequest",
    "EvidenceAdded",
    "EvidenceRequest",
    "Flag",
    "FlagRequest",
    "Flagged",
    "HintCount",
    "Leftovers",
    "MergeRequest",
    "Merged",
    "OntologyCount",
    "Parted",
    "Pruned",
    "RelatedConcepts",
    "RelatedRequest",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptRequest:
    """A new concept. ``proceed`` makes it although one that is nearly the same is there."""

    label: str
    search_terms: tuple[str, ...] = ()
    description: str = ""
    ontology: str = ""
    evidence: str = ""
    proceed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptMade:
    """A concept that was made, what is like it, and the id of its evidence (empty: none was given)."""

    node: Node
    similar: tuple[LinkedNode, ...]
    evidence: str
    batch: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceRequest:
    """A quote that a node rests on. With ``document`` it must stand in that text, in ``paragraph`` where one is named.

    Paragraphs count from 0.
    """

    id: str
    quote: str
    document: str = ""
    paragraph: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceAdded:
    """The evidence, and whether it was there already; ``document`` is the name of its source."""

    evidence: Evidence
    node: Node
    document: str
    existing: bool
    batch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptHits:
    """A page of concepts, up to two pieces of evidence for each by node id, and what fell below the threshold.

    ``warning`` says what was not searched for as it was asked, as that of :class:`weft.model.Hits` does.
    """

    hits: tuple[Hit, ...]
    evidence: dict[str, tuple[Evidence, ...]]
    total: int
    near_misses: NearMisses
    warning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedRequest:
    """A question for what lies within ``depth`` relations of the node that ``id`` names."""

    id: str
    page: Page
    types: tuple[str, ...] = ()
    depth: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedConcepts:
    """What lies around a concept, and one piece of evidence for each that has any, by node id."""

    around: Surrounded
    evidence: dict[str, Evidence]


@dataclass(frozen=True, slots=True, kw_only=True)
class OntologyCount:
    """How much an ontology holds: nodes, sources, relations that start in it, and learned nodes among the nodes."""

    name: str
    nodes: int
    sources: int
    relations: int
    learned: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagRequest:
    """Where to look for nodes that say the same: around the one that ``id`` names, or within ``ontology``."""

    id: str = ""
    ontology: str = ""
    similarity_min: float = 0.85
    limit: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """A pair that waits to be merged. ``judged`` is the judge's word on the two: supports, unrelated or unsure."""

    suggestion: Suggestion
    keep: Node
    merge: Node
    similarity: float
    judged: str
    existing: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Flagged:
    """The flags, likest first.

    ``opposed`` pairs contradict each other or are versions of one text, ``decided`` ones were decided before, ``kept``
    ones both come from documents: none of them is flagged. ``looked_at`` nodes of ``nodes`` were compared with the
    others.
    """

    flags: tuple[Flag, ...]
    opposed: int
    decided: int
    kept: int
    looked_at: int
    nodes: int
    batch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeRequest:
    """Two nodes to make one, and why. ``override`` lets a curator merge what is not alike enough."""

    keep: str
    merge: str
    reason: str
    override: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Two nodes that became one: how many relations, pieces of evidence and search terms moved over.

    ``warning`` tells where the one that was to stay had to go, because a document said the other.
    """

    keep: Node
    merge: Node
    similarity: float
    relations: int
    evidence: int
    search_terms: int
    batch: str
    warning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parted:
    """A merge that was taken back: what returned, and sentences on what could not return (``left``)."""

    node: Node
    from_node: Node
    relations: int
    evidence: int
    left: tuple[str, ...]
    batch: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Leftovers:
    """What nothing holds any more: nodes, relations, evidence and open suggestions."""

    nodes: tuple[Node, ...] = ()
    relations: tuple[Relation, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """What was pruned, or would be (``done`` false); ``more``: the bound of one call was met."""

    what: str
    counts: dict[str, int]
    examples: tuple[Node, ...]
    more: bool
    done: bool
    batch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HintCount:
    """How often a hint of the tool ``after`` was followed, ignored, or is still open.

    ``hint`` is the tool that was offered, or the key of a prerequisite that was suggested.
    """

    after: str
    hint: str
    followed: int
    ignored: int
    open: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One call of an audited tool, done or refused. ``outcome`` is done, or the code of the error; ``key`` narrows it.

    ``arguments`` is JSON, without the reason. ``batch`` leads to what it changed; empty: nothing.
    """

    at: datetime
    actor: str
    client: str
    caller: str
    tier: str
    tool: str
    arguments: str
    reason: str
    outcome: str
    key: str = ""
    batch: str = ""
