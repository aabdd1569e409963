"""What was learned, item by item: a relation or a concept that somebody stated with evidence, under one learned id.

Similarities are calibrated (0..1).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from weft.model.query import Page

if TYPE_CHECKING:
    from datetime import datetime

    from weft.model.knowledge import Evidence, Node, Relation

__all__ = [
    "ConnectRequest",
    "Connected",
    "Connection",
    "FoundLearned",
    "LearnedDeleted",
    "LearnedEntry",
    "LearnedExport",
    "LearnedExported",
    "LearnedImport",
    "LearnedImported",
    "LearnedItem",
    "LearnedList",
    "LearnedQuery",
    "LearnedUpdate",
    "LearnedUpdated",
    "LearnedVersion",
    "PortableConcept",
    "PortableEnd",
    "PortableItem",
    "PortableVote",
    "Rated",
    "Refused",
    "Tally",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedItem:
    """One learned item as it stands: the relations it made, the evidence it rests on, and its concept if it made one.

    ``evidence`` is None, and ``relations`` are empty, where only the concept is left of it. Where nodes were merged,
    one relation may stand for several items; it carries the learned id of one of them.
    """

    learned_id: str
    relations: tuple[Relation, ...]
    evidence: Evidence | None
    concept: Node | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedQuery:
    """Which learned items; empty fields do not restrict.

    ``ontology`` is that of either end; ``leap`` is LOW, MEDIUM or HIGH; ``similarity_min`` is of the evidence's mean.
    """

    creator: str = ""
    ontology: str = ""
    similarity_min: float = 0.0
    leap: str = ""
    learned_id: str = ""
    page: Page = field(default_factory=Page)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLearned:
    """A page of learned items, newest first, and how many there are in all."""

    items: tuple[LearnedItem, ...]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectRequest:
    """A relation between two nodes that no document states, with the evidence for it. ``creator`` empty: the actor."""

    source: str
    target: str
    type: str
    evidence: str
    creator: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """A learned relation that was made, its ends in the order in which they were named.

    ``similarities`` are those of the evidence to the one and to the other; ``leap`` is that of their mean.
    """

    learned_id: str
    source: Node
    target: Node
    type: str
    similarities: tuple[float, float]
    minimum: float
    leap: str
    warning: str = ""
    batch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """An item of several that could not be made: its place in the list (from 0), and the error's answer."""

    place: int
    code: str
    message: str
    existing: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedUpdate:
    """Changes to one learned item; None leaves a field as it is."""

    learned_id: str
    evidence: str | None = None
    type: str | None = None
    if_version: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedUpdated:
    """What an update changed. ``similarities`` are one an end, in the order in which the ends were named."""

    learned_id: str
    updated: tuple[str, ...]
    similarities: tuple[float, ...]
    minimum: float
    leap: str
    version: int
    is_concept: bool
    warning: str = ""
    batch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedDeleted:
    """What left with a learned item: each source, relation and concept is counted once.

    ``sources`` are learned sources that nothing rests on any more, ``concepts`` those that a cascade took along.
    """

    learned_id: str
    sources: int
    relations: int
    concepts: int
    warning: str = ""
    batch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How a learned item is thought of: votes for and against, and its strength (0..1)."""

    up: int
    down: int
    strength: float
    conflicts: int = 0
    uses: int = 0

    @property
    def contested(self) -> bool:
        """Whether the votes oppose each other: the lesser side has at least a third of them."""
        return self.up > 0 and self.down > 0 and 3 * min(self.up, self.down) >= self.up + self.down


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """One relation of a learned item, in words: the titles of its ends as they were named, and its type."""

    source: str
    target: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedVersion:
    """How a learned item stood earlier, from when on, and who made it so."""

    version: int
    at: datetime
    by: str
    evidence: str
    similarity: float | None
    leap: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedEntry:
    """A learned item as it is listed; ``concept`` is its handle and title where it made one."""

    learned_id: str
    creator: str
    created_at: datetime
    evidence: str
    connections: tuple[Connection, ...]
    similarity: float | None
    leap: str
    version: int
    tally: Tally
    concept: tuple[str, str] | None = None
    history: tuple[LearnedVersion, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedList:
    """A page of learned items in words, newest first, and how many there are in all."""

    entries: tuple[LearnedEntry, ...]
    total: int
    page: Page


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """What a vote came to."""

    learned_id: str
    vote: str
    tally: Tally
    batch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableEnd:
    """A node that a learned item joins, named so that another graph can find it."""

    id: str
    title: str
    ontology: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableConcept:
    """The concept that a learned item made; ``handle`` is ``synthesis_…``."""

    id: str
    handle: str
    title: str
    ontology: str
    search_terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableVote:
    """A vote as it travels; ``value`` is +1 or −1."""

    actor: str
    value: int
    reason: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableItem:
    """A learned item as it travels between graphs.

    A relation has two ``ends``, as they were named, and its ``type``; a concept joins all its ``ends`` and has no type.
    ``similarity`` and ``leap`` are told, and measured anew where the item arrives.
    """

    learned_id: str
    type: str
    ends: tuple[PortableEnd, ...]
    evidence: str
    creator: str
    created_at: datetime | None = None
    similarity: float | None = None
    leap: str = ""
    concept: PortableConcept | None = None
    votes: tuple[PortableVote, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedExport:
    """Learned items to write out as ``format``: json, csv, markdown or cypher; newest first, after ``offset`` items.

    ``size_max`` is the length of the text as JSON, in bytes, after which no further item is begun; 0: no bound.
    """

    format: str
    creator: str = ""
    ontology: str = ""
    offset: int = 0
    size_max: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedExported:
    """The text of an export: ``items`` of ``total`` that match, and where to go on (None: that was all)."""

    format: str
    text: str
    items: int
    total: int
    next_offset: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedImport:
    """Learned items to take in: the ``text`` of an export, ``json`` or ``csv``.

    ``creators`` maps names of the file to names of this graph. ``dry_run`` writes nothing and answers what it would.
    """

    format: str
    text: str
    dry_run: bool = False
    creators: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedImported:
    """The learned ids that were written (or would be), and (learned id or place, reason) of what was not."""

    written: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]
    dry_run: bool
    batch: str = ""
