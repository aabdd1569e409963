"""What the graph holds: nodes, relations, the evidence behind them, and what waits for a decision.

All values are frozen. Times are aware UTC ``datetime``s. Confidence, importance and similarity lie in 0..1.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from weft.vocabulary import CONFIDENCE, IMPORTANCE

if TYPE_CHECKING:
    from datetime import datetime

    import numpy as np
    import numpy.typing as npt

__all__ = [
    "Embedded",
    "Evidence",
    "Mention",
    "Node",
    "Origin",
    "Passage",
    "Relation",
    "Retirement",
    "Source",
    "SourceType",
    "Status",
    "Suggestion",
    "SuggestionKind",
    "SuggestionState",
    "SupersededDocument",
    "Titled",
]


class Origin(StrEnum):
    """Where a node or a relation comes from. Only text that was ingested whole is ``document``, and protected."""

    MANUAL = "manual"
    DOCUMENT = "document"
    INFERRED = "inferred"
    LEARNED = "learned"
    IMPORTED = "imported"


class Status(StrEnum):
    """How a node stands. It never hides the node."""

    ACTIVE = "active"
    NEEDS_REVIEW = "needs_review"
    SUPERSEDED = "superseded"


class SourceType(StrEnum):
    """``DOCUMENT`` for ingested text, ``LEARNED`` for the evidence of a synthesis."""

    DOCUMENT = "DOCUMENT"
    LEARNED = "LEARNED"


class SuggestionKind(StrEnum):
    """What a suggestion asks to decide."""

    RELATION = "relation"
    CLASSIFICATION = "classification"
    DUPLICATE = "duplicate"
    CONFLICT = "conflict"
    STALE = "stale"
    DRIFT = "drift"
    WEAK_BRIDGE = "weak_bridge"
    FILE_CONFLICT = "file_conflict"
    BRIDGE = "bridge"


class SuggestionState(StrEnum):
    """Open until it is decided once."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Retirement:
    """When, by whom and why a node left the graph, and the node it was merged into (empty: it was forgotten)."""

    at: datetime
    by: str
    why: str = ""
    merged_into: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One piece of knowledge.

    ``handles`` are further ids (slugs, ``synthesis_…``), ``aliases`` further titles. ``references`` are files or URLs,
    ``citation`` is free text, a DOI or a URL and protects nothing. ``status`` never hides a node, ``retired`` does.
    ``version`` starts at 1 and grows by one with each change.
    """

    id: str
    kind: str
    title: str
    content: str
    ontology: str
    handles: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    search_terms: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    citation: str = ""
    confidence: float = CONFIDENCE
    importance: float = IMPORTANCE
    status: Status = Status.ACTIVE
    retired: Retirement | None = None
    session: str = ""
    origin: Origin = Origin.MANUAL
    channel: str = "manual"
    learned_id: str = ""
    created_at: datetime
    created_by: str
    modified_at: datetime
    modified_by: str
    version: int = 1


class Titled(NamedTuple):
    """A node by its id and its title: all it takes to name one in passing."""

    id: str
    title: str


class SupersededDocument(NamedTuple):
    """A document that no longer holds, by its id and its title, and what replaced it, where that is recorded."""

    id: str
    title: str
    superseded_by: Titled | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A typed, reasoned, directed connection ``source → target``; unique by source, target and type.

    ``rule`` and ``scores`` are set when it was made automatically: the rule's name and its inputs as (name, value)
    pairs. Of a symmetric type, source sorts before target.
    """

    id: str
    source: str
    target: str
    type: str
    reasoning: str
    confidence: float = CONFIDENCE
    origin: Origin = Origin.MANUAL
    rule: str = ""
    scores: tuple[tuple[str, float], ...] = ()
    learned_id: str = ""
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    created_at: datetime
    created_by: str
    version: int = 1

    def other_end(self, node: str) -> str:
        """Return the id at the end where ``node`` does not stand."""
        return self.target if self.source == node else self.source


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A text that evidence points into, kept whole. ``digest`` is the SHA-256 of ``text`` in hex.

    Of type LEARNED, ``document`` is «User synthesis» or «AI synthesis» and ``text`` the evidence that was given.
    """

    id: str
    document: str
    ontology: str
    type: SourceType
    text: str
    digest: str
    path: str = ""
    created_at: datetime
    created_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The place in a source that ``subject`` (a node's or a relation's id) rests on.

    ``text[start:end] == quote``, offsets in characters of the source's text; ``paragraph`` counts from 0.
    ``similarity`` and ``leap`` (LOW, MEDIUM, HIGH) are set on learned evidence.
    """

    id: str
    subject: str
    source: str
    paragraph: int
    start: int
    end: int
    quote: str
    type: SourceType
    creator: str
    similarity: float | None = None
    leap: str = ""
    learned_id: str = ""
    created_at: datetime
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """Something that waits for one decision.

    ``dedup`` is unique in the graph and makes a decision stick: the same thing is never suggested twice.
    ``subjects`` are the nodes concerned; ``proposal`` is what accepting does, as JSON-ready data
    (``{"relate": {...}}``, ``{"merge": {...}}``, ``{"status": {...}}`` or empty: accepting only records it);
    ``grounds`` says why.
    """

    id: str
    kind: SuggestionKind
    dedup: str
    subjects: tuple[str, ...]
    summary: str
    grounds: dict[str, Any]
    proposal: dict[str, Any]
    score: float = 0.0
    state: SuggestionState = SuggestionState.OPEN
    created_at: datetime
    created_by: str
    decided_at: datetime | None = None
    decided_by: str = ""
    decided_why: str = ""
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """A text as a model reads it: ``vector``, shape (dimension,), float32, length 1, stands for the whole of it.

    ``words`` are those that have a meaning of their own, in lower case, and ``word_vectors`` what they mean where they
    stand: shape (len(words), width), about 127 long each. None: the model gives no vectors of words.
    """

    vector: npt.NDArray[np.float32]
    words: tuple[str, ...] = ()
    word_vectors: npt.NDArray[np.int8] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A stretch of a node's text small enough to embed: ``text`` is what was embedded and indexed for words.

    ``start`` and ``end`` are character offsets into the node's content; ``vector`` has shape (dimension,), float32,
    length 1, and ``word_vectors`` is as in :class:`Embedded`.
    """

    start: int
    end: int
    text: str
    vector: npt.NDArray[np.float32]
    word_vectors: npt.NDArray[np.int8] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """``node``'s text holds ``name``, which is a title or an alias of ``target``. Derived, never asserted."""

    node: str
    target: str
    name: str
