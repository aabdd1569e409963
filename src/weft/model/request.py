"""What the verbs with many parameters take: one frozen value each. Defaults here are the defaults of every face.

Text fields hold cleaned text (see :mod:`weft.text`); every reference to a node may be an id, a handle, a title, an
alias or an unambiguous id prefix of 8 characters or more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from weft.model.query import Filter, Page, Scope
from weft.vocabulary import CONFIDENCE

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from weft.model.knowledge import Status

__all__ = [
    "BridgeRequest",
    "CaptureRequest",
    "ContextRequest",
    "Decision",
    "IngestRequest",
    "Linking",
    "RelateRequest",
    "RelationWish",
    "SearchRequest",
    "SynthesizeRequest",
    "TraceRequest",
    "UpdateRequest",
]


class Linking(StrEnum):
    """What relates a new node by itself: the seven rules, the table of kind pairs, both of them, or nothing.

    Whatever is chosen, likeness, conflicts and mentions are looked for and told.
    """

    BOTH = "both"
    RULES = "rules"
    PAIRS = "pairs"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationWish:
    """A relation wanted from the node that is being captured to ``target``.

    Of a label seen from the other end (``supported_by``) it runs from ``target`` to the node.
    """

    type: str
    target: str
    reasoning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureRequest:
    """A new piece of knowledge. Without ``title`` the first line speaks for it, without ``kind`` it is classified.

    ``among`` are the kinds that likeness may classify it as (none: all); keywords speak for the project kinds only.
    """

    content: str
    title: str = ""
    kind: str = ""
    ontology: str = ""
    tags: tuple[str, ...] = ()
    search_terms: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    citation: str = ""
    channel: str = "manual"
    confidence: float | None = None
    importance: float | None = None
    relations: tuple[RelationWish, ...] = ()
    linking: Linking = Linking.BOTH
    among: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateRequest:
    """Changes to one node; None leaves a field as it is. ``superseded_by`` names the node that replaces it."""

    id: str
    title: str | None = None
    content: str | None = None
    kind: str | None = None
    ontology: str | None = None
    tags: tuple[str, ...] | None = None
    references: tuple[str, ...] | None = None
    status: Status | None = None
    confidence: float | None = None
    importance: float | None = None
    superseded_by: str = ""
    if_version: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RelateRequest:
    """A relation to make or to strengthen."""

    source: str
    target: str
    type: str
    reasoning: str
    confidence: float = CONFIDENCE
    evidence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A question. ``mode`` is hybrid, semantic or keyword; ``related_to`` names a node whose neighbourhood counts.

    ``as_of`` is a time, of UTC where it has no zone; ``filter.as_of`` is then set from it by the verb.
    """

    query: str
    filter: Filter = field(default_factory=Filter)
    related_to: str = ""
    as_of: datetime | None = None
    mode: str = "hybrid"
    page: Page = field(default_factory=Page)


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceRequest:
    """A question for a trail. ``start`` and ``end`` are references or free text; ``types`` restrict the steps."""

    start: str
    end: str
    hops_max: int = 6
    types: tuple[str, ...] = ()
    scope: Scope = Scope.ALL
    alternatives: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeRequest:
    """A question for pairs of nodes, one of each ontology, that belong together. None ranks without a floor.

    Only nodes of ``scope`` come into question.
    """

    ontology1: str
    ontology2: str
    similarity_min: float | None = None
    limit: int = 10
    include_existing: bool = False
    scope: Scope = Scope.ALL


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesizeRequest:
    """A new concept that joins two or more nodes (``bridges``), with the evidence that says why."""

    label: str
    bridges: tuple[str, ...]
    evidence: str
    search_terms: tuple[str, ...] = ()
    ontology: str = ""
    creator: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRequest:
    """What is being worked on: a task in words, the file at hand, files touched lately.

    ``relations_max`` is how many relations of each node are told, strongest first.
    """

    task: str = ""
    current_file: str = ""
    recent_files: tuple[str, ...] = ()
    limit: int = 10
    relations_max: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A word on one suggestion; ``decision`` is accept or dismiss."""

    item: str
    decision: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestRequest:
    """Documents to take in: files or folders under ``roots`` (the only places that are read), or one ``text``.

    ``document`` names the text, ``ontology`` overrides the folder's name. ``urls`` are fetched where that is switched
    on. ``extractor`` is rules, or model: the rules, and a chat model beside them where one is set.
    """

    paths: tuple[Path, ...] = ()
    roots: tuple[Path, ...] = ()
    urls: tuple[str, ...] = ()
    extractor: str = "rules"
    text: str = ""
    document: str = ""
    ontology: str = ""
