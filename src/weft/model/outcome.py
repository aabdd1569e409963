"""What the writing verbs answer with. The field names are the field names of the ``core`` tools' results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from weft.model.answer import ClaimSide
    from weft.model.knowledge import Node, Relation, Suggestion, Titled
    from weft.model.staleness import Outdated

__all__ = [
    "Bridged",
    "Captured",
    "Classification",
    "Decided",
    "Forgotten",
    "Ingested",
    "LinkedNode",
    "Related",
    "RelatedNode",
    "RelationGuess",
    "ReviewItem",
    "Reviewed",
    "Successor",
    "Synthesized",
    "Undone",
    "Unrelated",
    "Updated",
    "Watched",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    """A kind and how it was found: ``method`` is explicit, keywords, wording or likeness; ``confident`` from 0.6 on.

    A text that was there before is not classified again: its kind and confidence are its own, the method existing.
    ``alternatives`` are up to three further (kind, confidence) pairs, best first. Where the wording tells too little,
    and the text is taken for a concept for want of better, they may be likelier than that.
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
class RelationGuess:
    """What the texts of two nodes make of them, if anything: ``confidence`` (0..1) may be low."""

    type: str
    source: str
    target: str
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedNode:
    """A node that a new one likely belongs with; ``confidence`` (0..1): how often authors relate two such texts.

    ``guesses`` are relations of a type that says more, the likeliest first, where documents go by numbers or state
    something.
    """

    id: str
    title: str
    confidence: float
    why: str
    guesses: tuple[RelationGuess, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """What became of a capture. ``existing`` is true when the very text was there already and nothing was written.

    ``differing`` are close nodes beside which this one may not hold, with what tells so. ``related`` are the nodes that
    a text of several passages likely belongs with, the likeliest first, joined or not. ``link_error`` says what went
    wrong with the automatic links; the node is there all the same. ``outdated`` are other nodes that were marked
    because a file changed that this capture tells of. ``titles``, by id, are those of the nodes at the other ends of
    ``relations``, and of others. ``untaken`` are the fields that were given with a text that was there already and that
    its node does not hold so.
    """

    node: Node
    classification: Classification
    relations: tuple[Relation, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    near_duplicates: tuple[LinkedNode, ...] = ()
    conflicts: tuple[ClaimSide, ...] = ()
    differing: tuple[ClaimSide, ...] = ()
    related: tuple[RelatedNode, ...] = ()
    link_error: str = ""
    batch: str = ""
    existing: bool = False
    untaken: tuple[str, ...] = ()
    outdated: tuple[Outdated, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Updated:
    """What an update changed: field → (before, after), and when.

    ``replaced_by``: what is still said to supersede a node that was made active again. What a new text repeats,
    contradicts or differs from is told as of a capture.
    """

    id: str
    changed: dict[str, tuple[Any, Any]]
    version: int
    batch: str = ""
    modified_at: datetime | None = None
    replaced_by: Titled | None = None
    near_duplicates: tuple[LinkedNode, ...] = ()
    conflicts: tuple[ClaimSide, ...] = ()
    differing: tuple[ClaimSide, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """A preview of what would go (``done`` false), or what went.

    ``nodes_removed`` counts what goes with a document, since it rests on it alone; the document itself apart.
    ``titles`` are those of ten of these.
    """

    id: str
    title: str
    kind: str
    nodes_removed: int = 0
    titles: tuple[str, ...] = ()
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
class Successor:
    """A node that replaced another."""

    replaced: Titled
    by: Titled


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewItem:
    """A suggestion with the titles of its subjects and a sentence on what accepting does.

    ``superseded`` are the titles of those subjects that no longer hold: what was asked of them may have settled itself.
    ``successors`` are what took their place, where that is recorded.
    """

    suggestion: Suggestion
    titles: tuple[str, ...]
    accept_does: str
    superseded: tuple[str, ...] = ()
    successors: tuple[Successor, ...] = ()


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
class Ingested:
    """What became of documents: counts, and (path, reason) of what could not be read.

    ``documents`` were new (``documents_new``) or changed, ``unchanged`` ones were there already; ``marked`` nodes
    vanished from their document and wait for review, as do ``unsaid`` relations that it states no more. ``questions``
    wait there too: what may contradict or repeat what another document says, or is told of it in prose.
    ``documents_absent`` lay in these folders before and are not there now; ``absent`` lists the names of 1,000 of them
    at most.
    """

    documents: int
    unchanged: int
    nodes_made: int
    nodes_reused: int
    nodes_updated: int
    relations: int
    evidence: int
    marked: int
    unsaid: int = 0
    documents_new: int = 0
    questions: int = 0
    documents_absent: int = 0
    absent: tuple[str, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    batches: tuple[str, ...] = ()

    @property
    def reuse_rate(self) -> float:
        """Of the nodes that the documents asked for anew, the share that was known already, 0..1; documents apart."""
        asked = self.nodes_reused + max(0, self.nodes_made - self.documents_new)
        return round(self.nodes_reused / asked, 3) if asked else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """What a sweep found, by what it is about, and how many suggestions were new (``suggested``).

    ``looked_at`` of the graph's ``learned`` items were looked at this time.
    """

    looked_at: int
    learned: int
    drift: int
    conflicts: int
    weak: int
    bridges: int
    suggested: int
    batch: str = ""
